--- Traversal of a graph for both target languages: writes a function for each node after those it calls, and tables.

local actions = require("manilius.export.graph").actions
local language = require "manilius.export.language"
local printer = require "manilius.export.printer"

local M = {}

local File = {}
File.__index = File

--- A new file. `writer`, stored as `language`, has syntax, table_name(file, id), and leaf, chain, columns, pass, which
-- print the function of a node and append its lines to file.functions.
function M.new(writer, name, graph)
   return setmetatable({ language = writer, name = name, graph = graph, tables = {}, table_ids = {}, functions = {},
      ids = {}, count = 0, calls = {}, signatures = {}, signature_counts = {}, shared = {}, shared_count = 0 }, File)
end

--- The number of a table in the file; equal tables are written once.
function File:table_of(values, kind)
   local texts = {}
   local format = kind == "reals" and self.language.syntax.real or self.language.syntax.int
   for i, value in ipairs(values) do texts[i] = format(value) .. "," end
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

-- Leaves with the same signature differ in their tables only, and share one function.
local function signature_of(node)
   local numbers = {}
   for name, value in pairs(node.program.numbers) do
      numbers[#numbers + 1] = ("%s=%s%a"):format(name, math.type(value), value)
   end
   table.sort(numbers)
   return table.concat({ node.title, node.who, node.inputs, node.outputs, tostring(node.missing),
      tostring(node.infinite), tostring(node.non_negative), tostring(node.check), node.program.code,
      table.concat(numbers, " ") }, "\0")
end

-- Count the leaves with each signature.
function File:count_signatures(node, seen)
   if seen[node] then return end
   seen[node] = true
   if node.kind == "leaf" then
      local key = signature_of(node)
      self.signatures[node] = key
      self.signature_counts[key] = (self.signature_counts[key] or 0) + 1
   end
   for _, part in ipairs(node.parts or {}) do self:count_signatures(part.node or part, seen) end
end

--- Write all functions, in a deterministic order.
function File:nodes()
   local seen = {}
   for _, action in ipairs(actions) do
      local node = self.graph.entry[action]
      if node then self:count_signatures(node, seen) end
   end
   for _, action in ipairs(actions) do
      local node = self.graph.entry[action]
      if node then self:node(node) end
   end
end

--- Leaves with the same code, such as the trees of an ensemble, share one function that takes the tables as arguments.
-- Returns nil for a leaf with unique code; otherwise the number of the shared function and whether it is new.
function File:shared_with(node)
   local key = self.signatures[node]
   if self.signature_counts[key] == 1 or #node.program.tables == 0 then return nil end
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

--- A printer for the code of a leaf with the given tables, which are named name_of(table, position).
function File:printer(node, tables, name_of)
   local names, numbers = {}, { features = node.inputs, outputs = node.outputs }
   for name, value in pairs(node.program.numbers) do numbers[name] = value end
   for i, one in ipairs(tables) do names[one.name] = name_of(one, i) end
   local made = printer.new(self.language.syntax, names, numbers)
   made.prefix, made.who, made.calls = self.name, node.who, self.calls
   return made
end

--- Add the lines of a function.
function File:add(lines)
   self.functions[#self.functions + 1] = table.concat(lines, "\n")
end

return M
