-- DART and warm_start of histogram boosting. XGBoost's values: spec/fixtures/boosting/boosting.py.
local ml = require "manilius"
local common = require "spec.boosting.common"
local reference = require "spec.fixtures.boosting.boosting"
local support = require "spec.support"

local with = common.with

-- Every fourth row is for testing, as in the script.
local function parts()
   local X, y = support.data("diabetes", "progression")
   local learn, test, learn_y = {}, {}, {}
   for i = 1, X.rows do
      local chosen = i % 4 == 0 and test or learn
      chosen[#chosen + 1] = i
      if i % 4 > 0 then learn_y[#learn_y + 1] = y[i] end
   end
   return X:take(learn), learn_y, X:take(test)
end

describe("dart", function()
   local X, y, X_test = parts()
   local as_xgboost = { booster = "dart", rate_drop = 1, max_iter = 6, learning_rate = 0.5, max_leaf_nodes = 6,
      l2_regularization = 1, min_samples_leaf = 0, min_child_weight = 1 }

   it("agrees with XGBoost when every round is dropped", function()
      for _, kind in ipairs { "tree", "forest" } do
         local model = ml.HistGradientBoostingRegressor(with(as_xgboost, { normalize_type = kind })):fit(X, y)
         local given = table.move(model:predict(X_test):totable(), 1, 40, 1, {})
         support.near_all(reference["dart_" .. kind], given, 1e-6, kind)
      end
   end)

   -- Later rounds scale the trees of earlier ones; `staged` must undo that.
   it("returns the prediction after each round", function()
      local labels = {}
      for i = 1, #y do labels[i] = y[i] < 100 and "low" or y[i] < 180 and "middle" or "high" end
      local settings = { booster = "dart", rate_drop = 0.4, max_iter = 12, max_leaf_nodes = 5 }
      local whole = ml.HistGradientBoostingRegressor(settings):fit(X, y)
      local classes = ml.HistGradientBoostingClassifier(settings):fit(X, labels)
      local stages, stages_of_classes = whole:staged(X_test), classes:staged(X_test)
      for _, rounds in ipairs { 1, 5, 11, 12 } do
         local short = with(settings, { max_iter = rounds })
         local one = ml.HistGradientBoostingRegressor(short):fit(X, y):predict(X_test)
         support.near_all(one:totable(), stages:col(rounds):totable(), 1e-12, "round " .. rounds)
         local three = ml.HistGradientBoostingClassifier(short):fit(X, labels):decision_function(X_test)
         for c = 1, 3 do
            support.near_all(three:col(c):totable(), stages_of_classes:col(3 * (rounds - 1) + c):totable(), 1e-10,
               "class", 1)
         end
      end
   end)

   it("equals gbtree if nothing is dropped", function()
      local plain = ml.HistGradientBoostingRegressor { max_iter = 8 }:fit(X, y):predict(X_test):totable()
      for _, none in ipairs { { rate_drop = 0 }, { rate_drop = 1, skip_drop = 1 } } do
         local dart = ml.HistGradientBoostingRegressor(with(none, { booster = "dart", max_iter = 8 })):fit(X, y)
         assert.same(plain, dart:predict(X_test):totable())
      end
      local one = ml.HistGradientBoostingRegressor { booster = "dart", rate_drop = 0, one_drop = true, max_iter = 2 }
      local values = one:fit(X, y):staged(X)
      -- The second round drops the first and is grown from the same gradients: the same tree, with weights k /
      -- (k + e) and 1 / (k + e) for k = 1 and e = 0.1.
      local start = one.start[1]
      for i = 1, 9 do
         support.near((values:get(i, 1) - start) * (1 + 1) / 1.1, values:get(i, 2) - start, 1e-9, "row " .. i, 1)
      end
   end)

   it("does not depend on the number of threads, and survives saving", function()
      local big = ml.normal(6000, 4, 1)
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingRegressor { booster = "dart", rate_drop = 0.3, max_iter = 8 }:fit(big,
            big:col(1))
      end)
      local model = ml.HistGradientBoostingRegressor(as_xgboost):fit(X, y)
      local again = ml.load(model:dump())
      assert.same(model:staged(X_test):col(3):totable(), again:staged(X_test):col(3):totable())
   end)
end)

describe("warm_start", function()
   local X, y = parts()

   it("gives exactly the result of one longer fit", function()
      for _, settings in ipairs {
         {}, { booster = "dart", rate_drop = 0.3 }, { loss = "absolute_error" },
         { subsample = 0.5, colsample_bytree = 0.5, colsample_bynode = 0.7, seed = 9 },
         { early_stopping = "yes", n_iter_no_change = 4, booster = "dart", subsample = 0.7 },
      } do
         settings = with(settings, { warm_start = true, max_iter = 5 })
         local model = ml.HistGradientBoostingRegressor(settings):fit(X, y)
         for _, rounds in ipairs { 11, 11, 30 } do model:set_params({ max_iter = rounds }):fit(X, y) end
         settings.max_iter = 30
         assert.equal(model:dump(), ml.HistGradientBoostingRegressor(settings):fit(X, y):dump())
      end
   end)

   it("keeps factors, missing values and classes, and treats new levels as missing", function()
      local kinds, numbers, labels = {}, {}, {}
      for i = 1, 120 do
         kinds[i], numbers[i] = ({ "a", "b", "c" })[i % 3 + 1], i % 7 > 0 and i or 0 / 0
         labels[i] = i % 3 == 0 and "u" or i % 7 == 0 and "v" or "w"
      end
      local frame = ml.Frame { { "kind", ml.Factor(kinds) }, { "n", numbers } }
      local settings = { warm_start = true, max_iter = 4, min_samples_leaf = 5 }
      local model = ml.HistGradientBoostingClassifier(settings):fit(frame, labels)
      model:set_params({ max_iter = 9 }):fit(frame, labels)
      settings.max_iter = 9
      assert.equal(model:dump(), ml.HistGradientBoostingClassifier(settings):fit(frame, labels):dump())
      local other = ml.Frame { { "kind", ml.Factor { "new", "a", "b", "new" } }, { "n", { 1, 2, 3, 4 } } }
      model:set_params({ max_iter = 12 }):fit(other, { "u", "v", "u", "u" })
      assert.equal(12, model.n_iter)
      assert.same({ "u", "v", "w" }, model.classes)
      support.refuses("y must", function() model:set_params({ max_iter = 13 }):fit(other, { "u", "v", "x", "u" }) end)
      assert.equal(12, model.n_iter)
   end)

   it("refuses fewer rounds than fitted, and a change of the held-out rows", function()
      local model = ml.HistGradientBoostingRegressor { warm_start = true, max_iter = 6 }:fit(X, y)
      support.refuses("max_iter must be at least the 6 rounds already fitted %(warm_start%), got 2",
         function() model:set_params({ max_iter = 2 }):fit(X, y) end)
      model:set_params { max_iter = 9, early_stopping = "yes" }
      support.refuses("early_stopping and eval must be the same as in the first", function() model:fit(X, y) end)
      support.refuses("X must have 10 columns", function() model:fit(ml.normal(20, 3, 1), ml.normal(20, nil, 2)) end)
      assert.equal(6, model.n_iter)
      model:set_params { warm_start = false, early_stopping = "no", max_iter = 3 }
      assert.equal(3, model:fit(X, y).n_iter)
   end)
end)

describe("a boosted model", function()
   -- conformance_spec tests the default options; this tests the others.
   it("keeps the old model if an allocation fails with warm_start, dart, early stopping or ranking", function()
      local faults = require "spec.conformance.faults"
      local X = ml.normal(40, 2, 3)
      local y, labels = {}, {}
      for i = 1, 40 do y[i], labels[i] = i % 4, ({ "a", "b", "c" })[i % 3 + 1] end
      local few = { warm_start = true, max_iter = 2, min_samples_leaf = 4, booster = "dart", rate_drop = 0.9 }
      local exact = { warm_start = true, n_estimators = 2, subsample = 0.7, n_iter_no_change = 2, ccp_alpha = 0.01 }
      for _, case in ipairs {
         { ml.HistGradientBoostingRegressor(with(few, { early_stopping = "yes", loss = "quantile" })), y },
         { ml.HistGradientBoostingClassifier(few), labels },
         { ml.HistGradientBoostingRanker(with(few, { early_stopping = "yes" })), y, { lengths = { 9, 11, 20 } } },
         { ml.GradientBoostingRegressor(with(exact, { loss = "huber" })), y },
         { ml.GradientBoostingClassifier(exact), labels },
      } do
         local model, answers, options = table.unpack(case)
         model:fit(X, answers, options)
         model:set_params { [model.class:find "^Hist" and "max_iter" or "n_estimators"] = 4 }
         local state = model:dump()
         faults.in_turn(model.class, function() model:clone():fit(X, answers, options):fit(X, answers, options) end)
         faults.in_turn(model.class .. " that goes on", function()
            local again = ml.load(state)
            local ok, message = pcall(again.fit, again, X, answers, options)
            if ok then return end
            assert.equal(#state, #again:dump())
            error(message, 0)
         end)
      end
   end)
end)
