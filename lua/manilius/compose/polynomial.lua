--- PolynomialRegression: least squares, or ridge, on the products of the columns up to a degree.
--
-- What is fitted are the products of z, the columns about their means over their standard deviations, for those of X
-- itself determine each other to the last digit where a column lies far from 0 (x about 1e6: x, x^2 and x^3 are one
-- line). Predictions go by z, too; weights of the products of X, which people want to read, follow from them.
-- @module manilius.compose.polynomial

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local members = require "manilius.compose.members"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local weights_of = require "manilius.compose.polynomial_coefficients"

local M = {}

local WHO = "PolynomialRegression"

local function check(self)
   base.check_whole(self, "degree", 1)
   base.check_flag(self, "interaction_only")
   base.check_flag(self, "fit_intercept")
   local alpha = self.alpha
   if type(alpha) ~= "number" or not (alpha >= 0 and alpha < math.huge) then
      error(("%s: alpha must be a number >= 0, got %s"):format(WHO, estimator.value_text(alpha)), 0)
   end
end

-- --- the parts ---

-- What the parts raise, in the name of the whole.
local function told(func, ...)
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

-- Without a constant term the columns must stay where they are: products of x - m would bring one in.
local function new_scaler(self)
   local make = core.constructors
   return self.fit_intercept and make.StandardScaler {} or make.MaxAbsScaler {}
end

local function new_linear(self)
   local make = self.alpha > 0 and core.constructors.Ridge or core.constructors.LinearRegression
   local settings = { fit_intercept = self.fit_intercept }
   if self.alpha > 0 then settings.alpha = self.alpha end
   return make(settings)
end

local function products(self, X)
   return self.features:transform(self.scaler:transform(X))
end

-- Everything up to the least squares; returns their data.
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
   weights_of.learn_means(self, data)
   weights_of.learn(self)
   return self
end

-- --- the class ---

local definition = {
   name = WHO,
   ours = true,
   does = "regress",
   takes = { "weights" },
   params = { degree = 2, interaction_only = false, fit_intercept = true, alpha = 0 },
   learned = { n_features = "columns of X", feature_names = "names of the columns of X, from a Frame",
      terms = "names of the products: x1, x2, x1^2, x1 x2, x2^2",
      coef = "weights of the products of the columns of X themselves: a Vector, of several targets a Matrix, targets "
         .. "x terms",
      intercept = "constant term beside them: a number, of several targets a Vector",
      scaler = "what the columns go through first",
      features = "the PolynomialFeatures of the scaled columns",
      linear = "the LinearRegression or Ridge on these; its weights are those of the scaled columns" },
   private = { middle = true },
   check = check,
   help = {
      use = "PolynomialRegression { degree = 2, interaction_only = false, fit_intercept = true, alpha = 0 }",
      brief = "Least squares on the columns and their products up to a degree.",
      objective = "sum_i w_i |y_i - c - sum_t b_t prod_j z_ij^e_tj|^2 + alpha |b|^2, z = (x - mean) / sd",
      params = {
         degree = "highest degree of a product",
         interaction_only = "no column more than once in a product: x1 x2, but not x1^2",
         fit_intercept = "learn a constant term, never penalised",
         alpha = "penalty on the squared weights of the products of z; 0: least squares",
      },
      methods = {
         summary = { use = "summary { level = 0.95, target = 1 }", brief = "The Frame coefficients: a row for the "
            .. "constant and for each product, with standard errors, tests and limits where alpha is 0; beside it what "
            .. "LinearRegression:summary() has: sigma, df, r2, ..." },
         intervals = { use = "intervals(X, { kind = \"prediction\", level = 0.95, target = 1 })", brief = "Predictions "
            .. "with their limits and standard errors, a Frame; kind = \"confidence\": of the mean. For alpha = 0." },
      },
      notes = "The products are those of PolynomialFeatures, named alike. They are made of the columns about their "
         .. "means over their standard deviations (without a constant term: over their largest absolute value), so "
         .. "that columns far from 0 lose no digits; predictions go by these. coef, intercept and summary() are about "
         .. "the products of X itself, as are those of a LinearRegression on PolynomialFeatures; what they say adds up "
         .. "to the predictions as far as numbers of their size can.",
      source = "Gergonne, Annales de mathematiques 6 (1815); Stigler, Historia Mathematica 1 (1974)",
      example = [[
local X, y = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, { 2.1, 4.9, 10.2, 16.8, 26.1 }
local model = ml.PolynomialRegression { degree = 2 }:fit(X, y)
print(model:summary().coefficients)
print(model:predict { { 6 } })]],
   },
}

function definition.fit(self, X, y, options)
   local data = told(begin, self, X, y, options)
   local linear = new_linear(self)
   told(linear.fit, linear, data.Z, data.y, data.options)
   return told(finish, self, data, linear)
end

local LEARNED = { "n_features", "feature_names", "terms", "coef", "intercept", "scaler", "features", "linear",
   "middle" }

--- Fit in the background: the least squares, once their columns are made.
-- @return a job: done(), wait([seconds]), cancel(), progress, model
function definition.fit_async(self, X, y, options)
   estimator.need_no_job(self, "fitted", 2)
   local draft = self:clone()
   rawset(draft, members.DRAFT, true)
   local data = rows.rethrow(2, pcall(told, begin, draft, X, y, options))
   local plan = core.plan(new_linear(self))
   local job = rows.rethrow(2, pcall(told, core.plan_fit_async, self, plan, data.Z, data.y, data.options,
      function(model, linear)
         finish(draft, data, linear)
         for _, name in ipairs(LEARNED) do rawset(model, name, rawget(draft, name)) end
         rawset(model, "fitted", true)
      end))
   estimator.set_job(self, job)
   return job
end

local function predict(self, X)
   return self.linear:predict(products(self, X))
end

function definition.predict(self, X)
   return (rows.rethrow(2, pcall(told, predict, self, X)))
end

--- Coefficients of the products of the columns of X, as a Frame, and how well they fit.
function definition.summary(self, options)
   estimator.need_fitted(self, "summary", 2)
   return (rows.rethrow(2, pcall(told, weights_of.summary, self, options)))
end

--- Predictions with their standard errors and limits; see ml.help "LinearRegression".
function definition.intervals(self, X, options)
   estimator.need_fitted(self, "intervals", 2)
   return (rows.rethrow(2, pcall(told, function() return self.linear:intervals(products(self, X), options) end)))
end

local make = estimator.class(definition)

--- The constructor; settings among which is a formula make a FormulaModel, as those of the core's estimators do.
function M.PolynomialRegression(settings)
   if type(settings) == "table" and rawget(settings, "formula") ~= nil then
      return (rows.rethrow(2, pcall(require("manilius.formula.model").of, make, settings)))
   end
   return (rows.rethrow(2, pcall(make, settings)))
end

return M
