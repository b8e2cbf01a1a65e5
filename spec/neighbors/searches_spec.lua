local core = require "manilius.core"
local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/neighbors/searches.lua"

local EXACT = { "brute", "kd_tree", "ball_tree" }

local function wine()
   local frame = ml.read_csv "examples/data/wine.csv"
   return frame:drop { "class" }:matrix(), frame["class"]
end

-- Every thirtieth row, moved a little.
local function few(X)
   local rows = {}
   for i = 1, X.rows, 30 do rows[#rows + 1] = i end
   return X:take(rows) * 1.01
end

local function settings_of(metric, algorithm)
   return { metric = metric, p = 3, algorithm = algorithm, n_neighbors = 6 }
end

local function same(want, got, what)
   assert(want.indexes == got.indexes, what .. ": other neighbors")
   assert(want.distances == got.distances, what .. ": other distances")
   assert(rawget(want, "counts") == rawget(got, "counts"), what .. ": other counts")
end

-- All exact searches of all kinds give the same, to the bit.
local function agree(X, Q, options, k, radius, what)
   local want
   for _, algorithm in ipairs(EXACT) do
      options.algorithm = algorithm
      local model = ml.NearestNeighbors(options):fit(X)
      local got = { model:kneighbors(Q, { n_neighbors = k }), model:kneighbors(nil, { n_neighbors = k }),
         model:radius_neighbors(Q, { radius = radius }), model:radius_neighbors(nil, { radius = radius }) }
      want = want or got
      for i = 1, 4 do same(want[i], got[i], what .. " " .. algorithm .. " " .. i) end
      local graph = model:kneighbors_graph(nil, { n_neighbors = k, mode = "distance" })
      want.graph = want.graph or graph
      assert(want.graph:todense() == graph:todense(), what .. " " .. algorithm .. " graph")
   end
   return want
end

describe("NearestNeighbors", function()
   for metric, want in pairs(oracle.metrics) do
      it("agrees with scipy and scikit-learn, " .. metric, function()
         local X = wine()
         local Q = few(X)
         if metric == "haversine" then
            local frame = ml.read_csv "examples/data/quakes.csv"
            X = ml.hcat(frame.lat:as_column(), frame.long:as_column()) * (math.pi / 180)
            local rows = {}
            for i = 1, X.rows, 200 do rows[#rows + 1] = i end
            Q = X:take(rows) + 0.001
         end
         if metric == "hamming" then X, Q = X:floor(), Q:floor() end
         for _, algorithm in ipairs(EXACT) do
            local found = ml.NearestNeighbors(settings_of(metric, algorithm)):fit(X):kneighbors(Q)
            -- 1e-12: cosine distances are computed from rows of length 1, not as 1 - cos
            support.near_rows(want.distances, found.distances, 1e-12, "distance", 1)
            if metric ~= "haversine" then support.near_rows(want.indexes, found.indexes, 0, "index") end
         end
      end)
   end

   it("gives the same by tree, ball tree and brute force for every metric, with and without ties", function()
      for metric in pairs(oracle.metrics) do
         for _, d in ipairs(metric == "haversine" and { 2 } or { 3, 19 }) do
            local X, Q = ml.normal(500, d, 1), ml.normal(20, d, 2)
            agree(X, Q, { metric = metric, p = 3, leaf_size = 10 }, 7, 0.7, metric .. d)
            if metric ~= "mahalanobis" then
               agree(X:round(), Q:round(), { metric = metric, p = 3, leaf_size = 3 }, 9, 1, metric .. d .. " tied")
            end
         end
      end
   end)

   it("breaks ties by the lowest index, also among duplicates and equal rows", function()
      local X = ml.zeros(300, 3) + 7
      local found = agree(X, X:slice(1, 2), { leaf_size = 5 }, 4, 0, "equal rows")
      assert(found[1].indexes == ml.Matrix { { 1, 2, 3, 4 }, { 1, 2, 3, 4 } })
      assert(found[2].indexes:slice(1, 2) == ml.Matrix { { 2, 3, 4, 5 }, { 1, 3, 4, 5 } })
      assert.equal(300, found[3].counts[1])
      assert.equal(299, found[4].counts[1])
      local twice = ml.vcat(ml.normal(200, 3, 1), ml.normal(200, 3, 1))
      found = agree(twice, twice:slice(1, 50), { leaf_size = 5 }, 2, 0, "duplicates")
      for i = 1, 50 do
         assert.equal(i, found[1].indexes:get(i, 1))
         assert.equal(200 + i, found[1].indexes:get(i, 2))
      end
   end)

   it("is exact far from the origin", function()
      -- Powers of two, so that the shift itself loses nothing.
      local X, Q = (ml.normal(400, 4, 1) * 64):round() / 64, (ml.normal(30, 4, 2) * 64):round() / 64
      local near = agree(X, Q, {}, 8, 1, "near")
      local far = agree(X + 2 ^ 27, Q + 2 ^ 27, {}, 8, 1, "far")
      for i = 1, 4 do same(near[i], far[i], "far") end
      local shifted = agree(X + 2 ^ 27, Q + 2 ^ 27, { metric = "mahalanobis" }, 8, 1, "far mahalanobis")
      support.near_rows(agree(X, Q, { metric = "mahalanobis" }, 8, 1, "mahalanobis")[1].distances, shifted[1].distances,
         1e-9, "distance", 1)
   end)

   it("measures a radius to its end", function()
      local X = ml.Matrix { { 0 }, { 0.1 }, { 0.3 }, { 0.30000000000000004 }, { 5 } }
      for _, algorithm in ipairs(EXACT) do
         local model = ml.NearestNeighbors { algorithm = algorithm, leaf_size = 1 }:fit(X)
         assert.equal(3.0, model:radius_neighbors({ { 0 } }, { radius = 0.3 }).counts[1])
         assert.equal(4.0, model:radius_neighbors({ { 0 } }, { radius = 0.30000000000000004 }).counts[1])
         local none = model:radius_neighbors({ { 2.5 }, { 5 } }, { radius = 1 })
         assert(none.counts == ml.Vector { 0, 1 } and none.indexes == ml.Vector { 5 })
      end
   end)

   it("gives graphs as scikit-learn does", function()
      local X = wine()
      local graph = ml.NearestNeighbors { radius = 40 }:fit(X):radius_neighbors_graph(nil, { mode = "distance" })
      assert.equal(oracle.radius.stored, graph.nnz)
      local dense = graph:todense()
      support.near(oracle.radius.sum, dense:sum(), 1e-12)
      for j = 1, X.rows do support.near(oracle.radius.first[j], dense:get(1, j), 1e-12, "distance", 1) end
      local ones = ml.NearestNeighbors { n_neighbors = 3 }:fit(X):kneighbors_graph(X)
      assert.equal(3 * X.rows, ones.nnz)
      assert.equal(3.0 * X.rows, ones:todense():sum())
   end)

   it("gives the same for sparse X, also with dense queries and the reverse", function()
      local X, Q = ml.normal(120, 6, 1), ml.normal(15, 6, 2)
      for i = 1, X.rows do for j = 1, 6 do if (i * j) % 3 > 0 then X:set(i, j, 0) end end end
      for i = 1, 6 do X:set(50, i, 0) end
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "hamming" } do
         local dense = ml.NearestNeighbors(settings_of(metric)):fit(X)
         local sparse = ml.NearestNeighbors(settings_of(metric)):fit(ml.Sparse(X))
         local want = dense:kneighbors(Q)
         for _, got in ipairs { sparse:kneighbors(Q), sparse:kneighbors(ml.Sparse(Q)), dense:kneighbors(ml.Sparse(Q)),
            ml.load(sparse:dump()):kneighbors(Q) } do
            support.near_rows(want.distances, got.distances, 1e-12, metric, 1)
         end
      end
      support.refuses("NearestNeighbors: the metric correlation requires a dense X", function()
         ml.NearestNeighbors { metric = "correlation" }:fit(ml.Sparse(X))
      end)
      support.refuses("algorithm 'kd_tree' requires a dense X; set algorithm to brute or auto", function()
         ml.NearestNeighbors { algorithm = "kd_tree" }:fit(ml.Sparse(X))
      end)
   end)

   it("searches precomputed distances", function()
      local X = ml.normal(60, 3, 1)
      local plain = ml.NearestNeighbors {}:fit(X)
      local all = plain:kneighbors_graph(X, { n_neighbors = 60, mode = "distance" }):todense()
      local model = ml.NearestNeighbors { metric = "precomputed" }:fit(all)
      same(plain:kneighbors(X), model:kneighbors(all), "precomputed")
      same(plain:kneighbors(nil), model:kneighbors(nil), "precomputed, others")
      same(plain:radius_neighbors(X, { radius = 1 }), model:radius_neighbors(all, { radius = 1 }), "precomputed radius")
      support.refuses("the metric precomputed requires a square X of distances, got 60 x 3", function()
         ml.NearestNeighbors { metric = "precomputed" }:fit(X)
      end)
   end)

   it("refuses negative precomputed distances", function()
      local D, y = ml.pairwise_distances(ml.normal(20, 3, 1)), {}
      for i = 1, 20 do y[i] = i % 2 end
      local bad = D:copy()
      bad:set(3, 7, -0.5)
      local message = "X must have distances >= 0 for the metric precomputed, got %-0.5 in row 3, column 7"
      for _, name in ipairs { "KNeighborsClassifier", "KNeighborsRegressor", "RadiusNeighborsClassifier",
         "RadiusNeighborsRegressor", "NearestNeighbors" } do
         local model = ml[name] { metric = "precomputed" }
         support.refuses(name .. ": " .. message, model.fit, model, bad, y)
         model:fit(D, y)
         local search = name == "NearestNeighbors" and "kneighbors" or "predict"
         support.refuses(message, model[search], model, bad)
      end
   end)

   it("explains bad input", function()
      local X = ml.normal(20, 3, 1)
      support.refuses("n_neighbors must be at most the number of rows, 20, got 21", function()
         ml.NearestNeighbors { n_neighbors = 21 }:fit(X):kneighbors(X)
      end)
      support.refuses("n_neighbors must be at most the number of other training rows, 19, got 20", function()
         ml.NearestNeighbors { n_neighbors = 20 }:fit(X):kneighbors(nil)
      end)
      support.refuses("haversine requires 2 columns, latitude and longitude in radians, got 3", function()
         ml.NearestNeighbors { metric = "haversine" }:fit(X)
      end)
      support.refuses("the covariance for the metric mahalanobis is singular", function()
         ml.NearestNeighbors { metric = "mahalanobis" }:fit(ml.hcat(X, X:col(1):as_column()))
      end)
      support.refuses("covariance must be 3 x 3, as X has 3 columns, got 2 x 2", function()
         ml.NearestNeighbors { metric = "mahalanobis", covariance = { { 1, 0 }, { 0, 1 } } }:fit(X)
      end)
   end)

   it("takes 10,000 columns in a tree, and one row", function()
      local X = ml.random(24, 10000, 1)
      agree(X, X:slice(1, 3), { leaf_size = 4 }, 3, 1, "wide")
      local one = ml.NearestNeighbors { n_neighbors = 1 }:fit { { 1, 2 } }
      assert(one:kneighbors({ { 1, 3 } }).distances == ml.Matrix { { 1 } })
      assert(one:radius_neighbors(nil).counts == ml.Vector { 0 })
   end)

   it("follows parameters that were set after fit from the next fit on, also when loaded before it", function()
      local X = ml.normal(300, 3, 1)
      local model = ml.NearestNeighbors {}:fit(X)
      local before = model:kneighbors(X)
      model:set_params { metric = "manhattan", algorithm = "ball_tree", leaf_size = 7 }
      local loaded = ml.load(model:dump())
      same(before, model:kneighbors(X), "set")
      same(before, loaded:kneighbors(X), "loaded")
      local want = ml.NearestNeighbors { metric = "manhattan" }:fit(X):kneighbors(X)
      same(want, model:fit(X):kneighbors(X), "set and fitted")
      same(want, loaded:fit(X):kneighbors(X), "loaded and fitted")
   end)

   it("search by the metric of the fit, also when saved with one that does not suit the rows", function()
      local X, y, labels = ml.normal(30, 4, 1), ml.normal(30, 1, 2):col(1), {}
      for i = 1, 30 do labels[i] = i % 2 end
      X = ml.hcat(X:slice(1, 30, 1, 3), X:col(1):as_column())
      local unsuited = { haversine = "haversine requires 2 columns", precomputed = "a square X of distances",
         mahalanobis = "the metric mahalanobis is singular" }
      for _, name in ipairs { "NearestNeighbors", "KNeighborsClassifier", "KNeighborsRegressor",
         "RadiusNeighborsClassifier", "RadiusNeighborsRegressor" } do
         local target = name:find "Class" and labels or y
         for metric, message in pairs(unsuited) do
            local model = ml[name] {}:fit(X, target)
            local search = name:find "Radius" and "radius_neighbors" or "kneighbors"
            local want = model[search](model, X)
            local loaded = ml.load(model:set_params({ metric = metric }):dump())
            assert.equal(metric, loaded.metric)
            same(want, loaded[search](loaded, X), name)
            support.refuses(message, loaded.fit, loaded, X, target)
         end
      end
   end)

   it("gives the same for any number of threads", function()
      local X = ml.normal(3000, 3, 1)
      local before, found = ml.threads(), {}
      for _, threads in ipairs { 1, 2, 5 } do
         ml.threads(threads)
         local model = ml.NearestNeighbors { algorithm = "kd_tree" }:fit(X)
         found[#found + 1] = { model:kneighbors(X), model:radius_neighbors(X, { radius = 0.2 }) }
      end
      ml.threads(before)
      for i = 2, 3 do
         same(found[1][1], found[i][1], "threads")
         same(found[1][2], found[i][2], "threads")
      end
   end)
end)

describe("a search without memory", function()
   it("fails clearly, leaves nothing behind and keeps the model", function()
      local X = ml.normal(300, 3, 1)
      local function live()
         collectgarbage()
         return core.memory.live()
      end
      for _, settings in ipairs { { algorithm = "kd_tree" }, { algorithm = "ball_tree", metric = "mahalanobis" },
         { algorithm = "hnsw", metric = "cosine" }, { algorithm = "brute", metric = "haversine" } } do
         local rows = settings.metric == "haversine" and X:slice(1, 300, 1, 2) or X
         local model = ml.NearestNeighbors(settings):fit(rows)
         local works = {
            function() model:fit(rows) end, function() model:kneighbors(rows) end,
            function() model:radius_neighbors_graph(nil) end, function() model:kneighbors_graph(nil) end,
         }
         for _, work in ipairs(works) do
            local before, n = live(), 0
            repeat
               core.memory.fail_after(n, -1)
               local ok, message = pcall(work)
               core.memory.fail_after(-1)
               assert(ok or tostring(message):find "not enough memory", message)
               if not ok then assert.equal(before, live()) end
               n = n + 1 + n // 4
            until ok
         end
      end
   end)
end)

describe("algorithm hnsw", function()
   it("keeps the graph of the fit in an archive if its metric was changed before saving", function()
      local X = ml.normal(400, 3, 5) + 2
      for _, name in ipairs { "NearestNeighbors", "KNeighborsRegressor" } do
         local y = name ~= "NearestNeighbors" and X:col(1) or nil
         local model = ml[name] { algorithm = "hnsw", metric = "euclidean" }:fit(X, y)
         local before = model:kneighbors(X)
         local loaded = ml.load(model:set_params({ metric = "cosine" }):dump())
         same(before, loaded:kneighbors(X), name)
         local wanted = ml[name] { algorithm = "hnsw", metric = "cosine" }:fit(X, y)
         assert.equal(wanted:dump(), loaded:fit(X, y):dump())
      end
   end)

   -- Rows about many centers, in few directions of twenty.
   local function clustered(n, seed)
      local centers, basis = ml.normal(40, 5, 7) * 3, ml.normal(5, 20, 8)
      local points = ml.normal(n, 5, seed)
      for i = 1, n do
         for j = 1, 5 do points:set(i, j, points:get(i, j) + centers:get(i % 40 + 1, j)) end
      end
      return points * basis
   end

   local function recall(want, got)
      local hits = 0
      for i = 1, want.rows do
         local known = {}
         for j = 1, want.cols do known[want:get(i, j)] = true end
         for j = 1, want.cols do hits = hits + (known[got:get(i, j)] and 1 or 0) end
      end
      return hits / (want.rows * want.cols)
   end

   it("finds the fraction of the neighbors that it was tuned to, with exact distances", function()
      local X, Q = clustered(4000, 1), clustered(200, 2)
      for _, metric in ipairs { "euclidean", "cosine" } do
         local settings = { n_neighbors = 10, metric = metric, algorithm = "brute" }
         local want = ml.NearestNeighbors(settings):fit(X):kneighbors(Q)
         settings.algorithm = "hnsw"
         local model = ml.NearestNeighbors(settings):fit(X)
         local found = model:kneighbors(Q)
         assert(model.measured_recall >= 0.95)
         assert(recall(want.indexes, found.indexes) > 0.92) -- 2000 neighbors: the standard error is 0.005
         for i = 1, Q.rows do
            for j = 1, 10 do
               if want.indexes:get(i, j) == found.indexes:get(i, j) then
                  support.near(want.distances:get(i, j), found.distances:get(i, j), 1e-14, "distance", 1)
               end
            end
         end
         local again = ml.load(model:dump())
         same(found, again:kneighbors(Q), "loaded")
         assert.equal(model.measured_recall, again.measured_recall)
         local others = model:kneighbors(nil)
         for i = 1, 200 do assert(others.indexes:get(i, 1) ~= i) end
      end
   end)

   it("gives the same for any number of threads", function()
      local X, before, dumps = clustered(1500, 1), ml.threads(), {}
      for i, threads in ipairs { 1, 3 } do
         ml.threads(threads)
         dumps[i] = ml.NearestNeighbors { algorithm = "hnsw" }:fit(X):dump()
      end
      ml.threads(before)
      assert(dumps[1] == dumps[2])
   end)

   it("finds k neighbors also among equal rows, and for all rows", function()
      local equal = ml.NearestNeighbors { algorithm = "hnsw" }:fit(ml.zeros(300, 2) + 3)
      assert(equal:kneighbors({ { 3, 4 } }).distances == ml.Matrix { { 1, 1, 1, 1, 1 } })
      local X = clustered(150, 1)
      local small = ml.NearestNeighbors { algorithm = "hnsw", n_neighbors = 150 }:fit(X)
      same(ml.NearestNeighbors { n_neighbors = 150 }:fit(X):kneighbors(X), small:kneighbors(X), "all rows")
      assert(ml.NearestNeighbors { algorithm = "hnsw", n_neighbors = 1 }:fit { { 1 } }:kneighbors { { 2 } })
      local large = ml.NearestNeighbors { algorithm = "hnsw", n_neighbors = 2147483647 }:fit(X:slice(1, 60))
      local settings = { n_neighbors = 60 }
      same(ml.NearestNeighbors {}:fit(X:slice(1, 60)):kneighbors(X, settings), large:kneighbors(X, settings), "large k")
      local radius = { radius = 2 }
      same(ml.NearestNeighbors {}:fit(X):radius_neighbors(X, radius), small:radius_neighbors(X, radius), "radius")
   end)

   it("refuses metrics that it does not support", function()
      support.refuses("algorithm 'hnsw' requires a dense X and the metric euclidean, cosine, ", function()
         ml.NearestNeighbors { algorithm = "hnsw", metric = "manhattan" }:fit(ml.normal(9, 2, 1))
      end)
   end)
end)

describe("weights and radii", function()
   it("agree with scikit-learn", function()
      local X, y = wine()
      local Q = few(X)
      local model = ml.RadiusNeighborsClassifier { radius = 60, weights = "distance" }:fit(X, y)
      support.near_rows(oracle.radius.proba, model:predict_proba(Q), 1e-9, "probability", 1)
      local features, target, rest = X:slice(1, X.rows, 2, 13), X:col(1), Q:slice(1, Q.rows, 2, 13)
      local regressor = ml.RadiusNeighborsRegressor { radius = 60, weights = "distance" }:fit(features, target)
      support.near_all(oracle.radius.predicted, regressor:predict(rest), 1e-9)
      -- 6 neighbors, and the seventh distance as bandwidth
      local gaussian = ml.KNeighborsRegressor { n_neighbors = 6, weights = "gaussian" }:fit(features, target)
      support.near_all(oracle.gaussian, gaussian:predict(rest), 1e-9)
   end)

   it("of kernels are their formulas", function()
      local X, y = { { 0 }, { 1 }, { 2 }, { 3 } }, { 1, 2, 4, 8 }
      local kernels = { triangular = function(u) return 1 - u end, epanechnikov = function(u) return 1 - u ^ 2 end,
         biweight = function(u) return (1 - u ^ 2) ^ 2 end, tricube = function(u) return (1 - u ^ 3) ^ 3 end,
         gaussian = function(u) return math.exp(-u ^ 2 / 2) end }
      for name, kernel in pairs(kernels) do
         local sum, total = 0, 0
         for i = 1, 3 do
            local weight = kernel(math.abs(i - 1 - 0.5) / 2)
            sum, total = sum + weight * y[i], total + weight
         end
         local near = ml.KNeighborsRegressor { n_neighbors = 3, weights = name, bandwidth = 2 }:fit(X, y)
         assert.near(sum / total, near:predict { { 0.5 } }[1], 1e-14)
         local within = ml.RadiusNeighborsRegressor { radius = 2, weights = name }:fit(X, y)
         assert.near(sum / total, within:predict { { 0.5 } }[1], 1e-14)
         local all = ml.KNeighborsRegressor { n_neighbors = 2, weights = name, bandwidth = 0.1 }:fit(X, y)
         assert.near(6, all:predict { { 9 } }[1], 1e-14) -- all weights are 0: all neighbors count alike
      end
   end)

   it("of many neighbors do not fill the memory, and give the same by any search", function()
      local X, labels = ml.random(2500, 3, 1), {}
      local y = X:col(1)
      for i = 1, 2500 do labels[i] = y[i] > 0.5 and "high" or "low" end
      local all = ml.RadiusNeighborsRegressor { radius = 3 }:fit(X, y)
      core.memory.peak(true)
      local before = core.memory.live()
      local predicted = all:predict(X)
      assert.is_true(core.memory.peak() < before + 40e6) -- all neighbors would take 100 MB
      support.near_all({ y:mean(), y:mean() }, { predicted[1], predicted[2500] }, 1e-13)
      for _, metric in ipairs { "euclidean", "cosine" } do
         local want
         for _, algorithm in ipairs(EXACT) do
            local settings = { radius = 0.4, metric = metric, algorithm = algorithm, weights = "distance" }
            local near = ml.RadiusNeighborsClassifier(settings):fit(X, labels):predict_proba(X)
            want = want or near
            assert(want == near, metric .. " " .. algorithm)
         end
      end
   end)

   it("have a rule for rows without neighbors", function()
      local X, y = { { 0 }, { 1 }, { 2 }, { 3 } }, { "a", "b", "b", "b" }
      local nearest = ml.RadiusNeighborsClassifier { radius = 0.4 }:fit(X, y)
      support.near_rows({ { 1, 0 }, { 0, 1 } }, nearest:predict_proba { { -50 }, { 1.1 } }, 0)
      local average = ml.RadiusNeighborsClassifier { radius = 0.4, empty = "average" }:fit(X, y)
      support.near_rows({ { 0.25, 0.75 } }, average:predict_proba { { -50 } }, 1e-15)
      local sparse = ml.RadiusNeighborsClassifier { radius = 0.4 }:fit(ml.Sparse(ml.Matrix(X)), y)
      support.near_rows({ { 1, 0 }, { 0, 1 } }, sparse:predict_proba(ml.Sparse(ml.Matrix { { -50 }, { 1.1 } })), 0)
      local regressor = ml.RadiusNeighborsRegressor { radius = 0.4, empty = "average" }:fit(X, { 1, 2, 3, 6 })
      assert.near(3, regressor:predict { { 80 } }[1], 1e-15)
      assert.equal(6.0, regressor:set_params({ empty = "nearest" }):fit(X, { 1, 2, 3, 6 }):predict { { 80 } }[1])
   end)

   it("are those of the model in exported programs", function()
      local X, y = wine()
      local Q = few(X)
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "correlation", "hamming",
         "mahalanobis" } do
         for _, weights in ipairs { "uniform", "distance", "tricube" } do
            local settings = { metric = metric, p = 3, weights = weights }
            local model = ml.KNeighborsClassifier(settings):fit(X, y)
            local program = load(model:export_lua())()
            settings.radius = metric == "mahalanobis" and 3 or 0.01
            local within = ml.RadiusNeighborsClassifier(settings):fit(X, y)
            local other = load(within:export_lua())()
            local want, around = model:predict_proba(Q), within:predict_proba(Q)
            for i = 1, 4 do
               local row = Q:row(i):totable()
               support.near_all(want[i], program.predict_proba(row), 1e-14, metric, 1)
               support.near_all(around[i], other.predict_proba(row), 1e-14, metric, 1)
            end
         end
      end
      support.refuses("cannot be exported: the metric haversine", function()
         ml.KNeighborsClassifier { metric = "haversine" }:fit(X:slice(1, X.rows, 1, 2), y):export_lua()
      end)
   end)
end)

describe("pairwise_distances", function()
   it("measures by metrics and by functions, for estimators that take precomputed distances", function()
      local X, Z, y = ml.normal(40, 3, 1), ml.normal(7, 3, 2), {}
      for i = 1, 40 do y[i] = i % 3 end
      local function euclidean(a, b) return (a - b):norm() end
      local D, E = ml.pairwise_distances(X, nil, { metric = euclidean }), ml.pairwise_distances(X)
      support.near_rows(E, D, 1e-14, "distance", 1)
      support.near_rows(ml.pairwise_distances(Z, X), ml.pairwise_distances(Z, X, { metric = euclidean }), 1e-14, "new",
         1)
      local model = ml.KNeighborsClassifier { metric = "precomputed" }:fit(D, y)
      local plain = ml.KNeighborsClassifier {}:fit(X, y)
      assert(model:predict(ml.pairwise_distances(Z, X, { metric = euclidean })) == plain:predict(Z))
      local cubes = ml.pairwise_distances({ { 0, 0 } }, { { 1, 2 } }, { metric = "minkowski", p = 3 })
      assert.near(9 ^ (1 / 3), cubes:get(1, 1), 1e-15)
   end)

   it("explains bad input", function()
      local X = ml.normal(6, 3, 1)
      support.refuses("pairwise_distances: metric must be one of euclidean, ", function()
         ml.pairwise_distances(X, nil, { metric = "far" })
      end)
      local want = "pairwise_distances: metric: the function must return a number >= 0, got nil for rows 1 and 2"
      support.refuses(want, function()
         ml.pairwise_distances(X, nil, { metric = function() end })
      end)
      support.refuses("pairwise_distances: X must have 2 columns, as in fit, got 3", function()
         ml.pairwise_distances(X, ml.normal(3, 2, 1))
      end)
   end)
end)
