-- The exact error messages of parameters. conformance_spec checks the range of every parameter of every estimator.
local ml = require "manilius"

local function says(message, call)
   local ok, text = pcall(call)
   assert.is_false(ok)
   assert.equal(message, (tostring(text):gsub("^[^:]*%.lua:%d+: ", "")))
end

local function made(constructor, params)
   return function() return constructor(params) end
end

describe("a parameter", function()
   it("has a range", function()
      says("Ridge: alpha must be >= 0, got -1", made(ml.Ridge, { alpha = -1 }))
      says("Ridge: alpha must be >= 0, got nan", made(ml.Ridge, { alpha = 0 / 0 }))
      says("Ridge: alpha must be finite and >= 0, got inf", made(ml.Ridge, { alpha = math.huge }))
      says("LogisticRegression: C must be > 0, got 0", made(ml.LogisticRegression, { C = 0 }))
      says("KMeans: n_clusters must be from 1 to 2147483647, got 0", made(ml.KMeans, { n_clusters = 0 }))
      says("KMeans: n_clusters must be a whole number, got 2.5", made(ml.KMeans, { n_clusters = 2.5 }))
      says("KMeans: seed must be from 0 to 9007199254740991, got 9007199254740992", made(ml.KMeans, { seed = 1 << 53 }))
      assert.equal(3, ml.KMeans { n_clusters = 3.0 }.n_clusters)
      assert.equal("integer", math.type(ml.KMeans { n_clusters = 3.0 }.n_clusters))
   end)

   it("has a type", function()
      says('Ridge: alpha must be a number >= 0, got string "1"', made(ml.Ridge, { alpha = "1" }))
      says("Ridge: alpha must be a number >= 0, got true", made(ml.Ridge, { alpha = true }))
      says("Ridge: alpha must be a number >= 0, got table", made(ml.Ridge, { alpha = {} }))
      says("Ridge: fit_intercept must be true or false, got 1", made(ml.Ridge, { fit_intercept = 1 }))
      says('Ridge: fit_intercept must be true or false, got string "yes"', made(ml.Ridge, { fit_intercept = "yes" }))
      says("GaussianNB: priors must be numbers from 0 to 1 or nil, got 0.5", made(ml.GaussianNB, { priors = 0.5 }))
      says("GaussianNB: priors: element 2 is a string, not a number", made(ml.GaussianNB, { priors = { 0.5, "x" } }))
      says("GaussianNB: priors must be from 0 to 1, got 1.5 at position 2",
         made(ml.GaussianNB, { priors = { 0, 1.5 } }))
      says("KMeans: start must be a matrix of finite numbers or nil, got 3", made(ml.KMeans, { start = 3 }))
      says("KMeans: start must be finite, got nan in row 2, column 1",
         made(ml.KMeans, { start = { { 1, 2 }, { 0 / 0, 2 } } }))
      says("KMeans: start must have rows of equal length: row 2 has 1 value, row 1 has 2",
         made(ml.KMeans, { start = { { 1, 2 }, { 3 } } }))
   end)

   it("may be a choice, with a suggestion for a misspelled one", function()
      says("KMeans: init must be one of k-means++, random, got 'kmeans++'; did you mean 'k-means++'?",
         made(ml.KMeans, { init = "kmeans++" }))
      says("KMeans: init must be one of k-means++, random, got 'zz'", made(ml.KMeans, { init = "zz" }))
      says("KMeans: init must be one of k-means++, random, got 3", made(ml.KMeans, { init = 3 }))
      assert.is_false((pcall(ml.KMeans, { init = "random\0more" })))
      says("KMeans: init must be one of k-means++, random, got true", made(ml.KMeans, { init = true }))
   end)

   it("accepts true and false for the choices yes and no", function()
      local model = ml.HistGradientBoostingRegressor { early_stopping = false }
      assert.equal("no", model.early_stopping)
      assert.equal("yes", model:set_params { early_stopping = true }.early_stopping)
   end)

   it("has a name", function()
      says("Ridge has no parameter 'alhpa'; did you mean 'alpha'?", made(ml.Ridge, { alhpa = 1 }))
      says("Ridge has no parameter 'class_weight'; its parameters are alpha, fit_intercept",
         made(ml.Ridge, { class_weight = "balanced" }))
      local text = select(2, pcall(ml.HistGradientBoostingClassifier, { trees = 3 }))
      assert.matches("; its parameters are learning_rate, max_iter, .*, [%l_]+, %.%.%.$", text) -- whole names
      says("Ridge: parameters must be given by name", made(ml.Ridge, { 1 }))
      says("Ridge: parameters must be a table, got number", made(ml.Ridge, 1))
      assert.equal(1, ml.Ridge().alpha)
      assert.equal(1, ml.Ridge(nil).alpha)
   end)

   it("is set together with the others or not at all", function()
      local model = ml.KMeans { n_clusters = 4 }
      for name, value in pairs { init = "zz", no = 1, tol = -1 } do
         local values = { n_clusters = 5, [name] = value }
         assert.is_false((pcall(model.set_params, model, values)))
         assert.equal(4, model.n_clusters)
      end
      assert.equal(5, model:set_params { n_clusters = 5 }.n_clusters)
   end)

   it("does not change learned fields when it is set", function()
      local model = ml.KMeans { n_clusters = 2 }:fit { { 0 }, { 1 }, { 9 } }
      model:set_params { n_clusters = 3 }
      assert.equal(2, #model.cluster_centers)
      assert.equal(3, #model:fit({ { 0 }, { 1 }, { 9 } }).cluster_centers)
   end)

   it("is a copy of the given matrix", function()
      local start = ml.Matrix { { 0 }, { 9 } }
      local model = ml.KMeans { n_clusters = 2, start = start }
      start:set(1, 1, 100)
      assert.equal(0, model.start:get(1, 1))
      model.start:set(1, 1, 100)
      assert.equal(0, model.start:get(1, 1))
   end)
end)

describe("class_weight", function()
   it("balanced gives all classes the same total weight", function()
      local X, y, w = { { 1 }, { 2 }, { 3 }, { 4 }, { 2.5 }, { 5 } }, { "a", "a", "a", "b", "b", "c" }, {}
      local given = { 1, 2, 0.5, 3, 1, 0.25 }
      local sum = { a = 3.5, b = 4, c = 0.25 }
      for i, label in ipairs(y) do w[i] = given[i] * 7.75 / (3 * sum[label]) end
      local by_hand = ml.LogisticRegression {}:fit(X, y, { weights = w })
      local balanced = ml.LogisticRegression { class_weight = "balanced" }:fit(X, y, { weights = given })
      for c = 1, 3 do assert.near(by_hand.coef:get(c, 1), balanced.coef:get(c, 1), 1e-9) end
   end)

   it("is nil, 'balanced' or a table", function()
      local with = ml.LogisticRegression
      assert.is_nil(with {}.class_weight)
      assert.equal("balanced", with { class_weight = "balanced" }.class_weight)
      assert.same({ a = 1, b = 2.5 }, with { class_weight = { a = 1, b = 2.5 } }.class_weight)
      assert.same({ [1] = 1, [2] = 3 }, with { class_weight = { 1, 3 } }:clone():get_params().class_weight)
      says("LogisticRegression: class_weight must be 'balanced', nil or a table from class to weight, got blanced",
         made(with, { class_weight = "blanced" }))
      says("LogisticRegression: class_weight must be 'balanced', nil or a table from class to weight, got 3",
         made(with, { class_weight = 3 }))
      says("LogisticRegression: class_weight must map labels to numbers, got string for string",
         made(with, { class_weight = { a = "x" } }))
      says("LogisticRegression: class_weight must be finite and >= 0, got -1",
         made(with, { class_weight = { a = -1 } }))
   end)

   it("is saved in archives", function()
      local model = ml.LogisticRegression { class_weight = { a = 1, b = 2.5 } }
      assert.same(model.class_weight, ml.load(model:dump()).class_weight)
      model = ml.LogisticRegression { class_weight = "balanced" }
      assert.equal("balanced", ml.load(model:dump()).class_weight)
   end)
end)
