local ml = require "manilius"
local support = dofile "spec/support.lua"
local nan = 0 / 0

-- Rows near three planes of dimension 2 in `columns` dimensions, with noise of standard deviation 0.05: X, the plane of
-- each row, the directions of each plane.
local function three_planes(rows, columns)
   local Z, e = ml.normal(rows, 2, 1) * 2, ml.normal(rows, columns, 2) * 0.05
   local centers, X, labels, planes = ml.normal(3, columns, 3) * 2, {}, {}, {}
   for k = 1, 3 do planes[k] = ml.normal(2, columns, 10 + k) end
   for i = 1, rows do
      local k, row = i % 3 + 1, {}
      labels[i] = k
      for j = 1, columns do
         row[j] = centers:get(k, j) + Z:get(i, 1) * planes[k]:get(1, j) + Z:get(i, 2) * planes[k]:get(2, j)
            + e:get(i, j)
      end
      X[i] = row
   end
   return ml.Matrix(X), labels, planes
end

-- The share of rows whose component is that of most rows of their plane.
local function purity(labels, found)
   local counts, right = {}, 0
   for i = 1, #labels do
      counts[labels[i]] = counts[labels[i]] or {}
      counts[labels[i]][found[i]] = (counts[labels[i]][found[i]] or 0) + 1
   end
   local taken = {}
   for _, count in pairs(counts) do
      local best
      for component, n in pairs(count) do
         if not best or n > count[best] then best = component end
      end
      assert(not taken[best], "two planes have one component")
      taken[best] = true
      right = right + count[best]
   end
   return right / #labels
end

-- The sine of the largest angle between two planes, by projection of unit vectors of one onto the other.
local function largest_sine(A, B)
   local basis = ml.PCA { n_components = 2 }:fit(ml.vcat(A, A * -1)).components
   local other = ml.PCA { n_components = 2 }:fit(ml.vcat(B, B * -1)).components
   local C, worst = basis * other:t(), 0
   for angle = 0, 63 do
      local a, b = math.cos(angle / 20), math.sin(angle / 20)
      local x, y = a * C:get(1, 1) + b * C:get(2, 1), a * C:get(1, 2) + b * C:get(2, 2)
      worst = math.max(worst, 1 - x * x - y * y)
   end
   return math.sqrt(worst)
end

local classes = { ml.MixturePPCA, ml.MixtureFactorAnalyzers }

describe("MixturePPCA and MixtureFactorAnalyzers", function()
   it("recover three planes", function()
      for _, columns in ipairs { 3, 10 } do
         local X, labels, planes = three_planes(600, columns)
         for _, class in ipairs(classes) do
            if columns > 3 or class == ml.MixturePPCA then -- 2 factors and noise by column do not fit in 3 columns
               local model = class { n_components = 3, n_factors = 2, n_init = 20, tol = 1e-6 }:fit(X)
               local found = model:predict(X)
               assert.is_true(purity(labels, found) > (columns == 3 and 0.9 or 0.99))
               for i = 1, 3 do -- the plane of row i
                  local k = found[i]
                  local W = model.factors:slice(2 * k - 1, 2 * k)
                  assert.is_true(largest_sine(planes[labels[i]], W) < 0.03)
                  -- the standard error is a tenth
                  if class == ml.MixturePPCA then support.near(0.0025, model.noise_variance[k], 0.3, "noise") end
               end
               -- reconstructions are on the planes: the distance is that of the noise outside of them
               local square = 0
               for _, value in ipairs((X - model:reconstruct(X)):totable()) do
                  for _, v in ipairs(value) do square = square + v * v end
               end
               support.near(600 * (columns - 2) * 0.0025, square, 0.3, "distance")
            end
         end
      end
   end)

   it("have covariances of factors and noise, and a likelihood equal to the sum of the densities", function()
      local X = three_planes(200, 5)
      for _, class in ipairs(classes) do
         local model = class { n_components = 2, n_factors = 2 }:fit(X)
         support.near(model.loglik, model:score_samples(X):sum(), 1e-10, "log likelihood")
         for k = 1, 2 do
            local W = model.factors:slice(2 * k - 1, 2 * k)
            local C, noise = W:t() * W, model.noise_variance[k]
            for j = 1, 5 do C:set(j, j, C:get(j, j) + (type(noise) == "number" and noise or noise[j])) end
            support.near_rows(model:covariance { component = k }, C, 1e-10, "covariance", 1)
         end
         for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
      end
   end)

   it("are ProbabilisticPCA and FactorAnalysis with one component", function()
      local X = ml.StandardScaler {}:fit_transform(ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix())
      local ppca = ml.ProbabilisticPCA { n_components = 3 }:fit(X)
      local mixture = ml.MixturePPCA { n_factors = 3, reg_covar = 0 }:fit(X)
      support.near(ppca.loglike, mixture.loglik, 1e-11, "log likelihood")
      support.near(ppca.noise_variance, mixture.noise_variance[1], 1e-9, "noise")
      local few = X:slice(1, 4)
      local mine, theirs = mixture:transform(few), ppca:transform(few)
      for i = 1, 4 do
         for c = 1, 3 do support.near(math.abs(theirs:get(i, c)), math.abs(mine:get(i, c)), 1e-8, "coordinate", 1) end
      end
      local fa = ml.FactorAnalysis { n_components = 3 }:fit(X)
      mixture = ml.MixtureFactorAnalyzers { n_factors = 3, reg_covar = 0, tol = 1e-10, max_iter = 5000 }:fit(X)
      support.near(fa.loglike, mixture.loglik, 1e-7, "log likelihood") -- EM is slow near the optimum
   end)

   it("integrate missing values out", function()
      local X = three_planes(300, 6)
      local full = ml.MixturePPCA { n_components = 3, n_factors = 2, n_init = 20, seed = 1 }:fit(X)
      local holes = X:copy()
      for i = 1, 300, 4 do holes:set(i, 1 + i % 6, nan) end
      local model = ml.MixturePPCA { n_components = 3, n_factors = 2, n_init = 20, seed = 1 }:fit(holes)
      local filled, off = model:reconstruct(holes), 0
      for i = 1, 300, 4 do off = math.max(off, math.abs(filled:get(i, 1 + i % 6) - X:get(i, 1 + i % 6))) end
      assert.is_true(full.loglik > model.loglik or model.loglik > 0)
      assert.is_true(off < 0.6, off) -- four standard deviations of a value given the plane are about 0.3
   end)

   it("give the same bytes for any number of threads", function()
      local X = three_planes(150, 4)
      for _, class in ipairs(classes) do
         support.same_for_any_threads(function()
            return class { n_components = 2, n_init = 3, max_iter = 5 }:fit(X)
         end)
      end
   end)

   it("refuse as many factors as columns", function()
      for _, class in ipairs(classes) do
         support.refuses("n_factors must be less than columns = 3, got 3", function()
            class { n_factors = 3 }:fit(ml.normal(10, 3, 1))
         end)
      end
      support.refuses("n_components must be at most the number of rows", function()
         ml.MixturePPCA { n_components = 20 }:fit(ml.normal(10, 3, 1))
      end)
   end)
end)
