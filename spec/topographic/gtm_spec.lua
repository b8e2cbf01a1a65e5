local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/topographic/gtm.lua"

local function iris()
   return (support.data("iris", "species")):matrix()
end

-- A value is missing in every fourth row, as in gtm.py.
local function with_holes()
   local X = iris()
   for i = 1, 150, 4 do X[i][(i - 1) // 4 % 4 + 1] = 0 / 0 end
   return X
end

local function every(step, values)
   local out = {}
   for i = 1, #values, step do out[#out + 1] = values[i] end
   return out
end

local settings = {
   plane = { grid_size = 10 },
   line = { n_components = 1, grid_size = 30, basis_size = 6, basis_width = 1.5, alpha = 0.01 },
   missing = { grid_size = 8, basis_size = 3, basis_width = 1.2, alpha = 0.5 },
}

local function fitted(name)
   local params = { tol = 0, max_iter = 12 }
   for key, value in pairs(settings[name]) do params[key] = value end
   local X = name == "missing" and with_holes() or iris()
   return ml.GTM(params):fit(X), X
end

describe("GTM", function()
   for name in pairs(settings) do
      it("takes the iterations of an implementation in NumPy: " .. name, function()
         local model, X = fitted(name)
         local wanted = oracle[name]
         support.near_all(wanted.trace, model.trace, 1e-9, "objective")
         support.near(wanted.noise_variance, model.noise_variance, 1e-8, "noise variance")
         support.near(wanted.loglike, model.loglike, 1e-9, "log likelihood")
         support.near_rows(wanted.centers, every(13, model.centers), 1e-7, "centers", 1)
         support.near_all(wanted.density, every(15, model:score_samples(X)), 1e-8, "log density")
         local posterior = model:posterior(X)
         for _, what in ipairs { "mean", "mode", "variance" } do
            support.near_rows(wanted[what], every(15, posterior[what]), 1e-7, what, 1)
         end
         support.near_all(wanted.entropy, every(15, posterior.entropy), 1e-7, "entropy", 1)
      end)
   end

   it("never lowers the penalized log likelihood", function()
      local model = ml.GTM { alpha = 1, tol = 1e-6 }:fit(iris())
      assert.is_true(model.converged)
      for i = 2, #model.trace do assert(model.trace[i] <= model.trace[i - 1]) end
   end)

   it("transforms to the mean or the mode of the responsibilities", function()
      local model, X = fitted "plane"
      local r, wanted = model:responsibilities(X), model:responsibilities(X) * model.latent_points
      for i = 1, 150 do support.near(1, r[i]:sum(), 1e-12, "sum") end
      support.near_rows(wanted, model:transform(X), 1e-10, "mean", 1)
      local modes = model:clone():set_params { projection = "mode" }:fit(X):transform(X)
      support.near_rows(modes, model:posterior(X).mode, 0, "mode")
   end)

   it("has magnification factors of its mapping, by finite differences", function()
      local model = fitted "plane"
      local at, step = { { 0.3, -0.4 }, { -0.9, 0.1 } }, 1e-5
      local found = model:magnification { points = at }
      for i, u in ipairs(at) do
         local slope = {}
         for c = 1, 2 do
            local up, down = { u[1], u[2] }, { u[1], u[2] }
            up[c], down[c] = u[c] + step, u[c] - step
            slope[c] = (model:inverse_transform { up } - model:inverse_transform { down }) / (2 * step)
         end
         local function product(a, b) return (slope[a] * slope[b]:t())[1][1] end
         local determinant = product(1, 1) * product(2, 2) - product(1, 2) ^ 2
         support.near(math.sqrt(determinant), found.factor[i], 1e-6, "factor")
         support.near(found.factor[i], found.stretch[i][1] * found.stretch[i][2], 1e-12, "product of the stretches")
         support.near(product(1, 1) + product(2, 2), found.stretch[i][1] ^ 2 + found.stretch[i][2] ^ 2, 1e-6, "trace")
      end
      assert.equal(100, #model:magnification().factor)
   end)

   it("maps its nodes to its centers", function()
      local model = fitted "plane"
      support.near_rows(model.centers, model:inverse_transform(model.latent_points), 1e-12, "centers", 1)
   end)

   it("finds a curve in the plane, and samples about it", function()
      local draw, rows = support.draws "curve", {}
      for i = 1, 200 do
         local t = 2 * draw() - 1
         rows[i] = { t, t * t + 0.02 * (draw() - 0.5) }
      end
      local model = ml.GTM { n_components = 1, grid_size = 40, basis_size = 6, alpha = 1e-4, tol = 1e-6 }:fit(rows)
      assert(model.noise_variance < 2e-3, model.noise_variance)
      for i = 1, 40 do support.near(model.centers[i][1] ^ 2, model.centers[i][2], 0.05, "curve", 1) end
      local drawn = model:sample { n = 500, seed = 3 }
      local worst = 0
      for i = 1, 500 do worst = math.max(worst, math.abs(drawn[i][2] - drawn[i][1] ^ 2)) end
      assert(worst < 0.3)
      support.near_rows(drawn, model:sample { n = 500, seed = 3 }, 0, "sample")
   end)

   it("takes constant columns and rows that are all equal", function()
      local model = ml.GTM { n_components = 1 }:fit { { 1, 5 }, { 1, 5 }, { 1, 5 } }
      support.near_all({ 1, 5 }, model.centers[3], 1e-12, "center")
      model = ml.GTM { n_components = 1 }:fit { { 1, 5 }, { 2, 5 }, { 4, 5 } }
      assert(model:transform({ { 1, 5 } })[1][1] ~= model:transform({ { 4, 5 } })[1][1])
   end)

   it("refuses grids that are too large, and columns without values", function()
      local model = ml.GTM { n_components = 3, grid_size = 200 }
      support.refuses("reduce them", model.fit, model, iris())
      model = ml.GTM {}
      support.refuses("at most the number of columns, 1, got 2", model.fit, model, { { 1 }, { 2 } })
      support.refuses("column 2 of X has no values", model.fit, model, { { 1, 0 / 0 }, { 2, 0 / 0 } })
      model = ml.GTM { grid_size = 3 }:fit(iris())
      support.refuses("points must have 2 columns", model.magnification, model, { points = { { 1 } } })
   end)

   it("gives the same for any number of threads", function()
      local draw, rows = support.draws "threads", {}
      for i = 1, 700 do rows[i] = { draw(), draw(), draw() } end
      support.same_for_any_threads(function() return ml.GTM { grid_size = 5, max_iter = 5, tol = 0 }:fit(rows) end)
   end)
end)
