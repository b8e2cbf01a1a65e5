--- Demands on behavior: weights, order of rows, degenerate data, threads, cancellation and errors.

local core = require "manilius.core"
local data = require "manilius.check.data"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local need, fitted, dump = tools.need, use.fitted, use.dump

local function always() return true end
local function full_contract(class) return class.full_contract end
local function row_by_row(class) return not class.takes.lengths end
local plain_x = data.is_plain
local function weighted(class) return class.takes.weights and not class.takes.square end
local function counts_by_weight(class) return weighted(class) and not class.takes.weights_scale end

local function pick(problem, positions)
   return problem.X:take(positions), data.take(problem.y, positions)
end

local demands, demand = tools.new_demands()

-- --- weights ---

demand("a row of weight 0 is ignored", weighted, function(new, class)
   local problem = data.make(class)
   local weights, kept = {}, {}
   for i = 1, problem.X.rows do
      weights[i] = i % 5 == 0 and 0 or 1
      if weights[i] > 0 then kept[#kept + 1] = i end
      if weights[i] == 0 then problem.X:set(i, 1, 1e6) end
   end
   local X, y = pick(problem, kept)
   local with, without = new():fit(problem.X, problem.y, { weights = weights }), new():fit(X, y)
   use.same_outputs("with 0 and without the rows", class, with, without, problem.new)
   if class.core then need(dump(with) == dump(without), "the learned values differ") end
end)

demand("weights have the same effect on sparse and dense rows", function(class)
   return class.takes.sparse and weighted(class)
end, function(new, class)
   local problem, weights = data.make(class), {}
   local settings = data.sparse_settings(class, use.precise(class))
   for i = 1, problem.X.rows do
      problem.X:set(i, i % problem.X.cols + 1, 0)
      weights[i] = i % 4
   end
   local sparse = core.Sparse.from(problem.X)
   use.close_outputs("weights of sparse and of dense rows", class,
      new(settings):fit(problem.X, problem.y, { weights = weights }),
      new(settings):fit(sparse, problem.y, { weights = weights }), problem.new, use.tolerance(class))
end)

demand("weights of 1 equal no weights", weighted, function(new, class)
   local problem = data.make(class)
   local weights = core.Vector(problem.X.rows, 1)
   use.same_outputs("weights of 1", class, new():fit(problem.X, problem.y),
      new():fit(problem.X, problem.y, { weights = weights }), problem.new)
end)

demand("a weight of k equals k copies of the row", counts_by_weight, function(new, class)
   local problem, weights, repeated = data.make(class), {}, {}
   for i = 1, problem.X.rows do
      weights[i] = i % 3 + 1
      for _ = 1, weights[i] do repeated[#repeated + 1] = i end
   end
   local X, y = pick(problem, repeated)
   local settings = use.precise(class)
   use.close_outputs("weights and repeated rows", class, new(settings):fit(problem.X, problem.y, { weights = weights }),
      new(settings):fit(X, y), problem.new, use.tolerance(class))
end)

-- --- rows at predict ---

demand("predictions follow the order of the rows", row_by_row, function(new, class)
   local model, problem = fitted(new, class, { rows = 40 })
   local order = core.permutation(problem.X.rows, 3):totable()
   local straight, mixed = use.outputs(model, class, problem.X), use.outputs(model, class, problem.X:take(order))
   for action, result in pairs(straight) do
      local wanted = type(result) == "table" and tools.kind(result) ~= "Frame" and data.take(result, order)
      if tools.kind(result) ~= "Frame" then
         local ok, where = tools.near(wanted or result:take(order), mixed[action], 1e-9)
         need(ok, "%s gives %s", action, where)
      end
   end
end)

demand("single rows give the same results as all rows at once", row_by_row, function(new, class)
   local model, problem = fitted(new, class)
   local together = use.outputs(model, class, problem.new)
   local alone = {}
   for i = 1, problem.new.rows do
      for action, result in pairs(use.outputs(model, class, problem.new:slice(i, i))) do
         alone[action] = alone[action] or {}
         for _, value in ipairs(tools.values(result)) do table.insert(alone[action], value) end
      end
   end
   for action, result in pairs(together) do
      if tools.kind(result) ~= "Frame" then
         local ok, where = tools.near(tools.values(result), alone[action], 1e-9)
         need(ok, "%s gives %s", action, where)
      end
   end
end)

demand("predictions do not depend on the number of rows", row_by_row, function(new, class)
   local model, problem = fitted(new, class)
   local positions = {}
   for i = 1, 3000 do positions[i] = i % problem.new.rows + 1 end
   local few, many = use.outputs(model, class, problem.new), use.outputs(model, class, problem.new:take(positions))
   for action, result in pairs(few) do
      if tools.kind(result) ~= "Frame" then
         local wanted = type(result) == "table" and data.take(result, positions) or result:take(positions)
         local ok, where = tools.near(wanted, many[action], 1e-9)
         need(ok, "%s gives %s", action, where)
      end
   end
end)

-- --- degenerate data ---

-- Is a result that is not finite right? The logarithm of a probability of 0 is -inf, also of a row after those before
-- it, and rows before the first one of a series are missing.
local function may_miss(class, action, where)
   local sequences = class.takes.lengths and class.takes.factors
   return (action == "predict_log_proba" or action == "score_samples" and sequences) and not where:find "nan"
      or action == "transform" and class.takes.lengths and class.takes.missing
end

-- fit and prediction must give finite results or raise a clear error.
local function require_robust(new, class, what, X, y, rows)
   local ok, model = tools.succeeds_or_explains(what, function() return new():fit(X, y) end)
   if not ok then
      local named = not class.core or model:find(class.name, 1, true)
      need(named, "%s: the error does not name the estimator: %s", what, model)
      return
   end
   local used, outputs = tools.succeeds_or_explains(what, use.outputs, model, class, rows or X)
   for action, result in pairs(used and outputs or {}) do
      local finite, where = tools.finite(result)
      need(finite or may_miss(class, action, where), "%s: %s gives %s", what, action, where)
   end
end

demand("a constant column is handled", plain_x, function(new, class)
   local problem = data.make(class)
   local X = core.hcat(problem.X, core.full(problem.X.rows, 1, 3))
   require_robust(new, class, "a column of 3", X, problem.y)
   require_robust(new, class, "a column of 0", core.hcat(core.zeros(problem.X.rows, 1), problem.X), problem.y)
end)

demand("only constant columns are handled", plain_x, function(new, class)
   local problem = data.make(class)
   require_robust(new, class, "all values 2", core.full(problem.X.rows, 3, 2), problem.y)
   require_robust(new, class, "all values 0", core.zeros(problem.X.rows, 3), problem.y)
end)

demand("duplicate columns are handled", plain_x, function(new, class)
   local problem = data.make(class)
   require_robust(new, class, "columns twice", core.hcat(problem.X, problem.X), problem.y)
end)

demand("duplicate rows are handled", plain_x, function(new, class)
   local problem, positions = data.make(class), {}
   for i = 1, 60 do positions[i] = i % 4 + 1 end
   local X, y = pick(problem, positions)
   require_robust(new, class, "four rows fifteen times each", X, y)
end)

demand("more columns than rows are handled", plain_x, function(new, class)
   local problem = data.make(class, { rows = 10, cols = 25 })
   require_robust(new, class, "10 x 25", problem.X, problem.y, problem.new)
end)

demand("very large and very small values are handled", plain_x, function(new, class)
   local problem = data.make(class)
   require_robust(new, class, "X times 2^100", problem.X * 2.0 ^ 100, problem.y)
   require_robust(new, class, "X times 2^-100", problem.X * 2.0 ^ -100, problem.y)
   local mixed = problem.X:copy()
   for i = 1, mixed.rows do
      mixed:set(i, 1, mixed:get(i, 1) * 1e12)
      if mixed.cols > 1 then mixed:set(i, 2, mixed:get(i, 2) * 1e-12) end
   end
   require_robust(new, class, "columns times 1e12 and 1e-12", mixed, problem.y)
   if not class.takes.non_negative then require_robust(new, class, "X plus 1e9", problem.X + 1e9, problem.y) end
end)

demand("a constant y is handled", function(class) return class.does.regress end, function(new, class)
   local problem = data.make(class)
   require_robust(new, class, "y of 2", problem.X, core.Vector(problem.X.rows, 2))
end)

demand("outlying rows in prediction are handled", plain_x, function(new, class)
   local model, problem = fitted(new, class)
   local ok, outputs = tools.succeeds_or_explains("rows far away", use.outputs, model, class, problem.X * 1e6)
   for action, result in pairs(ok and outputs or {}) do
      local finite, where = tools.finite(result)
      need(finite or may_miss(class, action, where), "%s gives %s", action, where)
   end
end)

-- Is the result for X times a factor equal to that for X, or scaled by it? Log densities change by a constant.
local function scaled_alike(action, result, other, factor, columns)
   if tools.equal(result, other) then return true end
   if action == "score_samples" then result = result - columns * math.log(factor) end
   if action == "score_samples" or action:find "proba" or action == "decision_function" then
      local near = tools.near(result, other, 1e-9)
      if near then return true end
   end
   local is_number = tools.kind(result) == "Matrix" or tools.kind(result) == "Vector"
   return is_number and tools.equal(result * factor, other)
end

demand("rescaling X by a power of two leaves results unchanged or rescales them exactly",
   function(class) return class.core and class.does.unit_free end,
   function(_, class)
      local settings, problem = data.settings(class), data.make(class)
      local function outputs(factor)
         local model = core.constructors[class.name](settings):fit(problem.X * factor, problem.y)
         return use.outputs(model, class, problem.new * factor)
      end
      local before = outputs(1)
      for _, factor in ipairs { 2.0 ^ 10, 2.0 ^ -10 } do
         for action, result in pairs(outputs(factor)) do
            need(scaled_alike(action, before[action], result, factor, problem.X.cols),
               "X times %g: %s gives a different result", factor, action)
         end
      end
   end)

-- --- threads ---

local clock = os and os.clock -- a sandbox may have none

local function fit_time(model, problem)
   local start = clock and clock()
   model:fit(problem.X, problem.y)
   return clock and clock() - start or 0
end

-- A problem with enough rows that work is split into blocks, but not more than can be fitted quickly; its model; and
-- the settings of the model. Where 150 rows take long, few iterations of fewer rows must do.
local function large_problem(new, class)
   local function make(rows) return data.make(class, { rows = rows, cols = 20, plain = true }) end
   local settings, seconds_of_few = {}, fit_time(new(), make(150))
   local rows = seconds_of_few > 0.03 and 300 or 600
   if seconds_of_few > 0.01 and data.has_param(class, "max_iter") then settings.max_iter = 3 end
   while true do
      local problem, model = make(rows), new(settings)
      local seconds = fit_time(model, problem)
      if not clock or seconds > 0.03 or rows >= 2400 then return problem, model, settings end
      rows = seconds < 0.002 and 2400 or 2 * rows
   end
end

demand("results are bit-identical with 1, 2 and 5 threads", full_contract, function(new, class)
   local before = core.memory.threads()
   local ok, failure = pcall(function()
      core.memory.threads(2)
      local problem, first, settings = large_problem(new, class)
      local bytes, outputs = class.ours and dump(first), use.outputs(first, class, problem.X)
      for _, threads in ipairs { 1, 5 } do
         core.memory.threads(threads)
         local model = new(settings):fit(problem.X, problem.y)
         need(not bytes or bytes == dump(model), "fit with %d threads differs", threads)
         local difference = use.difference(outputs, use.outputs(model, class, problem.X), tools.equal)
         need(not difference, "with %d threads %s", threads, difference)
      end
   end)
   core.memory.threads(before)
   need(ok, "%s", failure)
end)

-- --- cancellation and errors ---

demand("a failed refit leaves the model unchanged", full_contract, function(new, class)
   local model, problem = fitted(new, class)
   local before = dump(model)
   local bad = class.takes.texts and core.ones(3, 1) or problem.X:copy()
   bad:set(bad.rows, math.min(2, bad.cols), math.huge)
   local function fails(what, X, y)
      local accepted = pcall(model.fit, model, X, y)
      need(not (accepted and class.ours), "%s is accepted", what)
      if accepted then model:fit(problem.X, problem.y) end -- other demands check that it raises an error
      need(dump(model) == before, "the model has changed, given %s", what)
   end
   if not class.takes.infinite then fails("inf", bad, problem.y) end
   fails("X without rows", core.zeros(0, 2), problem.y)
   if data.target_kind(class) then fails("a short y", problem.X, { 1 }) end
   use.outputs(model, class, problem.new)
end)

demand("a cancelled refit or failed callback leaves the model unchanged",
   function(class) return class.core and class.does.iterate end,
   function(new, class)
      local model = fitted(new, class)
      local before, plain = dump(model), data.make(class, { plain = true, seed = 9 })
      local ok, message = pcall(model.fit, model, plain.X, plain.y, { on_iter = function() return "cancel" end })
      need(not ok and message:find "cancelled by the progress function", "'cancel' gives: %s", message)
      need(dump(model) == before, "cancelling has changed the model")
      local reason = {}
      ok, message = pcall(model.fit, model, plain.X, plain.y, { on_iter = function() error(reason) end })
      need(not ok and message == reason, "the error of the callback is not passed on: %s", message)
      ok, message = pcall(model.fit, model, plain.X, plain.y, { on_iter = function() return "halt" end })
      need(not ok and message:find 'must return nil, "stop" or "cancel", got halt', "'halt' gives: %s", message)
      need(not pcall(model.fit, model, plain.X, plain.y, { on_iter = 3 }), "a number for on_iter is accepted")
      need(dump(model) == before, "the error has changed the model")
   end)

demand("progress increases, and 'stop' keeps the current model",
   function(class) return class.core and class.does.iterate end,
   function(new, class)
      local problem = data.make(class, { plain = true, rows = 200 })
      local last, calls = -1, 0
      local model = new():fit(problem.X, problem.y, { on_iter = function(state)
         local done, total, objective = state.done, state.total, state.objective
         need(done >= last and done <= total, "%s of %s comes after %s", done, total, last)
         need(state.elapsed >= 0, "%s seconds have passed", state.elapsed)
         need(objective == nil or objective == objective, "the objective is %s", objective)
         last, calls = done, calls + 1
      end })
      need(calls >= 1, "the callback is never called")
      local stopped = new():fit(problem.X, problem.y, { on_iter = function() return "stop" end })
      need(stopped.fitted and stopped.n_iter <= model.n_iter, "'stop' gives %d iterations, of %d", stopped.n_iter,
         model.n_iter)
      use.outputs(stopped, class, problem.new)
   end)

demand("during a fit other models can be used, but not this one", function(class)
   return class.core and class.does.iterate
end, function(new, class)
   local model, problem = fitted(new, class)
   local other, seen = new(), nil
   model:fit(problem.X, problem.y, { on_iter = function()
      if seen then return end
      seen = { pcall(model.fit, model, problem.X, problem.y) }
      need(not pcall(model.set_params, model, {}), "its settings can be changed")
      other:fit(problem.X, problem.y)
      use.outputs(model, class, problem.new)
   end })
   need(seen and not seen[1] and seen[2]:find "in use", "a fit within its own fit gives: %s", seen and seen[2])
   use.same_outputs("the one fitted meanwhile", class, model, other, problem.new)
end)

demand("it works in a coroutine", always, function(new, class)
   local problem = data.make(class)
   local model = coroutine.wrap(function() return new():fit(problem.X, problem.y) end)()
   use.same_outputs("a coroutine", class, model, new():fit(problem.X, problem.y), problem.new)
end)

return demands
