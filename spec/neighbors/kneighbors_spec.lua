local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/first.lua"

local function halves()
   local X, y = support.data("digits", "digit")
   local train, test = {}, {}
   for i = 1, #y do table.insert((i - 1) % 3 == 0 and test or train, i) end
   return X:take(train), y:take(train), X:take(test), y:take(test)
end

describe("KNeighborsClassifier", function()
   for name, want in pairs(oracle.knn) do
      it("agrees with scikit-learn on digits, " .. name, function()
         local X, y, Xt, yt = halves()
         local model = ml.KNeighborsClassifier { n_neighbors = 7, weights = "distance", metric = name, p = 3 }:fit(X, y)
         support.near(want.score, model:score(Xt, yt), 2e-3, "accuracy") -- ties may be broken differently
         local few = Xt:head(4)
         support.near_rows(want.distances, model:kneighbors(few).distances, 1e-9, "distance")
         support.near_rows(want.proba, model:predict_proba(few), 1e-9, "probability", 1)
      end)
   end

   it("agrees with a plain loop and breaks ties by the lowest index", function()
      local X = ml.random(200, 3, 1)
      X = (X * 4 - 0.5):round() -- few distinct points, hence many ties
      local Q = (ml.random(20, 3, 2) * 4 - 0.5):round()
      local y = {}
      for i = 1, 200 do y[i] = i % 2 end
      local found = ml.KNeighborsClassifier { n_neighbors = 6 }:fit(X, y):kneighbors(Q)
      for q = 1, 20 do
         local order = {}
         for i = 1, 200 do
            local d = 0
            for j = 1, 3 do d = d + (X[i][j] - Q[q][j]) ^ 2 end
            order[i] = { d, i }
         end
         table.sort(order, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
         for k = 1, 6 do
            assert.equal(order[k][2], found.indexes[q][k])
            support.near(math.sqrt(order[k][1]), found.distances[q][k], 1e-12, "distance", 1)
         end
      end
   end)

   it("lets exact matches outvote all others with distance weights", function()
      local X, y = { { 0 }, { 0.1 }, { 0.2 }, { 5 } }, { "b", "a", "a", "a" }
      local model = ml.KNeighborsClassifier { n_neighbors = 3, weights = "distance" }:fit(X, y)
      assert.equal("b", model:predict { { 0 } }[1])
      assert.equal(1.0, model:predict_proba { { 0 } }[1][2])
   end)

   it("refuses more neighbors than rows", function()
      support.refuses("KNeighborsClassifier: n_neighbors must be at most the number of rows, 2, got 5", function()
         ml.KNeighborsClassifier {}:fit({ { 1 }, { 2 } }, { 0, 1 })
      end)
      local model = ml.KNeighborsClassifier { n_neighbors = 1 }:fit({ { 1 }, { 2 } }, { 0, 1 })
      support.refuses("n_neighbors must be at most the number of rows, 2, got 3", function()
         model:kneighbors({ { 1 } }, { n_neighbors = 3 })
      end)
   end)

   it("predicts with the n_neighbors of the fit, and refuses to fit with more than there are rows", function()
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine" } do
         for _, estimator in ipairs { ml.KNeighborsClassifier, ml.KNeighborsRegressor } do
            local model = estimator { n_neighbors = 1, metric = metric, p = 3 }:fit({ { 1, 2 }, { 2, 3 } }, { 0, 1 })
            model:set_params { n_neighbors = 1000 }
            assert.equal(0, model:predict({ { 1, 2 } })[1])
            support.refuses("KNeighbors%a+: n_neighbors must be at most the number of rows, 2, got 1000", function()
               model:fit({ { 1, 2 }, { 2, 3 } }, { 0, 1 })
            end)
            assert.equal(1000, ml.load(model:dump()).n_neighbors) -- a saved model can be loaded
         end
      end
   end)

   it("counts all alike, also exported, when all distances overflow", function()
      local far = 1e155
      local rows, query = { { far, 0 }, { 0, far }, { -far, far }, { 1, 1 } }, { -far, -far }
      for _, metric in ipairs { "euclidean", "minkowski" } do
         local settings = { n_neighbors = 3, weights = "distance", metric = metric, p = 3 }
         local classifier = ml.KNeighborsClassifier(settings):fit(rows, { "a", "b", "c", "d" })
         local regressor = ml.KNeighborsRegressor(settings):fit(rows, { 1, 2, 6, 7 })
         support.near_all({ 1 / 3, 1 / 3, 1 / 3, 0 }, classifier:predict_proba { query }[1], 1e-15)
         assert.equal(3.0, regressor:predict { query }[1])
         support.near_all({ 1 / 3, 1 / 3, 1 / 3, 0 }, load(classifier:export_lua())().predict_proba(query), 1e-15)
         assert.equal(3.0, load(regressor:export_lua())().predict(query))
      end
   end)

   it("handles distances whose inverse overflows", function()
      local settings = { n_neighbors = 2, weights = "distance", metric = "manhattan" }
      local X, near_first = { { 0 }, { 3e-320 } }, { { 1e-320 } }
      assert.near(2 / 3, ml.KNeighborsClassifier(settings):fit(X, { 0, 1 }):predict_proba(near_first):get(1, 1), 1e-3)
      assert.near(4, ml.KNeighborsRegressor(settings):fit(X, { 3, 6 }):predict(near_first)[1], 1e-2)
   end)
end)

describe("KNeighborsRegressor", function()
   it("agrees with scikit-learn, two targets", function()
      local X = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
      local train, test = {}, {}
      for i = 1, X.rows do table.insert((i - 1) % 3 == 0 and test or train, i) end
      local features, targets = X:slice(1, X.rows, 1, 40), X:slice(1, X.rows, 41, 42)
      local model = ml.KNeighborsRegressor { weights = "distance" }
      model:fit(features:take(train), targets:take(train))
      local five = {}
      for i = 1, 5 do five[i] = test[i] end
      support.near_rows(oracle.knn_regressor, model:predict(features:take(five)), 1e-9, "prediction", 1)
   end)

   it("is the mean over all rows when all are neighbors", function()
      local model = ml.KNeighborsRegressor { n_neighbors = 4 }:fit({ { 0 }, { 1 }, { 2 }, { 3 } }, { 1, 2, 3, 6 })
      assert.near(3, model:predict { { 100 } }[1], 1e-15)
   end)

   it("finds the same neighbors for few queries, which are not screened, as for many", function()
      local rows = ml.random(3000, 7, 1):mul(4):floor() -- with many ties
      local queries = ml.random(40, 7, 2):mul(4):floor()
      local model = ml.KNeighborsRegressor { n_neighbors = 9 }:fit(rows, ml.range(1, 3000))
      local many = model:kneighbors(queries)
      for i = 1, 40, 5 do
         local few = model:kneighbors(queries:slice(i, i + 4))
         assert(few.indexes == many.indexes:slice(i, i + 4) and few.distances == many.distances:slice(i, i + 4))
      end
      local clusters = ml.KMeans { n_clusters = 20, seed = 1, max_iter = 5 }:fit(rows)
      local labels = clusters:predict(queries)
      for i = 1, 40 do assert.equal(labels[i], clusters:predict(queries:slice(i, i))[1]) end
   end)

   it("says where the options of pairwise_distances go", function()
      support.refuses("pairwise_distances: Y must be rows or nil; options are the third argument",
         ml.pairwise_distances, { { 1 }, { 2 } }, { metric = "manhattan" })
      local two, named = ml.Frame { a = { 1, 2 } }, ml.Frame { metric = { 4 } }
      assert(ml.pairwise_distances(two, two) == ml.Matrix { { 0, 1 }, { 1, 0 } })
      assert(ml.pairwise_distances(ml.Frame { metric = { 1 } }, named) == ml.Matrix { { 3 } })
   end)
end)

describe("NearestNeighbors:distances", function()
   it("has the distances that the searches find, for every metric", function()
      local X, Z = ml.normal(60, 4, 1), ml.normal(30, 4, 2)
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "correlation", "hamming",
         "mahalanobis", "haversine" } do
         local A, B = X, Z
         if metric == "haversine" then A, B = X:select { 1, 2 } * 0.4, Z:select { 1, 2 } * 0.4 end
         local model = ml.NearestNeighbors { metric = metric, p = 3 }:fit(A)
         local all = { n_neighbors = 60, mode = "distance" }
         assert.equal(model:kneighbors_graph(A, all):todense(), model:distances(), metric)
         assert.equal(model:kneighbors_graph(B, all):todense(), model:distances(B), metric)
      end
      local sparse = ml.NearestNeighbors {}:fit(ml.Sparse(X))
      assert.equal(ml.NearestNeighbors {}:fit(X):distances(), sparse:distances())
      assert.has_error(function() sparse:distances(ml.Sparse(Z)) end,
         "NearestNeighbors: X must be nil for Sparse rows; use kneighbors_graph")
   end)

   it("is unchanged by parameters set after fit", function()
      local X = ml.normal(20, 3, 1)
      local model = ml.NearestNeighbors {}:fit(X)
      local before = model:distances()
      model:set_params { metric = "manhattan" }
      assert.equal(before, model:distances())
   end)
end)
