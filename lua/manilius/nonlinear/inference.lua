--- Inference of NonlinearRegression from the linear approximation at the estimates: tests, intervals, the summary.

local core = require "manilius.core"
local models = require "manilius.nonlinear.model"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local function fail(what, ...)
   error(("NonlinearRegression: " .. what):format(...), 0)
end

-- The options with defaults; raises an error for unknown ones.
local function read_options(method, options, known)
   options = options or {}
   if type(options) ~= "table" then fail("options of %s must be a table, got %s", method, rows.kind(options)) end
   for name in pairs(options) do
      if known[name] == nil then
         fail("%s has no option '%s'%s", method, tostring(name), text.near(tostring(name), text.sorted_keys(known)))
      end
   end
   local level = options.level or 0.95
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      fail("level must be a number between 0 and 1, got %s", tostring(level))
   end
   return level, options
end

-- The half width of an interval in standard errors; nan without degrees of freedom.
local function t_quantile(self, level)
   return self.df > 0 and core.special.t_isf((1 - level) / 2, self.df) or 0 / 0
end

-- Standard errors of the estimates; nan where the data do not determine them.
local function std_errors(self)
   local out = core.Vector(#self.terms)
   for i = 1, #self.terms do out[i] = self.covariance[i][i] ^ 0.5 end
   return out
end

-- --- summary ---

local function stars(p)
   return p < 0.001 and "***" or p < 0.01 and "**" or p < 0.05 and "*" or p < 0.1 and "." or ""
end

local function p_text(p)
   return p ~= p and "nan" or p < 2.2e-16 and "<2e-16" or ("%.3g"):format(p)
end

local function table_lines(self, frame)
   local lines = { ("%-12s %12s %12s %9s %10s"):format("", "Estimate", "Std. Error", "t value", "Pr(>|t|)") }
   for i, name in ipairs(self.terms) do
      lines[#lines + 1] = (("%-12s %12.6g %12.6g %9.3f %10s %s"):format(name, frame.estimate[i], frame.std_error[i],
         frame.t[i], p_text(frame.p[i]), stars(frame.p[i])):gsub("%s+$", ""))
   end
   return table.concat(lines, "\n")
end

local function how_it_ended(self)
   return ("%s %s, relative offset %.2g"):format(self.converged and "Converged in" or "Not converged after",
      text.plural(self.n_iter, "iteration"), self.offset)
end

local function summary_text(self, values, frame)
   local lines = { "Formula: " .. (self.formula or "a Lua function"), "", "Parameters:", table_lines(self, frame),
      "---", "Signif. codes:  0 '***' 0.001 '**' 0.01 '*' 0.05 '.' 0.1 ' ' 1", "",
      ("Residual standard error: %.4g on %.10g degrees of freedom"):format(self.sigma, self.df),
      ("Log-likelihood: %.4f, AIC: %.4f, BIC: %.4f"):format(values.loglik, values.aic, values.bic), how_it_ended(self) }
   if #self.at_bound > 0 then
      table.insert(lines, 5, "At a bound, without a standard error: " .. table.concat(self.at_bound, ", "))
   end
   local undetermined = rawget(self, "undetermined") or {} -- absent in archives of earlier versions
   if #undetermined > 0 then
      table.insert(lines, 5, "Not determined by the data, without a standard error: "
         .. table.concat(undetermined, ", "))
   end
   return table.concat(lines, "\n")
end

-- The normal log-likelihood with variance rss / n.
local function log_likelihood(self)
   return -0.5 * self.n * (math.log(2 * math.pi * self.rss / self.n) + 1) + 0.5 * self.log_weights
end

--- The coefficient table, fit statistics and how the search ended.
function M.summary(self, options)
   local level = read_options("summary", options, { level = true })
   local errors, special = std_errors(self), core.special
   local t, half = self.coef / errors, errors * t_quantile(self, level)
   local p = self.df > 0 and special.t_sf(t:abs(), self.df) * 2 or t * (0 / 0)
   local loglik, k = log_likelihood(self), #self.terms + 1
   local out = {}
   local values = { _order = {} }
   local function add(name, value) values[name], values._order[#values._order + 1] = value, name end
   local columns = { { "term", core.Factor(self.terms) }, { "estimate", self.coef:copy() }, { "std_error", errors },
      { "t", t }, { "p", p }, { "low", self.coef - half }, { "high", self.coef + half } }
   for _, column in ipairs(columns) do
      out[column[1]] = column[2]
      add("coefficients." .. column[1], column[2])
   end
   for _, name in ipairs { "sigma", "df", "rss", "n", "n_iter", "offset" } do add(name, self[name]) end
   add("loglik", loglik)
   add("aic", 2 * k - 2 * loglik)
   add("bic", k * math.log(self.n) - 2 * loglik)
   add("text", summary_text(self, values, out))
   return require "manilius.results"(values)
end

-- --- intervals ---

local KINDS = { confidence = true, prediction = true }

-- g' C g for each row g of the derivatives. Parameters without a variance do not contribute: they are at a bound.
local function variances(self, derivatives)
   local covariance = self.covariance:copy()
   for i = 1, covariance.rows do
      for j = 1, covariance.cols do
         if #self.at_bound > 0 and covariance[i][j] ~= covariance[i][j] then covariance:set(i, j, 0) end
      end
   end
   local product, out = derivatives * covariance, core.Vector(derivatives.rows)
   for j = 1, derivatives.cols do out = out + product:col(j):copy():mul(derivatives:col(j):copy()) end
   return out
end

--- Predictions with intervals by the delta method, a Frame.
function M.intervals(self, X, options)
   local level
   level, options = read_options("intervals", options, { level = true, kind = true })
   local kind = options.kind or "prediction"
   if not KINDS[kind] then fail("kind must be confidence or prediction, got %s", tostring(kind)) end
   local fit, derivatives = models.of(self, X).values(self.coef, true)
   local variance = variances(self, derivatives)
   if kind == "prediction" then variance = variance + self.sigma ^ 2 end
   local error_of_fit = variance:sqrt()
   local half = error_of_fit * t_quantile(self, level)
   return rows.frame({ "fit", "low", "high", "std_error" }, { fit, fit - half, fit + half, error_of_fit })
end

return M
