local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent/fast_ica.lua"

local START = { { 1, 0.3, -0.2 }, { 0.1, 1, 0.4 }, { -0.3, 0.2, 1 } } -- of fast_ica.py
local MIXING = ml.Matrix { { 1, 1, 1 }, { 0.5, 2, 1 }, { 1.5, 1, 2 } }

-- The signals of fast_ica.py: a sine, a square wave and a sawtooth; and their mixtures.
local function signals()
   local s = {}
   for i = 1, 500 do
      local t = (i - 1) * 8 / 500
      s[i] = { math.sin(2 * t), math.sin(3 * t) >= 0 and 1 or -1, 2 * (t / 1.3 - math.floor(t / 1.3 + 0.5)) }
   end
   s = ml.Matrix(s)
   local x = s * MIXING:t()
   for i = 1, 500 do
      for j, shift in ipairs { 3, -1, 10 } do x:set(i, j, x:get(i, j) + shift) end
   end
   return x, s
end

-- The largest distance of rows of `wanted` from the nearest row of `got` or its negative.
local function mismatch(wanted, got)
   local worst = 0
   for a = 1, #wanted do
      local best = math.huge
      for b = 1, #got do
         for sign = -1, 1, 2 do
            local distance, size = 0, 0
            for j = 1, #wanted[a] do
               distance = math.max(distance, math.abs(wanted[a][j] - sign * got[b][j]))
               size = math.max(size, math.abs(wanted[a][j]))
            end
            best = math.min(best, distance / size)
         end
      end
      worst = math.max(worst, best)
   end
   return worst
end

-- The distance of Amari, Cichocki & Yang (1996): 0 if `product` is a permutation of scaled sources.
local function amari(product)
   local n, total = product.rows, 0
   for _, m in ipairs { product, product:t() } do
      for i = 1, n do
         local sum, largest = 0, 0
         for j = 1, n do
            sum = sum + math.abs(m[i][j])
            largest = math.max(largest, math.abs(m[i][j]))
         end
         total = total + sum / largest - 1
      end
   end
   return total / (2 * n * (n - 1))
end

describe("FastICA", function()
   it("agrees with scikit-learn up to order and sign", function()
      local x = signals()
      for _, algorithm in ipairs { "parallel", "deflation" } do
         for key, set in pairs { logcosh = {}, logcosh_17 = { fun = "logcosh", alpha = 1.7 }, exp = {}, cube = {} } do
            local model = ml.FastICA { algorithm = algorithm, fun = set.fun or key, alpha = set.alpha, tol = 1e-13,
               max_iter = 5000, w_init = START }:fit(x)
            local wanted = oracle[algorithm .. "_" .. key]
            -- fixed points agree to the square root of tol, the angle at which both stop
            assert.is_true(model.converged)
            assert.is_true(mismatch(wanted.components, model.components) < 1e-5, algorithm .. key)
            assert.is_true(mismatch(ml.Matrix(wanted.mixing):t(), model.mixing:t()) < 1e-5, algorithm .. key)
            assert.is_true(mismatch(ml.Matrix(wanted.first):t(), model:transform(x:slice(1, 2)):t()) < 1e-5)
         end
      end
   end)

   it("finds fewer sources than columns, with either variance", function()
      local x = signals()
      local model = ml.FastICA { n_components = 2, whiten = "arbitrary-variance", tol = 1e-13, max_iter = 5000 }:fit(x)
      assert.is_true(mismatch(oracle.two.components, model.components) < 1e-5)
      assert.is_true(mismatch(ml.Matrix(oracle.two.mixing):t(), model.mixing:t()) < 1e-5)
      local unit = ml.FastICA { n_components = 2, tol = 1e-13, max_iter = 5000 }:fit(x)
      support.near_rows(unit.components, model.components * math.sqrt(500), 1e-9, "components", 1)
   end)

   it("recovers planted sources", function()
      local S = ml.Matrix(20000, 4)
      local u = ml.random(20000, 4, 1)
      for i = 1, 20000 do
         local v = u[i]
         S:set(i, 1, v[1] - 0.5)
         S:set(i, 2, -math.log(1 - v[2]))
         S:set(i, 3, v[3] < 0.5 and math.log(2 * v[3] + 1e-300) or -math.log(2 - 2 * v[3]))
         S:set(i, 4, v[4] < 0.3 and 1 or -1)
      end
      local A = ml.normal(4, 4, 3)
      local X = S * A:t()
      for _, algorithm in ipairs { "parallel", "deflation" } do
         local model = ml.FastICA { algorithm = algorithm }:fit(X)
         assert.is_true(amari(model.components * A) < 0.03, algorithm) -- errors decrease as 1 / sqrt(rows)
         support.near_rows(X:slice(1, 5), model:inverse_transform(model:transform(X:slice(1, 5))), 1e-9, "row", 1)
         local Z = model:transform(X)
         for j = 1, 4 do support.near(1, Z:col(j):var(), 1e-4, "variance") end
      end
   end)

   it("gives the same for whitening by either solver, and for rows that are white already", function()
      local x = signals()
      local set = { tol = 1e-13, max_iter = 5000 }
      local function with(more)
         for k, v in pairs(set) do more[k] = v end
         return ml.FastICA(more):fit(x)
      end
      local eigh, svd = with { whiten_solver = "eigh" }, with { whiten_solver = "svd" }
      support.near_rows(eigh.components, svd.components, 1e-6, "components", 1)
      local centered = ml.Matrix(500, 3)
      for i = 1, 500 do
         for j = 1, 3 do centered:set(i, j, x:get(i, j) - eigh.mean[j]) end
      end
      x = centered * eigh.whitening:t()
      local plain = with { whiten = "none" }
      assert.equal(0, plain.mean[1])
      assert.is_true(mismatch(eigh.components, plain.components * eigh.whitening) < 1e-5)
   end)

   it("counts weights as repeated rows", function()
      local x = signals()
      local weights, rows = {}, {}
      for i = 1, 500 do
         weights[i] = i % 3
         for _ = 1, weights[i] do rows[#rows + 1] = x[i] end
      end
      local set = { tol = 1e-13, max_iter = 5000 }
      local weighted = ml.FastICA(set):fit(x, nil, { weights = weights })
      assert.is_true(mismatch(ml.FastICA(set):fit(rows).components, weighted.components) < 1e-5)
   end)

   it("gives the same bytes for any number of threads", function()
      local X = ml.random(5000, 3, 1) * ml.normal(3, 3, 2)
      support.same_for_any_threads(function() return ml.FastICA { max_iter = 20 }:fit(X) end)
   end)

   it("handles constant and duplicated columns and few rows", function()
      local u = ml.random(100, 2, 1)
      local rows = {}
      for i = 1, 100 do rows[i] = { u[i][1], u[i][2], 5, u[i][1] } end
      local model = ml.FastICA {}:fit(rows)
      assert.equal(2, model.components.rows)
      local few = ml.Matrix(rows):slice(1, 3)
      support.near_rows(few, model:inverse_transform(model:transform(few)), 1e-9, "row", 1)
      assert.equal(4, ml.FastICA { max_iter = 5 }:fit(ml.normal(5, 8, 1)).components.rows)
   end)

   it("refuses what it cannot do", function()
      support.refuses("n_components must be at most min%(rows, columns%) = 2, got 3", function()
         ml.FastICA { n_components = 3 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("all columns of X are constant", function() ml.FastICA {}:fit { { 1, 2 }, { 1, 2 } } end)
      support.refuses("X has only 1 linearly independent columns", function()
         ml.FastICA { n_components = 2 }:fit { { 1, 2 }, { 2, 4 }, { 3, 6 } }
      end)
      support.refuses("X must have at least 2 rows, got 1", function() ml.FastICA {}:fit { { 1, 2 } } end)
      support.refuses("w_init must be 2 x 2, got 1 x 1", function()
         ml.FastICA { w_init = { { 1 } } }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("leave out n_components", function()
         ml.FastICA { n_components = 1, whiten = "none" }:fit(ml.normal(10, 2, 1))
      end)
   end)
end)
