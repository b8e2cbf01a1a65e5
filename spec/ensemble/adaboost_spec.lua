local ml = require "manilius"
local common = require "spec.ensemble.common"
local fixture = require "spec.fixtures.ensemble.ensembles"
local support = require "spec.support"

local few, refuses = common.every_eleventh, support.refuses

local X, y = common.mixed_iris()
local Xc, yc = support.data("breast_cancer", "diagnosis")
local Xd, yd = support.data("diabetes", "progression")

-- A base without declared support for weights.
local function plain(model, takes)
   return { name = "Plain", takes = takes, clone = function() return plain(model:clone(), takes) end,
      fit = function(self, ...) model:fit(...) return self end,
      predict = function(_, ...) return model:predict(...) end }
end

describe("AdaBoostClassifier", function()
   for name, case in pairs { iris = { X, y, 8, 1 }, cancer = { Xc, yc, 12, 1 }, slow = { Xc, yc, 10, 0.5 } } do
      it("agrees with scikit-learn on stumps: " .. name, function()
         local data, label, rounds, rate = table.unpack(case)
         local wanted = fixture.adaboost[name]
         local boost = ml.AdaBoostClassifier { n_estimators = rounds, learning_rate = rate }:fit(data, label)
         support.near_all(wanted.errors, boost.estimator_errors:totable(), 1e-9, "errors")
         support.near_all(wanted.weights, boost.estimator_weights:totable(), 1e-9, "weights")
         support.near_all(wanted.staged, boost:staged_score(data, label):totable(), 1e-12, "staged scores")
         local decision = boost:decision_function(few(data)):totable()
         local compare = type(decision[1]) == "table" and support.near_rows or support.near_all
         compare(wanted.decision, decision, 1e-9, "decision", 1)
         support.near_rows(wanted.proba, boost:predict_proba(few(data)):totable(), 1e-9, "proba", 1)
         if name == "iris" then return end -- two columns cut setosa off as well, and scikit-learn takes either
         support.near_all(wanted.importances, boost.feature_importances:totable(), 1e-9, "importances", 1)
      end)
   end

   it("follows the formulas of SAMME for a base in Lua with weights", function()
      local data, label = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 } }, { "a", "b", "a", "b" }
      local seen, says = {}, { { "a", "b", "a", "a" }, { "a", "a", "a", "b" }, { "a", "b", "b", "b" } }
      local stump
      stump = { takes = { "weights" }, clone = function() return setmetatable({}, { __index = stump }) end,
         fit = function(self, _, _, options)
            seen[#seen + 1] = options.weights:totable()
            self.round = #seen
            return self
         end,
         predict = function(self) return says[self.round] end }
      local boost = ml.AdaBoostClassifier { stump, n_estimators = 3 }:fit(data, label)
      support.near_all({ 1, 1, 1, 1 }, seen[1], 1e-12)
      support.near_all({ 2 / 3, 2 / 3, 2 / 3, 2 }, seen[2], 1e-12) -- row 4 was wrong: half of all weight is its own
      support.near_all({ 1 / 4, 1 / 6, 1 / 10 }, boost.estimator_errors:totable(), 1e-12)
      support.near_all({ math.log(3), math.log(5), math.log(9) }, boost.estimator_weights:totable(), 1e-12)
      assert.same(label, boost:predict(data):totable())
   end)

   it("equals its last stage, and stage n equals a model of n rounds", function()
      local boost = ml.AdaBoostClassifier { n_estimators = 10 }:fit(Xc, yc)
      local stages = boost:staged_predict(Xc)
      assert.equal(10, #stages)
      assert.equal(boost:predict(Xc), stages[10])
      assert.equal(ml.AdaBoostClassifier { n_estimators = 4 }:fit(Xc, yc):predict(Xc), stages[4])
      assert.equal(boost:decision_function(Xc), boost:staged_decision_function(Xc)[10])
      assert.near(boost:score(Xc, yc), boost:staged_score(Xc, yc)[10], 1e-15)
   end)

   it("treats weights like repeated rows", function()
      local w, often = {}, {}
      for i = 1, Xc.rows do
         w[i] = i * 7 % 4
         for _ = 1, w[i] do often[#often + 1] = i end
      end
      local weighed = ml.AdaBoostClassifier { n_estimators = 6 }:fit(Xc, yc, { weights = w })
      local repeated = ml.AdaBoostClassifier { n_estimators = 6 }:fit(Xc:take(often), yc:take(often))
      support.near_all(repeated.estimator_errors:totable(), weighed.estimator_errors:totable(), 1e-9)
      support.near_all(repeated:decision_function(Xc):totable(), weighed:decision_function(Xc):totable(), 1e-9, "d", 1)
   end)

   it("draws rows by its seed if the base does not support weights", function()
      local function of(seed)
         return ml.AdaBoostClassifier { plain(ml.DecisionTreeClassifier { max_depth = 1 }), n_estimators = 15,
            seed = seed }:fit(Xc, yc)
      end
      local one = of(1)
      assert.equal(one.estimator_errors, of(1).estimator_errors)
      assert.is_false(one.estimator_errors == of(2).estimator_errors)
      assert.is_true(one:score(Xc, yc) > 0.95)
   end)

   it("stops at a perfect model and at one no better than chance", function()
      local boost = ml.AdaBoostClassifier { ml.DecisionTreeClassifier {} }:fit(X, y)
      assert.equal(1, #boost.estimators)
      assert.same({ 0 }, boost.estimator_errors:totable())
      assert.equal(1, boost:score(X, y))
      refuses("AdaBoostClassifier: the first model is no better than chance; choose another estimator", function()
         ml.AdaBoostClassifier {}:fit({ { 0 }, { 0 }, { 0 }, { 0 } }, { "a", "b", "a", "b" })
      end)
   end)

   it("is bit-identical for any number of threads and after loading, and prints", function()
      local boost = ml.AdaBoostClassifier { n_estimators = 5 }
      support.same_for_any_threads(function() return boost:clone():fit(Xc, yc) end)
      local again = ml.load(boost:fit(Xc, yc):dump())
      assert.equal(boost:predict_proba(Xc), again:predict_proba(Xc))
      assert.is_true(boost:dump() == again:dump())
      assert.matches("fitted: 5 models, 30 features, 2 classes$", tostring(again))
   end)

   it("sets the base by estimator__name, names the model that fails, and refuses invalid settings", function()
      local boost = ml.AdaBoostClassifier {}:set_params { estimator__max_depth = 2 }
      assert.equal(2, boost:get_params().estimator__max_depth)
      refuses("AdaBoostClassifier: learning_rate must be a number > 0, got 0", function()
         boost:set_params { learning_rate = 0 }
      end)
      refuses("estimator must classify, got Ridge", function() ml.AdaBoostClassifier { ml.Ridge {} } end)
      refuses("AdaBoostClassifier: member '1': KNeighborsClassifier: ", function()
         ml.AdaBoostClassifier { ml.KNeighborsClassifier { n_neighbors = 999 } }:fit(X, y)
      end)
      refuses("AdaBoostClassifier: call fit before staged_predict", function() boost:staged_predict(X) end)
   end)

   it("calls on_iter in each round, and stops or is cancelled by it", function()
      local errors = {}
      local boost = ml.AdaBoostClassifier { n_estimators = 9 }
      boost:fit(Xc, yc, { on_iter = function(state)
         errors[state.done] = state.objective
         return state.done == 4 and "stop" or nil
      end })
      assert.same(errors, boost.estimator_errors:totable())
      assert.equal(4, #boost.estimators)
      refuses("cancelled by the progress function", function()
         boost:fit(Xc, yc, { on_iter = function() return "cancel" end })
      end)
      assert.equal(4, #boost.estimators)
      local last
      ml.Pipeline { ml.StandardScaler {}, boost }:fit(Xc, yc, { on_iter = function(state) last = state end })
      assert.equal(2, last.done)
      assert.is_number(errors[4])
   end)
end)

describe("AdaBoostRegressor", function()
   local tiny = ml.Vector(fixture.tiny_x):as_column()

   -- Root mean squared errors of 20 seeds on every fourth row, as their mean and deviation.
   local function errors_of(loss, weighted)
      local train, test, w, errors = {}, {}, {}, {}
      for i = 1, Xd.rows do
         if i % 4 == 1 then test[#test + 1] = i else train[#train + 1], w[#w + 1] = i, 1 + (i - 1) % 3 end
      end
      for seed = 0, 19 do
         local boost = ml.AdaBoostRegressor { loss = loss, seed = seed }
         boost:fit(Xd:take(train), yd:take(train), { weights = weighted and w or nil })
         errors[seed + 1] = ml.metrics.rmse(yd:take(test), boost:predict(Xd:take(test)))
      end
      return ml.Vector(errors):mean(), ml.Vector(errors):std(nil, 1)
   end

   for _, loss in ipairs { "linear", "square", "exponential" } do
      it("predicts new rows as well as scikit-learn, averaged over seeds, with " .. loss .. " loss", function()
         for name, wanted in pairs(fixture.drawn[loss]) do
            local mean, std = errors_of(loss, name == "weighted")
            local band = 3 * math.sqrt((std ^ 2 + wanted.std ^ 2) / 20)
            assert(math.abs(mean - wanted.mean) < band,
               ("%s: wanted %.2f, got %.2f, apart by at most %.2f"):format(name, wanted.mean, mean, band))
         end
      end)

      it("follows Drucker's steps with weights instead of resampling and " .. loss .. " loss", function()
         local wanted = fixture.drucker[loss]
         local boost = ml.AdaBoostRegressor { ml.DecisionTreeRegressor { max_depth = 1 }, n_estimators = 6,
            loss = loss, resample = false }:fit(tiny, fixture.tiny_y)
         support.near_all(wanted.errors, boost.estimator_errors:totable(), 1e-9, "errors")
         support.near_all(wanted.weights, boost.estimator_weights:totable(), 1e-9, "weights")
         support.near_all(wanted.predict, boost:predict(tiny):totable(), 1e-9, "predict")
      end)
   end

   it("draws n rows in proportion to the weights of each round", function()
      local n, share = 20000, { 1, 2, 3, 4 }
      local data, target, w, seen = ml.zeros(n, 1), ml.Vector(n), ml.Vector(n), {}
      for i = 1, n do
         local kind = i % 4 + 1
         data:set(i, 1, kind)
         target[i], w[i] = kind ^ 2, share[kind]
      end
      local base
      base = { takes = { "weights" }, clone = function() return setmetatable({}, { __index = base }) end,
         fit = function(self, rows, _, options)
            local count = { 0, 0, 0, 0 }
            for i = 1, rows.rows do count[rows:get(i, 1)] = count[rows:get(i, 1)] + 1 end
            seen[#seen + 1] = { count = count, rows = rows.rows, weights = options and options.weights }
            return self
         end,
         predict = function(_, rows) return rows:col(1) * 2 end }
      local boost = ml.AdaBoostRegressor { base, n_estimators = 3, seed = 5 }:fit(data, target, { weights = w })
      -- The four kinds of rows have errors 1, 0, 3 and 8 in each round.
      local p, loss = { 0.1, 0.2, 0.3, 0.4 }, { 1 / 8, 0, 3 / 8, 1 }
      for m, round in ipairs(seen) do
         assert.is_nil(round.weights)
         assert.equal(n, round.rows)
         local e, total = 0, 0
         for kind = 1, 4 do
            local apart = math.abs(round.count[kind] - n * p[kind])
            assert(apart < 4 * math.sqrt(n * p[kind] * (1 - p[kind])), ("kind %d in round %d"):format(kind, m))
            e = e + p[kind] * loss[kind]
         end
         if e >= 0.5 then break end
         support.near(e, boost.estimator_errors[m], 1e-9)
         for kind = 1, 4 do
            p[kind] = p[kind] * (e / (1 - e)) ^ (1 - loss[kind])
            total = total + p[kind]
         end
         for kind = 1, 4 do p[kind] = p[kind] / total end
      end
   end)

   it("fits all rows with weights if resample = false; the base must support them", function()
      local function boost(base) return ml.AdaBoostRegressor { base, n_estimators = 5, resample = false } end
      local trees = boost(ml.DecisionTreeRegressor { max_depth = 3 })
      assert.equal(trees:clone():fit(Xd, yd):predict(Xd), trees:clone():set_params { seed = 7 }:fit(Xd, yd):predict(Xd))
      refuses("AdaBoostRegressor: resample = false requires an estimator that supports weights, got "
         .. "KNeighborsRegressor",
         function() boost(ml.KNeighborsRegressor {}):fit(Xd, yd) end)
      refuses("AdaBoostRegressor: resample must be true or false, got \"no\"", function()
         ml.AdaBoostRegressor { resample = "no" }
      end)
   end)

   it("is bit-identical for any number of threads, and reads archives without resample", function()
      local boost = ml.AdaBoostRegressor { n_estimators = 5 }
      support.same_for_any_threads(function() return boost:clone():fit(Xd, yd) end)
      assert.is_false(ml.load("spec/fixtures/golden/1/AdaBoostRegressor.mn").resample)
   end)

   it("equals its last stage, and is better than one tree", function()
      local boost = ml.AdaBoostRegressor { n_estimators = 12 }:fit(Xd, yd)
      local stages = boost:staged_predict(Xd)
      assert.equal(boost:predict(Xd), stages[#stages])
      local scores = boost:staged_score(Xd, yd)
      assert.near(boost:score(Xd, yd), scores[#scores], 1e-15)
      assert.is_true(scores[#scores] > scores[1])
      assert.near(1, boost.feature_importances:sum(), 1e-9)
   end)

   -- The weighted median of the first n models by definition: the lowest value whose cumulative weight reaches half.
   local function median(values, weights, n)
      local half, best = 0, math.huge
      for m = 1, n do half = half + weights[m] / 2 end
      for m = 1, n do
         local up_to = 0
         for k = 1, n do up_to = up_to + (values[k] <= values[m] and weights[k] or 0) end
         if up_to >= half - 1e-12 then best = math.min(best, values[m]) end
      end
      return best
   end

   it("predicts the weighted median of its models; each stage is that of a smaller ensemble", function()
      local boost = ml.AdaBoostRegressor { n_estimators = 9, seed = 2 }:fit(Xd, yd)
      local stages, said = boost:staged_predict(Xd), {}
      for m, model in ipairs(boost.estimators) do said[m] = model:predict(Xd) end
      for i = 1, Xd.rows, 5 do
         local values = {}
         for m = 1, #said do values[m] = said[m][i] end
         for n = 1, #said do assert.equal(median(values, boost.estimator_weights, n), stages[n][i]) end
      end
      for _, n in ipairs { 1, 4, 9 } do
         assert.equal(ml.AdaBoostRegressor { n_estimators = n, seed = 2 }:fit(Xd, yd):predict(Xd), stages[n])
      end
   end)

   it("takes the lower median, and treats nan as the largest value", function()
      local core, nan = require "manilius.core", 0 / 0
      local said = { { 3, 1, 2, 2 }, { 1, 2, 3, 4 }, { 4, 3, 2, 1 }, { nan, 5, nan, nan } }
      assert.same({ 2, 2, 2 }, core.running_medians(said, { 1, 1, 1, 1 }):slice(1, 3):totable())
      local stages = core.running_medians(said, { 1, 1, 1, 1 }, true)
      assert.same({ { 3, 1, 2, 2 }, { 1, 1, 2, 2 }, { 4, 3, 3, 2 } }, stages:slice(1, 3):totable())
      assert.equal(5, stages:get(4, 2))
      assert.is_true(stages:get(4, 4) ~= stages:get(4, 4))
      assert.same({ 3, 1 }, core.running_medians({ { 1, 2, 3 }, { 3, 2, 1 } }, { 1, 1, 5 }):totable())
      refuses("must have a weight for each column", function() core.running_medians(said, { 1, 1 }) end)
   end)

   it("draws rows by its seed", function()
      local function of(seed)
         return ml.AdaBoostRegressor { ml.KNeighborsRegressor {}, n_estimators = 5, seed = seed }:fit(Xd, yd)
      end
      assert.equal(of(3):predict(Xd), of(3):predict(Xd))
      assert.is_false(of(3):predict(Xd) == of(4):predict(Xd))
      assert.is_true(of(3):score(Xd, yd) > 0.4)
   end)

   it("equals its first model if that is no better than chance, or perfect", function()
      local mean = plain(ml.LinearRegression {}, { "weights" })
      local boost = ml.AdaBoostRegressor { mean, resample = false }:fit({ { 0 }, { 0 } }, { 0, 1 })
      assert.same({ 0.5, 0.5 }, boost:predict({ { 0 }, { 0 } }):totable())
      boost = ml.AdaBoostRegressor { ml.DecisionTreeRegressor {}, resample = false }:fit({ { 1 }, { 2 } }, { 0, 1 })
      assert.equal(1, #boost.estimators)
      assert.same({ 0, 1 }, boost:predict({ { 1 }, { 2 } }):totable())
      refuses("loss must be linear, square or exponential, got \"linaer\"; did you mean 'linear'", function()
         ml.AdaBoostRegressor { loss = "linaer" }
      end)
   end)
end)
