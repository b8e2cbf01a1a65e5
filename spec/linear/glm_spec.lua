local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/glm.lua"

-- What statsmodels gives is itself converged to about this.
local tolerance = 1e-8

local function with_column(name, values)
   local columns = {}
   for j = 1, 3 do
      local column = {}
      for i, row in ipairs(oracle.x) do column[i] = row[j] end
      columns[j] = { "x" .. j, column }
   end
   columns[4] = { name, values }
   return ml.Frame(columns)
end

local function copy(t)
   local out = {}
   for key, value in pairs(t) do out[key] = value end
   return out
end

local function coefficients(model)
   local list = { model.intercept }
   for j = 1, 3 do list[j + 1] = model.coef[j] end
   return list
end

local function fit(case)
   local params = copy(case.params)
   params.family, params.link, params.tol = case.family, case.link, 1e-12
   local X, options = ml.Matrix(oracle.x), {}
   if case.y == "proportion" then
      params.trials, X = "trials", with_column("trials", oracle.trials)
   end
   if case.with == "offset" then
      local column = with_column("offset", oracle.offset)
      if case.y == "proportion" then X = X:with { offset = oracle.offset } else X = column end
      params.offset = "offset"
   end
   if case.with == "weights" then options.weights = oracle.weights end
   return ml.GLM(params):fit(X, oracle.answers[case.y], options), X
end

describe("GLM", function()
   for _, case in ipairs(oracle.cases) do
      it(("agrees with statsmodels: %s, %s, y %s, with %s"):format(case.family, case.link, case.y, case.with), function()
         local model, X = fit(case)
         assert.is_true(model.converged)
         support.near_all(case.estimate, coefficients(model), tolerance, "estimate", 0.1)
         support.near(case.deviance, model.deviance, tolerance, "deviance")
         support.near(case.null_deviance, model.null_deviance, tolerance, "null deviance")
         local summary, rows = model:summary(), model:diagnostics(X, oracle.answers[case.y])
         if case.std_error then
            support.near_all(case.std_error, summary.coefficients:col "std_error", tolerance, "std_error")
         end
         if case.dispersion then
            support.near(case.pearson_chi2, summary.pearson_chi2, tolerance, "Pearson")
            support.near(case.dispersion, summary.dispersion, tolerance, "dispersion")
         end
         if case.loglik then support.near(case.loglik, summary.loglik, tolerance, "loglik") end
         for i = 1, 3 do
            support.near(case.fitted[i], rows:col "fitted"[i], tolerance, "fitted")
            if case.y ~= "proportion" then
               support.near(case.residual[i], rows:col "deviance"[i], tolerance, "deviance residual", 1e-2)
               support.near(case.pearson[i], rows:col "pearson"[i], tolerance, "Pearson residual", 1e-2)
            end
            if case.leverage then support.near(case.leverage[i], rows:col "leverage"[i], tolerance, "leverage") end
         end
         if case.mean_se then
            local bands = model:intervals(X)
            for i = 1, 3 do support.near(case.mean_se[i], bands:col "std_error"[i], tolerance, "error of the mean") end
         end
      end)
   end
end)
