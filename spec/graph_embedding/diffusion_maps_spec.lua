local ml = require "manilius"
local support = dofile "spec/support.lua"
local common = dofile "spec/graph_embedding/common.lua"

-- The transition matrix of the random walk and its stationary distribution, by their definitions.
local function walk(D, gamma, alpha)
   local n = D.rows
   local K = D:square():mul(-gamma):exp()
   local q, P, stationary, total = {}, ml.Matrix(n, n), {}, 0
   for i = 1, n do q[i] = K[i]:sum() ^ alpha end
   for i = 1, n do
      local sum = 0
      for j = 1, n do sum = sum + K[i][j] / (q[i] * q[j]) end
      for j = 1, n do P:set(i, j, K[i][j] / (q[i] * q[j]) / sum) end
      stationary[i], total = sum, total + sum
   end
   for i = 1, n do stationary[i] = stationary[i] / total end
   return P, stationary
end

describe("DiffusionMaps", function()
   local X = common.roll(25)
   local D = ml.pairwise_distances(X)

   for _, alpha in ipairs { 0, 0.5, 1 } do
      it("has the diffusion distances with all components: alpha = " .. alpha, function()
         local model = ml.DiffusionMaps { n_components = 24, alpha = alpha, diffusion_time = 3, gamma = 0.02 }:fit(X)
         local P, stationary = walk(D, 0.02, alpha)
         local Pt = P * P * P
         for i = 1, 25, 6 do
            for j = 1, 25, 4 do
               local wanted, got = 0, 0
               for k = 1, 25 do wanted = wanted + (Pt[i][k] - Pt[j][k]) ^ 2 / stationary[k] end
               for c = 1, 24 do got = got + (model.embedding[i][c] - model.embedding[j][c]) ^ 2 end
               support.near(wanted, got, 1e-9, "distance", 1)
            end
         end
      end)
   end

   it("has the eigenvalues of points on a circle", function()
      local circle, n, gamma = {}, 40, 0.8
      for i = 1, n do circle[i] = { math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n) } end
      local model = ml.DiffusionMaps { n_components = 4, gamma = gamma, diffusion_time = 0 }:fit(circle)
      local function sum(frequency)
         local total = 0
         for j = 1, n do
            local squared = 2 - 2 * math.cos(2 * math.pi * j / n)
            total = total + math.exp(-gamma * squared) * math.cos(2 * math.pi * frequency * j / n)
         end
         return total
      end
      for c, frequency in ipairs { 1, 1, 2, 2 } do
         support.near(sum(frequency) / sum(0), model.eigenvalues[c], 1e-12, "eigenvalue")
      end
      -- The coordinates are a circle with the variance 1 in each.
      for i = 1, n do
         support.near(2, model.embedding[i][1] ^ 2 + model.embedding[i][2] ^ 2, 1e-9, "radius")
      end
   end)

   it("leaves training rows in place, and places new rows by the walk", function()
      for _, settings in ipairs { {}, { alpha = 0, diffusion_time = 2.5 }, { metric = "manhattan", alpha = 0.5 } } do
         local model = ml.DiffusionMaps(settings):fit(X)
         support.near_rows(model.embedding, model:transform(X), 1e-9, "coordinates", 1)
         support.near_rows(model.embedding, model:fit_transform(X), 1e-12, "coordinates", 1)
      end
      local model = ml.DiffusionMaps {}:fit(X)
      local other = ml.DiffusionMaps { metric = "precomputed" }:fit(D)
      support.near_rows(model.embedding, other.embedding, 1e-10, "coordinates", 1)
      -- A row far from all others is placed by the nearest one.
      local far = model:transform { { 1e4, 0, 0 } }
      assert(far[1][1] - far[1][1] == 0)
   end)

   it("chooses gamma by the median of the squared distances, and takes many rows by Lanczos", function()
      local squares = {}
      for i = 1, 25 do
         for j = 1, i - 1 do squares[#squares + 1] = D[i][j] ^ 2 end
      end
      support.near(1 / ml.Vector(squares):quantile(0.5), ml.DiffusionMaps {}:fit(X).kernel_gamma, 1e-12)
      local many, length = common.roll(400)
      local model = ml.DiffusionMaps { gamma = 0.3 }:fit(many)
      local P = walk(ml.pairwise_distances(many), 0.3, 1)
      for c = 1, 2 do
         local z = model.embedding:col(c):copy()
         support.near_all(z * model.eigenvalues[c], (P * z:as_column()):flatten(), 1e-8, "P z", 1)
      end
      local along = model.embedding:slice(1, 400, 1, 1)
      local bent = ml.hcat(along, along:square(), along:mul(along):mul(along))
      assert(ml.LinearRegression {}:fit(bent, length):score(bent, length) > 0.97)
   end)

   it("takes equal rows, warns of parts, and refuses too many rows", function()
      assert.equal(0, ml.DiffusionMaps { n_components = 1 }:fit({ { 1, 1 }, { 1, 1 }, { 1, 1 } }).eigenvalues[1])
      local warned
      ml.warnings(function(text) warned = text end)
      ml.DiffusionMaps { gamma = 1 }:fit { { 0 }, { 1 }, { 2 }, { 100 }, { 101 } }
      ml.warnings "on"
      assert.matches("decrease gamma", warned)
      local model = ml.DiffusionMaps {}
      support.refuses("fit a sample of the rows and transform the others", model.fit, model, ml.Matrix(100001, 1))
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.DiffusionMaps {}:fit(X) end)
   end)
end)
