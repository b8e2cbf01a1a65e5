--- Formulas: columns and coefficients agree with R's lm.
local ml = require "manilius"
local design = require "manilius.formula.design"
local formula = require "manilius.formula"
local oracle = dofile "spec/fixtures/formula/formula.lua"
local support = require "spec.support"

local data = {}
for _, name in ipairs { "mtcars", "iris" } do data[name] = ml.read_csv("examples/data/" .. name .. ".csv") end
local cars = data.mtcars
local refuses = support.refuses

describe("a formula", function()
   for _, case in ipairs(oracle.matrices) do
      it("makes the columns of R's model.matrix: " .. case.formula, function()
         local frame, at = data[case.data], 0
         local learned = design.learn(case.formula, frame)
         local columns = design.apply(learned, frame)
         local places = ml.range(1, frame.rows)
         for k, name in ipairs(case.names) do
            if name ~= "(Intercept)" then
               at = at + 1
               assert.equal(name, columns.names[at])
               local column = columns.columns[at]
               local unit = 1e-11 * (1 + math.abs(case.squares[k]))
               assert.near(case.sum[k], column:sum(), unit)
               assert.near(case.by_place[k], column:dot(places), unit * frame.rows)
               assert.near(case.squares[k], column:dot(column), unit)
            else
               assert.is_true(learned.constant)
            end
         end
         assert.equal(at, ml.Matrix(columns).cols)
      end)
   end

   for _, case in ipairs(oracle.safe) do
      it("applies what fit learned to other rows, as R: " .. case.formula, function()
         local model = ml.LinearRegression { formula = case.formula }:fit(cars:slice(1, 20))
         local predicted = model:predict(cars:slice(21, 32))
         local one_by_one = ml.load(model:dump()):predict(cars:slice(30, 30))
         for i, value in ipairs(case.predicted) do assert.near(value, predicted[i], 1e-9 * math.abs(value)) end
         assert.near(case.predicted[10], one_by_one[1], 1e-9 * math.abs(case.predicted[10]))
      end)
   end

   for _, case in ipairs(oracle.cases) do
      it("gives the coefficients of R: " .. case.formula, function()
         local model = ml.LinearRegression { formula = case.formula }:fit(data[case.data])
         local names, coef = {}, {}
         for i, name in ipairs(case.names) do
            if name ~= "(Intercept)" then
               names[#names + 1], coef[#coef + 1] = name, case.coef[i]
            else
               -- 1e-9: the columns of poly and of products are far from orthogonal to the others
               assert.near(case.coef[i], model.intercept, 1e-9 * math.abs(case.coef[i]))
            end
         end
         assert.same(names, table.move(model.terms, 1, #model.terms, 1, {}))
         for j = 1, #coef do assert.near(coef[j], model.coef[j], 1e-9 * math.max(1, math.abs(coef[j]))) end
      end)
   end

   it("applies the levels and polynomials of fit to other rows", function()
      local model = ml.LinearRegression { formula = "mpg ~ poly(wt, 3) + factor(cyl)" }:fit(cars)
      local all = model:predict(cars)
      for i = 1, cars.rows do assert.near(all[i], model:predict(cars:slice(i, i))[1], 1e-9) end
      local six = cars:filter(cars.cyl:eq(6))
      assert.equal(7, #model:predict(six))
   end)

   it("works with any estimator", function()
      local ridge = ml.Ridge { alpha = 2, formula = "mpg ~ wt + hp" }:fit(cars)
      local plain = ml.Ridge { alpha = 2 }:fit(cars:select("wt", "hp"), cars.mpg)
      assert.same(plain.coef:totable(), ridge.coef:totable())
      assert.near(plain:score(cars:select("wt", "hp"), cars.mpg), ridge:score(cars), 1e-12)
      local flowers = ml.LogisticRegression { formula = "species ~ . - sepal_width" }:fit(data.iris)
      assert.is_true(flowers:score(data.iris) > 0.95)
      assert.same({ "setosa", "versicolor", "virginica" }, table.move(flowers.classes, 1, 3, 1, {}))
      local tree = ml.FormulaModel { model = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }, formula = "mpg ~ wt" }
      assert.equal(32, #tree:fit(cars):predict(cars))
   end)

   it("works with ensembles", function()
      local model = ml.RANSACRegressor { max_trials = 20, seed = 3, formula = "mpg ~ wt + factor(cyl)" }:fit(cars)
      local whole = ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars)
      assert.same(whole.terms, model.terms)
      local plain = ml.RANSACRegressor { max_trials = 20, seed = 3 }
      plain:fit(ml.hcat(cars.wt, cars.cyl:eq(6), cars.cyl:eq(8)), cars.mpg)
      assert.is_true((plain.coef - model.coef):abs():max() < 1e-12)
      assert.equal(plain.inlier_mask:sum(), model.inlier_mask:sum())
      assert.equal("RANSACRegressor { estimator = LinearRegression {}, max_trials = 20, seed = 3, "
         .. 'formula = "mpg ~ wt + factor(cyl)" }', (tostring(model):gsub("%s+", " ")))
      local bag = ml.BaggingRegressor { ml.Ridge {}, n_estimators = 3, formula = "mpg ~ poly(wt, 2)" }:fit(cars)
      assert.equal(2, #bag.terms)
      assert.equal(32, #bag:predict(cars))
   end)

   it("gives access to operations and fields of its model, and prints", function()
      local model = ml.LinearRegression { formula = "mpg ~ log(wt)" }:fit(cars)
      assert.matches("log%(wt%)", model:summary().text)
      assert.matches("^LinearRegression { formula = \"mpg ~ log%(wt%)\" }, fitted: 1 feature\n", tostring(model))
      assert.equal(2, model:get_params().model ~= nil and 2)
      refuses("no 'coeff'; did you mean 'coef'", function() return model.coeff end)
   end)

   it("is saved, cloned, cross-validated and searched with its model", function()
      local model = ml.Ridge { formula = "mpg ~ poly(wt, 2) * factor(am)" }:fit(cars)
      local again = ml.load(model:dump())
      assert.same(model:predict(cars):totable(), again:predict(cars):totable())
      assert.is_false(model:clone().fitted)
      local cv = ml.cross_validate(model, cars, cars.mpg, { cv = ml.KFold { k = 4, seed = 1 } })
      assert.equal(4, cv.scores.rows)
      local search = ml.GridSearch { model, { model__alpha = { 0.01, 1 } }, cv = 3 }:fit(cars, cars.mpg)
      assert.is_true(search.best_params.model__alpha == 0.01 or search.best_params.model__alpha == 1)
   end)

   it("accepts a single row by name", function()
      local model = ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars)
      local expected = model.intercept + 3 * model.coef[1] + model.coef[2]
      assert.near(expected, model:predict { wt = 3, cyl = 6 }[1], 1e-12)
      assert.near(expected, model:intervals({ wt = 3, cyl = 6 }).fit[1], 1e-12)
      refuses("no column 'wtt' in fit; did you mean 'wt'", model.predict, model, { wtt = 3, cyl = 6 })
   end)

   it("sets offset and fit_intercept of the model, and restores them if the formula changes", function()
      local model = ml.GLM { family = "poisson", formula = "carb ~ wt + offset(log(hp))" }:fit(cars)
      assert.near(-3.7198104, model.intercept, 1e-6) -- R's glm
      assert.near(-0.0673727, model.coef[1], 1e-6)
      assert.near(2.234804, model:predict(cars)[1], 1e-6)
      local loaded = ml.load(model:dump())
      for _, one in ipairs { model, loaded } do
         one:set_params({ formula = "carb ~ wt" }):fit(cars)
         assert.near(ml.GLM { family = "poisson" }:fit(cars:select "wt", cars.carb).intercept, one.intercept, 1e-9)
      end
      local line = ml.LinearRegression { formula = "mpg ~ wt - 1" }:fit(cars)
      assert.equal(0, line.intercept)
      assert.near(37.2851261673, line:set_params({ formula = "mpg ~ wt" }):fit(cars).intercept, 1e-9)
      assert.equal(0, ml.LinearRegression { formula = "mpg ~ wt", fit_intercept = false }:fit(cars).intercept)
      refuses("has an offset, which LinearRegression does not support", function()
         ml.LinearRegression { formula = "mpg ~ wt + offset(hp)" }:fit(cars)
      end)
      refuses("one offset", function() ml.GLM { formula = "mpg ~ wt + offset(hp) + offset(am)" }:fit(cars) end)
   end)

   it("supports UTF-8 names, and errors of operations have the line of the caller", function()
      local frame = ml.Frame { ["größe"] = { 1, 2, 4, 7 }, y = { 2, 3, 5, 9 } }
      assert.same({ "größe" }, ml.LinearRegression { formula = "y ~ größe" }:fit(frame).terms)
      local model = ml.LinearRegression { formula = "mpg ~ wt" }:fit(cars)
      refuses("^[^:]*formula_spec.lua:%d+: formula: there is no column 'mpg'", function()
         model:diagnostics(cars:select { "wt" })
      end)
      refuses("^[^:]*formula_spec.lua:%d+: LinearRegression: y must be given", function()
         model:diagnostics(ml.Matrix { { 1 } })
      end)
   end)

   it("passes the left side to operations that require y", function()
      local model = ml.LinearRegression { formula = "log(mpg) ~ wt + hp" }:fit(cars)
      local plain = ml.LinearRegression {}:fit(cars:select { "wt", "hp" }, cars.mpg:log())
      local rows = plain:diagnostics(cars:select { "wt", "hp" }, cars.mpg:log()).rows
      support.near_all(rows.cooks_distance, model:diagnostics(cars).rows.cooks_distance, 1e-12)
      support.near_all(rows.residual, model:diagnostics(cars, cars.mpg:log()).rows.residual, 1e-12)
   end)

   it("is exported with its formula", function()
      local model = ml.LinearRegression { formula = "mpg ~ wt + factor(cyl)" }:fit(cars:select("cyl", "mpg", "wt"))
      local exported = load(model:export_lua())()
      assert.same({ "cyl", "mpg", "wt" }, exported.feature_names)
      assert.equal(model:predict({ wt = 3, cyl = 6 })[1], exported.predict { 6, nil, 3 })
      refuses("a level that was not there in fit", exported.predict, { 5, nil, 3 })
      refuses("column 1 must be finite", exported.predict, { 6, nil, nil })
      assert.matches("row%[1%]  mpg, not read\n", model:export_c())
      local waves = ml.LinearRegression { formula = "mpg ~ sin(wt) + hp" }:fit(cars)
      refuses("FormulaModel cannot be exported: its formula contains sin%(wt%)", function()
         waves:export_c()
      end)
   end)

   it("supports factor() on the left side", function()
      local model = ml.LogisticRegression { formula = "factor(am) ~ wt" }:fit(cars)
      assert.same({ 0, 1 }, table.move(model.classes, 1, 2, 1, {}))
      assert.is_true(model:score(cars) > 0.85)
   end)

   it("supports an intercept only, if the model does", function()
      local line = ml.LinearRegression { formula = "mpg ~ 1" }:fit(cars)
      assert.near(20.090625, line.intercept, 1e-12)
      assert.equal(0, #line.coef)
      assert.same({}, line.terms)
      assert.near(20.090625, ml.load(line:dump()):predict(cars:head(2))[2], 1e-12)
      local summary = line:summary() -- R: summary(lm(mpg ~ 1)), which gives no F either
      assert.near(1.0654239593728, summary.coefficients.std_error[1], 1e-12)
      assert.near(6.0269480520891, summary.sigma, 1e-12)
      assert.is_nil(summary.text:find "F%-statistic")
      local counts = ml.GLM { family = "poisson", formula = "carb ~ 1 + offset(log(hp))" }:fit(cars)
      assert.near(math.log(cars.carb:sum() / cars.hp:sum()), counts.intercept, 1e-10)
      local plain = ml.GLM { family = "poisson", formula = "carb ~ 1" }:fit(cars)
      assert.near(math.log(2.8125), plain.intercept, 1e-10)
      assert.near(27.043357450132, plain.deviance, 1e-9) -- R: deviance(glm(carb ~ 1, poisson))
      assert.near(plain.null_deviance, plain.deviance, 1e-12)
      assert.near(ml.Vector(cars.mpg):median(), ml.QuantileRegressor { formula = "mpg ~ 1" }:fit(cars).intercept, 0.1)
      -- R: coef(MASS::rlm(mpg ~ 1, data = mtcars, acc = 1e-13, maxit = 500))
      assert.near(19.6523876877, ml.RobustRegression { formula = "mpg ~ 1" }:fit(cars).intercept, 1e-7)
      refuses("the formula 'mpg ~ 1' has no terms except the intercept, which Ridge does not support", function()
         ml.Ridge { formula = "mpg ~ 1" }:fit(cars)
      end)
   end)

   it("supports conditions on the left side and boolean columns", function()
      local model = ml.LogisticRegression { formula = "(mpg > 20) ~ wt" }:fit(cars)
      assert.same({ false, true }, table.move(model.classes, 1, 2, 1, {}))
      local frame = ml.Frame { y = { 1, 2, 3, 5 }, flag = { true, false, true, true }, x = { 1, 2, 3, 4 } }
      local flags = ml.LinearRegression { formula = "y ~ flag + I(flag * x) + I(!flag | x > 3)" }
      local columns = design.apply(design.learn(flags.formula, frame), frame)
      assert.same({ "flagTRUE", "I(flag * x)", "I(!flag | x > 3)TRUE" }, table.move(columns.names, 1, 3, 1, {}))
      assert.same({ 1, 0, 3, 4 }, columns.columns[2]:totable())
      assert.same({ 0, 1, 0, 1 }, columns.columns[3]:totable())
   end)

   it("learns levels and scales from the first batch of partial_fit", function()
      local text = "mpg ~ scale(wt) + factor(cyl) + poly(hp, 2)"
      local first = cars:slice(1, 20)
      local whole = ml.LinearRegression { formula = text }
      local batches = ml.LinearRegression { formula = text }:partial_fit(first):partial_fit(cars:slice(21, 32))
      -- The columns span the same space, whichever rows they are learned from.
      local wanted, got = whole:fit(cars):predict(cars), batches:predict(cars)
      for i = 1, cars.rows do assert.near(wanted[i], got[i], 1e-9) end
      assert.same(design.learn(text, first).kept, batches.design.kept)
      assert.same({ "scale(wt)", "factor(cyl)6", "factor(cyl)8", "poly(hp, 2)1", "poly(hp, 2)2" },
         table.move(batches.terms, 1, 5, 1, {}))
      local few = ml.SGDRegressor { formula = "mpg ~ factor(cyl)", seed = 1 }:partial_fit(cars:filter(cars.cyl:gt(4)))
      local before = few:predict(first:filter(first.cyl:gt(4))):totable()
      refuses("level '4', which did not occur in fit", few.partial_fit, few, cars)
      assert.same(before, few:predict(first:filter(first.cyl:gt(4))):totable())
      local all = ml.SGDRegressor { formula = "mpg ~ factor(cyl, levels = c(4, 6, 8))", seed = 1 }
      all:partial_fit(cars:filter(cars.cyl:gt(4))):partial_fit(cars)
      assert.equal(2, #all.coef)
      local fresh = ml.SGDRegressor { formula = "mpg ~ log(model)" }
      refuses("labels", fresh.partial_fit, fresh, cars)
      assert.is_falsy(fresh.fitted)
      refuses("Lasso has no partial_fit", function() ml.Lasso { formula = "mpg ~ wt" }:partial_fit(cars) end)
   end)

   it("is fitted in the background", function()
      local text = "mpg ~ poly(wt, 2) + offset(0 * hp) - 1"
      local model = ml.GLM { formula = text }
      local job = model:fit_async(cars)
      assert.equal(model, job:wait())
      local wanted = ml.GLM { formula = text }:fit(cars)
      assert.same(wanted:predict(cars):totable(), model:predict(cars):totable())
      assert.same(wanted:dump(), model:dump())
      model:set_params({ formula = "mpg ~ wt" }):fit_async(cars):wait()
      assert.near(37.2851261673, model.intercept, 1e-9)
      local pipe = ml.FormulaModel { model = ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} }, formula = "mpg ~ wt" }
      assert.equal(pipe, pipe:fit_async(cars):wait())
      assert.equal(32, #pipe:predict(cars))
      local bad = ml.Ridge { formula = "mpg ~ wtt" }
      refuses("no column 'wtt'", bad.fit_async, bad, cars)
      assert.is_falsy(bad.fitted)
   end)

   it("takes the target from the Frame in validation and search", function()
      local model = ml.Ridge { formula = "log(mpg) ~ wt + factor(cyl)" }
      local cv = { cv = ml.KFold { k = 4, seed = 1 } }
      local given = ml.cross_validate(model, cars, cars.mpg:log(), cv)
      assert.same(given.scores.r2:totable(), ml.cross_validate(model, cars, nil, cv).scores.r2:totable())
      local outside = ml.cross_val_predict(model, cars, nil, cv)
      assert.same(ml.cross_val_predict(model, cars, cars.mpg:log(), cv):totable(), outside:totable())
      local search = ml.GridSearch { model, { model__alpha = { 0.01, 100 } }, cv = cv.cv }:fit(cars)
      assert.equal(0.01, search.best_params.model__alpha)
      assert.near(search.best:score(cars), search:score(cars), 1e-15)
      local flowers = ml.LogisticRegression { formula = "species ~ petal_length + petal_width" }
      local folds = ml.cross_validate(flowers, data.iris, nil, { cv = 3 }) -- stratified, as y has labels
      assert.is_true(folds.mean.accuracy > 0.9)
      local what = ml.permutation_importance(model:fit(cars), cars, nil, { seed = 1 })
      assert.is_true(what.score > 0.8)
   end)

   it("reports errors with their position", function()
      for text, message in pairs {
         ["mpg ~ wtt"] = "no column 'wtt'; did you mean 'wt'", ["mpg ~ logg(wt)"] = "did you mean 'log",
         ["mpg ~ log(model)"] = "labels", ["mpg ~ wt + spline(hp)"] = "no function spline of 1",
         ["mpg ~ poly(am, 2)"] = "less than the number of distinct values, 2",
         ["mpg ~ 0"] = "at least one term or an intercept",
         ["mpg ~ wt ^ hp"] = "power of %(...%)%^n", ["mpg ~ 3 + wt"] = "3 is not a term",
         ["mpg ~ round(wt, 1)"] = "no function round of 2 arguments; there are factor",
         ["mpg ~ log(wt, hp)"] = "base must be a number",
         ["mpg ~ scale(vs, sd = 3)"] = "arguments of scale are x, center",
         ["mpg ~ I(model == 'Fiat 12')"] = "no level 'Fiat 12'; did you mean 'Fiat 128'",
         ["mpg ~ (model > 'Fiat')"] = "no order", ["mpg ~ I(wt %in% hp)"] = "expected constants",
         ["mpg ~ (wt == 'x')"] = "wt holds numbers", ["mpg ~ I(wt %in% 'a')"] = "wt holds numbers",
         ["mpg ~ cut(wt, c(1, 1, 6))"] = "breaks must be distinct, got 1 twice",
         ["mpg ~ relevel(factor(cyl))"] = "ref must be given",
         ["mpg ~ poly(wt, 2, raw = maybe)"] = "expected TRUE or FALSE, got maybe",
         ["mpg ~ cut(wt, 1)"] = "intervals must be a whole number >= 2",
         ["mpg ~ cut(wt, c(2, 3))"] = "is outside the breaks",
         ["mpg ~ C(factor(cyl), contr.sums)"] = "unknown contrast contr.sums; did you mean 'sum'",
         ["mpg ~ relevel(factor(cyl), 5)"] = "no level 5",
         ["mpg ~ factor(cyl, levels = 4:6)"] = "levels must include all labels, but '8' is missing",
         ["mpg ~ scale(I(0 * wt))"] = "the scale of I%(0 %* wt%) is 0",
         ["mpg ~ bs(wt, df = 2)"] = "df must be a whole",
         ["mpg ~ bs(wt, knots = 9)"] = "knots must lie between .*, got 9", ["mpg ~ 'wt'"] = "is not a term",
         ["mpg ~ C(factor(cyl), contr.treatment, base = 4)"] = "base must be a whole number from 1 to 3",
      } do
         refuses(message, function() ml.LinearRegression { formula = text }:fit(cars) end)
      end
      for text, message in pairs {
         ["mpg ~ (wt"] = "expected '%)' at character 10", ["mpg"] = "expected '~' at character 4",
         ["mpg ~ wt $ hp"] = "'%$' at character 10", ["~"] = "expected a term",
         ["mpg ~ `a"] = "backtick at character 7",
         ["mpg ~ I(a == 'b)"] = "quote at character 14",
      } do
         refuses(message, function() ml.LinearRegression { formula = text } end)
      end
      refuses("nested too deeply", formula.parse, "~" .. ("("):rep(10000) .. "a")
      refuses("nested too deeply", formula.parse, "~" .. ("-"):rep(10000) .. "a")
      refuses("nested too deeply", formula.parse, "~" .. ("!"):rep(10000) .. "a")
      refuses("5000 terms", formula.terms, formula.parse "~ (a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p)^8", {})
      refuses("X must be a Frame, got Matrix", function()
         ml.Ridge { formula = "~ a" }:fit(ml.Matrix { { 1 }, { 2 } }, { 1, 2 })
      end)
      refuses("no left side; give y", function() ml.Ridge { formula = "~ wt" }:fit(cars) end)
      refuses("missing values", function()
         ml.Ridge { formula = "ozone ~ solar_r" }:fit(ml.read_csv "examples/data/airquality.csv")
      end)
      local model = ml.Ridge { formula = "mpg ~ factor(cyl)" }:fit(cars)
      refuses("level '5', which did not occur in fit", model.predict, model, ml.Frame { cyl = { 4, 5 } })
   end)
end)
