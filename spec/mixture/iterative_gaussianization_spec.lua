local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local near, near_rows = support.near, support.near_rows

-- A ring with noise.
local function ring(n, seed)
   local u, z, rows = core.random(n, nil, seed), core.normal(n, 2, seed + 1), {}
   for i = 1, n do
      local angle = 2 * math.pi * u[i]
      rows[i] = { 3 * math.cos(angle) + 0.3 * z:get(i, 1), 3 * math.sin(angle) + 0.3 * z:get(i, 2) }
   end
   return rows
end

describe("IterativeGaussianization", function()
   it("inverts its transformation", function()
      local X = ml.read_csv("examples/data/iris.csv"):split "species"
      local model = ml.IterativeGaussianization {}:fit(X)
      local Z = model:transform(X:matrix())
      near_rows(X:matrix():totable(), model:inverse_transform(Z), 1e-7)
      local far = { { 40, -3, 0, 9 }, { 1, 2, 3, 4 } }
      near_rows(far, model:inverse_transform(model:transform(far)), 1e-6, "far", 1)
   end)

   it("makes the columns normal and uncorrelated", function()
      local Z = ml.IterativeGaussianization {}:fit_transform(ring(1000, 3))
      for j = 1, 2 do
         near(0, Z:col(j):mean(), 0.05, "mean", 1)
         near(1, Z:col(j):std(), 0.05)
         near(0.6745, Z:col(j):quantile(0.75), 0.15)
      end
      near(0, Z:col(1):dot(Z:col(2)) / 1000, 0.05, "correlation", 1)
   end)

   it("has the density of the change of variables", function()
      local model = ml.IterativeGaussianization { n_layers = 6, n_quantiles = 20 }:fit(ring(500, 7))
      local h = 1e-6
      for _, x in ipairs { { 3, 0.1 }, { 0.2, -2.8 }, { 0.1, 0.3 }, { 9, 9 } } do
         local a, b = x[1], x[2]
         local Z = model:transform { { a, b }, { a + h, b }, { a - h, b }, { a, b + h }, { a, b - h } }
         local function slope(i, j) return (Z:get(2 * i, j) - Z:get(2 * i + 1, j)) / (2 * h) end
         local det = slope(1, 1) * slope(2, 2) - slope(1, 2) * slope(2, 1)
         local normal = -math.log(2 * math.pi) - (Z:get(1, 1) ^ 2 + Z:get(1, 2) ^ 2) / 2
         near(normal + math.log(math.abs(det)), model:score_samples({ x })[1], 1e-5, "density", 1)
      end
   end)

   it("integrates to 1, and adds up to its log likelihood", function()
      local X = ring(400, 2)
      local model = ml.IterativeGaussianization { n_layers = 8 }:fit(X)
      near(model.loglik, model:score_samples(X):sum(), 1e-9)
      local rows = {}
      for a = -120, 120 do
         for b = -120, 120 do rows[#rows + 1] = { a / 20, b / 20 } end
      end
      near(1, model:score_samples(rows):exp():sum() / 400, 0.03)
   end)

   it("describes new rows of a ring better than a normal distribution, and samples them", function()
      local model = ml.IterativeGaussianization { n_quantiles = 20 }:fit(ring(2000, 1))
      local new = ring(1000, 9)
      local normal = ml.GaussianMixture {}:fit(ring(2000, 1))
      assert.is_true(model:score_samples(new):mean() > normal:score_samples(new):mean() + 0.5)
      local inside = 0
      for _, row in ipairs(model:sample({ n = 1000, seed = 1 }):totable()) do
         local r = math.sqrt(row[1] ^ 2 + row[2] ^ 2)
         inside = inside + (r > 1.8 and r < 4.2 and 1 or 0)
      end
      assert.is_true(inside > 900, inside)
   end)

   it("handles constant columns, equal rows and few rows", function()
      for _, X in ipairs { { { 1, 5 }, { 2, 5 }, { 3, 5 } }, { { 1, 1 }, { 1, 1 } }, { { 4, 2 } } } do
         local model = ml.IterativeGaussianization { n_layers = 3 }:fit(X)
         near_rows(X, model:inverse_transform(model:transform(X)), 1e-9)
         for _, value in ipairs(model:score_samples(X)) do assert.is_true(value == value and value < math.huge) end
      end
   end)
end)
