--- FunctionalGradientBoosting: gradient boosting of any loss with any regressor.
--
-- Each round fits the base to the negative gradient of the loss at the raw predictions F of all rows, and goes as far
-- along what it says as lowers the loss most:
--
--    h_m fitted to -dL/dF(x_i),  rho_m = argmin over rho >= 0 of L(y, F + rho h_m),  F <- F + rate rho_m h_m
--
-- beginning with the constant of least loss. Friedman, Annals of Statistics 29 (2001), algorithm 1 with one multiplier
-- a round; rows drawn for a round: Computational Statistics & Data Analysis 38 (2002).
-- @module manilius.ensemble.functional_boosting

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

-- --- losses that have a name ---

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
   if own and type(gradient) ~= "function" then wrong(self, "gradient", "a function where loss is one") end
   if not own and gradient ~= nil then wrong(self, "gradient", "nil where loss is no function") end
end

local function check(self)
   base.check(self)
   check_loss(self)
   local rate, share, init, inverse = self.learning_rate, self.subsample, rawget(self, "init"), rawget(self, "inverse")
   if not (type(rate) == "number" and rate > 0 and rate < math.huge) then wrong(self, "learning_rate", "> 0") end
   if not (type(share) == "number" and share > 0 and share <= 1) then wrong(self, "subsample", "> 0 and <= 1") end
   if init ~= nil and not (type(init) == "number" and math.abs(init) < math.huge) then
      wrong(self, "init", "a finite number or nil")
   end
   if inverse ~= nil and inverse ~= "exp" and type(inverse) ~= "function" then
      wrong(self, "inverse", "\"exp\", a function or nil", { "exp" })
   end
end

-- --- what is asked of the user's functions ---

-- What a function of the user's gives; what it raises is told under its name, line and all.
local function ask(name, func, ...)
   local ok, result = pcall(func, ...)
   if ok then return result end
   rows.recoverable_error(result) -- which raises again what is nobody's fault, as Ctrl-C
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
      error(("%s: %s must give a Vector of %d numbers, got %s"):format(WHO, name, n, estimator.value_text(value)), 0)
   end
   if #value ~= n then
      error(("%s: %s must give a number for each row, %d, got %d"):format(WHO, name, n, #value), 0)
   end
   local bad = (1 - value:isfinite()):nonzero()
   if #bad > 0 then
      error(("%s: %s must give finite numbers, got %g in row %d"):format(WHO, name, value[bad[1] // 1], bad[1]), 0)
   end
   return value
end

-- The loss of raw predictions.
local function loss_at(data, y, F, weights)
   local value = ask("loss", data.loss, y, F, weights)
   if type(value) ~= "number" then
      error(("%s: loss must give a number, got %s"):format(WHO, estimator.value_text(value)), 0)
   end
   return value
end

local function need_finite(value, where)
   if value - value == 0 then return value end
   error(("%s: loss must give a finite number, got %g %s"):format(WHO, value, where), 0)
end

-- --- rounds ---

local function best_constant(self, data)
   if self.init then return self.init + 0.0 end
   if data.start then return data.start(data.y, data.weights) end
   local function at(c) return loss_at(data, data.y, core.Vector(data.n, c), data.weights) end
   local scale = data.y:std()
   local here = need_finite(at(0), "where all raw predictions are 0; give a better beginning as init")
   local c, least = line_search.around(at, here, scale > 0 and scale or 1)
   -- Once more from there, for a search finds half of the digits of what it looks for.
   return c + line_search.around(function(t) return at(c + t) end, least, 1e-4 * math.max(math.abs(c), 1e-4))
end

-- The rows of the round: all data, or those that were drawn.
local function drawn(self, data, F, rng)
   if self.subsample == 1 then return { X = data.X, y = data.y, weights = data.weights, F = F } end
   local k = math.max(1, self.subsample * data.n // 1 | 0)
   local at = rng:permutation(data.n):slice(1, k):copy():sort()
   return { X = rows.take(data.X, at), y = data.y:take(at), F = F:take(at), at = at,
      weights = data.weights and data.weights:take(at) }
end

-- A gradient that points the wrong way, or nowhere, shows at once: the loss rises against it, and falls along it.
local function need_descent(data, part, gradient, here)
   local function at(t) return loss_at(data, part.y, part.F + gradient * t, part.weights) end
   local most = gradient:abs():max()
   if most == 0 or line_search.along(function(t) return at(-t) end, here, 1 / most) > 0 then return end
   local _, least = line_search.along(at, here, 1 / most)
   if here - least > 1e-6 * math.abs(here) then
      error(WHO .. ": gradient must be the derivative of loss by F: the loss rises against it, and falls along it", 0)
   end
end

-- One model, how far to go along what it says, and what it says of all rows.
local function next_model(self, data, F, m)
   local rng = core.rng(self.seed, m)
   local model, part = base.fresh(self.estimator, rng), drawn(self, data, F, rng)
   local gradient = numbers("gradient", ask("gradient", data.gradient, part.y, part.F, part.weights), #part.y)
   local here = loss_at(data, part.y, part.F, part.weights)
   if m == 1 then need_descent(data, part, gradient, here) end
   local ok, message = pcall(base.learn, data, model, part.X, -gradient,
      part.weights and { weights = part.weights } or nil)
   if not ok then parts.raise(self, tostring(m), message) end
   local said = numbers(("member '%d'"):format(m), parts.ask(self, tostring(m), model, "predict", data.X), data.n)
   local h = part.at and said:take(part.at) or said
   local step = data.step or 1 / math.max(h:abs():max(), 1e-300)
   local rho = line_search.along(function(t) return loss_at(data, part.y, part.F + h * t, part.weights) end, here, step)
   if rho > 0 then data.step = rho end
   return model, rho, said
end

local function boost(self, data)
   local shown <close> = progress.task(WHO, self.n_estimators)
   local F, train, multipliers = core.Vector(data.n, self.start), {}, {}
   need_finite(loss_at(data, data.y, F, data.weights), "at the beginning")
   for m = 1, self.n_estimators do
      shown:at(m - 1, 1, train[m - 1])
      local model, rho, said = next_model(self, data, F, m)
      if rho == 0 and m > 1 and self.subsample == 1 then break end -- all further rounds would be like this one
      F = F + said * (self.learning_rate * rho)
      self.estimators[m], multipliers[m] = model, rho
      train[m] = need_finite(loss_at(data, data.y, F, data.weights), "after round " .. m)
      local answer = data.ask and data.ask(m, self.n_estimators, train[m])
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   self.multipliers, self.train_score = core.Vector(multipliers), core.Vector(train)
end

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options)
   local loss = rawget(self, "loss")
   if loss == nil then
      error(WHO .. ": loss was a function, which no archive holds; give it and gradient again by set_params", 0)
   end
   if data.weights and not parts.takes_weights(self.estimator) then
      error(("%s: %s takes no weights"):format(WHO, estimator.name(self.estimator)), 0)
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

-- Calls each(m, F) with the raw predictions after each round.
local function each_round(self, X, each)
   local F = self.start
   for m, model in ipairs(self.estimators) do
      local said = parts.numbers(parts.ask(self, tostring(m), model, "predict", X))
      if rows.kind(said) == "Matrix" then said = said:flatten() end
      F = said * (self.learning_rate * self.multipliers[m]) + F
      if each then each(m, F) end
   end
   return F
end

local function inverted(self, F)
   local inverse = self.inverse
   if inverse == nil then return F end
   if inverse == "exp" then return F:exp() end
   local value = ask("inverse", inverse, F)
   return rows.kind(value) == "Vector" and #value == #F and value or numbers("inverse", value, #F)
end

local rethrowing = rows.rethrowing

local function staged(self, X)
   estimator.need_fitted(self, "staged", 2)
   return (rows.rethrow(2, pcall(function()
      local columns = {}
      each_round(self, X, function(m, F) columns[m] = inverted(self, F) end)
      return core.hcat(table.unpack(columns))
   end)))
end

-- What predictions need: functions that only fit asks stay behind.
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
   ours = true,
   does = "regress",
   params = { estimator = estimator.NONE, loss = "squared_error", gradient = estimator.NONE, inverse = estimator.NONE,
      init = estimator.NONE, n_estimators = 100, learning_rate = 0.1, subsample = 1.0, seed = 0 },
   learned = { n_features = "columns of X", feature_names = "names of the columns of X, from a Frame",
      estimators = "list of the fitted models", multipliers = "Vector: rho_m, before the learning rate",
      start = "raw prediction before the first round", train_score = "Vector: the loss of all rows after each round",
      feature_importances = "mean of those of the models by their multipliers, where they have them" },
   help = {
      use = WHO .. " { estimator, loss = function(y, F) ... end, gradient = function(y, F) ... end, ... }",
      brief = "Gradient boosting of a loss of your own, by any regressor.",
      objective = "L(y, F), F = start + learning_rate sum_m rho_m h_m(x); h_m is fitted to -dL/dF, rho_m >= 0 lowers L "
         .. "most",
      params = base.described {
         loss = "\"squared_error\", \"absolute_error\", or a function(y, F, weights) of Vectors that gives the mean "
            .. "loss of raw predictions F; weights are those of fit, or nil",
         gradient = "where loss is a function: function(y, F, weights) that gives, for each row, how its loss changes "
            .. "with F; a factor common to all rows makes no difference",
         inverse = "what makes predictions of F: nil: nothing; \"exp\", of losses with a logarithm for their link; or "
            .. "a function from a Vector to a Vector",
         init = "the raw prediction to begin with; nil: the constant of least loss",
         learning_rate = "share of each step that is taken; above 0",
         subsample = "share of the rows that a round learns from; below 1 they are drawn",
         n_estimators = "rounds (at most: it ends where no step lowers the loss)",
      },
      methods = { staged = { use = "staged(X)", brief = "Matrix (rows x rounds): the prediction after each round." } },
      notes = "The base is DecisionTreeRegressor { max_depth = 3 } unless given. The steps are found with loss alone, "
         .. "by Brent's method: where it gives nan or inf a step is too far. GradientBoostingRegressor knows more "
         .. "losses by name, and searches a step for each leaf. on_iter has the loss as objective, and may return "
         .. "\"stop\". A fitted model is saved without the functions loss and gradient: it predicts, and takes them "
         .. "again by set_params before it is fitted; one with a function inverse is not saved.",
      source = "Friedman, Annals of Statistics 29 (2001)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
-- Too low costs three times what too high does.
local model = ml.FunctionalGradientBoosting { n_estimators = 20,
   loss = function(y, F) return ((y - F):square():mul(y:gt(F):where(3, 1))):mean() end,
   gradient = function(y, F) return (F - y):mul(y:gt(F):where(3, 1)) end }
print(model:fit(X, y).train_score, y:gt(model:predict(X)):mean())]],
   },
   construct = base.construct(function() return core.constructors.DecisionTreeRegressor { max_depth = 3 } end),
   check = check,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X) return inverted(self, each_round(self, X)) end),
   staged = staged,
   saved = saved,
}

return M
