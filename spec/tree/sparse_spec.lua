-- Trees of sparse X: of columns with few nonzeros, only these are read.
local ml = require "manilius"

-- An n x p matrix with a share of nonzeros: of either sign, of one sign, or with ties. If wanted, every 7th column has
-- missing values.
local function sparse(n, p, share, kind, missing)
   local u, v, entries = ml.random(n, p, 11), ml.normal(n, p, 12), {}
   for i = 1, n do
      for j = 1, p do
         local x = v:get(i, j)
         if kind == "above" then x = math.abs(x) elseif kind == "below" then x = -math.abs(x) end
         if kind == "ties" then x = math.floor(2 * x) end
         if missing and j % 7 == 0 and i % 9 == 0 then
            entries[#entries + 1] = { i, j, 0 / 0 }
         elseif u:get(i, j) < share * (j == 1 and 8 or 1) then -- the first column is stored dense
            entries[#entries + 1] = { i, j, x }
         end
      end
   end
   return ml.Sparse { rows = n, cols = p, entries = entries }
end

local function targets(X, classes)
   local dense, noise, y = X:todense(), ml.random(X.rows, 2, 13), {}
   for i = 1, X.rows do
      local a, b = dense:get(i, 1), dense:get(i, math.min(2, X.cols))
      y[i] = (a > 0 and 2 or 0) + (b ~= 0 and b == b and 3 or 0) + 4 * noise:get(i, 1) -- >= 0, for poisson
      if classes then y[i] = math.floor(y[i] / 3) end
   end
   return y
end

local function assert_same(name, settings, X, options)
   local y = targets(X, name:find "Classifier")
   local from_sparse = ml[name](settings):fit(X, y, options)
   local from_dense = ml[name](settings):fit(X:todense(), y, options)
   local what = ("%s %d x %d"):format(name, X.rows, X.cols)
   assert(from_sparse:dump() == from_dense:dump(), what .. ": trees differ from those of the dense X")
   assert(tostring(from_sparse:predict(X)) == tostring(from_dense:predict(X:todense())), what .. ": predictions differ")
end

describe("trees of sparse X", function()
   local kinds = { "both", "above", "below", "ties" }

   it("equal those of the same dense X", function()
      for k, kind in ipairs(kinds) do
         local X, rare = sparse(220, 15, 0.04, kind, k % 2 == 0), sparse(420, 15, 0.02, kind, k % 2 == 1)
         local weights = ml.random(220, nil, k):mul(3):floor()
         for _, criterion in ipairs { "gini", "entropy" } do
            assert_same("DecisionTreeClassifier", { criterion = criterion }, X)
            assert_same("DecisionTreeClassifier", { criterion = criterion, min_samples_leaf = 4 }, X,
               { weights = weights })
         end
         for _, criterion in ipairs { "squared_error", "friedman_mse", "poisson", "absolute_error" } do
            assert_same("DecisionTreeRegressor", { criterion = criterion, max_depth = 5 }, X)
            assert_same("DecisionTreeRegressor", { criterion = criterion, max_leaf_nodes = 9 }, X,
               { weights = weights })
         end
         assert_same("DecisionTreeClassifier", { splitter = "random" }, rare)
         assert_same("RandomForestClassifier", { n_estimators = 4 }, X)
         assert_same("ExtraTreesRegressor", { n_estimators = 4 }, rare,
            { weights = ml.random(420, nil, k):mul(3):floor() })
         assert_same("ExtraTreesClassifier", { n_estimators = 4, bootstrap = true }, rare)
         assert_same("GradientBoostingRegressor", { n_estimators = 4 }, X)
      end
   end)

   it("are the same down to small leaves, whose rows are looked up in long columns", function()
      assert_same("DecisionTreeClassifier", {}, sparse(3000, 6, 0.05, "above"))
      assert_same("DecisionTreeRegressor", {}, sparse(1000, 6, 0.02, "ties"))
   end)

   it("satisfy monotonic and interaction constraints", function()
      local X = sparse(300, 6, 0.05, "both")
      assert_same("DecisionTreeRegressor", { monotonic_cst = { 1, -1, 0, 1, 0, 0 }, max_depth = 6 }, X)
      assert_same("RandomForestRegressor", { interaction_cst = { { 1, 2 }, { 3, 4, 5, 6 } }, n_estimators = 3 }, X)
   end)

   it("handle columns of zeros, rows of zeros, and constant columns", function()
      local entries = { { 2, 3, -1 } }
      for i = 1, 5 do entries[#entries + 1] = { i, 2, 3 } end
      local X = ml.Sparse { rows = 5, cols = 4, entries = entries }
      local tree = ml.DecisionTreeRegressor {}:fit(X, { 1, 5, 1, 1, 1 })
      assert.equal(3, tree:nodes().rows)
      assert.equal(-0.5, tree:nodes().threshold[1])
      assert.equal(5, tree:predict(X)[2])
      local nothing = ml.Sparse { rows = 3, cols = 2, entries = {} }
      assert.equal(1, ml.DecisionTreeRegressor {}:fit(nothing, { 1, 2, 3 }):nodes().rows)
   end)

   it("do not densify X: 60,000 rows by 200,000 columns", function()
      local entries, y = {}, {}
      for i = 1, 60000 do
         local j = i * 7919 % 200000 + 1
         entries[i] = { i, j, 1 }
         y[i] = j <= 100000 and "low" or "high"
      end
      for i = 1, 60000, 3 do entries[#entries + 1] = { i, y[i] == "low" and 200000 or 199999, 2 } end
      local X = ml.Sparse { rows = 60000, cols = 200000, entries = entries }
      local nodes = ml.DecisionTreeClassifier { max_depth = 2 }:fit(X, y):nodes()
      local used = {}
      for i = 1, nodes.rows do used[nodes.left[i] > 0 and nodes.feature[i]] = true end
      assert.is_true(used[199999] and used[200000]) -- a third of the rows have one or the other
   end)
end)
