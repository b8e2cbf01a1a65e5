--- The walk over a graph that both languages share: functions for nodes, each behind those that it calls, and tables.
-- @module manilius.export.file

local actions = require("manilius.export.graph").actions
local language = require "manilius.export.language"
local printer = require "manilius.export.printer"

local M = {}

local File = {}
File.__index = File

--- A file to be filled. `writer`, kept as `language`, has speech, table_name(file, id), and leaf, chain, columns, pass,
-- each of which prints the function of a node and leaves its lines in file.functions.
function M.new(writer, name, graph)
   return setmetatable({ language = writer, name = name, graph = graph, tables = {}, table_ids = {}, functions = {},
      ids = {}, count = 0, calls = {}, likeness = {}, alike = {}, shared = {}, shared_count = 0 }, File)
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

-- What leaves must have in common to be one function of their tables: all but the tables.
local function likeness_of(node)
   local numbers = {}
   for name, value in pairs(node.program.numbers) do
      numbers[#numbers + 1] = ("%s=%s%a"):format(name, math.type(value), value)
   end
   table.sort(numbers)
   return table.concat({ node.title, node.who, node.inputs, node.outputs, tostring(node.missing),
      tostring(node.infinite), tostring(node.non_negative), tostring(node.check), node.program.code,
      table.concat(numbers, " ") }, "\0")
end

-- Count the leaves that are alike.
function File:count_alike(node, seen)
   if seen[node] then return end
   seen[node] = true
   if node.kind == "leaf" then
      local key = likeness_of(node)
      self.likeness[node] = key
      self.alike[key] = (self.alike[key] or 0) + 1
   end
   for _, part in ipairs(node.parts or {}) do self:count_alike(part.node or part, seen) end
end

--- All functions, in an order that does not depend on chance.
function File:nodes()
   local seen = {}
   for _, action in ipairs(actions) do
      local node = self.graph.entry[action]
      if node then self:count_alike(node, seen) end
   end
   for _, action in ipairs(actions) do
      local node = self.graph.entry[action]
      if node then self:node(node) end
   end
end

--- Where the code of a leaf is that of another, as of the trees of an ensemble, it is a function of its tables that is
-- written once. Returns nil where the leaf is alone; else the number of that function, and whether it is still to be
-- written.
function File:shared_with(node)
   local key = self.likeness[node]
   if self.alike[key] == 1 or #node.program.tables == 0 then return nil end
   local id = self.shared[key]
   if id then return id, false end
   self.shared_count = self.shared_count + 1
   self.shared[key] = self.shared_count
   return self.shared_count, true
end

--- The tables that the code of a leaf reads: { name, kind, id } in their order.
function File:tables_of(node)
   local list, used = {}, names_in(node)
   for _, one in ipairs(node.program.tables) do
      if used[one.name] then
         list[#list + 1] = { name = one.name, kind = one.kind, id = self:table_of(one.values, one.kind) }
      end
   end
   return list
end

--- A printer for the code of a leaf whose tables are `tables`, called by what name_of(table, place) gives.
function File:printer(node, tables, name_of)
   local names, numbers = {}, { features = node.inputs, outputs = node.outputs }
   for name, value in pairs(node.program.numbers) do numbers[name] = value end
   for i, one in ipairs(tables) do names[one.name] = name_of(one, i) end
   local made = printer.new(self.language.speech, names, numbers)
   made.prefix, made.who, made.calls = self.name, node.who, self.calls
   return made
end

--- Add the lines of a function.
function File:add(lines)
   self.functions[#self.functions + 1] = table.concat(lines, "\n")
end

return M
