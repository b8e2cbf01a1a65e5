local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/covariance/covariance.lua"

local function wine() return ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix() end
local function scaled() return ml.StandardScaler {}:fit_transform(wine()) end

-- Precisions lose what the condition number says: 1e-9 of their largest element.
local function agree(wanted, model, rows)
   support.near_rows(wanted.covariance, model.covariance, 1e-11, "covariance", 1e-3)
   support.near_all(wanted.location, model.location, 1e-12, "location", 1e-3)
   support.near_rows(wanted.precision, model.precision, 1e-9, "precision", 1)
   support.near_all(wanted.mahalanobis, model:mahalanobis(rows:slice(1, 3)), 1e-9, "distance")
   support.near(wanted.score, model:score(rows), 1e-10, "score")
end

describe("Covariance estimators", function()
   it("agree with scikit-learn: the empirical covariance", function()
      agree(oracle.empirical, ml.EmpiricalCovariance {}:fit(wine()), wine())
      local few = scaled():slice(1, 20)
      agree(oracle.centered, ml.EmpiricalCovariance { assume_centered = true }:fit(few), few)
   end)

   it("agree with scikit-learn: shrinkage", function()
      local few = scaled():slice(1, 20)
      agree(oracle.shrunk, ml.ShrunkCovariance { shrinkage = 0.3 }:fit(few), few)
      for key, class in pairs { ledoit_wolf = ml.LedoitWolf, oas = ml.OAS } do
         local model = class {}:fit(few)
         support.near(oracle[key].shrinkage, model.shrinkage, 1e-12, key)
         agree(oracle[key], model, few)
      end
   end)

   it("treat a singular covariance as a density within a subspace", function()
      local rows = {}
      for i = 1, 12 do rows[i] = { i % 5, 2 * (i % 5), 7, i % 3 } end
      local model = ml.EmpiricalCovariance {}:fit(rows)
      assert.equal(2, model.rank)
      local C, P = model.covariance, model.precision
      support.near_rows(C, C * P * C, 1e-12, "C P C", 1)
      support.near_rows(P, P * C * P, 1e-12, "P C P", 1)
      local plane = ml.Matrix(12, 2)
      for i = 1, 12 do -- orthonormal coordinates within the subspace
         plane:set(i, 1, math.sqrt(5) * (i % 5))
         plane:set(i, 2, i % 3)
      end
      local inner = ml.EmpiricalCovariance {}:fit(plane)
      support.near_all(inner:score_samples(plane), model:score_samples(rows), 1e-12, "log density")
      assert.equal(0, ml.EmpiricalCovariance {}:fit({ { 1, 2 }, { 1, 2 } }).rank)
   end)

   it("do not depend on units", function()
      local X = wine():slice(1, 50):copy()
      local plain = ml.EmpiricalCovariance {}:fit(X)
      for i = 1, 50 do
         X:set(i, 1, X:get(i, 1) * 2 ^ 40)
         X:set(i, 2, X:get(i, 2) * 2 ^ -40)
      end
      local units = ml.EmpiricalCovariance {}:fit(X)
      assert.equal(13, units.rank)
      support.near_all(plain:mahalanobis(wine():slice(1, 50)), units:mahalanobis(X), 1e-9, "distance")
   end)

   it("shrink to the optimum that simulations find", function()
      -- 20 rows, 10 columns of variance 1 to 10: compare with shrinkages on a grid by their mean squared error
      local best, at, lw, oas = math.huge, nil, 0, 0
      local function normal(seed)
         local X = ml.normal(20, 10, seed)
         for i = 1, 20 do
            for j = 1, 10 do X:set(i, j, X:get(i, j) * math.sqrt(j)) end
         end
         return X
      end
      for step = 0, 20 do
         local loss = 0
         for seed = 1, 40 do
            local C = ml.ShrunkCovariance { shrinkage = step / 20 }:fit(normal(seed)).covariance
            for i = 1, 10 do
               for j = 1, 10 do loss = loss + (C:get(i, j) - (i == j and i or 0)) ^ 2 end
            end
         end
         if loss < best then best, at = loss, step / 20 end
      end
      for seed = 1, 40 do
         lw = lw + ml.LedoitWolf {}:fit(normal(seed)).shrinkage / 40
         oas = oas + ml.OAS {}:fit(normal(seed)).shrinkage / 40
      end
      assert.is_true(math.abs(lw - at) < 0.15 and math.abs(oas - at) < 0.15, ("%g %g %g"):format(at, lw, oas))
   end)
end)
