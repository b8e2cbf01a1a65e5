local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/latent/indian_buffet_process.lua"

-- The four images of 6 x 6 pixels of Griffiths and Ghahramani, each in half of the rows, with noise.
local pictures = {
   "010000111000010000000000000000000000",
   "000111000101000111000000000000000000",
   "000000000000000000100000110000111000",
   "000000000000000000000111000010000010",
}

local function images(n, noise)
   local A, Z, coins = {}, {}, ml.normal(n, 4, 7)
   for k, text in ipairs(pictures) do
      A[k] = {}
      for j = 1, 36 do A[k][j] = tonumber(text:sub(j, j)) end
   end
   for i = 1, n do
      Z[i] = {}
      for k = 1, 4 do Z[i][k] = coins:get(i, k) > 0 and 1 or 0 end
   end
   return ml.Matrix(Z) * ml.Matrix(A) + ml.normal(n, 36, 2) * noise, ml.Matrix(Z), ml.Matrix(A)
end

-- log det of C and C^-1 x, by elimination.
local function solve(C, x)
   local n, a, log_det = #x, {}, 0
   for i = 1, n do
      a[i] = { table.unpack(C[i]) }
      a[i][n + 1] = x[i]
   end
   for i = 1, n do
      log_det = log_det + math.log(a[i][i])
      for r = 1, n do
         local factor = a[r][i] / a[i][i]
         for j = i, r == i and 0 or n + 1 do a[r][j] = a[r][j] - factor * a[i][j] end
      end
   end
   local out = {}
   for i = 1, n do out[i] = a[i][n + 1] / a[i][i] end
   return log_det, out
end

local function log_factorial(n)
   local sum = 0
   for i = 2, n do sum = sum + math.log(i) end
   return sum
end

describe("IndianBuffetProcess", function()
   it("finds the four images of Griffiths and Ghahramani, and which row has which", function()
      local X, Z, A = images(100, 0.5)
      for seed = 0, 9 do
         local model = ml.IndianBuffetProcess { seed = seed }:fit(X)
         assert.equal(4, model.components.rows)
         support.near(0.25, model.noise_variance, 0.1, "noise") -- 3600 values: standard error 2.4%
         local used = {}
         for k = 1, 4 do
            local best, least = 0, math.huge
            for c = 1, 4 do
               local square = 0
               for j = 1, 36 do square = square + (model.components:get(k, j) - A:get(c, j)) ^ 2 end
               if square < least then best, least = c, square end
            end
            assert.is_nil(used[best])
            used[best] = true
            assert.is_true(least / 36 < 0.02, least) -- a mean of 45 values with variance 0.25, correlated
            local wrong = 0
            for i = 1, 100 do wrong = wrong + math.abs(model.assignments:get(i, k) - Z:get(i, best)) end
            assert.is_true(wrong <= 8, wrong) -- the features differ from nothing by 2.4 standard deviations and more
         end
         local likeliest = 1
         for k = 2, #model.count_distribution do
            if model.count_distribution[k] > model.count_distribution[likeliest] then likeliest = k end
         end
         assert.is_true(likeliest >= 4 and likeliest <= 5)
         support.near(1, model.count_distribution:sum(), 1e-12)
      end
   end)

   it("finds the images in rows with little noise, where draws of single features seldom change", function()
      local X, found = images(100, 0.2), 0
      for seed = 0, 9 do
         if ml.IndianBuffetProcess { seed = seed }:fit(X).components.rows == 4 then found = found + 1 end
      end
      assert.is_true(found >= 8, found) -- 9 of 10 on average; 2 of 10 if all rows were added before the second sweep
   end)

   it("samples the posterior of the number of features, as enumerated for two rows", function()
      ml.warnings "off" -- a tol this large leaves max_iter as the end
      local share = ml.IndianBuffetProcess {
         concentration = fixture.alpha, tol = 1e6, n_iter_no_change = 20000, max_iter = 15000, n_init = 4,
      }:fit(fixture.X).count_distribution
      ml.warnings "on"
      for k = 1, #fixture.share do
         support.near(fixture.share[k], share[k], 0.012, "share", 1) -- three standard errors: draws are correlated
      end
   end)

   it("reports the joint density of its state", function()
      local X = images(12, 0.3)
      local model = ml.IndianBuffetProcess { seed = 2 }:fit(X)
      local Z, n, p, K = model.assignments, 12, 36, model.components.rows
      local C, sum = {}, 0
      for i = 1, n do
         C[i] = {}
         for j = 1, n do
            C[i][j] = i == j and model.noise_variance or 0
            for k = 1, K do C[i][j] = C[i][j] + model.feature_variance * Z:get(i, k) * Z:get(j, k) end
         end
      end
      for j = 1, p do
         local x, distance = {}, 0
         for i = 1, n do x[i] = X:get(i, j) end
         local log_det, y = solve(C, x)
         for i = 1, n do distance = distance + x[i] * y[i] end
         sum = sum - (n * math.log(2 * math.pi) + log_det + distance) / 2
      end
      local harmonic, square, groups = 0, 0, {}
      for i = 1, n do harmonic = harmonic + 1 / i end
      sum = sum + K * math.log(model.alpha) - model.alpha * harmonic - model.alpha -- the last one: the prior of alpha
      for k = 1, K do
         local m, key = 0, {}
         for i = 1, n do
            m = m + Z:get(i, k)
            key[i] = Z:get(i, k)
         end
         assert.equal(m, model.counts[k])
         key = table.concat(key)
         groups[key] = (groups[key] or 0) + 1
         sum = sum + log_factorial(n - m) + log_factorial(m - 1) - log_factorial(n)
      end
      for _, equal in pairs(groups) do sum = sum - log_factorial(equal) end
      for i = 1, n do
         for j = 1, p do square = square + X:get(i, j) ^ 2 / (n * p) end
      end
      for variance, share in pairs { [model.noise_variance] = 1e-3, [model.feature_variance] = 0.1 } do
         sum = sum + math.log(share * square) - 2 * math.log(variance) - share * square / variance
      end
      support.near(sum, model.log_joint, 1e-10, "log joint")
   end)

   it("has features and their covariance as given by the rows that have them", function()
      local X = images(40, 0.3)
      local model = ml.IndianBuffetProcess {}:fit(X)
      local Z, K = model.assignments, model.components.rows
      local G, b = Z:t() * Z, Z:t() * X
      for k = 1, K do G:set(k, k, G:get(k, k) + model.noise_variance / model.feature_variance) end
      support.near_rows(b, G * model.components, 1e-9, "features", 1)
      local one = G * model.covariance
      for k = 1, K do
         for l = 1, K do support.near(k == l and model.noise_variance or 0, one:get(k, l), 1e-10, "covariance", 1) end
      end
   end)

   it("gives new rows the probabilities of all combinations of features", function()
      local X, Z = images(60, 0.5)
      local model = ml.IndianBuffetProcess {}:fit(X)
      local few, K = X:slice(1, 5), model.components.rows
      local P = model:transform(few)
      for i = 1, few.rows do
         local total, has = 0, {}
         for code = 0, 2 ^ K - 1 do
            local variance, log_prior, rest = model.noise_variance, 0, few:slice(i, i):copy()
            for k = 1, K do
               local on, m = code >> (k - 1) & 1, model.counts[k]
               log_prior = log_prior + math.log(on == 1 and m or model.n + 1 - m)
               rest = rest - model.components:slice(k, k) * on
               for l = 1, K do variance = variance + on * (code >> (l - 1) & 1) * model.covariance:get(k, l) end
            end
            local square = 0
            for j = 1, 36 do square = square + rest:get(1, j) ^ 2 end
            local weight = math.exp(log_prior - 18 * math.log(variance) - square / (2 * variance))
            total = total + weight
            for k = 1, K do has[k] = (has[k] or 0) + weight * (code >> (k - 1) & 1) end
         end
         for k = 1, K do support.near(has[k] / total, P:get(i, k), 1e-9, "probability", 1) end
      end
      local back, off = model:inverse_transform(Z), 0 -- a row of features is their sum
      for j = 1, 36 do off = math.max(off, math.abs(back:get(1, j) - (Z:slice(1, 1) * model.components):get(1, j))) end
      assert.is_true(off < 1e-12)
   end)

   it("samples the probabilities if there are many features", function()
      -- 14 features in columns of their own: probabilities of each alone
      local A, Z, coins = ml.zeros(14, 28), ml.zeros(300, 14), ml.normal(300, 14, 3)
      for k = 1, 14 do
         A:set(k, 2 * k, 3)
         A:set(k, 2 * k - 1, -3)
         for i = 1, 300 do Z:set(i, k, coins:get(i, k) > 0.5 and 1 or 0) end
      end
      local X = Z * A + ml.normal(300, 28, 4) * 0.4
      -- a seed that finds the 14 features; others find sums of two, too
      local model = ml.IndianBuffetProcess { seed = 2 }:fit(X)
      assert.equal(14, model.components.rows)
      local P, wrong = model:transform(X), 0
      for i = 1, 300 do
         for k = 1, model.components.rows do wrong = wrong + math.abs(P:get(i, k) - model.assignments:get(i, k)) end
      end
      assert.is_true(wrong / (300 * 14) < 0.01, wrong)
   end)

   it("finds one feature in what all rows share", function()
      local model = ml.IndianBuffetProcess {}:fit(ml.normal(50, 8, 1) * 0.1 + 3)
      assert.equal(50, model.counts[1])
      for j = 1, 8 do support.near(3, model.components:get(1, j), 0.05) end
   end)

   it("gives the same bytes for any number of threads", function()
      local X = images(30, 0.5)
      support.same_for_any_threads(function()
         return ml.IndianBuffetProcess { n_init = 3, n_iter_no_change = 5 }:fit(X)
      end)
   end)

   it("refuses X without anything to explain", function()
      support.refuses("all values of X are 0", function() ml.IndianBuffetProcess {}:fit(ml.zeros(4, 2)) end)
   end)
end)
