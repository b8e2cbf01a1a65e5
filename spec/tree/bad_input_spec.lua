-- Degenerate and invalid input, for every tree and ensemble of trees.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local near_all, refuses = support.near_all, support.refuses
local nan, huge = 0 / 0, math.huge

-- classes: a classifier; factors, missing: X may have them; root: accepts max_depth = 0; bounds: has min_samples_leaf,
-- min_samples_split and max_leaf_nodes.
local TREES = {
   DecisionTreeClassifier = { classes = true, factors = true, missing = true, root = true, bounds = true },
   DecisionTreeRegressor = { factors = true, missing = true, root = true, bounds = true },
   RandomForestClassifier = { classes = true, factors = true, missing = true, root = true, bounds = true,
      with = { n_estimators = 8, bootstrap = false } },
   RandomForestRegressor = { factors = true, missing = true, root = true, bounds = true,
      with = { n_estimators = 8, bootstrap = false } },
   ExtraTreesClassifier = { classes = true, factors = true, missing = true, root = true, bounds = true,
      with = { n_estimators = 8 } },
   ExtraTreesRegressor = { factors = true, missing = true, root = true, bounds = true, with = { n_estimators = 8 } },
   RotationForestClassifier = { classes = true, root = true, bounds = true, with = { n_estimators = 8 } },
   ID3Classifier = { classes = true, factors = true, root = true },
   C45Classifier = { classes = true, factors = true, missing = true, root = true, with = { min_num_obj = 1 } },
   LinearTreeRegressor = { factors = true, missing = true },
   MondrianForestClassifier = { classes = true, with = { n_estimators = 8 } },
   MondrianForestRegressor = { with = { n_estimators = 8 } },
   AdaptiveRandomForestClassifier = { classes = true, with = { n_estimators = 8 } },
   AdaptiveRandomForestRegressor = { with = { n_estimators = 8 } },
   GradientBoostingClassifier = { classes = true, factors = true, missing = true, with = { n_estimators = 3 } },
   GradientBoostingRegressor = { factors = true, missing = true, with = { n_estimators = 3 } },
   HistGradientBoostingClassifier = { classes = true, missing = true, with = { max_iter = 3 } },
   HistGradientBoostingRegressor = { missing = true, with = { max_iter = 3 } },
}

local function each(wanted, test)
   local names = {}
   for name in pairs(TREES) do names[#names + 1] = name end
   table.sort(names)
   for _, name in ipairs(names) do
      local about = TREES[name]
      if not wanted or about[wanted] then
         test(name, about, function(more)
            local settings = {}
            for key, value in pairs(about.with or {}) do settings[key] = value end
            for key, value in pairs(more or {}) do settings[key] = value end
            return ml[name](settings)
         end)
      end
   end
end

-- Targets of four rows: two classes, or numbers with mean 3.
local function targets(about)
   return about.classes and { "a", "b", "a", "a" } or { 1, 2, 3, 6 }
end

-- Assert that the model predicts these targets as a single leaf.
local function assert_root(name, about, model, X)
   local predicted = about.classes and model:predict_proba(X):col(1) or model:predict(X)
   near_all(ml.Vector(X.rows, about.classes and 0.75 or 3), predicted, 1e-9, name)
end

describe("trees with degenerate X", function()
   it("are all in the list of this file", function()
      for name in pairs(core.constructors) do
         local about = core.describe(name)
         local alike = about.family == "tree" and (about.does.classify or about.does.regress)
         assert(not alike or TREES[name], name .. " is not in the list of this file")
      end
   end)

   it("ignore a column without any value", function()
      local function columns(first)
         local X = {}
         for i = 1, 12 do X[i] = first and { nan, i } or { i } end
         return ml.Matrix(X)
      end
      each(nil, function(name, about, new)
         local y = {}
         for i = 1, 12 do y[i] = about.classes and (i > 6 and "b" or "a") or i end
         if not about.missing then
            refuses(name .. ": X must be finite, got nan in row 1, column 1", function()
               new():fit(columns(true), y)
            end)
            return
         end
         local with, without = new():fit(columns(true), y), new():fit(columns(false), y)
         if name:find "^Random" or name:find "^Extra" then -- columns are drawn at random, so trees differ
            assert(with:score(columns(true), y) > 0.8, name)
         else
            assert.same(without:predict(columns(false)):totable(), with:predict(columns(true)):totable())
         end
         if not name:find "^Hist" then assert.equal(0, with.feature_importances[1]) end
         local only = new():fit({ { nan }, { nan }, { nan }, { nan } }, targets(about))
         assert_root(name, about, only, ml.Matrix { { nan }, { 0 }, { 9 } })
      end)
   end)

   it("are a single leaf if all columns are constant", function()
      each(nil, function(name, about, new)
         local model = new():fit({ { 1, 7 }, { 1, 7 }, { 1, 7 }, { 1, 7 } }, targets(about))
         if name == "MondrianForestClassifier" or name == "AdaptiveRandomForestClassifier" then -- smoothed by design
            assert.same({ "a", "a" }, model:predict({ { 1, 7 }, { 9, 0 } }):totable())
         elseif name == "AdaptiveRandomForestRegressor" then -- its trees see each row a random number of times
            local predicted = model:predict { { 1, 7 }, { 9, 0 } }
            assert.equal(predicted[1], predicted[2])
            near_all({ 3 }, predicted:slice(1, 1), 0.2)
         else
            assert_root(name, about, model, ml.Matrix { { 1, 7 }, { 1, 7 } })
         end
      end)
   end)

   it("refuse infinite values, in fit and in predict", function()
      each(nil, function(name, about, new)
         refuses(name .. ": X must be finite, got inf in row 3, column 1", function()
            new():fit({ { 1 }, { 2 }, { huge }, { -huge } }, targets(about))
         end)
         local model = new():fit({ { 1 }, { 2 }, { 3 }, { 4 } }, targets(about))
         refuses(name .. ": X must be finite, got %-inf in row 2, column 1", function()
            model:predict({ { 1 }, { -huge } })
         end)
      end)
   end)

   it("split numbers near both ends of the range of doubles", function()
      local X = { { -1.7e308 }, { -1e308 }, { 1e308 }, { 1.7e308 } }
      for _, name in ipairs { "DecisionTree", "ExtraTrees" } do
         assert.same({ "a", "b", "a", "a" }, ml[name .. "Classifier"] {}:fit(X, { "a", "b", "a", "a" }):predict(X)
            :totable())
         near_all({ 1, 2, 3, 6 }, ml[name .. "Regressor"] {}:fit(X, { 1, 2, 3, 6 }):predict(X), 1e-12, name)
      end
      assert.same({ "a", "b", "a", "a" }, ml.ID3Classifier {}:fit(X, { "a", "b", "a", "a" }):predict(X):totable())
   end)
end)

describe("trees with degenerate y", function()
   it("refuse values that are missing, infinite, or have no finite square", function()
      local X = { { 1 }, { 2 }, { 3 }, { 4 } }
      each(nil, function(name, about, new)
         local why = about.classes and "y at position 3 is nan, not a label" or ": y must be finite, got nan in row 3"
         refuses(why, function() new():fit(X, about.classes and { "a", "b", nan, "a" } or { 1, 2, nan, 3 }) end)
         refuses(name .. ": y must be finite, got inf in row 3", function() new():fit(X, { 1, 2, huge, 1 }) end)
         if about.classes then return end
         refuses(name .. ": ", function() new():fit(X, { 1.7e308, -1.7e308, 1.7e308, 1e308 }) end)
      end)
      for _, name in ipairs { "DecisionTree", "RandomForest", "ExtraTrees", "MondrianForest" } do
         refuses(name .. "Regressor: y must hold numbers below 1e100 so that their squares are finite, got 1e%+200",
            function() ml[name .. "Regressor"] {}:fit(X, { 1, 2, 1e200, 3 }) end)
      end
      local online = ml.MondrianForestRegressor { n_estimators = 2 }:fit(X, { 1, 2, 3, 4 })
      refuses("y must hold numbers below 1e100", function() online:partial_fit({ { 9 } }, { 1e200 }) end)
      assert.equal(4, online.n_rows)
   end)

   it("refuse a single class, and predict a constant target", function()
      each(nil, function(name, about, new)
         local y = about.classes and { "a", "a", "a", "a" } or { 5, 5, 5, 5 }
         if about.classes then
            refuses(name .. ": y must have at least 2 classes, got 1 class %(a%)", function()
               new():fit({ { 1 }, { 2 }, { 3 }, { 4 } }, y)
            end)
         else
            assert.same({ 5, 5 }, new():fit({ { 1 }, { 2 }, { 3 }, { 4 } }, y):predict({ { 0 }, { 9 } }):totable())
         end
      end)
   end)

   it("regress on a single row", function()
      each(nil, function(name, about, new)
         if about.classes then
            refuses(name .. ": y must have at least 2 classes, got 1", function() new():fit({ { 1, 2 } }, { "a" }) end)
         else
            assert.same({ 5, 5 }, new():fit({ { 1, 2 } }, { 5 }):predict({ { 0, 0 }, { 9, 9 } }):totable())
         end
         refuses(name .. ": X must have at least 1 row, got 0", function() new():fit(ml.zeros(0, 2), {}) end)
      end)
   end)

   it("grow on bootstrap samples with a single class", function()
      local labels, X = { "rare" }, ml.normal(60, 2, 4)
      for i = 2, 60 do labels[i] = "common" end
      for _, name in ipairs { "RandomForestClassifier", "ExtraTreesClassifier" } do
         local forest = ml[name] { n_estimators = 30, bootstrap = true, oob = true, seed = 2 }:fit(X, labels)
         assert.equal("common", forest:predict(X:slice(30, 30))[1])
         for _, row in ipairs(forest:predict_proba(X):totable()) do assert.near(1, row[1] + row[2], 1e-12) end
         assert.near(1 / 60, forest.oob_errors[30], 1e-12) -- trees that did not draw the rare row do not know its class
      end
   end)
end)

describe("trees with degenerate parameters", function()
   local X = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 } }

   it("are a single leaf at depth 0, where that is allowed", function()
      each("root", function(name, about, new)
         assert_root(name, about, new { max_depth = 0 }:fit(X, targets(about)), X)
      end)
      for _, name in ipairs { "GradientBoostingRegressor", "HistGradientBoostingRegressor" } do
         refuses(name .. ": max_depth must be from 1", function() ml[name] { max_depth = 0 } end)
      end
      local one = ml.LinearTreeRegressor { max_depth = 0 }:fit(X, { 1, 2, 3, 6 })
      assert.equal(1, one:nodes().rows)
   end)

   it("have at most one leaf per row, and a single leaf if a leaf or split needs more rows than there are", function()
      each("bounds", function(name, about, new)
         local all = new { max_leaf_nodes = 1000000 }:fit(X, targets(about))
         assert.same(targets(about), all:predict(X):totable())
         assert_root(name, about, new { min_samples_leaf = 1000 }:fit(X, targets(about)), X)
         assert_root(name, about, new { min_samples_split = 1000 }:fit(X, targets(about)), X)
      end)
   end)
end)

describe("trees with factors", function()
   it("separate 60,000 levels, and store them compactly", function()
      local level, labels, numbers = {}, {}, {}
      for i = 1, 60000 do level[i], labels[i], numbers[i] = "level " .. i, i % 3, i % 3 end
      local X = ml.Frame { { "f", ml.Factor(level) } }
      for name, bytes in pairs { DecisionTreeClassifier = 2e6, DecisionTreeRegressor = 2e6, ID3Classifier = 7e6,
         ExtraTreesClassifier = 6e6, ExtraTreesRegressor = 6e6 } do
         local y = name:find "Classifier" and labels or numbers
         local model = ml[name](name:find "Extra" and { n_estimators = 1 } or {}):fit(X, y)
         assert.equal(1, model:score(X, y))
         assert(#model:dump() < bytes, name)
      end
      refuses("a factor in X must have at most max_bins = 255 levels, got 60000", function()
         ml.HistGradientBoostingRegressor {}:fit(X, numbers)
      end)
   end)

   -- With two levels left, every other draw puts both on one side: it must be repeated.
   it("split the levels of every node: extremely randomized trees interpolate their training data", function()
      local level, y = {}, {}
      for i = 1, 40 do level[i], y[i] = "l" .. i, i * 7 % 11 end
      for seed = 1, 20 do
         local two = ml.Frame { { "f", ml.Factor { "p", "q", "p", "q" } } }
         assert.same({ 1, 2 }, ml.ExtraTreesRegressor { n_estimators = 3, seed = seed }:fit(two, { 1, 2, 1, 2 })
            :predict(two:slice(1, 2)):totable())
         local many = ml.Frame { { "f", ml.Factor(level) } }
         near_all(y, ml.ExtraTreesRegressor { n_estimators = 2, seed = seed }:fit(many, y):predict(many), 1e-12, "y")
      end
   end)

   it("predict for levels that were not in the training data", function()
      local f = ml.Factor({ "p", "q", "p", "q" }, { levels = { "a", "p", "q", "z" } })
      local unseen = ml.Frame { { "f", ml.Factor { "a", "z", "p", "q", "new" } } }
      each("factors", function(name, about, new)
         local model = new():fit(ml.Frame { { "f", f } }, about.classes and { "x", "y", "x", "y" } or { 1, 2, 1, 2 })
         if about.classes then
            local shares = model:predict_proba(unseen)
            for i = 1, 5 do assert.near(1, shares:row(i):sum(), 1e-12) end
            assert(shares:get(3, 1) > 0.5 and shares:get(4, 2) > 0.5, name)
         else
            local predicted = model:predict(unseen)
            for i = 1, 5 do assert(predicted[i] >= 1 and predicted[i] <= 2, name) end
            assert(predicted[3] < 1.5 and predicted[4] > 1.5, name)
         end
      end)
   end)
end)
