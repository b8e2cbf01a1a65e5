local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.smoothing.kernel_regression"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local problems = {
   faithful = function()
      local geyser = ml.read_csv "examples/data/faithful.csv"
      return ml.Matrix(geyser.eruptions), geyser.waiting, { { 1.5 }, { 3 }, { 5.3 } }
   end,
   mtcars = function()
      local cars, rows = ml.read_csv "examples/data/mtcars.csv", {}
      for i = 1, cars.rows do rows[i] = { cars.hp[i], cars.wt[i] } end
      return ml.Matrix(rows), cars.mpg, { { 100, 2.5 }, { 150, 3.2 }, { 300, 5 } }
   end,
}
local kinds = { lc = { method = "nadaraya_watson" }, ll = { method = "local_polynomial", degree = 1 } }

local function with(settings, more)
   local all = {}
   for name, value in pairs(settings) do all[name] = value end
   for name, value in pairs(more) do all[name] = value end
   return ml.KernelRegression(all)
end

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

-- The integral of f over a..b by Simpson's rule.
local function integral(f, a, b)
   local n, sum = 2000, 0
   for i = 0, n do sum = sum + f(a + (b - a) * i / n) * ((i == 0 or i == n) and 1 or i % 2 == 1 and 4 or 2) end
   return sum * (b - a) / n / 3
end

local function without(list, skip)
   local out = {}
   for i = 1, #list do
      if i ~= skip then out[#out + 1] = list[i] end
   end
   return out
end

local x1 = { { 0.1 }, { 0.7 }, { 0.2 }, { 1.1 }, { 1.9 }, { 0.2 }, { 2.4 }, { 3 } }
local y1 = { 1, 2, 0.5, 3, 2.5, 1.5, 4, 3.5 }

describe("KernelRegression", function()
   it("equals statsmodels for given bandwidths, and finds errors as small", function()
      for _, case in ipairs(wanted.cases) do
         local X, y, new = problems[case.data]()
         local what = ("%s %s %s"):format(case.data, case.kind, case.rule)
         local model = with(kinds[case.kind], { bandwidth = case.bandwidth }):fit(X, y)
         near_all(case.fitted, model:predict(X), 1e-8, what)
         near_all(case.predicted, model:predict(new), 1e-8, what)
         if case.rule == "cv_ls" then
            local chosen = with(kinds[case.kind], { bandwidth_rule = "loo_columns" }):fit(X, y)
            assert(chosen.criterion <= case.loo * (1 + 1e-4), what .. ": the error is not minimal")
            local again = with(kinds[case.kind], { bandwidth = chosen.bandwidths }):fit(X, y)
            near_all(chosen:predict(X), again:predict(X), 1e-13, what)
         elseif case.rule == "" then
            local rss = 0
            for i, value in ipairs(model:predict(X):totable()) do rss = rss + (y[i] - value) ^ 2 end
            local n = #y
            local aicc = math.log(rss / n) + (1 + model.trace_hat / n) / (1 - (model.trace_hat + 2) / n)
            -- statsmodels takes the trace of the lc fit for ll, too
            if case.kind == "lc" then near(case.aicc, aicc, 1e-8, what .. " aicc") end
            local chosen = with(kinds[case.kind], { bandwidth_rule = "aicc" }):fit(X, y)
            assert(chosen.criterion <= aicc, what .. ": aicc is not minimal")
         end
      end
   end)

   it("is the weighted mean of y for every kernel, on one and two columns", function()
      local X, Y = ml.normal(30, 2, 1), ml.normal(30, nil, 2)
      local weights = {}
      for i = 1, 30 do weights[i] = 1 + i % 3 end
      for name, shape in pairs(shapes) do
         for _, cols in ipairs { 1, 2 } do
            local x = cols == 2 and X or ml.Matrix(X:col(1))
            local h = cols == 2 and { 1.5, 2 } or { 1.5 }
            local model = ml.KernelRegression { kernel = name, bandwidth = h }:fit(x, Y, { weights = weights })
            local top, total = 0, 0
            for i = 1, 30 do
               local w = weights[i]
               for j = 1, cols do w = w * shape(math.abs(0.3 - x:get(i, j)) / h[j]) end
               top, total = top + w * Y[i], total + w
            end
            near(top / total, model:predict { cols == 2 and { 0.3, 0.3 } or { 0.3 } }[1], 1e-12, name)
         end
      end
   end)

   it("is the weighted least squares polynomial", function()
      local X, Y, point = ml.normal(40, 2, 3), ml.normal(40, nil, 4), { 0.4, -0.3 }
      for degree = 0, 3 do
         local weights, rows = {}, {}
         for i = 1, 40 do
            local a, b = X:get(i, 1) - point[1], X:get(i, 2) - point[2]
            weights[i] = shapes.gaussian(a / 0.8) * shapes.gaussian(b / 1.2)
            rows[i] = {}
            for j = 0, degree do
               for k = 0, degree - j do rows[i][#rows[i] + 1] = a ^ j * b ^ k end
            end
         end
         local line = ml.LinearRegression { fit_intercept = false }:fit(rows, Y, { weights = weights })
         local model = ml.KernelRegression { method = "local_polynomial", degree = degree, bandwidth = { 0.8, 1.2 } }
         near(line.coef[1], model:fit(X, Y):predict { point }[1], 1e-9, "degree " .. degree, 1e-3)
      end
   end)

   it("follows the formulas of Priestley-Chao and Gasser-Mueller, with ties", function()
      local x, y = { 0.1, 0.2, 0.7, 1.1, 1.9, 2.4, 3 }, { 1, 1, 2, 3, 2.5, 4, 3.5 } -- the two rows at 0.2 have mean 1
      for name, shape in pairs(shapes) do
         local h, q = 0.6, 1.3
         local scale = integral(function(u) return shape(math.abs(u)) end, name == "exponential" and -40 or -9, 40) * h
         if name == "exponential" or name == "tophat" or name == "linear" then
            scale = ({ exponential = 2, tophat = 2, linear = 1 })[name] * h
         end
         local pc, gm = 0, 0
         for i = 1, 7 do
            local low = i > 1 and (x[i - 1] + x[i]) / 2 or -9
            local high = i < 7 and (x[i] + x[i + 1]) / 2 or 13
            if i > 1 then pc = pc + (x[i] - x[i - 1]) * shape(math.abs(q - x[i]) / h) / scale * y[i] end
            gm = gm + y[i] * integral(function(u) return shape(math.abs(q - u) / h) end, low, high) / scale
         end
         local model = ml.KernelRegression { method = "priestley_chao", kernel = name, bandwidth = h }:fit(x1, y1)
         near(pc, model:predict { { q } }[1], 1e-4, name .. " Priestley-Chao")
         model = ml.KernelRegression { method = "gasser_mueller", kernel = name, bandwidth = h }:fit(x1, y1)
         near(gm, model:predict { { q } }[1], name == "tophat" and 1e-2 or 2e-4, name .. " Gasser-Mueller")
         near(1, model:fit(x1, { 1, 1, 1, 1, 1, 1, 1, 1 }):predict { { q } }[1], 1e-14, name .. " weights")
      end
   end)

   it("reports the leave-one-out error of every method", function()
      for _, method in ipairs { "nadaraya_watson", "priestley_chao", "gasser_mueller", "local_polynomial" } do
         for _, kernel in ipairs { "gaussian", "epanechnikov" } do
            local model = ml.KernelRegression { method = method, kernel = kernel }:fit(x1, y1)
            local sum = 0
            for i = 1, #x1 do
               local one = ml.KernelRegression { method = method, kernel = kernel, bandwidth = model.bandwidths }
               sum = sum + (y1[i] - one:fit(without(x1, i), without(y1, i)):predict { x1[i] }[1]) ^ 2 / #x1
            end
            near(sum, model.criterion, 1e-10, method .. " " .. kernel)
         end
      end
   end)

   it("counts weights as repeated rows in all that it learns", function()
      for _, method in ipairs { "nadaraya_watson", "priestley_chao", "gasser_mueller", "local_polynomial" } do
         for _, rule in ipairs { "loo", "aicc", "normal_reference" } do
            local xs, ys, weights = {}, {}, {}
            for i = 1, #x1 do
               weights[i] = i % 3 + 1
               for _ = 1, weights[i] do xs[#xs + 1], ys[#ys + 1] = x1[i], y1[i] end
            end
            local settings = { method = method, bandwidth_rule = rule }
            local a = ml.KernelRegression(settings):fit(x1, y1, { weights = weights })
            local b = ml.KernelRegression(settings):fit(xs, ys)
            for _, name in ipairs { "trace_hat", "enp", "one_delta", "two_delta", "sigma", "criterion" } do
               if a[name] then near(b[name], a[name], 1e-7, method .. " " .. rule .. " " .. name) end
            end
            near_all(b.bandwidths, a.bandwidths, 1e-7, method .. " bandwidths")
            near_all(b:intervals({ { 1 }, { 2.2 } }).low, a:intervals({ { 1 }, { 2.2 } }).low, 1e-7, method, 1)
         end
      end
   end)

   it("has bands that hold the mean as often as they say", function()
      local x, inside = {}, 0
      for i = 1, 60 do x[i] = { i / 60 } end
      local noise = ml.normal(60, 200, 7)
      for k = 1, 200 do
         local y = {}
         for i = 1, 60 do y[i] = 2 * x[i][1] + noise:get(i, k) end
         local model = ml.KernelRegression { method = "local_polynomial", bandwidth = 0.2 }:fit(x, y)
         local band = model:intervals({ { 0.4 } }, { kind = "confidence", level = 0.9 })
         inside = inside + (band.low[1] < 0.8 and band.high[1] > 0.8 and 1 or 0)
      end
      near(180, inside, 0.07, "of 200 bands at level 0.9") -- three standard deviations
   end)

   it("has a stated answer where no row is near, and for degenerate rows", function()
      local far = { { 10 }, { -5 }, { 1e6 } }
      local sides = { 3.5, 1, 3.5 }
      for _, kernel in ipairs { "gaussian", "epanechnikov", "exponential" } do
         for _, method in ipairs { "nadaraya_watson", "gasser_mueller" } do
            local model = ml.KernelRegression { method = method, kernel = kernel, bandwidth = 0.01 }:fit(x1, y1)
            near_all(sides, model:predict(far), 1e-12, method .. " " .. kernel)
         end
      end
      local compact = ml.KernelRegression { method = "local_polynomial", kernel = "linear", bandwidth = 0.01 }
      near_all(sides, compact:fit(x1, y1):predict(far), 1e-12, "local polynomial")
      local gaps = ml.KernelRegression { method = "priestley_chao", kernel = "linear", bandwidth = 0.01 }
      near_all({ 0, 0, 0 }, gaps:fit(x1, y1):predict(far), 0, "Priestley-Chao")
      for _, method in ipairs { "nadaraya_watson", "priestley_chao", "gasser_mueller", "local_polynomial" } do
         local model = ml.KernelRegression { method = method }
         near(7, model:fit({ { 3 } }, { 7 }):predict { { 3 } }[1], 1e-15, method .. " of one row")
         near(2, model:fit({ { 3 }, { 3 }, { 3 } }, { 1, 2, 3 }):predict { { 3 } }[1], 1e-15, method .. " of equal x")
         assert(model:predict({ { 9 } })[1] == model:predict({ { 9 } })[1])
      end
      local twice = ml.KernelRegression { method = "local_polynomial", degree = 2, bandwidth = 1 }
      twice:fit({ { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } }, { 1, 4, 9, 16 })
      near(6.25, twice:predict { { 2.5, 2.5 } }[1], 1e-10, "duplicate columns")
   end)

   it("explains what it cannot do", function()
      refuses("method 'priestley_chao' requires one column, got 2; use 'nadaraya_watson' or", function()
         ml.KernelRegression { method = "priestley_chao" }:fit({ { 1, 2 }, { 3, 4 } }, { 1, 2 })
      end)
      refuses("bandwidth must have 1 value or 2, one for each column, got 3", function()
         ml.KernelRegression { bandwidth = { 1, 2, 3 } }:fit({ { 1, 2 }, { 3, 4 } }, { 1, 2 })
      end)
      refuses("bandwidth must be", function() ml.KernelRegression { bandwidth = 0 } end)
   end)

   it("hardly changes the reference bandwidth for a row of little weight", function()
      local X, y = ml.normal(60, 1, 1), ml.normal(60, 1, 2):flatten()
      local function bandwidth(weights)
         local model = ml.KernelRegression { bandwidth_rule = "normal_reference" }
         return model:fit(X, y, { weights = weights }).bandwidths[1]
      end
      local little = ml.Vector(60) + 1
      little[7] = 1e-12
      assert.near(1, bandwidth(little) / bandwidth(ml.Vector(60) + 1), 0.05)
      assert.near(1, bandwidth(ml.Vector(60) + 1e300) / bandwidth(ml.Vector(60) + 1), 1e-12)
   end)

   it("leaves out rows with their whole weight where weights are no counts", function()
      local X, y = ml.normal(60, 1, 1), ml.normal(60, 1, 2):flatten()
      for i = 1, 60 do y[i] = math.sin(2 * X[i][1]) + 0.3 * y[i] end
      local ones = ml.Vector(60) + 1
      local little, out = ones:copy(), 1
      for i = 2, 60 do out = math.abs(X[i][1]) < math.abs(X[out][1]) and i or out end
      little[out] = 1e-12
      for _, rule in ipairs { "loo", "aicc" } do
         local function predictions(weights)
            return ml.KernelRegression { bandwidth_rule = rule }:fit(X, y, { weights = weights }):predict(X)
         end
         local without_X, without_y = {}, {}
         for i = 1, 60 do
            if i ~= out then without_X[#without_X + 1], without_y[#without_y + 1] = X[i], y[i] end
         end
         local plain = ml.KernelRegression { bandwidth_rule = rule }:fit(without_X, without_y):predict(X)
         near_all(plain, predictions(little), rule == "loo" and 1e-6 or 0.02, rule .. " with a row of little weight", 1)
         near_all(predictions(ones), predictions(ones * 1e300), 1e-12, rule .. " with large weights", 1)
         local uneven = ones + ml.normal(60, 1, 3):flatten():abs()
         near_all(predictions(uneven), predictions(uneven * 1e-200), 1e-9, rule .. " with scaled weights", 1)
      end
   end)

   it("chooses bandwidths by column with weights as with repeated rows, or without rows of little weight", function()
      local X, y = ml.normal(60, 2, 1), ml.normal(60, 1, 2):flatten()
      local copies, repeated, little, others = ml.Vector(60) + 1, {}, ml.Vector(60) + 1, {}
      for i = 1, 60 do
         y[i] = math.sin(2 * X[i][1]) + X[i][2] / 4 + 0.3 * y[i]
         copies[i] = 1 + i % 2
         for _ = 1, copies[i] do repeated[#repeated + 1] = i end
         if i % 20 == 0 then little[i] = 1e-12 else others[#others + 1] = i end
      end
      local function choose(rows, weights)
         local targets = {}
         for k, i in ipairs(rows) do targets[k] = y[i] end
         local model = ml.KernelRegression { bandwidth_rule = "loo_columns" }
         return model:fit(X:take(rows), targets, { weights = weights }).bandwidths
      end
      local all = {}
      for i = 1, 60 do all[i] = i end
      local plain = choose(all)
      assert(plain[2] > 1.2 * plain[1], "the column of less influence has the larger bandwidth")
      near_all(choose(repeated), choose(all, copies), 1e-5, "copies")
      near_all(choose(others), choose(all, little), 1e-3, "rows of little weight")
   end)

   it("minimizes the weighted leave-one-out error", function()
      local x, y, w = {}, {}, {}
      for i = 1, 25 do
         x[i], w[i] = { i / 5 + 0.1 * math.sin(7 * i) }, 0.3 + (i * 0.618 % 1)
         y[i] = math.cos(x[i][1]) + 0.2 * math.sin(i * i)
      end
      local model = ml.KernelRegression { kernel = "gaussian" }:fit(x, y, { weights = w })
      local sum, total = 0, 0
      for i = 1, 25 do
         local num, den = 0, 0
         for k = 1, 25 do
            if k ~= i then
               local l = w[k] * math.exp(-0.5 * ((x[i][1] - x[k][1]) / model.bandwidths[1]) ^ 2)
               num, den = num + l * y[k], den + l
            end
         end
         sum, total = sum + w[i] * (y[i] - num / den) ^ 2, total + w[i]
      end
      near(sum / total, model.criterion, 1e-12)
   end)
end)
