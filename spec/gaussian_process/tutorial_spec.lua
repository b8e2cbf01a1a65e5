--- The textbook figure: a sine from 40 noisy rows with Gaussian and Ornstein-Uhlenbeck covariances; and intervals that
--- cover what they promise.
local ml = require "manilius"

local k = ml.kernel

local function sine()
   local u, x = ml.random(40, 1, 7):col(1), ml.Vector(40)
   for i = 1, 40 do x[i] = 8 * u[i] < 4 and 8 * u[i] or 8 * u[i] + 2 end -- nothing from 4 to 6
   return x:as_column(), x:sin() + ml.normal(40, 1, 8):col(1) * 0.2
end

describe("the textbook figure", function()
   local X, y = sine()
   local function fitted(covariance)
      return ml.GaussianProcessRegressor { kernel = 1 * covariance + k.White { noise = 0.1 } }:fit(X, y)
   end

   it("has error bars that widen away from data, for both covariances", function()
      for _, covariance in ipairs { k.RBF {}, k.OrnsteinUhlenbeck {} } do
         local model = fitted(covariance)
         assert(model.converged)
         local wide = model:intervals({ { 2.3 }, { 5 }, { 8 }, { 10.5 }, { 12 } }, { kind = "confidence" }).std_error
         assert(wide[2] > 2 * wide[1] and wide[2] > 2 * wide[3], tostring(wide))
         assert(wide[4] > wide[3] and wide[5] > wide[4], tostring(wide))
         local found, inside = model:intervals(X, { kind = "prediction" }), 0
         for i = 1, 40 do inside = inside + (found.low[i] <= y[i] and y[i] <= found.high[i] and 1 or 0) end
         assert(inside >= 35, inside)
      end
   end)

   it("is smoother and more likely with the Gaussian covariance, since a sine is smooth", function()
      local gaussian, rough = fitted(k.RBF {}), fitted(k.OrnsteinUhlenbeck {})
      assert(gaussian.log_likelihood > rough.log_likelihood + 2)
      local at = ml.linspace(0.5, 3.5, 61):as_column()
      local truth = at:col(1):sin()
      assert((gaussian:predict(at) - truth):abs():mean() < (rough:predict(at) - truth):abs():mean())
      assert.near(0.2, math.sqrt(math.exp(gaussian.fitted_kernel.theta[3])), 0.06)
   end)
end)

describe("intervals of GaussianProcessRegressor", function()
   -- 400 draws of 50 correlated test values: the standard error of the coverage is about 0.004.
   it("cover 94 to 96% of new observations, and of the function, on draws from the prior", function()
      local kernel = 1 * k.Matern { length = 1, nu = 2.5 }
      local at = ml.linspace(0, 10, 80):as_column()
      local functions = ml.GaussianProcessRegressor { kernel = kernel }:sample_prior(at, { n = 400, seed = 4 })
      local noise = ml.normal(80, 400, 5) * 0.3
      local train, test = {}, {}
      for i = 1, 80 do table.insert(i % 8 < 3 and train or test, i) end
      local model = ml.GaussianProcessRegressor { kernel = kernel + k.White { noise = 0.09 }, optimizer = "none" }
      local seen, covered = 0, { prediction = 0, confidence = 0 }
      for draw = 1, 400 do
         local f = functions:col(draw)
         local y = f + noise:col(draw)
         model:fit(at:take(train), y:take(train))
         for kind in pairs(covered) do
            local found, truth = model:intervals(at:take(test), { kind = kind }), kind == "prediction" and y or f
            for i, row in ipairs(test) do
               local inside = found.low[i] <= truth[row] and truth[row] <= found.high[i]
               covered[kind] = covered[kind] + (inside and 1 or 0)
            end
         end
         seen = seen + #test
      end
      for kind, count in pairs(covered) do
         assert(count / seen > 0.94 and count / seen < 0.96, kind .. " " .. count / seen)
      end
   end)
end)
