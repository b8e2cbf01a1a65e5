local ml = require "manilius"
local support = dofile "spec/support.lua"
local nan = 0 / 0

-- Laplace sources of variance 1, mixed, with noise of standard deviation 0.1: X and the mixing matrix.
local function planted(n, sources, columns)
   local u, Z = ml.random(n, sources, 1), ml.Matrix(n, sources)
   for i = 1, n do
      for c = 1, sources do
         local v = u:get(i, c) - 0.5
         local size = -math.log(1 - 2 * math.abs(v)) / math.sqrt(2)
         Z:set(i, c, v < 0 and -size or size)
      end
   end
   local A = ml.normal(columns, sources, 2)
   return Z * A:t() + ml.normal(n, columns, 3) * 0.1, A, Z
end

-- The cosines of the angles between columns: 1 in each row and column if the sources are found.
local function worst_match(A, B)
   local worst = 1
   for a = 1, A.cols do
      local best = 0
      for b = 1, B.cols do
         local x, y = A:col(a), B:col(b)
         best = math.max(best, math.abs(x:dot(y)) / math.sqrt(x:dot(x) * y:dot(y)))
      end
      worst = math.min(worst, best)
   end
   return worst
end

describe("ProbabilisticICA", function()
   it("recovers planted sources, also with missing values", function()
      local X, A, Z = planted(3000, 3, 5)
      local model = ml.ProbabilisticICA { n_components = 3 }:fit(X)
      assert.is_true(worst_match(A, model.mixing) > 0.999)
      support.near(0.01, model.noise_variance, 0.1, "noise")
      -- sources: correlation with the planted ones
      assert.is_true(worst_match(Z, model:transform(X)) > 0.96) -- noise permits no more
      local pca = ml.PCA { n_components = 3 }:fit(X)
      assert.is_true(worst_match(A, pca.components:t()) < 0.99)
      for i = 1, 3000, 3 do X:set(i, 1 + i % 5, nan) end
      model = ml.ProbabilisticICA { n_components = 3 }:fit(X)
      assert.is_true(worst_match(A, model.mixing) > 0.95) -- the start fills means in; EM is slow from there
   end)

   it("raises a bound that is below the likelihood, and near it", function()
      local X = planted(60, 1, 3)
      local model = ml.ProbabilisticICA { n_components = 1, tol = 1e-8, max_iter = 1000 }:fit(X)
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
      -- the integral over the source, by the trapezoidal rule
      local total, noise = 0, model.noise_variance
      for i = 1, 60 do
         local sum = 0
         for step = -1600, 1600 do
            local z, rest = step / 200, 0
            for j = 1, 3 do rest = rest + (X:get(i, j) - model.mean[j] - model.mixing:get(j, 1) * z) ^ 2 end
            sum = sum + math.exp(-rest / (2 * noise) - math.sqrt(2) * math.abs(z))
         end
         total = total + math.log(sum / 200 / math.sqrt(2)) - 1.5 * math.log(2 * math.pi * noise)
      end
      assert.is_true(model.lower_bound < total)
      assert.is_true(model.lower_bound > total - 0.2 * 60)
   end)

   it("shrinks sources to the mode of what is likely", function()
      local X, A = planted(500, 2, 4)
      local model = ml.ProbabilisticICA { n_components = 2 }:fit(X)
      local near, far = model:reconstruct(X), 0
      for i = 1, 500 do
         for j = 1, 4 do far = far + (near:get(i, j) - X:get(i, j)) ^ 2 end
      end
      support.near(0.01 * 500 * 2, far, 0.2, "distance") -- the noise outside of the plane
      assert.is_true(worst_match(A, model.mixing) > 0.99)
      support.near_all({ 0, 0 }, model:transform { { nan, nan, nan, nan } }[1], 1e-12, "source", 1)
   end)

   it("counts weights as repeated rows", function()
      local X, rows, weights = planted(100, 2, 3), {}, {}
      for i = 1, 100 do
         weights[i] = i % 3
         for _ = 1, weights[i] do rows[#rows + 1] = X[i] end
      end
      local set = { n_components = 2, max_iter = 30 }
      local weighted = ml.ProbabilisticICA(set):fit(X, nil, { weights = weights })
      support.near(ml.ProbabilisticICA(set):fit(rows).lower_bound, weighted.lower_bound, 1e-9, "bound")
   end)

   it("gives the same bytes for any number of threads", function()
      local X = planted(600, 2, 3)
      support.same_for_any_threads(function() return ml.ProbabilisticICA { max_iter = 5 }:fit(X) end)
   end)

   it("refuses what it cannot do", function()
      support.refuses("n_components must be at most min%(rows, columns%) = 2, got 3", function()
         ml.ProbabilisticICA { n_components = 3 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("all columns of X are constant", function() ml.ProbabilisticICA {}:fit { { 1, 2 }, { 1, 2 } } end)
      support.refuses("column 1 of X has only missing values", function()
         ml.ProbabilisticICA {}:fit { { nan, 2 }, { nan, 3 } }
      end)
   end)
end)
