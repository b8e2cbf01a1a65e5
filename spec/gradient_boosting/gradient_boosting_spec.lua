-- scikit-learn's values: spec/fixtures/boosting/gradient_boosting.py. Other values are checked against their
-- definition.
local ml = require "manilius"
local compare = require "spec.fixtures.boosting.gradient_boosting_agrees"
local reference = require "spec.fixtures.boosting.gradient_boosting"
local support = require "spec.support"

local nan = 0 / 0

local function agrees(name, model, file, target, weighted)
   local wanted = compare(name, model, file, target, weighted, 1e-8, 1e-3)
   if wanted.importances then
      support.near_all(wanted.importances, model.feature_importances:totable(), 1e-8, name .. " importances", 1e-3)
   end
end

describe("gradient boosting over exact trees agrees with scikit-learn", function()
   it("for each loss of the regressor", function()
      local function check(name, settings, weighted)
         agrees(name, ml.GradientBoostingRegressor(settings), "diabetes", "progression", weighted)
      end
      check("diabetes_squared_error", { min_samples_leaf = 5 })
      check("diabetes_huber", { loss = "huber", min_samples_leaf = 5 })
      check("diabetes_quantile", { loss = "quantile", alpha = 0.8, init = "zero", n_estimators = 20, max_depth = 2,
         min_weight_fraction_leaf = 0.02 }, true)
      check("diabetes_gamma", { loss = "gamma", max_depth = 2, min_samples_leaf = 5 })
      check("diabetes_tweedie", { loss = "tweedie", power = 1.3, max_depth = 2, min_weight_fraction_leaf = 0.02 }, true)
      for _, loss in ipairs { "absolute_error", "quantile" } do
         check("first_" .. loss, { loss = loss, alpha = 0.8, max_depth = 1, n_estimators = 10 })
      end
   end)

   it("with max_leaf_nodes, weights, pruning and init = zero", function()
      local function check(name, settings, weighted)
         agrees(name, ml.GradientBoostingRegressor(settings), "diabetes", "progression", weighted)
      end
      check("diabetes_leaves", { max_depth = 1000, max_leaf_nodes = 7, min_samples_leaf = 5 })
      check("diabetes_weights", { max_depth = 2, min_weight_fraction_leaf = 0.02 }, true)
      check("diabetes_zero", { init = "zero", ccp_alpha = 5, min_samples_leaf = 5 })
   end)

   it("for two and three classes", function()
      for _, loss in ipairs { "log_loss", "exponential" } do
         agrees("breast_" .. loss, ml.GradientBoostingClassifier { loss = loss, n_estimators = 50,
            min_weight_fraction_leaf = 0.02 }, "breast_cancer", "diagnosis", true)
      end
      local small = { n_estimators = 30, max_depth = 2, min_samples_leaf = 5 }
      agrees("iris", ml.GradientBoostingClassifier(small), "iris", "species")
      agrees("wine", ml.GradientBoostingClassifier(small), "wine", "class")
   end)
end)

describe("a leaf", function()
   local y = { 0, 1, 1, 2, 3, 5, 8, 13, 2, 40 }
   local X, below = {}, 5
   for i = 1, #y do X[i] = { i } end

   local formulas = {
      squared_error = function(a, f) return (a - f) ^ 2 / 2 end,
      absolute_error = function(a, f) return math.abs(a - f) end,
      quantile = function(a, f) return math.max(0.7 * (a - f), 0.3 * (f - a)) end,
      poisson = function(a, f) return math.exp(f) - a * f end,
      gamma = function(a, f) return f + a * math.exp(-f) end,
      tweedie = function(a, f) return math.exp(0.3 * f) / 0.3 + a * math.exp(-0.7 * f) / 0.7 end,
   }
   local log_link = { poisson = true, gamma = true, tweedie = true }

   -- One stump with learning rate 1: what each leaf adds must minimize the loss of its rows, and train_score must
   -- be that loss.
   it("minimizes the loss of its rows", function()
      for loss, formula in pairs(formulas) do
         y[1] = loss == "gamma" and 0.5 or 0
         local model = ml.GradientBoostingRegressor { loss = loss, alpha = 0.7, power = 1.7, learning_rate = 1,
            n_estimators = 1, max_leaf_nodes = 2, min_samples_leaf = 3 }:fit(X, y)
         local raw, side, mean = model:predict(X), {}, 0
         for i = 1, #y do
            if log_link[loss] then raw[i] = math.log(raw[i]) end
            side[raw[i]] = side[raw[i]] or {}
            table.insert(side[raw[i]], y[i])
            mean = mean + formula(y[i], raw[i]) / #y
         end
         support.near(mean, model.objective, 1e-12, loss)
         local leaves = 0
         for value, rows in pairs(side) do
            local function total(f)
               local sum = 0
               for _, a in ipairs(rows) do sum = sum + formula(a, f) end
               return sum
            end
            leaves = leaves + 1
            for _, off in ipairs { -1, -1e-3, 1e-3, 1 } do
               assert(total(value + off) >= total(value) - 1e-12, loss .. " is not at its minimum")
            end
         end
         assert.equal(2, leaves, loss)
      end
   end)

   -- Two rows with prediction f are split if the variance of their gradients, a quarter of the squared
   -- difference, is at least min_impurity_decrease.
   it("is split by gradients that match finite differences of the loss", function()
      local two, step = { { 1 }, { 2 } }, 1e-5
      for loss in pairs(log_link) do
         local formula = formulas[loss]
         for _, case in ipairs { { 0.4, 3, 0.7 }, { 2, 2.5, -1 }, { 9, 0.1, 1.5 } } do
            local f, slope = case[3], {}
            for i = 1, 2 do slope[i] = (formula(case[i], f - step) - formula(case[i], f + step)) / (2 * step) end
            for _, share in ipairs { 0.9999, 1.0001 } do
               local model = ml.GradientBoostingRegressor { loss = loss, power = 1.7, n_estimators = 1, max_depth = 1,
                  min_impurity_decrease = share * (slope[1] - slope[2]) ^ 2 / 4 }
               model:fit(two, { case[1], case[2] }, { init_score = { { f }, { f } } })
               assert.equal(share < 1 and 3 or 1, model:trees().nodes.rows, loss)
            end
         end
      end
   end)

   -- The gradients y - exp(F) are split where their variance decreases most; the values are logarithms of ratios.
   it("of poisson is the logarithm of observed over expected counts", function()
      local counts = { 0, 0, 0, 0, 4, 6 }
      local stump = { loss = "poisson", learning_rate = 1, n_estimators = 1, max_depth = 1 }
      local model = ml.GradientBoostingRegressor(stump):fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, counts)
      local mean = 10 / 6
      support.near(math.log(mean), model.start[1], 1e-14)
      support.near(5, model:predict { { 6 } }[1], 1e-14)
      support.near(mean * math.exp(-10), model:predict { { 1 } }[1], 1e-14, "no counts at all: as far as a step goes")
   end)

   it("of a classification loss is one Newton step", function()
      local code, log = {}, math.log
      for i = 1, #y do code[i] = (i <= below or i == 9) and "a" or "b" end
      local p, stump = 0.4, { learning_rate = 1, n_estimators = 1, max_depth = 1 }
      local model = ml.GradientBoostingClassifier(stump):fit(X, code)
      support.near(log(p / (1 - p)), model.start[1], 1e-14)
      support.near(log(p / (1 - p)) - p / (p * (1 - p)), model:decision_function { { 1 } }[1], 1e-12)
      stump.loss = "exponential"
      model = ml.GradientBoostingClassifier(stump):fit(X, code)
      local f = log(p / (1 - p)) / 2
      support.near(f, model.start[1], 1e-14)
      support.near(f - 1, model:decision_function { { 1 } }[1], 1e-12)
      support.near(1 / (1 + math.exp(-2 * (f - 1))), model:predict_proba({ { 1 } }):get(1, 2), 1e-12)
   end)
end)

-- y: a curve with noise.
local function curve(rows, seed)
   local X, noise, y = ml.normal(rows, 3, seed), ml.normal(rows, nil, seed + 50), {}
   for i = 1, rows do y[i] = math.sin(2 * X:get(i, 1)) + X:get(i, 2) ^ 2 + 0.3 * noise[i] end
   return X, y
end

describe("rounds", function()
   it("are returned by staged; the last equals the prediction", function()
      local X, y = curve(200, 1)
      for _, loss in ipairs { "squared_error", "poisson", "gamma", "tweedie" } do
         local counts = {}
         for i = 1, #y do counts[i] = math.max(loss == "gamma" and 1 or 0, math.floor(y[i] + 2)) end
         local model = ml.GradientBoostingRegressor { loss = loss, n_estimators = 15 }:fit(X, counts)
         local stages = model:staged(X)
         assert.equal(15, stages.cols)
         support.near_all(model:predict(X):totable(), stages:col(15):totable(), 1e-13, loss)
      end
      local kinds = {}
      for i = 1, #y do kinds[i] = y[i] > 2 and "high" or y[i] > 0 and "middle" or "low" end
      local model = ml.GradientBoostingClassifier { n_estimators = 6 }:fit(X, kinds)
      local stages, decision = model:staged(X), model:decision_function(X)
      for c = 1, 3 do
         support.near_all(decision:col(c):totable(), stages:col(15 + c):totable(), 1e-13, "class", 1e-3)
      end
   end)

   it("with subsampling are scored on the out-of-bag rows", function()
      local X, y = curve(300, 2)
      local settings = { subsample = 0.6, n_estimators = 60, seed = 4 }
      local model = ml.GradientBoostingRegressor(settings):fit(X, y)
      local fell, score = model.oob_improvement, model.oob_scores
      for i = 2, 60 do support.near(score[i - 1] - score[i], fell[i], 1e-12, "round " .. i, 1) end
      assert(score[60] < 0.5 * score[1] and model.train_score[60] < score[60])
      settings.seed = 5
      assert((ml.GradientBoostingRegressor(settings):fit(X, y):predict(X) - model:predict(X)):abs():max() > 1e-3)
      assert.equal(0, #ml.GradientBoostingRegressor { n_estimators = 2 }:fit(X, y).oob_scores)
   end)

   it("stop when the held-out loss no longer improves", function()
      local X, y = curve(300, 3)
      local stops = { n_estimators = 2000, n_iter_no_change = 5, learning_rate = 0.3 }
      local model = ml.GradientBoostingRegressor(stops):fit(X, y)
      local held = model.validation_trace
      assert(model.converged and model.n_iter < 300, model.n_iter)
      assert.equal(model.n_iter, #held)
      -- The last round does not improve on any of the five improvements before it.
      local best = {}
      for i = 1, #held do
         local better = #best < 5
         for k = 1, #best do better = better or 2 * held[i] + 1e-4 < 2 * best[k] end
         assert.equal(i < #held, better, "round " .. i)
         best[(i - 1) % 5 + 1] = held[i]
      end
      local kinds = {}
      for i = 1, #y do kinds[i] = y[i] > 1 end
      model = ml.GradientBoostingClassifier(stops):fit(X, kinds)
      assert(model.converged and model.n_iter < 300)
   end)

   it("continue with warm_start, with the same loss and rows", function()
      local X, y = curve(150, 4)
      local function bits(settings)
         settings.warm_start, settings.n_estimators = true, 7
         local model = ml.GradientBoostingRegressor(settings):fit(X, y)
         model:set_params({ n_estimators = 30 }):fit(X, y)
         settings.n_estimators = 30
         assert.equal(model:dump(), ml.GradientBoostingRegressor(settings):fit(X, y):dump())
         return model
      end
      bits {}
      bits { subsample = 0.5, max_features = 2, seed = 3 }
      bits { loss = "huber", n_iter_no_change = 3 }
      local model = bits { loss = "absolute_error" }
      model:set_params { n_estimators = 31 }
      local job = model:fit_async(X, y)
      job:wait()
      assert.equal(31, model.n_iter)
      support.refuses("n_estimators must be at least the 31 rounds already fitted %(warm_start%), got 2",
         function() model:set_params({ n_estimators = 2 }):fit(X, y) end)
      model:set_params { n_estimators = 40, subsample = 0.5 }
      support.refuses("loss and subsample must be the same as in the first fit", function() model:fit(X, y) end)
      support.refuses("X must have 3 columns, as in fit", function() model:fit(ml.normal(150, 2, 1), y) end)
   end)
end)

describe("losses with a log link", function()
   it("predict as well as scikit-learn's binned trees (gamma)", function()
      local X, y = support.data("diabetes", "progression")
      local learned, test = {}, {}
      for i = 1, X.rows do table.insert(i % 4 == 1 and test or learned, i) end
      local model = ml.GradientBoostingRegressor { loss = "gamma" }:fit(X:take(learned), y:take(learned))
      local off = ml.metrics.gamma_deviance(y:take(test), model:predict(X:take(test)))
      assert(off < 1.05 * reference.binned_gamma, off)
   end)

   -- For y = 0 the raw prediction decreases in each round, and y exp((1 - power) F) must not become 0 times infinity.
   it("stay finite for rows with y = 0", function()
      local X, y = {}, {}
      for i = 1, 40 do X[i], y[i] = { i }, i <= 20 and 0 or i end
      for _, power in ipairs { 1.01, 1.5, 1.99 } do
         for _, model in ipairs {
            ml.GradientBoostingRegressor { loss = "tweedie", power = power, learning_rate = 1, n_estimators = 400 },
            ml.HistGradientBoostingRegressor { loss = "tweedie", power = power, learning_rate = 1, max_iter = 400,
               min_samples_leaf = 1 },
         } do
            local p = model:fit(X, y):predict(X)
            assert(p[1] < 1e-3 and math.abs(p[40] - 40) < 1e-6, power)
            assert(model.objective < math.huge)
         end
      end
   end)

   it("do not depend on the scale of y", function()
      local X, y = {}, {}
      for i = 1, 30 do X[i], y[i] = { i }, 1 + i % 7 end
      for _, loss in ipairs { "gamma", "poisson", "tweedie" } do
         local made = ml.GradientBoostingRegressor { loss = loss, n_estimators = 8 }
         local p, small = made:fit(X, y):predict(X), {}
         for i = 1, #y do small[i] = y[i] * 2.0 ^ -200 end
         local q = made:fit(X, small):predict(X) * 2.0 ^ 200
         support.near_all(p:totable(), q:totable(), 1e-9, loss)
      end
   end)
end)

describe("gradient boosting", function()
   it("splits missing values and factors as decision trees do", function()
      local labels, numbers, y = {}, {}, {}
      for i = 1, 60 do
         labels[i] = ({ "a", "b", "c", "d" })[i % 4 + 1]
         numbers[i] = i % 5 > 0 and i or nan
         y[i] = (i % 4 == 1 and 5 or i % 4 == 3 and 5 or 0) + (i % 5 == 0 and 2 or 0)
      end
      local X = ml.Frame { { "kind", ml.Factor(labels) }, { "n", numbers } }
      local model = ml.GradientBoostingRegressor { n_estimators = 100, learning_rate = 0.3 }:fit(X, y)
      support.near_all(y, model:predict(X):totable(), 1e-4, "y", 1)
      local warm = ml.GradientBoostingRegressor { n_estimators = 5, warm_start = true }:fit(X, y)
      local other = ml.Frame { { "kind", ml.Factor { "new", "a", "b" } }, { "n", { 1, 2, 3 } } }
      assert.equal(9, warm:set_params({ n_estimators = 9 }):fit(other, { 1, 2, 3 }).n_iter)
   end)

   it("explains predictions with Shapley values", function()
      local X, y = curve(120, 6)
      local model = ml.GradientBoostingRegressor { n_estimators = 20 }:fit(X, y)
      local told, given = model:shap(X), model:predict(X)
      for i = 1, 120, 13 do
         support.near(given[i], told.base[1] + told.values[i]:sum(), 1e-10, "row " .. i, 1)
      end
      local kinds = {}
      for i = 1, #y do kinds[i] = y[i] > 1 and "high" or y[i] > 0 and "middle" or "low" end
      local classes = ml.GradientBoostingClassifier { n_estimators = 10 }:fit(X, kinds)
      local parts, decision = classes:shap(X), classes:decision_function(X)
      for i = 1, 120, 17 do
         for c = 1, 3 do
            local sum = parts.base[c]
            for j = 1, 3 do sum = sum + parts.values:get(i, (c - 1) * 3 + j) end
            support.near(decision:get(i, c), sum, 1e-10, "row " .. i, 1)
         end
      end
      assert.equal(20, model:apply(X).cols)
      support.near(1, model.feature_importances:sum(), 1e-12)
      assert(model.feature_importances[3] < 0.1)
   end)

   it("does not depend on the number of threads", function()
      local X, y = curve(5000, 7)
      support.same_for_any_threads(function()
         return ml.GradientBoostingRegressor { n_estimators = 4, max_depth = 6, subsample = 0.7, max_features = 2 }
            :fit(X, y)
      end)
   end)

   it("fits a constant y, and refuses invalid y and options", function()
      local X = ml.normal(20, 2, 8)
      local same = {}
      for i = 1, 20 do same[i] = 3 end
      for _, loss in ipairs { "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie" } do
         local model = ml.GradientBoostingRegressor { loss = loss, n_estimators = 5 }:fit(X, same)
         support.near(3, model:predict(X)[7], 1e-12, loss)
      end
      support.refuses("y must be >= 0 for loss poisson, got %-1",
         function() ml.GradientBoostingRegressor { loss = "poisson" }:fit({ { 1 }, { 2 } }, { -1, 1 }) end)
      support.refuses("y must be > 0 for loss gamma, got 0",
         function() ml.GradientBoostingRegressor { loss = "gamma" }:fit({ { 1 }, { 2 } }, { 0, 1 }) end)
      support.refuses("y must have at least one value > 0 for loss tweedie",
         function() ml.GradientBoostingRegressor { loss = "tweedie" }:fit({ { 1 }, { 2 } }, { 0, 0 }) end)
      support.refuses("power must be > 1 and < 2, got 2",
         function() ml.GradientBoostingRegressor { power = 2 } end)
      support.refuses("loss exponential requires y with 2 classes, got 3",
         function() ml.GradientBoostingClassifier { loss = "exponential" }:fit({ { 1 }, { 2 }, { 3 } },
            { "a", "b", "c" }) end)
      support.refuses("the predictions diverge; decrease learning_rate", function()
         ml.GradientBoostingRegressor { learning_rate = 1e6 }:fit(X, X:col(1))
      end)
   end)
end)
