--- GaussianProcessRegressor: rows added and removed, known noise, derivatives, prior samples, summary, limits.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg
local new = ml.Matrix { { 2.5, 1.0 }, { 3.2, 1.5 }, { 5.5, 3.5 } }
local KERNEL = 30 * k.RBF { length = { 1.5, 0.8 } } + k.White { noise = 4 }

local function near_all(wanted, got, tolerance) support.near_all(wanted, got, tolerance, nil, 1) end

local function settings_with(more)
   local settings = { kernel = KERNEL, optimizer = "none" }
   for name, value in pairs(more or {}) do settings[name] = value end
   return settings
end

-- All predictions of two models agree to 1e-9.
local function same(a, b)
   near_all(a:predict(new), b:predict(new), 1e-9)
   near_all(a:predict_interval(new).std, b:predict_interval(new).std, 1e-9)
   near_all(a:leave_one_out().mean, b:leave_one_out().mean, 1e-9)
   assert.near(a.log_likelihood, b.log_likelihood, 1e-9)
end

local function without(...)
   local left, list = {}, {}
   for _, i in ipairs { ... } do left[i] = true end
   for i = 1, X.rows do list[#list + 1] = not left[i] and i or nil end
   return list
end

describe("GaussianProcessRegressor", function()
   for _, mean in ipairs { "zero", "constant", "linear" } do
      for _, normalize in ipairs { false, true } do
         local name = mean .. (normalize and ", normalized" or "")
         local function fitted(rows)
            return ml.GaussianProcessRegressor(settings_with { mean = mean, normalize_y = normalize }):fit(X:take(rows),
               y:take(rows))
         end

         it("adds rows one at a time and in batches as if fitted to all: " .. name, function()
            local model = fitted(ml.range(1, 20):totable())
            for i = 21, 29 do model:partial_fit(X:slice(i, i), y:slice(i, i)) end
            model:partial_fit(X:slice(30, 32), y:slice(30, 32))
            same(fitted(without()), model)
         end)

         it("forgets rows as if they had never been there: " .. name, function()
            same(fitted(without(1, 5, 32)), fitted(without()):forget(32):forget(5):forget())
         end)
      end
   end

   for _, mean in ipairs { "zero", "linear" } do
      it("adds and forgets rows of two targets in turn: " .. mean, function()
         local both = ml.hcat(y, cars.qsec)
         local settings = settings_with { mean = mean }
         local model = ml.GaussianProcessRegressor(settings):fit(X:slice(1, 20), both:slice(1, 20))
         for i = 21, 24 do model:partial_fit(X:slice(i, i), both:slice(i, i)) end
         model:forget(22):forget(3)
         for i = 25, 32 do model:partial_fit(X:slice(i, i), both:slice(i, i)) end
         local rows = without(3, 22)
         local again = ml.GaussianProcessRegressor(settings):fit(X:take(rows), both:take(rows))
         assert((again:predict(new) - model:predict(new)):abs():max() < 1e-9)
         assert.near(again.log_likelihood, model.log_likelihood, 1e-9)
      end)
   end

   it("keeps a window of the latest rows", function()
      local model = ml.GaussianProcessRegressor(settings_with { window = 12 }):fit(X:slice(1, 15), y:slice(1, 15))
      assert.equal(12, model.dual_coef.rows or #model.dual_coef)
      for i = 16, 28 do model:partial_fit(X:slice(i, i), y:slice(i, i)) end
      model:partial_fit(X:slice(29, 32), y:slice(29, 32))
      same(ml.GaussianProcessRegressor(settings_with()):fit(X:slice(21, 32), y:slice(21, 32)), model)
      same(ml.load(model:dump()), model)
   end)

   it("stays accurate over many updates", function()
      local model = ml.GaussianProcessRegressor(settings_with { window = 10 }):fit(X:slice(1, 10), y:slice(1, 10))
      for _ = 1, 20 do
         for i = 1, 32 do model:partial_fit(X:slice(i, i), y:slice(i, i)) end
      end
      same(ml.GaussianProcessRegressor(settings_with()):fit(X:slice(23, 32), y:slice(23, 32)), model)
   end)

   it("adds rows to many with the same result for any number of threads, as if fitted to all", function()
      local many = ml.random(715, 2, 3) * 8
      local settings = { kernel = 2 * k.RBF { length = 1.5 } + k.White { noise = 0.1 }, optimizer = "none",
         mean = "constant" }
      local targets = ml.hcat(many:col(1):sin(), many:col(2):cos())
      local function grown(threads)
         ml.threads(threads)
         local model = ml.GaussianProcessRegressor(settings):fit(many:slice(1, 700), targets:slice(1, 700))
         for i = 701, 714 do model:partial_fit(many:slice(i, i), targets:slice(i, i)) end
         return model:partial_fit(many:slice(715, 715), targets:slice(715, 715))
      end
      local before = ml.threads()
      local one = grown(1)
      for _ = 1, 3 do assert.equal(one.dual_coef, grown(2).dual_coef) end
      assert.equal(one.dual_coef, grown(5).dual_coef)
      ml.threads(before)
      local whole = ml.GaussianProcessRegressor(settings):fit(many, targets)
      for t = 1, 2 do near_all(whole.dual_coef:col(t), one.dual_coef:col(t), 1e-9) end
   end)

   it("factors again where an update is singular", function()
      local kernel = k.RBF { length = 1 }
      local model = ml.GaussianProcessRegressor { kernel = kernel, alpha = 0, optimizer = "none" }
      model:fit({ { 0 }, { 1 } }, { 1, 2 }):partial_fit({ { 1 } }, { 2 })
      assert(model.jitter > 0 and model.jitter < 1e-8, model.jitter)
      near_all({ 1, 2 }, model:predict { { 0 }, { 1 } }, 1e-6)
   end)

   it("takes known variances of the noise of each row", function()
      local noise = ml.linspace(0.5, 8, 32)
      local model = ml.GaussianProcessRegressor(settings_with { kernel = 30 * k.RBF { length = 1.5 },
         noise_variance = noise }):fit(X, y)
      local A = (30 * k.RBF { length = 1.5 }):matrix(X)
      for i = 1, 32 do A:set(i, i, A:get(i, i) + noise[i] + 1e-10) end
      near_all((30 * k.RBF { length = 1.5 }):matrix(new, X) * A:solve(y), model:predict(new), 1e-9)
      assert.near(noise:mean(), model:summary().noise_variance, 1e-9)
      local grown = ml.GaussianProcessRegressor(settings_with { kernel = 30 * k.RBF { length = 1.5 },
         noise_variance = noise:slice(1, 20) }):fit(X:slice(1, 20), y:slice(1, 20))
      grown:set_params { noise_variance = noise:slice(21, 32) }
      same(model, grown:partial_fit(X:slice(21, 32), y:slice(21, 32)))
      refuses("noise_variance must be one number or one for each of 31 rows, got 32", function()
         ml.GaussianProcessRegressor { noise_variance = noise }:fit(X:slice(1, 31), y:slice(1, 31))
      end)
   end)

   it("is equal with a number as known noise and with alpha", function()
      local a = ml.GaussianProcessRegressor(settings_with { noise_variance = 2, alpha = 0 }):fit(X, y)
      local b = ml.GaussianProcessRegressor(settings_with { alpha = 2 }):fit(X, y)
      near_all(a:predict(new), b:predict(new), 1e-12)
      near_all(a:predict_interval(new).std, b:predict_interval(new).std, 1e-12)
   end)

   -- Central differences of step 1e-5: an error of about 1e-10 relative to the third derivative.
   it("has the derivatives of its mean and variance", function()
      local positive = new:copy()
      local kernels = { KERNEL, 3 * k.Matern { length = 2 } + k.Linear {}, k.Matern { nu = 2.5 } * k.Polynomial {},
         k.OrnsteinUhlenbeck { length = 3 } + 1, k.Laplacian { length = { 2, 3 } },
         k.RationalQuadratic { alpha = 0.5 } ^ 2, k.Periodic { period = 3 } + k.Cosine {}, k.Chi2 { gamma = 0.3 },
         k.Matern { nu = 0.5, length = 2, columns = 2 } + k.Sigmoid { gamma = 0.01 } }
      for _, kernel in ipairs(kernels) do
         for _, mean in ipairs { "zero", "linear" } do
            local model = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none", mean = mean, alpha = 4,
               normalize_y = true }:fit(X, y)
            local found, h = model:predict_gradient(positive), 1e-5
            local function variance(at)
               local sd = model:intervals(at, { kind = "confidence" }).std_error
               return sd:mul(sd)
            end
            for j = 1, 2 do
               local up, down = positive:copy(), positive:copy()
               for i = 1, 3 do
                  up:set(i, j, up:get(i, j) + h)
                  down:set(i, j, down:get(i, j) - h)
               end
               local name = tostring(kernel) .. " " .. mean
               support.near_all((model:predict(up) - model:predict(down)) / (2 * h), found.mean:col(j), 2e-6, name, 1)
               support.near_all((variance(up) - variance(down)) / (2 * h), found.variance:col(j), 1e-5, name, 1)
            end
         end
      end
   end)

   it("draws functions from the prior before and after fit", function()
      local n <const> = 20000
      local kernel = 4 * k.RBF { length = 1 } + k.White { noise = 9 }
      local model = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none", normalize_y = true }
      local wanted = (4 * k.RBF { length = 1 }):matrix(new)
      local draws = model:sample_prior(new, { n = n, seed = 2 })
      for i = 1, 3 do
         for j = 1, 3 do -- the variance of a product of normal variables is at most 2 * 16
            assert.near(wanted:get(i, j), draws:row(i):dot(draws:row(j)) / n, 5 * math.sqrt(32 / n))
         end
      end
      model:fit(X, y)
      local scale = y:std() * math.sqrt(31 / 32)
      near_all(draws:row(1) * scale + y:mean(), model:sample_prior(new, { n = n, seed = 2 }):row(1), 1e-9)
   end)

   it("says in its summary what was found, with units, bounds and warnings", function()
      local named = ml.Frame { weight = cars.wt, power = cars.hp * 0.01, same = ml.full(32, 1, 2):col(1) }
      local kernel = 30 * k.RBF { length = { 1.5, 0.8, 1 }, bounds = { 0.5, 2 } } + k.White { noise = 4, fixed = true }
      local old, heard = ml.warnings(function() end), nil
      ml.warnings(function(message) heard = message end)
      local model = ml.GaussianProcessRegressor { kernel = kernel }:fit(named, y)
      ml.warnings(old)
      assert.matches("hyperparameters at a bound: .*%[1%] = 2 %(upper%)", heard)
      local found = model:summary()
      local list = found.hyperparameters
      assert.same({ "y^2", "power", "same", "weight", "y^2" }, { list.unit[1], list.unit[2], list.unit[3],
         list.unit[4], list.unit[5] })
      assert.equal("fixed", list.note[5])
      assert.matches("column %d of X is constant and has no effect", found.warnings)
      assert.matches("3.White.noise +4 +y^2 +fixed", tostring(found))
   end)

   it("refuses what does not fit into memory, unless it is told to", function()
      local large = ml.zeros(300, 1)
      refuses("X must have at most max_rows = 200 rows, got 300, .*use SparseGaussianProcessRegressor", function()
         ml.GaussianProcessRegressor { max_rows = 200 }:fit(large, ml.range(1, 300))
      end)
      refuses("X must have at most max_rows = 20000 rows, got 100000", function()
         ml.GaussianProcessRegressor {}:fit(ml.zeros(100000, 1), ml.range(1, 100000))
      end)
      ml.GaussianProcessRegressor { max_rows = 200, window = 50 }:fit(large, ml.range(1, 300))
   end)

   it("copes with one row, constant y, repeated rows without noise and a kernel without a gradient", function()
      local one = ml.GaussianProcessRegressor { kernel = k.RBF {}, optimizer = "none" }:fit({ { 1 } }, { 3 })
      assert.near(3, one:predict({ { 1 } })[1], 1e-8)
      refuses("the model has one row, which must remain", function() one:forget() end)
      refuses("row must be at most 2, got 7", function() one:partial_fit({ { 2 } }, { 4 }):forget(7) end)
      local repeated = ml.GaussianProcessRegressor { kernel = k.RBF {}, alpha = 0, optimizer = "none" }
      repeated:fit({ { 0 }, { 0 }, { 1 } }, { 1, 3, 2 })
      assert(repeated.jitter > 0)
      assert.near(2, repeated:predict({ { 0 } })[1], 1e-4)
      assert.matches("jitter of", repeated:summary().warnings)
      local flat = ml.GaussianProcessRegressor { normalize_y = true }:fit(X, ml.full(32, 1, 7):col(1))
      near_all({ 7, 7, 7 }, flat:predict(new), 1e-9)
      assert.matches("y is constant", flat:summary().warnings)
      local custom = k.Function(function(a, b) return math.exp(-math.abs(a[1] - b[1])) end)
      refuses("has no gradient; set optimizer = \"none\"", function()
         ml.GaussianProcessRegressor { kernel = k.Constant {} * custom }:fit({ { 1 }, { 2 } }, { 1, 2 })
      end)
      local model = ml.GaussianProcessRegressor { kernel = custom, optimizer = "none" }:fit({ { 1 }, { 2 } }, { 1, 2 })
      refuses("has no derivative by the columns of X", function() model:predict_gradient { { 1 } } end)
   end)

   it("copes with a linear mean and few rows or a constant column, and with tiny and huge y", function()
      local Z = ml.Matrix { { 0.5, 1 }, { 1.5, 1 }, { 2.5, 1 }, { 3.5, 1 } }
      local z = ml.Vector { 1, 2, 3.5, 4 }
      for _, class in ipairs { "", "Sparse", "Iterative", "Vecchia" } do
         local estimator = ml[class .. "GaussianProcessRegressor"]
         for n = 1, 4 do
            local model = estimator { mean = "linear", optimizer = "none" }:fit(Z:slice(1, n), z:slice(1, n))
            assert(math.abs(model:predict(Z)[1]) < 5, class)
         end
         local function normalized(factor)
            return estimator { normalize_y = true, optimizer = "none" }:fit(Z, z * factor):intervals(Z)
         end
         local plain = normalized(1)
         for _, factor in ipairs { 1e-250, 1e250 } do
            local found = normalized(factor)
            support.near(plain.fit[2], found.fit[2] / factor, 1e-9)
            support.near(plain.std_error[2], found.std_error[2] / factor, 1e-9)
         end
         support.refuses("y must be at most 1e150 in size, got 1e%+200; set normalize_y", function()
            estimator {}:fit(Z, z * 1e200)
         end)
      end
      local online = ml.GaussianProcessRegressor { mean = "linear", normalize_y = true, optimizer = "none" }
      for i = 1, 4 do online:partial_fit(Z:slice(i, i), z:slice(i, i)) end
      local whole = ml.GaussianProcessRegressor { mean = "linear", normalize_y = true, optimizer = "none" }:fit(Z, z)
      support.near(whole:predict { { 2, 1 } }[1], online:predict { { 2, 1 } }[1], 1e-9)
   end)
end)
