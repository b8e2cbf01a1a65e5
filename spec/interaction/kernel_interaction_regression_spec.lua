local ml = require "manilius"
local support = dofile "spec/support.lua"
local near, near_all, refuses = support.near, support.near_all, support.refuses

-- Reference implementation: the same model with all products expanded.

-- Cholesky factor of a list of rows, and the solution of L L' x = b.
local function factor(A)
   local n, L = #A, {}
   for i = 1, n do
      L[i] = {}
      for j = 1, i do
         local sum = A[i][j]
         for k = 1, j - 1 do sum = sum - L[i][k] * L[j][k] end
         L[i][j] = i == j and math.sqrt(sum) or sum / L[j][j]
      end
   end
   return L
end

local function solve(L, b)
   local n, x = #L, {}
   for i = 1, n do
      local sum = b[i]
      for k = 1, i - 1 do sum = sum - L[i][k] * x[k] end
      x[i] = sum / L[i][i]
   end
   for i = n, 1, -1 do
      local sum = x[i]
      for k = i + 1, n do sum = sum - L[k][i] * x[k] end
      x[i] = sum / L[i][i]
   end
   return x
end

-- u and omega of a fitted model (src/interaction/interaction.h).
local function scales(model)
   local u = {}
   for j, kappa in ipairs(model.kappa:totable()) do u[j] = (kappa * model.eta_1 / model.sigma) ^ 2 end
   return u, model.eta_2 * model.sigma / model.eta_1 ^ 2
end

-- Prior variances of all effects, and the value of each at a standardized row: columns, then products.
local function features(u, omega, squares)
   local list = {}
   for j = 1, #u do list[j] = { j, prior = u[j], of = function(z) return z[j] end } end
   for i = 1, #u do
      for j = i, #u do
         local prior = i == j and omega ^ 2 * u[i] ^ 2 / 2 or omega ^ 2 * u[i] * u[j]
         local one = { i, j, prior = prior, of = function(z) return z[i] * z[j] end }
         if i ~= j or squares then list[#list + 1] = one end
      end
   end
   return list
end

local function standardized(model, X)
   local rows = {}
   for a = 1, X.rows do
      rows[a] = {}
      for j = 1, X.cols do rows[a][j] = (X[a][j] - model.center[j]) / model.scale[j] end
   end
   return rows
end

-- Ridge regression on the features, scaled to prior variance 1, with an unpenalized intercept: posterior means, the
-- factor of the precision, the weighted means, and the residuals.
local function explicit(list, rows, y, weights)
   local total, mean, q = 0, {}, #list
   local phi, gram, cross, rest = {}, {}, {}, 0
   for k = 1, q + 1 do mean[k] = 0 end
   for a, z in ipairs(rows) do
      phi[a] = {}
      for k, one in ipairs(list) do phi[a][k] = math.sqrt(one.prior) * one.of(z) end
      phi[a][q + 1] = y[a]
      total = total + weights[a]
      for k = 1, q + 1 do mean[k] = mean[k] + weights[a] * phi[a][k] end
   end
   for k = 1, q + 1 do mean[k] = mean[k] / total end
   for k = 1, q do
      gram[k], cross[k] = {}, 0
      for l = 1, q do gram[k][l] = k == l and 1 or 0 end
   end
   for a, row in ipairs(phi) do
      local w, off = weights[a], row[q + 1] - mean[q + 1]
      for k = 1, q do
         for l = 1, q do gram[k][l] = gram[k][l] + w * (row[k] - mean[k]) * (row[l] - mean[l]) end
         cross[k] = cross[k] + w * (row[k] - mean[k]) * off
      end
      rest = rest + w * off ^ 2
   end
   local L = factor(gram)
   local b = solve(L, cross)
   for k = 1, q do rest = rest - b[k] * cross[k] end
   return { b = b, L = L, mean = mean, total = total, rest = rest }
end

-- The objective of src/interaction/interaction.h, from the features.
local function objective(u, log_omega, rows, y, weights, squares, sparsity)
   local omega = math.exp(log_omega)
   local list = {}
   for _, one in ipairs(features(u, omega, squares)) do list[#list + 1] = one.prior > 0 and one or nil end
   local e = explicit(list, rows, y, weights)
   local spread, log_det, sum, all = 0, 0, log_omega ^ 2 / 8, 0
   for a = 1, #rows do spread = spread + weights[a] * (y[a] - e.mean[#e.mean]) ^ 2 end
   for k = 1, #e.L do log_det = log_det + 2 * math.log(e.L[k][k]) end
   for j = 1, #u do all = all + u[j] end
   local rho = (sparsity or 1) * e.total * math.log(1 + #u)
   for j = 1, #u do sum = sum + math.log(1 + rho * u[j] * (1 + omega ^ 2 * (all - u[j]))) end
   local rest = e.rest / (spread / e.total) + 1e-8 * e.total
   return sum + ((e.total - 1) * math.log(rest) + log_det + math.log(e.total)) / 2
end

local function planted(n, p, mains, products, noise, seed)
   local X, y = ml.normal(n, p, seed), ml.normal(n, nil, seed + 100) * noise
   for _, one in ipairs(mains) do y = y + X:col(one[1]) * one[2] end
   for _, one in ipairs(products) do y = y + X:col(one[1]):mul(X:col(one[2])) * one[3] end
   return X, y
end

local function terms(frame)
   local list = {}
   for i = 1, frame.rows do list[i] = tostring(frame.term[i]) end
   return list
end

local small, answer = planted(30, 5, { { 1, 2 }, { 2, -1 }, { 4, 0.5 } }, { { 1, 2, 1.5 }, { 2, 4, 1 } }, 0.4, 11)
small = small * 3 + 2
local counts = {}
for i = 1, 30 do counts[i] = i % 3 + 0.5 end

describe("KernelInteractionRegression", function()
   for _, squares in ipairs { false, true } do
      it("equals ridge regression on all products: squares = " .. tostring(squares), function()
         local model = ml.KernelInteractionRegression { squares = squares }:fit(small, answer, { weights = counts })
         local u, omega = scales(model)
         local list, rows = features(u, omega, squares), standardized(model, small)
         local e = explicit(list, rows, answer, counts)
         assert.is_true(model.relevant.size >= 3)
         for k, one in ipairs(list) do
            local i, j = one[1], one[2]
            local unit = model.scale[i] * (j and model.scale[j] or 1)
            local column = {}
            for l = 1, #list do column[l] = l == k and math.sqrt(one.prior) or 0 end
            local std = model.sigma * math.sqrt(math.max(solve(e.L, column)[k] * column[k], 0)) / unit
            local wanted = e.b[k] * math.sqrt(one.prior) / unit
            if j then
               local got = model:interaction { first = j, second = i }
               near(wanted, got.estimate, 1e-8, "product", 0.1)
               near(std, got.std, 1e-8, "its std", 0.01)
            else
               near(wanted, model.coef[i], 1e-8, "coef", 0.1)
            end
         end
         local new = ml.normal(7, 5, 5) * 4
         local said = model:predict_interval(new)
         for a, z in ipairs(standardized(model, new)) do
            local mean, phi = e.mean[#e.mean], {}
            for k, one in ipairs(list) do
               phi[k] = math.sqrt(one.prior) * one.of(z) - e.mean[k]
               mean = mean + e.b[k] * phi[k]
            end
            local variance, toward = 1 + 1 / e.total, solve(e.L, phi)
            for k = 1, #list do variance = variance + phi[k] * toward[k] end
            near(mean, said.mean[a], 1e-8, "mean", 1)
            near(model.sigma * math.sqrt(variance), said.std[a], 1e-8, "std")
         end
         near_all(said.mean, model:predict(new), 0, "predictions")
         near(math.sqrt(e.rest / (e.total - 1)), model.sigma, 1e-6, "sigma")
         local mains = model:main_effects { level = 0.9 }
         for row = 1, mains.rows do near(model.coef[mains.column[row]], mains.estimate[row], 1e-12, "main effect") end
         near(2 * 1.6448536269514722 * mains.std[1], mains.high[1] - mains.low[1], 1e-9, "interval")
      end)

      it("minimizes its objective: squares = " .. tostring(squares), function()
         local settings = { squares = squares, tol = 1e-9, max_iter = 50 }
         local model = ml.KernelInteractionRegression(settings):fit(small, answer, { weights = counts })
         local u, omega = scales(model)
         local rows, step = standardized(model, small), 1e-5
         local function at(changed, log_omega) return objective(changed, log_omega, rows, answer, counts, squares) end
         local best, log_omega, inside, outside = at(u, math.log(omega)), math.log(omega), 0, 0
         near(best, model.objective, 1e-10, "objective")
         for j = 1, #u do
            local up, down = table.move(u, 1, #u, 1, {}), table.move(u, 1, #u, 1, {})
            if u[j] > 0 then
               up[j], down[j] = u[j] * math.exp(step), u[j] * math.exp(-step)
               near(0, (at(up, log_omega) - at(down, log_omega)) / (2 * step), 1e-5, "slope by log u", 1)
               inside = inside + 1
            else
               up[j] = 1e-8
               assert.is_true(at(up, log_omega) > best)
               outside = outside + 1
            end
         end
         near(0, (at(u, log_omega + step) - at(u, log_omega - step)) / (2 * step), 1e-5, "slope by log omega", 1)
         assert.is_true(inside >= 3 and outside >= 1)
      end)
   end

   it("gives the same by the kernel and by expanded effects", function()
      -- duplicate rows make more rows than effects; weights undo the duplication
      for _, squares in ipairs { false, true } do
         local X, y = planted(14, 5, { { 1, 2 } }, { { 1, 4, 2 } }, 0.1, 15)
         local rows, answers, half = {}, {}, {}
         for i = 1, 28 do
            rows[i], answers[i], half[i] = X[(i - 1) % 14 + 1]:totable(), y[(i - 1) % 14 + 1], 0.5
         end
         local settings = { squares = squares, tol = 1e-10 }
         local wide = ml.KernelInteractionRegression(settings):fit(X, y)
         local tall = ml.KernelInteractionRegression(settings):fit(rows, answers, { weights = half })
         assert.same({ 1, 4 }, wide.relevant:totable())
         near(wide.objective, tall.objective, 1e-9, "objective", 1)
         assert.same(wide.relevant:totable(), tall.relevant:totable())
         near_all(wide.kappa, tall.kappa, 1e-6, "kappa", 1)
         near_all(wide.coef, tall.coef, 1e-6, "coef", 1)
         near_all(wide:predict(X), tall:predict(X), 1e-6, "predictions", 1)
         near_all(wide:predict_interval(X).std, tall:predict_interval(X).std, 1e-6, "std")
      end
   end)

   it("minimizes its objective also with more effects than rows", function()
      local X, y = planted(16, 40, { { 1, 2 }, { 2, 1 }, { 3, -1 }, { 7, 1 }, { 9, 1 } },
         { { 1, 2, 2 }, { 3, 7, 1 }, { 1, 9, 1 } }, 0.01, 16)
      local model = ml.KernelInteractionRegression { sparsity = 0.001 }:fit(X, y)
      local u, omega = scales(model)
      local weights = {}
      for i = 1, 16 do weights[i] = 1 end
      assert.is_true(#model.relevant >= 6) -- at least 21 effects, 16 rows
      near(objective(u, math.log(omega), standardized(model, X), y, weights, false, 0.001), model.objective, 1e-6,
         "objective", 1)
   end)

   it("finds exactly the few effects among 500 columns and 125,000 products", function()
      local X, y = planted(300, 500, { { 10, 1 }, { 60, -1 }, { 200, 0.8 }, { 333, 0.7 }, { 450, 1 } },
         { { 10, 60, 1 }, { 200, 333, -0.8 }, { 10, 450, 0.7 } }, 0.5, 1)
      local model = ml.KernelInteractionRegression {}:fit(X, y)
      assert.is_true(model.converged)
      assert.same({ 10, 60, 200, 333, 450 }, model.relevant:totable())
      for j, wanted in pairs { [10] = 1, [60] = -1, [200] = 0.8, [333] = 0.7, [450] = 1 } do
         near(wanted, model.coef[j], 0.12, "main effect")
      end
      local found = model:interactions { most = 3 }
      assert.same({ "x10:x60", "x200:x333", "x10:x450" }, terms(found))
      for row, wanted in ipairs { 1, -0.8, 0.7 } do
         near(wanted, found.estimate[row], 0.05, "product")
         assert.is_true(math.abs(found.estimate[row] - wanted) < 3 * found.std[row])
      end
      near(0.5, model.sigma, 0.05)
      local rest = model:interactions { columns = 5 }
      assert.equal(10, rest.rows)
      for row = 4, 10 do assert.is_true(math.abs(rest.estimate[row]) < 3 * rest.std[row]) end
      local out = model:interaction { first = 1, second = 10 }
      assert.same({ 0.0, 0.0 }, { out.estimate, out.std })
      assert.equal(1, model:interactions { columns = 2 }.rows)
   end)

   it("finds products of columns without main effects", function()
      local X, y = planted(300, 300, {}, { { 10, 60, 1 }, { 200, 133, -1 } }, 0.5, 2)
      local model = ml.KernelInteractionRegression {}:fit(X, y)
      assert.same({ 10, 60, 133, 200 }, model.relevant:totable())
      assert.same({ ["x10:x60"] = true, ["x133:x200"] = true },
         { [terms(model:interactions())[1]] = true, [terms(model:interactions())[2]] = true })
      X, y = planted(300, 300, { { 10, 1 } }, { { 10, 60, 1 } }, 0.5, 3)
      assert.same({ 10, 60 }, ml.KernelInteractionRegression {}:fit(X, y).relevant:totable())
   end)

   it("finds almost nothing in pure noise", function()
      local found = 0
      for seed = 1, 5 do
         local X, y = ml.normal(100, 200, seed), ml.normal(100, nil, seed + 50)
         found = found + #ml.KernelInteractionRegression {}:fit(X, y).relevant
         local model = ml.KernelInteractionRegression { sparsity = 2 }:fit(X, y)
         assert.equal(0, #model.relevant)
         assert.equal(0, model.coef:abs():max())
         near(y:mean(), model.intercept, 1e-12, "intercept", 1)
         near(math.sqrt(((y - y:mean()):mul(y - y:mean())):sum() / 99), model.sigma, 1e-7, "sigma")
         assert.equal(0, model:interactions().rows)
         near(model.sigma * math.sqrt(1 + 1 / 100), model:predict_interval(X:slice(1, 1)).std[1], 1e-12, "std")
      end
      assert.is_true(found <= 2)
   end)

   it("needs memory proportional to the columns, not to their products", function()
      local peaks = {}
      for k, p in ipairs { 1000, 2000, 4000 } do
         local X = ml.normal(60, p, 6)
         local y = X:col(7) * 2 + X:col(7):mul(X:col(900)) * 2 + ml.normal(60, nil, 7) * 0.1
         local before = ml.memory.live()
         ml.memory.peak(true)
         local model = ml.KernelInteractionRegression {}:fit(X, y)
         peaks[k] = ml.memory.peak() - before
         assert.same({ 7, 900 }, model.relevant:totable())
      end
      assert.is_true(peaks[3] < 4.5 * peaks[1])
      assert.is_true(peaks[3] < 8 * 60 * 4000 * 4) -- four times X; the products of X would take 2000 times X
   end)

   it("predicts fuel consumption better than a linear model, by the interaction of engine and weight", function()
      local cars, mpg = ml.read_csv("examples/data/auto_mpg.csv"):dropna():split "mpg"
      cars = cars:select { "cylinders", "displacement", "horsepower", "weight", "acceleration", "model_year" }
      local model = ml.KernelInteractionRegression {}:fit(cars, mpg)
      assert.is_true(model.converged)
      assert.same({ "weight", "model_year" }, terms(model:main_effects { most = 2 }))
      local first = model:interactions { most = 1 }
      assert.same({ "displacement:weight" }, terms(first))
      assert.is_true(first.low[1] > 0) -- the effect of weight decreases with weight
      local function error_of(estimator)
         local held_out, sum = {}, 0
         for i = 2, 392, 3 do held_out[#held_out + 1] = i end
         local rest = {}
         for i = 1, 392 do rest[#rest + 1] = i % 3 ~= 2 and i or nil end
         local off = estimator:fit(cars:take(rest), mpg:take(rest)):predict(cars:take(held_out)) - mpg:take(held_out)
         for i = 1, #off do sum = sum + off[i] ^ 2 end
         return sum / #off
      end
      assert.is_true(error_of(ml.KernelInteractionRegression {}) < 0.85 * error_of(ml.LinearRegression {}))
   end)

   it("excludes irrelevant columns of the diabetes data", function()
      local X, y = support.data("diabetes", "progression")
      local model = ml.KernelInteractionRegression {}:fit(X, y)
      local names = {}
      for k, j in ipairs(model.relevant:totable()) do names[k] = X.names[j] end
      assert.same({ "sex", "bmi", "bp", "s3", "s5" }, names)
   end)

   it("handles constant and duplicate columns, and more columns than rows", function()
      local X, y = planted(60, 2, { { 1, 1 } }, { { 1, 2, 1 } }, 0.1, 8)
      local one = X:col(1)
      local rows = {}
      for i = 1, 60 do rows[i] = { 7, X[i][1], X[i][2], 1e9, one[i] } end
      local model = ml.KernelInteractionRegression {}:fit(rows, y)
      assert.equal(0, model.scale[1])
      assert.equal(0, model.kappa[4])
      local one_way = model:interaction { first = 2, second = 3 }.estimate
      near(1, one_way + model:interaction { first = 3, second = 5 }.estimate, 0.05, "products of the copies")
      local alone = ml.KernelInteractionRegression {}:fit(X, y)
      near_all(alone:predict(X), model:predict(rows), 1e-2, "predictions", 1)
      local wide = ml.KernelInteractionRegression {}:fit(X:slice(1, 5), y:slice(1, 5))
      assert.is_true(wide:predict(X):isfinite():sum() == 60)
   end)

   it("handles one row, one column, constant y, and y without noise", function()
      local one = ml.KernelInteractionRegression {}:fit({ { 1, 2 } }, { 5 })
      assert.equal(5, one:predict({ { 3, 4 } })[1])
      assert.equal(0, one.sigma)
      local X = ml.normal(30, 1, 9)
      local line = ml.KernelInteractionRegression {}:fit(X, X:col(1) * 3 + 1)
      near(3, line.coef[1], 1e-3)
      near_all(X:col(1) * 3 + 1, line:predict(X), 1e-3, "line", 1)
      assert.equal(0, line:interactions().rows)
      refuses("second must be a column of X %(1 to 1%), got 2", function()
         line:interaction { first = 1, second = 2 }
      end)
      local constant = ml.KernelInteractionRegression {}:fit(small, ml.Vector(30, 0.1))
      near(0.1, constant:predict(small)[3], 1e-15)
      assert.equal(0, #constant.relevant)
      local A, product = planted(40, 3, {}, { { 1, 3, 2 } }, 0, 10)
      local exact = ml.KernelInteractionRegression {}:fit(A, product)
      near_all(product, exact:predict(A), 1e-3, "product", 1)
   end)

   it("does not depend on the units of X or y", function()
      local model = ml.KernelInteractionRegression {}:fit(small, answer)
      local other = ml.KernelInteractionRegression {}:fit(small * 1e6 + 1e6, answer * 1e-5 + 3)
      assert.same(model.relevant:totable(), other.relevant:totable())
      near_all(model.kappa, other.kappa, 1e-3, "kappa", 1)
      near_all(model.coef, other.coef * 1e11, 1e-3, "coef", 1)
      near(model:interactions().estimate[1], other:interactions().estimate[1] * 1e17, 1e-3, "product")
   end)

   it("selects columns according to sparsity, and squares with squares = true", function()
      local X, y = support.data("diabetes", "progression")
      local few = ml.KernelInteractionRegression { sparsity = 30 }:fit(X, y)
      local many = ml.KernelInteractionRegression { sparsity = 0.01 }:fit(X, y)
      assert.is_true(#few.relevant < #many.relevant)
      local A = ml.normal(80, 4, 12)
      local b = A:col(2):mul(A:col(2)) + ml.normal(80, nil, 13) * 0.1
      assert.equal("x2^2", terms(ml.KernelInteractionRegression { squares = true }:fit(A, b):interactions())[1])
      refuses("first and second must be two columns, got 2 for both", function()
         few:interaction { first = 2, second = 2 }
      end)
      refuses("first must be a column of X %(1 to 10%), got none", function() few:interaction {} end)
   end)

   it("gives the same for any number of threads", function()
      local X, y = planted(150, 60, { { 3, 1 } }, { { 3, 50, 1 } }, 0.3, 14)
      support.same_for_any_threads(function() return ml.KernelInteractionRegression {}:fit(X, y) end)
   end)
end)
