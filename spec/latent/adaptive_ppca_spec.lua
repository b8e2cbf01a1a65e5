local ml = require "manilius"
local support = dofile "spec/support.lua"

-- Three axes that meet at (5, 5, 5), of which two are active: the three planes that they span.
local axes = { { 2, 0.3, 0 }, { -0.2, 1.5, 0.5 }, { 0.3, 0, 1.8 } }

local function three_planes(n, noise)
   local Z, labels = ml.normal(n, 3, 1), {}
   for i = 1, n do
      Z:set(i, i % 3 + 1, 0)
      labels[i] = i % 3 + 1
   end
   return Z * ml.Matrix(axes) + ml.normal(n, 3, 2) * noise + 5, labels, Z
end

-- log N(x | 0, C) of three columns, by the inverse and determinant of C as cofactors.
local function log_normal3(x, C)
   local function c(i, j)
      return C[i % 3 + 1][j % 3 + 1]
   end
   local cofactor, det, distance = {}, 0, 0
   for i = 0, 2 do
      cofactor[i] = {}
      for j = 0, 2 do cofactor[i][j] = c(i + 1, j + 1) * c(i + 2, j + 2) - c(i + 1, j + 2) * c(i + 2, j + 1) end
   end
   for j = 0, 2 do det = det + c(0, j) * cofactor[0][j] end
   for i = 0, 2 do
      for j = 0, 2 do distance = distance + x[i + 1] * x[j + 1] * cofactor[i][j] / det end
   end
   return -(3 * math.log(2 * math.pi) + math.log(det) + distance) / 2
end

-- log weight_S + log N(x | mean, covariance of S), for each subset.
local function log_joint(model, x)
   local list, d = {}, {}
   for j = 1, 3 do d[j] = x[j] - model.mean[j] end
   for s = 1, model.subsets.rows do
      local C = {}
      for i = 1, 3 do
         C[i] = {}
         for j = 1, 3 do
            C[i][j] = i == j and model.noise_variance or 0
            for k = 1, model.components.rows do
               C[i][j] = C[i][j] + model.subsets:get(s, k) * model.components:get(k, i) * model.components:get(k, j)
            end
         end
      end
      list[s] = math.log(model.weights[s]) + log_normal3(d, C)
   end
   return list
end

describe("AdaptivePPCA", function()
   it("recovers three planes: axes, point of intersection, subsets, noise", function()
      local X, labels = three_planes(1500, 0.1)
      local model = ml.AdaptivePPCA { seed = 1 }:fit(X)
      support.near(0.01, model.noise_variance, 0.1, "noise") -- its standard error is 4%
      for j = 1, 3 do support.near(5, model.mean[j], 0.005, "mean") end
      local place = {}
      for k = 1, 3 do -- axes with the signs and the order of the model
         for a, axis in ipairs(axes) do
            local along, mine, theirs = 0, 0, 0
            for j = 1, 3 do
               local w = model.components:get(k, j)
               along, mine, theirs = along + w * axis[j], mine + w * w, theirs + axis[j] ^ 2
            end
            if math.abs(along) / math.sqrt(mine * theirs) > 0.999 then
               place[a] = k
               support.near(math.sqrt(theirs), math.sqrt(mine), 0.06, "length") -- standard error 1 / sqrt(2000)
            end
         end
      end
      local predicted, right = model:assign(X).subset, 0
      for i = 1, X.rows do
         local unused = place[labels[i]]
         if model.subsets:get(predicted[i], unused) == 0 then right = right + 1 end
      end
      -- planes cross, and rows near the lines where they meet may belong to either
      assert.is_true(right / X.rows > 0.9, right)
      for s = 1, 3 do support.near(1 / 3, model.weights[s], 0.1, "weight") end
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
   end)

   it("has the density, the posterior and the coordinates of a mixture over all subsets", function()
      local X = three_planes(300, 0.3)
      for _, sizes in ipairs { { 3, 2 }, { 5, 2 }, { 4, 1 } } do
         local model = ml.AdaptivePPCA { n_components = sizes[1], n_active = sizes[2], max_iter = 30, tol = 0 }
         ml.warnings "off"
         model:fit(X)
         ml.warnings "on"
         local density, proba = model:score_samples(X), model:assign(X).proba
         for _, i in ipairs { 1, 2, 77 } do
            local terms, sum = log_joint(model, X[i]), 0
            for s = 1, #terms do sum = sum + math.exp(terms[s]) end
            support.near(math.log(sum), density[i], 1e-10, "density", 1)
            for s = 1, #terms do
               support.near(math.exp(terms[s]) / sum, proba:get(i, s), 1e-9, "posterior", 1)
            end
         end
         support.near(model.loglike, density:sum(), 1e-10, "log likelihood")
         support.near(model.loglike, -model.trace[#model.trace], 1e-12, "trace")
         -- The likelihood of each row is stationary in z: the derivative of log p(x) by x is that of the
         -- reconstruction, (x_hat - x) / noise.
         local back, h = model:inverse_transform(model:transform(X)), 1e-5
         for j = 1, 3 do
            local up, down = X:slice(1, 4):copy(), X:slice(1, 4):copy()
            for i = 1, 4 do
               up:set(i, j, X:get(i, j) + h)
               down:set(i, j, X:get(i, j) - h)
            end
            local slope = (model:score_samples(up) - model:score_samples(down)) * (1 / (2 * h))
            for i = 1, 4 do
               support.near((back:get(i, j) - X:get(i, j)) / model.noise_variance, slope[i], 1e-5, "reconstruction", 1)
            end
         end
      end
   end)

   it("is ProbabilisticPCA if all components are active", function()
      local X = ml.StandardScaler {}:fit_transform(ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix())
      local ppca = ml.ProbabilisticPCA { n_components = 3 }:fit(X)
      local model = ml.AdaptivePPCA { n_components = 3, n_active = 3, tol = 1e-11, max_iter = 5000, n_init = 1 }:fit(X)
      support.near(ppca.loglike, model.loglike, 1e-8, "log likelihood")
      support.near(ppca.noise_variance, model.noise_variance, 1e-4, "noise") -- EM ends slowly
      assert.equal(ppca.n_parameters + 3, model.n_parameters) -- that of rotations is not subtracted
   end)

   it("finds more axes than columns, one active at a time", function()
      local directions = ml.Matrix { { 3, 0 }, { 0, 3 }, { 2, 2 }, { 2, -2 } }
      local Z, z = ml.zeros(800, 4), ml.normal(800, 1, 5)
      for i = 1, 800 do Z:set(i, i % 4 + 1, z:get(i, 1)) end
      local model = ml.AdaptivePPCA { n_components = 4, n_active = 1, n_init = 20 }
         :fit(Z * directions + ml.normal(800, 2, 6) * 0.05)
      for k = 1, 4 do
         local a, b = model.components:get(k, 1), model.components:get(k, 2)
         local angle = math.atan(b, a) / (math.pi / 4)
         support.near(math.floor(angle + 0.5), angle, 0.02, "angle", 1)
      end
      support.near(0.0025, model.noise_variance, 0.15, "noise")
   end)

   it("draws rows from the model", function()
      local X = three_planes(600, 0.1)
      local model = ml.AdaptivePPCA { seed = 1 }:fit(X)
      local again = model:sample { n = 4000, seed = 3 }
      support.near(model.loglike / 600, model:score_samples(again):mean(), 0.02, "mean log density")
   end)

   it("gives the same bytes for any number of threads", function()
      local X = three_planes(400, 0.1)
      support.same_for_any_threads(function()
         return ml.AdaptivePPCA { n_init = 3, max_iter = 50, tol = 1e-3 }:fit(X)
      end)
   end)

   it("refuses sizes that make no model", function()
      local X = three_planes(30, 0.1)
      support.refuses("n_active must be at most n_components = 3, got 4", function()
         ml.AdaptivePPCA { n_active = 4 }:fit(X)
      end)
      support.refuses("n_active must be less than columns = 3, got 3", function()
         ml.AdaptivePPCA { n_active = 3 }:fit(X)
      end)
      support.refuses("more than 10000 subsets of 2 of 200 components.*IndianBuffetProcess", function()
         ml.AdaptivePPCA { n_components = 200 }:fit(ml.normal(300, 5, 1))
      end)
      support.refuses("all columns of X are constant", function()
         ml.AdaptivePPCA {}:fit(ml.zeros(10, 3))
      end)
   end)
end)
