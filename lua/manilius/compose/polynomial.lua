--- PolynomialRegression: least squares or ridge regression on the products of the columns up to a degree.
--
-- The model is fitted to products of the standardized columns z = (x - mean) / sd, because products of x itself are
-- nearly collinear if a column is far from 0 (for x near 1e6: x, x^2 and x^3). Predictions use z; the coefficients of
-- the products of x are computed from those of z.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local members = require "manilius.compose.members"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local coefficients = require "manilius.compose.polynomial_coefficients"

local M = {}

local WHO = "PolynomialRegression"

local function check(self)
   base.check_whole(self, "degree", 1)
   base.check_flag(self, "interaction_only")
   base.check_flag(self, "fit_intercept")
   local alpha, weights_type = self.alpha, self.weights_type or "precision" -- absent in archives of 0.1
   if weights_type ~= "precision" and weights_type ~= "frequency" then
      error(("%s: weights_type must be precision or frequency, got %s"):format(WHO,
         estimator.value_text(weights_type)), 0)
   end
   if type(alpha) ~= "number" or not (alpha >= 0 and alpha < math.huge) then
      error(("%s: alpha must be a number >= 0, got %s"):format(WHO, estimator.value_text(alpha)), 0)
   end
end

-- --- the parts ---

-- Call func and rename the parts in its error messages to PolynomialRegression.
local function with_own_name(func, ...)
   local result = table.pack(pcall(func, ...))
   if result[1] then return table.unpack(result, 2, result.n) end
   local message = result[2]
   if type(message) == "string" then
      for _, part in ipairs { "StandardScaler", "MaxAbsScaler", "PolynomialFeatures", "LinearRegression", "Ridge" } do
         message = message:gsub(part .. ": ", WHO .. ": ", 1)
      end
   end
   error(message, 0)
end

-- Without an intercept the columns must not be centered: products of x - m contain a constant.
local function new_scaler(self)
   local make = core.constructors
   return self.fit_intercept and make.StandardScaler {} or make.MaxAbsScaler {}
end

local function new_linear(self)
   local make = self.alpha > 0 and core.constructors.Ridge or core.constructors.LinearRegression
   local settings = { fit_intercept = self.fit_intercept }
   settings[self.alpha > 0 and "alpha" or "weights_type"] = self.alpha > 0 and self.alpha or self.weights_type
   return make(settings)
end

local function products(self, X)
   return self.features:transform(self.scaler:transform(X))
end

-- Prepare the data of the least-squares fit.
local function begin(self, X, y, options)
   local data = parts.data(self, X, y, options)
   parts.need_numbers(data, self.scaler or new_scaler(self))
   local weights = data.weights and { weights = data.weights } or nil
   self.scaler = new_scaler(self):fit(data.X, nil, weights)
   local scaled = self.scaler:transform(data.X)
   self.features = core.constructors.PolynomialFeatures { degree = self.degree, include_bias = false,
      interaction_only = self.interaction_only }:fit(scaled)
   data.Z, data.options = rows.plain(self.features:transform(scaled)), weights or {}
   data.options.on_iter = options and options.on_iter
   return data
end

local function finish(self, data, linear)
   parts.learn(self, data)
   self.linear = linear
   coefficients.learn_means(self, data)
   coefficients.learn(self)
   return self
end

-- --- the class ---

local definition = {
   name = WHO,
   ours = true,
   does = "regress",
   takes = { "weights" },
   params = { degree = 2, interaction_only = false, fit_intercept = true, alpha = 0, weights_type = "precision" },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      terms = "names of the products: x1, x2, x1^2, x1 x2, x2^2",
      coef = "coefficients of the products of the original columns (Vector; several targets: Matrix targets x terms)",
      intercept = "intercept for the original columns (number; several targets: Vector)",
      scaler = "fitted scaler of the columns",
      features = "fitted PolynomialFeatures of the scaled columns",
      linear = "fitted LinearRegression or Ridge; its coefficients refer to the scaled columns" },
   private = { middle = true },
   check = check,
   help = {
      use = "PolynomialRegression { degree = 2, interaction_only = false, fit_intercept = true, alpha = 0 }",
      brief = "Least squares or ridge regression on polynomials of the columns.",
      objective = "sum_i w_i |y_i - c - sum_t b_t prod_j z_ij^e_tj|^2 + alpha |b|^2, z = (x - mean) / sd",
      params = {
         degree = "maximum degree of a product",
         interaction_only = "only products of distinct columns: x1 x2, but not x1^2",
         fit_intercept = "fit an intercept, which is not penalized",
         alpha = "L2 penalty on the coefficients of the products of z; 0: least squares",
         weights_type = "what sample weights mean in standard errors, precision or frequency; see LinearRegression",
      },
      methods = {
         summary = { use = "summary { level = 0.95, target = 1 }", brief = "Coefficient table with tests if alpha is "
            .. "0, "
            .. "and fit statistics.", notes = "Returns the Frame coefficients and the statistics of "
            .. "LinearRegression:summary(): sigma, df, r2, ..." },
         intervals = { use = "intervals(X, { kind = \"prediction\", level = 0.95, target = 1 })", brief = "Prediction "
            .. "or confidence intervals and standard errors as a Frame.", notes = "kind = \"confidence\" is for the "
            .. "mean of y. Requires alpha = 0." },
      },
      notes = "The products are those of PolynomialFeatures, with the same names. They are computed from standardized "
         .. "columns (without an intercept: columns divided by their largest absolute value), which avoids "
         .. "ill-conditioning for columns far from 0. coef, intercept and summary() refer to the original columns, "
         .. "like "
         .. "those of LinearRegression on PolynomialFeatures.",
      source = "Gergonne, Annales de mathematiques 6 (1815); Stigler, Historia Mathematica 1 (1974)",
      example = [[
local X, y = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, { 2.1, 4.9, 10.2, 16.8, 26.1 }
local model = ml.PolynomialRegression { degree = 2 }:fit(X, y)
print(model:summary().coefficients)
print(model:predict { { 6 } })]],
   },
}

function definition.fit(self, X, y, options)
   local data = with_own_name(begin, self, X, y, options)
   local linear = new_linear(self)
   with_own_name(linear.fit, linear, data.Z, data.y, data.options)
   return with_own_name(finish, self, data, linear)
end

local LEARNED = { "n_features", "feature_names", "terms", "coef", "intercept", "scaler", "features", "linear",
   "middle" }

--- Fit in the background; the columns are computed before the job starts.
-- @return a job: done(), wait([seconds]), cancel(), progress, model
function definition.fit_async(self, X, y, options)
   estimator.need_no_job(self, "fitted", 2)
   local prepared = self:clone()
   rawset(prepared, members.FITTING, true)
   local data = rows.rethrow(2, pcall(with_own_name, begin, prepared, X, y, options))
   local plan = core.plan(new_linear(self))
   local job = rows.rethrow(2, pcall(with_own_name, core.plan_fit_async, self, plan, data.Z, data.y, data.options,
      function(model, linear)
         finish(prepared, data, linear)
         for _, name in ipairs(LEARNED) do rawset(model, name, rawget(prepared, name)) end
         rawset(model, "fitted", true)
      end))
   estimator.set_job(self, job)
   return job
end

local function predict(self, X)
   return self.linear:predict(products(self, X))
end

function definition.predict(self, X)
   return (rows.rethrow(2, pcall(with_own_name, predict, self, X)))
end

--- Coefficients of the products of the columns of X, as a Frame, and how well they fit.
function definition.summary(self, options)
   estimator.need_fitted(self, "summary", 2)
   return (rows.rethrow(2, pcall(with_own_name, coefficients.summary, self, options)))
end

--- Predictions with standard errors and intervals; see ml.help "LinearRegression".
function definition.intervals(self, X, options)
   estimator.need_fitted(self, "intervals", 2)
   return (rows.rethrow(2, pcall(with_own_name, function()
      return self.linear:intervals(products(self, X), options)
   end)))
end

local make = estimator.class(definition)

--- The constructor; with the parameter formula it makes a FormulaModel, like those of built-in estimators.
function M.PolynomialRegression(settings)
   if type(settings) == "table" and rawget(settings, "formula") ~= nil then
      return (rows.rethrow(2, pcall(require("manilius.formula.model").of, make, settings)))
   end
   return (rows.rethrow(2, pcall(make, settings)))
end

return M
