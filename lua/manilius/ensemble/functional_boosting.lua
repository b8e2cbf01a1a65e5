--- FunctionalGradientBoosting: gradient boosting of any loss with any regressor.
--
-- Each round fits the base to the negative gradient of the loss at the raw predictions F of all rows and takes the step
-- along its predictions that minimizes the loss:
--
--    h_m fitted to -dL/dF(x_i),  rho_m = argmin over rho >= 0 of L(y, F + rho h_m),  F <- F + rate rho_m h_m
--
-- starting from the constant of minimum loss. Friedman, Annals of Statistics 29 (2001), algorithm 1 with one multiplier
-- per round; subsampling of rows: Computational Statistics & Data Analysis 38 (2002).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local line_search = require "manilius.ensemble.line_search"
local parts = require "manilius.ensemble.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "FunctionalGradientBoosting"

-- --- built-in losses ---

local function mean(values, weights)
   return weights and weights:dot(values) / weights:sum() or values:mean()
end

local named = {
   squared_error = {
      loss = function(y, F, weights) return mean((y - F):square(), weights) end,
      gradient = function(y, F) return F - y end,
      start = mean,
   },
   absolute_error = {
      loss = function(y, F, weights) return mean((y - F):abs(), weights) end,
      gradient = function(y, F) return y:ge(F):where(-1, 1) end,
      start = function(y, weights)
         return core.running_medians(core.Matrix { y:totable() }, weights or core.Vector(#y, 1), false)[1]
      end,
   },
}
local NAMES = { "absolute_error", "squared_error" }

-- --- settings ---

local function wrong(self, name, wanted, hint)
   local value = rawget(self, name)
   error(("%s: %s must be %s, got %s%s"):format(WHO, name, wanted, estimator.value_text(value),
      hint and type(value) == "string" and text.near(value, hint) or ""), 0)
end

local function check_loss(self)
   local loss, gradient = rawget(self, "loss"), rawget(self, "gradient")
   local own = type(loss) == "function"
   if loss ~= nil and not own and not named[loss] then
      wrong(self, "loss", "squared_error, absolute_error or a function", NAMES)
   end
   if own and type(gradient) ~= "function" then wrong(self, "gradient", "a function if loss is a function") end
   if not own and gradient ~= nil then wrong(self, "gradient", "nil unless loss is a function") end
end

local function check(self)
   base.check(self)
   check_loss(self)
   local rate, share, init, inverse = self.learning_rate, self.subsample, rawget(self, "init"), rawget(self, "inverse")
   if not (type(rate) == "number" and rate > 0 and rate < math.huge) then
      wrong(self, "learning_rate", "a number > 0")
   end
   if not (type(share) == "number" and share > 0 and share <= 1) then
      wrong(self, "subsample", "a number > 0 and <= 1")
   end
   if init ~= nil and not (type(init) == "number" and math.abs(init) < math.huge) then
      wrong(self, "init", "a finite number or nil")
   end
   if inverse ~= nil and inverse ~= "exp" and type(inverse) ~= "function" then
      wrong(self, "inverse", "\"exp\", a function or nil", { "exp" })
   end
end

-- --- calls of user functions ---

-- Call a user function; its errors are prefixed with its name and keep their position.
local function call_user(name, func, ...)
   local ok, result = pcall(func, ...)
   if ok then return result end
   rows.recoverable_error(result) -- passes on interrupts
   error(("%s: %s: %s"):format(WHO, name, tostring(result)), 0)
end

-- n finite numbers as a Vector.
local function numbers(name, value, n)
   local kind = rows.kind(value)
   if kind == "Matrix" and value.cols == 1 then
      value = value:flatten()
   elseif kind == "table" then
      local ok, vector = rows.try(core.Vector, value)
      value = ok and vector or value
   end
   if rows.kind(value) ~= "Vector" then
      error(("%s: %s must return a Vector of %d numbers, got %s"):format(WHO, name, n, estimator.value_text(value)), 0)
   end
   if #value ~= n then
      error(("%s: %s must return one number per row, %d, got %d"):format(WHO, name, n, #value), 0)
   end
   local bad = (1 - value:isfinite()):nonzero()
   if #bad > 0 then
      error(("%s: %s must return finite numbers, got %g in row %d"):format(WHO, name, value[bad[1] // 1], bad[1]), 0)
   end
   return value
end

-- The loss of raw predictions.
local function loss_at(data, y, F, weights)
   local value = call_user("loss", data.loss, y, F, weights)
   if type(value) ~= "number" then
      error(("%s: loss must return a number, got %s"):format(WHO, estimator.value_text(value)), 0)
   end
   return value
end

local function need_finite(value, where)
   if value - value == 0 then return value end
   error(("%s: loss must return a finite number, got %g %s"):format(WHO, value, where), 0)
end

-- --- rounds ---

local function best_constant(self, data)
   if self.init then return self.init + 0.0 end
   if data.start then return data.start(data.y, data.weights) end
   local function at(c) return loss_at(data, data.y, core.Vector(data.n, c), data.weights) end
   local scale = data.y:std()
   local here = need_finite(at(0), "where all raw predictions are 0; set init to a better initial value")
   local c, minimum = line_search.both_directions(at, here, scale > 0 and scale or 1)
   -- Search again from there: one search finds only half of the digits of the minimizer.
   return c + line_search.both_directions(function(t) return at(c + t) end, minimum,
      1e-4 * math.max(math.abs(c), 1e-4))
end

-- The rows used in a round: all, or a random subsample.
local function draw_rows(self, data, F, rng)
   if self.subsample == 1 then return { X = data.X, y = data.y, weights = data.weights, F = F } end
   local k = math.max(1, self.subsample * data.n // 1 | 0)
   local at = rng:permutation(data.n):slice(1, k):copy():sort()
   return { X = rows.take(data.X, at), y = data.y:take(at), F = F:take(at), at = at,
      weights = data.weights and data.weights:take(at) }
end

-- Check the sign of the gradient: the loss must not rise against it and fall along it.
local function need_descent(data, part, gradient, here)
   local function at(t) return loss_at(data, part.y, part.F + gradient * t, part.weights) end
   local max_gradient = gradient:abs():max()
   if max_gradient == 0 then return end
   local step = 1 / max_gradient
   if line_search.forward(function(t) return at(-t) end, here, step) > 0 then return end
   local _, min_loss = line_search.forward(at, here, step)
   if here - min_loss > 1e-6 * math.abs(here) then
      error(WHO .. ": gradient must be the derivative of loss with respect to F; it seems to have the wrong sign", 0)
   end
end

-- The next model, its multiplier, and its predictions for all rows.
local function next_model(self, data, F, m)
   local rng = core.rng(self.seed, m)
   local model, part = base.fresh(self.estimator, rng), draw_rows(self, data, F, rng)
   local gradient = numbers("gradient", call_user("gradient", data.gradient, part.y, part.F, part.weights), #part.y)
   local here = loss_at(data, part.y, part.F, part.weights)
   if m == 1 then need_descent(data, part, gradient, here) end
   local ok, message = pcall(base.learn, data, model, part.X, -gradient,
      part.weights and { weights = part.weights } or nil)
   if not ok then parts.raise(self, tostring(m), message) end
   local predicted = numbers(("member '%d'"):format(m), parts.call(self, tostring(m), model, "predict", data.X), data.n)
   local h = part.at and predicted:take(part.at) or predicted
   local step = data.step or 1 / math.max(h:abs():max(), 1e-300)
   local function loss_along(t) return loss_at(data, part.y, part.F + h * t, part.weights) end
   local rho = line_search.forward(loss_along, here, step)
   if rho > 0 then data.step = rho end
   return model, rho, predicted
end

local function boost(self, data)
   local shown <close> = progress.task(WHO, self.n_estimators)
   local F, train, multipliers = core.Vector(data.n, self.start), {}, {}
   need_finite(loss_at(data, data.y, F, data.weights), "at the start")
   for m = 1, self.n_estimators do
      shown:at(m - 1, 1, train[m - 1])
      local model, rho, predicted = next_model(self, data, F, m)
      if rho == 0 and m > 1 and self.subsample == 1 then break end -- further rounds would be the same
      F = F + predicted * (self.learning_rate * rho)
      self.estimators[m], multipliers[m] = model, rho
      train[m] = need_finite(loss_at(data, data.y, F, data.weights), "after round " .. m)
      local answer = data.report and data.report(m, self.n_estimators, train[m])
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   self.multipliers, self.train_score = core.Vector(multipliers), core.Vector(train)
end

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options)
   local loss = rawget(self, "loss")
   if loss == nil then
      error(WHO .. ": loss was a function, which archives cannot store; set loss and gradient with set_params", 0)
   end
   if data.weights and not parts.takes_weights(self.estimator) then
      error(("%s: %s does not support weights"):format(WHO, estimator.name(self.estimator)), 0)
   end
   parts.need_numbers(data, self.estimator)
   parts.one_target(data)
   parts.learn(self, data)
   data.y = numbers("y", data.y, data.n)
   local known = named[loss] or { loss = loss, gradient = self.gradient }
   data.loss, data.gradient, data.start = known.loss, known.gradient, known.start
   self.start, self.estimators = best_constant(self, data), {}
   boost(self, data)
   self.feature_importances = base.importances(self.estimators, self.multipliers:totable(), nil, self.n_features)
   return self
end

-- --- use ---

-- Call each(m, F) with the raw predictions after each round.
local function each_round(self, X, each)
   local F = self.start
   for m, model in ipairs(self.estimators) do
      local predicted = parts.numbers(parts.call(self, tostring(m), model, "predict", X))
      if rows.kind(predicted) == "Matrix" then predicted = predicted:flatten() end
      F = predicted * (self.learning_rate * self.multipliers[m]) + F
      if each then each(m, F) end
   end
   return F
end

local function apply_inverse(self, F)
   local inverse = self.inverse
   if inverse == nil then return F end
   if inverse == "exp" then return F:exp() end
   local value = call_user("inverse", inverse, F)
   return rows.kind(value) == "Vector" and #value == #F and value or numbers("inverse", value, #F)
end

local rethrowing = rows.rethrowing

local function staged(self, X)
   estimator.need_fitted(self, "staged", 2)
   return (rows.rethrow(2, pcall(function()
      local columns = {}
      each_round(self, X, function(m, F) columns[m] = apply_inverse(self, F) end)
      return core.hcat(table.unpack(columns))
   end)))
end

-- The fields for an archive: without functions that only fit needs.
local function saved(self)
   local fields = {}
   for name, value in next, self do
      local stays = rawget(self, "fitted") and (name == "loss" or name == "gradient") and type(value) == "function"
      if not stays then fields[name] = value end
   end
   return fields
end

M.FunctionalGradientBoosting = estimator.class {
   name = WHO,
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "regress",
   params = { estimator = estimator.NONE, loss = "squared_error", gradient = estimator.NONE, inverse = estimator.NONE,
      init = estimator.NONE, n_estimators = 100, learning_rate = 0.1, subsample = 1.0, seed = 0 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      estimators = "list of fitted models", multipliers = "Vector: rho_m, before the learning rate",
      start = "raw prediction before the first round", train_score = "Vector: training loss after each round",
      feature_importances = "mean of the importances of the models, weighted by multiplier, if they have any" },
   help = {
      use = WHO .. " { estimator, loss = function(y, F) ... end, gradient = function(y, F) ... end, ... }",
      brief = "Gradient boosting of a custom loss with any regressor.",
      objective = "L(y, F), F = start + learning_rate sum_m rho_m h_m(x); h_m is fitted to -dL/dF, rho_m >= 0 "
         .. "minimizes L",
      params = base.described {
         loss = "\"squared_error\", \"absolute_error\", or a function(y, F, weights) of Vectors that returns the mean "
            .. "loss of raw predictions F; weights are those of fit, or nil",
         gradient = "required if loss is a function: function(y, F, weights) that returns the derivative of the loss "
            .. "of each row with respect to F; a common factor does not matter",
         inverse = "inverse link, from F to predictions: nil (identity), \"exp\", or a function from a Vector to a "
            .. "Vector",
         init = "initial raw prediction; nil: the constant of minimum loss",
         learning_rate = "factor for each step, > 0",
         subsample = "fraction of rows drawn for each round, > 0 and <= 1",
         n_estimators = "maximum number of rounds; boosting stops early if no step lowers the loss",
      },
      methods = { staged = { use = "staged(X)", brief = "Predictions after each round: Matrix (rows x rounds)." } },
      notes = "The default base is DecisionTreeRegressor { max_depth = 3 }. Step sizes are found by Brent's method; a "
         .. "loss of nan or inf marks a step as too long. on_iter gets the loss as objective and may return \"stop\". "
         .. "Archives do not contain the functions loss and gradient: a loaded model predicts, and needs them, through "
         .. "set_params, only to be fitted again. A model whose inverse is a function cannot be saved. "
         .. "GradientBoostingRegressor has more built-in losses.",
      source = "Friedman, Annals of Statistics 29 (2001)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
-- Underestimates cost three times as much as overestimates.
local model = ml.FunctionalGradientBoosting { n_estimators = 20,
   loss = function(y, F) return ((y - F):square():mul(y:gt(F):where(3, 1))):mean() end,
   gradient = function(y, F) return (F - y):mul(y:gt(F):where(3, 1)) end }
print(model:fit(X, y).train_score, y:gt(model:predict(X)):mean())]],
   },
   construct = base.construct(function() return core.constructors.DecisionTreeRegressor { max_depth = 3 } end),
   check = check,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X) return apply_inverse(self, each_round(self, X)) end),
   staged = staged,
   saved = saved,
}

return M
