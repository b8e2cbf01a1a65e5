local ml = require "manilius"
local support = require "spec.support"

-- A nearest-mean classifier as a user may write it.
local NearestMean = ml.Estimator {
   name = "SpecNearestMean", does = "classify", params = { power = 2, fail = false },
   fit = function(self, X, y)
      if self.fail then error("told to fail") end
      X, y = ml.Matrix(X), ml.Factor(y)
      self.classes, self.means = y.levels, {}
      for c, label in ipairs(y.levels) do
         self.means[c] = X:take(y:eq(label):nonzero()):mean "rows"
      end
      return self
   end,
   predict = function(self, X)
      local out = {}
      X = ml.Matrix(X)
      for i = 1, X.rows do
         local best, least = nil, math.huge
         for c, mean in ipairs(self.means) do
            local far = (X:row(i) - mean):abs():pow(self.power):sum()
            if far < least then best, least = self.classes[c], far end
         end
         out[i] = best
      end
      return ml.Factor(out)
   end,
}

local X, y = { { 0, 0 }, { 0, 1 }, { 9, 9 }, { 9, 8 } }, { "low", "low", "high", "high" }

local refuses = support.refuses_exactly

describe("an estimator of the user", function()
   it("fits, predicts and scores", function()
      local model = NearestMean {}
      assert.equal(model, model:fit(X, y))
      assert.equal("high", model:predict({ { 7, 7 } })[1])
      assert.equal(0.75, model:score(X, { "low", "low", "high", "low" }))
      assert.equal(0.5, model:score(X, { "low", "low", "high", "low" }, { weights = { 1, 1, 0, 2 } }))
      assert.equal(model:predict(X), NearestMean {}:fit_predict(X, y))
   end)

   it("checks the names of its parameters", function()
      local model = NearestMean { power = 1 }
      assert.same({ power = 1, fail = false }, model:get_params())
      assert.equal(3, model:set_params { power = 3 }:get_params().power)
      refuses("SpecNearestMean has no parameter 'pover'; did you mean 'power'?", NearestMean, { pover = 1 })
      refuses("SpecNearestMean has no parameter 'pover'; did you mean 'power'?", model.set_params, model, { pover = 1 })
      assert.equal("SpecNearestMean { power = 3 }", tostring(model))
   end)

   it("requires a name and fit", function()
      refuses("Estimator: name must differ from those of the library, got Ridge", ml.Estimator, { name = "Ridge" })
      refuses("Estimator: name must differ from those of the library, got Pipeline", ml.Estimator,
         { name = "Pipeline" })
      refuses("Estimator: Mine must have a function fit(self, X, y, options)", ml.Estimator, { name = "Mine" })
      refuses("Estimator: name must be a string, got nil", ml.Estimator, {})
   end)

   it("is cloned with its parameters and without its learned fields", function()
      local model = NearestMean { power = 1 }:fit(X, y)
      local copy = model:clone()
      assert.equal(1, copy.power)
      assert.is_nil(copy.means)
      assert.is_false(copy.fitted)
      refuses("SpecNearestMean: call fit before predict", copy.predict, copy, X)
   end)

   it("is unchanged if fit fails", function()
      local model = NearestMean {}:fit(X, y)
      local before = model:predict(X)
      model:set_params { fail = true }
      refuses("told to fail", model.fit, model, { { 100 } }, { "x" })
      assert.is_true(model.fitted)
      assert.equal(before, model:predict(X))
   end)

   it("can be saved and loaded", function()
      local model = NearestMean { power = 1 }:fit(X, y)
      local again = ml.load(model:dump())
      assert.equal(1, again.power)
      assert.equal(model:predict(X), again:predict(X))
   end)
end)

describe("a function of the user that fails", function()
   it("is reported by its own line, not by that of fit", function()
      local failing = ml.FunctionTransformer { func = function()
         local missing = nil
         return missing.column
      end }
      local line = debug.getinfo(1, "l").currentline - 2
      for _, model in ipairs { failing, ml.Pipeline { failing, ml.Ridge {} } } do
         local ok, message = pcall(function()
            local fitted = model:fit_transform { { 1 }, { 2 } } -- no tail call, which has no line
            return fitted
         end)
         assert.is_false(ok)
         assert.matches(("estimator_spec.lua:%d: attempt to index a nil value"):format(line), message, 1, true)
      end
   end)

   it("does not change the line of errors of the library", function()
      local line = debug.getinfo(1, "l").currentline + 2
      local ok, message = pcall(function()
         local model = ml.Pipeline { ml.FunctionTransformer {}, ml.Ridge {} }:fit({ { 1 } }, { 1, 2 })
         return model
      end)
      assert.is_false(ok)
      assert.matches(("estimator_spec.lua:%d: "):format(line), message, 1, true)
   end)
end)

describe("any table with fit and predict", function()
   local Plain = {}
   Plain.__index = Plain
   function Plain:fit(_, answers)
      self.value = ml.Vector(answers):mean()
      return self
   end
   function Plain:predict(data)
      return ml.Vector(ml.Matrix(data).rows, self.value + self.extra)
   end
   local function plain(extra) return setmetatable({ extra = extra, params = { "extra" } }, Plain) end

   it("can be used in a pipeline, cross-validated and searched", function()
      local data, answers = { { 1 }, { 2 }, { 3 }, { 4 } }, { 1, 2, 3, 6 }
      local pipe = ml.Pipeline { ml.StandardScaler {}, { "mean", plain(0) } }:fit(data, answers)
      assert.equal(3, pipe:predict({ { 5 } })[1])
      local cv = ml.cross_validate(pipe, data, answers, { cv = ml.LeaveOneOut {}, scoring = "mse" })
      -- Leave one out: means 11/3, 10/3, 3, 2 predict 1, 2, 3, 6.
      assert.near((64 / 9 + 16 / 9 + 0 + 16) / 4, cv.mean.mse, 1e-12)
      local search = ml.GridSearch { pipe, { mean__extra = { -1, 0, 1 } }, cv = 2, scoring = "mse" }:fit(data, answers)
      -- Folds { 1, 2 } and { 3, 6 }: means 4.5 and 1.5, errors +3 and -3 on average; extra 0 is best.
      assert.same({ mean__extra = 0 }, search.best_params)
   end)

   it("need not declare its parameters", function()
      local Bare = { gain = 1 }
      Bare.__index = Bare
      function Bare:fit(_, answers)
         self.seen[#self.seen + 1] = #answers
         self.mean = ml.Vector(answers):mean()
         return self
      end
      function Bare:predict(rows)
         local out = {}
         for i = 1, #rows do out[i] = self.mean * self.gain end
         return out
      end
      local data, answers = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 } }, { 1, 2, 3, 6 }
      local bare = setmetatable({ seen = {} }, Bare)
      bare.same = bare
      local pipe = ml.Pipeline { ml.StandardScaler {}, { "mean", bare } }:fit(data, answers)
      assert.equal(3, pipe:predict(data)[1])
      assert.near((64 / 9 + 16 / 9 + 0 + 16) / 4,
         ml.cross_validate(bare, data, answers, { cv = ml.LeaveOneOut {}, scoring = "mse" }).mean.mse, 1e-12)
      local search = ml.GridSearch { pipe, { mean__gain = { 0.5, 1, 9 } }, cv = 2, scoring = "mse" }:fit(data, answers)
      -- Folds as above: squared errors 34.25 with half the mean, 41 with the mean.
      assert.same({ mean__gain = 0.5 }, search.best_params)
      assert.same({}, bare.seen)
      refuses("estimator has no parameter 'gian'",
         function() ml.GridSearch { bare, { gian = { 1 } }, cv = 2, scoring = "mse" }:fit(data, answers) end)
   end)

   it("is asked for a parameter of its inner estimator by its full name", function()
      local function search(model, name)
         return function() ml.GridSearch { model, { [name] = { 1 } } } end
      end
      refuses("ConformalRegressor has no parameter 'ridge'; did you mean 'estimator__alpha'?",
         search(ml.ConformalRegressor { ml.Ridge {} }, "ridge__alpha"))
      refuses("BaggingRegressor has no parameter 'ridge'; did you mean 'estimator__ridge__alpha'?",
         search(ml.BaggingRegressor { ml.Pipeline { ml.StandardScaler {}, ml.Ridge {} } }, "ridge__alpha"))
   end)
end)

describe("models of the core", function()
   it("have score and fit_transform, and keep the names of a Frame", function()
      local frame = ml.Frame { a = { 1, 2, 3 }, b = { 10, 20, 60 } }
      local out = ml.StandardScaler {}:fit_transform(frame)
      assert.same({ "a", "b" }, out.names)
      assert.equal(0, out.a[2])
      assert.equal(1, ml.LinearRegression {}:fit(frame, { 2, 3, 4 }):score(frame, { 2, 3, 4 }))
      refuses("LinearRegression: y must have as many rows as X, 3, got 2",
         function() ml.LinearRegression {}:fit(frame, { 2, 3, 4 }):score(frame, { 2, 3 }) end)
   end)

   it("report errors at the position of the call", function()
      local ok, message = pcall(function() ml.StandardScaler {}:transform(ml.Frame { a = { 1 } }) end)
      assert.is_false(ok)
      assert.matches("^spec/compose/estimator_spec.lua:%d+: StandardScaler: call fit before transform$", message)
   end)
end)
