--- Factor graphs as values: variables with names and states, and the packed factors that the core reads.
--
-- A graph never changes. Its fields: class, n, card, scope_start, scope, table_start and table (mn_factor_graph,
-- numbered from 0), and, where they are set, names, states (of each variable: a list of labels, or false; or { all =
-- labels }), shape
-- ({ rows, columns } of a grid) and pairwise (how the core makes grids).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { methods = {}, properties = {} }

local OPTIONAL = { "names", "states", "shape", "pairwise", "learned" }
local VECTORS = { "card", "scope_start", "scope", "table_start", "table" }

-- graph -> its fields, hidden so that a graph cannot be changed.
local hidden = setmetatable({}, { __mode = "k" })

--- The fields of a graph, as the core takes them.
function M.raw(g) return hidden[g] end
local raw = M.raw

--- Raise an error of a graph; rethrown with the position of the caller.
function M.fail(g, message, ...)
   error(("%s: " .. message):format(type(g) == "table" and hidden[g].class or g, ...), 0)
end
local fail = M.fail

-- --- variables and states ---

--- The name of variable v.
function M.name_of(g, v)
   local names, shape = raw(g).names, raw(g).shape
   if names then return names[v] end
   if shape then return ("x[%d,%d]"):format((v - 1) // shape[2] + 1, (v - 1) % shape[2] + 1) end
   return "x" .. v
end

-- The numbers of the variables by name, made on first use.
local numbers_of = setmetatable({}, { __mode = "k" })
local function numbers(g)
   local found = numbers_of[g]
   if not found then
      found = {}
      for v = 1, g.n do found[M.name_of(g, v)] = v end
      numbers_of[g] = found
   end
   return found
end

--- The number of a variable given by name, by number, or on a grid by { row, column }.
function M.variable(g, what, key)
   local shape = raw(g).shape
   if math.type(key) == "integer" and key >= 1 and key <= g.n then return key end
   if type(key) == "string" then
      local found = numbers(g)[key]
      if found then return found end
      fail(g, "%s: there is no variable '%s'%s", what, key, text.near(key, text.sorted_keys(numbers(g))))
   end
   if shape and type(key) == "table" then
      local i, j = key[1], key[2]
      if math.type(i) == "integer" and math.type(j) == "integer" and i >= 1 and i <= shape[1] and j >= 1
         and j <= shape[2] then return (i - 1) * shape[2] + j end
   end
   fail(g, "%s: a variable must be given by name or by a number from 1 to %d%s, got %s", what, g.n,
      shape and ", or by { row, column }" or "", estimator.value_text(key))
end

--- The labels of the states of variable v, or nil: they are numbers from 1.
function M.labels(g, v)
   local states = raw(g).states
   return states and (states.all or states[v]) or nil
end

--- The label or number of a state.
function M.label(g, v, state)
   local labels = M.labels(g, v)
   return labels and labels[state] or state
end

--- The number of a state given by its label or number; `by_number`: a number is never a label.
function M.state(g, what, v, value, by_number)
   local labels, card = M.labels(g, v), math.tointeger(g.card[v])
   for s, label in ipairs(labels and not (by_number and type(value) == "number") and labels or {}) do
      if label == value then return s end
   end
   local whole = type(value) == "number" and math.tointeger(value)
   if whole and whole >= 1 and whole <= card then return whole end
   if value ~= value then
      fail(g, "%s: '%s' is missing; leave it out", what, M.name_of(g, v))
   end
   local list = {}
   for s, label in ipairs(labels or {}) do list[s] = tostring(label) end
   fail(g, "%s: '%s' has no state %s; its states are %s", what, M.name_of(g, v), estimator.value_text(value),
      labels and table.concat(list, ", ") or "1 to " .. card)
end

--- A Vector of states, 0 where there is none, from { name = state }, or from a list, Vector or grid Matrix of numbers.
-- Returns nil if nothing is given.
function M.evidence(g, what, given)
   if given == nil then return nil end
   local kind, shape = rows.kind(given), raw(g).shape
   local out = core.zeros(g.n, 1):flatten()
   if kind == "Matrix" and shape and given.rows == shape[1] and given.cols == shape[2] then
      given, kind = given:flatten(), "Vector"
   end
   if kind == "Vector" or kind == "table" and #given > 0 then
      if #given ~= g.n then
         fail(g, "%s must have a state for each of %s, or 0, got %d", what, text.plural(g.n, "variable"), #given)
      end
      for v = 1, g.n do
         if given[v] ~= 0 then out[v] = M.state(g, what, v, given[v], true) end
      end
      return out
   end
   if kind ~= "table" then
      fail(g, "%s must be a table { variable = state } or a list of states, got %s", what, estimator.value_text(given))
   end
   for key, value in next, given do
      local v = M.variable(g, what, key)
      out[v] = M.state(g, what, v, value)
   end
   return out
end

--- States of all variables, a Vector of numbers, as { name = label }; on a grid a Matrix.
function M.assignment(g, states)
   local shape = raw(g).shape
   if shape then
      local out = core.zeros(shape[1], shape[2])
      for i = 1, shape[1] do
         for j = 1, shape[2] do out:set(i, j, states[(i - 1) * shape[2] + j]) end
      end
      return out
   end
   local out = {}
   for v = 1, g.n do out[M.name_of(g, v)] = M.label(g, v, math.tointeger(states[v])) end
   return require "manilius.options".named(out, "variable")
end

-- --- printing ---

local MAX_VARIABLES, MAX_FACTORS = 12, 12

--- The scope of factor f: a list of variable numbers.
function M.scope(g, f)
   local list = {}
   for i = math.tointeger(g.scope_start[f]) + 1, math.tointeger(g.scope_start[f + 1]) do
      list[#list + 1] = math.tointeger(g.scope[i]) + 1
   end
   return list
end

local function variable_text(g, v)
   local labels = M.labels(g, v)
   if not labels then return ("%s: 1 to %d"):format(M.name_of(g, v), math.tointeger(g.card[v])) end
   local list = {}
   for s, label in ipairs(labels) do list[s] = tostring(label) end
   return M.name_of(g, v) .. ": " .. table.concat(list, ", ")
end

local function factor_text(g, f)
   local list = {}
   for i, v in ipairs(M.scope(g, f)) do list[i] = M.name_of(g, v) end
   return "(" .. table.concat(list, ", ") .. ")"
end

local function show(g)
   local shape, factors = raw(g).shape, #g.table_start
   local head = ("%s: %s%s, %s"):format(g.class, shape and ("grid of %d x %d, "):format(shape[1], shape[2]) or "",
      text.plural(g.n, "variable"), text.plural(factors, "factor"))
   if shape then return ("%s, %d states"):format(head, math.tointeger(g.card:max())) end
   local lines = { head }
   for v = 1, math.min(g.n, MAX_VARIABLES) do
      lines[#lines + 1] = "  " .. text.wrap(variable_text(g, v), 6)
   end
   if g.n > MAX_VARIABLES then
      lines[#lines + 1] = ("  ... %s"):format(text.plural(g.n - MAX_VARIABLES, "more variable"))
   end
   local scopes = {}
   for f = 1, math.min(factors, MAX_FACTORS) do scopes[f] = factor_text(g, f) end
   if factors > MAX_FACTORS then scopes[#scopes + 1] = ("... %d more"):format(factors - MAX_FACTORS) end
   lines[#lines + 1] = text.wrap("factors over " .. table.concat(scopes, " "), 2)
   return table.concat(lines, "\n")
end

-- --- the class ---

local classes = {}

--- Is the value a graph?
function M.is(value)
   local class = estimator.class_of(value)
   return class ~= nil and classes[class.name] == class and hidden[value] ~= nil
end

-- Raise an error unless the fields fit together: the core checks what is in the vectors.
local function check(g)
   for _, name in ipairs(VECTORS) do
      if rows.kind(raw(g)[name]) ~= "Vector" then error(("a graph has no Vector '%s'"):format(name), 0) end
   end
   local function fits(list) return list == nil or type(list) == "table" and (list.all or #list == #g.card) end
   local shape = raw(g).shape
   if raw(g).n ~= #g.card or not fits(raw(g).names) or not fits(raw(g).states) then
      error("a graph whose variables have different counts", 0)
   end
   if shape and not (type(shape) == "table" and math.type(shape[1]) == "integer" and math.type(shape[2]) == "integer"
      and shape[1] * shape[2] == g.n) then error("a graph with an invalid shape", 0) end
   for v = 1, g.n do
      local labels = M.labels(g, v)
      if labels and (type(labels) ~= "table" or #labels ~= g.card[v]) then
         error("a graph with the wrong number of labels", 0)
      end
      if raw(g).names and type(g.names[v]) ~= "string" then error("a graph with an invalid name", 0) end
   end
   core.graphical_cost(raw(g), nil, "min_weight", 0)
end

local function define(name)
   local meta = { __name = name, __tostring = show }
   function meta.__index(g, key)
      if M.methods[key] then return M.methods[key] end
      local property = M.properties[key]
      if property then return property(g) end
      local field = hidden[g] and hidden[g][key]
      if field ~= nil then return field end
      if type(key) ~= "string" or text.contains(OPTIONAL, key) then return nil end
      local known = text.sorted_keys(M.methods)
      for one in pairs(M.properties) do known[#known + 1] = one end
      error(("%s has no '%s'%s"):format(name, key, text.hint(key, known)), 2)
   end
   function meta.__newindex() error("a graph is immutable; create a new one", 2) end
   local class = { name = name, meta = meta, check = check, saved = raw, restored = function(fields)
      local g = {}
      hidden[g] = fields
      return g
   end }
   meta[estimator.CLASS] = class
   classes[name], estimator.classes[name] = class, class
end

define "FactorGraph"
define "MarkovRandomField"

--- A new graph of the class with these fields.
function M.new(class, fields)
   fields.class, fields.n = class, #fields.card
   return setmetatable(classes[class].restored(fields), classes[class].meta)
end

--- Wrap a method: checks the receiver, and errors carry the position of the caller.
function M.method(name, func)
   M.methods[name] = function(g, ...)
      if not M.is(g) then
         error(("%s: call it with a colon, as in graph:%s(...), got %s in place of the graph"):format(name, name,
            rows.kind(g)), 2)
      end
      return rows.rethrow(1, pcall(func, g, ...))
   end
end

--- The names of the members of a graph: name -> is it a method?
function M.members_of()
   local out = {}
   for name in pairs(M.methods) do out[name] = true end
   for name in pairs(M.properties) do out[name] = false end
   return out
end

--- The same variables with other factors.
function M.with_factors(g, fields)
   local copy = { card = g.card }
   for _, name in ipairs { "names", "states", "shape" } do copy[name] = raw(g)[name] end
   for name, value in pairs(fields) do copy[name] = value end
   return M.new(g.class, copy)
end

return M
