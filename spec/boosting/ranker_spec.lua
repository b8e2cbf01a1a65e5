-- LambdaMART. Queries and NDCG of other libraries: spec/fixtures/boosting/ranking.py. Lambdas are recomputed by
-- swapping rows.
local ml = require "manilius"
local common = require "spec.boosting.common"
local reference = require "spec.fixtures.boosting.ranking"
local support = require "spec.support"

local with = common.with
local peers = { max_iter = 60, max_leaf_nodes = 15, min_samples_leaf = 5, l2_regularization = 1 }

local function fit(settings)
   return ml.HistGradientBoostingRanker(settings):fit(reference.X, reference.y, { lengths = reference.lengths })
end

-- NDCG@k of rows in this order; nil for a query whose rows are all equal.
local function ndcg(y, order, k)
   local function sum(list)
      local all = 0
      for r = 1, math.min(k, #list) do all = all + (2 ^ list[r] - 1) / math.log(r + 1, 2) end
      return all
   end
   local sorted, given = table.move(y, 1, #y, 1, {}), {}
   table.sort(sorted, function(a, b) return a > b end)
   for r, i in ipairs(order) do given[r] = y[i] end
   return sum(given) / sum(sorted)
end

-- Gradient and Hessian of each row of a query by the definition: each pair is swapped.
local function lambdas(y, score, k, norm)
   local order, place, g, h, total = {}, {}, {}, {}, 0
   for i = 1, #y do order[i], g[i], h[i] = i, 0, 0 end
   table.sort(order, function(a, b) return score[a] > score[b] or score[a] == score[b] and a < b end)
   for r, i in ipairs(order) do place[i] = r end
   for i = 1, #y do
      for j = 1, #y do
         if y[i] > y[j] then
            local swapped, apart = table.move(order, 1, #order, 1, {}), score[i] - score[j]
            swapped[place[i]], swapped[place[j]] = j, i
            local change = math.abs(ndcg(y, order, k) - ndcg(y, swapped, k))
            if norm and score[order[1]] > score[order[#order]] then change = change / (0.01 + math.abs(apart)) end
            local p = 1 / (1 + math.exp(apart))
            g[i], g[j] = g[i] - p * change, g[j] + p * change
            h[i], h[j] = h[i] + 2 * p * (1 - p) * change, h[j] + 2 * p * (1 - p) * change
            total = total + 2 * p * change
         end
      end
   end
   local scale = norm and total > 0 and math.log(1 + total, 2) / total or 1
   for i = 1, #y do g[i], h[i] = g[i] * scale, h[i] * scale end
   return g, h
end

-- With one leaf per row, the leaf values are -g / h of each row in each round.
local function follows_lambdas(class, settings)
   local y, X = { 0, 3, 1, 1, 2, 0, 4 }, {}
   for i = 1, #y do X[i] = { i } end
   for _, k in ipairs { 2, 4, 100 } do
      for _, norm in ipairs { true, false } do
         local model = ml[class](with(settings, { learning_rate = 1, lambdarank_norm = norm,
            lambdarank_truncation_level = k })):fit(X, y)
         local stages, score = model:staged(X), {}
         for i = 1, #y do score[i] = 0 end
         for round = 1, 3 do
            local g, h = lambdas(y, score, k, norm)
            local seen = {}
            for i = 1, #y do
               local added = ("%.10f"):format(stages:get(i, round) - score[i])
               seen[added] = seen[added] or { g = 0, h = 0 }
               seen[added].g, seen[added].h = seen[added].g + g[i], seen[added].h + h[i]
               score[i] = stages:get(i, round)
            end
            local leaves = 0
            for added, leaf in pairs(seen) do -- rows of one leaf share its value
               local step = math.max(-10, math.min(10, -leaf.g / leaf.h))
               support.near(step, tonumber(added), 1e-6, ("k %d, round %d"):format(k, round), 1e-3)
               leaves = leaves + 1
            end
            assert(leaves >= (k == 100 and 4 or 2), leaves)
         end
      end
   end
end

-- One stump, whose leaves are computed by hand.
local function scales_by_weight(class, settings)
   local X, y, weights = { { 1 }, { 2 }, { 3 }, { 4 } }, { 0, 2, 1, 3 }, { 1, 0.5, 3, 2 }
   local g, h = lambdas(y, { 0, 0, 0, 0 }, 10, false)
   local model = ml[class](with(settings, { learning_rate = 1, max_leaf_nodes = 2, lambdarank_norm = false }))
      :fit(X, y, { weights = weights })
   local leaves, score = {}, model:predict(X)
   for i = 1, 4 do
      local leaf = leaves[score[i]] or { g = 0, h = 0 }
      leaves[score[i]] = leaf
      leaf.g, leaf.h = leaf.g + weights[i] * g[i], leaf.h + weights[i] * h[i]
   end
   local count = 0
   for value, leaf in pairs(leaves) do
      support.near(-leaf.g / leaf.h, value, 1e-9)
      count = count + 1
   end
   assert.equal(2, count)
end

describe("HistGradientBoostingRanker", function()
   it("orders rows as well as XGBoost and LightGBM do", function()
      local given = { lengths = reference.lengths_test, k = 10 }
      local model = fit(peers)
      local ours = model:score(reference.X_test, reference.y_test, given)
      for _, peer in ipairs { "xgboost", "lightgbm" } do
         assert(ours > reference[peer] - 0.005, ("%s %.4f, ours %.4f"):format(peer, reference[peer], ours))
      end
      assert(ours > reference.first_column + 0.04)
      local same = with(given, { gain = "exponential", empty = 0 / 0 })
      assert.equal(ml.metrics.ndcg(reference.y_test, model:predict(reference.X_test), same), ours)
   end)

   it("reports 1 - NDCG", function()
      local short = fit(with(peers, { lambdarank_truncation_level = 3, max_iter = 5 }))
      local given = { lengths = reference.lengths, k = 3, gain = "exponential", ties = "first", empty = 0 / 0 }
      support.near(1 - ml.metrics.ndcg(reference.y, short:predict(reference.X), given), short.objective, 1e-12)
   end)

   it("follows the lambdas of their definition", function()
      follows_lambdas("HistGradientBoostingRanker", { max_iter = 3, min_samples_leaf = 1 })
   end)

   it("has Shapley values that sum to the score", function()
      local model = fit(with(peers, { max_iter = 20 }))
      local told, score = model:shap(reference.X_test), model:predict(reference.X_test)
      for i = 1, #reference.y_test, 11 do
         support.near(score[i], told.base[1] + told.values[i]:sum(), 1e-10, "row " .. i, 1)
      end
      assert(told.values:abs():max() > 0.1)
   end)

   it("does not depend on the order of the queries", function()
      local X, y, lengths, last = {}, {}, {}, #reference.y
      for q = #reference.lengths, 1, -1 do
         local n = reference.lengths[q]
         for i = last - n + 1, last do X[#X + 1], y[#y + 1] = reference.X[i], reference.y[i] end
         lengths[#lengths + 1], last = n, last - n
      end
      local other = ml.HistGradientBoostingRanker(with(peers, { max_iter = 10 })):fit(X, y, { lengths = lengths })
      assert.same(fit(with(peers, { max_iter = 10 })):predict(reference.X_test):totable(),
         other:predict(reference.X_test):totable())
   end)

   it("supports early stopping by query, subsampling, dart, warm_start and threads", function()
      local settings = with(peers, { early_stopping = "yes", validation_fraction = 0.25, n_iter_no_change = 5,
         booster = "dart", subsample = 0.8, max_iter = 300 })
      local model = fit(settings)
      assert(model.converged and model.n_iter < 100 and #model.validation_trace == model.n_iter)
      -- The NDCG of a partial query would show here: the loss is a mean over 15 queries.
      assert(model.validation_trace[1] > 0 and model.validation_trace[1] < 0.4)
      local warm = fit(with(settings, { max_iter = 4, warm_start = true }))
      warm:set_params { max_iter = 300 }
      local again = warm:fit(reference.X, reference.y, { lengths = reference.lengths })
      assert.same(model:predict(reference.X):totable(), again:predict(reference.X):totable())
      support.same_for_any_threads(function() return fit(with(peers, { max_iter = 8 })) end)
   end)

   it("learns nothing if all rows are equal, and refuses invalid input", function()
      local X = ml.normal(12, 2, 1)
      local same, given = {}, { lengths = { 5, 7 } }
      for i = 1, 12 do same[i] = 2 end
      local model = ml.HistGradientBoostingRanker { min_samples_leaf = 1 }:fit(X, same, given)
      assert.equal(0, model.objective)
      assert.equal(1, model.n_iter)
      assert.equal(0, model:predict(X):abs():max())
      local function refuses(pattern, y, options)
         support.refuses(pattern, function() ml.HistGradientBoostingRanker {}:fit(X, y, options) end)
      end
      same[4] = -1
      refuses("y must be >= 0, got %-1 in row 4", same, given)
      same[4] = 1
      refuses("lengths must add up to the number of rows of X, 12, got 11", same, { lengths = { 5, 6 } })
      refuses("weights must have as many rows as X, 12, got 3", same, { lengths = { 5, 7 }, weights = { 1, 2, 3 } })
      refuses("weights must be finite and >= 0, got %-1 in query 2", same, { lengths = { 5, 7 }, weights = { 1, -1 } })
      support.refuses("score has no option 'weigths'; there are k, lengths, weights",
         function() model:score(X, same, { weigths = same }) end)
      support.refuses("weights must have one value per query, 2, or per row, 12, got 3",
         function() model:score(X, same, { lengths = { 5, 7 }, weights = { 1, 2, 3 } }) end)
   end)

   it("treats a query of weight k as k copies", function()
      local first, some = {}, { X = {}, y = {}, lengths = {} }
      local weights, of_rows, row = {}, {}, 0
      for q, n in ipairs(reference.lengths) do
         weights[q], first[q] = q % 4, row
         for _ = 1, n do of_rows[#of_rows + 1] = q % 4 end
         row = row + n
      end
      for copy = 1, 3 do -- the order of the queries does not matter
         for q, n in ipairs(reference.lengths) do
            if weights[q] >= copy then
               some.lengths[#some.lengths + 1] = n
               for i = first[q] + 1, first[q] + n do
                  some.X[#some.X + 1], some.y[#some.y + 1] = reference.X[i], reference.y[i]
               end
            end
         end
      end
      -- Bin edges depend on the weights of rows, too; these small integers have few values, so each has its own bin.
      local settings = with(peers, { max_iter = 12 })
      local one = ml.HistGradientBoostingRanker(settings):fit(reference.X, reference.y,
         { lengths = reference.lengths, weights = weights })
      local rows = ml.HistGradientBoostingRanker(settings):fit(reference.X, reference.y,
         { lengths = reference.lengths, weights = of_rows })
      local copied = ml.HistGradientBoostingRanker(settings):fit(some.X, some.y, { lengths = some.lengths })
      assert.equal(one:dump(), rows:dump())
      support.near_all(copied:predict(reference.X_test):totable(), one:predict(reference.X_test):totable(), 1e-9,
         "scores", 1)
      support.near(copied.objective, one.objective, 1e-12)
      local given = { lengths = reference.lengths, k = 5 }
      local wanted = copied:score(some.X, some.y, { lengths = some.lengths, k = 5 })
      for _, w in ipairs { weights, of_rows } do
         given.weights = w
         support.near(wanted, one:score(reference.X, reference.y, given), 1e-12)
      end
   end)

   it("scales lambda and Hessian of a row by its weight, as LightGBM does", function()
      scales_by_weight("HistGradientBoostingRanker", { max_iter = 1, min_samples_leaf = 0 })
   end)

   it("accepts queries of svmlight files, and large relevance values", function()
      local X, y, lengths = ml.parse_svmlight "2 qid:1 1:2\n0 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 1:0\n0 qid:2 1:1\n"
      local settings = { min_samples_leaf = 1, max_iter = 20 }
      local model = ml.HistGradientBoostingRanker(settings):fit(X:todense(), y, { lengths = lengths })
      assert.equal(1, model:score(X:todense(), y, { lengths = lengths }))
      local large = ml.HistGradientBoostingRanker(settings):fit({ { 1 }, { 2 }, { 3 } }, { 0, 2000, 1999 })
      local p = large:predict { { 1 }, { 2 }, { 3 } }
      assert(p[2] > p[3] and p[3] > p[1])
   end)
end)

describe("GradientBoostingRanker", function()
   local settings = { n_estimators = 60, max_depth = 4, min_samples_leaf = 5 }
   local lengths = { lengths = reference.lengths }

   local function exact(more)
      return ml.GradientBoostingRanker(with(settings, more)):fit(reference.X, reference.y, lengths)
   end

   it("orders rows as well as XGBoost and LightGBM do", function()
      local model, given = exact(), { lengths = reference.lengths_test, k = 10 }
      local ours = model:score(reference.X_test, reference.y_test, given)
      for _, peer in ipairs { "xgboost", "lightgbm" } do
         assert(ours > reference[peer] - 0.005, ("%s %.4f, ours %.4f"):format(peer, reference[peer], ours))
      end
      local all = with(lengths, { gain = "exponential", ties = "first", empty = 0 / 0 })
      support.near(1 - ml.metrics.ndcg(reference.y, model:predict(reference.X), all), model.objective, 1e-12)
      support.near(model.objective, model.train_score[60], 1e-12)
      local told, score = model:shap(reference.X_test), model:predict(reference.X_test)
      for i = 1, #reference.y_test, 11 do
         support.near(score[i], told.base[1] + told.values[i]:sum(), 1e-10, "row " .. i, 1)
      end
   end)

   it("follows the lambdas of their definition, with weights", function()
      follows_lambdas("GradientBoostingRanker", { n_estimators = 3, max_depth = 10 })
      scales_by_weight("GradientBoostingRanker", { n_estimators = 1 })
   end)

   -- The losses of drawn and other rows add up to that of all queries only if no query is split.
   it("draws and holds out whole queries", function()
      local X, y, sizes, last = {}, {}, {}, 0
      for _, n in ipairs(reference.lengths) do -- queries in which the order matters; the others have no loss
         local alike = true
         for i = last + 2, last + n do alike = alike and reference.y[i] == reference.y[last + 1] end
         for i = last + 1, alike and last or last + n do X[#X + 1], y[#y + 1] = reference.X[i], reference.y[i] end
         if not alike then sizes[#sizes + 1] = n end
         last = last + n
      end
      local model = ml.GradientBoostingRanker { subsample = 0.5, n_estimators = 1, learning_rate = 0.4 }
         :fit(X, y, { lengths = sizes })
      local queries, drawn = #sizes, #sizes // 2
      local mean = (drawn * model.train_score[1] + (queries - drawn) * model.oob_scores[1]) / queries
      support.near(model.objective, mean, 1e-12)
      local stops = { n_estimators = 300, n_iter_no_change = 5, validation_fraction = 0.25, subsample = 0.8 }
      local stopped = exact(stops)
      assert(stopped.converged and stopped.n_iter < 200 and #stopped.validation_trace == stopped.n_iter)
      assert(stopped.validation_trace[1] > 0 and stopped.validation_trace[1] < 0.4)
      local warm = exact(with(stops, { n_estimators = 4, warm_start = true })):set_params { n_estimators = 300 }
      assert.same(stopped:predict(reference.X):totable(),
         warm:fit(reference.X, reference.y, lengths):predict(reference.X):totable())
   end)

   it("does not depend on the number of threads, and treats weights as copies", function()
      support.same_for_any_threads(function() return exact { n_estimators = 8 } end)
      local twice, weights = { X = {}, y = {}, lengths = {} }, {}
      local last = 0
      for q, n in ipairs(reference.lengths) do
         weights[q] = q % 3
         for _ = 1, weights[q] do
            twice.lengths[#twice.lengths + 1] = n
            for i = last + 1, last + n do
               twice.X[#twice.X + 1], twice.y[#twice.y + 1] = reference.X[i], reference.y[i]
            end
         end
         last = last + n
      end
      local few = { n_estimators = 10, max_depth = 3 }
      local one = ml.GradientBoostingRanker(few):fit(reference.X, reference.y,
         { lengths = reference.lengths, weights = weights })
      local copied = ml.GradientBoostingRanker(few):fit(twice.X, twice.y, { lengths = twice.lengths })
      support.near_all(copied:predict(reference.X_test):totable(), one:predict(reference.X_test):totable(), 1e-9,
         "scores", 1)
      support.near(copied.objective, one.objective, 1e-12)
   end)

   it("learns nothing if all rows are equal, and refuses invalid input", function()
      local X, same = ml.normal(12, 2, 1), {}
      for i = 1, 12 do same[i] = 2 end
      local model = ml.GradientBoostingRanker {}:fit(X, same, { lengths = { 5, 7 } })
      assert.equal(0, model.objective)
      assert.equal(1, model.n_iter)
      assert.equal(0, model:predict(X):abs():max())
      same[4] = -1
      support.refuses("GradientBoostingRanker: y must be >= 0, got %-1 in row 4",
         function() ml.GradientBoostingRanker {}:fit(X, same) end)
   end)
end)
