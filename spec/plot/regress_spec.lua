--- Plots of regressions, compared with R and with the models themselves.
local ml = require "manilius"
local common = require "spec.plot.common"
local core = require "manilius.core"
local r = dofile "spec/fixtures/linear/diagnostics.lua".lm_cars

local plot, metrics = ml.plot, ml.metrics
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "hp" }, cars.mpg
local ols = ml.LinearRegression {}:fit(X, y)

local function sorted_by(x, values)
   local out = {}
   for k, i in ipairs(core.Vector(x):argsort():totable()) do out[k] = values[math.tointeger(i)] end
   return out
end

describe("plot.residuals of least squares", function()
   local fig = plot.residuals(ols, X, y)

   it("draws the fitted values, residuals and leverage of R", function()
      local first = layers(fig, "points", 1)[1]
      near_all(r.fitted, first.x, 1e-10)
      near_all(r.residual, first.y, 1e-9, "residual", 1)
      local quantiles = layers(fig, "points", 2)[1]
      near_all(r.theoretical, quantiles.x, 1e-12, "theoretical", 1)
      near_all(r.standardized, quantiles.y, 1e-9, "standardized", 1)
      local scale = layers(fig, "points", 3)[1]
      for i, value in ipairs(r.standardized) do near(math.sqrt(math.abs(value)), scale.y[i], 1e-8) end
      local leverage = layers(fig, "points", 4)[1]
      near_all(r.leverage, leverage.x, 1e-10)
      near_all(r.standardized, leverage.y, 1e-9, "standardized", 1)
   end)

   it("draws R's LOWESS curve and R's line through the quartiles", function()
      near_all(r.smooth, layers(fig, "line", 1)[1].y, 1e-9, "smooth", 1)
      local rule = layers(fig, "rule", 2)[1]
      near(r.line[1], rule.intercept, 1e-9)
      near(r.line[2], rule.slope, 1e-9)
   end)

   it("draws contours of Cook's distance", function()
      local contours = {}
      for _, line in ipairs(layers(fig, "line", 4)) do
         if line.dash == "dashed" then contours[#contours + 1] = line end
      end
      assert.equal(4, #contours)
      for k, line in ipairs(contours) do
         local level = k <= 2 and 0.5 or 1
         for i = 1, #line.x, 50 do
            local h, residual = line.x[i], line.y[i]
            near(level, residual ^ 2 * h / (1 - h) / 3, 1e-9, "Cook's distance")
            assert.equal(k % 2 == 1, residual > 0)
         end
      end
      for i, h in ipairs(r.contour_h) do near(math.sqrt(0.5 * 3 * (1 - h) / h), r.contour[i], 1e-14) end
      assert.matches("dashed: Cook's distance 0.5 and 1%.$", fig.caption)
   end)

   it("labels the three most extreme rows of each panel", function()
      local function labels(panel) return layers(fig, "points", panel)[2].labels end
      local function largest(values)
         local order = core.Vector(values):abs():argsort():totable()
         local out = {}
         for k = 1, 3 do out[k] = ("%d"):format(order[#order + 1 - k]) end
         return out
      end
      assert.same(largest(r.residual), labels(1))
      assert.same(largest(r.standardized), labels(2))
      assert.same(largest(r.standardized), labels(3))
      assert.same(largest(r.cooks), labels(4))
      local named = plot.residuals(ols, X, y, { labels = cars.model, extreme = 1 })
      assert.same({ "Toyota Corolla" }, layers(named, "points", 1)[2].labels)
      assert.equal(1, #layers(plot.residuals(ols, X, y, { extreme = 0 }), "points", 1))
   end)

   it("accepts pipelines and searches", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LinearRegression {} }
      local search = ml.GridSearch { pipe, { linearregression__fit_intercept = { true } } }:fit(X, y)
      local of_search = plot.residuals(search, X, y)
      assert.equal("Residuals of LinearRegression", of_search.title)
      near_all(r.leverage, layers(of_search, "points", 4)[1].x, 1e-9)
   end)

   it("omits rows of leverage 1 with a note", function()
      local rows = ml.Frame { { "a", { 1, 2, 3, 4, 5, 6 } }, { "only", { 0, 0, 0, 0, 0, 1 } } }
      local target = { 1, 2.5, 2.9, 4.4, 5, 9 }
      local alone = plot.residuals(ml.LinearRegression {}:fit(rows, target), rows, target)
      assert.equal(5, #layers(alone, "points", 1)[1].x)
      assert.matches("; 1 row of leverage 1 omitted%.", alone.caption)
   end)
end)

describe("plot.residuals of other models", function()
   it("draws the general figure for least squares with precision weights", function()
      local weights = ml.Vector(y:totable())
      local model = ml.LinearRegression {}:fit(X, y, { weights = weights / weights:mean() })
      assert.equal("Distribution of the residuals", plot.residuals(model, X, y).panels[4].title)
   end)

   it("draws residuals, quantiles, predictions and a histogram", function()
      local near_model = ml.KNeighborsRegressor { n_neighbors = 3 }:fit(X, y)
      local fitted = near_model:predict(X)
      for _, fig in ipairs { plot.residuals(near_model, X, y), plot.residuals(y, fitted) } do
         near_all(fitted, layers(fig, "points", 1)[1].x, 0)
         near_all(y - fitted, layers(fig, "points", 1)[1].y, 0)
         near_all(y, layers(fig, "points", 3)[1].y, 0)
         local bars, total = layers(fig, "bars", 4)[1], 0
         for _, count in ipairs(bars.y) do total = total + count end
         assert.equal(32, total)
         assert.equal(("R2 %.3f, root mean squared error %.4g on 32 rows; curve: LOWESS."):format(metrics.r2(y, fitted),
            metrics.rmse(y, fitted)), fig.caption)
      end
      near_all(sorted_by(layers(plot.residuals(y, fitted), "points", 2)[1].x, layers(plot.residuals(y, fitted),
         "points", 2)[1].y), ((y - fitted) - (y - fitted):mean()):sort() / (y - fitted):std(), 1e-12, "q", 1)
   end)

   it("is used for other rows, weighted fits and fits without inference", function()
      local title = "Actual vs predicted"
      assert.equal(title, plot.residuals(ols, X:head(10), y:slice(1, 10)).panels[3].title)
      local other = ml.LinearRegression {}:fit(X:head(20), y:slice(1, 20))
      assert.equal(title, plot.residuals(other, X:tail(20), y:slice(13, 32)).panels[3].title)
      local weighted = ml.LinearRegression {}:fit(X, y, { weights = ml.range(1, 32) / 16.5 })
      assert.equal(title, plot.residuals(weighted, X, y).panels[3].title)
      assert.equal(title, plot.residuals(ml.LinearRegression { inference = false }:fit(X, y), X, y).panels[3].title)
      assert.equal("Scale-location", plot.residuals(ols, X, y).panels[3].title)
   end)

   it("accepts one of several targets, and models in Lua", function()
      local both = ml.hcat(y, cars.qsec)
      local ridge = ml.Ridge {}:fit(X, both)
      near_all(cars.qsec - ridge:predict(X):col(2):copy(), layers(plot.residuals(ridge, X, both, { target = 2 }),
         "points", 1)[1].y, 0)
      refuses("target must be from 1 to 2, got 3", function() plot.residuals(ridge, X, both, { target = 3 }) end)
      local mean = { fit = function(self) return self end, predict = function(_, F)
         local out = {}
         for i = 1, F.rows do out[i] = 20 + i / 100 end
         return out
      end }
      near(21 - 20.01, layers(plot.residuals(mean, X, y), "points", 1)[1].y[1], 1e-12)
   end)

   it("refuses invalid arguments", function()
      local bayes = ml.GaussianNB {}:fit(X, cars.am)
      refuses("_spec%.lua:%d+: plot%.residuals: model must be a regressor, but GaussianNB is a classifier; use ml",
         function() plot.residuals(bayes, X, cars.am) end)
      refuses("predicted must be finite, got nan in row 2", function() plot.residuals({ 1, 2 }, { 1, 0 / 0 }) end)
      refuses("the residuals must vary, but all are 0", function() plot.residuals({ 1, 2 }, { 1, 2 }) end)
      refuses("the model fits all points exactly", function()
         plot.residuals(ml.LinearRegression {}:fit({ { 1 }, { 2 } }, { 1, 2 }), { { 1 }, { 2 } }, { 1, 2 })
      end)
      refuses("there is no option 'extremes'; did you mean 'extreme'%?",
         function() plot.residuals(ols, X, y, { extremes = 2 }) end)
   end)
end)

describe("plot.coefficients", function()
   it("draws the intervals of the summary of GLM and BayesianRidge", function()
      local glm = ml.GLM { family = "gamma", link = "log" }:fit(X, y)
      local ridge = ml.BayesianRidge {}:fit(X, y)
      for what, model in pairs { confidence = glm, posterior = ridge } do
         local fig = plot.coefficients(model, { level = 0.8, sort = false })
         local wanted = model:summary { level = 0.8 }.coefficients
         near_all({ wanted.low[2], wanted.low[3] }, layers(fig, "bars")[1].low, 1e-15)
         near_all({ wanted.high[2], wanted.high[3] }, layers(fig, "bars")[1].high, 1e-15)
         assert.equal(("Whiskers: 80%% %s intervals."):format(what), fig.caption)
      end
      local offset = ml.GLM { family = "gamma", link = "log", offset = "hp" }:fit(X, y)
      assert.is_nil(layers(plot.coefficients(offset), "bars")[1].low)
      assert.is_nil(layers(plot.coefficients(ml.GLM { alpha = 1 }:fit(X, y)), "bars")[1].low)
      refuses("level must be a number between 0 and 1, got 2", function() plot.coefficients(glm, { level = 2 }) end)
   end)

   it("draws coefficients with their intervals, largest first", function()
      local fig = plot.coefficients(ols, { level = 0.9 })
      local bars = layers(fig, "bars")[1]
      local wanted = ols:summary { level = 0.9 }.coefficients
      near_all({ wanted.estimate[2], wanted.estimate[3] }, bars.y, 1e-15)
      near_all({ wanted.low[2], wanted.low[3] }, bars.low, 1e-15)
      near_all({ wanted.high[2], wanted.high[3] }, bars.high, 1e-15)
      assert.same({ { 2, "wt" }, { 1, "hp" } }, fig.panels[1].y_ticks)
      assert.matches("90%% confidence", fig.caption)
   end)

   it("uses the output names of the previous steps", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.PolynomialFeatures { degree = 2 }, ml.Ridge {} }:fit(X, y)
      local ticks = plot.coefficients(pipe, { sort = false, top = 3 }).panels[1].y_ticks
      local names = {}
      for _, name in ipairs(pipe.models[2]:output_names()) do names[name] = true end
      assert.equal(3, #ticks)
      for _, tick in ipairs(ticks) do assert.is_true(names[tick[2]] or false, tick[2]) end
      local plain = plot.coefficients(ml.Ridge {}:fit({ { 1, 0 }, { 0, 1 }, { 1, 1 } }, { 1, 2, 3 }), { sort = false })
      assert.same({ { 2, "x1" }, { 1, "x2" } }, plain.panels[1].y_ticks)
   end)

   it("draws a panel for each class", function()
      local Xi, yi = common.data("iris", "species")
      local logit = ml.LogisticRegression {}:fit(Xi, yi)
      local fig = plot.coefficients(logit, { sort = false })
      assert.equal(3, #fig.panels)
      assert.equal("versicolor", fig.panels[2].title)
      near_all(logit.coef:row(2), layers(fig, "bars", 2)[1].y, 0)
      local one = plot.coefficients(logit, { target = 3, sort = false })
      near_all(logit.coef:row(3), layers(one, "bars")[1].y, 0)
      refuses("target must be from 1 to 3, got 4", function() plot.coefficients(logit, { target = 4 }) end)
   end)

   it("refuses models without coefficients", function()
      refuses("plot%.coefficients: model must be a fitted linear model, but KNeighborsRegressor has no coef", function()
         plot.coefficients(ml.KNeighborsRegressor {}:fit(X, y))
      end)
      refuses("plot%.coefficients: model must be an estimator, got 3", function() plot.coefficients(3) end)
      refuses("plot%.coefficients: .*but Ridge has no coef", function() plot.coefficients(ml.Ridge {}) end)
   end)
end)

describe("plot.importance", function()
   it("draws values, whiskers and the mean of repeats", function()
      local bars = layers(plot.importance({ "a", "b" }, { 1, 3 }, { low = { 0, 2 }, high = { 2, 5 } }), "bars")[1]
      assert.same({ 3, 1 }, bars.y)
      assert.same({ 2, 0 }, bars.low)
      assert.same({ 5, 2 }, bars.high)
      local repeats = layers(plot.importance({ "a", "b" }, { { 1, 3 }, { 3, 5 } }, { sort = false }), "bars")[1]
      assert.same({ 2, 4 }, repeats.y)
      near_all({ 2 - math.sqrt(2), 4 - math.sqrt(2) }, repeats.low, 1e-15)
      assert.same({ { 2, "b" } }, { plot.importance({ "a", "b" }, { 1, 3 }).panels[1].y_ticks[1] })
      -- Negative importances come last.
      local noise = plot.importance({ "a", "b", "c" }, { 1, -5, 3 })
      assert.same({ { 3, "c" }, { 2, "a" }, { 1, "b" } }, noise.panels[1].y_ticks)
      assert.same({ 3, 1 }, layers(plot.importance({ "a", "b", "c" }, { 1, -5, 3 }, { top = 2 }), "bars")[1].y)
   end)

   it("draws the importances of a model with their standard deviation over trees", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local forest = ml.RandomForestClassifier { n_estimators = 20, seed = 1 }:fit(flowers, species)
      local figure = plot.importance(ml.Pipeline { ml.StandardScaler {}, forest }:fit(flowers, species))
      local bars = layers(figure, "bars")[1]
      local largest = forest.feature_importances:argmax()
      local top = forest.feature_importances[largest]
      assert.equal("Importance in RandomForestClassifier", figure.title)
      near_all({ top }, { bars.y[1] }, 1e-12)
      near_all({ top + forest.importances_std[largest] }, { bars.high[1] }, 1e-12)
      assert.is_true(math.min(table.unpack(bars.low)) >= 0)
      assert.equal(flowers.names[largest], figure.panels[1].y_ticks[1][2])
      local tree = ml.DecisionTreeClassifier { max_depth = 2 }:fit(flowers, species)
      assert.is_nil(layers(plot.importance(tree), "bars")[1].low)
      refuses("plot%.importance: model must have feature_importances, but Ridge does not have it; use a result of ml",
         function() plot.importance(ml.Ridge {}:fit({ { 1 }, { 2 } }, { 1, 2 })) end)
   end)

   it("draws out-of-bag importances with their standard errors", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local forest = ml.RandomForestClassifier { n_estimators = 20, oob_importance = true }:fit(flowers, species)
      local figure = plot.importance(forest, nil, { sort = false })
      local bars = layers(figure, "bars")[1]
      assert.equal("Permutation importance in RandomForestClassifier", figure.title)
      assert.equal("Whiskers: one standard error over trees.", figure.caption)
      near_all(forest.permutation_importances, bars.y, 1e-15)
      near_all(forest.permutation_importances - forest.permutation_se, bars.low, 1e-15)
      near_all(forest.permutation_importances + forest.permutation_se, bars.high, 1e-15)
      local one = ml.RandomForestClassifier { n_estimators = 1, oob_importance = true }:fit(flowers, species)
      bars = layers(plot.importance(one), "bars")[1]
      assert.same(bars.y, bars.low)
   end)

   it("refuses inconsistent arguments", function()
      refuses("names must be a list of 3 strings, got a list of 2",
         function() plot.importance({ "a", "b" }, { 1, 2, 3 }) end)
      refuses("low and high must be given together", function() plot.importance({ "a" }, { 1 }, { low = { 1 } }) end)
   end)
end)

describe("plot.coef_path", function()
   local scaled = ml.StandardScaler {}:fit_transform(cars:select { "wt", "hp", "disp" })

   it("draws the coefficients of a refit at every alpha", function()
      local model = ml.Ridge { alpha = 5 }
      local fig = plot.coef_path(model, scaled, y, { alphas = { 100, 1, 10 } })
      local drawn = layers(fig, "line")
      assert.equal(3, #drawn)
      for _, line in ipairs(drawn) do
         assert.same({ 1, 10, 100 }, line.x)
         for i, alpha in ipairs(line.x) do
            local ridge = ml.Ridge { alpha = alpha }:fit(scaled, y)
            for j, name in ipairs { "wt", "hp", "disp" } do
               if name == line.name then near(ridge.coef[j], line.y[i], 1e-15) end
            end
         end
      end
      assert.is_true(fig.panels[1].x_log)
      assert.equal(5, layers(fig, "rule")[2].at_x)
      assert.equal(5, model.alpha)
      assert.is_false(model.fitted)
   end)

   it("finds the penalty of the last step, and names only the largest coefficients", function()
      local Xc, yc = common.data("breast_cancer", "diagnosis")
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
      local fig = plot.coef_path(pipe, Xc, yc, { alphas = { 0.01, 1 }, top = 2 })
      local named = 0
      for _, line in ipairs(layers(fig, "line")) do named = named + (line.name and 1 or 0) end
      assert.equal(2, named)
      assert.equal("C", fig.panels[1].x)
      assert.matches("[Gg]ray: the 28 smallest coefficients", fig.caption)
   end)

   it("draws given paths", function()
      local fig = plot.coef_path({ 10, 1 }, { { 1, 2 }, { 3, 4 } }, { names = { "a", "b" } })
      local drawn = layers(fig, "line")
      assert.same({ "b", 4, 2 }, { drawn[1].name, drawn[1].y[1], drawn[1].y[2] })
      assert.is_true(fig.panels[1].x_log)
      assert.is_false(plot.coef_path({ 10, 0 }, { { 1, 2 }, { 3, 4 } }).panels[1].x_log)
   end)

   it("refuses invalid arguments", function()
      refuses("plot%.coef_path: model must have the parameter alpha or C, but LinearRegression does not have it; set",
         function() plot.coef_path(ml.LinearRegression {}, scaled, y) end)
      refuses("param must be a parameter of Ridge, got 'aplha'; did you mean 'alpha'%?",
         function() plot.coef_path(ml.Ridge {}, scaled, y, { param = "aplha" }) end)
      refuses("alphas must be > 0", function() plot.coef_path(ml.Ridge {}, scaled, y, { alphas = { 0, 1 } }) end)
      refuses("alphas must be at least 0, got %-1", function() plot.coef_path({ 1, -1 }, { { 1 }, { 2 } }) end)
      refuses("at least two values", function() plot.coef_path(ml.Ridge {}, scaled, y, { alphas = { 1 } }) end)
      refuses("coef must have 2 rows, one for each alpha, got 1", function() plot.coef_path({ 1, 2 }, { { 1, 2 } }) end)
      refuses("y must be given", function() plot.coef_path(ml.Ridge {}, scaled) end)
   end)
end)
