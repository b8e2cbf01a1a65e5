local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent_gaussian_process/gplvm.lua"

local k = ml.kernel
local kernels = {
   ard = function(t)
      return k.Constant { value = math.exp(t[1]) } * k.RBF { length = { math.exp(t[2]), math.exp(t[3]) } }
         + k.White { noise = math.exp(t[4]) }
   end,
   matern = function(t)
      return k.Constant { value = math.exp(t[1]) } * k.Matern { length = math.exp(t[2]), nu = 2.5 }
         + k.White { noise = math.exp(t[3]) }
   end,
}

local function iris()
   return (support.data("iris", "species")):matrix()
end

local function swiss_roll(n)
   local draw, rows = support.draws "roll", {}
   for i = 1, n do
      local t = 1.5 * math.pi * (1 + draw())
      rows[i] = { t * math.cos(t), 6 * draw(), t * math.sin(t) }
   end
   return ml.Matrix(rows)
end

describe("GPLVM", function()
   for name, kernel in pairs(kernels) do
      it("has the log likelihood and gradients of GPy: " .. name, function()
         local wanted = oracle[name]
         local model = ml.GPLVM { kernel = kernel(wanted.theta), normalize = false, max_iter = 1 }:fit(oracle.rows)
         local found = model:log_likelihood { points = oracle.start, theta = wanted.theta }
         support.near(wanted.value, found.value, 1e-8, "log likelihood")
         support.near_all(wanted.theta_gradient, found.theta_gradient, 1e-8, "gradient by theta")
         support.near_rows(wanted.points_gradient, found.points_gradient, 1e-8, "gradient by positions", 1)
      end)

      it("has the mean and variance of a Gaussian process of its embedding: " .. name, function()
         local model = ml.GPLVM { kernel = kernel(oracle[name].theta), max_iter = 5 }:fit(iris())
         local at, X = ml.Matrix { { 0.3, -0.2 }, { 2, 1 } }, iris() / model.unit
         local found = model:posterior { points = at }
         for j = 1, 4 do
            local gp = ml.GaussianProcessRegressor { kernel = model.fitted_kernel, optimizer = "none" }
            gp:fit(model.embedding, X:col(j) - model.mean[j] / model.unit)
            local mean = gp:predict(at)
            for i = 1, 2 do
               support.near(model.mean[j] + model.unit * mean[i], found.mean[i][j], 1e-7, "mean")
               assert(found.variance[i][j] > 0)
            end
         end
         support.near_rows(model:inverse_transform(at), found.mean, 1e-12, "mean")
      end)
   end

   it("leaves missing values out of the likelihood", function()
      local X, kernel = iris():slice(1, 20), kernels.ard { 0.2, 0.1, -0.3, -2 }
      local settings = { kernel = kernel, normalize = false, max_iter = 1 }
      local Z = ml.normal(20, 2, 3)
      local holes = ml.Matrix(X:totable())
      holes[4][2], holes[9][2], holes[9][3] = 0 / 0, 0 / 0, 0 / 0
      local model = ml.GPLVM(settings):fit(holes)
      local found = model:log_likelihood { points = Z, theta = { 0.2, 0.1, -0.3, -2 } }
      -- The sum over columns, each alone with the rows that it has, about the same mean.
      local sum = 0
      for j = 1, 4 do
         local rows, values = {}, {}
         for i = 1, 20 do
            if holes[i][j] == holes[i][j] then
               rows[#rows + 1], values[#values + 1] = i, { holes[i][j] }
            end
         end
         local gp = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none" }
         gp:fit(Z:take(rows), ml.Matrix(values):col(1) - model.mean[j])
         sum = sum + gp.log_likelihood
      end
      support.near(sum, found.value, 1e-6, "log likelihood")
      for _, at in ipairs { { 4, 1 }, { 9, 2 }, { 15, 1 } } do
         local up, down = ml.Matrix(Z:totable()), ml.Matrix(Z:totable())
         up[at[1]][at[2]], down[at[1]][at[2]] = up[at[1]][at[2]] + 1e-5, down[at[1]][at[2]] - 1e-5
         local theta = { 0.2, 0.1, -0.3, -2 }
         local slope = (model:log_likelihood { points = up, theta = theta }.value
            - model:log_likelihood { points = down, theta = theta }.value) / 2e-5
         support.near(slope, found.points_gradient[at[1]][at[2]], 1e-5, "gradient", 1)
      end
      assert.equal(2, model:transform(holes:slice(1, 3)).cols)
   end)

   it("reconstructs a swiss roll better than the principal components", function()
      local X = swiss_roll(80)
      local function error_of(Y)
         local sum = 0
         for i = 1, X.rows do
            for j = 1, 3 do sum = sum + (X[i][j] - Y[i][j]) ^ 2 end
         end
         return sum
      end
      local model, pca = ml.GPLVM {}:fit(X), ml.PCA { n_components = 2 }:fit(X)
      local linear = error_of(pca:inverse_transform(pca:transform(X)))
      assert(error_of(model:inverse_transform(model.embedding)) < 0.2 * linear)
   end)

   it("raises the posterior density in every iteration", function()
      local model = ml.GPLVM { max_iter = 30 }:fit(iris():slice(1, 40))
      for i = 2, #model.trace do assert(model.trace[i] <= model.trace[i - 1]) end
   end)

   it("places new rows where their density is largest, also with missing values", function()
      local X = iris()
      local model = ml.GPLVM { max_iter = 60 }:fit(X:slice(1, 100))
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
         local best = density(i, z[i][1], z[i][2])
         for _, by in ipairs { { 1e-3, 0 }, { -1e-3, 0 }, { 0, 1e-3 }, { 0, -1e-3 } } do
            assert(density(i, z[i][1] + by[1], z[i][2] + by[2]) < best)
         end
      end
   end)

   it("maps rows by back constraints", function()
      local X = iris():slice(1, 60)
      local model = ml.GPLVM { back_constraints = true, max_iter = 40 }:fit(X)
      support.near_rows(model.embedding, model:transform(X), 1e-4, "positions", 1)
      for i = 2, #model.trace do assert(model.trace[i] <= model.trace[i - 1]) end
      support.refuses("without missing values", model.transform, model, { { 1, 2, 3, 0 / 0 } })
   end)

   it("refuses a start of another size, columns without values and wrong points", function()
      local model = ml.GPLVM { start = { { 1, 2 } } }
      support.refuses("start must be rows x n_components = 20 x 2, got 1 x 2", model.fit, model, iris():slice(1, 20))
      model = ml.GPLVM { max_rows = 10 }
      support.refuses("at most max_rows = 10 rows, got 20", model.fit, model, iris():slice(1, 20))
      model = ml.GPLVM { n_components = 1 }
      support.refuses("column 2 of X has no values", model.fit, model, { { 1, 0 / 0 }, { 2, 0 / 0 } })
      model = ml.GPLVM { max_iter = 2 }:fit(iris():slice(1, 20))
      support.refuses("points must have 2 columns", model.posterior, model, { points = { { 1 } } })
      support.refuses("theta must have 3 values, got 1", model.log_likelihood, model, { theta = { 1 } })
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.GPLVM { max_iter = 5 }:fit(iris()) end)
   end)
end)
