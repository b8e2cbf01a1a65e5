--- NonlinearRegression: least squares with any formula or function of parameters.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local expression = require "manilius.nonlinear.expression"
local formula_values = require "manilius.formula.values"
local base = require "manilius.ensemble.base"
local inference = require "manilius.nonlinear.inference"
local models = require "manilius.nonlinear.model"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "NonlinearRegression"

local function fail(what, ...)
   error((WHO .. ": " .. what):format(...), 0)
end

-- --- settings ---

-- Sort key by which b2 comes before b10.
local function natural_key(name)
   return (name:gsub("%d+", function(digits) return ("%012d"):format(tonumber(digits)) end))
end

-- The names of the parameters, sorted.
local function parameter_names(start)
   local names = {}
   for name in pairs(start) do names[#names + 1] = name end
   table.sort(names, function(a, b) return natural_key(a) < natural_key(b) end)
   return names
end

local function check_start(self)
   local start = self.start
   if type(start) ~= "table" or next(start) == nil then
      fail("start must be a table of starting values by the names of the parameters, { b1 = 1, b2 = 0.5 }, got %s",
         estimator.value_text(start))
   end
   for name, value in pairs(start) do
      if type(name) ~= "string" then fail("start must name the parameters, { b1 = 1 }, got a list") end
      if not text.is_finite(value) then fail("start.%s must be a number, got %s", name, estimator.value_text(value)) end
   end
end

local function check_bounds(self, which)
   local bounds = self[which]
   if bounds == nil then return end
   if type(bounds) ~= "table" then fail("%s must be a table of bounds by name, got %s", which, rows.kind(bounds)) end
   for name, value in pairs(bounds) do
      local start = self.start[name]
      if start == nil then
         fail("%s.%s is not a parameter in start%s", which, tostring(name),
            text.near(tostring(name), text.sorted_keys(self.start)))
      end
      if type(value) ~= "number" or value ~= value then
         fail("%s.%s must be a number, got %s", which, name, estimator.value_text(value))
      end
      if which == "lower" and start < value or which == "upper" and start > value then
         fail("start.%s must be within its bounds, got %.10g and %s.%s = %.10g", name, start, which, name, value)
      end
   end
end

local function check_model(self)
   if (self.formula == nil) == (self.model == nil) then
      fail("either formula or model must be given, got %s", self.formula == nil and "none" or "both")
   end
   if self.formula ~= nil then
      if type(self.formula) ~= "string" then fail("formula must be a string, got %s", rows.kind(self.formula)) end
      expression.parse(self.formula)
      if self.jacobian ~= nil then fail "jacobian requires model, a function; formulas are differentiated exactly" end
   elseif type(self.model) ~= "function" then
      fail("model must be a function (parameters, X), got %s", rows.kind(self.model))
   end
   if self.jacobian ~= nil and type(self.jacobian) ~= "function" then
      fail("jacobian must be a function (parameters, X), got %s", rows.kind(self.jacobian))
   end
end

local function check(self)
   check_model(self)
   check_start(self)
   check_bounds(self, "lower")
   check_bounds(self, "upper")
   base.check_whole(self, "max_iter", 1)
   if not text.is_finite(self.tol) or self.tol < 0 then
      fail("tol must be a number >= 0, got %s", estimator.value_text(self.tol))
   end
   if self.weights_type ~= "precision" and self.weights_type ~= "frequency" then
      fail("weights_type must be precision or frequency, got %s", estimator.value_text(self.weights_type))
   end
end

-- --- fit ---

-- The values of a table by name as a Vector, `default` where there is none.
local function in_order(names, values, default)
   local out = core.Vector(#names)
   for i, name in ipairs(names) do out[i] = values and values[name] or default end
   return out
end

local function target_of(data)
   local y = data.y
   if rows.kind(y) == "Matrix" and y.cols == 1 then y = y:flatten() end
   if rows.kind(y) ~= "Vector" then fail("y must be one column of numbers, got %s", rows.kind(y)) end
   for i = 1, #y do
      if not text.is_finite(y[i]) then fail("y must be finite, got %s in row %d", estimator.value_text(y[i]), i) end
   end
   return y
end

-- The warning if the search did not converge, or nil.
local function convergence_warning(self, result)
   if self.converged then return nil end
   local advice = result.stalled and "no step reduces the residual sum of squares; try other starting values"
      or "increase max_iter, or try other starting values"
   return ("%s: not converged after %s; %s"):format(WHO, text.plural(self.n_iter, "iteration"), advice)
end

-- What inference needs: degrees of freedom, variance, covariance, parameters at bounds. Returns the warning if the data
-- do not determine all parameters, or nil.
local function learn_inference(self, data, result, covariance)
   local frequency = self.weights_type == "frequency" and data.weights
   self.n = frequency and data.weights:sum() or data.n
   self.log_weights = data.weights and not frequency and data.weights:log():sum() or 0
   self.df = self.n - result.rank
   self.sigma = self.df > 0 and (self.rss / self.df) ^ 0.5 or 0 / 0
   self.covariance = covariance * self.sigma ^ 2
   self.at_bound, self.undetermined = {}, {}
   for i, name in ipairs(self.terms) do
      local value = self.coef[i]
      local at = value == (self.lower or {})[name] or value == (self.upper or {})[name]
      local list = at and self.at_bound or self.undetermined
      if covariance[i][i] ~= covariance[i][i] then list[#list + 1] = name end
   end
   if result.rank == result.free then return nil end
   return ("%s: the data do not determine %s: the derivatives have rank %d of %d"):format(WHO,
      #self.undetermined > 0 and table.concat(self.undetermined, ", ") or "all parameters", result.rank, result.free)
end

-- Store the estimates. Returns a list of warnings.
local function learn(self, data, coef, covariance, result)
   self.coef = coef
   for _, name in ipairs { "rss", "offset", "n_iter", "converged", "rcond" } do self[name] = result[name] end
   local warnings = { learn_inference(self, data, result, covariance) }
   warnings[#warnings + 1] = convergence_warning(self, result)
   return warnings
end

-- Errors of the core give numbers of parameters; replace them by names.
local function with_names(names, ok, ...)
   if ok then return ... end
   local message = ...
   if type(message) == "string" then
      message = message:gsub("^[^\n:]*:%d+: ", "", 1):gsub("parameter (%d+)", function(i)
         return "'" .. (names[tonumber(i)] or i) .. "'"
      end)
      if not message:find("^%w+: ") then message = WHO .. ": " .. message end
   end
   error(message, 0)
end

-- Check the data and learn what does not need the estimates. Returns the data, y, and the settings of the search.
local function prepare(self, X, y, options)
   local data = parts.data(self, X, y, options)
   if rows.kind(data.X) ~= "Frame" and rows.kind(data.X) ~= "Matrix" then
      fail("X must be a Frame or a Matrix, got %s", rows.kind(data.X))
   end
   parts.learn(self, data)
   if rows.is_frame(data.X) then self.factors = select(2, rows.named_columns(data.X)) end
   self.terms = parameter_names(self.start)
   return data, target_of(data), {
      start = in_order(self.terms, self.start), lower = in_order(self.terms, self.lower, -math.huge),
      upper = in_order(self.terms, self.upper, math.huge), tol = self.tol, max_iter = self.max_iter,
      on_iter = options and options.on_iter }
end

local function fit(self, X, y, options)
   local data, target, settings = prepare(self, X, y, options)
   local model = models.of(self, data.X)
   for _, warning in ipairs(learn(self, data, with_names(self.terms,
      pcall(model.fit, target, data.weights, settings)))) do rows.warn(warning) end
   return self
end

-- Fit a formula in the background. The copy of the model learns, and replaces the model at the end.
local function fit_async(self, X, y, options)
   if self.model ~= nil then
      error(WHO .. ": fit_async requires a formula; a model given as a Lua function cannot run in the background", 0)
   end
   if type(options) == "table" and options.on_iter ~= nil then
      error(WHO .. ": fit_async does not support on_iter; read job.progress instead", 0)
   end
   estimator.need_no_job(self, "fitted", 0)
   local copy = estimator.copy_to_fit(self)
   local data, target, settings = prepare(copy, X, y, options)
   local start = models.of(copy, data.X).fit_async
   local job = with_names(copy.terms, pcall(start, target, data.weights, settings, self, function(model, ...)
      if type(model) == "string" then return select(2, pcall(with_names, copy.terms, false, model)) end
      local warnings = learn(copy, data, ...)
      estimator.replace_fields(model, copy)
      return warnings
   end))
   estimator.set_job(self, job)
   return job
end

-- The rows to predict, as in fit.
local function new_rows(self, X)
   X = rows.from_named(WHO, X, rawget(self, "feature_names"), rawget(self, "factors"))
   X = rows.x(WHO, X)
   if not rows.is_frame(X) and rows.width(X) ~= self.n_features then
      fail("X must have %d columns, as in fit, got %d", self.n_features, rows.width(X))
   end
   return X
end

local function inferring(method)
   return function(self, X, options)
      estimator.need_fitted(self, method, 2)
      return (rows.rethrow(2, pcall(function() return inference[method](self, new_rows(self, X), options) end)))
   end
end

-- --- the class ---

local function show(self)
   local line = estimator.one_line(self)
   if rawget(self, "fitted") then
      local values = {}
      for i, name in ipairs(self.terms) do values[i] = ("%s = %.6g"):format(name, self.coef[i]) end
      line = ("%s, fitted: %s"):format(line, table.concat(values, ", "))
   end
   return text.wrap_line(line)
end

M.NonlinearRegression = estimator.class {
   name = WHO,
   ours = true,
   does = "regress",
   takes = { "weights" },
   params = { formula = estimator.NONE, model = estimator.NONE, jacobian = estimator.NONE, start = estimator.NONE,
      lower = estimator.NONE, upper = estimator.NONE, tol = 1e-8, max_iter = 1000, weights_type = "precision" },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      terms = "names of the parameters, sorted", coef = "Vector: their estimates",
      covariance = "Matrix: covariance of the estimates; nan for parameters at a bound or not determined by the data",
      sigma = "residual standard error", df = "degrees of freedom: rows minus parameters that the data determine",
      rss = "weighted residual sum of squares", n = "number of rows, or sum of frequency weights",
      n_iter = "number of steps tried", converged = "true if the search converged",
      offset = "relative offset: size of the residuals' projection on the tangent plane, relative to their noise",
      rcond = "1 / condition number of the derivatives, columns scaled to norm 1",
      at_bound = "names of the parameters at a bound",
      undetermined = "names of the parameters that the data do not determine" },
   private = { log_weights = true, factors = true },
   check = check,
   tostring = show,
   find_target = function(self, X)
      local tree = type(self.formula) == "string" and expression.parse(self.formula)
      if not tree or not tree.left or not rows.is_frame(X) then return nil, X end
      return formula_values.numbers(formula_values.context(X), tree.left), X
   end,
   help = {
      use = "NonlinearRegression { formula = \"y ~ b1 * (1 - exp(-b2 * x))\", start = { b1 = 1, b2 = 0.1 }, ... }",
      brief = "Nonlinear least squares for any formula or function, with inference.",
      objective = "sum_i w_i (y_i - f(x_i, b))^2",
      params = {
         formula = "the model: names in start are parameters, others columns; the left side is the target and may be "
            .. "omitted. Operators + - * / ^ < <= > >=, functions such as exp, log, sqrt, sin, atan, tanh, ifelse",
         model = "instead of formula: a function (parameters by name, X) that returns a Vector of predictions",
         jacobian = "derivatives of model: a function (parameters by name, X) that returns Vectors by name; nil: "
            .. "central differences",
         start = "starting values by name, required",
         lower = "lower bounds by name; nil: none",
         upper = "upper bounds by name; nil: none",
         tol = "relative offset at which the search stops",
         max_iter = "maximum number of steps",
         weights_type = "what sample weights mean in standard errors, precision or frequency; see LinearRegression",
      },
      methods = {
         summary = { use = "summary { level = 0.95 }", brief = "Parameters with standard errors, t tests and "
            .. "confidence intervals, and fit statistics.", notes = "Returns the Frame coefficients (term, estimate, "
            .. "std_error, t, p, low, high), sigma, df, rss, n, n_iter, offset, loglik, aic, bic; prints as a table." },
         intervals = { use = "intervals(X, { kind = \"prediction\", level = 0.95 })", brief = "Prediction or "
            .. "confidence intervals and standard errors by the delta method, as a Frame.",
            notes = "kind = \"confidence\" is for the mean of y." },
      },
      notes = "Formulas are compiled and differentiated exactly in the core. Without a Frame, columns are x1, x2, ...; "
         .. "a single one is also x. Inference uses the linear approximation at the estimates, as nls of R does. The "
         .. "search may end in a local minimum: compare rss from several starting values. Models given as functions "
         .. "cannot be saved, nor fitted in the background.",
      source = "Marquardt, J. SIAM 11 (1963); Nielsen, IMM-REP-1999-05; Bates & Watts, Nonlinear Regression (1988)",
      example = [[
local data = ml.Frame { { "x", { 1, 2, 3, 5, 8 } }, { "y", { 2.7, 4.4, 5.7, 7.2, 8.3 } } }
local model = ml.NonlinearRegression { formula = "y ~ a * (1 - exp(-b * x))", start = { a = 5, b = 1 } }:fit(data)
print(model:summary())
print(model:intervals(data:head(2)))]],
   },
   fit = fit,
   fit_async = function(self, X, y, options) return (rows.rethrow(2, pcall(fit_async, self, X, y, options))) end,
   predict = function(self, X)
      return (rows.rethrow(2, pcall(function()
         return (models.of(self, new_rows(self, X)).values(self.coef))
      end)))
   end,
   intervals = inferring "intervals",
   summary = function(self, options)
      estimator.need_fitted(self, "summary", 2)
      return (rows.rethrow(2, pcall(inference.summary, self, options)))
   end,
}

return M
