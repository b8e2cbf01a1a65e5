local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"
local from_python = require "spec.fixtures.mixture.gaussian"
local from_r = require "spec.fixtures.mixture.gaussian_r"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses
local nan = 0 / 0

local models = { "EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV" }

local function iris()
   local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
   return X:matrix(), y
end

local function faithful() return ml.read_csv("examples/data/faithful.csv"):matrix() end

-- Responsibilities of 1 for the component of each row.
local function certain(label, k)
   local rows = {}
   for i = 1, #label do
      rows[i] = {}
      for c = 1, k do rows[i][c] = label[i] == c and 1 or 0 end
   end
   return core.Matrix(rows)
end

local function eruptions_label(X)
   local label = {}
   for i = 1, X.rows do label[i] = X:get(i, 1) < 3 and 1 or 2 end
   return label
end

local function never_increases(model)
   for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
end

local function with(settings, more)
   for k, v in pairs(more) do settings[k] = v end
   return settings
end

local function flat(X)
   local list = {}
   for _, row in ipairs(X:totable()) do table.move(row, 1, #row, #list + 1, list) end
   return list
end

describe("GaussianMixture", function()
   it("has the likelihood, BIC and ICL of mclust for its fourteen models", function()
      local function agrees(X, label, k, wanted, better)
         for _, name in ipairs(models) do
            local model = ml.GaussianMixture { n_components = k, covariance_type = name, reg_covar = 0, tol = 1e-13,
               max_iter = 20000, responsibilities_init = certain(label, k) }:fit(X)
            local other = wanted[name]
            if better[name] then
               assert.is_true(model.loglik > other.loglik, name)
            else
               near(other.loglik, model.loglik, 1e-6, name)
               near(other.bic, model.bic, 1e-6, name)
               near(other.icl, model.icl, 1e-6, name)
            end
            assert.equal(other.df, model.n_parameters)
            never_increases(model)
         end
      end
      local X, y = iris()
      local label = {}
      for i, name in ipairs(y) do label[i] = ({ setosa = 1, versicolor = 2, virginica = 3 })[name] end
      agrees(X, label, 3, from_r.iris, { VVE = true }) -- mclust stops short of the maximum
      local common = ml.GaussianMixture { n_components = 3, covariance_type = "VVE", reg_covar = 0, tol = 1e-13,
         max_iter = 20000, responsibilities_init = certain(label, 3) }:fit(X)
      local A, B = common:covariance { component = 1 }, common:covariance { component = 3 }
      assert.near(0, (A * B - B * A):abs():max(), 1e-14) -- the same eigenvectors
      local eruptions = faithful()
      agrees(eruptions, eruptions_label(eruptions), 2, from_r.faithful, { VVE = true })
   end)

   it("agrees with scikit-learn after some iterations from the same parameters", function()
      local X = iris()
      local means = { { 5, 3, 2, 0.5 }, { 6, 3, 4, 1.2 }, { 6.5, 3, 5.5, 2 } }
      for kind, wanted in pairs(from_python) do
         local precision = {}
         local stacked = kind == "full" and 12 or kind == "tied" and 4 or 3
         for i = 1, stacked do
            precision[i] = { 2, 2, 2, 2 }
            for j = 1, 4 do
               if stacked ~= 3 and (i - 1) % 4 + 1 ~= j then precision[i][j] = 0 end
            end
         end
         local model = ml.GaussianMixture { n_components = 3, covariance_type = kind, tol = 0, max_iter = 7,
            reg_covar = 1e-4, means_init = means, weights_init = { 0.3, 0.3, 0.4 }, precisions_init = precision }:fit(X)
         near_all(wanted.weights, model.weights, 1e-10, kind)
         near_rows(wanted.means, model.means, 1e-10, kind)
         local covariances = flat(model.covariances)
         if kind == "spherical" then covariances = model.covariances:col(1):totable() end
         near_all(wanted.covariances, covariances, 1e-9, kind)
         near_all(wanted.scores, model:score_samples(X:slice(1, 3)), 1e-10, kind)
         near_rows(wanted.proba, model:predict_proba(X:slice(71, 73)), 1e-9, kind)
         near(wanted.aic, model.aic, 1e-11, kind)
         near(wanted.bic, model.bic, 1e-11, kind)
      end
   end)

   it("reproduces two Gaussians on Old Faithful, with a rising log likelihood", function()
      local X = faithful()
      local model = ml.GaussianMixture { n_components = 2, reg_covar = 0, tol = 1e-10, max_iter = 1000 }:fit(X)
      near(-1130.26396018, model.loglik, 1e-9)
      never_increases(model)
      near(model.loglik, model:score_samples(X):sum(), 1e-12)
      local short = model.weights[1] < model.weights[2] and 1 or 2
      near_all({ 2.03639, 54.4785 }, model.means[short], 1e-5)
      near(0.355873, model.weights[short], 1e-5)
   end)

   it("samples noise uniformly from the box that contains X, with label -1", function()
      local D = ml.dist.multivariate_normal
      local noise = ml.random(300, 2, 3) * 30 - 12
      local X = ml.vcat(D { mean = { 0, 0 }, covariance = { { 1, 0.5 }, { 0.5, 1 } } }:sample(300, 1),
         D { mean = { 6, 6 }, covariance = { { 1, 0 }, { 0, 1 } } }:sample(300, 2), noise)
      local model = ml.GaussianMixture { n_components = 2, noise = 0.1, n_init = 3 }:fit(X)
      local n = 40000
      local drawn = model:sample { n = n, seed = 5 }
      local rows = {}
      for i = 1, n do rows[#rows + 1] = drawn.labels[i] == -1 and i or nil end
      near(model.noise_weight, #rows / n, 5 * math.sqrt(0.25 / n))
      local found = drawn.X:take(rows)
      for j = 1, 2 do
         local low, high = X:col(j):min(), X:col(j):max()
         assert.same({ low, high }, model.noise_box:col(j):totable())
         assert(found:col(j):min() >= low and found:col(j):max() <= high)
         near((low + high) / 2, found:col(j):mean(), 5 * (high - low) / math.sqrt(12 * #rows))
         near((high - low) / math.sqrt(12), found:col(j):std(), 0.02 * (high - low))
      end
      assert.equal(0, model:set_params { noise = 0 }:fit(X).noise_box.rows)
      assert.equal(1, model:sample { n = 1000 }.labels:min())
   end)

   it("finds noise as mclust does", function()
      local rows = faithful():totable()
      for b = 0, 4 do
         for a = 0, 5 do rows[#rows + 1] = { 1.5 + 3.7 / 5 * a, 42 + 14 * b } end
      end
      local X = core.Matrix(rows)
      local model = ml.GaussianMixture { n_components = 2, reg_covar = 0, tol = 1e-13, max_iter = 10000, noise = 0.1,
         noise_volume = 250 }:fit(X)
      local wanted = from_r.noise
      near(wanted.loglik, model.loglik, 1e-9)
      near(wanted.weights[3], model.noise_weight, 1e-5)
      local short = model.means:get(1, 1) < 3 and 1 or 2
      near_all({ wanted.means[1], wanted.means[2] }, model.means[short], 1e-5)
      assert.equal(-1, model:predict({ { 5, 43 } })[1])
      assert.equal(3, model:predict_proba({ { 5, 43 } }).cols)
      assert.is_true(model:predict_proba({ { 5, 43 } }):get(1, 3) > 0.5)
      refuses("sample of a model with noise requires noise_volume = nil", model.sample, model)
      refuses("noise requires columns that vary, but column 1 is constant",
         function() ml.GaussianMixture { noise = 0.1 }:fit { { 1, 2 }, { 1, 3 }, { 1, 5 } } end)
   end)

   it("integrates missing values out", function()
      -- One component: with a monotone pattern the maximum is known (Anderson, JASA 52 (1957)): the regression of the
      -- second column on the first, in the complete rows, and the moments of the first column in all rows.
      local X, rows = faithful(), {}
      for i = 1, X.rows do rows[i] = { X:get(i, 1), i % 3 == 0 and nan or X:get(i, 2) } end
      local model = ml.GaussianMixture { reg_covar = 0, tol = 1e-14, max_iter = 2000 }:fit(rows)
      local n, x, complete = 0, 0, { n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0 }
      local second = 0
      for _, row in ipairs(rows) do n, x, second = n + 1, x + row[1], second + row[1] ^ 2 end
      local mean, variance = x / n, second / n - (x / n) ^ 2
      for _, row in ipairs(rows) do
         if row[2] == row[2] then
            local a, b = row[1], row[2]
            for key, value in pairs { n = 1, x = a, y = b, xx = a * a, xy = a * b, yy = b * b } do
               complete[key] = complete[key] + value
            end
         end
      end
      local c = complete
      local slope = (c.xy / c.n - c.x * c.y / c.n ^ 2) / (c.xx / c.n - (c.x / c.n) ^ 2)
      local intercept = c.y / c.n - slope * c.x / c.n
      local rest = c.yy / c.n - (c.y / c.n) ^ 2 - slope ^ 2 * (c.xx / c.n - (c.x / c.n) ^ 2)
      near_all({ mean, intercept + slope * mean }, model.means[1], 1e-7)
      near_rows({ { variance, slope * variance }, { slope * variance, rest + slope ^ 2 * variance } },
         model:covariance { component = 1 }, 1e-6)
      -- transform and conditional: the regression.
      local filled = model:transform { { 4, nan }, { nan, nan }, { 1, 2 } }
      near_rows({ { 4, intercept + slope * 4 }, { mean, intercept + slope * mean }, { 1, 2 } }, filled, 1e-6)
      near(rest, model:conditional({ { 4, nan } }).variance:get(1, 2), 1e-6)
      -- The density of the observed values.
      near(-0.5 * math.log(2 * math.pi * variance) - (4 - mean) ^ 2 / (2 * variance),
         model:score_samples({ { 4, nan } })[1], 1e-7)
      assert.equal(0, model:score_samples({ { nan, nan } })[1])
      never_increases(model)
   end)

   it("learns from missing values in every model, and without any gives the same as before", function()
      local X = iris():totable()
      for i, row in ipairs(X) do
         if i % 4 == 1 then row[i % 3 + 1] = nan end
         if i % 10 == 2 then row[2], row[4] = nan, nan end
      end
      for _, name in ipairs(models) do
         local model = ml.GaussianMixture { n_components = 2, covariance_type = name, max_iter = 200 }:fit(X)
         never_increases(model)
         near(model.loglik, model:score_samples(X):sum(), 1e-10, name)
         for _, row in ipairs(model:transform(X):totable()) do
            for _, value in ipairs(row) do assert.is_true(value == value) end
         end
      end
      refuses("column 2 of X has only missing values", function()
         ml.GaussianMixture {}:fit { { 1, nan }, { 2, nan } }
      end)
   end)

   it("predicts some columns from others as mixture regression", function()
      -- Two lines that cross: the conditional mean is the weighted mean of two regressions.
      local x, e, u, rows = core.random(600, nil, 1), core.normal(600, nil, 2), core.random(600, nil, 3), {}
      for i = 1, 600 do
         local v = 10 * x[i]
         rows[i] = { v, (u[i] < 0.5 and v or 10 - v) + 0.3 * e[i] }
      end
      local model = ml.GaussianMixture { n_components = 2, n_init = 10, tol = 1e-8, max_iter = 1000 }:fit(rows)
      local at = model:conditional { { 1, nan }, { 9, nan } }
      near_all({ 5, 5 }, at.mean:col(2), 0.15)
      near_all({ 16, 16 }, at.variance:col(2), 0.2)
      near(1, at.responsibilities[1]:sum(), 1e-12)
   end)

   it("draws samples from the density", function()
      local model = ml.GaussianMixture { n_components = 2, tol = 1e-8, max_iter = 500 }:fit(faithful())
      local drawn = model:sample { n = 20000, seed = 4 }
      local again = model:sample { n = 20000, seed = 4 }
      assert.equal(drawn.X:get(77, 2), again.X:get(77, 2))
      local count, sum = { 0, 0 }, { 0, 0 }
      for i, label in ipairs(drawn.labels) do
         count[label] = count[label] + 1
         sum[label] = sum[label] + drawn.X:get(i, 2)
      end
      for c = 1, 2 do
         near(model.weights[c], count[c] / 20000, 0.03)
         near(model.means:get(c, 2), sum[c] / count[c], 0.005)
      end
      local refit = ml.GaussianMixture { n_components = 2, tol = 1e-8, max_iter = 500 }:fit(drawn.X)
      near(model.loglik / 272, refit.loglik / 20000, 0.01)
   end)

   it("gives every start and every number of threads the same bits", function()
      local X = core.normal(300, 5, 1)
      support.same_for_any_threads(function()
         return ml.GaussianMixture { n_components = 4, n_init = 6, seed = 3 }:fit(X)
      end)
      local large = core.normal(9000, 12, 1)
      support.same_for_any_threads(function()
         return ml.GaussianMixture { n_components = 3, max_iter = 4, n_init = 2 }:fit(large)
      end)
   end)

   it("counts weights as copies, in large data too", function()
      local X = core.normal(5000, 3, 1)
      local weights, copies = {}, {}
      for i = 1, 5000 do
         weights[i] = 1 + i % 3
         for _ = 1, weights[i] do copies[#copies + 1] = i end
      end
      local settings = { n_components = 3, max_iter = 30, tol = 0,
         means_init = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, 1, 1 } } }
      local one = ml.GaussianMixture(settings):fit(X, nil, { weights = weights })
      local two = ml.GaussianMixture(settings):fit(X:take(copies))
      near(two.loglik, one.loglik, 1e-12)
      near_rows(two.means:totable(), one.means, 1e-9)
   end)

   it("keeps its digits far from the origin", function()
      local X = faithful()
      local settings = { n_components = 2, reg_covar = 0, tol = 1e-12, max_iter = 1000,
         responsibilities_init = certain(eruptions_label(X), 2) }
      local shifted = ml.GaussianMixture(settings):fit(X + 1e6)
      near(from_r.faithful.VVV.loglik, shifted.loglik, 1e-7)
   end)

   it("handles degenerate data", function()
      -- Identical rows, more components than distinct rows, a component on one row: reg_covar bounds the likelihood.
      local same = ml.GaussianMixture { n_components = 3 }:fit { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 } }
      near_rows({ { 1, 2 }, { 1, 2 }, { 1, 2 } }, same.means, 1e-9)
      local pairs_of = { { 0, 0 }, { 0, 0 }, { 5, 5 }, { 5, 5 } }
      local two = ml.GaussianMixture { n_components = 3, covariance_type = "VEV" }:fit(pairs_of):predict(pairs_of)
      assert.is_true(two[1] == two[2] and two[3] == two[4] and two[1] ~= two[3])
      local single = ml.GaussianMixture { n_components = 2 }:fit { { 0, 0 }, { 0.1, 0 }, { 0, 0.2 }, { 100, 100 } }
      near(0.25, math.min(single.weights[1], single.weights[2]), 1e-9)
      -- Rank 1 without reg_covar.
      local line = {}
      for i = 1, 20 do line[i] = { i, 2 * i } end
      for _, name in ipairs { "full", "tied", "EVE", "VEE", "EVV", "VEV" } do
         refuses("the covariance of a component is singular; increase reg_covar", function()
            ml.GaussianMixture { n_components = 2, covariance_type = name, reg_covar = 0 }:fit(line)
         end)
         local settings = { n_components = 2, covariance_type = name, reg_covar = 1e-3 }
         assert.is_true(ml.GaussianMixture(settings):fit(line).fitted)
      end
      refuses("n_components must be at most the number of rows, 2, got 3", function()
         ml.GaussianMixture { n_components = 3 }:fit { { 1 }, { 2 } }
      end)
   end)

   it("warns of more components than distinct rows", function()
      local X, heard = { { 1, 2 }, { 1, 2 }, { 3, 4 }, { 3, 4 }, { 1, 2 }, { 3, 4 } }, {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      ml.GaussianMixture { n_components = 3 }:fit(X)
      ml.MixtureModel { n_components = 3, family = "poisson" }:fit(X)
      ml.GaussianMixture { n_components = 2 }:fit(faithful())
      ml.warnings(old or "on")
      assert.equal(2, #heard)
      assert.matches("GaussianMixture: only 2 of 3 components have weight.*decrease n_components", heard[1])
      assert.matches("MixtureModel: only 2 of 3", heard[2])
   end)

   it("refuses inconsistent initial values", function()
      local X = faithful()
      local function fails(message, settings)
         refuses(message, function() ml.GaussianMixture(with({ n_components = 2 }, settings)):fit(X) end)
      end
      fails("weights_init must have 2 values, got 3", { weights_init = { 0.2, 0.3, 0.5 } })
      fails("weights_init must add up to 1, got 0.9", { weights_init = { 0.4, 0.5 } })
      fails("means_init must be 2 x 2, got 1 x 2", { means_init = { { 1, 2 } } })
      fails("responsibilities_init must be 272 x 2, got 1 x 2", { responsibilities_init = { { 1, 0 } } })
      fails("precisions_init must be 4 x 2, got 2 x 2", { precisions_init = { { 1, 0 }, { 0, 1 } } })
      fails("precisions_init of component 1 must be positive definite",
         { precisions_init = { { 1, 2 }, { 2, 1 }, { 1, 0 }, { 0, 1 } } })
      fails("precisions_init must be > 0, got %-1",
         { covariance_type = "diag", precisions_init = { { 1, -1 }, { 1, 1 } } })
      local model = ml.GaussianMixture {}:fit(X)
      refuses("component must be at most 1, got 2", model.covariance, model, { component = 2 })
   end)

   it("saves and loads", function()
      local X = faithful()
      for _, name in ipairs { "full", "tied", "diag", "EVE" } do
         local model = ml.GaussianMixture { n_components = 2, covariance_type = name }:fit(X)
         local again = ml.load(model:dump())
         assert.equal(model:score_samples(X)[5], again:score_samples(X)[5])
         near_rows(model:covariance({ component = 2 }):totable(), again:covariance { component = 2 }, 1e-15)
      end
   end)
end)
