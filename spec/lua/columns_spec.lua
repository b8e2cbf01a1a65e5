--- Parameters that take columns take them by number and by name, in every estimator.

local ml = require "manilius"
local refuses = dofile("spec/support.lua").refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "hp", "qsec" }, cars.mpg

-- The same fit, by number and by name; `X` and `y` of the classifiers differ.
local function same(by_number, by_name, Z, z)
   local one, other = by_number:fit(Z or X, z or y), by_name:fit(Z or X, z or y)
   assert.same(one:predict(Z or X):totable(), other:predict(Z or X):totable())
   local again = ml.load(other:dump())
   assert.same(other:get_params(), again:get_params())
   assert.equal(tostring(other), tostring(again))
   assert.same(other:predict(Z or X):totable(), other:clone():fit(Z or X, z or y):predict(Z or X):totable())
   return other
end

describe("columns by name", function()
   it("constrain trees and boosting", function()
      local shuffled = ml.Vector(y:totable())
      for i = 1, #shuffled, 3 do shuffled[i] = 40 - shuffled[i] end
      local classes = ml.Factor(cars.am:eq(1):totable())
      for _, name in ipairs { "DecisionTree", "RandomForest", "ExtraTrees", "HistGradientBoosting" } do
         local function regressor(constraint)
            return ml[name .. "Regressor"] { monotonic_cst = constraint, min_samples_leaf = 2 }
         end
         local free = regressor(nil):fit(X, shuffled):predict(X):totable()
         local model = same(regressor { -1, 0, 1 }, regressor { qsec = 1, wt = -1 }, X, shuffled)
         assert.is_false(pcall(assert.same, free, model:predict(X):totable()))
         assert.same({ qsec = 1, wt = -1 }, model.monotonic_cst)
         assert.matches("monotonic_cst = { qsec = 1, wt = %-1 }", (tostring(model):gsub("%s+", " ")))
         same(ml[name .. "Classifier"] { monotonic_cst = { 0, 1, 0 } },
            ml[name .. "Classifier"] { monotonic_cst = { hp = 1 } }, X, classes)
      end
   end)

   it("constrain boosting with robust losses, which recompute leaves", function()
      for _, loss in ipairs { "absolute_error", "huber", "quantile" } do
         same(ml.HistGradientBoostingRegressor { loss = loss, monotonic_cst = { -1, 0, 0 } },
            ml.HistGradientBoostingRegressor { loss = loss, monotonic_cst = { wt = -1 } })
      end
   end)

   it("choose the segmented column and the strata", function()
      local model = same(ml.SegmentedRegression { column = 2 }, ml.SegmentedRegression { column = "hp" })
      assert.equal("hp", model.column)
      assert.equal(1, ml.SegmentedRegression {}.column)
      local strata = cars:select { "wt", "cyl" }
      same(ml.StratifiedRegression { column = 2 }, ml.StratifiedRegression { column = "cyl" }, strata)
   end)

   it("enter MARS linearly", function()
      local model = same(ml.MARS { linpreds = { 1, 3 } }, ml.MARS { linpreds = { "wt", "qsec" } })
      assert.same({ "wt", "qsec" }, model.linpreds)
   end)

   it("form groups of GroupLasso; others are alone", function()
      same(ml.GroupLasso { alpha = 0.3, groups = { 1, 7, 1 } },
         ml.GroupLasso { alpha = 0.3, groups = { wt = 5, qsec = 5 } })
   end)

   it("are offsets and trials of GLM, by number too", function()
      local Z = ml.Frame { { "wt", cars.wt }, { "log_n", cars.hp:log() }, { "n", cars.gear } }
      same(ml.GLM { family = "poisson", offset = 2 }, ml.GLM { family = "poisson", offset = "log_n" }, Z, cars.carb)
      same(ml.PoissonRegressor { offset = 2 }, ml.PoissonRegressor { offset = "log_n" }, Z, cars.carb)
      local model = same(ml.GLM { family = "binomial", trials = 3 }, ml.GLM { family = "binomial", trials = "n" }, Z,
         cars.vs / cars.gear)
      assert.equal("n", model.trials)
      assert.matches("offset: column 2", ml.GLM { family = "poisson", offset = 2 }:fit(Z, cars.carb):summary().text)
   end)

   it("get values by number, for some of them", function()
      local Z = X:matrix()
      for _, name in ipairs { "DecisionTreeRegressor", "HistGradientBoostingRegressor" } do
         local model = same(ml[name] { monotonic_cst = { -1, 0, 1 }, min_samples_leaf = 2 },
            ml[name] { monotonic_cst = { -1, [3] = 1 }, min_samples_leaf = 2 }, Z)
         assert.same({ [1] = -1, [3] = 1 }, model.monotonic_cst)
         assert.matches("monotonic_cst = { %[1%] = %-1, %[3%] = 1 }", (tostring(model):gsub("%s+", " ")))
         model:set_params(model:get_params())
         assert.same({ [1] = -1, [3] = 1 }, model.monotonic_cst)
      end
      same(ml.GroupLasso { alpha = 0.3, groups = { 1, 7, 1 } },
         ml.GroupLasso { alpha = 0.3, groups = { [1] = 5, [3] = 5 } })
      local hours = ml.CyclicalFeatures { max_values = { [2] = 24 } }:fit(Z)
      assert.equal(24, hours.periods[2])
      refuses("monotonic_cst must be from 1 to 3, the number of columns, got 4",
         function() ml.DecisionTreeRegressor { monotonic_cst = { [4] = 1 } }:fit(X, y) end)
      refuses("monotonic_cst must have one number for each of the 3 columns of X, got 2",
         function() ml.DecisionTreeRegressor { monotonic_cst = { 0, 1 } }:fit(X, y) end)
      refuses("monotonic_cst must map names or numbers of columns to numbers, got nan for 3",
         function() ml.DecisionTreeRegressor { monotonic_cst = { [3] = 0 / 0 } } end)
      for _, key in ipairs { 0, -1, 1.5, 2 ^ 53, math.mininteger } do
         refuses("monotonic_cst must map names or numbers of columns to numbers, got 1 for ",
            function() ml.DecisionTreeRegressor { monotonic_cst = { [key] = 1 } } end)
      end
   end)

   it("labels that are numbers are keys of counts", function()
      local labels = { 0, 0, 0, 1, 1 }
      local _, drawn = ml.RandomOverSampler { counts = { [0] = 6 } }:fit_resample(ml.Matrix(5, 2, 1), labels)
      assert.equal(6, drawn:eq(0):sum())
   end)

   it("must be columns of X", function()
      refuses("DecisionTreeRegressor: monotonic_cst must name columns of X, got 'weight'",
         function() ml.DecisionTreeRegressor { monotonic_cst = { weight = 1 } }:fit(X, y) end)
      refuses("HistGradientBoostingRegressor: monotonic_cst must name columns of X, got 'qsek'; did you mean 'qsec'?",
         function() ml.HistGradientBoostingRegressor { monotonic_cst = { qsek = 1 } }:fit(X, y) end)
      refuses("MARS: linpreds must give columns by number, or as x1, x2, ..., because X has no column names, got 'wt'",
         function() ml.MARS { linpreds = { "wt" } }:fit(X:matrix(), y) end)
      refuses("MARS: linpreds must have only numbers or only names",
         function() ml.MARS { linpreds = { "wt", 2 } } end)
      refuses("monotonic_cst must be from %-1 to 1, got 2 for 'wt'", function()
         ml.DecisionTreeRegressor { monotonic_cst = { wt = 2 } }
      end)
      refuses("monotonic_cst must map names of columns to numbers, got 1 for 2",
         function() ml.DecisionTreeRegressor { monotonic_cst = { wt = 1, [2] = 1 } } end)
      refuses("SegmentedRegression: column must be a whole number, got 1.5",
         function() ml.SegmentedRegression { column = 1.5 } end)
      refuses("GLM: offset must be from 1 to 3, the number of columns, got 4",
         function() ml.GLM { offset = 4 }:fit(X, y) end)
   end)
end)
