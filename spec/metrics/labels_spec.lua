local ml = require "manilius"
local common = require "spec.metrics.common"
local oracle = dofile "spec/fixtures/metrics/metrics.lua"
local support = require "spec.support"

local m = ml.metrics
local near, refuses = common.near, support.refuses
local nan = 0 / 0

describe("metrics of labels", function()
   local data, wanted = oracle.labels.data, oracle.labels.values
   local truth, guess = data.truth, data.predicted or data.guess

   for tag, weights in pairs { [""] = false, _w = data.weights } do
      local options = common.options_with(weights or nil)

      it("agree with scikit-learn" .. tag, function()
         for _, name in ipairs { "accuracy", "balanced_accuracy", "hamming", "mcc" } do
            near(wanted[name .. tag], m[name](truth, guess, options()), name)
         end
         near(wanted["balanced_adjusted" .. tag], m.balanced_accuracy(truth, guess, options { adjusted = true }), "adj")
         for _, how in ipairs { "none", "linear", "quadratic" } do
            near(wanted["kappa_" .. how .. tag], m.kappa(truth, guess, options { disagreement = how }), "kappa " .. how)
         end
         for _, average in ipairs { "macro", "micro", "weighted", "none" } do
            for zero, value in pairs { ["0"] = 0, ["1"] = 1, nan = nan } do
               for _, name in ipairs { "precision", "recall", "f1" } do
                  local key = ("%s_%s_%s%s"):format(name, average, zero, tag)
                  near(wanted[key], m[name](truth, guess, options { average = average, zero_division = value }), key)
               end
            end
            near(wanted["f2_" .. average .. tag], m.fbeta(truth, guess, options { average = average, beta = 2 }), "f2")
            near(wanted["jaccard_" .. average .. tag], m.jaccard(truth, guess, options { average = average }),
               "jaccard")
         end
         near(wanted["f1_of_b_c" .. tag], m.f1(truth, guess, options { labels = { "b", "c" }, average = "micro" }),
            "bc")
         near(wanted["f1_of_b" .. tag], m.f1(truth, guess, options { positive = "b" }), "b")
         near(wanted["specificity" .. tag], m.specificity(truth, guess, options { average = "none" }), "specificity")
      end)

      it("count confusions as scikit-learn" .. tag, function()
         local c = m.confusion_matrix(truth, guess, options())
         assert.same({ "a", "b", "c", "d" }, c.labels)
         near(wanted["confusion" .. tag], c.counts, "confusion")
         near(wanted["confusion_c_a" .. tag], m.confusion_matrix(truth, guess, options { labels = { "c",
            "a" } }).counts,
            "c a")
         for _, by in ipairs { "true", "pred", "all" } do
            near(wanted["confusion_" .. by .. tag], c:normalized(by), by)
            near(wanted["confusion_" .. by .. tag], m.confusion_matrix(truth, guess,
               options { normalize = by }).counts, by)
         end
      end)
   end

   it("accept labels of any kind in any container", function()
      local y, p = { 1, 2, 2, 1 }, { 1, 2, 1, 1 }
      local kinds = {
         function(t) return t end, ml.Vector, ml.Factor,
         function(t) return ml.Vector(t) * 1.0 end,
         function(t) return ml.Matrix { t }:t() end,
         function(t) return { { t[1] }, { t[2] }, { t[3] }, { t[4] } } end,
         function(t) return ml.Frame { { "y", t } } end,
         function(t) return ml.Vector { t[1] + 0.0, t[2] + 0.0, t[3] + 0.0, t[4] + 0.0 } end,
      }
      for i, one in ipairs(kinds) do
         for j, other in ipairs(kinds) do
            assert.equal(0.75, m.accuracy(one(y), other(p)), i .. " " .. j)
            assert.near(2 / 3, m.f1(one(y), other(p)), 1e-15)
         end
      end
      assert.equal(0.5, m.accuracy({ true, false }, { true, true }))
      assert.equal(1.0, m.accuracy({ "ja", "nein" }, ml.Factor { "ja", "nein", levels = { "ja", "nein",
         "vielleicht" } }))
   end)

   it("accept numbers of any magnitude as labels", function()
      for _, far in ipairs { 0, 1e3, -7, 1e6, 0.5, 1e15 } do
         local y, p = ml.Vector { 3, 1, 2, 2 }, ml.Vector { 3, 1, 2, 1 }
         if far ~= 0 then y, p = y:eq(3):where(far, y), p:eq(3):where(far, p) end
         assert.equal(0.75, m.accuracy(y, p))
         assert.same(m.confusion_matrix(y:totable(), p:totable()).labels, m.confusion_matrix(y, p).labels)
         assert.equal(m.f1(y:totable(), p:totable(), { average = "macro" }), m.f1(y, p, { average = "macro" }))
      end
   end)

   it("do not change when labels are renamed, rows are reordered, or weights are replaced by repeats", function()
      local rng = ml.permutation(#truth, 3)
      local names, whole = { a = "z", b = "y", c = "x", d = "w" }, {}
      local t2, g2, w2, t3, g3 = {}, {}, {}, {}, {}
      for i = 1, #truth do
         whole[i] = i % 4
         t2[i], g2[i], w2[i] = names[truth[rng[i]]], names[guess[rng[i]]], rng[i] % 4
         for _ = 1, whole[i] do
            t3[#t3 + 1], g3[#g3 + 1] = truth[i], guess[i]
         end
      end
      for _, name in ipairs { "accuracy", "balanced_accuracy", "mcc", "kappa", "hamming", "precision", "recall", "f1",
         "jaccard", "specificity", "fpr" } do
         local average = m.help[name].options.average and "macro" or nil
         local value = m[name](truth, guess, { weights = whole, average = average })
         near(value, m[name](t2, g2, { weights = w2, average = average }), name .. " moved")
         near(value, m[name](t3, g3, { average = average }), name .. " repeated")
      end
   end)

   it("score the second of two classes, or the one that is named", function()
      local y, p = { "no", "yes", "yes", "no", "yes" }, { "no", "yes", "no", "yes", "yes" }
      assert.near(2 / 3, m.precision(y, p), 1e-15)
      assert.near(1 / 2, m.precision(y, p, { positive = "no" }), 1e-15)
      assert.near(1 / 2, m.fpr(y, p), 1e-15)
      assert.near(1 / 2, m.specificity(y, p), 1e-15)
      assert.equal(0.0, m.recall({ "no" }, { "no" }, { labels = { "no", "yes" } }))
      assert.equal(1.0, m.recall({ "no" }, { "no" }, { labels = { "no", "yes" }, zero_division = 1 }))
      refuses("^metrics.f1: y and predicted have 3 classes, 1, 2, 3; give average = 'macro', 'micro', 'weighted' or",
         m.f1, { 1, 2, 3 }, { 1, 2, 3 })
      refuses("only the label 'no' occurs; give positive", m.f1, { "no" }, { "no" })
      refuses("positive must be one of the labels 1, 2, got 3", m.f1, { 1, 2 }, { 1, 2 }, { positive = 3 })
      refuses("give either positive or average", m.f1, { 1, 2 }, { 1, 2 }, { positive = 2, average = "macro" })
   end)

   it("name the function, what was expected and what came", function()
      refuses("^metrics.accuracy: y and predicted must have the same length, got 3 and 4$", m.accuracy, { 1, 2, 3 },
         { 1, 2, 3, 4 })
      refuses("^metrics.accuracy: y must have at least one row, got none$", m.accuracy, {}, {})
      refuses("^metrics.accuracy: y must be a Factor, a Vector or a list of labels, got nil$", m.accuracy)
      refuses("^metrics.accuracy: predicted must have a label in every row, got none in row 2$", m.accuracy, { 1, 2 },
         ml.Vector { 1, nan })
      refuses("^metrics.accuracy: y must be one column of labels like predicted, got several$", m.accuracy,
         ml.eye(2), { 1, 2 })
      refuses("^metrics.accuracy: y and predicted must have labels of the same type, got text and numbers$", m.accuracy,
         { "1" }, { 1 })
      refuses("there is no option 'weigths'; did you mean 'weights'%?", m.accuracy, { 1 }, { 1 }, { weigths = { 1 } })
      refuses("options must be a table, got number", m.accuracy, { 1 }, { 1 }, 3)
      refuses("weights must have one value per row, 2, got 1", m.accuracy, { 1, 2 }, { 1, 2 },
         { weights = { 1 } })
      refuses("weights must be >= 0, got %-1 in row 2", m.accuracy, { 1, 2 }, { 1, 2 }, { weights = { 1, -1 } })
      refuses("weights must not all be 0", m.accuracy, { 1, 2 }, { 1, 2 }, { weights = { 0, 0 } })
      refuses("weights must be finite, got nan in row 1", m.accuracy, { 1, 2 }, { 1, 2 }, { weights = { nan, 1 } })
      refuses("average must be one of macro, micro, .*, none, got 'makro'; did you mean 'macro'%?", m.f1, { 1 },
         { 1 },
         { average = "makro" })
      refuses("zero_division must be 0, 1 or nan, got 2", m.f1, { 1 }, { 1 }, { zero_division = 2 })
      refuses("beta must be given", m.fbeta, { 1, 2 }, { 1, 2 })
      refuses("labels must be distinct, got 1.0 twice", m.f1, { 1 }, { 1 }, { labels = { 1, 1.0 } })
      refuses("metrics.kappa: kappa is undefined if y and predicted have only one and the same label",
         m.kappa, { 1, 1 }, { 1, 1 })
      refuses("metrics has no 'acuracy'; did you mean 'accuracy'%?$", function() return m.acuracy end)
      local chunk = assert(load("local m = ...\n\nm.accuracy({}, {})", "=here"))
      refuses("^here:3: metrics.accuracy: y must", chunk, m)
   end)

   it("print a confusion matrix with its labels", function()
      local c = m.confusion_matrix({ "cat", "dog", "dog" }, { "cat", "cat", "dog" })
      assert.equal("true \\ predicted  cat  dog\ncat                 1    0\ndog                 1    1", tostring(c))
      assert.equal(1, c:get("dog", "cat"))
      refuses("label must be one of 'cat', 'dog', got 'cow'", c.get, c, "cow", "cat")
      refuses("by must be 'true', 'pred' or 'all', got 'row'", c.normalized, c, "row")
      local wide = {}
      for i = 1, 30 do wide[i] = ("a long label number %d"):format(i) end
      for line in tostring(m.confusion_matrix(wide, wide)):gmatch "[^\n]+" do assert.is_true(#line <= 80) end
   end)

   it("report all classes in a table of at most 80 columns", function()
      local r = m.report(truth, guess)
      near(wanted.accuracy, r.accuracy, "accuracy")
      near(wanted.f1_macro_0, r.macro.f1, "macro")
      near(wanted.precision_weighted_0, r.weighted.precision, "weighted")
      near(wanted.recall_none_0[2], r.classes.b.recall, "b")
      assert.equal(60, r.support)
      assert.matches("macro mean", tostring(r))
      assert.matches("accuracy 0.%d+, 95%% interval 0.%d+ to 0.%d+ %(Wilson%), 60 rows", tostring(r))
      for line in tostring(r):gmatch "[^\n]+" do assert.is_true(#line <= 80) end
      local interval = m.error_interval(truth, guess)
      near(1 - interval.high, r.low, "low")
      near(1 - interval.low, r.high, "high")
      local f = r:frame()
      assert.same({ "label", "precision", "recall", "f1", "support" }, f.names)
      local part = m.report(truth, guess, { labels = { "b", "c" } })
      assert.is_nil(part.accuracy)
      near(wanted.f1_of_b_c, part.micro.f1, "micro")
      assert.matches("micro mean", tostring(part))
   end)

   it("agrees with scikit-learn on iris", function()
      local X, y = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.GaussianNB {}:fit(X, y)
      local predicted = model:predict(X)
      assert.near(0.96, m.accuracy(y, predicted), 1e-12)
      assert.near(0.94, m.kappa(y, predicted), 1e-12)
      assert.same({ 50, 50, 50 }, (function()
         local c, out = m.confusion_matrix(y, predicted), {}
         for i = 1, 3 do out[i] = c.counts:row(i):sum() end
         return out
      end)())
      assert.is_true(m.roc_auc(y, model:predict_proba(X), { average = "macro" }) > 0.98)
      assert.is_true(m.log_loss(y, model:predict_proba(X)) < 0.2)
   end)
end)

describe("inference from error rates", function()
   local wanted = oracle.scores.values

   it("gives confidence intervals of the error rate", function()
      local w = wanted.wilson
      local i = m.error_interval(w.errors, w.n, { level = w.level })
      near(w.bounds, { i.low, i.high }, "wilson")
      local normal = m.error_interval(12, 40, { method = "normal" })
      near(0.3, normal.error, "error")
      near(0.3 - 1.9599639845400545 * math.sqrt(0.3 * 0.7 / 40), normal.low, "normal")
      local none = m.error_interval({ 1, 1, 1 }, { 1, 1, 1 })
      assert.equal(0, none.low)
      assert.is_true(none.high > 0.5 and none.high < 0.6)
      near(none.high, m.error_interval({ 1, 2 }, { 1, 2 }, { weights = { 1, 2 } }).high, "weights")
      refuses("0 <= errors <= rows", m.error_interval, 3, 2)
   end)

   local function rows_of(first, second, both)
      local y, a, b = {}, {}, {}
      for i = 1, first + second + both do
         y[i], a[i], b[i] = 1, i <= first and 2 or 1, i > first and i <= first + second and 2 or 1
      end
      return y, a, b
   end

   it("compares two classifiers by McNemar's test", function()
      local e, c = wanted.mcnemar_exact, wanted.mcnemar_chi2
      local y, a, b = rows_of(e.first, e.second, 5)
      local test = m.mcnemar(y, a, b)
      assert.is_true(test.exact)
      near(e.p, test.p_value, "exact")
      assert.equal(3, test.only_first_wrong)
      y, a, b = rows_of(c.first, c.second, 9)
      test = m.mcnemar(y, a, b)
      assert.is_false(test.exact)
      near(c.p, test.p_value, "chi2")
      near((31 - 13) ^ 2 / 44, m.mcnemar(y, a, b, { correction = false }).statistic, "plain")
      assert.equal(1, m.mcnemar({ 1 }, { 1 }, { 1 }).p_value)
      refuses("y and second must have the same length, got 1 and 2", m.mcnemar, { 1 }, { 1 }, { 1, 2 })
      refuses("exact requires whole weights", m.mcnemar, { 1 }, { 2 }, { 1 }, { weights = { 0.5 }, exact = true })
   end)
end)
