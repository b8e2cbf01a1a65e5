--- Weights, robust covariances, aliased columns, influence and analysis of deviance of GLM.
local ml = require "manilius"
local oracle = dofile "spec/fixtures/glm/inference.lua"

local support = require "spec.support"
local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local weights = ml.Vector(32, 1) / cars:col "cyl"
local links = { gamma = "log", inverse_gaussian = "log" }

local function first(vector) return vector:slice(1, 5) end

describe("weights of GLM as precisions", function()
   for family, wanted in pairs(oracle) do
      local X, y = cars:select(wanted.columns), cars:col(wanted.target)
      local model = ml.GLM { family = family, link = links[family], tol = 1e-13 }:fit(X, y, { weights = weights })

      -- statsmodels iterates to about 1e-9 of the estimates
      it("give the inference of statsmodels: " .. family, function()
         local s = model:summary()
         near_all(wanted.estimate, s.coefficients:col "estimate", 1e-8, "estimate")
         near_all(wanted.std_error, s.coefficients:col "std_error", 1e-8, "std_error")
         for _, name in ipairs { "dispersion", "pearson_chi2", "deviance", "null_deviance", "loglik", "aic", "bic" } do
            near(wanted[name], s[name], 1e-8, name)
         end
         assert.equal(wanted.df, s.df_residual)
         assert.equal(32, s.n)
         local rows = model:diagnostics(X, y, { weights = weights })
         if wanted.leverage then near_all(wanted.leverage, first(rows:col "leverage"), 1e-8, "leverage") end
         near_all(wanted.pearson, first(rows:col "pearson"), 1e-8, "Pearson residual")
         near_all(wanted.residual, first(rows:col "deviance"), 1e-8, "deviance residual")
         assert.matches("Weights: precisions (variance proportional to 1 / weight), 32 rows", s.text, nil, true)
      end)

      it("are respected by the analysis of deviance: " .. family, function()
         local a = model:anova(X, y, { weights = weights })
         near_all(wanted.deviances, a:col "residual_deviance", 1e-9, "residual deviance")
         assert.equal("NULL", a:col "term"[1])
         assert.equal(wanted.columns[1], a:col "term"[2])
         for k = 2, #wanted.deviances do
            local statistic = (wanted.deviances[k - 1] - wanted.deviances[k]) / wanted.dispersion
            near(statistic, a:col "statistic"[k], 1e-7, "statistic", 1e-3)
            assert.equal(31 - (k - 1), a:col "df_residual"[k])
            local p = (family == "binomial" or family == "poisson") and ml.special.chi2_sf(statistic, 1)
               or ml.special.f_sf(statistic, 1, wanted.df)
            near(p, a:col "p"[k], 1e-6, "p")
         end
         refuses("GLM: X, y and weights must be those of fit for anova", function()
            model:anova(X, y, { weights = weights + 1 })
         end)
      end)

      if wanted.HC0 then
         it("left out, robust covariances are those of statsmodels: " .. family, function()
            local unweighted = ml.GLM { family = family, tol = 1e-13 }:fit(X, y)
            local a, b = unweighted:vcov(X, y, { covariance = "HC0" }), unweighted:vcov(X, y, { covariance = "HC1" })
            near_rows(a * (32 / unweighted.df_residual), b, 1e-14, "HC1")
            for _, kind in ipairs { "HC0", "cluster", "newey_west" } do
               local options = { covariance = kind, lags = kind == "newey_west" and 2 or nil,
                  groups = kind == "cluster" and cars:col "gear" or nil }
               local s = unweighted:summary(X, y, options)
               near_all(wanted[kind], s.coefficients:col "std_error", 1e-7, kind)
               local v = unweighted:vcov(X, y, options)
               near(wanted[kind][1] ^ 2, v[1][1], 1e-7, "vcov")
            end
         end)
      end
   end

   it("are respected by tests of nested models and of the terms of a formula", function()
      local small = ml.GLM { family = "poisson", formula = "carb ~ hp" }:fit(cars, nil, { weights = weights })
      local large = ml.GLM { family = "poisson", formula = "carb ~ hp + factor(cyl) + wt" }
         :fit(cars, nil, { weights = weights })
      local a, b = ml.anova(small, large), large:anova(cars, nil, { weights = weights })
      assert.same({ "NULL", "hp", "factor(cyl)", "wt" }, b:col "term":totable())
      near(a:col "chi2"[2], b:col "statistic"[3] + b:col "statistic"[4], 1e-7, "chi2")
      near(ml.special.chi2_sf(a:col "chi2"[2], 3), a:col "p"[2], 1e-12, "p")
      local gamma = ml.GLM { family = "gamma", formula = "carb ~ hp" }:fit(cars, nil, { weights = weights })
      refuses("anova: models must have one family, got 'poisson' and 'gamma'", function() ml.anova(small, gamma) end)
      refuses("anova: model 2 must have alpha = 0, got 1", function()
         ml.anova(small, ml.GLM { family = "poisson", alpha = 1 }:fit(cars:select { "hp" }, cars:col "carb"))
      end)
   end)

   it("do not depend on the unit of the weights if the dispersion is estimated", function()
      local X, y = cars:select { "hp", "wt" }, cars:col "mpg"
      local a = ml.GLM { family = "gamma" }:fit(X, y, { weights = weights }):summary()
      local b = ml.GLM { family = "gamma" }:fit(X, y, { weights = weights * 1e-3 }):summary()
      near_all(a.coefficients:col "std_error", b.coefficients:col "std_error", 1e-9, "std_error")
      for _, name in ipairs { "loglik", "aic", "bic", "df_residual" } do near(a[name], b[name], 1e-9, name) end
   end)

   it("must be given to diagnostics", function()
      local model = ml.GLM {}:fit(cars:select { "hp" }, cars:col "mpg", { weights = weights })
      refuses("GLM:diagnostics: weights must be given, because the model was fitted with precision weights", function()
         model:diagnostics(cars:select { "hp" }, cars:col "mpg")
      end)
   end)
end)

describe("LinearRegression and GLM with family gaussian", function()
   it("agree in covariances and tests", function()
      local X, y = cars:select { "hp", "wt", "qsec" }, cars:col "mpg"
      for _, kind in ipairs { "precision", "frequency" } do
         local w = kind == "precision" and weights or cars:col "gear"
         local a = ml.LinearRegression { weights_type = kind }:fit(X, y, { weights = w })
         local b = ml.GLM { weights_type = kind }:fit(X, y, { weights = w })
         local s, t = a:summary(), b:summary()
         for _, name in ipairs { "loglik", "aic", "bic", "n" } do near(s[name], t[name], 1e-10, name) end
         near_all(s.coefficients:col "p", t.coefficients:col "p", 1e-9, "p")
         near_rows(a:vcov(), b:vcov(), 1e-9, "vcov")
         near_all(a:intervals(X, { kind = "confidence" }):col "low", b:intervals(X):col "low", 1e-10, "low")
         for _, covariance in ipairs { "HC2", "HC3", "cluster" } do
            local options = { covariance = covariance, weights = w, groups = covariance == "cluster" and w or nil }
            near_rows(a:vcov(X, y, options), b:vcov(X, y, options), 1e-9, covariance)
         end
         local mine, theirs = a:diagnostics(X, y, { weights = w }).rows, b:diagnostics(X, y, { weights = w })
         near_all(mine:col "leverage", theirs:col "leverage", 1e-10, "leverage")
         near_all(mine:col "standardized", theirs:col "standardized", 1e-10, "standardized")
         near_all(a:anova():col "f":slice(1, 3), b:anova(X, y, { weights = w }):col "statistic":slice(2, 4), 1e-9, "F")
         local sigma = {}
         for i, row in ipairs(a:dfbetas(X, y, { weights = w }):totable()) do
            sigma[i] = mine:col "standardized"[i] / mine:col "studentized"[i]
            near_all(ml.Vector(row) * sigma[i], b:dfbetas(X, y, { weights = w })[i], 1e-9, "dfbetas")
         end
      end
   end)
end)

describe("frequency weights of GLM", function()
   it("are the same as repeated rows", function()
      local gear = cars:col "gear"
      local rows = {}
      for i = 1, 32 do for _ = 1, gear[i] do rows[#rows + 1] = i end end
      local repeated = cars:take(rows)
      for family, wanted in pairs(oracle) do
         local settings = { family = family, link = links[family], tol = 1e-13 }
         local b = ml.GLM(settings):fit(repeated:select(wanted.columns), repeated:col(wanted.target))
         settings.weights_type = "frequency"
         local X, y = cars:select(wanted.columns), cars:col(wanted.target)
         local a = ml.GLM(settings):fit(X, y, { weights = gear })
         local s, t = a:summary(), b:summary()
         near_all(t.coefficients:col "std_error", s.coefficients:col "std_error", 1e-8, "std_error")
         for _, name in ipairs { "df_residual", "df_null", "loglik", "aic", "bic", "dispersion", "n" } do
            near(t[name], s[name], 1e-9, name)
         end
         near_all(a:diagnostics(X, y).standardized, b:diagnostics(X, y).standardized, 1e-8, "standardized", 1e-3)
         assert.matches("Weights: frequencies, 118 observations in all", s.text, nil, true)
         near_rows(b:vcov(repeated:select(wanted.columns), repeated:col(wanted.target), { covariance = "HC3" }),
            a:vcov(X, y, { covariance = "HC3", weights = gear }), 1e-7, "HC3")
      end
   end)
end)

describe("aliased columns of GLM", function()
   local wanted = oracle.poisson
   local X, y = cars:select(wanted.columns), cars:col(wanted.target)
   local m = X:matrix()
   local wide = ml.Frame { { "constant", ml.Vector(32, 7) }, { "hp", m:col(1) }, { "double", m:col(1) * 2 },
      { "wt", m:col(2) }, { "qsec", m:col(3) }, { "sum", m:col(2) + m:col(3) } }
   local all = ml.GLM { family = "poisson", tol = 1e-13 }:fit(wide, y)
   local some = ml.GLM { family = "poisson", tol = 1e-13 }:fit(X, y)

   it("are set aside in the order of the columns", function()
      local s, t = all:summary(), some:summary()
      for _, column in ipairs { "estimate", "std_error", "z", "p", "low", "high" } do
         local got = s.coefficients:col(column)
         near_all(t.coefficients:col(column), { got[1], got[3], got[5], got[6] }, 1e-6, column)
         for _, at in ipairs { 2, 4, 7 } do assert.is_true(got[at] ~= got[at]) end
      end
      assert.equal(3, all.rank)
      near(t.df_residual, s.df_residual, 0)
      near(t.aic, s.aic, 1e-9)
      assert.matches("rank 3 of 6 columns. Aliased, because they depend on columns before them: constant, double, sum.",
         s.text, nil, true)
   end)

   it("do not matter for intervals, diagnostics, robust covariances and anova", function()
      near_all(some:intervals(X):col "low", all:intervals(wide):col "low", 1e-7, "low")
      near_all(some:diagnostics(X, y):col "leverage", all:diagnostics(wide, y):col "leverage", 1e-7, "leverage")
      local u, v = some:vcov(X, y, { covariance = "HC1" }), all:vcov(wide, y, { covariance = "HC1" })
      for i, a in ipairs { 1, 3, 5, 6 } do
         for j, b in ipairs { 1, 3, 5, 6 } do near(u[i][j], v[a][b], 1e-5, "vcov") end
      end
      local a, b = some:anova(X, y), all:anova(wide, y)
      for i, at in ipairs { 1, 3, 5, 6 } do
         near(a:col "residual_deviance"[i], b:col "residual_deviance"[at], 1e-8, "deviance")
      end
      assert.equal(0, b:col "df"[4])
   end)

   it("are loaded, and skip offset and trials", function()
      local text = all:summary().text
      assert.equal(text, ml.load(all:dump()):summary().text)
      local moved = ml.GLM { family = "poisson", offset = "o", tol = 1e-13 }:fit(wide:with { o = ml.Vector(32, 0) }
         :select { "constant", "hp", "o", "double", "wt", "qsec", "sum" }, y)
      near_all(all:summary().coefficients:col "std_error":slice(3, 3), moved:summary().coefficients
         :col "std_error":slice(3, 3), 1e-8, "std_error")
   end)
end)
