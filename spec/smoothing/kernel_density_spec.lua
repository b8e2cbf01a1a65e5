local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.smoothing.kernel_density"

local near, near_all, refuses = support.near, support.near_all, support.refuses
local inf = math.huge

local function rows_of(frame, names)
   local rows = {}
   for i = 1, frame.rows do
      rows[i] = {}
      for j, name in ipairs(names) do rows[i][j] = frame[name][i] end
   end
   return ml.Matrix(rows)
end

local geyser, iris = ml.read_csv "examples/data/faithful.csv", ml.read_csv "examples/data/iris.csv"
local problems = {
   eruptions = { rows_of(geyser, { "eruptions" }), { { 1 }, { 1.9 }, { 3 }, { 4.4 }, { 6 }, { 50 } } },
   faithful = { rows_of(geyser, { "eruptions", "waiting" }), { { 1.9, 54 }, { 3, 70 }, { 4.4, 80 } } },
   iris = { rows_of(iris, { "sepal_length", "sepal_width", "petal_length", "petal_width" }),
      { { 5.1, 3.5, 1.4, 0.2 }, { 6, 3, 4.5, 1.5 }, { 7, 3, 6, 2 } } },
}

local shapes = {
   gaussian = function(u) return math.exp(-u * u / 2) end,
   tophat = function(u) return u < 1 and 1 or 0 end,
   epanechnikov = function(u) return u < 1 and 1 - u * u or 0 end,
   exponential = function(u) return math.exp(-u) end,
   linear = function(u) return math.max(0, 1 - u) end,
   cosine = function(u) return u < 1 and math.cos(math.pi * u / 2) or 0 end,
   biweight = function(u) return u < 1 and (1 - u * u) ^ 2 or 0 end,
   triweight = function(u) return u < 1 and (1 - u * u) ^ 3 or 0 end,
   tricube = function(u) return u < 1 and (1 - u ^ 3) ^ 3 or 0 end,
}
local names = {}
for name in pairs(shapes) do names[#names + 1] = name end
table.sort(names)

local function power_sum(a, b, p)
   local sum = 0
   for j = 1, #a do sum = sum + math.abs(a[j] - b[j]) ^ p end
   return sum
end

local metrics = {
   euclidean = function(a, b) return math.sqrt(power_sum(a, b, 2)) end,
   manhattan = function(a, b) return power_sum(a, b, 1) end,
   minkowski = function(a, b) return power_sum(a, b, 3) ^ (1 / 3) end,
   chebyshev = function(a, b)
      local largest = 0
      for j = 1, #a do largest = math.max(largest, math.abs(a[j] - b[j])) end
      return largest
   end,
   hamming = function(a, b)
      local count = 0
      for j = 1, #a do count = count + (a[j] ~= b[j] and 1 or 0) end
      return count / #a
   end,
   cosine = function(a, b)
      local ab, aa, bb = 0, 0, 0
      for j = 1, #a do ab, aa, bb = ab + a[j] * b[j], aa + a[j] ^ 2, bb + b[j] ^ 2 end
      return 1 - ab / math.sqrt(aa * bb)
   end,
}

-- The sum over the cells of a grid of cols columns (1 or 2), of midpoint values of the density.
local function grid_sum(model, cols, low, high, steps, inside)
   local points, step = {}, (high - low) / steps
   for i = 1, steps do
      for k = 1, cols == 2 and steps or 1 do
         local point = { low + (i - 0.5) * step, cols == 2 and low + (k - 0.5) * step or nil }
         if not inside or inside(point) then points[#points + 1] = point end
      end
   end
   return model:score_samples(points):exp():sum() * step ^ cols
end

local function without(list, skip)
   local out = {}
   for i = 1, #list do
      if i ~= skip then out[#out + 1] = list[i] end
   end
   return out
end

local sample = { 0.1, 0.4, 0.5, 1.1, 1.15, 1.3, 2.2, 2.9, 3.3, 5 }
local sample_rows = {}
for i, value in ipairs(sample) do sample_rows[i] = { value } end

describe("KernelDensity", function()
   it("equals scikit-learn and scipy", function()
      for _, case in ipairs(wanted.cases) do
         local X, new = table.unpack(problems[case.data])
         local weights = {}
         for i = 1, X.rows do weights[i] = 1 + (i - 1) % 3 end
         local model = ml.KernelDensity { kernel = case.kernel, bandwidth = case.bandwidth }
         local scores = model:fit(X, nil, { weights = case.weighted and weights or nil }):score_samples(new)
         for i, value in ipairs(case.scores) do
            near(value, math.max(scores[i], -1e9), 1e-10, case.data .. " " .. case.kernel, 1) -- -1e9 stands for -inf
         end
      end
      local model = ml.KernelDensity { bandwidth = wanted.scipy.bandwidth }:fit(problems.eruptions[1])
      near_all(wanted.scipy.density, model:score_samples({ { 1 }, { 2.5 }, { 4.5 } }):exp(), 1e-12, "scipy")
      local n = problems.eruptions[1].rows
      local scott = ml.KernelDensity {}:fit(problems.eruptions[1]).fitted_bandwidth
      near(wanted.scipy.bandwidth, scott * math.sqrt(n / (n - 1)), 1e-12, "Scott's rule")
   end)

   it("is within its stated error of the exact sum in all cases drawn", function()
      local draw = support.draws "density"
      local metric_names = { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "hamming" }
      for round = 1, 36 do
         local d, n = 1 + round % 4, 700 + round * 40
         local X = ml.normal(n, d, round)
         if round % 3 == 0 then X = X ^ 3 end -- clusters and outliers
         local weights = round % 2 == 0 and ml.random(n, nil, round) + 0.1 or nil
         local kernel, metric = names[1 + round % #names], metric_names[1 + round // 2 % #metric_names]
         if metric == "hamming" then
            for i = 1, n do
               for j = 1, d do X:set(i, j, math.floor(X:get(i, j))) end
            end
         end
         local h, rtol = 0.05 * 60 ^ draw(), 10 ^ (-6 * draw())
         local atol = round % 4 == 0 and 1e-3 or 0
         local settings = { kernel = kernel, metric = metric, p = 3, bandwidth = h }
         local model = ml.KernelDensity(settings):fit(X, nil, { weights = weights })
         local new = ml.normal(6, d, round + 100) * (1 + round % 5)
         local exact = model:score_samples(new):exp()
         model:set_params({ rtol = rtol, atol = atol }):fit(X, nil, { weights = weights })
         local rough = model:score_samples(new):exp()
         local log_scale
         for i = 1, 6 do
            local sum, total, q = 0, 0, new:row(i):totable()
            for k = 1, n do
               local w = weights and weights[k] or 1
               sum, total = sum + w * shapes[kernel](metrics[metric](X:row(k):totable(), q) / h), total + w
            end
            local what = ("round %d, %s %s, row %d"):format(round, kernel, metric, i)
            if sum > 1e-300 then -- otherwise exp underflows
               log_scale = log_scale or math.log(sum / total) - math.log(exact[i])
               near(math.log(sum / total) - log_scale, math.log(exact[i]), 1e-11, what, 1)
               local bound = (atol + rtol * exact[i]) * (1 + 1e-9) + 1e-14 * exact[i]
               assert(math.abs(rough[i] - exact[i]) <= bound, what .. ": the error is above its bound")
            end
         end
      end
   end)

   it("uses its tolerance", function()
      local X = ml.normal(6000, 2, 8)
      local exact = ml.KernelDensity { bandwidth = 1 }:fit(X)
      local rough = ml.KernelDensity { bandwidth = 1, rtol = 0.1 }:fit(X)
      local difference = (exact:score_samples(X:slice(1, 50)) - rough:score_samples(X:slice(1, 50))):abs():max()
      assert(difference > 1e-4 and difference <= -math.log(0.9))
   end)

   it("integrates to 1 on the line and the plane, for all kernels and norms", function()
      local X = ml.normal(7, 2, 1)
      for _, kernel in ipairs(names) do
         local model = ml.KernelDensity { kernel = kernel, bandwidth = 0.7 }
         -- the midpoint rule at jumps of the tophat and bends of the exponential
         local tolerance = (kernel == "tophat" or kernel == "exponential") and 5e-3 or 1e-4
         near(1, grid_sum(model:fit(ml.Matrix(X:col(1))), 1, -20, 20, 8000), tolerance, kernel)
         near(1, grid_sum(model:fit(X), 2, -11, 11, 220), kernel == "gaussian" and 1e-6 or 5e-3, kernel .. ", plane")
      end
      for _, metric in ipairs { "manhattan", "chebyshev", "minkowski", "mahalanobis" } do
         local model = ml.KernelDensity { kernel = "biweight", metric = metric, p = 3, bandwidth = 0.9 }
         near(1, grid_sum(model:fit(X), 2, -6, 6, 240), 1e-3, metric)
      end
   end)

   it("integrates to 1 on the sphere", function()
      local towns = { { 0.9, 0.1 }, { -0.3, 2.5 }, { 1.5, -3 } }
      for _, kernel in ipairs { "gaussian", "epanechnikov" } do
         for _, h in ipairs { 0.3, 2 } do
            local model = ml.KernelDensity { metric = "haversine", bandwidth = h, kernel = kernel }:fit(towns)
            local points, area, steps = {}, {}, 120
            for i = 1, steps do
               local latitude = math.pi * ((i - 0.5) / steps - 0.5)
               for k = 1, 2 * steps do
                  points[#points + 1] = { latitude, math.pi * ((k - 0.5) / steps - 1) }
                  area[#area + 1] = math.cos(latitude) * (math.pi / steps) ^ 2
               end
            end
            near(1, model:score_samples(points):exp():dot(ml.Vector(area)), 1e-3, kernel .. " on the sphere")
         end
      end
   end)

   it("draws samples from the density", function()
      local X = ml.Matrix { { 0, 0 }, { 2, 1 } }
      local function inside(point) return point[1] > 0.3 and point[2] > 0.1 and point[1] + point[2] < 2 end
      local function check(settings, what)
         local model, n, count = ml.KernelDensity(settings), 20000, 0
         model:fit(X, nil, { weights = { 3, 1 } })
         local drawn = model:sample { n = n, seed = 5 }
         for i = 1, n do count = count + (inside { drawn:get(i, 1), drawn:get(i, 2) } and 1 or 0) end
         local p = grid_sum(model, 2, -1, 4, 250, inside)
         local sd = math.sqrt(p * (1 - p) / n)
         assert(math.abs(count / n - p) < 4 * sd + 2e-3, ("%s: %.4f of the samples, probability %.4f"):format(what,
            count / n, p))
         assert(drawn:row(9)[1] == model:sample({ n = 9, seed = 5 }):row(9)[1])
      end
      for _, kernel in ipairs(names) do check({ kernel = kernel, bandwidth = 0.8 }, kernel) end
      for _, metric in ipairs { "manhattan", "chebyshev", "minkowski" } do
         check({ metric = metric, p = 4, kernel = "tophat", bandwidth = 1.2 }, metric)
      end
      check({ metric = "mahalanobis", covariance = { { 1, 0.6 }, { 0.6, 2 } }, bandwidth = 0.6 }, "mahalanobis")
   end)

   it("finds the bandwidth of least-squares and of likelihood cross-validation", function()
      local function log_likelihood(h, kernel)
         local sum = 0
         for i = 1, #sample do
            local model = ml.KernelDensity { bandwidth = h, kernel = kernel }:fit(without(sample_rows, i))
            sum = sum + model:score_samples({ sample_rows[i] })[1]
         end
         return sum
      end
      local function squares(h)
         local model, cross = ml.KernelDensity { bandwidth = h }:fit(sample_rows), 0
         for i = 1, #sample do
            local rest = ml.KernelDensity { bandwidth = h }:fit(without(sample_rows, i))
            cross = cross + math.exp(rest:score_samples({ sample_rows[i] })[1]) / #sample
         end
         local points = {}
         for i = 1, 6000 do points[i] = { -10 + 25 * (i - 0.5) / 6000 } end
         return (model:score_samples(points) * 2):exp():sum() * 25 / 6000 - 2 * cross
      end
      for _, kernel in ipairs { "gaussian", "epanechnikov" } do
         local h = ml.KernelDensity { bandwidth_rule = "likelihood", kernel = kernel }:fit(sample_rows).fitted_bandwidth
         local best = log_likelihood(h, kernel)
         for _, factor in ipairs { 0.3, 0.7, 0.97, 1.03, 1.5, 4 } do
            assert(log_likelihood(h * factor, kernel) < best, kernel .. ": not the maximum")
         end
      end
      local h = ml.KernelDensity { bandwidth_rule = "lscv" }:fit(sample_rows).fitted_bandwidth
      for _, factor in ipairs { 0.3, 0.7, 0.97, 1.03, 1.5, 4 } do
         assert(squares(h * factor) > squares(h), "lscv: not the minimum")
      end
      -- other kernels: the same standard deviation
      local flat = ml.KernelDensity { bandwidth_rule = "lscv", kernel = "tophat" }:fit(sample_rows).fitted_bandwidth
      near(h * math.sqrt(3), flat, 1e-9)
   end)

   it("minimizes the same criterion of many rows by Fourier series", function()
      local n, weights = 4000, ml.Vector(4000) + 1
      for i = 1, n, 3 do weights[i] = 2 end
      local function criterion(X, w, h)
         local total, d = w:sum(), X.cols
         local function density(bandwidth)
            local model = ml.KernelDensity { bandwidth = bandwidth, rtol = 1e-13, atol = 0 }
            return model:fit(X, nil, { weights = w }):score_samples(X):exp()
         end
         local own = (2 * math.pi * h * h) ^ (-d / 2)
         local cross = (density(h) * total - own) / (total - 1)
         return density(math.sqrt(2) * h):dot(w) / total - 2 * cross:dot(w) / total
      end
      local two_groups = ml.normal(n, 1, 3)
      for i = 1, n, 2 do two_groups:set(i, 1, two_groups:get(i, 1) * 0.4 + 3) end
      local square = ml.zeros(n, 2)
      math.randomseed(4)
      for i = 1, n do
         for j = 1, 2 do square:set(i, j, math.random()) end
      end
      for _, case in ipairs { { two_groups, weights }, { square, ml.Vector(n) + 1 } } do
         local X, w = table.unpack(case)
         local h = ml.KernelDensity { bandwidth_rule = "lscv" }:fit(X, nil, { weights = w }).fitted_bandwidth
         local least = criterion(X, w, h)
         for _, factor in ipairs { 0.7, 0.98, 1.02, 1.5 } do
            assert(criterion(X, w, h * factor) > least, "not the minimum")
         end
         -- the criterion is flat at its minimum: its slope changes sign within a thousandth
         assert(criterion(X, w, h * 0.998) > criterion(X, w, h * 0.999))
         assert(criterion(X, w, h * 1.002) > criterion(X, w, h * 1.001))
      end
   end)

   it("takes the effective number of rows where weights are no counts", function()
      local rows, weights, sum, squares = {}, {}, 0, 0
      for i = 1, 40 do rows[i], weights[i] = { math.sin(i) }, 1 end
      local function bandwidth(w, rule)
         return ml.KernelDensity { bandwidth_rule = rule }:fit(rows, nil, { weights = w }).fitted_bandwidth
      end
      for _, rule in ipairs { "scott", "silverman" } do
         local plain = bandwidth(nil, rule)
         rows[41], weights[41] = { 0 }, 1e-9 -- a row of nearly no weight changes nearly nothing
         near(plain, bandwidth(weights, rule), 1e-6, rule)
         rows[41], weights[41] = nil, nil
      end
      local uneven = {}
      for i = 1, 40 do
         uneven[i] = 1 + i % 3 / math.pi
         sum, squares = sum + uneven[i], squares + uneven[i] ^ 2
      end
      local mean, variance = 0, 0
      for i = 1, 40 do mean = mean + uneven[i] / sum * rows[i][1] end
      for i = 1, 40 do variance = variance + uneven[i] / sum * (rows[i][1] - mean) ^ 2 end
      near(math.sqrt(variance) * (sum ^ 2 / squares) ^ (-1 / 5), bandwidth(uneven, "scott"), 1e-12)
   end)

   it("leaves out rows with their whole weight where weights are no counts", function()
      local rows, weights = {}, {}
      for i = 1, 40 do rows[i], weights[i] = { math.sin(i) + 0.1 * math.cos(3 * i * i) }, 1 end
      local function bandwidth(x, w, rule)
         return ml.KernelDensity { bandwidth_rule = rule }:fit(x, nil, { weights = w }).fitted_bandwidth
      end
      for _, rule in ipairs { "lscv", "likelihood" } do
         local plain = bandwidth(rows, nil, rule)
         rows[41], weights[41] = { 0.1 }, 1e-9
         near(plain, bandwidth(rows, weights, rule), 1e-4, rule)
         rows[41], weights[41] = nil, nil
         local large = ml.Vector(weights) * 1e300
         near(plain, bandwidth(rows, large, rule), 1e-12, rule .. " with large weights")
      end
   end)

   it("does not take the weight of one row for the unit of all others", function()
      local rows, ones = {}, ml.Vector(200) + 1
      for i = 1, 200 do rows[i] = { math.sin(i) + 0.1 * math.cos(3 * i * i) } end
      local function bandwidth(w, rule)
         return ml.KernelDensity { bandwidth_rule = rule }:fit(rows, nil, { weights = w }).fitted_bandwidth
      end
      for _, rule in ipairs { "scott", "silverman", "lscv", "likelihood" } do
         local plain = bandwidth(ones, rule)
         for _, little in ipairs { 0.5, 0.1, 1e-3 } do -- which divide 1
            local w = ones:copy()
            w[7] = little
            local chosen = bandwidth(w, rule)
            near(plain, chosen, 0.05, rule .. " with a weight of " .. little)
            for _, factor in ipairs { 0.3, 1 / 200, 3.7 } do
               near(chosen, bandwidth(w * factor, rule), 1e-6, rule .. " with weights times " .. factor)
            end
         end
      end
   end)

   it("counts weights as copies in every rule", function()
      local weights, repeated = {}, {}
      for i, row in ipairs(sample_rows) do
         weights[i] = i % 3 + 1
         for _ = 1, weights[i] do repeated[#repeated + 1] = row end
      end
      for _, rule in ipairs { "scott", "silverman", "lscv", "likelihood" } do
         for _, kernel in ipairs { "gaussian", "linear" } do
            local settings = { bandwidth_rule = rule, kernel = kernel }
            local a = ml.KernelDensity(settings):fit(sample_rows, nil, { weights = weights })
            local b = ml.KernelDensity(settings):fit(repeated)
            near(b.fitted_bandwidth, a.fitted_bandwidth, 1e-7, rule)
            local halves = ml.Vector(weights) * 0.5
            local c = ml.KernelDensity(settings):fit(sample_rows, nil, { weights = halves })
            near(a.fitted_bandwidth, c.fitted_bandwidth, 1e-12, rule .. " with weights from 0.5")
         end
      end
   end)

   it("has a stated answer for degenerate rows and far points", function()
      local one = ml.KernelDensity {}:fit { { 3 } }
      assert.equal(1, one.fitted_bandwidth)
      near(-0.5 * math.log(2 * math.pi), one:score_samples({ { 3 } })[1], 1e-14)
      for _, rule in ipairs { "scott", "silverman", "lscv", "likelihood" } do
         local equal = ml.KernelDensity { bandwidth_rule = rule }:fit { { 2, 2 }, { 2, 2 }, { 2, 2 } }
         assert.equal(1, equal.fitted_bandwidth)
         local pairs_ = ml.KernelDensity { bandwidth_rule = rule }:fit { { 1 }, { 1 }, { 2 }, { 2 } }
         assert(pairs_.fitted_bandwidth > 0 and pairs_.fitted_bandwidth < inf)
      end
      local X = ml.normal(3000, 2, 3)
      local compact = ml.KernelDensity { kernel = "triweight", bandwidth = 0.3, rtol = 1e-3 }:fit(X)
      assert.equal(-inf, compact:score_samples({ { 90, 0 } })[1])
      local narrow = ml.KernelDensity { bandwidth = 1e-300 }:fit { { 1 }, { 2 } }
      near(-math.log(2) + 300 * math.log(10) - 0.5 * math.log(2 * math.pi), narrow:score_samples({ { 1 } })[1], 1e-14)
      local far = ml.KernelDensity { bandwidth = 0.3, rtol = 1e-6 }:fit(X)
      local nearest = 1e300
      for i = 1, X.rows do nearest = math.min(nearest, (X:get(i, 1) - 1e4) ^ 2 + X:get(i, 2) ^ 2) end
      local value = far:score_samples({ { 1e4, 0 } })[1]
      near(-nearest / 0.18, value, 1e-7) -- the other terms are log(n) at most
   end)

   it("is scored by the mean log density, also in cross-validation and search", function()
      local X = problems.faithful[1]
      local model = ml.KernelDensity {}:fit(X)
      near(model:score_samples(X):mean(), model:score(X), 1e-14)
      local weights = ml.range(1, X.rows)
      near(model:score_samples(X):dot(weights) / weights:sum(), model:score(X, nil, { weights = weights }), 1e-14)
      local scores = ml.cross_validate(ml.KernelDensity {}, X, nil, { cv = { { { 1, 2, 3, 4 }, { 5, 6 } } } })
      local part = ml.KernelDensity {}:fit(X:slice(1, 4)):score_samples(X:slice(5, 6)):mean()
      near(part, scores.scores.log_likelihood[1], 1e-14)
      local search = ml.GridSearch { ml.KernelDensity {}, { bandwidth = { 0.1, 3, 100 } }, cv = 5 }:fit(X)
      assert.equal(3, search.best_params.bandwidth)
   end)

   it("explains what it cannot do", function()
      local X = { { 0.1, 0.2 }, { 0.3, 0.1 }, { 1, 1 } }
      refuses("bandwidth_rule 'scott' is not defined for the metric cosine; set bandwidth", function()
         ml.KernelDensity { metric = "cosine" }:fit(X)
      end)
      refuses("'lscv' requires the metric euclidean or mahalanobis, got manhattan; use 'likelihood'", function()
         ml.KernelDensity { metric = "manhattan", bandwidth_rule = "lscv" }:fit(X)
      end)
      local model = ml.KernelDensity { metric = "cosine", bandwidth = 1 }:fit(X)
      refuses("KernelDensity: sample is not defined for the metric cosine", model.sample, model, { n = 3 })
   end)
end)
