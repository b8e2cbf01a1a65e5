--- The structure of a BayesNet: nodes, their levels and parents, from tables of the user; cycles are errors.
--
-- A structure is a table { names, index, levels, parents, card, start, parent }: levels[i] is a list of labels, or
-- false for a number; parents[i] a list of nodes; card, start and parent are the Vectors of src/lua/bayes_net/values.h.

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "BayesNet"

function M.fail(what, ...)
   error((WHO .. ": " .. what):format(...), 0)
end

local fail = M.fail

--- The label of a value, as evidence and tables name it: 2.0 is 2.
function M.label(value)
   return type(value) == "number" and math.tointeger(value) or value -- tointeger converts strings, too
end

-- --- edges ---

local function check_name(what, name)
   if type(name) ~= "string" or name == "" then fail("%s must be the name of a node, got %s", what, rows.kind(name)) end
   return name
end

-- "a -> b", "a -> b -> c" or { "a", "b" }: calls add(from, to).
local function read_edge(what, edge, add)
   if type(edge) == "table" and #edge == 2 then
      return add(check_name(what, edge[1]), check_name(what, edge[2]))
   end
   if type(edge) ~= "string" or not edge:find("->", 1, true) then
      fail('%s must be "parent -> child" or { "parent", "child" }, got %s', what,
         type(edge) == "string" and '"' .. edge .. '"' or rows.kind(edge))
   end
   local before
   for part in (edge:gsub("%->", "\n") .. "\n"):gmatch "(.-)\n" do
      local name = part:match "^%s*(.-)%s*$"
      if name == "" then fail('%s: a name is missing in "%s"', what, edge) end
      if before then add(before, name) end
      before = name
   end
end

-- The texts between ; or line ends; what is not text, as it is.
local function split_edges(edge)
   if type(edge) ~= "string" then return { edge } end
   local list = {}
   for one in edge:gmatch "[^;\n]+" do
      if one:find "%S" then list[#list + 1] = one end
   end
   return list
end

--- Edges as a list of { from, to }: a list of edges, or a string of edges separated by ; or line ends.
function M.edges(what, value)
   local out = {}
   if value == nil then return out end
   if rows.is_frame(value) then
      local from, to = value.columns[1], value.columns[2]
      if not to then fail("%s must be a Frame with two columns, parents and children", what) end
      for i = 1, #from do out[i] = { check_name(what, from[i]), check_name(what, to[i]) } end
      return out
   end
   if type(value) == "string" then value = split_edges(value) end
   if type(value) ~= "table" or getmetatable(value) and rows.kind(value) ~= "table" then
      fail("%s must be a list of edges, got %s", what, rows.kind(value))
   end
   for i, edge in ipairs(value) do
      for _, one in ipairs(split_edges(edge)) do
         read_edge(("%s[%d]"):format(what, i), one, function(from, to) out[#out + 1] = { from, to } end)
      end
   end
   return out
end

--- The edges that the settings give, or nil if they give none.
function M.given_edges(self)
   local out = {}
   if self.edges == nil and self.parents == nil then return nil end
   for _, edge in ipairs(M.edges("edges", self.edges)) do out[#out + 1] = edge end
   if self.parents ~= nil and type(self.parents) ~= "table" then
      fail("parents must be a table of lists by name, { child = { \"parent\" } }, got %s", rows.kind(self.parents))
   end
   for _, child in ipairs(text.sorted_keys(self.parents or {})) do
      local list = self.parents[child]
      if type(list) == "string" then list = { list } end
      if type(list) ~= "table" then fail("parents.%s must be a list of names, got %s", child, rows.kind(list)) end
      for _, parent in ipairs(list) do out[#out + 1] = { check_name("parents." .. child, parent), child } end
   end
   return out
end

-- --- nodes ---

-- The names in order: `first`, then those of the edges.
local function collect_names(first, edges)
   local names, index = {}, {}
   local function add(name)
      if not index[name] then
         names[#names + 1] = name
         index[name] = #names
      end
   end
   for i, name in ipairs(first) do
      if index[check_name(("nodes[%d]"):format(i), name)] then fail("node '%s' is given twice", name) end
      add(name)
   end
   for _, edge in ipairs(edges) do
      add(edge[1])
      add(edge[2])
   end
   return names, index
end

local function check_levels(name, list)
   if type(list) ~= "table" or rows.kind(list) ~= "table" and getmetatable(list) ~= core.list_meta then
      fail("levels.%s must be a list of labels, got %s", name, rows.kind(list))
   end
   local out, seen = {}, {}
   for i, label in ipairs(list) do
      label = M.label(label)
      local kind = type(label)
      if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
         fail("levels.%s must be labels, got %s", name, rows.kind(label))
      end
      if seen[label] ~= nil then fail("levels.%s has '%s' twice", name, tostring(label)) end
      seen[label], out[i] = i, label
   end
   if #out < 1 then fail("levels.%s must have at least one label", name) end
   if #out > 65535 then fail("levels.%s must have at most 65535 labels, got %d", name, #out) end
   return out
end

--- The levels of a node that the settings give, or nil: a list for all nodes, or lists by name.
function M.given_levels(self, name)
   local levels = self.levels
   if levels == nil then return nil end
   if type(levels) ~= "table" then fail("levels must be a table of lists by name, got %s", rows.kind(levels)) end
   if levels[1] ~= nil then return check_levels("*", levels) end
   return levels[name] ~= nil and check_levels(name, levels[name]) or nil
end

-- From the node with the lowest index on.
local function cycle_text(names, cycle)
   local parts, first, n = {}, 1, #cycle
   for i = 1, n do first = cycle[i] < cycle[first] and i or first end
   for i = 0, n do parts[i + 1] = names[cycle[(first - 1 + i) % n + 1]] end
   return table.concat(parts, " -> ")
end

-- Parents by node, without those given twice.
local function parents_of(names, index, edges)
   local parents, seen = {}, {}
   for i = 1, #names do parents[i] = {} end
   for _, edge in ipairs(edges) do
      local from, to = index[edge[1]], index[edge[2]]
      if from == to then fail("the network has a cycle: %s -> %s", edge[1], edge[1]) end
      local key = ("%d %d"):format(from, to)
      if not seen[key] then table.insert(parents[to], from) end
      seen[key] = true
   end
   return parents
end

local function pack(names, index, levels, parents)
   local card, start, list = core.Vector(#names), core.Vector(#names + 1), {}
   for i = 1, #names do
      card[i] = levels[i] and #levels[i] or 0
      table.move(parents[i], 1, #parents[i], #list + 1, list)
      start[i + 1] = #list
      for _, u in ipairs(parents[i]) do
         if levels[i] and not levels[u] then
            fail("'%s' has labels, so its parent '%s' must not be a number; give levels of '%s' or cut it into bins",
               names[i], names[u], names[u])
         end
      end
   end
   local parent = core.Vector(#list)
   for k, u in ipairs(list) do parent[k] = u end
   return { names = names, index = index, levels = levels, parents = parents, card = card, start = start,
      parent = parent }
end

--- A structure from names, levels and lists of parents by node.
function M.new(names, levels, parents)
   local index = {}
   for i, name in ipairs(names) do index[name] = i end
   local made = pack(names, index, levels, parents)
   local order, acyclic = core.bayes_order(made)
   if not acyclic then fail("the network has a cycle: %s", cycle_text(names, order)) end
   made.order = order
   return made
end

--- A structure from a list of edges. levels_of(name): its levels, or false for a number.
function M.from_edges(first, edges, levels_of)
   local names, index = collect_names(first, edges)
   if #names == 0 then fail "the network has no nodes; give edges, parents or nodes" end
   local levels = {}
   for i, name in ipairs(names) do levels[i] = levels_of(name) or false end
   return M.new(names, levels, parents_of(names, index, edges))
end

--- The index of a node that must exist.
function M.node(net, what, name)
   local at = net.index[name]
   if at then return at end
   fail("%s: there is no node '%s'%s", what, tostring(name), text.near(tostring(name), net.names))
end

--- A list of indices of nodes from a name or a list of names; nil: none.
function M.nodes(net, what, value)
   local out, seen = {}, {}
   if value == nil then return out end
   if type(value) == "string" then value = { value } end
   if type(value) ~= "table" then fail("%s must be a name or a list of names, got %s", what, rows.kind(value)) end
   for i, name in ipairs(value) do
      out[i] = M.node(net, what, name)
      if seen[out[i]] then fail("%s: node '%s' is given twice", what, name) end
      seen[out[i]] = true
   end
   if #out == 0 and next(value) ~= nil then fail("%s must be a list of names", what) end
   return out
end

--- Names of the nodes with these indices, as a printable list.
function M.name_list(net, nodes)
   local out = {}
   for i = 1, #nodes do out[i] = net.names[math.tointeger(nodes[i])] end
   return setmetatable(out, core.list_meta)
end

--- The nodes with a flag.
function M.flagged(net, flags)
   local out = {}
   for i = 1, #net.names do
      if flags[i] == 1 then out[#out + 1] = i end
   end
   return M.name_list(net, out)
end

--- The children of a node.
function M.children(net, node)
   local out = {}
   for v, parents in ipairs(net.parents) do
      if text.contains(parents, node) then out[#out + 1] = v end
   end
   return out
end

--- The code of a label of a node, from 0; raises an error for a label that is none of its levels.
function M.code(net, node, label, what)
   local codes = net.codes and net.codes[node]
   if not codes then
      codes = {}
      for i, one in ipairs(net.levels[node]) do codes[one] = i - 1 end
      net.codes = net.codes or {}
      net.codes[node] = codes
   end
   local code = codes[M.label(label)]
   if code then return code end
   if label ~= label then fail("%s: node '%s' is missing (nan); leave it out", what, net.names[node]) end
   local known = {}
   for i, one in ipairs(net.levels[node]) do known[i] = tostring(one) end
   fail("%s: node '%s' has no level '%s'%s", what, net.names[node], tostring(label),
      #known <= 12 and "; there are " .. table.concat(known, ", ") or "")
end

--- An error of the core, which names nodes by number, with their names.
function M.with_names(net, message)
   return (message:gsub("node (%d+)", function(i)
      local name = net.names[math.tointeger(tonumber(i))]
      return name and ("node '%s'"):format(name) or "node " .. i
   end))
end

return M
