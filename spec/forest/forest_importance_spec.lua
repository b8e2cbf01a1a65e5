-- Out-of-bag permutation importance, compared with R's ranger and with all permutations of few rows.
local ml = require "manilius"
local faults = require "spec.conformance.faults"
local support = require "spec.support"
local fixture = require "spec.fixtures.forest.forest_importance"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data
local nan = 0 / 0

-- Call `use` with each permutation of list.
local function each_order(list, use, n)
   n = n or #list
   if n <= 1 then return use(list) end
   for i = 1, n do
      list[n], list[i] = list[i], list[n]
      each_order(list, use, n - 1)
      list[n], list[i] = list[i], list[n]
   end
end

-- The out-of-bag rows of a forest of one tree.
local function undrawn(forest)
   local out, said = {}, forest.oob_prediction
   for i = 1, said.rows do
      if said:get(i, 1) == said:get(i, 1) then out[#out + 1] = i end
   end
   return out
end

local function loss(said, wanted, i, at)
   if type(wanted[1]) == "string" then return said[at] == wanted[i] and 0 or 1 end
   if type(wanted[1]) == "number" then return (said[at] - wanted[i]) ^ 2 end
   local sum = 0
   for c = 1, #wanted[i] do sum = sum + (said:get(at, c) - wanted[i][c]) ^ 2 / #wanted[i] end
   return sum
end

local function mean_loss(said, y, weights, rows)
   local sum, all = 0, 0
   for at, i in ipairs(rows) do
      sum, all = sum + weights[i] * loss(said, y, i, at), all + weights[i]
   end
   return sum / all
end

-- The importance of a tree for each permutation of the values of a column among these rows.
local function all_shuffles(tree, X, y, weights, rows, name)
   local given, values, shuffled = X:take(rows), {}, {}
   local before = mean_loss(tree:predict(given), y, weights, rows)
   for at, i in ipairs(rows) do values[at] = i end
   each_order(values, function(order)
      local other = given:drop(name):hcat(X:take(order):select(name)):select(table.unpack(given.names))
      shuffled[#shuffled + 1] = mean_loss(tree:predict(other), y, weights, rows) - before
   end)
   return shuffled
end

local function spread(values)
   local mean, square = 0, 0
   for _, value in ipairs(values) do mean = mean + value / #values end
   for _, value in ipairs(values) do square = square + (value - mean) ^ 2 / #values end
   return mean, square
end

-- One tree of few rows, many seeds: each importance is that of one permutation, and all permutations are equally
-- frequent.
local function is_a_shuffle(class, X, y, weights, settings)
   local off, tried = 0, 0
   for seed = 1, 150 do
      local all = { n_estimators = 1, bootstrap = true, oob = true, oob_importance = true, seed = seed }
      for name, value in pairs(settings or {}) do all[name] = value end
      local tree = ml[class](all):fit(X, y, { weights = weights })
      local rows = undrawn(tree)
      for j, name in ipairs(#rows > 0 and #rows <= 5 and X.names or {}) do
         local got, nearest = tree.permutation_importances[j], math.huge
         local orders = all_shuffles(tree, X, y, weights, rows, name)
         local mean, square = spread(orders)
         for _, value in ipairs(orders) do nearest = math.min(nearest, math.abs(value - got)) end
         local scale = math.max(1, math.abs(mean), math.sqrt(square))
         assert(nearest <= 1e-9 * scale, ("%s: %s: %.17g is none of %d orders, seed %d"):format(class, name, got,
            #orders, seed))
         if square > 1e-12 * scale ^ 2 then
            off, tried = off + (got - mean) / math.sqrt(square), tried + 1
         end
      end
   end
   assert(tried > 60, "only " .. tried .. " could be tried")
   local z = off / math.sqrt(tried)
   assert(math.abs(z) < 3, ("%s: the mean of the shuffles is off by %.2f standard errors"):format(class, z))
end

local function ones(n)
   local out = {}
   for i = 1, n do out[i] = 1 end
   return out
end

describe("out-of-bag permutation importance", function()
   for _, wanted in ipairs(fixture) do
      it(("agrees with ranger: %s, %s"):format(wanted.class, wanted.file), function()
         local X, y = data(wanted.file, wanted.target)
         local mean, se, inside = ml.Vector(X.cols), ml.Vector(X.cols), 0
         for seed = 1, 4 do
            local forest = ml[wanted.class] { n_estimators = 500, max_features = wanted.max_features,
               oob_importance = true, seed = seed }:fit(X, y)
            mean, se = mean + forest.permutation_importances / 4, se + forest.permutation_se / 4
         end
         for j = 1, X.cols do
            local low, high, error = wanted.low[j], wanted.high[j], wanted.se[j]
            inside = inside + (mean[j] >= low and mean[j] <= high and 1 or 0)
            -- The mean of four seeds, whose standard error is half of that of one seed, is within the range of ten.
            assert(mean[j] >= low - error and mean[j] <= high + error,
               ("column %d: %g is not from %g to %g"):format(j, mean[j], low, high))
            near(error, se[j], 0.35, "standard error of column " .. j)
         end
         assert(inside >= X.cols - 1, ("%d of %d columns are in the band"):format(inside, X.cols))
      end)
   end

   local flowers, species = data("iris", "species")
   local some = {}
   for i = 5, 150, 13 do some[#some + 1] = i end
   local F, labels = flowers:take(some), {}
   for at, i in ipairs(some) do labels[at] = tostring(species[i]) end

   it("permutes the rows uniformly, for labels", function()
      is_a_shuffle("RandomForestClassifier", F, labels, ones(#some))
      is_a_shuffle("ExtraTreesClassifier", F, labels, ones(#some), { max_depth = 2 })
   end)

   it("permutes the rows uniformly, for numbers, missing values, factors, weights and several targets", function()
      local kind = ml.Factor { "a", "b", "c", "a", "b", "c", "b", "b", "a", "c", "a", "b" }
      local size = { 1, nan, 3, 4, nan, 2, 7, 1, nan, 5, 6, 2 }
      local X = ml.Frame { { "kind", kind }, { "size", size }, { "same", ones(12) }, { "x", ml.random(12, nil, 1) } }
      local y, pair, weights = {}, {}, {}
      for i = 1, 12 do
         y[i] = (kind[i] == "b" and 5 or 0) + (size[i] == size[i] and size[i] or -3)
         pair[i] = { y[i], i % 5 }
         weights[i] = 0.5 + i % 3
      end
      is_a_shuffle("RandomForestRegressor", X, y, ones(12))
      is_a_shuffle("RandomForestRegressor", X, y, weights, { max_depth = 3, max_features = 2 })
      is_a_shuffle("ExtraTreesRegressor", X, pair, weights)
      local forest = ml.RandomForestRegressor { oob_importance = true, n_estimators = 30 }:fit(X, y)
      assert.equal(0, forest.permutation_importances[3])
      assert.equal(0, forest.permutation_se[3])
      assert.is_true(forest.permutation_importances[1] > 0)
   end)

   -- The random stream of a tree depends on its index, so smaller forests give the importances of single trees.
   it("is the mean over the trees, with its standard error", function()
      local X, y = data("diabetes", "progression")
      local own, sum = {}, ml.Vector(X.cols)
      for trees = 1, 7 do
         local forest = ml.RandomForestRegressor { oob_importance = true, n_estimators = trees, seed = 2 }:fit(X, y)
         local total = forest.permutation_importances * trees
         own[trees], sum = total - sum, total
         if trees == 1 then assert.is_true(forest.permutation_se[1] ~= forest.permutation_se[1]) end
         for j = 1, trees > 1 and X.cols or 0 do
            local square = 0
            for _, tree in ipairs(own) do square = square + (tree[j] - sum[j] / trees) ^ 2 end
            near(math.sqrt(square / (trees - 1) / trees), forest.permutation_se[j], 1e-9, "standard error")
         end
      end
   end)

   it("does not depend on the number of threads, on sparse or dense X, or on other options", function()
      local X, y = data("diabetes", "progression")
      local settings = { oob_importance = true, n_estimators = 20, seed = 3 }
      support.same_for_any_threads(function() return ml.RandomForestRegressor(settings):fit(X, y) end)
      local plain = X:matrix()
      local sparse = ml.Sparse.from(plain:mul(plain:gt(20)))
      local few, dense = ml.RandomForestRegressor(settings):fit(sparse, y),
         ml.RandomForestRegressor(settings):fit(sparse:todense(), y)
      assert.equal(dense:dump(), few:dump())
      settings.oob, settings.quantiles = true, true
      local more = ml.RandomForestRegressor(settings):fit(sparse, y)
      assert.equal(few.permutation_importances, more.permutation_importances)
      assert.equal(few.permutation_se, more.permutation_se)
      assert.equal(0, #ml.RandomForestRegressor { n_estimators = 2 }:fit(X, y).permutation_importances)
   end)

   it("is saved, requires bootstrap, and leaks no memory", function()
      local forest = ml.ExtraTreesClassifier { oob_importance = true, bootstrap = true, n_estimators = 5 }
      forest:fit(F, labels)
      assert.equal(forest.permutation_importances, ml.load(forest:dump()).permutation_importances)
      near_all(forest.permutation_se, ml.load(forest:dump()).permutation_se, 0)
      refuses("ExtraTreesClassifier: oob_importance requires bootstrap = true, got false",
         function() ml.ExtraTreesClassifier { oob_importance = true }:fit(F, labels) end)
      local none = ml.RandomForestRegressor { oob_importance = true, n_estimators = 3 }:fit({ { 1 } }, { 1 })
      assert.is_true(none.permutation_importances[1] ~= none.permutation_importances[1]) -- all trees drew the row
      faults.in_turn("fit", function()
         ml.RandomForestClassifier { oob_importance = true, n_estimators = 3 }:fit(F, labels)
      end)
   end)

   it("does not favor features with many values, as the impurity decrease does", function()
      local X, y = data("breast_cancer", "diagnosis")
      local noisy = X:hcat(ml.Frame { { "noise", ml.normal(X.rows, nil, 1) } })
      local forest = ml.RandomForestClassifier { oob_importance = true, n_estimators = 200 }:fit(noisy, y)
      local at = noisy.cols
      assert.is_true(forest.feature_importances[at] > 0.002)
      assert.is_true(math.abs(forest.permutation_importances[at]) < 3 * forest.permutation_se[at])
   end)
end)
