--- ml.FactorGraph: variables and factors from tables to what the core reads.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local graph = require "manilius.graphical.graph"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "FactorGraph"
local LOG_ZERO, LARGEST_LOG = -1e30, 1e15 -- mn_factor_graph

local function fail(...) graph.fail(WHO, ...) end

-- --- variables ---

-- The number of states and their labels, or nil, from a number or a list of labels.
local function states_of(name, value)
   if math.type(value) == "integer" and value >= 1 and value <= 1000000 then return value, false end
   if rows.kind(value) ~= "table" or #value == 0 then
      fail("variable '%s' must have a number of states or a list of their labels, got %s", name,
         estimator.value_text(value))
   end
   local labels, seen = {}, {}
   for s = 1, #value do
      local label = value[s]
      if type(label) ~= "string" and type(label) ~= "number" and type(label) ~= "boolean" or label ~= label then
         fail("variable '%s': labels must be strings, numbers or booleans, got %s", name, rows.kind(label))
      end
      if seen[label] then fail("variable '%s' has the state %s twice", name, estimator.value_text(label)) end
      labels[s], seen[label] = label, true
   end
   return #labels, labels
end

local function add_variable(made, name, states)
   if type(name) ~= "string" or name == "" then
      fail("variables must have names, got %s", estimator.value_text(name))
   end
   if made.number[name] then fail("there are two variables '%s'", name) end
   local v = #made.names + 1
   made.names[v], made.number[name] = name, v
   made.card[v], made.states[v] = states_of(name, states)
end

-- { name = states }, sorted by name; or, in order, { "name", states } or a number of states each.
local function variables_of(given)
   if rows.kind(given) ~= "table" or next(given) == nil then
      fail("variables must be a table { name = states }, or a list of { name, states }, got %s",
         rows.kind(given) == "table" and "an empty table" or estimator.value_text(given))
   end
   local made = { names = {}, number = {}, card = {}, states = {} }
   if #given > 0 then
      for v = 1, #given do
         local one = given[v]
         if type(one) == "table" then
            add_variable(made, one[1], one[2])
         else
            add_variable(made, "x" .. v, one)
         end
      end
   else
      for _, name in ipairs(text.sorted_keys(given)) do add_variable(made, name, given[name]) end
   end
   return made
end

-- --- factors ---

-- Append the numbers of a nested table, Vector or Matrix to a list, in the order in which the last index is fastest.
local function flatten(value, out, depth)
   local kind = rows.kind(value)
   if kind == "Matrix" then value, kind = value:flatten(), "Vector" end
   if kind == "Vector" then
      for i = 1, #value do out[#out + 1] = value[i] end
   elseif kind == "table" and depth > 0 then
      for i = 1, #value do flatten(value[i], out, depth - 1) end
   else
      out[#out + 1] = value
   end
   return out
end

local function log_of(f, value, is_log)
   local shown = estimator.value_text(value)
   if type(value) ~= "number" then fail("factor %d: the table must hold numbers, got %s", f, shown) end
   if is_log then
      if value == -math.huge then return LOG_ZERO end
      if not (value >= -LARGEST_LOG and value <= LARGEST_LOG) then
         fail("factor %d: logarithms must be between -1e15 and 1e15, or -inf, got %s", f, text.number(value))
      end
      return value + 0.0
   end
   if not (value >= 0 and value < math.huge) then
      fail("factor %d: values must be >= 0 and finite, got %s; give logarithms as log_table", f, text.number(value))
   end
   return value == 0 and LOG_ZERO or math.log(value)
end

local function scope_of(made, f, given)
   if type(given) == "string" or math.type(given) == "integer" then given = { given } end
   if rows.kind(given) ~= "table" or #given == 0 then
      fail("factor %d: scope must be a list of variables, got %s", f, estimator.value_text(given))
   end
   local scope, seen = {}, {}
   for i = 1, #given do
      local v = made.number[given[i]]
      if not v and math.type(given[i]) == "integer" and made.names[given[i]] then v = given[i] end
      if not v then
         fail("factor %d: there is no variable %s%s", f, estimator.value_text(given[i]),
            type(given[i]) == "string" and text.near(given[i], made.names) or "")
      end
      if seen[v] then fail("factor %d has variable '%s' twice", f, made.names[v]) end
      scope[i], seen[v] = v, true
   end
   return scope
end

local NAMES = { "scope", "table", "log_table" }

-- The scope and the table of a factor, given as { scope, table } or by name.
local function parts_of(f, one)
   if rows.kind(one) ~= "table" then
      fail("factor %d must be a table { scope, table }, got %s", f, estimator.value_text(one))
   end
   for key in next, one do
      if key ~= 1 and key ~= 2 and not text.contains(NAMES, key) then
         fail("factor %d has no part '%s'%s", f, tostring(key), text.hint(tostring(key), NAMES))
      end
   end
   local scope, is_log = one.scope, one.log_table ~= nil
   if scope == nil then scope = one[1] end
   local given = one.table
   if given == nil then given = one[2] end
   if is_log and given ~= nil then fail("factor %d: give either table or log_table, not both", f) end
   return scope, is_log and one.log_table or given, is_log
end

local function add_factor(made, packed, f, one)
   local given_scope, given, is_log = parts_of(f, one)
   local scope = scope_of(made, f, given_scope)
   local values, wanted, sizes = flatten(given, {}, #scope), 1, {}
   for i, v in ipairs(scope) do
      wanted, sizes[i] = wanted * made.card[v], ("%d"):format(made.card[v])
      packed.scope[#packed.scope + 1] = v - 1
   end
   if #values ~= wanted then
      fail("factor %d over %d variable%s must have %s = %d values, the last variable changing fastest, got %d", f,
         #scope, #scope == 1 and "" or "s", table.concat(sizes, " x "), wanted, given == nil and 0 or #values)
   end
   packed.table_start[f] = #packed.table
   for i = 1, wanted do packed.table[#packed.table + 1] = log_of(f, values[i], is_log) end
   packed.scope_start[f + 1] = #packed.scope
end

-- --- the constructor ---

local KNOWN = { "variables", "factors" }

--- FactorGraph { variables =, factors = }
function M.FactorGraph(settings)
   if rows.kind(settings) ~= "table" then fail("settings must be a table, got %s", rows.kind(settings)) end
   for name in next, settings do
      if not text.contains(KNOWN, name) then
         fail("there is no setting '%s'%s", tostring(name), text.hint(tostring(name), KNOWN))
      end
   end
   local made = variables_of(settings.variables)
   local factors = settings.factors == nil and {} or settings.factors
   if rows.kind(factors) ~= "table" then fail("factors must be a list, got %s", rows.kind(factors)) end
   local packed = { scope_start = { 0 }, scope = {}, table_start = {}, table = {} }
   for f = 1, #factors do add_factor(made, packed, f, factors[f]) end
   local fields = { names = made.names, card = core.Vector(made.card) }
   for name, list in pairs(packed) do fields[name] = #list > 0 and core.Vector(list) or core.zeros(0, 1):flatten() end
   for v = 1, #made.names do
      if made.states[v] then fields.states = made.states end
   end
   return graph.new(WHO, fields)
end

return M
