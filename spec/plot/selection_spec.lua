--- Plots for model selection, compared with ml.learning_curve, ml.validation_curve and ml.cross_validate.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot = ml.plot
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers

local X, y = common.data("iris", "species")

describe("plot.learning_curve", function()
   local options = { sizes = { 20, 60, 100 }, cv = ml.StratifiedKFold { k = 3, seed = 1 }, seed = 2 }
   local wanted = ml.learning_curve(ml.GaussianNB {}, X, y, options)

   it("draws means and deviations, computed or given", function()
      for _, fig in ipairs { plot.learning_curve(ml.GaussianNB {}, X, y, options), plot.learning_curve(wanted) } do
         local train, test = table.unpack(layers(fig, "line"))
         assert.same({ 20, 60, 100 }, train.x)
         near_all(wanted.train_mean, train.y, 1e-15)
         near_all(wanted.test_mean, test.y, 1e-15)
         local band = layers(fig, "band")[2]
         near_all(wanted.test_mean - wanted.test_sd, band.low, 1e-12)
         near_all(wanted.test_mean + wanted.test_sd, band.high, 1e-12)
      end
      local fig = plot.learning_curve(ml.GaussianNB {}, X, y, options)
      assert.equal("accuracy", fig.panels[1].y)
      assert.equal("Learning curve of GaussianNB", fig.title)
   end)

   it("names score and model of a given Frame", function()
      local curve = ml.learning_curve(ml.Pipeline { ml.StandardScaler {}, ml.GaussianNB {} }, X, y, { cv = 3, seed = 1,
         scoring = { "f1_macro" } })
      local fig = plot.learning_curve(curve)
      assert.equal("f1_macro", fig.panels[1].y)
      assert.equal("Learning curve of GaussianNB", fig.title)
      assert.equal("F1", plot.learning_curve(curve, { scoring = "F1" }).panels[1].y)
      assert.equal("score", plot.learning_curve(curve:head(9)).panels[1].y)
   end)

   it("refuses other Frames and unknown options", function()
      refuses("_spec%.lua:%d+: plot%.learning_curve: the Frame must be a result of ml%.learning_curve, but it has "
         .. "no column 'train_rows'", function() plot.learning_curve(X) end)
      refuses("no option 'size'; did you mean 'sizes'%?", function()
         plot.learning_curve(ml.GaussianNB {}, X, y, { size = { 3 } })
      end)
      refuses("plot%.learning_curve: .*sizes must be", function()
         plot.learning_curve(ml.GaussianNB {}, X, y, { sizes = { 1000 } })
      end)
   end)
end)

describe("plot.validation_curve", function()
   it("sorts values, with a logarithmic axis if they span decades", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
      local options = { param = "logisticregression__C", values = { 1, 0.01, 100 } }
      local wanted = ml.validation_curve(pipe, X, y, options)
      local fig = plot.validation_curve(pipe, X, y, options)
      local line = layers(fig, "line")[2]
      assert.same({ 0.01, 1, 100 }, line.x)
      near_all({ wanted.test_mean[2], wanted.test_mean[1], wanted.test_mean[3] }, line.y, 1e-15)
      assert.is_true(fig.panels[1].x_log)
      assert.equal("C", fig.panels[1].x)
   end)

   it("names parameter, score and model of a given Frame", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
      local curve = ml.validation_curve(pipe, X, y, { param = "logisticregression__C", values = { 0.1, 1 }, cv = 3,
         scoring = "log_loss" })
      local fig = plot.validation_curve(curve)
      assert.equal("C", fig.panels[1].x)
      assert.equal("log_loss", fig.panels[1].y)
      assert.equal("Validation curve of LogisticRegression", fig.title)
   end)

   it("labels values that are not numbers", function()
      local fig = plot.validation_curve(ml.KNeighborsClassifier {}, X, y, { param = "weights",
         values = { "uniform", "distance" } })
      assert.same({ { 1, "uniform" }, { 2, "distance" } }, fig.panels[1].x_ticks)
      assert.is_falsy(fig.panels[1].x_log)
      refuses("plot%.validation_curve: .*options param", function()
         plot.validation_curve(ml.KNeighborsClassifier {}, X, y)
      end)
   end)
end)

describe("plot.cv", function()
   local folds = { cv = ml.StratifiedKFold { k = 6, seed = 1 }, scoring = { "accuracy", "log_loss" } }
   local bayes = ml.cross_validate(ml.GaussianNB {}, X, y, folds)
   local nearest = ml.cross_validate(ml.KNeighborsClassifier {}, X, y, folds)

   it("draws a box for each model and a point for each fold", function()
      local fig = plot.cv { { "nearest", nearest }, { "bayes", bayes } }
      assert.same({ { 2, "nearest" }, { 1, "bayes" } }, fig.panels[1].y_ticks)
      near_all(nearest.scores.accuracy, layers(fig, "points")[1].x, 0)
      local box, scores = layers(fig, "box")[2], bayes.scores.accuracy
      near(scores:quantile(0.25), box.quartiles[2], 1e-15)
      near(scores:median(), box.quartiles[3], 1e-15)
      assert.equal("One point for each of 6 folds.", fig.caption)
      near_all(bayes.scores.log_loss, layers(plot.cv({ b = bayes }, { metric = "log_loss" }), "points")[1].x, 0)
      assert.same({ { 1, "GaussianNB" } }, plot.cv(bayes).panels[1].y_ticks)
   end)

   it("cross-validates models", function()
      local fig = plot.cv({ b = ml.GaussianNB {}, n = ml.KNeighborsClassifier {} }, X, y, folds)
      near_all(bayes.scores.accuracy, layers(fig, "points")[1].x, 0)
      near_all(nearest.scores.accuracy, layers(fig, "points")[2].x, 0)
      assert.equal("KNeighborsClassifier", plot.cv(ml.KNeighborsClassifier {}, X, y, folds).panels[1].y_ticks[1][2])
   end)

   it("refuses other arguments", function()
      refuses("plot%.cv: results must be results of cross_validate by name", function() plot.cv { a = 3 } end)
      refuses("plot%.cv: a has no score 'acuracy'; did you mean 'accuracy'%?", function()
         plot.cv({ a = bayes }, { metric = "acuracy" })
      end)
      refuses("plot%.cv: ", function() plot.cv({ a = ml.GaussianNB {} }) end)
   end)
end)

describe("plot.trace", function()
   it("draws the objective of each iteration", function()
      local means = ml.KMeans { n_clusters = 3, seed = 1 }:fit(X)
      local line = layers(plot.trace(means), "line")[1]
      near_all(means.trace, line.y, 0)
      assert.equal(1, line.x[1])
      assert.same({ 3, 2 }, layers(plot.trace { 3, 2 }, "line")[1].y)
      local two = layers(plot.trace { a = { 3, 2 }, b = ml.Vector { 5, 4, 1 } }, "line")
      assert.same({ "a", "b" }, { two[1].name, two[2].name })
      local risen = plot.trace({ 3, 2 }, { negate = true, label = "log likelihood" })
      assert.same({ -3, -2 }, layers(risen, "line")[1].y)
      assert.equal("Log likelihood", risen.title)
      assert.is_true(plot.trace({ 1000, 1 }).panels[1].y_log)
      assert.is_false(plot.trace({ 1000, 1 }, { log = false }).panels[1].y_log)
   end)

   it("accepts pipelines, and notes fits that did not converge", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression { max_iter = 1, solver = "lbfgs" } }
         :fit(X, y)
      assert.equal("Not converged: LogisticRegression.", plot.trace(pipe).caption)
      refuses("plot%.trace: model must be a fitted iterative model, but Ridge has no trace", function()
         plot.trace(ml.Ridge {}:fit(X, ml.range(1, 150)))
      end)
      refuses("plot%.trace: model must be a fitted iterative model, but KMeans has no trace", function()
         plot.trace(ml.KMeans {})
      end)
      refuses("plot%.trace: trace must be", function() plot.trace(nil) end)
   end)
end)

describe("plot.selection_frequencies and plot.selection_scores", function()
   it("draw frequencies by kind, and the threshold", function()
      local stable = ml.StabilitySelection { ml.LogisticRegression {}, max_features = 2, n_pairs = 4, threshold = 0.7 }
      stable:fit(X, y)
      local fig = plot.selection_frequencies(stable)
      local count = 0
      for _, bars in ipairs(layers(fig, "bars")) do
         for i, value in ipairs(bars.y) do
            local name = fig.panels[1].y_ticks[5 - bars.x[i]][2]
            local at
            for j, one in ipairs(stable.feature_names) do at = one == name and j or at end
            assert.equal(stable.frequencies[at], value)
            assert.equal(value >= 0.7 and "selected" or "not selected", bars.name)
            count = count + 1
         end
      end
      assert.equal(4, count)
      assert.equal(0.7, layers(fig, "rule")[1].at_x)
      refuses("plot%.selection_frequencies: model must be a fitted StabilitySelection or Boruta", function()
         plot.selection_frequencies(ml.Ridge {})
      end)
   end)

   it("draw the scores of RFECV and the chosen number", function()
      local rfe = ml.RFECV { ml.LogisticRegression {}, cv = 3 }:fit(X, y)
      local fig = plot.selection_scores(rfe)
      near_all(rfe.scores.mean, layers(fig, "line")[1].y, 0)
      near_all(rfe.scores.mean - rfe.scores.sd, layers(fig, "segments")[1].y1, 0)
      assert.equal(rfe.n_selected, layers(fig, "rule")[1].at_x)
      assert.is_true(fig.panels[1].x_whole) -- no ticks at 1.5 columns
      refuses("model must be a fitted RFECV", function() plot.selection_scores(ml.Ridge {}) end)
   end)
end)

describe("plot.evidence", function()
   it("draws what the summary of a naive Bayes classifier says", function()
      local model = ml.GaussianNB {}:fit(X, y)
      local fig = plot.evidence(model, { top = 2 })
      local evidence = model:summary { top = 2 }.evidence
      assert.equal(3, #fig.panels)
      for c, panel in ipairs(fig.panels) do
         assert.equal(model.classes[c], panel.title)
         near_all(evidence.information:slice(2 * c - 1, 2 * c), panel.layers[1].y, 0)
         assert.equal(evidence.feature[2 * c - 1], panel.y_ticks[1][2])
      end
   end)

   it("names words of a pipeline, and shortens the names of columns in the middle", function()
      local filter = ml.Pipeline { ml.CountVectorizer {}, ml.MultinomialNB {} }
      filter:fit({ "free prize", "prize call", "see you", "call you" }, { "spam", "spam", "ham", "ham" })
      assert.equal("prize", plot.evidence(filter).panels[2].y_ticks[1][2])
      local colors = { "red", "red", "white", "white" }
      local mushrooms = ml.Frame { { "stalk_color_above_ring", colors }, { "stalk_color_below_ring", colors } }
      local fig = plot.evidence(ml.CategoricalNB {}:fit(mushrooms, { "e", "e", "p", "p" }))
      local drawn = { fig.panels[1].y_ticks[1][2], fig.panels[1].y_ticks[2][2] }
      table.sort(drawn)
      assert.same({ "stalk_c\u{2026}ve_ring = red", "stalk_c\u{2026}ow_ring = red" }, { drawn[2], drawn[1] })
   end)

   it("refuses other models", function()
      refuses("plot%.evidence: model must be a fitted naive Bayes classifier, got Ridge", function()
         plot.evidence(ml.Ridge {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 3 }))
      end)
   end)
end)
