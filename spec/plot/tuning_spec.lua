--- Plots of penalties, searches, pruning paths and Markov chains.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot = ml.plot
local layers, near, near_all, refuses = common.layers, common.near, common.near_all, common.refuses

local X, y = common.data("diabetes", "progression")

describe("plot.penalty", function()
   it("draws the errors of LassoCV with the best penalty and that of one standard error", function()
      local model = ml.LassoCV { n_alphas = 20 }:fit(X, y)
      local fig = plot.penalty(model)
      local line, rules, band = layers(fig, "line")[1], layers(fig, "rule"), layers(fig, "band")[1]
      assert.equal(20, #line.x)
      for i = 2, 20 do assert.is_true(line.x[i] > line.x[i - 1]) end
      near(model.mse:min(), math.min(table.unpack(line.y)), 0)
      for i, alpha in ipairs(line.x) do
         for k = 1, 20 do
            if model.grid_alpha[k] == alpha then near(model.mse[k] + model.se[k], band.high[i], 1e-9) end
         end
      end
      assert.equal(model.alpha_min, rules[1].at_x)
      assert.equal(model.alpha_1se, rules[2].at_x)
      assert.is_true(fig.panels[1].x_log)
   end)

   it("draws a line for each l1_ratio", function()
      local fig = plot.penalty(ml.ElasticNetCV { l1_ratio = { 0.2, 0.9 }, n_alphas = 10 }:fit(X, y))
      local lines = layers(fig, "line")
      assert.same({ "l1_ratio 0.2", "l1_ratio 0.9" }, { lines[1].name, lines[2].name })
      assert.equal(0, #layers(fig, "band"))
   end)

   it("draws leave-one-out errors of RidgeCV, and scores of LogisticRegressionCV", function()
      local ridge = ml.RidgeCV { alphas = { 10, 0.1, 1 } }:fit(X, y)
      local line = layers(plot.penalty(ridge), "line")[1]
      assert.same({ 0.1, 1, 10 }, line.x)
      near_all({ -ridge.scores[2], -ridge.scores[3], -ridge.scores[1] }, line.y, 0)
      local Xi, yi = common.data("iris", "species")
      local model = ml.LogisticRegressionCV { Cs = { 0.1, 1, 10 } }:fit(Xi, yi)
      local fig = plot.penalty(ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegressionCV { Cs = { 0.1, 1 } } }:fit(Xi,
         yi))
      assert.equal("accuracy", fig.panels[1].y)
      near_all(model.mean_score, layers(plot.penalty(model), "line")[1].y, 0)
      local best, one_se = model.mean_score:max(), nil
      for i = 3, 1, -1 do
         local folds = model.score_path:row(model.mean_score:argmax()):copy()
         if model.mean_score[i] >= best - folds:std() / math.sqrt(#folds) then one_se = model.grid_C[i] end
      end
      local rules = layers(plot.penalty(model), "rule")
      assert.equal(model.C, rules[1].at_x)
      assert.equal(one_se, (rules[2] or rules[1]).at_x)
   end)

   it("refuses other models", function()
      refuses("plot.penalty: model must be a fitted estimator that chooses its penalty", function()
         plot.penalty(ml.Ridge {}:fit(X, y))
      end)
   end)
end)

describe("plot.search", function()
   local one = ml.GridSearch { model = ml.Ridge {}, grid = { alpha = { 0.1, 1, 10, 100 } } }:fit(X, y)
   local two = ml.GridSearch { model = ml.KNeighborsRegressor {}, grid = { n_neighbors = { 5, 10, 20 },
      weights = { "uniform", "distance" } } }:fit(X, y)

   it("draws the scores over a parameter", function()
      local fig = plot.search(one)
      local line, whiskers = layers(fig, "line")[1], layers(fig, "segments")[1]
      assert.same({ 0.1, 1, 10, 100 }, line.x)
      near_all(one.results.mean_score, line.y, 0)
      near(one.results.mean_score[2] + one.results.sd_score[2], whiskers.y2[2], 1e-12)
      assert.is_true(fig.panels[1].x_log)
      assert.equal("r2", fig.panels[1].y)
   end)

   it("draws two parameters as a heat map, and marks the best cell", function()
      local fig = plot.search(two)
      local heat, mark = layers(fig, "heat")[1], layers(fig, "rectangles")[1]
      assert.equal("n_neighbors", fig.panels[1].x)
      assert.equal("weights", fig.panels[1].y)
      local at = { (mark.x1[1] + mark.x2[1]) / 2, (mark.y1[1] + mark.y2[1]) / 2 }
      near(two.best_score, heat.values[math.tointeger(at[2])][math.tointeger(at[1])], 0)
   end)

   it("knows of given results which score they hold and that losses are minimized", function()
      local search = ml.GridSearch { model = ml.KNeighborsRegressor {}, grid = { n_neighbors = { 1, 5, 20 },
         weights = { "uniform", "distance" } }, scoring = "mse" }:fit(X, y)
      local fig = plot.search(search.results)
      local heat, mark = layers(fig, "heat")[1], layers(fig, "rectangles")[1]
      assert.equal("mse", heat.color_label or fig.panels[1].color_label)
      local at = { mark.x1[1] + 0.5, mark.y1[1] + 0.5 }
      near(search.best_score, heat.values[math.tointeger(at[2])][math.tointeger(at[1])], 0)
      assert.equal(("%.0f"):format(search.best_score), heat.cell_text[math.tointeger(at[2])][math.tointeger(at[1])])
   end)

   it("draws one of several scores", function()
      local search = ml.GridSearch { model = ml.KNeighborsRegressor {}, grid = { n_neighbors = { 1, 5, 20 },
         weights = { "uniform", "distance" } }, scoring = { "r2", "mae" }, refit = "mae" }:fit(X, y)
      local function best_cell(fig)
         local heat, mark = layers(fig, "heat")[1], layers(fig, "rectangles")[1]
         return heat.values[math.tointeger(mark.y1[1] + 0.5)][math.tointeger(mark.x1[1] + 0.5)]
      end
      near(search.results.mean_score_mae:min(), best_cell(plot.search(search)), 0)
      near(search.results.mean_score_mae:min(), best_cell(plot.search(search.results)), 0)
      near(search.results.mean_score_r2:max(), best_cell(plot.search(search, { scoring = "r2" })), 0)
      assert.equal("r2", plot.search(search, { scoring = "r2", params = "weights" }).panels[1].y)
      refuses("scoring must be a score of the search, 'r2', 'mae', got 'r3'; did you mean 'r2'?",
         function() plot.search(search, { scoring = "r3" }) end)
   end)

   it("draws the best score over the other parameters", function()
      local fig = plot.search(two.results, { params = "weights" })
      local points = layers(fig, "points")[1]
      assert.equal(2, #points.x)
      near(two.best_score, math.max(points.y[1], points.y[2]), 0)
      assert.matches("best score over the other parameters", fig.caption)
      local least = layers(plot.search(two.results, { params = { "weights" }, greater = false }), "points")[1]
      near(two.results.mean_score:min(), math.min(least.y[1], least.y[2]), 0)
   end)

   it("refuses invalid arguments", function()
      refuses("params must be of n_neighbors, weights, got 'weight'; did you mean 'weights'?",
         function() plot.search(two, { params = "weight" }) end)
      refuses("params must be one or two names, got 3", function() plot.search(two, { params = { "a", "b", "c" } }) end)
      refuses("search must be a fitted search", function() plot.search(ml.Ridge {}:fit(X, y)) end)
      refuses("search must be a fitted search", function() plot.search(X) end)
   end)
end)

describe("plot.pruning", function()
   it("draws impurity, leaves and scores over ccp_alpha", function()
      local Xi, yi = common.data("iris", "species")
      local tree = ml.DecisionTreeClassifier {}
      local fig = plot.pruning(tree, Xi, yi)
      local path = ml.DecisionTreeClassifier {}:fit(Xi, yi):cost_complexity_path()
      near_all(path.ccp_alphas, layers(fig, "line", 1)[1].x, 0)
      near_all(path.impurities, layers(fig, "line", 1)[1].y, 0)
      local leaves = layers(fig, "line", 2)[1].y
      assert.equal(1, leaves[#leaves])
      for i = 2, #leaves do assert.is_true(leaves[i] < leaves[i - 1]) end
      local scores = layers(fig, "line", 3)
      assert.same({ "train", "test" }, { scores[1].name, scores[2].name })
      local best = layers(fig, "rule", 3)[1].at_x
      for i, alpha in ipairs(scores[2].x) do
         if alpha == best then near(math.max(table.unpack(scores[2].y)), scores[2].y[i], 0) end
      end
      assert.matches("the smallest tree with the best test score", fig.caption)
      refuses("tree must be a decision tree", function() plot.pruning(ml.Ridge {}, X, y) end)
      refuses("y must be given", function() plot.pruning(tree, Xi) end)
   end)
end)

describe("plots of Markov chains", function()
   local model = ml.BayesianLasso { seed = 1 }:fit(X, y)
   local samples = model:samples()

   it("draw the traces of all chains, and densities with intervals", function()
      local fig = plot.chains(model, { columns = { "bmi", "sigma2" }, level = 0.8 })
      assert.equal(4, #fig.panels)
      local traces, draws = layers(fig, "line", 1), 0
      for _, trace in ipairs(traces) do draws = draws + #trace.x end
      assert.is_true(#traces >= 2)
      assert.equal(samples.coef.rows, draws)
      local bmi = samples.coef:col(3):copy()
      near(bmi[1], traces[1].y[1], 0)
      local band = layers(fig, "band", 2)[1]
      assert.is_true(band.x[1] >= bmi:quantile(0.1) and band.x[#band.x] <= bmi:quantile(0.9))
      near(bmi:mean(), layers(fig, "rule", 2)[1].at_x, 1e-9)
      assert.equal("sigma2", fig.panels[3].y)
      assert.equal(8, #plot.chains(model).panels)
   end)

   it("draw the intervals of all coefficients", function()
      local fig = plot.posterior(model)
      local thin, thick = table.unpack(layers(fig, "segments"))
      for j = 1, 10 do
         local draws = samples.coef:col(j):copy()
         near(draws:quantile(0.025), thin.x1[j], 1e-12)
         near(draws:quantile(0.75), thick.x2[j], 1e-12)
         near(draws:median(), layers(fig, "points")[1].x[j], 1e-12)
      end
      assert.equal("bmi", fig.panels[1].y_ticks[3][2])
      assert.equal(1, #layers(plot.posterior(model, { columns = "lambda" }), "points")[1].x)
   end)

   it("refuse other models and columns", function()
      refuses("model must be a model fitted by Markov chains", function() plot.chains(ml.Ridge {}:fit(X, y)) end)
      refuses("columns must be of .*, got 'bmj'; did you mean 'bmi'", function()
         plot.posterior(model, { columns = { "bmj" } })
      end)
   end)
end)

describe("plot.search of scattered values", function()
   local D, target = ml.read_csv "examples/data/diabetes.csv":split "progression"

   it("draws candidates over the mean of a Gaussian process", function()
      local search = ml.RandomSearch { ml.ElasticNet {}, { alpha = { "loguniform", 0.001, 10 },
         l1_ratio = { "uniform", 0.1, 0.9 } }, n = 15, seed = 1 }:fit(D, target)
      local figure = ml.plot.search(search)
      local panel = figure.panels[1]
      assert.same({ "heat", "points", "points" }, { panel.layers[1].kind, panel.layers[2].kind, panel.layers[3].kind })
      assert.equal("alpha", panel.x)
      assert.is_true(panel.x_log)
      assert.is_nil(panel.y_log)
      assert.equal(15, #panel.layers[2].x)
      assert.equal(search.best_params.alpha, panel.layers[3].x[1])
      assert.matches("Gaussian process", figure.caption)
      assert.matches("l1_ratio", figure:svg())
   end)
end)
