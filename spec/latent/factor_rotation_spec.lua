local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent/factor_rotation.lua"

local function wine() return ml.read_csv("examples/data/wine.csv"):drop({ "class" }) end

-- For each row of `wanted` the row of `got` that it is, and the sign: { index, sign }. Rows agree to `tolerance`.
local function match(wanted, got, tolerance)
   local found = {}
   for a = 1, #wanted do
      local best, at = math.huge, nil
      for b = 1, #got do
         for sign = -1, 1, 2 do
            local worst = 0
            for j = 1, #wanted[a] do worst = math.max(worst, math.abs(wanted[a][j] - sign * got[b][j])) end
            if worst < best then best, at = worst, { b, sign } end
         end
      end
      assert.is_true(best < tolerance, ("factor %d is off by %g"):format(a, best))
      found[a] = at
   end
   return found
end

local function scores_agree(wanted, model, found, tolerance)
   local X = wine():matrix()
   local Z = model:transform(X:slice(1, 5))
   -- R scales columns by the standard deviation with divisor n - 1
   local unit = math.sqrt((X.rows - 1) / X.rows)
   for a = 1, 3 do
      for i = 1, 5 do
         support.near(wanted[a][i], found[a][2] * Z:get(i, found[a][1]) * unit, tolerance, "score", 1)
      end
   end
end

local function determinant_and_inverse(C)
   local n, log_det = C.rows, 0
   local A, B = C:copy(), ml.Matrix(n, n)
   for i = 1, n do B:set(i, i, 1) end
   for k = 1, n do
      local pivot = A:get(k, k)
      log_det = log_det + math.log(pivot)
      for j = 1, n do
         A:set(k, j, A:get(k, j) / pivot)
         B:set(k, j, B:get(k, j) / pivot)
      end
      for i = 1, n do
         local share = A:get(i, k)
         for j = 1, n do
            if i ~= k then
               A:set(i, j, A:get(i, j) - share * A:get(k, j))
               B:set(i, j, B:get(i, j) - share * B:get(k, j))
            end
         end
      end
   end
   return log_det, B
end

describe("FactorAnalysis", function()
   -- varimax of R stops at a relative change of 1e-5
   it("rotates and scores as R's factanal with varimax", function()
      for scores, wanted in pairs { regression = oracle.regression, bartlett = oracle.bartlett } do
         local model = ml.FactorAnalysis { n_components = 3, rotation = "varimax", normalize = "kaiser",
            scores = scores }
         model:fit(wine())
         local found = match(oracle.varimax, model:summary().loadings:t(), 3e-4)
         scores_agree(wanted, model, found, 2e-3)
      end
   end)

   it("rotates and scores as R's factanal with promax", function()
      for scores, wanted in pairs { regression = oracle.promax_regression, bartlett = oracle.promax_bartlett } do
         local model = ml.FactorAnalysis { n_components = 3, rotation = "promax", normalize = "kaiser",
            scores = scores }
         model:fit(wine())
         local found = match(oracle.promax, model:summary().loadings:t(), 3e-4)
         scores_agree(wanted, model, found, 2e-3)
      end
   end)

   it("rotates as GPArotation's oblimin", function()
      for normalize, key in pairs { kaiser = "oblimin_kaiser", standard = "oblimin" } do
         local model = ml.FactorAnalysis { n_components = 3, rotation = "oblimin", normalize = normalize }:fit(wine())
         local found, phi = match(oracle[key], model:summary().loadings:t(), 1e-4), oracle[key .. "_phi"]
         for a = 1, 3 do
            for b = 1, 3 do
               local sign = found[a][2] * found[b][2]
               support.near(phi[a][b], sign * model.factor_correlation:get(found[a][1], found[b][1]), 1e-4, "phi", 1)
            end
         end
      end
   end)

   it("has the same density and covariance under every rotation", function()
      local X = wine():matrix()
      local plain = ml.FactorAnalysis { n_components = 3 }:fit(X)
      for _, rotation in ipairs { "varimax", "quartimax", "promax", "oblimin" } do
         for _, normalize in ipairs { "none", "standard", "kaiser" } do
            local model = ml.FactorAnalysis { n_components = 3, rotation = rotation, normalize = normalize }:fit(X)
            support.near_rows(plain:covariance(), model:covariance(), 1e-9, "covariance", 1)
            support.near_all(plain:score_samples(X:slice(1, 9)), model:score_samples(X:slice(1, 9)), 1e-10, "density")
            for c = 1, 3 do support.near(1, model.factor_correlation:get(c, c), 1e-12, "variance of a factor") end
         end
      end
   end)

   it("has Bartlett scores without bias", function()
      -- x = mean + L' z gives z back
      local model = ml.FactorAnalysis { n_components = 2, rotation = "promax", scores = "bartlett" }:fit(wine())
      local z = ml.Matrix { { 1, -2 }, { 0.5, 3 } }
      local X = z * model.components
      for i = 1, 2 do
         for j = 1, X.cols do X:set(i, j, X:get(i, j) + model.mean[j]) end
      end
      support.near_rows(z, model:transform(X), 1e-9, "score", 1)
   end)

   it("has a likelihood whose finite differences vanish at the fit", function()
      local L = ml.Matrix { { 2, 1.5, 1, 0, 0, 0.2 }, { 0, 0.3, 0, 1, 2, -1.5 } }
      local X = ml.normal(300, 2, 1) * L + ml.normal(300, 6, 2) * 0.5
      local model = ml.FactorAnalysis { n_components = 2, tol = 1e-10 }:fit(X)
      local S = ml.EmpiricalCovariance {}:fit(X).covariance
      local function loglike(W, psi)
         local C, trace = W:t() * W, 0
         for j = 1, 6 do C:set(j, j, C:get(j, j) + psi[j]) end
         local log_det, P = determinant_and_inverse(C)
         for i = 1, 6 do
            for j = 1, 6 do trace = trace + P:get(i, j) * S:get(j, i) end
         end
         return -150 * (6 * math.log(2 * math.pi) + log_det + trace)
      end
      local W, psi = model.components:copy(), {}
      for j = 1, 6 do psi[j] = model.noise_variance[j] end
      support.near(model.loglike, loglike(W, psi), 1e-11, "log likelihood")
      local h = 1e-4
      local function vanishes(change)
         change(h)
         local up = loglike(W, psi)
         change(-2 * h)
         local down = loglike(W, psi)
         change(h)
         -- the likelihood has second derivatives of about 1e3, and the optimizer stops within 1e-10
         support.near(0, (up - down) / (2 * h), 1e-3, "derivative", 1)
         assert.is_true(up <= model.loglike + 1e-9 and down <= model.loglike + 1e-9)
      end
      for j = 1, 6 do
         vanishes(function(step) psi[j] = psi[j] + step end)
         for c = 1, 2 do vanishes(function(step) W:set(c, j, W:get(c, j) + step) end) end
      end
   end)

   it("prints a summary as R does", function()
      local model = ml.FactorAnalysis { n_components = 3, rotation = "varimax", normalize = "kaiser" }:fit(wine())
      local summary = model:summary()
      local text = tostring(summary)
      assert.truthy(text:find("flavanoids +0.928 +0.265 +0.069"))
      assert.truthy(text:find("SS loadings +4.009 +1.302 +2.277"))
      assert.truthy(text:find("158.55 on 42 degrees of freedom"))
      local total = 0
      for c = 1, 3 do total = total + summary.ss_loadings[c] end
      for j = 1, 13 do total = total + summary.uniquenesses[j] end
      support.near(13, total, 1e-5, "variance")
   end)

   it("keeps dependent factors as they are in oblique rotations", function()
      local rows = {}
      for i = 1, 30 do rows[i] = { i % 7, i % 5, 5, i % 4 } end
      local X = ml.Matrix(rows)
      for _, rotation in ipairs { "promax", "oblimin" } do
         local model = ml.FactorAnalysis { n_components = 3, rotation = rotation }:fit(X)
         support.near(model.loglike, model:score_samples(X):sum(), 1e-9, "log likelihood")
      end
   end)
end)
