--- Queries of graphs: which method answers them, and the checks of options that all methods share.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local graph = require "manilius.graphical.graph"
local options_of = require "manilius.options"
local result = require "manilius.graphical.result"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { infer = {}, map = {} } -- methods: name -> { run = function(g, options), brief = }

local fail, raw = graph.fail, graph.raw
local MAX_BYTES = 2 ^ 30

--- Options of exact methods.
M.EXACT = {
   evidence = "observed states: { variable = state }, or a list of state numbers, 0 for none (default nil)",
   max_bytes = "memory that exact methods may use for tables (default 2^30)",
   order = 'elimination order: "auto" (default: the cheaper one), "min_fill" or "min_weight"',
}

-- --- options ---

-- Options of a graph: as those of options.lua, with errors that name its class.
function M.number(g, o, name, default, low, high)
   return options_of.number(g.class, o, name, default, low, high)
end

function M.whole(g, o, name, default, low)
   return options_of.whole(g.class, o, name, default, low, 2147483647)
end

function M.choice(g, o, name, list)
   return options_of.choice(g.class, o, name, list)
end

function M.boolean(g, o, name, default)
   local value = o[name]
   if value == nil then return default end
   if type(value) ~= "boolean" then fail(g, "%s must be true or false, got %s", name, estimator.value_text(value)) end
   return value
end

--- evidence, order and max_bytes as the core takes them.
function M.exact_arguments(g, o)
   return graph.evidence(g, "evidence", o.evidence), M.choice(g, o, "order", { "auto", "min_fill", "min_weight" }),
      M.number(g, o, "max_bytes", MAX_BYTES, 0, 1e15)
end

-- --- methods by name ---

local function known_options(methods, method)
   local known = { method = "" }
   for name in pairs(M.EXACT) do known[name] = "" end
   for name in pairs(methods[method].options or {}) do known[name] = "" end
   return known
end

-- Name the query that has the method, as after graph:infer { method = "max_product" }.
local function check_query(g, what, method)
   local other = what == "infer" and "map" or "infer"
   if type(method) == "string" and M[other][method] and not M[what][method] then
      fail(g, 'method "%s" is one of %s, not of %s', method, other, what)
   end
end

-- Run the method that the options name; "auto" is exact if the tables fit.
local function dispatch(g, what, methods, given, automatic)
   if given ~= nil and rows.kind(given) ~= "table" then
      fail(g, "%s: options must be a table, got %s", what, rows.kind(given))
   end
   local o = given == nil and {} or given
   local names = text.sorted_keys(methods)
   table.insert(names, 1, "auto")
   check_query(g, what, o.method)
   local method = M.choice(g, o, "method", names)
   if method == "auto" then method = automatic(g, o) end
   options_of.check(("%s:%s"):format(g.class, what), o, known_options(methods, method), 0)
   return methods[method].run(g, o, method)
end

-- "exact" if that is allowed and fits; then the method for what is too large.
local function exact_or(other, methods)
   return function(g, o)
      if not methods[other] then return "exact" end
      local evidence, order, limit = M.exact_arguments(g, o)
      local _, _, cost = core.graphical_cost(raw(g), evidence, order, limit)
      return cost.complete and cost.bytes <= math.min(limit, 2 ^ 27) and "exact" or other
   end
end

-- --- exact ---

M.infer.exact = { brief = "junction tree", run = function(g, o, method)
   local marginals, total, cost = core.graphical_exact(raw(g), M.exact_arguments(g, o))
   return result.marginals(g, { table = marginals, log_partition = total, kind = "exact", cost = cost,
      method = method })
end }

M.map.exact = { brief = "junction tree", run = function(g, o, method)
   local states, score, cost = core.graphical_map(raw(g), M.exact_arguments(g, o))
   return result.assignment(g, { vector = states, score = score, kind = "exact", cost = cost, method = method })
end }

-- --- methods of graphs ---

graph.method("infer", function(g, options)
   return dispatch(g, "infer", M.infer, options, exact_or("sum_product", M.infer))
end)

graph.method("map", function(g, options)
   return dispatch(g, "map", M.map, options, exact_or("dual_decomposition", M.map))
end)

graph.method("joint", function(g, variables, options)
   local o = options_of.check(g.class .. ":joint", options, M.EXACT, 0)
   if type(variables) == "string" or math.type(variables) == "integer" then variables = { variables } end
   if rows.kind(variables) ~= "table" or #variables == 0 then
      fail(g, "joint: variables must be a list of variables, got %s", estimator.value_text(variables))
   end
   local list, seen = {}, {}
   local evidence, order, limit = M.exact_arguments(g, o)
   for i = 1, #variables do
      local v = graph.variable(g, "joint", variables[i])
      if seen[v] then fail(g, "joint: variable '%s' is given twice", graph.name_of(g, v)) end
      if evidence and evidence[v] ~= 0 then fail(g, "joint: variable '%s' is observed", graph.name_of(g, v)) end
      list[i], seen[v] = v, true
   end
   local p, total, cost = core.graphical_joint(raw(g), evidence, order, limit, core.Vector(list))
   return result.joint(g, list, { table = p, log_partition = total, cost = cost })
end)

graph.method("cost", function(g, options)
   local o = options_of.check(g.class .. ":cost", options, M.EXACT, 0)
   local evidence, rule, limit = M.exact_arguments(g, o)
   local order, count, cost = core.graphical_cost(raw(g), evidence, rule, limit)
   local list = {}
   for k = 1, math.tointeger(count[1]) do list[k] = graph.name_of(g, math.tointeger(order[k])) end
   cost.order = setmetatable(list, core.list_meta)
   return options_of.named(cost, "cost")
end)

graph.method("score", function(g, states)
   local given = graph.evidence(g, "states", states)
   if not given then fail(g, "score requires a table { variable = state } of all variables, got nil") end
   for v = 1, g.n do
      if given[v] == 0 then fail(g, "score: there is no state of '%s'", graph.name_of(g, v)) end
   end
   local score = core.graphical_score(raw(g), given)
   return score < -1e29 and -math.huge or score
end)

function M.seed(g, o)
   local seed = o.seed
   if seed == nil then return 0 end
   if math.type(seed) ~= "integer" then fail(g, "seed must be a whole number, got %s", estimator.value_text(seed)) end
   return seed
end

--- Options of sample.
M.SAMPLE = { method = '"exact" (default: independent), "gibbs", "metropolis" or "swendsen_wang": one chain',
   seed = "number of the random stream (default 0)", burn_in = "of a chain: sweeps that are left out (default 200)",
   thin = "of a chain: sweeps for each draw (default 1)" }
for name, about in pairs(M.EXACT) do M.SAMPLE[name] = about end

graph.method("sample", function(g, n, options)
   local o = options_of.check(g.class .. ":sample", options, M.SAMPLE, 0)
   local count = M.whole(g, { n = n == nil and 1 or n }, "n", 1, 0)
   local evidence, order, limit = M.exact_arguments(g, o)
   local method = M.choice(g, o, "method", { "exact", "gibbs", "metropolis", "swendsen_wang" })
   if method == "exact" then return core.graphical_draw(raw(g), evidence, order, limit, count, M.seed(g, o)) end
   local _, _, _, _, states = core.graphical_sample(raw(g), evidence, method, 1, math.max(count, 1),
      M.whole(g, o, "burn_in", 200, 0), M.whole(g, o, "thin", 1, 1), M.seed(g, o), true)
   return states
end)

graph.method("condition", function(g, evidence)
   local given = graph.evidence(g, "evidence", evidence)
   if not given then fail(g, "condition requires evidence { variable = state }, got nil") end
   return M.condition(g, given)
end)

-- Evidence as further factors, so that every method respects it.
function M.condition(g, evidence)
   local scope_start, scope = g.scope_start:totable(), g.scope:totable()
   local table_start, values = g.table_start:totable(), {}
   for v = 1, g.n do
      if evidence[v] ~= 0 then
         scope[#scope + 1] = v - 1
         scope_start[#scope_start + 1] = #scope
         table_start[#table_start + 1] = #g.table + #values
         for s = 1, math.tointeger(g.card[v]) do values[#values + 1] = s == evidence[v] and 0.0 or -1e30 end
      end
   end
   return graph.with_factors(g, { scope_start = core.Vector(scope_start), scope = core.Vector(scope),
      table_start = core.Vector(table_start), table = core.Vector(table.move(values, 1, #values, #g.table + 1,
         g.table:totable())) })
end

--- Write the graph to a file, or to a string.
graph.method("save", function(g, path) require "manilius.save".save(g, path, 2) end)
graph.method("dump", function(g) return require "manilius.save".dump(g, 2) end)

return M
