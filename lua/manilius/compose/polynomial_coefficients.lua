--- Coefficients of a PolynomialRegression for the original columns, and their standard errors. The model is fitted to
-- products of z, the centered and scaled columns:
--
--    prod_j ((x_j - m_j) / s_j)^e_j = prod_j sum_f choose(e_j, f) x_j^f (-m_j)^(e_j - f) / s_j^e_j.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

-- For each term a list of { column, power }, found by transforming rows with a 2 in one column and 1 elsewhere.
local function powers_of(features, p)
   local probe = core.ones(p, p)
   for j = 1, p do probe:set(j, j, 2) end
   local seen, powers = features:transform(probe), {}
   for t = 1, seen.cols do
      powers[t] = {}
      for j = 1, p do
         local power = math.tointeger(math.log(seen:get(j, t), 2) // 1)
         if power > 0 then table.insert(powers[t], { j, power }) end
      end
   end
   return powers
end

local function key_of(key, j, power)
   return power == 0 and key or ("%s %d^%d"):format(key, j, power)
end

-- A product of z as a sum of products of x: { { key, factor } }; the key of the constant is "".
local function expand(powers, center, scale)
   local sum = { { "", 1 } }
   for _, one in ipairs(powers) do
      local j, e = one[1], one[2]
      local m, s, more, choose = center[j], scale[j], {}, 1
      for f = e, 0, -1 do
         local factor = choose * (-m) ^ (e - f) / s ^ e
         if f == e or m ~= 0 then
            for _, term in ipairs(sum) do more[#more + 1] = { key_of(term[1], j, f), term[2] * factor } end
         end
         choose = choose * f / (e - f + 1)
      end
      sum = more
   end
   return sum
end

-- For the constant (0) and each term of x: a list of { term of z, factor }.
local function back_transform(self)
   local scale = self.scaler.scale
   local center = self.linear.fit_intercept and self.scaler.mean or core.zeros(#scale, 1):flatten()
   local powers, term_of, expansion = powers_of(self.features, #scale), { [""] = 0 }, { [0] = {} }
   for t, one in ipairs(powers) do
      local key = ""
      for _, part in ipairs(one) do key = key_of(key, part[1], part[2]) end
      term_of[key], expansion[t] = t, {}
   end
   for t, one in ipairs(powers) do
      for _, term in ipairs(expand(one, center, scale)) do
         table.insert(expansion[term_of[term[1]]], { t, term[2] })
      end
   end
   return expansion
end

local function weighted_sum(expansion, at)
   local sum = 0
   for _, step in ipairs(expansion) do sum = sum + step[2] * at(step[1]) end
   return sum
end

-- Coefficients and intercept of one target.
local function target_coefficients(model, k)
   local coef, intercept = model.coef, model.intercept
   if rows.kind(coef) == "Vector" then return coef, intercept end
   return coef[k], intercept[k]
end

--- Compute terms, coef and intercept from the fitted parts; for one target a Vector and a number.
function M.learn(self)
   local linear, expansion, coef, intercepts = self.linear, back_transform(self), {}, {}
   self.terms = self.features:output_names()
   local targets = rows.kind(linear.coef) == "Vector" and 1 or linear.coef.rows
   for k = 1, targets do
      local scaled_coef, intercept = target_coefficients(linear, k)
      local function coefficient(t) return scaled_coef[t] end
      coef[k], intercepts[k] = {}, intercept + weighted_sum(expansion[0], coefficient)
      for t in ipairs(self.terms) do coef[k][t] = weighted_sum(expansion[t], coefficient) end
   end
   self.coef = targets == 1 and core.Vector(coef[1]) or core.Matrix(coef)
   self.intercept = targets == 1 and intercepts[1] or core.Vector(intercepts)
end

--- Compute the means of the products of z, which the standard errors require.
function M.learn_means(self, data)
   local Z, weights = data.Z, data.weights
   local means = {}
   for t = 1, Z.cols do
      local column = Z:col(t):copy()
      means[t] = not self.linear.fit_intercept and 0 or weights and weights:dot(column) / weights:sum() or column:mean()
   end
   self.middle = core.Vector(means)
end

-- --- standard errors ---

-- Rows whose predictions have the variances of the coefficients: for the constant, then for each term. The variance of
-- the prediction for middle + a is that of the mean of y plus that of the combination a of coefficients; a is scaled
-- up so that the latter dominates.
-- @return the rows, and the scale factor of each
local function probes(self, expansion)
   local n = #self.terms
   local probe, scales = core.zeros(n + 1, n), {}
   for _, step in ipairs(expansion[0]) do probe:set(1, step[1], step[2]) end
   for t = 1, n do
      local largest = 0
      for _, step in ipairs(expansion[t]) do largest = math.max(largest, math.abs(step[2])) end
      scales[t] = largest > 0 and 1024 / largest or 1
      for k = 1, n do probe:set(t + 1, k, self.middle[k]) end
      for _, step in ipairs(expansion[t]) do
         probe:set(t + 1, step[1], self.middle[step[1]] + step[2] * scales[t])
      end
   end
   return probe, scales
end

-- Standard errors of the intercept, if any, and of the terms.
local function standard_errors(self, inner, options)
   local probe, scales = probes(self, back_transform(self))
   local seen = self.linear:intervals(probe, { kind = "confidence", target = options.target })
   local mean_variance = self.linear.fit_intercept and inner.sigma ^ 2 / self.linear.n or 0
   local errors = self.linear.fit_intercept and { seen.std_error[1] } or {}
   for t, length in ipairs(scales) do
      local variance = math.max(seen.std_error[t + 1] ^ 2 - mean_variance, 0)
      errors[#errors + 1] = inner.sigma == inner.sigma and variance ^ 0.5 / length or 0 / 0
   end
   return core.Vector(errors)
end

local function coefficients(self, target)
   local names, values = {}, {}
   local coef, intercept = target_coefficients(self, target)
   if self.linear.fit_intercept then names[1], values[1] = "(Intercept)", intercept end
   for t, name in ipairs(self.terms) do
      names[#names + 1], values[#values + 1] = name, coef[t]
   end
   return core.Factor(names), core.Vector(values)
end

--- The Frame `coefficients` and the other results of the summary of the linear model.
function M.summary(self, options)
   options = options or {}
   local inner = self.linear:summary(options)
   local values = { _order = {} }
   local function add(name, value) values[name], values._order[#values._order + 1] = value, name end
   local names, estimate = coefficients(self, options.target or 1)
   add("coefficients.term", names)
   add("coefficients.estimate", estimate)
   if estimator.name(self.linear) == "LinearRegression" then
      local std_error, special = standard_errors(self, inner, options), core.special
      local t = estimate / std_error
      local half_width = std_error * special.t_isf((1 - (options.level or 0.95)) / 2, inner.df)
      add("coefficients.std_error", std_error)
      add("coefficients.t", t)
      add("coefficients.p", special.t_sf(t:abs(), inner.df) * 2)
      add("coefficients.low", estimate - half_width)
      add("coefficients.high", estimate + half_width)
   end
   for name, value in pairs(inner) do
      if name ~= "coefficients" and name ~= "text" then add(name, value) end
   end
   if inner.text:find("Weights: ", 1, true) then add("weights_type", self.linear.weights_type) end
   return require "manilius.results"(values)
end

return M
