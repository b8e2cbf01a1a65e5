--- Plots of classifiers, compared with ml.metrics.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot, metrics = ml.plot, ml.metrics
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers
local nan = 0 / 0

local X, y = common.data("breast_cancer", "diagnosis")
local texture = X:select { "mean_texture", "mean_smoothness" }
local model = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(texture, y)
local scores = model:predict_proba(texture):col(2):copy()
local Xi, yi = common.data("iris", "species")
local sepals = Xi:select { "sepal_length", "sepal_width" }
local iris = ml.GaussianNB {}:fit(sepals, yi)

describe("plot.confusion", function()
   local counts = metrics.confusion_matrix(yi, iris:predict(sepals))

   it("shows counts and their shares of the true class, first class on top", function()
      local fig = plot.confusion(iris, sepals, yi)
      local heat = layers(fig, "heat")[1]
      for i = 1, 3 do
         for j = 1, 3 do
            local count = counts.counts:get(i, j)
            assert.equal(("%d (%.0f%%)"):format(count, 2 * count), heat.cell_text[4 - i][j])
            near(count / 50, heat.values[4 - i][j], 1e-15)
         end
      end
      assert.same({ { 1, "setosa" }, { 2, "versicolor" }, { 3, "virginica" } }, fig.panels[1].x_ticks)
      assert.same({ { 3, "setosa" }, { 2, "versicolor" }, { 1, "virginica" } }, fig.panels[1].y_ticks)
      assert.equal(("Accuracy %.3f on 150 rows."):format(metrics.accuracy(yi, iris:predict(sepals))), fig.caption)
   end)

   it("normalizes by true class, predicted class or all rows", function()
      for _, by in ipairs { "true", "pred", "all" } do
         local heat = layers(plot.confusion(yi, iris:predict(sepals), { normalize = by }), "heat")[1]
         local shares = counts:normalized(by)
         for i = 1, 3 do near_all(shares:row(i), heat.values[4 - i], 1e-15) end
      end
   end)

   it("accepts labels, searches, models in Lua and a single class", function()
      local search = ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 1, 5 } } }:fit(sepals, yi)
      local wanted = metrics.confusion_matrix(yi, search.best:predict(sepals)).counts
      local heat = layers(plot.confusion(search, sepals, yi), "heat")[1]
      near(wanted:get(3, 2) / 50, heat.values[1][2], 1e-15)
      local rows = ml.Matrix { { 1 }, { 2 }, { 6 }, { 7 } }
      local own = common.threshold():fit(rows, { "a", "a", "b", "b" })
      assert.same({ { 0, 1 }, { 1, 0 } }, layers(plot.confusion(own, rows, { "a", "a", "b", "b" }), "heat")[1].values)
      assert.same({ { 1 } }, layers(plot.confusion({ "a", "a" }, { "a", "a" }), "heat")[1].values)
      local some = layers(plot.confusion(yi, iris:predict(sepals), { labels = { "virginica", "setosa" } }), "heat")[1]
      near(counts.counts:get(3, 3) / (counts.counts:get(3, 3) + counts.counts:get(3, 1)), some.values[2][1], 1e-15)
   end)

   it("refuses invalid arguments", function()
      refuses("_spec%.lua:%d+: plot%.confusion: there is no option 'normalze'; did you mean 'normalize'%?",
         function() plot.confusion(iris, sepals, yi, { normalze = "true" }) end)
      refuses("normalize must be one of true, pred, all", function() plot.confusion(iris, sepals, yi,
         { normalize = "rows" }) end)
      local ridge = ml.Ridge {}:fit(sepals, ml.range(1, 150))
      refuses("plot%.confusion: model must be a classifier, but Ridge is a regressor; use ml%.plot%.residuals",
         function() plot.confusion(ridge, sepals, yi) end)
      refuses("plot%.confusion: .*fit", function() plot.confusion(ml.GaussianNB {}, sepals, yi) end)
      refuses("y must be given", function() plot.confusion(iris, sepals) end)
      refuses("same length, got 2 and 1", function() plot.confusion({ 1, 2 }, { 1 }) end)
   end)
end)

describe("plot.roc", function()
   it("draws the curve of ml.metrics, with the AUC and its interval", function()
      local fig = plot.roc(model, texture, y)
      local line, band = layers(fig, "line")[1], layers(fig, "band")[1]
      local curve, found = metrics.roc_curve(y, scores), metrics.roc_interval(y, scores)
      near_all(curve.fpr, line.x, 1e-15)
      near_all(curve.tpr, line.y, 1e-15)
      assert.equal(("AUC %.3f (%.3f to %.3f)"):format(metrics.roc_auc(y, scores), found.low, found.high), line.name)
      local wanted = metrics.roc_band(y, scores)
      near_all(wanted.low, band.low, 1e-15)
      near_all(wanted.high, band.high, 1e-15)
      assert.matches("^Positive class: malignant; 95%% intervals: DeLong %(AUC%), bootstrap %(band%)%.$", fig.caption)
      assert.same(line.y, layers(plot.roc(y, scores), "line")[1].y)
      assert.same(line.y, layers(plot.roc(y, model:predict_proba(texture)), "line")[1].y)
   end)

   it("uses the given positive class", function()
      local line = layers(plot.roc(model, texture, y, { positive = "benign" }), "line")[1]
      near_all(metrics.roc_curve(y, 1 - scores, { positive = "benign" }).tpr, line.y, 1e-15)
      local own = common.threshold():fit(texture:matrix(), y)
      near_all(metrics.roc_curve(y, X.mean_texture).tpr, layers(plot.roc(own, texture:matrix(), y), "line")[1].y, 1e-15)
   end)

   it("draws one-vs-rest curves and their macro average", function()
      local drawn = layers(plot.roc(iris, sepals, yi), "line")
      assert.equal(4, #drawn)
      local proba, sum = iris:predict_proba(sepals), 0
      for c, class in ipairs { "setosa", "versicolor", "virginica" } do
         local area = metrics.roc_auc(yi, proba:col(c):copy(), { positive = class })
         sum = sum + area
         assert.matches("^" .. class .. (": AUC %.3f "):format(area):gsub("%.", "%%."), drawn[c].name)
      end
      assert.equal(("macro average: AUC %.3f"):format(metrics.roc_auc(yi, proba, { average = "macro" })), drawn[4].name)
      local area = 0
      for i = 2, #drawn[4].x do
         area = area + (drawn[4].x[i] - drawn[4].x[i - 1]) * (drawn[4].y[i] + drawn[4].y[i - 1]) / 2
      end
      near(sum / 3, area, 0.005)
   end)

   it("compares models and scores by name", function()
      local bayes = ml.GaussianNB {}:fit(texture, y)
      local drawn = layers(plot.roc({ logistic = model, bayes = bayes }, texture, y), "line")
      assert.matches("^bayes: AUC", drawn[1].name)
      assert.matches("^logistic: AUC", drawn[2].name)
      local of_scores = layers(plot.roc(y, { { "logistic", scores }, { "texture", X.mean_texture } }), "line")
      assert.same(drawn[2].y, of_scores[1].y)
      assert.matches("^texture: AUC", of_scores[2].name)
      assert.equal(4, #layers(plot.roc({ model, bayes, model, bayes }, texture, y), "line"))
   end)

   it("has no interval for weighted rows or a single row of a class", function()
      local fig = plot.roc({ 0, 0, 1 }, { 1, 2, 3 })
      assert.equal("AUC 1.000", layers(fig, "line")[1].name)
      assert.equal(0, #layers(fig, "band"))
      local w = ml.Vector(#y, 2)
      local weighted = plot.roc(model, texture, y, { weights = w })
      assert.equal(("AUC %.3f"):format(metrics.roc_auc(y, scores)), layers(weighted, "line")[1].name)
      assert.equal(0, #layers(plot.roc(model, texture, y, { band = false }), "band"))
   end)

   it("refuses invalid arguments", function()
      refuses("_spec%.lua:%d+: plot%.roc: y must hold rows of 1 and of other classes, got only 1",
         function() plot.roc({ 1, 1 }, { 1, 2 }, { positive = 1 }) end)
      refuses("positive must be one of the labels 'setosa', .*got 'setoso'; did you mean 'setosa'%?", function()
         plot.roc(iris, sepals, yi, { positive = "setoso" })
      end)
      refuses("scores must be numbers, got nan in row 2", function() plot.roc({ 0, 1 }, { 1, nan }) end)
      refuses("scores must have a column for each class", function() plot.roc(yi, ml.zeros(150, 2)) end)
      refuses("scores must have a column for each of the 3 classes of y, .*, got one column",
         function() plot.roc(yi, ml.zeros(150, 1)) end)
      refuses("X must be .*empty table", function() plot.roc(iris, {}, {}) end)
      refuses("y must hold classes of GaussianNB, .* got 'x'", function()
         plot.roc(iris, sepals:head(2), { "setosa", "x" })
      end)
      local broken = common.threshold()
      broken.predict_proba = function() return { { nan, 1 }, { 0, 1 } } end
      refuses("plot%.roc: scores must be finite, got nan in row 1, column 1", function()
         plot.roc(broken:fit({ { 1 }, { 2 } }, { "a", "b" }), { { 1 }, { 2 } }, { "a", "b" })
      end)
      refuses("model must be a classifier, but KMeans is a clustering", function()
         plot.roc(ml.KMeans { n_clusters = 2 }:fit(sepals), sepals, yi)
      end)
      local search = ml.GridSearch { ml.GaussianNB {}, { var_smoothing = { 1e-9 } } }
      refuses("GridSearch has no best model; call fit with refit = true first", function()
         plot.roc(search, sepals, yi)
      end)
   end)
end)

describe("plot.precision_recall", function()
   it("draws steps whose area is the average precision", function()
      local fig = plot.precision_recall(model, texture, y)
      local line = layers(fig, "line")[1]
      local area = 0
      for i = 2, #line.x do area = area + (line.x[i] - line.x[i - 1]) * line.y[i - 1] end
      near(metrics.average_precision(y, scores), area, 1e-12)
      assert.equal(("AP %.3f"):format(area), line.name)
      assert.is_true(line.steps)
      near(212 / 569, layers(fig, "rule")[1].at_y, 1e-15)
   end)

   it("has one step at each recall, with the best precision", function()
      -- The thresholds 0.8, 0.2 and 0.1 add false positives only: they would be spikes.
      local line = layers(plot.precision_recall({ 0, 1, 0, 1, 1, 0 }, { 0.1, 0.9, 0.8, 0.7, 0.3, 0.2 }), "line")[1]
      near_all({ 0, 1 / 3, 2 / 3, 1 }, line.x, 1e-15)
      near_all({ 1, 2 / 3, 3 / 4, 3 / 4 }, line.y, 1e-15)
   end)

   it("draws a curve for each class or model", function()
      local drawn = layers(plot.precision_recall(iris, sepals, yi), "line")
      local proba = iris:predict_proba(sepals)
      for c, class in ipairs { "setosa", "versicolor", "virginica" } do
         assert.equal(("%s: AP %.3f"):format(class, metrics.average_precision(yi, proba:col(c):copy(),
            { positive = class })), drawn[c].name)
      end
      assert.equal(2, #layers(plot.precision_recall({ a = model, b = model }, texture, y), "line"))
      refuses("_spec%.lua:%d+: plot%.precision_recall: y must hold rows of", function()
         plot.precision_recall({ 0, 0 }, { 1, 2 }, { positive = 1 })
      end)
   end)
end)

describe("plot.calibration", function()
   it("draws observed frequencies with Wilson intervals, and a histogram of all rows", function()
      local fig = plot.calibration(model, texture, y, { bins = 5 })
      local line, bars = layers(fig, "line")[1], layers(fig, "segments")[1]
      local wanted = metrics.calibration_curve(y, scores, { bins = 5 })
      near_all(wanted.predicted, line.x, 1e-15)
      near_all(wanted.observed, line.y, 1e-15)
      near_all(wanted.low, bars.y1, 1e-15)
      near_all(wanted.high, bars.y2, 1e-15)
      local total, first = 0, layers(fig, "bars", 2)[1].y
      for _, count in ipairs(first) do total = total + count end
      assert.equal(569, total)
      assert.equal(scores:lt(0.05):sum(), first[1])
      assert.matches(("Brier score %.4f"):format(metrics.brier(y, scores)):gsub("%.", "%%."), fig.caption)
      assert.equal(1, layers(plot.calibration({ 0, 1 }, { 0, 1 }), "bars", 2)[1].y[20])
   end)

   it("compares models and refuses scores outside [0, 1]", function()
      local fig = plot.calibration({ a = model, b = ml.GaussianNB {}:fit(texture, y) }, texture, y)
      assert.equal(2, #layers(fig, "line"))
      assert.equal(2, #layers(fig, "line", 2))
      refuses("_spec%.lua:%d+: plot%.calibration: scores must be probabilities from 0 to 1, got 1.5", function()
         plot.calibration({ 0, 1 }, { 0.5, 1.5 })
      end)
      refuses("model must have predict_proba, but NearestCentroid does not have it", function()
         plot.calibration(ml.NearestCentroid {}:fit(texture, y), texture, y)
      end)
   end)
end)

describe("plot.decision", function()
   local bayes = ml.GaussianNB {}:fit(Xi, yi)

   it("shows the predicted classes with other features at their mean", function()
      local fig = plot.decision(bayes, Xi, yi, { features = { "petal_width", 1 }, resolution = 7 })
      local regions = layers(fig, "regions")[1]
      assert.equal(7, #regions.x)
      local place = { setosa = 1, versicolor = 2, virginica = 3 }
      for i, up in ipairs(regions.y) do
         for j, across in ipairs(regions.x) do
            local label = bayes:predict { { up, Xi.sepal_width:mean(), Xi.petal_length:mean(), across } }[1]
            assert.equal(place[label], regions.values[i][j])
         end
      end
      assert.matches("sepal_width, petal_length at their mean", fig.caption)
      assert.equal("petal_width", fig.panels[1].x)
      local points = layers(fig, "points")
      assert.equal("versicolor", points[2].name)
      near_all(Xi.petal_width:slice(51, 100), points[2].x, 0)
   end)

   it("refits on the two features with refit = true, and accepts tables of rows", function()
      local fig = plot.decision(bayes, Xi, yi, { refit = true, resolution = 5 })
      local own = ml.GaussianNB {}:fit(sepals, yi)
      local regions = layers(fig, "regions")[1]
      local corner = ml.Frame { { "sepal_length", { regions.x[5] } }, { "sepal_width", { regions.y[1] } } }
      local label = own:predict(corner)[1]
      assert.equal(({ setosa = 1, versicolor = 2, virginica = 3 })[label], regions.values[1][5])
      assert.is_nil(fig.caption:find "at their mean")
      assert.equal(4, bayes.n_features)
      local rows = { { 1, 5 }, { 2, 6 }, { 7, 1 }, { 8, 2 } }
      local small = ml.GaussianNB {}:fit(rows, { 1, 1, 2, 2 })
      assert.same({ { 1, 2 }, { 1, 2 } }, layers(plot.decision(small, rows, { 1, 1, 2, 2 }, { resolution = 2 }),
         "regions")[1].values)
   end)

   it("fixes other features at the most frequent label or the median", function()
      local frame = ml.Frame { { "a", { 1, 2, 8, 9 } }, { "g", { "u", "v", "v", "v" } }, { "b", { 0, 1, 0, 1 } },
         { "c", { 0, 0, 0, 100 } } }
      local seen
      local own = common.threshold()
      own.fit = function(self) self.classes = { "p", "q" } return self end
      own.predict = function(_, F)
         seen = F
         local out = {}
         for i = 1, F.rows do out[i] = F.a[i] > 5 and "q" or "p" end
         return out
      end
      plot.decision(own:fit(), frame, nil, { features = { "a", "b" }, resolution = 3, others = "median" })
      seen = nil
      local fig = plot.decision(own, frame, { "p", "p", "q", "q" }, { features = { "a", "b" }, resolution = 3,
         others = "median" })
      assert.equal(4, seen.rows) -- the last call computes the accuracy
      assert.matches("g, c at their median", fig.caption)
      assert.same({ { 1, 1, 2 }, { 1, 1, 2 }, { 1, 1, 2 } }, { layers(fig, "regions")[1].values[1],
         layers(fig, "regions")[1].values[2], layers(fig, "regions")[1].values[3] })
   end)

   it("colors rows by cluster without y", function()
      local means = ml.KMeans { n_clusters = 3, seed = 1 }:fit(sepals)
      local fig = plot.decision(means, sepals, { resolution = 5 })
      local count = 0
      for _, layer in ipairs(layers(fig, "points")) do count = count + #layer.x end
      assert.equal(150, count)
   end)

   it("refuses invalid features and models", function()
      refuses("_spec%.lua:%d+: plot%.decision: X must have at least two columns, got 1", function()
         plot.decision(bayes, Xi:select "petal_width", yi)
      end)
      refuses("features must be numbers or names of columns, got 'petal_widht'; did you mean 'petal_width'%?",
         function() plot.decision(bayes, Xi, yi, { features = { 1, "petal_widht" } }) end)
      refuses("two different columns, got 4 twice", function()
         plot.decision(bayes, Xi, yi, { features = { 4, "petal_width" } })
      end)
      refuses("features must be from 1 to 4, got 5",
         function() plot.decision(bayes, Xi, yi, { features = { 1, 5 } }) end)
      local labeled = ml.Frame { { "a", { "u", "v" } }, { "b", { 1, 2 } } }
      refuses("feature 'a' must be numbers, got labels", function()
         plot.decision(ml.GaussianNB {}:fit({ { 1, 2 }, { 3, 4 } }, { 1, 2 }), labeled, { 1, 2 })
      end)
      refuses("model must be a classifier, but Ridge is a regressor", function()
         plot.decision(ml.Ridge {}:fit(Xi, ml.range(1, 150)), Xi, yi)
      end)
   end)
end)
