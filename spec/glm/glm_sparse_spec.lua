--- Generalized linear models on sparse rows, with and without a matrix of columns x columns; the reported objective.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local near, near_all = support.near, support.near_all

-- Random rows with a given share of nonzeros.
local function rows(n, p, share, seed)
   local X = ml.normal(n, p, seed)
   local state = seed
   for i = 1, n do
      for j = 1, p do
         state = (state * 1103515245 + 12345) % 2147483648
         if state / 2147483648 > share then X:set(i, j, 0) end
      end
   end
   return X
end

local links = { gamma = "log", inverse_gaussian = "log" }

-- Targets that suit a family, given X.
local function make_targets(family, X)
   local b = ml.normal(X.cols, nil, 5)
   local mean = (X * b / math.sqrt((X * b):dot(X * b) / X.rows) * 0.6 + ml.normal(X.rows, nil, 6) * 0.3):exp()
   if family == "binomial" then return mean:gt(1) end
   if family == "poisson" or family == "negative_binomial" then return (mean * 2 + 0.5):floor() end
   return mean
end

local function model_of(family, settings)
   local all = { family = family, link = links[family], tol = 1e-12 }
   if family == "negative_binomial" then all.theta = 3 end
   for name, value in pairs(settings) do all[name] = value end
   return ml.GLM(all)
end

local function same(one, other, what)
   near_all(one.coef, other.coef, 1e-10, what, 1)
   near(one.intercept, other.intercept, 1e-10, what .. ": constant", 1)
   near(one.deviance, other.deviance, 1e-10, what .. ": deviance")
   near(one.objective, other.objective, 1e-10, what .. ": objective")
   if one.l1_ratio == 0 then assert.equal(one.rank, other.rank) end
   assert.equal(one.coef:abs():gt(1e-9):sum(), other.coef:abs():gt(1e-9):sum()) -- the others are 0 up to rounding
   assert.is_true(other.converged, what)
end

-- Unit deviances, by definition.
local function xlog(a, b) return a > 0 and a * math.log(a / b) or 0 end
local unit = {
   gaussian = function(y, mu) return (y - mu) ^ 2 end,
   binomial = function(y, mu) return 2 * (xlog(y, mu) + xlog(1 - y, 1 - mu)) end,
   poisson = function(y, mu) return 2 * (xlog(y, mu) - y + mu) end,
   gamma = function(y, mu) return 2 * (-math.log(y / mu) + (y - mu) / mu) end,
   inverse_gaussian = function(y, mu) return (y - mu) ^ 2 / (y * mu * mu) end,
   tweedie = function(y, mu)
      return 2 * (y ^ 0.5 / (-0.5 * 0.5) + y * mu ^ -0.5 / 0.5 + mu ^ 0.5 / 0.5)
   end,
   negative_binomial = function(y, mu) return 2 * (xlog(y, mu) - (y + 3) * math.log((y + 3) / (mu + 3))) end,
}

local function objective(model, family, X, y, w)
   local mu, loss, total = model:predict(X), 0, 0
   for i = 1, X.rows do
      local weight = w and w[i] or 1
      loss, total = loss + weight * unit[family](y[i], mu[i]), total + weight
   end
   local b, r = model.coef, model.l1_ratio
   return loss / (2 * total) + model.alpha * (r * b:abs():sum() + (1 - r) / 2 * b:dot(b))
end

local penalties = { { alpha = 0 }, { alpha = 0.3 }, { alpha = 0.05, l1_ratio = 1 }, { alpha = 0.05, l1_ratio = 0.4 } }

describe("GLM", function()
   local X = rows(120, 7, 0.4, 1)
   local S = ml.Sparse.from(X)
   local w = ml.range(1, 120):sin():abs() + 0.5
   local M = ml.hcat(X, rows(120, 1, 0.5, 3) * 0.2) -- the last column is an offset
   local T = ml.Sparse.from(M)

   for family in pairs(unit) do
      it("gives the same result on sparse and dense rows: " .. family, function()
         local y = make_targets(family, X)
         for k, settings in ipairs(penalties) do
            local what = ("%s, penalty %d"):format(family, k)
            local dense = model_of(family, settings):fit(X, y, { weights = w })
            local sparse = model_of(family, settings):fit(S, y, { weights = w })
            same(dense, sparse, what)
            near_all(dense:predict(X), sparse:predict(S), 1e-10, what)
            local moved = model_of(family, settings):set_params { offset = "x8" }
            same(moved:fit(M, y), moved:clone():fit(T, y), what .. ", offset")
            assert.equal(1, moved.coef[8])
         end
      end)

      it("reports the documented objective: " .. family, function()
         local y = make_targets(family, X)
         for k, settings in ipairs(penalties) do
            for _, weights in ipairs { false, w, w * 100 } do
               local model = model_of(family, settings):fit(X, y, weights and { weights = weights } or nil)
               near(objective(model, family, X, y, weights or nil), model.objective, 1e-12,
                  ("%s, penalty %d"):format(family, k))
               near(model.objective, model.trace[#model.trace], 1e-15)
            end
         end
      end)
   end

   it("multiplies the weights by the trials, and reads trials from sparse rows", function()
      local trials = ml.range(1, 120):sin():abs() * 5 + 1
      local y, Z = make_targets("binomial", X), X:copy()
      for i = 1, 120 do Z:set(i, 3, math.floor(trials[i])) end
      local settings = { trials = "x3", alpha = 0.1 }
      local dense = model_of("binomial", settings):fit(Z, y, { weights = w })
      same(dense, model_of("binomial", settings):fit(ml.Sparse.from(Z), y, { weights = w }), "trials")
      near(objective(dense, "binomial", Z, y, w:mul(Z:col(3))), dense.objective, 1e-12)
      assert.equal(0, dense.coef[3])
   end)

   it("has the same standard errors, intervals and residuals on sparse rows", function()
      local y = make_targets("gamma", X)
      local dense, sparse = model_of("gamma", {}):fit(X, y), model_of("gamma", {}):fit(S, y)
      near_all(dense:summary().coefficients.std_error, sparse:summary().coefficients.std_error, 1e-10)
      near(dense.null_deviance, sparse.null_deviance, 1e-12)
      near(dense.loglik, sparse.loglik, 1e-10)
      for _, column in ipairs { "fit", "low", "high", "std_error", "link" } do
         near_all(dense:intervals(X)[column], sparse:intervals(S)[column], 1e-10, column, 1)
      end
      for _, column in ipairs { "fitted", "deviance", "leverage", "cooks_distance" } do
         near_all(dense:diagnostics(X, y)[column], sparse:diagnostics(S, y)[column], 1e-9, column, 1)
      end
   end)

   it("handles sparse columns far from 0 and collinear ones", function()
      local y, far = make_targets("poisson", X), X + 1e5
      same(model_of("poisson", {}):fit(X, y):set_params {}, model_of("poisson", {}):fit(S, y), "near")
      local dense, sparse = model_of("poisson", {}):fit(far, y), model_of("poisson", {}):fit(ml.Sparse.from(far), y)
      near_all(dense.coef, sparse.coef, 1e-9, "far", 1)
      near_all(dense:summary().coefficients.std_error, sparse:summary().coefficients.std_error, 1e-7)
      local duplicated = ml.hcat(X, X)
      dense = model_of("poisson", {}):fit(duplicated, y)
      sparse = model_of("poisson", {}):fit(ml.Sparse.from(duplicated), y)
      assert.equal(7, sparse.rank)
      near_all(dense.coef, sparse.coef, 1e-9, "twice", 1)
   end)
end)

describe("GLM with many columns", function()
   local X = ml.hcat(rows(150, 509, 0.03, 2), rows(150, 1, 0.5, 3) * 0.2)
   local S = ml.Sparse.from(X)
   for _, family in ipairs { "gaussian", "binomial", "poisson", "gamma", "tweedie", "negative_binomial" } do
      it("forms no matrix of columns x columns: " .. family, function()
         local y, w = make_targets(family, X), ml.range(1, 150):cos():abs() + 0.2
         for k = 2, 4 do
            for _, constant in ipairs { true, false } do
               local settings = { inference = false, fit_intercept = constant }
               for name, value in pairs(penalties[k]) do settings[name] = value end
               local what = ("%s, penalty %d, constant %s"):format(family, k, constant)
               same(model_of(family, settings):fit(X, y, { weights = w }),
                  model_of(family, settings):fit(S, y, { weights = w }), what)
               settings.offset = "x510"
               same(model_of(family, settings):fit(X, y), model_of(family, settings):fit(S, y), what .. ", offset")
            end
         end
      end)
   end

   it("converges where such a matrix would exceed memory", function()
      local n, p, entries, state = 300, 40000, {}, 1
      for i = 1, n do
         local row = {}
         for _ = 1, 20 do
            state = (state * 1103515245 + 12345) % 2147483648
            local j = math.floor(state / 2147483648 * p) + 1
            row[j] = true
         end
         for j in pairs(row) do entries[#entries + 1] = { i, j, 1 + (i + j) % 3 } end
      end
      local wide = ml.Sparse { rows = n, cols = p, entries = entries }
      local y = (ml.normal(n, nil, 3):exp() * 2):floor()
      for _, settings in ipairs { { alpha = 0.1 }, { alpha = 0.02, l1_ratio = 0.7 } } do
         local model = ml.PoissonRegressor(settings):fit(wide, y)
         assert.is_true(model.converged)
         local left, b, a, r = (model:predict(wide) - y) / n, model.coef, model.alpha, model.l1_ratio
         local g = ml.Vector(p, 0)
         for _, entry in ipairs(entries) do g[entry[2]] = g[entry[2]] + entry[3] * left[entry[1]] end
         for j = 1, p do
            local s = g[j] + a * (1 - r) * b[j]
            local worst = b[j] ~= 0 and math.abs(s + a * r * (b[j] > 0 and 1 or -1)) or math.max(0, math.abs(s) - a * r)
            assert(worst < 1e-8, ("column %d: %g"):format(j, worst))
         end
         near(0, left:sum(), 1e-9, "constant", 1)
      end
   end)
end)
