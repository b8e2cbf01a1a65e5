local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent/factor_analysis.lua"

local function wine() return ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix() end

-- Rows whose columns have two factors, and noise of standard deviation 0.5.
local function planted(n)
   local L = ml.Matrix { { 2, 1.5, 1, 0, 0, 0.2 }, { 0, 0.3, 0, 1, 2, -1.5 } }
   return ml.normal(n, 2, 1) * L + ml.normal(n, 6, 2) * 0.5, L
end

describe("FactorAnalysis", function()
   it("agrees with R's factanal on wine", function()
      local X = wine()
      local model = ml.FactorAnalysis { n_components = 3 }:fit(X)
      for j = 1, X.cols do
         local column = X:col(j)
         local variance = column:var() * (X.rows - 1) / X.rows
         -- factanal stops within about 1e-6 of the optimum
         support.near(oracle.uniquenesses[j], model.noise_variance[j] / variance, 1e-4, "uniqueness")
      end
      support.near(oracle.chi_squared, model.chi_squared, 1e-8, "chi-squared")
      assert.equal(oracle.degrees_of_freedom, model.degrees_of_freedom)
      support.near(oracle.p_value, model.p_value, 1e-6, "p-value")
   end)

   it("has a likelihood equal to the sum of its densities", function()
      local X = wine()
      local model = ml.FactorAnalysis { n_components = 2 }:fit(X)
      support.near(model.loglike, model:score_samples(X):sum(), 1e-10, "log likelihood")
   end)

   it("recovers planted factors up to rotation", function()
      local X, L = planted(20000)
      local model = ml.FactorAnalysis { n_components = 2 }:fit(X)
      -- standard errors are about 0.02
      support.near_rows(L:t() * L, model.components:t() * model.components, 0.1, "L'L", 1)
      for j = 1, 6 do support.near(0.25, model.noise_variance[j], 0.1, "noise variance") end
      assert.is_true(model.p_value > 0.001)
      assert.is_true(ml.FactorAnalysis {}:fit(X).p_value < 1e-6)
   end)

   it("rotates without a change of the likelihood", function()
      local X = planted(500)
      local none = ml.FactorAnalysis { n_components = 2 }:fit(X)
      for _, rotation in ipairs { "varimax", "quartimax" } do
         local model = ml.FactorAnalysis { n_components = 2, rotation = rotation }:fit(X)
         local A, B = none.components, model.components
         support.near_rows(A:t() * A, B:t() * B, 1e-10, "L'L", 1)
         support.near_all(none:score_samples(X), model:score_samples(X), 1e-10, "log density")
         local function criterion(angle)
            local total = 0
            for sign = 0, 1 do
               local square, fourth = 0, 0
               for j = 1, 6 do
                  local x, y = B[1][j], B[2][j]
                  local v = sign == 0 and math.cos(angle) * x + math.sin(angle) * y
                     or math.cos(angle) * y - math.sin(angle) * x
                  square, fourth = square + v ^ 2, fourth + v ^ 4
               end
               total = total + fourth - (rotation == "varimax" and square ^ 2 / 6 or 0)
            end
            return total
         end
         for step = 1, 31 do assert.is_true(criterion(0) >= criterion(step / 10) - 1e-9) end
      end
   end)

   it("scores rows by posterior means", function()
      local X = planted(50)
      local model = ml.FactorAnalysis { n_components = 2 }:fit(X)
      -- the normal equations (I + L inv(Psi) L') z = L inv(Psi) (x - mean)
      local L, z = model.components, model:transform(X)
      for c = 1, 2 do
         local residual = z[1][c]
         for j = 1, 6 do
            local fitted = L[1][j] * z[1][1] + L[2][j] * z[1][2]
            residual = residual - L[c][j] * (X[1][j] - model.mean[j] - fitted) / model.noise_variance[j]
         end
         support.near(0, residual, 1e-10, "residual", 1)
      end
   end)

   it("handles constant and duplicated columns and few rows", function()
      local rows = {}
      for i = 1, 30 do rows[i] = { i % 7, i % 7, 5, i % 4 } end
      local model = ml.FactorAnalysis {}:fit(rows)
      assert.equal(0, model.noise_variance[3])
      assert.is_nil(model.p_value)
      local copied = ml.Matrix(rows)
      copied = ml.hcat(ml.normal(30, 4, 2), copied, copied)
      local summary = tostring(ml.FactorAnalysis {}:fit(copied):summary())
      assert.matches("The correlations are singular: there is no test", summary)
      support.near(model.loglike, model:score_samples(rows):sum(), 1e-9, "log likelihood")
      local wide = ml.FactorAnalysis { n_components = 2 }:fit(ml.normal(5, 12, 1))
      assert.is_nil(wide.p_value)
   end)

   it("refuses more factors than columns and a single row", function()
      support.refuses("n_components must be at most columns = 2, got 3", function()
         ml.FactorAnalysis { n_components = 3 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("X must have at least 2 rows, got 1", function() ml.FactorAnalysis {}:fit { { 1, 2 } } end)
   end)
end)
