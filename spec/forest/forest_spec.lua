local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.tree.trees"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data

local function parts(X, y)
   local train, test = {}, {}
   for i = 1, X.rows do table.insert(i % 3 == 0 and test or train, i) end
   return X:take(train), y:take(train), X:take(test), y:take(test)
end

describe("forests", function()
   it("need little more memory than the model, and do not depend on the order in which trees finish", function()
      local memory = require "manilius.core".memory
      local X, y, models = ml.normal(20000, 5, 1), {}, {}
      for i = 1, X.rows do y[i] = i * 7919 % 3 end
      y = ml.Factor(y)
      for i, threads in ipairs { 1, 8 } do
         memory.threads(threads)
         collectgarbage()
         collectgarbage()
         local before = memory.live()
         memory.peak(true)
         models[i] = ml.ExtraTreesClassifier { n_estimators = 40 }:fit(X, y)
         local model, most = memory.live() - before, memory.peak() - before
         -- 1.4 with one thread, for a model of 28 MB; the workspace of each further thread adds 5 MB. A
         -- copy of each tree would make it 2.
         if threads == 1 then assert.is_true(most < 1.7 * model, most / model) end
      end
      memory.threads(0)
      assert.equal(models[1]:dump(), models[2]:dump())
   end)

   for _, wanted in ipairs(fixture.forests) do
      local name, target, class, low, high = table.unpack(wanted)
      it(("score like those of scikit-learn: %s, %s"):format(class, name), function()
         local X, y, test, answers = parts(data(name, target))
         local sum = 0
         for seed = 1, 4 do sum = sum + ml[class] { seed = seed }:fit(X, y):score(test, answers) end
         -- The mean of four seeds is within the range of ten, which may be a single row wide.
         local slack = 1.5 / test.rows
         assert(sum / 4 >= low - slack and sum / 4 <= high + slack,
            ("%.4f is not from %.4f to %.4f"):format(sum / 4, low, high))
      end)
   end

   it("do not depend on the number of threads", function()
      local X, y = data("diabetes", "progression")
      support.same_for_any_threads(function()
         return ml.RandomForestRegressor { n_estimators = 12, oob = true, quantiles = true, seed = 3 }:fit(X, y)
      end)
      support.same_for_any_threads(function() return ml.ExtraTreesRegressor { n_estimators = 12 }:fit(X, y) end)
      local D, digits = data("digits", "digit")
      support.same_for_any_threads(function()
         return ml.RandomForestClassifier { n_estimators = 7, oob = true, max_depth = 5, seed = 3 }:fit(D, digits)
      end)
   end)

   it("without randomness equal a decision tree", function()
      local X, y = data("breast_cancer", "diagnosis")
      local forest = ml.RandomForestClassifier { n_estimators = 3, bootstrap = false, max_features = X.cols }:fit(X, y)
      local tree = ml.DecisionTreeClassifier {}:fit(X, y)
      near_all(tree:predict_proba(X):col(1), forest:predict_proba(X):col(1), 1e-12, "p", 1)
      near_all(tree.feature_importances, forest.feature_importances, 1e-9, "importance", 1)
      near_all(ml.zeros(1, X.cols)[1], forest.importances_std, 1e-9, "spread", 1)
   end)

   it("have an out-of-bag score close to the test score", function()
      local X, y = data("digits", "digit")
      local train, labels, test, answers = parts(X, y)
      local forest = ml.RandomForestClassifier { oob = true, seed = 2 }:fit(train, labels)
      near(forest:score(test, answers), forest.oob_score, 0.02, "oob_score")
      assert.equal(train.rows, forest.oob_prediction.rows)
      refuses("RandomForestClassifier: oob requires bootstrap = true, got false",
         function() ml.RandomForestClassifier { oob = true, bootstrap = false }:fit(train, labels) end)
   end)

   it("refuse max_samples without bootstrap", function()
      for name, settings in pairs {
         RandomForestRegressor = { bootstrap = false }, RandomForestClassifier = { bootstrap = false },
         ExtraTreesRegressor = {}, ExtraTreesClassifier = {},
      } do
         local X, y = { { 1 }, { 2 }, { 3 }, { 4 } }, { 1, 2, 1, 2 }
         settings.max_samples, settings.n_estimators = 0.5, 2
         refuses(name .. ": max_samples requires bootstrap = true, got false",
            function() ml[name](settings):fit(X, y) end)
         settings.bootstrap = true
         ml[name](settings):fit(X, y)
      end
   end)

   -- The random stream of a tree depends on its index, so the first trees form a smaller forest.
   local function error_of(forest, y, weights)
      local sum, all, said = 0, 0, forest.oob_prediction
      for i = 1, said.rows do
         local row, w = said:row(i), weights and weights[i] or 1
         if row[1] == row[1] then
            local miss
            if said.cols > 1 then
               miss = tostring(forest.classes[row:argmax()]) ~= tostring(y[i]) and 1 or 0
            else
               miss = (row[1] - y[i]) ^ 2
            end
            sum, all = sum + w * miss, all + w
         end
      end
      return sum / all
   end

   it("report the out-of-bag error after each tree, equal to that of a smaller forest", function()
      local weights = {}
      for i = 1, 442 do weights[i] = 1 + i % 3 end
      for class, given in pairs { RandomForestClassifier = { "iris", "species" },
         ExtraTreesRegressor = { "diabetes", "progression" } } do
         local X, y = data(given[1], given[2])
         local function fit(trees, options)
            return ml[class] { n_estimators = trees, bootstrap = true, oob = true, seed = 5, max_depth = 3 }
               :fit(X, y, options)
         end
         for _, options in ipairs { {}, { weights = ml.Vector(weights):slice(1, X.rows) } } do
            local all = fit(12, options)
            assert.equal(12, #all.oob_errors)
            for _, trees in ipairs { 1, 2, 5, 12 } do
               local few = fit(trees, options)
               near(error_of(few, y, options.weights), all.oob_errors[trees], 1e-12, class .. trees)
               assert.equal(few.oob_errors[trees], all.oob_errors[trees])
            end
            if all.oob_prediction.cols > 1 then near(1 - all.oob_score, all.oob_errors[12], 1e-12) end
         end
      end
   end)

   it("have no out-of-bag errors without oob, and nan while every row was drawn", function()
      assert.equal(0, #ml.RandomForestRegressor { n_estimators = 2 }:fit({ { 1 }, { 2 } }, { 1, 2 }).oob_errors)
      local one = ml.RandomForestRegressor { n_estimators = 3, oob = true }:fit({ { 1 } }, { 1 })
      for k = 1, 3 do assert(one.oob_errors[k] ~= one.oob_errors[k]) end
      local two = ml.RandomForestRegressor { n_estimators = 40, oob = true }:fit({ { 1 }, { 2 } }, { 1, 2 })
      assert.equal(1, two.oob_errors[40]) -- each row by trees that knew only the other
   end)

   it("compute proximities", function()
      local X, y = data("iris", "species")
      local near_by = ml.RandomForestClassifier { n_estimators = 60 }:fit(X, y):proximity(X)
      local same, other = 0, 0
      for i = 1, 150 do
         assert.equal(1, near_by:get(i, i))
         for j = 1, 150 do
            assert.equal(near_by:get(i, j), near_by:get(j, i))
            local value, together = near_by:get(i, j), (i - 1) // 50 == (j - 1) // 50
            same, other = same + (together and value or 0), other + (together and 0 or value)
         end
      end
      assert(same > 10 * other, "classes are not apart")
   end)

   it("predict quantiles from the rows that share leaves", function()
      local x, noise = ml.normal(2000, 1, 1), ml.normal(2000, nil, 2)
      local y = x:col(1) * 3 + noise
      local forest = ml.RandomForestRegressor { quantiles = true, min_samples_leaf = 40 }:fit(x, y)
      local q = forest:predict_quantiles({ { 0 }, { 1 } }, { levels = { 0.1, 0.5, 0.9 } })
      for i, center in ipairs { 0, 3 } do
         near(center, q:get(i, 2), 0.35, "median", 1)
         near(center - 1.28, q:get(i, 1), 0.45, "tenth", 1)
         near(center + 1.28, q:get(i, 3), 0.45, "ninetieth", 1)
      end
      -- One tree with one leaf: the quantiles of y itself.
      local stump = ml.RandomForestRegressor { quantiles = true, n_estimators = 1, max_depth = 0 }
      stump:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 10, 20, 30, 40 })
      assert.same({ { 10, 20, 40 } }, stump:predict_quantiles({ { 0 } }, { levels = { 0.25, 0.5, 1 } }):totable())
      refuses("predict_quantiles requires a model fitted with quantiles = true", function()
         ml.RandomForestRegressor { n_estimators = 2 }:fit(x, y):predict_quantiles(x)
      end)
   end)

   it("compute proximities consistent with apply", function()
      local X, y = data("diabetes", "progression")
      local forest = ml.ExtraTreesRegressor { n_estimators = 15, min_samples_leaf = 4, seed = 1 }:fit(X, y)
      local some = X:slice(1, 40)
      local leaves, near_by = forest:apply(some), forest:proximity(some)
      for i = 1, 40 do
         for j = 1, 40 do
            local same = 0
            for t = 1, 15 do same = same + (leaves:get(i, t) == leaves:get(j, t) and 1 or 0) end
            assert.near(same / 15, near_by:get(i, j), 1e-15)
         end
      end
   end)

   -- Meinshausen, JMLR 7 (2006), section 3: w_i(x) is the mean over the trees of 1 / (rows in the leaf of x) if
   -- row i is there; the quantile is the smallest y whose cumulative weight reaches the level.
   local function quantile_by_hand(leaves, at, y, weights, level)
      local share, order, trees = {}, {}, leaves.cols
      for i = 1, leaves.rows do share[i], order[i] = 0, i end
      for t = 1, trees do
         local sum = 0
         for i = 1, leaves.rows do sum = sum + (leaves:get(i, t) == at[t] and weights[i] or 0) end
         for i = 1, leaves.rows do
            if leaves:get(i, t) == at[t] then share[i] = share[i] + weights[i] / sum / trees end
         end
      end
      table.sort(order, function(a, b) return y[a] < y[b] end)
      local sum = 0
      for _, i in ipairs(order) do
         sum = sum + share[i]
         if sum >= level - 1e-12 then return y[i] end
      end
   end

   it("predict quantiles by their definition, with sample weights", function()
      local X, y = data("diabetes", "progression")
      local levels, ones, weights, some = { 0.05, 0.3, 0.5, 0.95 }, {}, {}, X:slice(1, 442)
      for i = 1, 442 do ones[i], weights[i] = 1, 1 + i * 7 % 3 end
      for _, case in ipairs { { "RandomForestRegressor", ones }, { "ExtraTreesRegressor", weights } } do
         local forest = ml[case[1]] { n_estimators = 7, min_samples_leaf = 5, quantiles = true, seed = 3 }
         forest:fit(X, y, case[2] == weights and { weights = weights } or nil)
         local leaves, q = forest:apply(some), forest:predict_quantiles(X, { levels = levels })
         for i = 1, 442, 60 do
            for k, level in ipairs(levels) do
               assert.equal(quantile_by_hand(leaves, leaves:row(i), y, case[2], level), q:get(i, k))
            end
         end
         assert.equal(q, ml.load(forest:dump()):predict_quantiles(X, { levels = levels }))
      end
      local rows, often = {}, {}
      for i = 1, 442 do
         for _ = 1, weights[i] do rows[#rows + 1] = i end
         often[i] = weights[i]
      end
      local settings = { n_estimators = 1, max_depth = 0, quantiles = true }
      local weighed = ml.ExtraTreesRegressor(settings):fit(X, y, { weights = often })
      local repeated = ml.ExtraTreesRegressor(settings):fit(X:take(rows), y:take(rows))
      assert.equal(repeated:predict_quantiles(X), weighed:predict_quantiles(X))
   end)

   it("accept a bootstrap sample of one class", function()
      local labels = { "rare" }
      for i = 2, 60 do labels[i] = "common" end
      local X = ml.normal(60, 2, 4)
      local forest = ml.RandomForestClassifier { n_estimators = 30 }:fit(X, labels)
      assert.equal("common", forest:predict(X:slice(30, 30))[1])
   end)

   it("draw rows in proportion to their weights", function()
      local X, y, weights = ml.normal(300, 1, 1), {}, {}
      for i = 1, 300 do
         y[i], weights[i] = i % 2 == 0 and 1 or 3, i % 2 == 0 and 3 or 1
      end
      local stumps = ml.RandomForestRegressor { n_estimators = 400, max_depth = 0 }:fit(X, y, { weights = weights })
      near(1.5, stumps:predict({ { 0 } })[1], 0.01)
   end)
end)

describe("shap", function()
   it("sums to the probabilities of a forest, for each row and class", function()
      local X, y = support.data("iris", "species")
      local forest = ml.RandomForestClassifier { n_estimators = 20, seed = 1 }:fit(X, y)
      local given, p = forest:shap(X), forest:predict_proba(X)
      for i = 1, X.rows, 7 do
         for c = 1, 3 do
            local sum = given.base[c]
            for j = 1, 4 do sum = sum + given.values:get(i, (c - 1) * 4 + j) end
            support.near(p:get(i, c), sum, 1e-10, "row", 1)
         end
      end
   end)

   -- For y of 0 and 1 the Gini impurity is twice the variance: the same tree, whose values are those of class 2.
   it("of two classes equals that of the regression on their indicator", function()
      local X, y = support.data("breast_cancer", "diagnosis")
      local code = {}
      for i = 1, X.rows do code[i] = y[i] == y.levels[2] and 1 or 0 end
      local settings = { max_depth = 4 }
      local labels = ml.DecisionTreeClassifier(settings):fit(X, y):shap(X)
      local reals = ml.DecisionTreeRegressor(settings):fit(X, code):shap(X)
      local p = #ml.Vector(reals.values:row(1))
      assert.near(reals.base[1], labels.base[2], 1e-12)
      assert.is_true((reals.values - labels.values:slice(1, X.rows, p + 1, 2 * p)):abs():max() < 1e-12)
      assert.is_true((labels.values:slice(1, X.rows, 1, p) + labels.values:slice(1, X.rows, p + 1, 2 * p)):abs():max()
         < 1e-12)
   end)

   it("of a forest is the mean over its trees, also for sparse X and several targets", function()
      local X = ml.random(80, 5, 3)
      local Y = ml.hcat(X * ml.Matrix { { 1 }, { 2 }, { 0 }, { 0 }, { 1 } }, X:slice(1, 80, 3, 3))
      local one = ml.RandomForestRegressor { n_estimators = 1, bootstrap = false, seed = 1 }:fit(X, Y)
      local tree = ml.DecisionTreeRegressor {}:fit(X, Y)
      assert.is_true((one:shap(X).values - tree:shap(X).values):abs():max() < 1e-12)
      local sparse = ml.Sparse.from(X:mul(X:gt(0.5)))
      local forest = ml.ExtraTreesRegressor { n_estimators = 5, seed = 1 }:fit(sparse, Y)
      assert.is_true((forest:shap(sparse).values - forest:shap(sparse:todense()).values):abs():max() == 0)
      local given = forest:shap(sparse)
      local sum = given.values:slice(1, 80, 6, 10):sum "rows" + given.base[2]
      assert.is_true((sum - forest:predict(sparse):col(2)):abs():max() < 1e-10)
   end)
end)

describe("bootstrap samples of large weights", function()
   -- One leaf: its probabilities are the drawn shares. 1e6 draws: a standard error of 0.0005.
   local function share(weights, y)
      local forest = ml.RandomForestClassifier { n_estimators = 1, min_samples_split = 1e9, seed = 3 }
      return forest:fit(ml.range(1, #y):as_column(), y, { weights = weights }):predict_proba { { 1 } }[1][1]
   end

   it("are drawn in proportion to the weights", function()
      local y, weights = {}, {}
      for i = 1, 100 do y[i], weights[i] = i % 2 == 0 and "a" or "b", i % 2 == 0 and 5000 or 15000 end
      assert.near(0.25, share(weights, y), 0.002)
   end)

   it("contain no row of weight 0, and all draws if one row has nearly all weight", function()
      local y, weights = { "a", "b", "b", "a" }, { 0, 1e6, 1e-9, 1e-9 }
      assert.near(0, share(weights, y), 1e-5)
      weights[3], weights[4] = 0, 0
      assert.equal(1, ml.RandomForestClassifier { n_estimators = 2 }:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 } },
         { "a", "b", "b", "a", "a" }, { weights = { 0, 1e6, 0, 0, 1e-3 } }):predict_proba { { 2 } }[1][2])
   end)
end)
