-- colsample_bytree, _bylevel and _bynode: each draws a fraction of the features drawn by the one before, as in XGBoost.
local ml = require "manilius"
local support = require "spec.support"
local data = support.data

-- The same feature 16 times: ties go to the lowest index, so a split uses the first feature that was drawn.
local COPIES = 16
local x = ml.random(120, nil, 1)
local X, y = ml.Matrix(120, COPIES), {}
for i = 1, 120 do
   for j = 1, COPIES do X:set(i, j, x[i]) end
   y[i] = math.sin(9 * x[i])
end

local function settings(more)
   local out = { min_samples_leaf = 1, max_leaf_nodes = 12, learning_rate = 0.01, max_iter = 40, seed = 1 }
   for name, value in pairs(more) do out[name] = value end
   return out
end

-- The features split by in each tree, by depth from 0.
local function columns_by_depth(model)
   local nodes, trees, depth = model:trees().nodes, {}, {}
   for _, row in nodes:each() do
      local tree = trees[row.tree] or {}
      trees[row.tree] = tree
      if row.node == 1 then depth = { 0 } end
      if row.left > 0 then
         local d = depth[row.node]
         depth[row.left], depth[row.right] = d + 1, d + 1
         tree[d] = tree[d] or {}
         table.insert(tree[d], row.feature)
      end
   end
   return trees
end

-- Probability that feature f is the first of `drawn` features out of 16: C(16 - f, drawn - 1) / C(16, drawn).
local function choose(n, k)
   local product = 1
   for i = 1, k do product = product * (n - k + i) / i end
   return product
end

local function firsts_are_of(roots, drawn)
   local chi, cells, counts = 0, 0, {}
   for _, f in ipairs(roots) do counts[f] = (counts[f] or 0) + 1 end
   for f = 1, COPIES do
      local wanted = #roots * choose(COPIES - f, drawn - 1) / choose(COPIES, drawn)
      if f > COPIES - drawn + 1 then
         assert.is_nil(counts[f], ("column %d cannot be the first of %d"):format(f, drawn))
      elseif wanted > 4 then
         chi, cells = chi + ((counts[f] or 0) - wanted) ^ 2 / wanted, cells + 1
      end
   end
   assert(chi < cells + 4 * math.sqrt(2 * cells), ("chi-square %.1f of %d"):format(chi, cells))
end

describe("colsample", function()
   it("bylevel draws the same features for all splits of a depth, and new ones for each depth and tree", function()
      for _, grow in ipairs { "leaf", "depth" } do
         local model = ml.HistGradientBoostingRegressor(settings { colsample_bylevel = 0.25, grow = grow }):fit(X, y)
         local depths_differ, trees_differ, shared, last = 0, 0, 0, nil
         for _, tree in ipairs(columns_by_depth(model)) do
            for d = 0, #tree do
               for _, feature in ipairs(tree[d]) do assert.equal(tree[d][1], feature) end
               shared = shared + #tree[d] - 1
               depths_differ = depths_differ + (d > 0 and tree[d][1] ~= tree[d - 1][1] and 1 or 0)
            end
            trees_differ = trees_differ + (last and tree[0][1] ~= last and 1 or 0)
            last = tree[0][1]
         end
         assert(shared > 100 and depths_differ > 40 and trees_differ > 20, grow)
      end
   end)

   it("bynode draws for each split", function()
      local differ = 0
      for _, tree in ipairs(columns_by_depth(ml.HistGradientBoostingRegressor(
         settings { colsample_bynode = 0.25 }):fit(X, y))) do
         for d = 0, #tree do
            for _, feature in ipairs(tree[d]) do differ = differ + (feature ~= tree[d][1] and 1 or 0) end
         end
      end
      assert(differ > 50)
   end)

   it("fractions multiply: of 16 features a tree has 8, a depth 4, a split 2", function()
      local shares = { { "colsample_bytree", 8 }, { "colsample_bylevel", 4 }, { "colsample_bynode", 2 } }
      local given = settings { max_iter = 1500, max_leaf_nodes = 6 }
      for _, share in ipairs(shares) do
         given[share[1]] = 0.5
         local roots, second = {}, {}
         for t, tree in ipairs(columns_by_depth(ml.HistGradientBoostingRegressor(given):fit(X, y))) do
            roots[t], second[t] = tree[0][1], tree[1] and tree[1][1] or nil
         end
         assert.equal(1500, #roots)
         firsts_are_of(roots, share[2])
         firsts_are_of(second, share[2])
      end
   end)

   it("bylevel and bynode draw from the features of the tree", function()
      local given = settings { colsample_bytree = 0.125, colsample_bylevel = 0.5, colsample_bynode = 0.5 }
      local both = 0
      for _, tree in ipairs(columns_by_depth(ml.HistGradientBoostingRegressor(given):fit(X, y))) do
         local used, n = {}, 0
         for d = 0, #tree do
            for _, feature in ipairs(tree[d]) do
               n, used[feature] = n + (used[feature] and 0 or 1), true
            end
         end
         assert(n <= 2, n .. " columns are used")
         assert(#tree >= 3, "a tree has no columns to split by")
         both = both + (n == 2 and 1 or 0)
      end
      assert(both > 30)
   end)

   it("of 1 has no effect, and no result depends on the number of threads", function()
      local D, progression = data("diabetes", "progression")
      local one = { colsample_bylevel = 1, colsample_bynode = 1, colsample_bytree = 1, max_iter = 20 }
      local plain = ml.HistGradientBoostingRegressor { max_iter = 20 }:fit(D, progression)
      assert.equal(plain:dump(), ml.HistGradientBoostingRegressor(one):fit(D, progression):dump())
      local F, species = data("iris", "species")
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingClassifier { colsample_bylevel = 0.5, colsample_bynode = 0.5, max_iter = 10 }
            :fit(F, species)
      end)
      local queries, grades = { 60, 60 }, {}
      for i = 1, 120 do grades[i] = y[i] > 0 and 1 or 0 end
      local ranker = ml.HistGradientBoostingRanker(settings { colsample_bylevel = 0.25, max_iter = 5 })
      ranker:fit(X, grades, { lengths = queries })
      for _, tree in ipairs(columns_by_depth(ranker)) do
         for d = 0, #tree do
            for _, feature in ipairs(tree[d]) do assert.equal(tree[d][1], feature) end
         end
      end
   end)

   it("predicts real data about as well with 70% of the features at each depth and split", function()
      for _, case in ipairs { { "HistGradientBoostingRegressor", "diabetes", "progression" },
         { "HistGradientBoostingRegressor", "quakes", "mag" },
         { "HistGradientBoostingClassifier", "breast_cancer", "diagnosis" } } do
         local D, target = data(case[2], case[3])
         local function score(more)
            local sum = 0
            for seed = 1, 3 do
               more.seed, more.max_iter, more.max_leaf_nodes = seed, 100, 8
               local cv = case[1]:find "Classifier" and ml.StratifiedKFold { k = 5, shuffle = true, seed = seed }
                  or ml.KFold { k = 5, shuffle = true, seed = seed }
               local judged = ml.cross_validate(ml[case[1]](more), D, target, { cv = cv })
               sum = sum + select(2, next(judged.mean)) / 3
            end
            return sum
         end
         local all, drawn = score {}, score { colsample_bylevel = 0.7, colsample_bynode = 0.7 }
         assert(drawn > all - 0.01, ("%s: %.4f with all columns, %.4f with some"):format(case[2], all, drawn))
      end
   end)
end)
