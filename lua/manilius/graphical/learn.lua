--- Learning the tables of a graph from states: graph:learn(data, options) returns a new graph.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local graph = require "manilius.graphical.graph"
local options_of = require "manilius.options"
local propagation = require "manilius.graphical.propagation"
local queries = require "manilius.graphical.queries"
local rows = require "manilius.rows"

local M = {}

local fail = graph.fail

--- The options of learn.
M.OPTIONS = {
   method = '"pseudo_likelihood" (default), "moment_matching" (maximum likelihood; nan for states that a '
      .. 'row lacks) or "contrastive_divergence"',
   l2 = "penalty: l2 / 2 times the squares of the logarithms in the tables (default 0.001)",
   fixed = "factors whose tables stay as they are: a list of numbers in the order of the graph, \"unary\" for those of "
      .. "one variable, or \"pairwise\" for the others (default none)",
   max_iter = "iterations of L-BFGS; of contrastive divergence passes over the rows (default 200)",
   tol = "stop when the objective improves by less, relatively (default 1e-9)",
   inference = 'of moment_matching: "exact" (default) or "sum_product"',
   max_bytes = "memory of exact inference (default 2^30)",
   sweeps = "of contrastive_divergence: Gibbs sweeps for each step (default 1)",
   batch = "rows of a step of contrastive_divergence (default 100)",
   rate = "length of its first steps (default 0.2)",
   persistent = "its chains go on from step to step instead of starting at the data (default false)",
   seed = "number of the random stream (default 0)",
}

-- A state of row i, nan where it is missing: only exact moment matching can do without.
local function state_of(g, o, i, v, value, by_number)
   if value == value then return graph.state(g, "learn: data", v, value, by_number) end
   if o.method ~= "moment_matching" or o.inference == "sum_product" then
      fail(g, "learn: data: the state of '%s' in row %d is missing; only method = \"moment_matching\" with exact "
         .. "inference learns from rows that lack states", graph.name_of(g, v), i)
   end
   return 0 / 0
end

-- The states in the rows of a Matrix, a Frame with a column for each variable, or a list of rows.
local function data_of(g, data, o)
   if rows.kind(data) == "Frame" then
      local out = core.zeros(rows.count(data), g.n)
      for v = 1, g.n do
         local name = graph.name_of(g, v)
         local place = require "manilius.frame".index_of(data, name)
         if not place then fail(g, "learn: the Frame has no column '%s'", name) end
         local column = data.columns[place]
         for i = 1, out.rows do
            local value = column[i]
            out:set(i, v, state_of(g, o, i, v, value == nil and 0 / 0 or value))
         end
      end
      return out
   end
   if rows.kind(data) == "table" and rows.kind(data[1]) == "Matrix" then -- images
      local list = {}
      for i, image in ipairs(data) do
         if rows.kind(image) ~= "Matrix" or image.rows * image.cols ~= g.n then
            fail(g, "learn: image %d must have %d pixels", i, g.n)
         end
         list[i] = image:flatten():totable()
      end
      data = list
   end
   if type(data) == "table" and type(data[1]) == "table" then
      local list = {}
      for i, row in ipairs(data) do
         list[i] = {}
         for v = 1, g.n do
            local value, by_number = row[v], true
            if value == nil then value, by_number = row[graph.name_of(g, v)], false end
            if value == nil then fail(g, "learn: row %d has no state of '%s'", i, graph.name_of(g, v)) end
            list[i][v] = state_of(g, o, i, v, value, by_number)
         end
      end
      data = list
   end
   local ok, made = rows.try(core.Matrix, data)
   if data == nil or type(data) == "number" or not ok or made.rows == 0 then
      fail(g, "learn: data must be a matrix of states, a row for each observation, or a Frame, got %s",
         rows.kind(data))
   end
   if made.cols ~= g.n then
      fail(g, "learn: data must have %d columns, one for each variable, got %d", g.n, made.cols)
   end
   return made
end

local function fixed_of(g, given)
   if given == nil then return nil end
   local list = {}
   if given == "unary" or given == "pairwise" then
      for f = 1, #g.table_start do
         if (g.scope_start[f + 1] - g.scope_start[f] == 1) == (given == "unary") then list[#list + 1] = f end
      end
   elseif rows.kind(given) == "table" then
      for i, f in ipairs(given) do
         if math.type(f) ~= "integer" or f < 1 or f > #g.table_start then
            fail(g, "fixed must hold numbers of factors from 1 to %d, got %s", #g.table_start, estimator.value_text(f))
         end
         list[i] = f
      end
   else
      fail(g, 'fixed must be "unary", "pairwise" or a list of factors, got %s', estimator.value_text(given))
   end
   return #list > 0 and core.Vector(list) or nil
end

--- The arguments of core.graphical_learn.
function M.arguments(g, data, o)
   local method = queries.choice(g, o, "method", { "pseudo_likelihood", "moment_matching", "contrastive_divergence" })
   return graph.raw(g), data_of(g, data, o), method, queries.number(g, o, "l2", 0.001, 0, 1e15),
      queries.number(g, o, "tol", 1e-9, 0, 1), queries.whole(g, o, "max_iter", 200, 1),
      queries.choice(g, o, "inference", { "exact", "sum_product" }) == "sum_product",
      queries.number(g, o, "max_bytes", 2 ^ 30, 0, 1e15), queries.whole(g, o, "sweeps", 1, 1),
      queries.whole(g, o, "batch", 100, 1), queries.number(g, o, "rate", 0.2, 0, 1e6),
      queries.boolean(g, o, "persistent", false), queries.seed(g, o), fixed_of(g, o.fixed)
end

-- The table of the pairs of a grid is the last one.
local function pairwise_of(g, values)
   local old = graph.raw(g).pairwise
   if not old then return nil end
   local n, k = g.n, old.unary.cols
   local function matrix(from, height)
      local list = {}
      for i = 1, height do
         list[i] = {}
         for j = 1, k do list[i][j] = values[from + (i - 1) * k + j] end
      end
      return core.Matrix(list)
   end
   return { neighbors = old.neighbors, unary = matrix(0, n), table = matrix(n * k, k) }
end

graph.method("learn", function(g, data, options)
   local o = options_of.check(g.class .. ":learn", options, M.OPTIONS, 0)
   local values, objective, n_iter, converged = core.graphical_learn(M.arguments(g, data, o))
   propagation.warn(g, "learn", { converged = converged, n_iter = n_iter, residual = 0 / 0 }, "raise max_iter or l2")
   return graph.with_factors(g, { scope_start = g.scope_start, scope = g.scope, table_start = g.table_start,
      table = values, pairwise = pairwise_of(g, values),
      learned = { method = o.method or "pseudo_likelihood", n_iter = n_iter, converged = converged,
         objective = objective == objective and objective or core.unset } })
end)

--- The logarithms in the table of a factor, nested by variable.
graph.method("factor", function(g, f)
   if math.type(f) ~= "integer" or f < 1 or f > #g.table_start then
      fail(g, "factor requires a number from 1 to %d, got %s", #g.table_start, estimator.value_text(f))
   end
   local scope, names, size = graph.scope(g, f), {}, 1
   for i, v in ipairs(scope) do names[i], size = graph.name_of(g, v), size * math.tointeger(g.card[v]) end
   local list, start = {}, math.tointeger(g.table_start[f])
   for k = 1, size do
      local value = g.table[start + k]
      list[k] = value < -1e29 and -math.huge or value
   end
   local last = math.tointeger(g.card[scope[#scope]])
   if #scope == 1 then return core.Vector(list), setmetatable(names, core.list_meta) end
   local nested = {}
   for k = 1, size // last do nested[k] = table.move(list, (k - 1) * last + 1, k * last, 1, {}) end
   return core.Matrix(nested), setmetatable(names, core.list_meta)
end)



return M
