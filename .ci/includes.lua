--- Checks the include graph of src: between folders it follows .ci/layers, between files it has no cycle.
--
--    lua5.4 .ci/includes.lua          print what is wrong, exit 1 if anything is
--    lua5.4 .ci/includes.lua dot      the graph of the folders for Graphviz
--
-- A unit is a .c file with the header of the same name.

local function lines_of(command)
   local pipe = assert(io.popen(command))
   local lines = {}
   for line in pipe:lines() do lines[#lines + 1] = line end
   pipe:close()
   return lines
end

local function folder_of(path) return path:match "^src/(.*)/[^/]+$" or "" end

local function unit_of(path) return (path:gsub("%.[ch]$", "")) end

--- "src/tree/../core/rng.h" -> "src/core/rng.h"
local function normalized(path)
   local changes
   repeat path, changes = path:gsub("[^/]+/%.%./", "", 1) until changes == 0
   return path
end

--- { { from = path, to = path }, ... }: every include of a header of ours.
local function includes()
   local found = {}
   for _, path in ipairs(lines_of "find src -name '*.[ch]' | LC_ALL=C sort") do
      for line in io.lines(path) do
         local name = line:match '^#include "([^"]+)"'
         if name then found[#found + 1] = { from = path, to = normalized(path:match "^(.*/)" .. name) } end
      end
   end
   return found
end

local function layers()
   local layer_of, count = {}, 0
   for line in io.lines ".ci/layers" do
      if not line:find "^#" then
         count = count + 1
         for folder in line:gmatch "%S+" do layer_of[folder] = count end
      end
   end
   return layer_of
end

local function upward(found, layer_of)
   local wrong = {}
   for _, edge in ipairs(found) do
      local from, to = folder_of(edge.from), folder_of(edge.to)
      if from ~= to and to ~= "" then
         local low, high = layer_of[to], layer_of[from]
         if not low or not high then
            wrong[#wrong + 1] = ("%s: folder missing from .ci/layers: %s"):format(edge.from, high and to or from)
         elseif low >= high then
            wrong[#wrong + 1] = ("%s includes %s, which is not in a lower layer"):format(edge.from, edge.to)
         end
      end
   end
   return wrong
end

--- Cycles between units, by depth-first search: one path for each edge that closes a cycle.
local function cycles(found)
   local graph, units = {}, {}
   for _, edge in ipairs(found) do
      local from, to = unit_of(edge.from), unit_of(edge.to)
      if not graph[from] then
         graph[from] = {}
         units[#units + 1] = from
      end
      if from ~= to then table.insert(graph[from], to) end
   end
   local wrong, state, path = {}, {}, {}
   local function visit(unit)
      state[unit] = "open"
      path[#path + 1] = unit
      for _, to in ipairs(graph[unit] or {}) do
         if state[to] == "open" then
            wrong[#wrong + 1] = ("cycle: %s -> %s"):format(table.concat(path, " -> "):match(to .. ".*"), to)
         elseif not state[to] then
            visit(to)
         end
      end
      path[#path] = nil
      state[unit] = "done"
   end
   for _, unit in ipairs(units) do
      if not state[unit] then visit(unit) end
   end
   return wrong
end

local function print_dot(found)
   print "digraph includes {\n  rankdir = BT;\n  node [shape = box, fontname = sans];"
   local seen = {}
   for _, edge in ipairs(found) do
      local from, to = folder_of(edge.from), folder_of(edge.to)
      local line = ('  "%s" -> "%s";'):format(from, to)
      if from ~= to and to ~= "" and not seen[line] then print(line) end
      seen[line] = true
   end
   print "}"
end

local found = includes()
if arg[1] == "dot" then
   print_dot(found)
   os.exit(0)
end
local wrong = upward(found, layers())
for _, text in ipairs(cycles(found)) do wrong[#wrong + 1] = text end
for _, text in ipairs(wrong) do print(text) end
os.exit(#wrong == 0)
