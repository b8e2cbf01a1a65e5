local ml = require "manilius"

-- A classifier as a user may write it: the nearest class mean. It checks its arguments.
local NearestMean = {}
NearestMean.__index = NearestMean
NearestMean.__name = "NearestMean"

local function require_that(condition, message)
   if not condition then error(message, 2) end
end

local function rows_of(self, X)
   require_that(getmetatable(X) == "Matrix" or type(X) == "table" and (#X == 0 or type(X[1]) == "table"), "no rows")
   X = getmetatable(X) == "Matrix" and X or ml.Matrix(X)
   require_that(X.rows > 0 and X.cols > 0, "NearestMean: X must have rows and columns")
   require_that(not self.width or X.cols == self.width, "NearestMean: X must be as wide as in fit")
   for _, row in ipairs(X:totable()) do
      for _, value in ipairs(row) do require_that(value - value == 0, "NearestMean: X must be finite") end
   end
   return X
end

local function new_nearest_mean()
   return setmetatable({}, NearestMean)
end

function NearestMean:fit(X, y)
   X = rows_of({}, X)
   require_that(y and #y == X.rows, "NearestMean: y must have as many rows as X")
   local sums, counts, classes = {}, {}, {}
   for i = 1, X.rows do
      local label = y[i]
      require_that(type(label) ~= "number" or math.floor(label) == label and label - label == 0,
         "NearestMean: no label")
      if not sums[label] then
         sums[label], counts[label] = ml.Vector(X.cols, 0), 0
         classes[#classes + 1] = label
      end
      sums[label], counts[label] = sums[label] + X[i], counts[label] + 1
   end
   require_that(#classes > 1, "NearestMean: one class only")
   self.means, self.width = {}, X.cols
   for label, sum in pairs(sums) do self.means[label] = sum / counts[label] end
   return self
end

function NearestMean:predict(X)
   if not self.means then error("NearestMean: call fit before predict", 2) end
   X = rows_of(self, X)
   local labels = {}
   for i = 1, X.rows do
      local min = math.huge
      for label, mean in pairs(self.means) do
         local d = X[i] - mean
         if d:dot(d) < min then min, labels[i] = d:dot(d), label end
      end
   end
   return labels
end

local function failures(report)
   local names = {}
   for _, row in ipairs(report) do
      if row.result == "fails" then names[#names + 1] = row.demand end
   end
   return names
end

describe("ml.check", function()
   it("takes the tags of a composition from its base estimator", function()
      for _, model in ipairs {
         ml.BaggingClassifier {}, ml.BaggingRegressor {}, ml.BaggingRegressor { ml.Ridge {} }, ml.AdaBoostClassifier {},
         ml.AdaBoostRegressor {}, ml.FunctionalGradientBoosting { n_estimators = 5 },
         ml.GridSearch { ml.DecisionTreeRegressor {}, { max_depth = { 1, 2 } }, cv = 3 },
      } do
         ml.check(model):assert()
      end
   end)

   it("checks the contract of an estimator of the core with its parameters", function()
      local report = ml.check(ml.Ridge { alpha = 0.5 })
      assert.same({}, failures(report))
      assert.equal(0, report.failures)
      assert.is_true(#report > 50)
      assert.equal(report, report:assert())
      assert.matches("^Ridge: %d+ checks, 0 failed\n", tostring(report))
      assert.matches("holds  fit returns the model", tostring(report))
   end)

   it("checks an estimator of the user", function()
      local report = ml.check(new_nearest_mean(), { does = "classify" })
      assert.same({}, failures(report))
      assert.is_true(#report > 20)
      assert.equal("NearestMean", report.estimator)
   end)

   it("infers the kind of an estimator made with ml.Estimator", function()
      local Mean = ml.Estimator {
         name = "SpecCheckedMean", does = "regress", params = {},
         fit = function(self, _, y)
            self.mean = ml.Vector(y):mean()
            return self
         end,
         predict = function(self, X) return ml.Vector(#X, self.mean) end,
      }
      local report = ml.check(Mean {})
      local held = {}
      for _, row in ipairs(report) do held[row.demand] = row.result end
      assert.equal("SpecCheckedMean", report.estimator)
      assert.equal("holds", held["fit returns the model"])
      assert.equal("holds", held["every method called too early says to call fit first"])
      assert.equal("fails", held["a regressor fits a linear target"])
      assert.is_nil(held["transform keeps the number of rows"])
   end)

   it("reports what is wrong", function()
      local careless = setmetatable({
         fit = function(self, X, y)
            self.first = y[1]
            X[1][1] = 0
            return self
         end,
         predict = function(self, X)
            local labels = {}
            for i = 1, #X do labels[i] = self.first end
            return labels
         end,
      }, { __name = "Careless" })
      local report = ml.check(careless, { does = "classify" })
      local failed = {}
      for _, name in ipairs(failures(report)) do failed[name] = true end
      assert.is_true(failed["every method called too early says to call fit first"])
      assert.is_true(failed["fit does not modify X and y"])
      assert.is_true(failed["a classifier separates distant classes"])
      assert.is_true(failed["nan in X is an error that names row and column"])
      assert.is_true(failed["a single class is an error that names it"])
      assert.is_nil(failed["fit returns the model"])
      local ok, message = pcall(report.assert, report)
      assert.is_false(ok)
      assert.matches("Careless fails %d+ of %d+ checks", message)
      assert.matches("a classifier separates distant classes: only 0.%d+ of the labels are correct", message)
   end)

   it("does not change the estimator", function()
      local model = ml.Ridge {}:fit({ { 1 }, { 2 }, { 4 } }, { 1, 2, 4 })
      local before, mine = model:dump(), new_nearest_mean()
      ml.check(model)
      ml.check(mine, { does = "classify" })
      assert.equal(before, model:dump())
      assert.is_nil(mine.means)
   end)

   it("requires an estimator and its kind", function()
      assert.error_matches(function() ml.check(3) end,
         "check: model must be an estimator, a table with a method fit, got number")
      assert.error_matches(function() ml.check(new_nearest_mean()) end,
         "check: the kind of NearestMean is unknown; pass ml.check%(model, { does = 'classify' }%)")
   end)
end)
