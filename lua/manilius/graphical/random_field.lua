--- ml.MarkovRandomField: graphs of variables with the same states and pairwise factors; grids of pixels.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local graph = require "manilius.graphical.graph"
local propagation = require "manilius.graphical.propagation"
local queries = require "manilius.graphical.queries"
local result = require "manilius.graphical.result"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "MarkovRandomField"
local function fail(...) graph.fail(WHO, ...) end

-- --- settings ---

local function matrix(what, value)
   if rows.kind(value) == "table" and type(value[1]) == "number" then value = core.Vector(value) end
   local ok, made = rows.try(core.Matrix, value)
   if value == nil or type(value) == "number" or not ok or made.rows == 0 or made.cols == 0 then
      fail("%s must be a matrix, got %s", what, rows.kind(value))
   end
   if made:isfinite():sum() < made.rows * made.cols or made:abs():max() > 1e15 then
      fail("%s must hold numbers between -1e15 and 1e15", what)
   end
   return made
end

local function number(what, value)
   if type(value) ~= "number" or value ~= value or math.abs(value) > 1e15 then
      fail("%s must be a finite number, got %s", what, estimator.value_text(value))
   end
   return value + 0.0
end

local function states_of(given, count)
   if given == nil then return nil end
   if math.type(given) == "integer" then
      if given ~= count then fail("there are %d states, but unary has %s", given, text.plural(count, "column")) end
      return nil
   end
   if rows.kind(given) ~= "table" or #given ~= count then
      fail("states must be a number or a list of %d labels, got %s", count, estimator.value_text(given))
   end
   local seen = {}
   for s = 1, count do
      local label = given[s]
      if type(label) ~= "string" and type(label) ~= "number" or label ~= label or seen[label] then
         fail("states must be different strings or numbers, got %s", estimator.value_text(label))
      end
      seen[label] = true
   end
   return table.move(given, 1, count, 1, {})
end

-- The pairwise table, logarithms: given, or coupling on the diagonal; of spins, -coupling beside it.
local function table_of(settings, count, spins)
   if settings.table ~= nil then
      if settings.coupling ~= nil then fail "give either coupling or table, not both" end
      local made = matrix("table", settings.table)
      if made.rows ~= count or made.cols ~= count then
         fail("table must be %d x %d, states by states, got %d x %d", count, count, made.rows, made.cols)
      end
      return made
   end
   if settings.coupling == nil then fail "requires coupling, a number, or table, a matrix of states by states" end
   local coupling, made = number("coupling", settings.coupling), core.zeros(count, count)
   for i = 1, count do
      for j = 1, count do made:set(i, j, i == j and coupling or spins and -coupling or 0) end
   end
   return made
end

local function shape_of(settings, n)
   local shape = settings.shape
   if rows.kind(shape) ~= "table" or math.type(shape[1]) ~= "integer" or math.type(shape[2]) ~= "integer"
      or shape[1] < 1 or shape[2] < 1 then
      fail("shape must be { rows, columns } of a grid, got %s", estimator.value_text(shape))
   end
   if shape[1] * shape[2] ~= n then
      fail("a grid of %d x %d has %d pixels, but unary has %s", shape[1], shape[2], shape[1] * shape[2],
         text.plural(n, "row"))
   end
   if math.max(shape[1], shape[2]) > 32768 then fail "a grid has at most 32768 rows and columns" end
   return { shape[1], shape[2] }
end

local function edges_of(given, n)
   local edges = matrix("edges", given)
   if edges.cols ~= 2 then fail("edges must be pairs of variables, got %s", text.plural(edges.cols, "column")) end
   for e = 1, edges.rows do
      local a, b = edges:get(e, 1), edges:get(e, 2)
      for _, v in ipairs { a, b } do
         if not (v >= 1 and v <= n and v % 1 == 0) then
            fail("edge %d: variables are numbered from 1 to %d, got %s", e, n, text.number(v))
         end
      end
      if a == b then fail("edge %d connects variable %d with itself", e, math.tointeger(a)) end
   end
   return edges
end

-- The rows of unary: of spins -h and h for a field of h; the shape if the field is a grid.
local function unary_of(settings)
   if (settings.unary ~= nil) == (settings.field ~= nil) then
      fail "requires unary, a matrix of variables by states, or field, a matrix or list of numbers for spins -1 and 1"
   end
   if settings.unary ~= nil then return matrix("unary", settings.unary), nil, false end
   local field = matrix("field", settings.field)
   local flat = field:flatten()
   local is_grid = settings.edges == nil and settings.shape == nil
   return core.hcat(flat * -1, flat), is_grid and { field.rows, field.cols } or nil, true
end

-- The tables of the edges: one for all, or a coupling for each.
local function tables_of(settings, count, edges, spins)
   local kind = rows.kind(settings.coupling)
   if kind ~= "table" and kind ~= "Vector" then return table_of(settings, count, spins) end
   if settings.table ~= nil then fail "give either coupling or table, not both" end
   if #settings.coupling ~= edges.rows then
      fail("coupling must be a number or a list of one for each of %s, got %d", text.plural(edges.rows, "edge"),
         #settings.coupling)
   end
   local made = core.zeros(edges.rows, count * count)
   for e = 1, edges.rows do
      local coupling = number("coupling", settings.coupling[e])
      for i = 1, count * count do
         made:set(e, i, (i - 1) % (count + 1) == 0 and coupling or spins and -coupling or 0)
      end
   end
   return made
end

local KNOWN = { "unary", "field", "coupling", "table", "shape", "neighbors", "edges", "states" }

--- MarkovRandomField { unary = | field =, coupling = | table =, shape = | edges =, neighbors =, states = }
function M.MarkovRandomField(settings)
   if rows.kind(settings) ~= "table" then fail("settings must be a table, got %s", rows.kind(settings)) end
   for name in next, settings do
      if not text.contains(KNOWN, name) then
         fail("there is no setting '%s'%s", tostring(name), text.hint(tostring(name), KNOWN))
      end
   end
   local unary, shape, spins = unary_of(settings)
   local n, count = unary.rows, unary.cols
   local neighbors = settings.neighbors
   if neighbors == nil then neighbors = 4 end
   if neighbors ~= 4 and neighbors ~= 8 then
      fail("neighbors must be 4 or 8, got %s", estimator.value_text(neighbors))
   end
   if settings.edges ~= nil and settings.shape ~= nil then fail "give either shape or edges, not both" end
   if settings.edges == nil then shape = shape or shape_of(settings, n) end
   local edges = shape and core.graphical_grid_edges(shape[1], shape[2], neighbors) or edges_of(settings.edges, n)
   local tables = tables_of(settings, count, edges, spins)
   local fields = { shape = shape }
   fields.card, fields.scope_start, fields.scope, fields.table_start, fields.table =
      core.graphical_pairwise(unary, edges, tables)
   if shape and tables.rows == count and tables.cols == count then
      fields.pairwise = { neighbors = neighbors, unary = unary, table = tables }
   end
   local labels = states_of(settings.states, count) or spins and { -1, 1 } or nil
   if labels then fields.states = { all = labels } end
   return graph.new(WHO, fields)
end

-- --- grids ---

-- Unary logarithms with the evidence: other states are impossible.
local function with_evidence(pairwise, evidence)
   if not evidence then return pairwise.unary end
   local unary = pairwise.unary:copy()
   for v = 1, #evidence do
      for s = 1, evidence[v] > 0 and unary.cols or 0 do
         if s ~= evidence[v] then unary:set(v, s, -1e15) end
      end
   end
   return unary
end

-- Run the kernels for grids, if they apply: marginals, log partition function, report.
local function on_grid(g, o, maximum)
   local pairwise, shape = graph.raw(g).pairwise, graph.raw(g).shape
   if not pairwise or (o.schedule ~= nil and o.schedule ~= "parallel") then return nil end
   local _, damping, tol, max_iter = propagation.arguments(g, o)
   return core.graphical_grid(with_evidence(pairwise, graph.evidence(g, "evidence", o.evidence)), pairwise.table,
      shape[1], shape[2], pairwise.neighbors, damping, tol, max_iter, maximum, not maximum)
end

local general = queries.infer.sum_product.run
function queries.infer.sum_product.run(g, o, method)
   local marginals, total, report = on_grid(g, o, false)
   if not marginals then return general(g, o, method) end
   propagation.warn(g, method, report, 'raise damping or max_iter, or use schedule = "residual" or method = "trw"')
   return result.marginals(g, { table = marginals, log_partition = total, method = method,
      kind = report.converged and "Bethe approximation" or "approximation, not converged", n_iter = report.n_iter,
      converged = report.converged, residual = report.residual })
end

for _, name in ipairs { "max_product", "min_sum" } do
   local run = queries.map[name].run
   queries.map[name].run = function(g, o, method)
      local marginals, _, report = on_grid(g, o, true)
      if not marginals then return run(g, o, method) end
      propagation.warn(g, method, report, 'raise damping or max_iter, or use method = "dual_decomposition"')
      local states = core.graphical_largest(marginals)
      local score = core.graphical_score(graph.raw(g), states)
      return result.assignment(g, { vector = states, score = score, method = method, n_iter = report.n_iter,
         kind = "of this state; it need not be the best", converged = report.converged, residual = report.residual,
         energy = method == "min_sum" and -score or nil })
   end
end

return M
