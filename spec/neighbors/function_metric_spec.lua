-- A Lua function as metric: the results are those of the same metric in C.
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses
local X, species = ml.read_csv "examples/data/iris.csv":split "species"
X = X:matrix()

local function manhattan(a, b) return (a - b):abs():sum() end

local function pair(name, settings)
   local by_name, by_function = { metric = "manhattan" }, { metric = manhattan }
   for key, value in pairs(settings) do by_name[key], by_function[key] = value, value end
   return ml[name](by_name), ml[name](by_function)
end

describe("metric = function", function()
   it("gives the neighbors and predictions of the same metric by name", function()
      local named, own = pair("KNeighborsClassifier", { n_neighbors = 4, weights = "distance" })
      local new = X:slice(1, 20) + 0.05
      support.near_rows(named:fit(X, species):predict_proba(new), own:fit(X, species):predict_proba(new), 1e-12)
      assert.equal(named:score(X, species), own:score(X, species))
      assert.equal(4, own.n_features)
      local nearest, mine = pair("NearestNeighbors", { n_neighbors = 3 })
      support.near_rows(nearest:fit(X):kneighbors(new).distances, mine:fit(X):kneighbors(new).distances, 1e-12)
      support.near_rows(nearest:kneighbors().distances, mine:kneighbors().distances, 1e-12)
   end)

   it("serves cross-validation, pipelines and clusterings", function()
      local named, own = pair("KNeighborsClassifier", { n_neighbors = 5 })
      assert.same(ml.cross_validate(named, X, species).scores.accuracy:totable(),
         ml.cross_validate(own, X, species).scores.accuracy:totable())
      local piped = ml.Pipeline { ml.MinMaxScaler {}, own }:fit(X, species)
      assert.is_true(piped:score(X, species) > 0.9)
      local dense, mine = pair("DBSCAN", { eps = 0.9 })
      assert.equal(dense:fit(X).labels, mine:fit(X).labels)
      local medoids, my_medoids = pair("KMedoids", { n_clusters = 3 })
      assert.equal(medoids:fit(X).labels, my_medoids:fit(X).labels)
   end)

   it("can be changed, cloned and printed, but not saved", function()
      local _, own = pair("KNeighborsClassifier", { n_neighbors = 9 })
      local one = own:clone():set_params { model__n_neighbors = 1 }
      assert.equal(1.0, one:fit(X, species):score(X, species))
      assert.matches("KNeighborsClassifier", tostring(one))
      refuses("it is a function", one.dump, one)
   end)

   it("is refused where distances cannot be given, and if it returns something else", function()
      refuses("KernelDensity: metric must be one of .*, got function$", ml.KernelDensity, { metric = manhattan })
      refuses("constructor", function() ml.DBSCAN {}:set_params { metric = manhattan } end)
      local negative = ml.KNeighborsClassifier { metric = function() return -1 end }
      refuses("^KNeighborsClassifier: metric: the function must return a number >= 0, got %-1 for rows 1 and 2",
         negative.fit, negative, X, species)
      for _, name in ipairs { "KNeighborsClassifier", "NearestNeighbors", "DBSCAN", "KMedoids" } do
         local failing = ml[name] { metric = function() error "no such distance" end }
         refuses("^" .. name .. ": metric: .*no such distance", failing.fit, failing, X, species)
      end
      local _, own = pair("KNeighborsClassifier", {})
      own:fit(X, species)
      refuses("X must have 4 columns, as in fit, got 2", own.predict, own, { { 1, 2 } })
   end)
end)
