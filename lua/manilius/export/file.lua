--- The walk over a graph that both languages share: functions for nodes, each behind those that it calls, and tables.
-- @module manilius.export.file

local language = require "manilius.export.language"
local printer = require "manilius.export.printer"

local M = {}

local File = {}
File.__index = File

--- A file to be filled. `writer`, kept as `language`, has speech, table_name(file, id), and leaf, chain, columns, pass,
-- each of which prints the function of a node and leaves its lines in file.functions.
function M.new(writer, name, graph)
   return setmetatable({ language = writer, name = name, graph = graph, tables = {}, table_ids = {}, functions = {},
      ids = {}, count = 0, calls = {} }, File)
end

--- The number of a table in the file: equal ones are written once.
function File:table_of(values, kind)
   local texts = {}
   local tell = kind == "reals" and self.language.speech.real or self.language.speech.int
   for i, value in ipairs(values) do texts[i] = tell(value) .. "," end
   local key = kind .. table.concat(texts)
   if not self.table_ids[key] then
      self.tables[#self.tables + 1] = { kind = kind, texts = texts }
      self.table_ids[key] = #self.tables
   end
   return self.table_ids[key]
end

--- The number of the function of a node.
function File:node(node)
   if self.ids[node] then return self.ids[node] end
   for _, part in ipairs(node.parts or {}) do self:node(part.node or part) end
   self.count = self.count + 1
   self.ids[node] = self.count
   self.language[node.kind](self, node, self.count)
   return self.count
end

--- All functions, in an order that does not depend on chance.
function File:nodes()
   for _, action in ipairs { "decision_function", "predict_log_proba", "predict", "transform", "score_samples" } do
      local node = self.graph.entry[action]
      if node then self:node(node) end
   end
end

-- Names in the code of a leaf.
local function names_in(node)
   local used = {}
   language.walk(node.code, function(one)
      if one.name then used[one.name] = true end
   end)
   return used
end

--- Does the code of a leaf read the row?
function File.reads(_, node)
   return names_in(node).x == true
end

--- A printer for the code of a leaf, and the tables it reads: { name, id } in their order.
function File:printer(node)
   local names, list = {}, {}
   local numbers = { features = node.inputs, outputs = node.outputs }
   for name, value in pairs(node.program.numbers) do numbers[name] = value end
   local used = names_in(node)
   for _, one in ipairs(node.program.tables) do
      if used[one.name] then
         local id = self:table_of(one.values, one.kind)
         names[one.name] = self.language.table_name(self, id)
         list[#list + 1] = { name = one.name, id = id }
      end
   end
   local made = printer.new(self.language.speech, names, numbers)
   made.prefix, made.who, made.calls = self.name, node.who, self.calls
   return made, list
end

--- Add the lines of a function.
function File:add(lines)
   self.functions[#self.functions + 1] = table.concat(lines, "\n")
end

return M
