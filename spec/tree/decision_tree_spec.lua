local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.tree.trees"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data
local nan = 0 / 0

-- Sorted { rows, impurity } of the nodes of each depth.
local function levels(tree)
   local out, nodes = {}, tree:nodes()
   for i = 1, nodes.rows do
      local depth = nodes.depth[i] + 1
      out[depth] = out[depth] or {}
      table.insert(out[depth], { nodes.cover[i], nodes.impurity[i] })
   end
   for _, level in ipairs(out) do
      table.sort(level, function(a, b)
         if a[1] ~= b[1] then return a[1] < b[1] end
         return a[2] < b[2] - 1e-9
      end)
   end
   return out
end

describe("decision trees compared with scikit-learn", function()
   for name, wanted in pairs(fixture.trees) do
      it("have the same nodes: " .. name, function()
         local set, criterion = name:match "^(%S+) (%S+)$"
         local X, y = data(set, fixture.targets[set] or "progression")
         local class = fixture.targets[set] and ml.DecisionTreeClassifier or ml.DecisionTreeRegressor
         local tree = class { criterion = criterion, max_depth = 3 }:fit(X, y)
         local got = levels(tree)
         assert.equal(#wanted.levels, #got)
         for d, level in ipairs(wanted.levels) do
            assert.equal(#level, #got[d])
            for i, node in ipairs(level) do
               assert.equal(node[1], got[d][i][1])
               near(node[2], got[d][i][2], 1e-9, "impurity", 1e-6)
            end
         end
         local nodes = tree:nodes() -- for iris, two columns separate the first class equally
         if nodes.feature[1] == wanted.feature then near(wanted.threshold, nodes.threshold[1], 1e-6, "threshold") end
      end)
   end

   for name, wanted in pairs(fixture.paths) do
      it("have the same pruning path: " .. name, function()
         local X, y = data(name, fixture.targets[name] or "progression")
         local class = fixture.targets[name] and ml.DecisionTreeClassifier or ml.DecisionTreeRegressor
         local settings = { max_depth = fixture.targets[name] and 3 or 5 }
         local path = class(settings):fit(X, y):cost_complexity_path()
         near_all(wanted.ccp_alphas, path.ccp_alphas, 1e-10, "alpha", 1e-3)
         near_all(wanted.impurities, path.impurities, 1e-10, "impurity", 1e-3)
         -- After pruning at an alpha, the leaves have the impurity of the path.
         local k = #path.ccp_alphas // 2 + 1
         settings.ccp_alpha = path.ccp_alphas[k] * (1 + 1e-9)
         near(path.impurities[k], class(settings):fit(X, y):cost_complexity_path().impurities[1], 1e-9)
      end)
   end

   it("have the same pruning path in any unit of y", function()
      local X = ml.normal(60, 2, 1)
      local y = X:col(1) + ml.normal(60, 1, 2):col(1)
      local wanted = ml.DecisionTreeRegressor {}:fit(X, y):cost_complexity_path()
      assert.is_true(#wanted.ccp_alphas > 40)
      for _, unit in ipairs { 2 ^ -30, 2 ^ 30 } do
         local path = ml.DecisionTreeRegressor {}:fit(X, y * unit):cost_complexity_path()
         assert.equal(#wanted.ccp_alphas, #path.ccp_alphas)
         for k = 1, #wanted.ccp_alphas do
            assert.equal(wanted.ccp_alphas[k], path.ccp_alphas[k] / unit ^ 2)
            assert.equal(wanted.impurities[k], path.impurities[k] / unit ^ 2)
         end
      end
   end)
end)

-- --- compared with an exhaustive search ---

local function gini(list, weight)
   local count, all, sum = {}, 0, 0
   for _, i in ipairs(list) do
      all = all + weight(i)
      count[list.y[i]] = (count[list.y[i]] or 0) + weight(i)
   end
   for _, c in pairs(count) do sum = sum + (c / all) ^ 2 end
   return all * (1 - sum)
end

local function variance(list, weight)
   local all, sum, square = 0, 0, 0
   for _, i in ipairs(list) do
      all = all + weight(i)
      sum = sum + weight(i) * list.y[i]
      square = square + weight(i) * list.y[i] ^ 2
   end
   return square - sum * sum / all
end

local function absolute(list, weight)
   local best = math.huge
   for _, m in ipairs(list) do
      local sum = 0
      for _, i in ipairs(list) do sum = sum + weight(i) * math.abs(list.y[i] - list.y[m]) end
      best = math.min(best, sum)
   end
   return best
end

local function partition(n, y, is_left)
   local left, right = { y = y }, { y = y }
   for i = 1, n do table.insert(is_left(i) and left or right, i) end
   return left, right
end

-- The smallest loss over all thresholds of all columns, with missing values on either side.
local function best_split_loss(X, y, loss, weight)
   local best = math.huge
   for j = 1, X.cols do
      local cuts = { math.huge }
      for i = 1, X.rows do cuts[#cuts + 1] = X:get(i, j) end
      for _, cut in ipairs(cuts) do
         for _, missing_left in ipairs { true, false } do
            local left, right = partition(X.rows, y, function(i)
               local x = X:get(i, j)
               if x ~= x then return missing_left end
               return x <= cut
            end)
            if #left > 0 and #right > 0 then best = math.min(best, loss(left, weight) + loss(right, weight)) end
         end
      end
   end
   return best
end

local function leaves_loss(tree, n, y, X, loss, weight)
   local leaf, sides, sum = tree:apply(X), {}, 0
   for i = 1, n do
      sides[leaf[i]] = sides[leaf[i]] or { y = y }
      table.insert(sides[leaf[i]], i)
   end
   for _, side in pairs(sides) do sum = sum + loss(side, weight) end
   return sum
end

describe("the split of a node", function()
   local cases = {
      gini = { ml.DecisionTreeClassifier, gini, true }, squared_error = { ml.DecisionTreeRegressor, variance },
      absolute_error = { ml.DecisionTreeRegressor, absolute },
   }
   for criterion, case in pairs(cases) do
      it("is the best of all splits, with weights and missing values: " .. criterion, function()
         for seed = 1, 40 do
            local n = 3 + seed % 9
            local X, noise = ml.normal(n, 3, seed), ml.normal(n, nil, seed + 100)
            local y, weights = {}, {}
            for i = 1, n do
               y[i] = case[3] and (noise[i] > 0 and "up" or "down") or math.floor(4 * noise[i])
               weights[i] = 1 + (i * seed) % 3
               if (i + seed) % 5 == 0 then X:set(i, 2, nan) end
               X:set(i, 3, math.floor(X:get(i, 3)))
            end
            y[1], y[2] = case[3] and "up" or 1, case[3] and "down" or 2
            local weight = function(i) return weights[i] end
            local tree = case[1] { criterion = criterion, max_depth = 1 }:fit(X, y, { weights = weights })
            near(best_split_loss(X, y, case[2], weight), leaves_loss(tree, n, y, X, case[2], weight), 1e-9, "loss", 1)
         end
      end)
   end

   it("may separate missing values of a factor, which is saved and shown in the text", function()
      local X = ml.Frame { t = ml.Factor { "A", "A", "A", "A", "B", "B", n = 8 } }
      local y = { 1, 1, 1, 1, 1, 1, 9, 9 }
      local tree = ml.DecisionTreeRegressor {}:fit(X, y)
      assert.same(y, tree:predict(X):totable())
      assert.same(y, ml.load(tree:dump()):predict(X):totable())
      assert.equal("t is missing: 9  (2)\nt is not missing: 1  (6)\n", tree:text())
   end)

   it("by levels is the best of all partitions of a factor", function()
      local names = { "a", "b", "c", "d", "e" }
      for seed = 1, 20 do
         local noise, level, y, labels = ml.normal(40, nil, seed), {}, {}, {}
         for i = 1, 40 do
            local at = (i * (seed + 2) + i // 7) % 5 + 1
            level[i], y[i] = names[at], noise[i] + at * seed % 3
            labels[i] = y[i] > 1 and "yes" or "no"
         end
         local X = ml.Frame { { "level", level } }
         local both = { { ml.DecisionTreeRegressor, variance, y }, { ml.DecisionTreeClassifier, gini, labels } }
         for _, case in ipairs(both) do
            local best, one = math.huge, function() return 1 end
            for set = 1, 30 do
               local left, right = partition(40, case[3], function(i)
                  return set >> (level[i]:byte() - 97) & 1 == 1
               end)
               if #left > 0 and #right > 0 then best = math.min(best, case[2](left, one) + case[2](right, one)) end
            end
            local tree = case[1] { max_depth = 1 }:fit(X, case[3])
            near(best, leaves_loss(tree, 40, case[3], X, case[2], one), 1e-9, "loss", 1)
         end
      end
   end)
end)

describe("a decision tree", function()
   it("splits PlayTennis with the gains of the textbook", function()
      local X, y = data("playtennis", "play")
      -- Mitchell, Machine Learning (1997), section 3.4: the entropy of 9 yes and 5 no is 0.940, humidity gains 0.151.
      local tree = ml.DecisionTreeClassifier { criterion = "entropy", max_depth = 1 }:fit(X:select { "humidity" }, y)
      local nodes = tree:nodes()
      near(0.940, nodes.impurity[1], 5e-4)
      near(0.1518, nodes.impurity[1] - (7 * nodes.impurity[2] + 7 * nodes.impurity[3]) / 14, 5e-3)
      assert.equal(1, ml.DecisionTreeClassifier { criterion = "entropy" }:fit(X, y):score(X, y))
   end)

   it("has text, rules and decision paths", function()
      local X, y = data("iris", "species")
      local tree = ml.DecisionTreeClassifier { max_depth = 2 }:fit(X, y)
      assert.equal([[
petal_length <= 2.45: setosa  (50)
petal_length > 2.45
|   petal_width <= 1.75: versicolor  (91% of 54)
|   petal_width > 1.75: virginica  (98% of 46)
]], tree:text())
      local rules = tree:rules()
      assert.equal("petal_length > 2.45 and petal_width > 1.75", rules.rule[3])
      assert.equal("virginica", rules.answer[3])
      local path = tree:decision_path(X:slice(1, 2))
      assert.same({ 1, 2, 1, 2 }, path.node:totable())
   end)

   it("gives a split node the weighted mean of its leaves as value", function()
      local tree = ml.DecisionTreeRegressor { criterion = "absolute_error", max_depth = 1 }
         :fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 7 } }, { 0, 0, 1, 9, 10, 100, 100 })
      near_all({ (5 * 1 + 2 * 100) / 7, 1, 100 }, tree:nodes().value, 1e-15)
   end)

   it("predicts the mean of several targets, and the median with absolute_error", function()
      local X = { { 1 }, { 2 }, { 3 }, { 10 }, { 11 }, { 12 } }
      local Y = { { 1, 10 }, { 2, 20 }, { 3, 30 }, { 7, 1 }, { 8, 2 }, { 9, 3 } }
      local both = ml.DecisionTreeRegressor { max_depth = 1 }:fit(X, Y)
      assert.same({ { 2, 20 }, { 8, 2 } }, both:predict({ { 0 }, { 20 } }):totable())
      local median = ml.DecisionTreeRegressor { max_depth = 1, criterion = "absolute_error" }
      assert.same({ 2, 50 }, median:fit(X, { 1, 2, 9, 40, 50, 90 }):predict({ { 0 }, { 20 } }):totable())
   end)

   it("finds the same splits by absolute error with any number of threads", function()
      local X = ml.normal(9000, 4, 1) -- enough values to search with one task for each column
      local y = X:col(1) + X:col(2):mul(X:col(3))
      support.same_for_any_threads(function()
         return ml.DecisionTreeRegressor { criterion = "absolute_error", max_depth = 3 }:fit(X, y)
      end)
   end)

   it("scores a random threshold by all rows after a column with few values", function()
      local n = 40
      local X, y = ml.Matrix(n, 2), ml.Vector(n)
      for i = 1, n do
         X:set(i, 1, i > 5 and nan or 1)
         X:set(i, 2, i)
         y[i] = i > 13 and 1 or 0
      end
      -- separating the missing values leaves 8 errors: no worse split of the other column may be chosen
      for seed = 1, 100 do
         local tree =
            ml.DecisionTreeRegressor { splitter = "random", criterion = "absolute_error", max_depth = 1, seed = seed }
         assert.is_true((tree:fit(X, y):predict(X) - y):abs():sum() <= 8)
      end
   end)

   it("satisfies monotonic constraints", function()
      local x = ml.normal(400, 2, 5)
      local noise = ml.normal(400, nil, 6)
      local y, labels = {}, {}
      for i = 1, 400 do
         y[i] = x:get(i, 1) + math.sin(3 * x:get(i, 2)) + noise[i]
         labels[i] = y[i] > 0
      end
      for sign = -1, 1, 2 do
         local model = ml.DecisionTreeRegressor { monotonic_cst = { sign, 0 } }:fit(x, y)
         local class = ml.DecisionTreeClassifier { monotonic_cst = { sign, 0 } }:fit(x, labels)
         for b = -2, 2, 0.5 do
            local last, last_share = -sign * math.huge, -sign * math.huge
            for a = -3, 3, 0.05 do
               local now, share = model:predict({ { a, b } })[1], class:predict_proba({ { a, b } })[1][2]
               assert((now - last) * sign >= 0 and (share - last_share) * sign >= 0, "not monotone")
               last, last_share = now, share
            end
         end
      end
   end)

   -- Skewed y, where the means of two sides may fall while their medians rise.
   it("satisfies them with every criterion", function()
      local criteria = { Regressor = { "squared_error", "friedman_mse", "absolute_error", "poisson" },
         Classifier = { "gini", "entropy" } }
      local function holds(model, kind, sign, what)
         for b = -1, 1 do
            local rows = {}
            for a = -3, 3, 0.1 do rows[#rows + 1] = { a, b } end
            local p = kind == "Classifier" and model:predict_proba(rows):col(2) or model:predict(rows)
            for i = 2, #rows do assert((p[i] - p[i - 1]) * sign >= 0, what) end
         end
         assert(model.feature_importances[1] > 0, what)
      end
      for seed = 1, 8 do
         local x, noise, y, labels = ml.normal(120, 2, seed), ml.normal(120, nil, seed + 50), {}, {}
         for i = 1, 120 do
            y[i] = math.exp(noise[i] + x:get(i, 1)) + math.abs(x:get(i, 2)) // 0.5
            labels[i] = y[i] > 2
         end
         for kind, list in pairs(criteria) do
            for i, criterion in ipairs(list) do
               local name = ({ "DecisionTree", "RandomForest", "ExtraTrees" })[1 + (seed + i) % 3] .. kind
               local settings = { criterion = criterion, monotonic_cst = { 1, 0 }, seed = seed,
                  n_estimators = not name:find "Decision" and 4 or nil }
               holds(ml[name](settings):fit(x, kind == "Classifier" and labels or y), kind, 1, name .. criterion)
            end
         end
      end
   end)

   it("applies them to medians if leaves hold medians", function()
      local x = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }
      local settings = { criterion = "absolute_error", min_samples_leaf = 3, monotonic_cst = { 1 } }
      local rising = ml.DecisionTreeRegressor(settings):fit(x, { 0, 0, 10, 1, 1, 1 })
      assert.same({ 0, 0, 0, 1, 1, 1 }, rising:predict(x):totable())
      local falling = ml.DecisionTreeRegressor(settings):fit(x, { 2, 2, 2, 1, 1, 10 })
      assert.same({ 2, 2, 2, 2, 2, 2 }, falling:predict(x):totable())
      settings.min_samples_leaf = 4
      local weighted = ml.DecisionTreeRegressor(settings):fit(x, { 0, 2, 10, 1, 3, 3 },
         { weights = { 2, 1, 1, 2, 1, 1 } }) -- medians are midpoints on both sides: 1 and 2
      assert.same({ 1, 1, 1, 2, 2, 2 }, weighted:predict(x):totable())
   end)

   -- Splits by other columns may exceed the bounds of their node: a tree that refused them scored 0.72 instead of 0.85.
   it("splits under a monotonic constraint as scikit-learn does", function()
      local X, y = data("diabetes", "progression")
      local labels = {}
      for i = 1, #y do labels[i] = y[i] > 140 end
      for i, wanted in ipairs(fixture.monotone.regressor) do
         local settings = { max_depth = i + 1, monotonic_cst = { 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 } }
         near(wanted, ml.DecisionTreeRegressor(settings):fit(X, y):score(X, y), 1e-12, "R2")
         local class = ml.DecisionTreeClassifier(settings):fit(X, labels)
         near(fixture.monotone.classifier[i], class:score(X, labels), 1e-12, "accuracy")
      end
   end)

   it("uses only columns of one interaction group on a path", function()
      local x, y, labels = ml.normal(500, 4, 7), {}, {}
      for i = 1, 500 do
         y[i] = x:get(i, 1) * x:get(i, 2) + x:get(i, 2) * x:get(i, 3) + x:get(i, 4)
         labels[i] = y[i] > 0 and "high" or "low"
      end
      local together = { { 1, 1, 0, 0 }, { 0, 1, 1, 0 } } -- column 4 stands alone
      for _, kind in ipairs { "DecisionTree", "RandomForest", "ExtraTrees" } do
         local settings = { interaction_cst = together, max_features = kind ~= "DecisionTree" and 2 or nil,
            n_estimators = kind ~= "DecisionTree" and 12 or nil, seed = 3 }
         local model = ml[kind .. "Regressor"](settings):fit(x, y)
         -- If two columns are never on the same path, the effect of one does not depend on the other.
         local function effect(a, b, first, second)
            local row, other = { 0.1, 0.2, 0.3, 0.4 }, { 0.1, 0.2, 0.3, 0.4 }
            row[first], row[second], other[first], other[second] = a, b, a, -b
            return model:predict { row }[1] - model:predict { other }[1]
         end
         if kind ~= "DecisionTree" then
            near(effect(-1, 0.7, 1, 3), effect(1.2, 0.7, 1, 3), 1e-9, kind, 1)
            near(effect(-1, 0.9, 2, 4), effect(1.2, 0.9, 2, 4), 1e-9, kind, 1)
         end
         local classes = ml[kind .. "Classifier"](settings):fit(x, labels)
         assert(classes:score(x, labels) > 0.8, kind)
      end
      local tree = ml.DecisionTreeRegressor { interaction_cst = together }:fit(x, y)
      for _, rule in ipairs(tree:rules().rule:totable()) do
         local seen = {}
         for j in rule:gmatch "x(%d)" do seen[tonumber(j)] = true end
         assert(not (seen[1] and seen[3]) and not (seen[4] and next(seen, next(seen))), rule)
      end
      -- With each column in its own group, the tree uses only the column at the root.
      local alone = ml.DecisionTreeRegressor { interaction_cst = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } }
         :fit(x, y)
      local root = tonumber(alone:text():match "^x(%d)")
      assert.equal(ml.DecisionTreeRegressor {}:fit(x:select { root }, y):predict(x:select { root }),
         alone:predict(x))
      local free = ml.DecisionTreeRegressor { interaction_cst = { { 1, 1, 1, 1 } } }:fit(x, y)
      assert.equal(ml.DecisionTreeRegressor {}:fit(x, y):predict(x), free:predict(x))
   end)

   it("has at most max_leaf_nodes leaves, grown best first", function()
      local X, y = data("diabetes", "progression")
      local last = math.huge
      for leaves = 2, 12 do
         local tree = ml.DecisionTreeRegressor { max_leaf_nodes = leaves }:fit(X, y)
         assert.equal(leaves, tree:rules().rows)
         local loss = 0
         for i = 1, leaves do loss = loss + tree:rules().impurity[i] end
         assert(loss > 0 and last > 0)
         last = loss
      end
      assert.equal(1, ml.DecisionTreeRegressor { max_depth = 0 }:fit(X, y):nodes().rows)
   end)

   it("ranks nodes by friedman_mse as by squared_error, which have the same gain", function()
      local X, y = data("diabetes", "progression")
      local weights = {}
      for i = 1, X.rows do weights[i] = 1 + i % 3 end
      for _, with in ipairs { { max_leaf_nodes = 12 }, { min_impurity_decrease = 60 } } do
         local by = {}
         for _, criterion in ipairs { "squared_error", "friedman_mse" } do
            with.criterion = criterion
            by[#by + 1] = ml.DecisionTreeRegressor(with):fit(X, y, { weights = weights })
         end
         assert(by[1]:rules().rows > 4)
         near_all(by[1]:predict(X), by[2]:predict(X), 1e-9, "prediction")
      end
   end)

   it("sends missing values and unseen levels with most rows", function()
      local tree = ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 }, { 10 } }, { 1, 1, 5 })
      assert.equal(1, tree:predict({ { nan } })[1])
      tree = ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 }, { nan }, { nan } }, { 1, 1, 5, 5 })
      assert.same({ 5, 1 }, tree:predict({ { nan }, { 1e9 } }):totable())
      local X = ml.Frame { { "c", { "a", "a", "b", "c" } } }
      local model = ml.DecisionTreeRegressor {}:fit(X, { 1, 1, 1, 9 })
      assert.equal(1, model:predict(ml.Frame { { "c", { "new" } } })[1])
   end)

   it("splits impure nodes even without a gain, in any unit of y", function()
      -- Either column alone has no information about y: both of its sides hold the same values.
      local r, rows = ml.random(200, 3, 77), {}
      for i = 1, 200 do
         local a, b, k = i % 2, i // 2 % 2, (i - 1) // 4 + 1
         local y = a == b and r:get(k, 1) + 0.2 or 0.3 * r:get(k, 2) + 2
         rows[i] = { a, b, y, order = r:get(i, 3) }
      end
      table.sort(rows, function(p, q) return p.order < q.order end)
      local all = ml.Matrix(rows)
      local X, y = all:slice(1, 200, 1, 2), all:col(3)
      for _, criterion in ipairs { "squared_error", "friedman_mse", "poisson", "absolute_error" } do
         for _, unit in ipairs { 1e-3, 1, 1e3, 1e6, 1e9 } do
            local tree = ml.DecisionTreeRegressor { criterion = criterion }:fit(X, y * unit)
            assert.equal(7, tree:nodes().rows, criterion .. " " .. unit)
         end
      end
      local counts, place = {}, ml.range(1, 1067):as_column()
      local drawn = ml.random(1067, 2, 8986)
      for i = 1, 1067 do
         local u = drawn:get(i, 1)
         counts[i] = u < 0.6 and 0 or u < 0.9 and 1 or 2
      end
      local tree = ml.DecisionTreeRegressor { criterion = "absolute_error" }:fit(place, counts)
      assert.equal(0, (tree:predict(place) - ml.Vector(counts)):abs():max())
   end)

   it("grows chains of thousands of nodes, and factors of thousands of levels", function()
      local n, rows, labels, y, level = 4000, {}, {}, {}, {}
      for i = 1, n do
         rows[i], labels[i], y[i], level[i] = { i }, i % 2, i, "level " .. i
      end
      local chain = ml.DecisionTreeClassifier {}:fit(rows, labels) -- the best split separates one row at an end
      assert.equal(1, chain:score(rows, labels))
      assert.equal(n - 1, chain:nodes().depth:max())
      local X = ml.Frame { { "f", level } }
      local tree = ml.DecisionTreeRegressor {}:fit(X, y)
      near_all(y, tree:predict(X), 1e-12)
      assert(#tree:dump() < 4e6, "the levels take too much memory")
   end)

   it("refuses invalid parameters", function()
      local X, y = data("iris", "species")
      refuses("DecisionTreeClassifier: min_samples_leaf must be an integer >= 1 or a share below 1, got 2.5",
         function() ml.DecisionTreeClassifier { min_samples_leaf = 2.5 }:fit(X, y) end)
      refuses("DecisionTreeClassifier: monotonic_cst requires two classes, got 3",
         function() ml.DecisionTreeClassifier { monotonic_cst = { 1, 0, 0, 0 } }:fit(X, y) end)
      refuses("DecisionTreeClassifier: interaction_cst must have 4 columns like X, got 2",
         function() ml.DecisionTreeClassifier { interaction_cst = { { 1, 1 } } }:fit(X, y) end)
      refuses("DecisionTreeClassifier: interaction_cst must have at most 63 groups, got 64",
         function() ml.DecisionTreeClassifier { interaction_cst = ml.ones(64, 4) }:fit(X, y) end)
      refuses("DecisionTreeRegressor: y must be >= 0 with criterion poisson, got %-1 in row 2",
         function() ml.DecisionTreeRegressor { criterion = "poisson" }:fit({ { 1 }, { 2 } }, { 1, -1 }) end)
   end)
end)
