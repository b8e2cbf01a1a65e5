--- Metrics of predicted numbers. y and predicted have a column per target; `average` combines several targets.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local core_metrics = core.metrics
local fail, text = parts.fail, parts.text

local AVERAGE = "over targets: 'uniform' (default), 'none' (a Vector), or a list of weights"
local AVERAGE_EXPLAINED = AVERAGE .. ", or 'variance' (weighted by the variance of each target)"

local function pair(y, predicted, o)
   local n, m, q, r
   y, n, q = parts.numbers("y", y)
   predicted, m, r = parts.numbers("predicted", predicted)
   -- A list of n numbers is a column, so a row of n predictions is transposed.
   if q == 1 and m == 1 and r == n and n > 1 then predicted, m, r = predicted:flatten(), r, 1 end
   parts.same_length("y", n, "predicted", m)
   if q ~= r then fail("y and predicted must have the same number of columns (targets), got %d and %d", q, r) end
   return y, predicted, parts.weights(o, n), n
end

local function target_weights(o, q)
   local given = o.average
   local list = rows.kind(given) == "Vector" and given:totable() or given
   if #list ~= q then fail("average must have one weight per target, %d, got %d", q, #list) end
   local sum = 0
   for i, value in ipairs(list) do
      if type(value) ~= "number" or not (value >= 0 and value < math.huge) then
         fail("average: weight %d must be a number >= 0, got %s", i, text(value))
      end
      sum = sum + value
   end
   if sum == 0 then fail("average: the weights must not all be 0") end
   return list
end

-- Combine the values of the targets as the option average says.
local function over_targets(values, o, spread)
   local given = o.average
   local kind = rows.kind(given)
   if kind == "table" or kind == "Vector" then return parts.mean(values, target_weights(o, #values)) end
   local choices = spread and { "uniform", "none", "variance" } or { "uniform", "none" }
   local how = parts.choice(o, "average", choices, "uniform")
   if how == "none" then return values end
   if how == "variance" and spread:sum() > 0 then return parts.mean(values, spread) end
   return #values == 1 and values[1] or parts.mean(values)
end

-- --- mean losses ---

local function mean_loss(loss, parameter, after)
   return function(y, predicted, o)
      local w
      local value = parameter and parameter(o)
      y, predicted, w = pair(y, predicted, o)
      local values = core_metrics.mean_loss(y, predicted, w, loss, value)
      return over_targets(after and after(values) or values, o)
   end
end

local function square_root(values) return values:sqrt() end

local function alpha_of(o) return parts.number(o, "alpha", 0.5, 0, 1) end
local function power_of(o) return parts.number(o, "power", 0, -1e3, 1e3) end
local function fixed(value) return function() return value end end

local losses = {
   mse = { "Mean squared error.", "mean (y - p)^2", mean_loss("squared") },
   rmse = { "Root mean squared error (of each target).", "sqrt mean (y - p)^2",
      mean_loss("squared", nil, square_root) },
   mae = { "Mean absolute error.", "mean |y - p|", mean_loss("absolute") },
   mape = { "Mean absolute percentage error, as a fraction: 0.1 is 10%.", "mean |y - p| / max(|y|, 2^-52)",
      mean_loss("relative") },
   msle = { "Mean squared difference of log(1 + value).", "mean (log(1 + y) - log(1 + p))^2",
      mean_loss("log_squared") },
   rmsle = { "Root of msle (of each target).", "sqrt mean (log(1 + y) - log(1 + p))^2",
      mean_loss("log_squared", nil, square_root) },
   pinball = { "Mean pinball (quantile) loss, minimized by the alpha-quantile of y.",
      "mean alpha (y - p) where y > p, (1 - alpha) (p - y) elsewhere", mean_loss("pinball", alpha_of),
      { alpha = "the quantile, 0 to 1; default 0.5" } },
   poisson_deviance = { "Mean Poisson deviance, for counts y >= 0 and p > 0.", "mean 2 (y log(y / p) - y + p)",
      mean_loss("tweedie", fixed(1)) },
   gamma_deviance = { "Mean gamma deviance, for y > 0 and p > 0.", "mean 2 (log(p / y) + y / p - 1)",
      mean_loss("tweedie", fixed(2)) },
   tweedie_deviance = { "Mean Tweedie deviance; the variance is proportional to mean^power.",
      "mean 2 (y^(2-s) / ((1-s) (2-s)) - y p^(1-s) / (1-s) + p^(2-s) / (2-s)), s = power",
      mean_loss("tweedie", power_of), { power = "<= 0 or >= 1; default 0, the squared error; 1 Poisson, 2 gamma" } },
   median_ae = { "Median absolute error.", "median |y - p|", function(y, predicted, o)
      local w
      y, predicted, w = pair(y, predicted, o)
      return over_targets(core_metrics.median_error(y, predicted, w), o)
   end },
   max_error = { "Largest absolute error.", "max |y - p|", function(y, predicted, o)
      local w
      y, predicted, w = pair(y, predicted, o)
      return over_targets(core_metrics.max_errors(y, predicted, w), o)
   end },
}

-- --- explained fractions ---

local function share(rest, whole)
   if whole > 0 then return 1 - rest / whole end
   return rest == 0 and 1.0 or 0.0 -- y is constant
end

local function shares(y, predicted, o, centered)
   local w, n
   y, predicted, w, n = pair(y, predicted, o)
   if n < 2 then fail("y must have at least 2 rows, got %d", n) end
   local rest, whole = core_metrics.sums_of_squares(y, predicted, w, centered)
   local values = {}
   for j = 1, #rest do values[j] = share(rest[j], whole[j]) end
   return core.Vector(values), whole, w and w:sum() or n
end

local function explained_by(centered)
   return function(y, predicted, o)
      local values, whole = shares(y, predicted, o, centered)
      return over_targets(values, o, whole)
   end
end

local function adjusted_r2(y, predicted, o)
   if o.features == nil then fail("features must be given: the number of columns of the model") end
   local features = parts.whole(o, "features", nil, 0)
   local values, whole, n = shares(y, predicted, o, false)
   if n <= features + 1 then fail("y must have more than features + 1 rows, %d, got %g", features + 1, n) end
   for j = 1, #values do values[j] = 1 - (1 - values[j]) * (n - 1) / (n - features - 1) end
   return over_targets(values, o, whole)
end

-- The fraction of a loss that is explained, relative to the best constant prediction.
local function loss_explained(loss, parameter, best)
   return function(y, predicted, o)
      local value = parameter(o)
      local w
      y, predicted, w = pair(y, predicted, o)
      local rest = core_metrics.mean_loss(y, predicted, w, loss, value)
      local whole = core_metrics.mean_loss(y, best(y, w, value), w, loss, value)
      local values = {}
      for j = 1, #rest do values[j] = share(rest[j], whole[j]) end
      return over_targets(core.Vector(values), o)
   end
end

local function constant_like(y, constants)
   local columns = {}
   for j, value in ipairs(constants) do columns[j] = core.Vector(#y, value) end
   return core.hcat(table.unpack(columns))
end

local function column_of(y, j)
   return rows.kind(y) == "Vector" and y or y:col(j)
end

local function columns_in(y)
   return rows.kind(y) == "Vector" and 1 or y.cols
end

local function means(y, w)
   local out = {}
   for j = 1, columns_in(y) do
      local c = column_of(y, j)
      out[j] = w and c:dot(w) / w:sum() or c:mean()
   end
   return constant_like(y, out)
end

-- The alpha-quantile, linearly interpolated; with weights the first value whose cumulative weight reaches alpha.
local function quantiles(y, w, alpha)
   local out = {}
   for j = 1, columns_in(y) do
      local c = column_of(y, j)
      if w then
         local order, sum, i = c:argsort(), 0, 0
         local whole = w:sum()
         repeat
            i = i + 1
            sum = sum + w[order[i]]
         until sum >= alpha * whole or i == #order
         out[j] = c[order[i]]
      else
         out[j] = c:quantile(alpha)
      end
   end
   return constant_like(y, out)
end

return function(M)
   for name, l in pairs(losses) do
      local options = { weights = parts.WEIGHTS, average = AVERAGE }
      for option, help in pairs(l[4] or {}) do options[option] = help end
      parts.define(M, name, { args = { "y", "predicted" }, brief = l[1], formula = l[2], fn = l[3],
         options = options })
   end
   local function add(name, brief, formula, fn, options)
      options.weights = parts.WEIGHTS
      options.average = options.average or AVERAGE_EXPLAINED
      parts.define(M, name, { args = { "y", "predicted" }, brief = brief, formula = formula, fn = fn,
         options = options })
   end
   add("r2", "Coefficient of determination: 1 is perfect, 0 is predicting the mean of y.",
      "1 - sum (y - p)^2 / sum (y - mean y)^2", explained_by(false), {})
   add("explained_variance", "Explained variance: like r2, but ignores a constant error.", "1 - var(y - p) / var(y)",
      explained_by(true), {})
   add("adjusted_r2", "r2 adjusted for the number of features.",
      "1 - (1 - r2) (n - 1) / (n - features - 1)", adjusted_r2,
      { features = "number of columns of the model; required" })
   add("d2_tweedie", "Fraction of Tweedie deviance explained, relative to predicting the mean.",
      "1 - deviance(y, p) / deviance(y, mean y)", loss_explained("tweedie", power_of, means),
      { power = "as in tweedie_deviance", average = AVERAGE })
   add("d2_pinball", "Fraction of pinball loss explained, relative to predicting the alpha-quantile.",
      "1 - pinball(y, p) / pinball(y, quantile of y)", loss_explained("pinball", alpha_of, quantiles),
      { alpha = "the quantile, 0 to 1; default 0.5", average = AVERAGE })
   add("d2_absolute", "Fraction of absolute error explained, relative to predicting the median.",
      "1 - mae(y, p) / mae(y, median y)", loss_explained("absolute", fixed(0.5), quantiles), { average = AVERAGE })
end
