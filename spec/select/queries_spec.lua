-- Cross-validation and searches of ranking models: queries are not split, and fits and scores receive their lengths.
local ml = require "manilius"
local reference = require "spec.fixtures.boosting.ranking"
local support = require "spec.support"

local X, y, lengths = ml.Matrix(reference.X), ml.Vector(reference.y), reference.lengths
local n = #reference.y

local function ranker(more)
   local settings = { max_iter = 15, max_leaf_nodes = 7, min_samples_leaf = 5 }
   for name, value in pairs(more or {}) do settings[name] = value end
   return ml.HistGradientBoostingRanker(settings)
end

-- The query of each row, and the first row of each query.
local query, first = {}, {}
for q, length in ipairs(lengths) do
   first[q] = #query + 1
   for _ = 1, length do query[#query + 1] = q end
end

--- NDCG of the queries with the given numbers, by a model fitted to all others.
local function by_hand(tested, k)
   local test, train = { rows = {}, lengths = {} }, { rows = {}, lengths = {} }
   for q, length in ipairs(lengths) do
      local part = tested[q] and test or train
      part.lengths[#part.lengths + 1] = length
      for i = first[q], first[q] + length - 1 do part.rows[#part.rows + 1] = i end
   end
   local at, rest = ml.Vector(test.rows), ml.Vector(train.rows)
   local model = ranker():fit(X:take(rest), y:take(rest), { lengths = train.lengths })
   return model:score(X:take(at), y:take(at), { lengths = test.lengths, k = k })
end

describe("queries in cross_validate", function()
   local ways = ml.GroupKFold { k = 4, seed = 3 }

   it("are not split, and NDCG is the default score", function()
      local cv = ml.cross_validate(ranker(), X, y, { cv = ways, lengths = lengths, scoring = { "ndcg", "ndcg_5" } })
      for f, split in ipairs(ways:split(n, nil, query)) do
         local tested = {}
         for i = 1, #split.test do tested[query[split.test[i]]] = true end
         assert.equal(by_hand(tested), cv.scores.ndcg[f])
         assert.equal(by_hand(tested, 5), cv.scores.ndcg_5[f])
      end
      local plain = ml.cross_validate(ranker(), X, y, { cv = 4, lengths = lengths })
      assert.same({ "ndcg" }, plain.metrics)
      assert.same(plain.scores.ndcg:totable(), ml.cross_validate(ranker(), X, y, { cv = 4, groups = query })
         .scores.ndcg:totable())
   end)

   it("have weights, by query or by row", function()
      local weights, of_rows = {}, {}
      for q in ipairs(lengths) do weights[q] = 0.5 + q % 3 end
      for i = 1, n do of_rows[i] = weights[query[i]] end
      local function scores(w)
         return ml.cross_validate(ranker(), X, y, { cv = ways, lengths = lengths, weights = w }).scores.ndcg:totable()
      end
      assert.same(scores(weights), scores(of_rows))
      assert.not_same(scores(nil), scores(weights))
   end)

   it("are passed to the last step of a pipeline, scoring functions and out-of-fold predictions", function()
      local seen = {}
      local cv = ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, ranker() }, X, y, { cv = ways, lengths = lengths,
         scoring = function(truth, predicted, options)
            local sum = 0
            for i = 1, #options.lengths do sum = sum + options.lengths[i] end
            seen[#seen + 1] = #options.lengths
            assert.equal(#truth, sum)
            return ml.metrics.ndcg(truth, predicted, { lengths = options.lengths, gain = "exponential", empty = 0 / 0 })
         end })
      assert.same({ 15, 15, 15, 15 }, seen)
      assert.near(ml.cross_validate(ranker(), X, y, { cv = ways, lengths = lengths }).mean.ndcg, cv.mean.score, 0.02)
      local p = ml.cross_val_predict(ranker(), X, y, { cv = ways, lengths = lengths })
      local split = ways:split(n, nil, query)[2]
      local whole = ml.metrics.ndcg(y, p, { lengths = lengths, gain = "exponential", empty = 0 / 0 })
      assert(#p == n and #split.test > 0 and whole > 0.7, whole)
   end)

   it("are supported by searches", function()
      local search = ml.GridSearch { ranker(), { max_leaf_nodes = { 2, 7 } }, cv = ways }
      search:fit(X, y, { lengths = lengths })
      assert.equal("ndcg", search.judge)
      assert.equal(7, search.best_params.max_leaf_nodes)
      local best = ranker { max_leaf_nodes = 7 }:fit(X, y, { lengths = lengths })
      assert.same(best:predict(X):totable(), search:predict(X):totable())
      assert.equal(best:score(X, y, { lengths = lengths }), search:score(X, y, { lengths = lengths }))
      local cv = ml.cross_validate(ranker(), X, y, { cv = ways, lengths = lengths })
      assert.near(cv.mean.ndcg, search.best_score, 1e-15)
   end)

   it("are refused if they are split or inconsistent", function()
      local function refuses(pattern, options, model)
         support.refuses(pattern, function() ml.cross_validate(model or ranker(), X, y, options) end)
      end
      refuses("cv: the train rows of split 1 must contain all rows of a query or none, got a part of query 1", {
         lengths = lengths, cv = { { train = ml.range(4, n), test = { 1, 2, 3 } } } })
      refuses("lengths must add up to the number of rows of X, %d+, got 12", { lengths = { 5, 7 } })
      refuses("lengths must be whole numbers >= 1, got 0 at position 1", { lengths = { 0, n } })
      refuses("Ridge does not support the option 'lengths'", { lengths = lengths }, ml.Ridge {})
      local mixed = {}
      for i = 1, n do mixed[i] = i % 7 end
      refuses("rows of a query must be adjacent, but those of group 1 are not", { groups = mixed })
      support.refuses("learning_curve: does not support queries",
         function() ml.learning_curve(ranker(), X, y, { groups = query }) end)
      support.refuses("HalvingGridSearch: does not support queries", function()
         ml.HalvingGridSearch { ranker(), { max_leaf_nodes = { 2, 7 } } }:fit(X, y, { lengths = lengths })
      end)
   end)
end)
