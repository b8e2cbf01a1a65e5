--- Weights, robust covariances, aliased columns, influence and analysis of variance of LinearRegression.
local ml = require "manilius"
local oracle = dofile "spec/fixtures/linear/inference.lua"

local support = require "spec.support"
local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "hp", "wt", "qsec" }, cars:col "mpg"
local weights = ml.Vector(y:totable()):mul(0):add(1) / cars:col "cyl"

local function first(vector) return vector:slice(1, 5) end

describe("precision weights", function()
   local wanted = oracle.precision
   local model = ml.LinearRegression {}:fit(X, y, { weights = weights })

   -- Both are exact to about 1e-12 on data of this conditioning; p is amplified by t^2.
   it("give the inference of statsmodels' WLS and R's lm", function()
      local s = model:summary()
      for _, column in ipairs { "estimate", "std_error", "t", "p", "low", "high" } do
         near_all(wanted[column], s.coefficients:col(column), 1e-9, column)
      end
      for _, value in ipairs { "sigma", "df", "r2", "adjusted_r2", "f", "loglik", "aic", "bic" } do
         near(wanted[value], s[value], 1e-10, value)
      end
      near(wanted.f_p, s.f_p, 1e-8, "f_p")
      assert.equal(32, s.n)
      near_rows(wanted.vcov, model:vcov(), 1e-9, "vcov")
      assert.matches("Weights: precisions %(variance proportional to 1 / weight%), 32 rows", s.text)
      assert.matches("Weighted residuals:", s.text, nil, true)
   end)

   it("give intervals of new observations of any precision", function()
      local new, mean = model:intervals(X:head(3), { weights = { 1, 2, 0.5 } }),
         model:intervals(X:head(3), { kind = "confidence" })
      near_all(wanted.interval_low, new:col "low", 1e-9, "low")
      near_all(wanted.interval_high, new:col "high", 1e-9, "high")
      near_all(wanted.mean_low, mean:col "low", 1e-9, "low of the mean")
   end)

   it("weight residuals, leverage and influence", function()
      local rows = model:diagnostics(X, y, { weights = weights }).rows
      for _, name in ipairs { "leverage", "standardized", "studentized", "dffits" } do
         near_all(wanted[name], first(rows:col(name)), 1e-9, name)
      end
      near_all(wanted.cooks, first(rows:col "cooks_distance"), 1e-8, "Cook's distance")
      near_rows(wanted.dfbetas, model:dfbetas(X, y, { weights = weights }):slice(1, 5), 1e-9, "dfbetas")
      refuses("LinearRegression:diagnostics: weights must be given, because the model was fitted with precision",
         function() model:diagnostics(X, y) end)
      refuses("LinearRegression:diagnostics: weights must have one value for each of the 32 rows, got 2",
         function() model:diagnostics(X, y, { weights = { 1, 2 } }) end)
   end)

   it("do not depend on the unit of the weights, except sigma", function()
      local other = ml.LinearRegression {}:fit(X, y, { weights = weights * 1e-6 })
      local a, b = model:summary(), other:summary()
      near_all(a.coefficients:col "std_error", b.coefficients:col "std_error", 1e-12, "std_error")
      for _, value in ipairs { "df", "adjusted_r2", "f", "loglik", "aic", "bic" } do near(a[value], b[value], 1e-12) end
      near(a.sigma * 1e-3, b.sigma, 1e-12, "sigma")
   end)

   it("do not count rows of weight 0", function()
      local some = { 0, 1, 2, 1, 0.5, 1 }
      local a = ml.LinearRegression {}:fit({ { 9 }, { 1 }, { 2 }, { 3 }, { 5 }, { 4 } }, { 7, 1, 3, 2, 6, 4 },
         { weights = some }):summary()
      local b = ml.LinearRegression {}:fit({ { 1 }, { 2 }, { 3 }, { 5 }, { 4 } }, { 1, 3, 2, 6, 4 },
         { weights = { 1, 2, 1, 0.5, 1 } }):summary()
      assert.equal(a.text, b.text)
      assert.equal(5, a.n)
   end)

   it("explain a fit without degrees of freedom", function()
      local text = tostring(ml.LinearRegression {}:fit({ { 1 }, { 2 } }, { 1, 3 }, { weights = { 0.2, 0.3 } })
         :summary())
      assert.matches("nan on 0 degrees of freedom", text, nil, true)
      assert.matches("not more observations than coefficients: no standard errors or tests", text, nil, true)
   end)
end)

describe("frequency weights", function()
   local some_X, some_y = { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 4, 3 }, { 6, 5 } }, { 1, 3, 2, 5, 4 }
   local w = { 1, 3, 2, 1, 2 }
   local repeated_X, repeated_y, group, repeated_group = {}, {}, { 1, 2, 2, 3, 3 }, {}
   for i = 1, #w do
      for _ = 1, w[i] do
         repeated_X[#repeated_X + 1], repeated_y[#repeated_y + 1] = some_X[i], some_y[i]
         repeated_group[#repeated_group + 1] = group[i]
      end
   end
   local a = ml.LinearRegression { weights_type = "frequency" }:fit(some_X, some_y, { weights = w })
   local b = ml.LinearRegression {}:fit(repeated_X, repeated_y)

   it("are the same as repeated rows", function()
      local s, t = a:summary(), b:summary()
      near_all(t.coefficients:col "std_error", s.coefficients:col "std_error", 1e-12, "std_error")
      for _, name in ipairs { "sigma", "df", "r2", "adjusted_r2", "f", "f_p", "loglik", "aic", "bic", "n" } do
         near(t[name], s[name], 1e-12, name)
      end
      assert.matches("Weights: frequencies, 9 observations in all", s.text, nil, true)
      near_all(b:intervals(some_X):col "low", a:intervals(some_X):col "low", 1e-12, "intervals")
      local one, all = a:diagnostics(some_X, some_y, { weights = w }), b:diagnostics(some_X, some_y)
      for _, name in ipairs { "leverage", "standardized", "studentized", "cooks_distance", "dffits" } do
         near_all(all.rows:col(name), one.rows:col(name), 1e-11, name)
      end
      near(b:diagnostics(repeated_X, repeated_y).breusch_pagan, one.breusch_pagan, 1e-11, "Breusch-Pagan")
   end)

   it("repeat rows in robust covariances, too", function()
      for _, kind in ipairs { "HC0", "HC1", "HC2", "HC3" } do
         near_rows(b:vcov(repeated_X, repeated_y, { covariance = kind }),
            a:vcov(some_X, some_y, { covariance = kind, weights = w }), 1e-11, kind)
      end
      near_rows(b:vcov(repeated_X, repeated_y, { covariance = "cluster", groups = repeated_group }),
         a:vcov(some_X, some_y, { covariance = "cluster", weights = w, groups = group }), 1e-11, "cluster")
      refuses("'newey_west' requires rows in order of time, which frequency weights do not have", function()
         a:vcov(some_X, some_y, { covariance = "newey_west", weights = w })
      end)
   end)
end)

describe("robust covariances", function()
   local models = { ols = { ml.LinearRegression {}:fit(X, y) },
      wls = { ml.LinearRegression {}:fit(X, y, { weights = weights }), weights } }
   for name, pair in pairs(models) do
      for _, kind in ipairs { "HC0", "HC1", "HC2", "HC3", "cluster", "newey_west" } do
         it(("agree with statsmodels: %s of %s"):format(kind, name), function()
            local wanted, model = oracle[name .. "_" .. kind], pair[1]
            local options = { covariance = kind, weights = pair[2], lags = kind == "newey_west" and 3 or nil,
               groups = kind == "cluster" and cars:col "carb" or nil }
            local s = model:summary(X, y, options)
            near_all(wanted.std_error, s.coefficients:col "std_error", 1e-9, "std_error")
            near_all(wanted.p, s.coefficients:col "p", 1e-8, "p")
            near(wanted.f, s.f, 1e-8, "f")
            near(wanted.f_p, s.f_p, 1e-7, "f_p")
            near_rows(wanted.vcov, model:vcov(X, y, options), 1e-8, "vcov")
            near(model:summary().sigma, s.sigma, 1e-15, "sigma")
         end)
      end
   end

   it("are named in the summary", function()
      local model = models.ols[1]
      assert.matches("Covariance: HC3, robust to errors of unequal variance", model:summary(X, y,
         { covariance = "HC3" }).text, nil, true)
      local three = model:summary(X, y, { covariance = "cluster", groups = cars:col "cyl" })
      assert(three.f ~= three.f)
      assert.matches("F-statistic: none, because 3 groups are too few to test 3 coefficients", three.text, nil, true)
      assert.matches("Covariance: clustered, 6 groups", model:summary(X, y,
         { covariance = "cluster", groups = cars:col "carb" }).text, nil, true)
      assert.matches("Covariance: Newey-West, 3 lags", model:summary(X, y, { covariance = "newey_west" }).text, nil,
         true)
      assert.matches("Covariance: Newey-West, 1 lag\n", model:summary(X, y, { covariance = "newey_west",
         lags = 1 }).text, nil, true)
      local ok, message = pcall(model.summary, model, X, y, { covariance = "HAC" })
      assert(not ok and message:find("got 'HAC'; did you mean 'newey_west'?", 1, true), message)
   end)

   it("say where they are not defined", function()
      local rows, target = { { 0 }, { 0 }, { 0 }, { 1 } }, { 1, 2, 4, 6 }
      local model = ml.LinearRegression {}:fit(rows, target)
      local s = model:summary(rows, target, { covariance = "HC3" })
      assert.matches("HC3 is not defined: 1 row of leverage 1", s.text, nil, true)
      assert.is_true(model:vcov(rows, target, { covariance = "HC1" })[1][1] > 0)
   end)

   it("are computed for an intercept alone, several targets and sparse X", function()
      local mean = ml.LinearRegression { formula = "mpg ~ 1" }:fit(cars)
      near(mean:summary().sigma / math.sqrt(31), mean:summary(cars, nil, { covariance = "HC3" }).coefficients
         :col "std_error"[1], 1e-12, "std_error")
      local both = ml.hcat(y:as_column(), cars:col "carb":as_column())
      local two = ml.LinearRegression {}:fit(X, both)
      local options = { covariance = "HC2", target = 2 }
      near_rows(ml.LinearRegression {}:fit(X, cars:col "carb"):vcov(X, cars:col "carb", { covariance = "HC2" }),
         two:vcov(X, both, options), 1e-10, "vcov")
      local sparse, dense = ml.GLM {}:fit(ml.Sparse.from(X:matrix()), y), ml.GLM {}:fit(X, y)
      near_rows(dense:vcov(X, y, { covariance = "HC3" }), sparse:vcov(ml.Sparse.from(X:matrix()), y,
         { covariance = "HC3" }), 1e-8, "vcov")
   end)

   it("group rows by numbers, texts or a Factor", function()
      local texts = {}
      for i, carb in ipairs(cars:col "carb":totable()) do texts[i] = "carb " .. carb end
      for _, groups in ipairs { texts, ml.Factor(texts) } do
         local s = models.ols[1]:summary(X, y, { covariance = "cluster", groups = groups })
         near_all(oracle.ols_cluster.std_error, s.coefficients:col "std_error", 1e-9, "std_error")
      end
      refuses("groups", function()
         models.ols[1]:summary(X, y, { covariance = "cluster", groups = ml.Factor { "a", "b" } })
      end)
   end)

   it("take the rows from a Frame with a formula", function()
      local model = ml.LinearRegression { formula = "mpg ~ hp + wt + qsec" }:fit(cars)
      near_all(oracle.ols_HC3.std_error, model:summary(cars, nil, { covariance = "HC3" }).coefficients:col "std_error",
         1e-9, "std_error")
      near_all(models.ols[1]:summary().coefficients:col "p", model:summary().coefficients:col "p", 1e-9, "p")
   end)

   it("require the rows of fit", function()
      local model = models.ols[1]
      refuses("covariance 'HC3' requires X and y of fit before the options", function()
         model:summary { covariance = "HC3" }
      end)
      refuses("X, y and weights must be those of fit for a robust covariance", function()
         model:summary(X:head(20), y:slice(1, 20), { covariance = "HC3" })
      end)
      refuses("covariance 'cluster' requires groups, a number for each of the 32 rows, got 0", function()
         model:summary(X, y, { covariance = "cluster" })
      end)
      refuses("groups requires covariance = 'cluster', got 'HC0'", function()
         model:summary(X, y, { covariance = "HC0", groups = cars:col "carb" })
      end)
      refuses("groups must hold at least 2 groups, got 1", function()
         model:summary(X, y, { covariance = "cluster", groups = ml.Vector(32, 1) })
      end)
   end)
end)

describe("influence", function()
   it("agrees with statsmodels without weights", function()
      local wanted, model = oracle.unit, ml.LinearRegression {}:fit(X, y)
      near_all(wanted.dffits, first(model:diagnostics(X, y).rows:col "dffits"), 1e-9, "dffits")
      near_rows(wanted.dfbetas, model:dfbetas(X, y):slice(1, 5), 1e-9, "dfbetas")
   end)

   it("is that of fits without each row", function()
      local model, rows = ml.LinearRegression {}:fit(X, y, { weights = weights }), X:matrix()
      local moved = model:dfbetas(X, y, { weights = weights })
      for i = 1, 3 do
         local w = weights:copy()
         w[i] = 0
         local other = ml.LinearRegression {}:fit(rows, y, { weights = w })
         local scale = other:summary().sigma / model:summary().sigma
         for j = 1, 3 do
            local unit = scale * math.sqrt(model:vcov()[j + 1][j + 1])
            near((model.coef[j] - other.coef[j]) / unit, moved[i][j + 1], 1e-9, "dfbetas")
         end
      end
   end)
end)

describe("anova of LinearRegression", function()
   it("has the sequential sums of squares of the terms", function()
      local wanted = oracle.anova
      local model = ml.LinearRegression { formula = "mpg ~ hp + wt + factor(cyl) + qsec" }
         :fit(cars, nil, { weights = weights })
      local a = model.model:anova { terms = { 1, 2, 3, 3, 4 } }
      near_all(wanted.sum_sq, a:col "sum_sq", 1e-9, "sum_sq")
      near_all(wanted.df, a:col "df", 0, "df")
      near_all(wanted.f, a:col "f":slice(1, 4), 1e-9, "f")
      local single = model.model:anova()
      assert.equal(6, single.rows)
      near(wanted.sum_sq[3], single:col "sum_sq"[3] + single:col "sum_sq"[4], 1e-9, "sum of the columns of a factor")
      assert.equal("Residuals", single:col "term"[6])
      near(wanted.sum_sq[5], single:col "sum_sq"[6], 1e-9, "residuals")
   end)

   it("tests the terms of a formula, and nested models", function()
      local wanted = oracle.anova
      local large = ml.LinearRegression { formula = "mpg ~ hp + wt + factor(cyl) + qsec" }
         :fit(cars, nil, { weights = weights })
      local a = large:anova()
      assert.same({ "hp", "wt", "factor(cyl)", "qsec", "Residuals" }, a:col "term":totable())
      near_all(wanted.sum_sq, a:col "sum_sq", 1e-9, "sum_sq")
      assert.equal(6, large:anova { terms = { 1, 2, 3, 4, 5 } }.rows)
      near_all(wanted.sum_sq, ml.load(ml.dump(large)):anova():col "sum_sq", 1e-9, "sum_sq")
      local small = ml.LinearRegression { formula = "mpg ~ hp" }:fit(cars, nil, { weights = weights })
      for _, each in ipairs { ml.anova(small, large), ml.anova(large, small) } do
         near(wanted.nested_f, each:col "f"[2], 1e-9, "F")
         near(wanted.nested_p, each:col "p"[2], 1e-8, "p")
         near(wanted.nested_df, math.abs(each:col "df"[2]), 0, "df")
      end
      refuses("anova: at least 2 models expected, got 1", function() ml.anova(small) end)
      refuses("anova: model 2 must be a LinearRegression or GLM, got 3", function() ml.anova(small, 3) end)
      refuses("anova: model 2 must be fitted", function() ml.anova(small, ml.LinearRegression {}) end)
      refuses("anova: models must be fitted to the same rows, got 32 and 20 observations", function()
         ml.anova(small, ml.LinearRegression {}:fit(X:head(20), y:slice(1, 20)))
      end)
   end)

   it("refuses models with different responses, weights or columns", function()
      local function fit(formula, given)
         return ml.LinearRegression { formula = formula }:fit(cars, nil, { weights = given })
      end
      local small, zero = fit "mpg ~ wt", ml.Vector(32, 1)
      zero[3] = 0
      local function refused(text, ...)
         local models = { ... }
         refuses("anova: models must " .. text, function() ml.anova(table.unpack(models)) end)
      end
      refused("have the same response and sample weights, but models 1 and 2 have total sums of squares", small,
         fit "qsec ~ wt + hp")
      refused("have the same response", small, fit "log(mpg) ~ wt + hp")
      refused("have the same sample weights, but models 1 and 2 have sums of weights", small,
         fit("mpg ~ wt + hp", weights))
      refused("have the same response and sample weights", small, fit("mpg ~ wt + hp", weights * (32 / weights:sum())))
      refused("be fitted to the same rows, got 32 and 31 observations", small,
         fit("mpg ~ wt + hp", zero))
      refused("be nested, but model 1 has the column 'wt' and the larger model 2 does not", small,
         fit "mpg ~ hp + qsec")
      refused("be nested, but model 2 has the column 'wt'", fit "mpg ~ hp + qsec", small)
      refused("be nested, but model 1 has the column 'wt'", small, fit "mpg ~ hp")
      refused("be nested, but models 1 and 2 are not: they have equally many coefficients and different fits", small,
         fit "mpg ~ log(wt)")
      local poisson = ml.GLM { family = "poisson", formula = "carb ~ wt" }:fit(cars)
      refused("have the same response and sample weights, but models 1 and 2 have null deviances", poisson,
         ml.GLM { family = "poisson", formula = "gear ~ wt + hp" }:fit(cars))
   end)

   it("accepts nested models written differently", function()
      local function fit(formula) return ml.LinearRegression { formula = formula }:fit(cars) end
      for _, pair in ipairs { { "mpg ~ cyl", "mpg ~ factor(cyl)" }, { "mpg ~ I(wt + hp)", "mpg ~ wt * hp" },
         { "mpg ~ 1", "mpg ~ wt" }, { "mpg ~ wt - 1", "mpg ~ wt" }, { "mpg ~ wt", "mpg ~ poly(wt, 2)" } } do
         local test = ml.anova(fit(pair[1]), fit(pair[2]))
         assert(test:col "f"[2] > 0 and test:col "p"[2] < 1, pair[1])
      end
      local unnamed = X:matrix()
      local one = ml.LinearRegression {}:fit(unnamed:slice(1, 32, 1, 1), y)
      assert(ml.anova(one, ml.LinearRegression {}:fit(unnamed, y)):col "f"[2] > 0)
      local small = ml.GLM { family = "poisson", formula = "carb ~ offset(log(hp))" }:fit(cars)
      local large = ml.GLM { family = "poisson", formula = "carb ~ log(hp)" }:fit(cars)
      assert(ml.anova(small, large):col "chi2"[2] > 0)
      local function counts(formula) return ml.GLM { family = "negative_binomial", formula = formula }:fit(cars) end
      assert.equal(2, ml.anova(counts "hp ~ wt", counts "hp ~ wt + qsec").rows)
   end)

   it("is the same by the Gram matrix, by partial_fit and with aliased columns", function()
      local rows, noise = ml.normal(60000, 20, 1), ml.normal(60000, 1, 2):col(1)
      local target = rows * ml.Vector(20, 0.5) + noise
      local many = ml.LinearRegression {}:fit(rows, target):anova()
      local streamed = ml.LinearRegression {}:partial_fit(rows, target):anova()
      near_all(many:col "sum_sq", streamed:col "sum_sq", 1e-9, "sum_sq")
      local m = X:matrix()
      local aliased = ml.hcat(m:slice(1, 32, 1, 1), m:slice(1, 32, 1, 1) * 2, m:slice(1, 32, 2, 3))
      local a, b = ml.LinearRegression {}:fit(m, y):anova(), ml.LinearRegression {}:fit(aliased, y):anova()
      for k, j in ipairs { 1, 3, 4, 5 } do
         near(a:col "sum_sq"[k], b:col "sum_sq"[j], 1e-10, "sum_sq")
         near(a:col "df"[k], b:col "df"[j], 0, "df")
      end
      assert.equal(0, b:col "df"[2])
      assert.equal(0, b:col "sum_sq"[2])
   end)

   it("refuses terms that do not fit the columns", function()
      local model = ml.LinearRegression {}:fit(X, y)
      refuses("terms must have one number for each of the 3 columns, got 2", function()
         model:anova { terms = { 1, 2 } }
      end)
      refuses("terms must ascend, got 1 after 2 at position 2", function() model:anova { terms = { 2, 1, 2 } } end)
   end)
end)

describe("aliased columns", function()
   -- one-hot columns of cyl and the intercept, as in R: the last is aliased
   local hot = {}
   for i, cyl in ipairs(cars:col "cyl":totable()) do
      hot[i] = { cyl == 4 and 1 or 0, cars:col "wt"[i], cyl == 6 and 1 or 0, cyl == 8 and 1 or 0 }
   end
   local names = { "four", "wt", "six", "eight" }
   local columns = {}
   for j, name in ipairs(names) do
      columns[j] = { name, {} }
      for i = 1, #hot do columns[j][2][i] = hot[i][j] end
   end
   local frame = ml.Frame(columns)
   local model = ml.LinearRegression {}:fit(frame, y, { weights = weights })
   local reduced = ml.LinearRegression {}:fit(frame:select { "four", "wt", "six" }, y, { weights = weights })

   it("are set aside in the summary, and the rest is that of the model without them", function()
      local s, r = model:summary(), reduced:summary()
      assert.equal(3, model.rank)
      assert.equal(4, model.dependent[1])
      for _, column in ipairs { "estimate", "std_error", "t", "p", "low", "high" } do
         near_all(r.coefficients:col(column), s.coefficients:col(column):slice(1, 4), 1e-10, column)
         local aliased = s.coefficients:col(column)[5]
         assert.is_true(aliased ~= aliased)
      end
      for _, value in ipairs { "sigma", "df", "r2", "adjusted_r2", "f", "loglik", "aic", "bic" } do
         near(r[value], s[value], 1e-10, value)
      end
      assert.matches("eight%s+aliased", s.text)
      assert.matches("rank 3 of 4 columns. Aliased, because they depend on columns before them: eight.", s.text, nil,
         true)
      assert.matches("minimum-norm", s.text, nil, true)
   end)

   it("keep the minimum-norm coefficients in coef, with the same fitted values", function()
      near_all(reduced:predict(frame:select { "four", "wt", "six" }), model:predict(frame), 1e-12, "fitted")
      near(model.coef[1] + model.coef[3] + model.coef[4], 0, 1e-10, "sum of the one-hot coefficients", 1)
   end)

   it("do not matter for intervals, influence and robust covariances", function()
      local part = frame:select { "four", "wt", "six" }
      near_all(reduced:intervals(part):col "low", model:intervals(frame):col "low", 1e-10, "low")
      local given = { weights = weights }
      local a, b = reduced:diagnostics(part, y, given), model:diagnostics(frame, y, given)
      for _, name in ipairs { "leverage", "studentized", "cooks_distance" } do
         near_all(a.rows:col(name), b.rows:col(name), 1e-9, name)
      end
      near(a.breusch_pagan_p, b.breusch_pagan_p, 1e-9, "Breusch-Pagan")
      near_all(a.vif, b.vif:slice(1, 3), 1e-9, "vif")
      local options = { covariance = "HC3", weights = weights }
      local u, v = reduced:vcov(part, y, options), model:vcov(frame, y, options)
      near_rows(u, v:slice(1, 4, 1, 4), 1e-9, "vcov")
      assert.is_true(v[5][5] ~= v[5][5])
      near(reduced:summary(part, y, options).f, model:summary(frame, y, options).f, 1e-9, "f")
   end)

   it("leave predictions that the rows do not determine without an interval", function()
      local new = model:intervals(ml.Frame { { "four", { 1, 1 } }, { "wt", { 3, 3 } }, { "six", { 0, 1 } },
         { "eight", { 0, 1 } } })
      assert.is_true(new:col "low"[1] < new:col "high"[1])
      assert.is_true(new:col "low"[2] ~= new:col "low"[2])
   end)

   it("are found in the order of the columns, also by partial_fit, and are saved", function()
      local rows = ml.Matrix(hot)
      local mixed = ml.hcat(ml.ones(32, 1) * 0.1, rows:slice(1, 32, 2, 2), rows:slice(1, 32, 2, 2) * 3 + 5,
         rows:slice(1, 32, 1, 1))
      local whole, parts = ml.LinearRegression {}:fit(mixed, y), ml.LinearRegression {}:partial_fit(mixed, y)
      for _, each in ipairs { whole, parts, ml.load(whole:dump()) } do
         assert.same({ 1, 3 }, each.dependent:totable())
         near_rows({ { 0, 0, 0, 0 }, { 0, 3, 0, 0 } }, each.alias, 1e-9, "alias", 1)
         near_all(whole:summary().coefficients:col "std_error":slice(3, 3), each:summary().coefficients
            :col "std_error":slice(3, 3), 1e-10, "std_error")
      end
      local none = ml.LinearRegression { fit_intercept = false }:fit(rows, y)
      assert.equal(4, none.rank)
   end)

   it("are the columns that come last when there are more columns than rows", function()
      local wide = ml.LinearRegression {}:fit(ml.normal(5, 8, 3), { 1, -2, 3, 0.5, 4 })
      assert.same({ 5, 6, 7, 8 }, wide.dependent:totable())
      assert.matches("not more observations than coefficients", wide:summary().text, nil, true)
   end)
end)

describe("large constants in the data (NIST SmLs07 and SmLs09)", function()
   -- F and R^2 in exact arithmetic on the data rounded to doubles, which are multiples of 1 / 8192
   local exact = { [21] = { 21.00081188781877, 0.4827682743479894 },
      [2001] = { 2001.1349262209505, 0.47072957244381347 } }
   for replicates, wanted in pairs(exact) do
      it(("give exact sums of squares with %d rows per group"):format(replicates), function()
         local deviation, rows, target, column, group = { 4, 3, 5, 3, 5, 3, 5, 3, 5 }, {}, {}, {}, {}
         for t = 1, 9 do
            for r = 1, replicates do
               local tenths = deviation[t] + (r == 1 and 0 or r % 2 == 0 and -1 or 1)
               target[#target + 1] = tonumber(("1000000000000.%d"):format(tenths))
               column[#target], group[#target] = { target[#target] }, "t" .. t
               rows[#target] = {}
               for k = 1, 8 do rows[#target][k] = k == t and 1 or 0 end
            end
         end
         local s = ml.LinearRegression {}:fit(rows, target):summary()
         near(wanted[1], s.f, 1e-13, "F")
         near(wanted[2], s.r2, 1e-13, "R^2")
         near(wanted[1], ml.SelectKBest { k = 1 }:fit(column, group).scores[1], 1e-12, "F of SelectKBest")
         -- 1 - r^2 of two columns about 1e12
         local other = {}
         for i, value in ipairs(target) do other[i] = { value + (i % 3) / 8 } end
         local shifted, moved = {}, {}
         for i, value in ipairs(target) do shifted[i], moved[i] = value - 1e12, { other[i][1] - 1e12 } end
         local f = ml.SelectKBest { k = 1, score_func = "f_regression" }
         near(f:fit(moved, shifted).scores[1], f:clone():fit(other, target).scores[1], 1e-11, "F of f_regression")
         local guess = ml.Vector(target) + 0.25
         near(ml.metrics.r2(shifted, guess - 1e12), ml.metrics.r2(target, guess), 1e-12, "r2")
      end)
   end
end)
