local ml = require "manilius"
local common = require "spec.metrics.common"
local oracle = dofile "spec/fixtures/metrics/metrics.lua".scores
local support = require "spec.support"

local m = ml.metrics
local near, refuses = common.near, support.refuses
local data, wanted = oracle.data, oracle.values
local nan = 0 / 0

describe("confidence of the area under the ROC curve", function()
   local r = require "spec.fixtures.linear.diagnostics"
   local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"

   it("agrees with pROC, ties included", function()
      local rounded = (X.mean_texture / 5):map(function(x)
         local low = math.floor(x)
         return (x - low > 0.5 or (x - low == 0.5 and low % 2 == 1)) and low + 1 or low -- as R rounds
      end)
      for name, score in pairs { delong_radius = X.mean_radius, delong_rounded = rounded } do
         local got = m.roc_interval(y, score)
         near(r[name].auc, got.auc, name)
         near(r[name].variance, got.std_error ^ 2, name)
         near(r[name].low, got.low, name)
         near(r[name].high, got.high, name)
         near(m.roc_auc(y, score), got.auc, name)
      end
      assert.is_true(m.roc_interval(y, X.mean_radius, { level = 0.5 }).low > r.delong_radius.low)
   end)

   it("counts weights as repeats", function()
      local weighted = m.roc_interval({ 0, 0, 1, 1, 1 }, { 1, 3, 2, 4, 9 }, { weights = { 2, 1, 3, 1, 0 } })
      local repeated = m.roc_interval({ 0, 0, 0, 1, 1, 1, 1 }, { 1, 1, 3, 2, 2, 2, 4 })
      for _, key in ipairs { "auc", "std_error", "low", "high" } do near(repeated[key], weighted[key], key) end
   end)

   it("has bands like those of pROC, the same for the same seed", function()
      local band = m.roc_band(y, X.mean_texture, { curves = 2000, points = 11 })
      local wanted_band = r.band_texture
      for k, fpr in ipairs(wanted_band.fpr) do
         local at = math.floor(fpr * 10 + 1.5)
         assert.near(fpr, band.fpr[at], 1e-15)
         assert.near(wanted_band.low[k], band.low[at], 0.02)
         assert.near(wanted_band.high[k], band.high[at], 0.02)
      end
      assert.is_true(band == m.roc_band(y, X.mean_texture, { curves = 2000, points = 11, seed = 0 }))
      assert.is_false(band == m.roc_band(y, X.mean_texture, { curves = 2000, points = 11, seed = 1 }))
   end)

   it("has bands of repeated rows, to the bit, where weights count them", function()
      local truth, score, weights, truths, scores = {}, {}, {}, {}, {}
      local values = ml.normal(60, 1, 9):col(1)
      for i = 1, 60 do
         truth[i], weights[i] = i % 3 == 0 and 1 or 0, i % 4
         score[i] = math.floor(values[i] * 4) + truth[i] * 3
         for _ = 1, weights[i] do truths[#truths + 1], scores[#scores + 1] = truth[i], score[i] end
      end
      local options = { curves = 50, points = 21, seed = 3 }
      local repeated = m.roc_band(truths, scores, options)
      options.weights = weights
      assert.is_true(repeated == m.roc_band(truth, score, options))
      options.weights = ml.ones(60, 1):flatten()
      local plain = m.roc_band(truth, score, options)
      options.weights = nil
      assert.is_true(plain == m.roc_band(truth, score, options))
      options.weights = ml.Vector(weights) / 1000 -- normalized weights count in units of the smallest
      assert.is_true(m.roc_band(truth, score, options).rows == 21)
      for i = 1, 60 do weights[i] = truth[i] end
      options.weights = weights
      refuses("weights must be > 0 for a row of each class", function() m.roc_band(truth, score, options) end)
   end)

   it("has an interval of width 0 if the classes are separable", function()
      local got = m.roc_interval({ 0, 0, 1, 1 }, { 1, 2, 3, 4 })
      assert.same({ 1, 1, 1, 0 }, { got.auc, got.low, got.high, got.std_error })
   end)

   it("is refused if it is undefined", function()
      refuses("at least two rows of 1 and two of other classes",
         function() m.roc_interval({ 0, 0, 1 }, { 1, 2, 3 }) end)
      refuses("rows of 1 and of other classes", function() m.roc_interval({ 1, 1 }, { 1, 2 }, { positive = 1 }) end)
      refuses("rows of 1 and of other classes", function() m.roc_band({ 1, 1 }, { 1, 2 }, { positive = 1 }) end)
      refuses("scores must be numbers, got nan in row 2", function() m.roc_interval({ 0, 1 }, { 1, nan }) end)
   end)
end)

describe("metrics of scores", function()
   local truth, yes, proba, score, p, margin = data.truth, data.yes, data.proba, data.score, data.p, data.margin

   for tag, weights in pairs { [""] = false, _w = data.weights } do
      local options = common.options_with(weights or nil)

      it("agree with scikit-learn" .. tag, function()
         near(wanted["roc_auc" .. tag], m.roc_auc(yes, score, options()), "roc_auc")
         near(wanted["roc_auc_part" .. tag], m.roc_auc(yes, score, options { max_fpr = 0.3 }), "part")
         near(wanted["average_precision" .. tag], m.average_precision(yes, score, options()), "ap")
         for _, average in ipairs { "macro", "weighted", "micro" } do
            near(wanted["roc_auc_ovr_" .. average .. tag], m.roc_auc(truth, proba, options { average = average }),
               average)
            near(wanted["average_precision_" .. average .. tag],
               m.average_precision(truth, proba, options { average = average }), "ap " .. average)
         end
         near(wanted["roc_auc_none" .. tag], m.roc_auc(truth, proba, options { average = "none" }), "none")
         near(wanted["log_loss" .. tag], m.log_loss(truth, proba, options()), "log_loss")
         near(wanted["log_loss_binary" .. tag], m.log_loss(yes, p, options()), "log_loss of two")
         near(wanted["brier" .. tag], m.brier(truth, proba, options()), "brier")
         near(wanted["brier_binary" .. tag], m.brier(yes, p, options()), "brier of two")
         near(wanted["hinge" .. tag], m.hinge_loss(truth, margin, options()), "hinge")
         near(wanted["hinge_binary" .. tag], m.hinge_loss(yes, ml.Matrix(margin):col(1), options()), "hinge of two")
         for k = 1, 2 do near(wanted["top_" .. k .. tag], m.top_k_accuracy(truth, margin, options { k = k }), "top") end
      end)

      it("draw the curves of scikit-learn" .. tag, function()
         for name, curve in pairs { roc = m.roc_curve(yes, score, options()),
            roc_all = m.roc_curve(yes, score, options { corners = false }), pr = m.pr_curve(yes, score, options()) } do
            for column, values in pairs(wanted[name .. tag]) do near(values, curve[column], name .. " " .. column) end
         end
      end)
   end

   it("compare pairs of classes, and bins of probabilities", function()
      for _, average in ipairs { "macro", "weighted" } do
         near(wanted["roc_auc_ovo_" .. average], m.roc_auc(truth, proba, { multi_class = "ovo", average = average }),
            "ovo")
      end
      for _, strategy in ipairs { "uniform", "quantile" } do
         local curve = m.calibration_curve(yes, p, { bins = 4, strategy = strategy })
         near(wanted["calibration_" .. strategy].observed, curve.observed, "observed")
         near(wanted["calibration_" .. strategy].predicted, curve.predicted, "predicted")
         assert.equal(60, curve.count:sum())
         for i = 1, #curve.low do
            assert.is_true(curve.low[i] <= curve.observed[i] and curve.observed[i] <= curve.high[i])
         end
      end
   end)

   it("accept two columns instead of one, and the class that is named", function()
      local two = {}
      for i, value in ipairs(p) do two[i] = { 1 - value, value } end
      for _, name in ipairs { "roc_auc", "average_precision", "log_loss", "brier" } do
         near(m[name](yes, p), m[name](yes, two), name)
         near(m[name](yes, p), m[name](yes, ml.Matrix(two)), name)
      end
      near(1 - m.roc_auc(yes, p), m.roc_auc(yes, p, { positive = 0 }), "turned")
      near(m.roc_auc(truth, ml.Matrix(proba):col(2), { positive = "b" }), m.roc_auc(truth, proba,
         { average = "none" })[2],
         "one against the rest")
      near(0.5, m.roc_auc({ 0, 1, 0, 1 }, { 3, 3, 3, 3 }), "all tied")
      near(m.log_loss({ 0, 0 }, { { 0.5, 0.5 }, { 0.9, 0.1 } }, { labels = { 0, 1 } }),
         -(math.log(0.5) + math.log(0.9)) / 2, "a class that does not occur")
      near(36.04365338911715, m.log_loss({ 0, 1 }, { 1, 0 }), "never infinite")
   end)

   it("do not change with monotone scores, and count weights as repeats", function()
      local high, t, s, pr, whole, yes3 = {}, {}, {}, {}, {}, {}
      for i = 1, #score do
         high[i] = math.exp(score[i])
         whole[i] = (i * 7) % 4
         for _ = 1, whole[i] do
            t[#t + 1], s[#s + 1], pr[#pr + 1], yes3[#yes3 + 1] = truth[i], score[i], proba[i], yes[i]
         end
      end
      near(m.roc_auc(yes, score), m.roc_auc(yes, high), "monotone")
      for _, name in ipairs { "roc_auc", "average_precision" } do
         near(m[name](yes3, s), m[name](yes, score, { weights = whole }), name)
         near(m[name](t, pr, { average = "macro" }), m[name](truth, proba, { average = "macro", weights = whole }),
            name)
      end
      for _, average in ipairs { "macro", "weighted" } do
         local o = { multi_class = "ovo", average = average }
         local value = m.roc_auc(t, pr, o)
         o.weights = whole
         near(value, m.roc_auc(truth, proba, o), "ovo")
      end
      for _, name in ipairs { "log_loss", "brier", "hinge_loss", "top_k_accuracy" } do
         near(m[name](t, pr), m[name](truth, proba, { weights = whole }), name)
      end
   end)

   it("refuse invalid arguments", function()
      refuses("^metrics.roc_auc: y must contain both classes, got only 1", m.roc_auc, { 1, 1 }, { 0.1, 0.2 })
      refuses("metrics.roc_auc: y must contain rows of 1 and of other classes", m.roc_auc, { 1, 1 }, { 0.1, 0.2 },
         { labels = { 0, 1 } })
      refuses("y has 3 classes, 'a', 'b', 'c'; give scores with a column per class and average", m.roc_auc, truth,
         score)
      refuses("scores must have a column for each class, 'a', 'b', 'c', got 2 columns", m.roc_auc, { "a", "b", "c" },
         { { 1, 2 }, { 1, 2 }, { 1, 2 } }, { average = "macro" })
      refuses("average must be 'macro' or 'weighted' for multi_class = 'ovo', got 'micro'", m.roc_auc, truth, proba,
         { multi_class = "ovo", average = "micro" })
      refuses("^metrics.log_loss: probabilities must be from 0 to 1, got 1.2 in row 2$", m.log_loss, { 0, 1 }, { 0.2,
         1.2 })
      refuses("probabilities must be from 0 to 1, got 1.5 in row 1, column 1", m.brier, { 0, 1 },
         { { 1.5, -0.5 }, { 0, 1 } })
      refuses("rows of probabilities must add up to 1, got 0.9 in row 1", m.log_loss, { 0, 1 }, { { 0.5, 0.4 }, { 0.5,
         0.5 } })
      refuses("probabilities must be finite, got nan in row 1, column 1", m.log_loss, { 0, 1 }, { { nan, 1 }, { 0,
         1 } })
      refuses("scores must be numbers, got nan in row 2", m.roc_auc, { 0, 1 }, { 1, nan })
      refuses("y must contain only the labels 'a', 'b', got 'c'", m.log_loss, truth, proba, { labels = { "a", "b" } })
      refuses("y and scores must have the same length, got 2 and 3", m.roc_auc, { 0, 1 }, { 1, 2, 3 })
      refuses("max_fpr must be a number from", m.roc_auc, { 0, 1 }, { 1, 2 }, { max_fpr = 0 })
      assert.equal(1.0, m.roc_auc({ 0, 1 }, { -math.huge, math.huge }))
   end)

   it("print a line for each value of an interval or test", function()
      local interval = tostring(m.roc_interval({ 0, 1, 0, 1, 1 }, { 1, 2, 3, 4, 5 }))
      assert.matches("^auc        0.833333\nlow        %S+\nhigh       1\nstd_error  %S+\nlevel      0.95$", interval)
      assert.matches("^p_value            1\n", tostring(m.mcnemar({ 1, 0, 1 }, { 1, 1, 1 }, { 0, 0, 1 })))
   end)

   it("refuse swapped arguments in a short message", function()
      local labels, fractions, wholes = {}, {}, {}
      for i = 1, 200 do labels[i], fractions[i], wholes[i] = i % 2, i / 201, i end
      refuses("^metrics.roc_auc: y must be class labels, got 200 different numbers such as 0.00%d+; "
         .. "the arguments are y, scores$", m.roc_auc, fractions, labels)
      refuses("y has 200 classes, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... %(190 more%);", m.roc_auc, wholes, labels)
   end)
end)
