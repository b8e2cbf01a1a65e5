local ml = require "manilius"
local common = require "spec.metrics.common"
local oracle = dofile "spec/fixtures/metrics/metrics.lua"
local support = require "spec.support"

local m = ml.metrics
local near, refuses = common.near, support.refuses
local nan = 0 / 0

describe("metrics of ranked lists", function()
   local data, wanted = oracle.rankings.data, oracle.rankings.values
   local relevance, score = data.relevance, data.score

   it("agree with scikit-learn", function()
      for tag, weights in pairs { [""] = false, _w = data.weights } do
         local w = weights or nil
         for _, name in ipairs { "dcg", "ndcg" } do
            near(wanted[name .. tag], m[name](relevance, score, { weights = w }), name)
            near(wanted[name .. "_3" .. tag], m[name](relevance, score, { weights = w, k = 3 }), name .. " 3")
         end
         near(wanted["ndcg_exponential" .. tag], m.ndcg(relevance, score, { weights = w, gain = "exponential" }), "exp")
         near(wanted["map" .. tag], m.map(relevance, score, { weights = w }), "map")
      end
      near(wanted.lrap, m.map(ml.Matrix(relevance):slice(1, 3), ml.Matrix(score):slice(1, 3)), "lrap")
   end)

   it("accept queries as rows, as lists, and by lengths", function()
      local ragged, scores = { { 1, 0, 2 }, { 0, 1 }, { 3 } }, { { 3, 2, 1 }, { 1, 2 }, { 5 } }
      local long, long_scores = { 1, 0, 2, 0, 1, 3 }, { 3, 2, 1, 1, 2, 5 }
      for _, name in ipairs { "dcg", "ndcg", "map", "reciprocal_rank" } do
         near(m[name](ragged, scores), m[name](long, long_scores, { lengths = { 3, 2, 1 } }), name)
         near(m[name](relevance, score), m[name](ml.Matrix(relevance), ml.Matrix(score)), name)
      end
      near(1 + 0 + 2 / 2, m.dcg({ 1, 0, 2 }, { 3, 2, 1 }), "one query")
      near({ 1, 1, 1 }, m.reciprocal_rank(ragged, scores, { average = "none" }), "each")
   end)

   it("agree with values computed by hand", function()
      local r, s = { 0, 1, 0, 1, 0 }, { 5, 4, 3, 2, 1 }
      near(1 / 2, m.reciprocal_rank(r, s), "reciprocal")
      near((1 / 2 + 2 / 4) / 2, m.map(r, s), "map")
      near(1 / 3, m.precision_at_k(r, s, { k = 3 }), "precision")
      near(1 / 2, m.recall_at_k(r, s, { k = 3 }), "recall")
      near(2 / 10, m.precision_at_k(r, s, { k = 10 }), "beyond the end")
   end)

   it("do not depend on the order of equal scores", function()
      local tied = { 1, 1, 1, 1 }
      for _, r in ipairs { { 1, 0, 0, 0 }, { 0, 0, 0, 1 }, { 0, 1, 0, 0 } } do
         near(1 / 4, m.precision_at_k(r, tied, { k = 2 }), "precision")
         near(1 / 2, m.recall_at_k(r, tied, { k = 2 }), "recall")
         near(1 / 4, m.reciprocal_rank(r, tied), "reciprocal")
         near(1 / 4, m.map(r, tied), "map")
      end
      near(1, m.ndcg({ 1, 0 }, { 7, 7 }, { ties = "first" }), "first")
      near((1 + 1 / math.log(3, 2)) / 2, m.ndcg({ 1, 0 }, { 7, 7 }), "mean")
   end)

   it("use the requested value for queries without relevant items", function()
      local r, s = { { 1, 0 }, { 0, 0 } }, { { 2, 1 }, { 2, 1 } }
      for _, name in ipairs { "ndcg", "map", "reciprocal_rank" } do
         near(0.5, m[name](r, s), name)
         near(1, m[name](r, s, { empty = 1 }), name)
         near(1, m[name](r, s, { empty = nan }), name)
      end
      assert.equal(0.25, m.precision_at_k(r, s, { k = 2 }))
   end)

   it("refuse invalid arguments", function()
      refuses("ndcg: relevance must be >= 0, got %-1", m.ndcg, { -1, 2 }, { 1, 2 })
      refuses("k must be given", m.precision_at_k, { 1 }, { 1 })
      refuses("k must be a whole number >= 1, got 0", m.recall_at_k, { 1 }, { 1 }, { k = 0 })
      refuses("relevance and scores must have the same length, got 2 and 3", m.ndcg, { 1, 2 }, { 1, 2, 3 })
      refuses("as many items as relevance, 2 at query 1, got 1", m.ndcg, { { 1, 2 }, { 1 } }, { { 1 }, { 1, 2 } })
      refuses("lengths must add up to the number of items, 3, got 2", m.ndcg, { 1, 2, 3 }, { 1, 2, 3 },
         { lengths = { 2 } })
      refuses("lengths must be whole numbers >= 1", m.ndcg, { 1, 2, 3 }, { 1, 2, 3 }, { lengths = { 2, 5 } })
      refuses("query 2 must have at least one item", m.ndcg, { { 1 }, {} }, { { 1 }, {} })
      refuses("scores must be numbers, got nan in row 1", m.ndcg, { 1 }, { nan })
   end)
end)

describe("multilabel metrics", function()
   local data, wanted = oracle.tags.data, oracle.tags.values

   it("agree with scikit-learn", function()
      for tag, weights in pairs { [""] = false, _w = data.weights } do
         local w = weights or nil
         near(wanted["accuracy" .. tag], m.accuracy(data.y, data.predicted, { weights = w }), "accuracy")
         near(wanted["hamming" .. tag], m.hamming(ml.Matrix(data.y), data.predicted, { weights = w }), "hamming")
         for _, average in ipairs { "macro", "micro", "weighted", "none" } do
            for _, name in ipairs { "f1", "jaccard" } do
               near(wanted[("%s_%s%s"):format(name, average, tag)], m[name](data.y, data.predicted,
                  { weights = w, average = average }), name .. average)
            end
         end
      end
   end)

   it("require 0 and 1, and the same number of columns", function()
      refuses("give average = 'macro'", m.f1, data.y, data.predicted)
      refuses("y must be one column of labels, or a matrix of 0 and 1",
         m.f1, { { 1, 2 }, { 0, 1 } }, { { 1, 0 }, { 0, 1 } }, { average = "macro" })
      refuses("the same number of columns %(tags%), got 2 and 3",
         m.accuracy, { { 1, 0 }, { 0, 1 } }, { { 1, 0, 0 }, { 0, 1, 1 } })
   end)

   it("rank tags, and average over rows, like scikit-learn", function()
      local f = require "spec.fixtures.compose.wrappers"
      local y, predicted, score = f.metrics_y, f.metrics_predicted, f.metrics_score
      for tag, values in pairs { [false] = f.metrics_plain, [true] = f.metrics_weighted } do
         local w = tag and f.metrics_weights or nil
         near(values.coverage_error, m.coverage_error(y, score, { weights = w }), "coverage")
         near(values.lrap, m.label_ranking_average_precision(y, score, { weights = w }), "precision")
         near(values.ranking_loss, m.label_ranking_loss(y, score, { weights = w }), "loss")
         for name, zero in pairs { jaccard = 0, f1 = 0, precision = 1 } do
            near(values[name .. "_samples"], m[name](y, predicted, { weights = w, average = "samples",
               zero_division = zero }), name)
         end
      end
      refuses("average = 'samples' is only for several tags", m.f1, { 1, 0 }, { 1, 1 }, { average = "samples" })
      refuses("same number of columns %(tags%), got 2 and 3", m.coverage_error, { { 1, 0 } }, { { 1, 2, 3 } })
   end)

   it("compare several columns of labels, too", function()
      local y = ml.Frame { { "a", { "x", "y", "z", "x" } }, { "b", { 1, 2, 2, 5 } } }
      local predicted = ml.Frame { { "a", { "x", "y", "x", "x" } }, { "b", { 1, 1, 2, 5 } } }
      near(0.5, m.accuracy(y, predicted), "accuracy")
      near(0.25, m.hamming(y, predicted), "hamming")
      near(3 / 8, m.accuracy(y, predicted, { weights = { 1, 3, 2, 2 } }), "weighted accuracy")
      near(5 / 16, m.hamming(y, predicted, { weights = { 1, 3, 2, 2 } }), "weighted hamming")
      near(0.5, m.accuracy({ { 1, 2 }, { 3, 4 } }, { { 1, 2 }, { 3, 5 } }), "numbers")
      refuses("y and predicted must have the same number of columns, got 2 and 3", m.hamming, y,
         ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 1, 2, 3, 4 } }, { "c", { 1, 2, 3, 4 } } })
   end)
end)
