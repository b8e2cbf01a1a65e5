local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent_gaussian_process/bayesian_gplvm.lua"

local function iris()
   return (support.data("iris", "species")):matrix()
end

local function small(X)
   return ml.BayesianGPLVM { n_components = 2, n_inducing = 6, normalize = false, max_iter = 1, tol = 1 }:fit(X)
end

local function check_gradient(model, at)
   local found = model:bound { variables = oracle.variables }
   for _, i in ipairs(at) do
      local up, down = { table.unpack(oracle.variables) }, { table.unpack(oracle.variables) }
      up[i], down[i] = up[i] + 1e-5, down[i] - 1e-5
      local slope = (model:bound { variables = up }.value - model:bound { variables = down }.value) / 2e-5
      support.near(slope, found.gradient[i], 1e-5, "gradient " .. i, 1)
   end
end

describe("BayesianGPLVM", function()
   it("has the lower bound of GPy, and its gradient by finite differences", function()
      local model = small(oracle.rows)
      support.near(oracle.value, model:bound({ variables = oracle.variables }).value, 1e-8, "bound")
      check_gradient(model, { 1, 2, 40, 61, 90, 121, 122, 130, 133, 134, 135, 136 })
   end)

   it("leaves missing values out of the bound, with its gradient", function()
      local holes = ml.Matrix(oracle.rows)
      holes[4][2], holes[9][2], holes[9][3] = 0 / 0, 0 / 0, 0 / 0
      check_gradient(small(holes), { 1, 7, 17, 66, 77, 125, 133, 134, 136 })
   end)

   it("is below the log likelihood of a GPLVM without prior of the positions", function()
      local X = iris():slice(1, 40)
      local bayesian = ml.BayesianGPLVM { n_components = 2, n_inducing = 10 }:fit(X)
      assert(bayesian.lower_bound < ml.GPLVM { prior = "none" }:fit(X).loglike)
      for i = 2, #bayesian.trace do assert(bayesian.trace[i] <= bayesian.trace[i - 1]) end
   end)

   it("finds how many components rows in a curved sheet have", function()
      local draw, rows = support.draws "sheet", {}
      for i = 1, 80 do
         local a, b = 2 * draw() - 1, 2 * draw() - 1
         rows[i] = { a, b, a * b, a * a, b * b, a + b }
         for j = 1, 6 do rows[i][j] = rows[i][j] + 0.02 * (draw() - 0.5) end
      end
      local model = ml.BayesianGPLVM {}:fit(rows)
      local relevance = model.relevance:totable()
      table.sort(relevance, function(a, b) return a > b end)
      assert(relevance[3] < 0.1 * relevance[2], model.relevance)
   end)

   it("predicts rows from their positions, and places rows where their density is largest", function()
      local X = iris()
      local model = ml.BayesianGPLVM { n_components = 2 }:fit(X:slice(1, 100))
      local error, total = 0, 0
      local Y = model:inverse_transform(model.embedding)
      for i = 1, 100 do
         for j = 1, 4 do
            error, total = error + (X[i][j] - Y[i][j]) ^ 2, total + (X[i][j] - model.mean[j]) ^ 2
         end
      end
      assert(error < 0.05 * total, error / total)
      local new = ml.Matrix { X[120]:totable(), X[10]:totable() }
      new[2][3] = 0 / 0
      local z = model:transform(new)
      local function density(i, a, b)
         local at, sum = model:posterior { points = { { a, b } } }, -(a * a + b * b) / 2
         for j = 1, 4 do
            local x, v = new[i][j], at.variance[1][j]
            if x == x then sum = sum - (math.log(v) + (x - at.mean[1][j]) ^ 2 / v) / 2 end
         end
         return sum
      end
      for i = 1, 2 do
         for _, by in ipairs { { 1e-3, 0 }, { -1e-3, 0 }, { 0, 1e-3 }, { 0, -1e-3 } } do
            assert(density(i, z[i][1] + by[1], z[i][2] + by[2]) < density(i, z[i][1], z[i][2]))
         end
      end
   end)

   it("refuses a start of another size and wrong points", function()
      local model = ml.BayesianGPLVM { n_components = 2, start = { { 1, 2 } } }
      support.refuses("start must be rows x n_components = 150 x 2, got 1 x 2", model.fit, model, iris())
      model = small(oracle.rows)
      support.refuses("points must have 2 columns", model.posterior, model, { points = { { 1 } } })
      support.refuses("variables must have 136 values, got 1", model.bound, model, { variables = { 1 } })
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function()
         return ml.BayesianGPLVM { n_components = 2, max_iter = 3, tol = 1 }:fit(iris())
      end)
   end)
end)
