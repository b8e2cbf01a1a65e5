-- Values of other libraries: spec/fixtures/boosting/boosting.py. Other values are computed here.
local ml = require "manilius"
local common = require "spec.boosting.common"
local reference = require "spec.fixtures.boosting.boosting"
local support = require "spec.support"

local few, with = common.few_values, common.with
local nan = 0 / 0

-- Every fourth row is for testing, as in the script.
local function parts(name, target, rows)
   local X, y = support.data(name, target)
   local learn, test, learn_y, test_y = {}, {}, {}, {}
   for i = 1, rows or X.rows do
      local chosen, labels = learn, learn_y
      if i % 4 == 0 then chosen, labels = test, test_y end
      chosen[#chosen + 1] = i
      labels[#labels + 1] = y[i]
   end
   return X:take(learn), learn_y, X:take(test), test_y
end

local function log_loss(model, X, y)
   local p, column, sum = model:predict_proba(X), {}, 0
   for c, label in ipairs(model.classes) do column[label] = c end
   for i = 1, X.rows do sum = sum - math.log(p:get(i, column[y[i]])) end
   return sum / X.rows
end

local as_xgboost = { l2_regularization = 1, min_samples_leaf = 0, min_child_weight = 1, early_stopping = "no" }

local function head(v, n)
   return v:totable() and table.move(v:totable(), 1, n, 1, {})
end

describe("histogram gradient boosting compared with other libraries", function()
   it("has XGBoost's log loss with equal settings, within 0.002 or better", function()
      for name, target in pairs { breast_cancer = "diagnosis", wine = "class", digits = "digit" } do
         local X, y, X_test, y_test = parts(name, target)
         local model = ml.HistGradientBoostingClassifier(as_xgboost):fit(X, y)
         local wanted, got = reference[name:gsub("_cancer", "")], log_loss(model, X_test, y_test)
         assert(got <= wanted + 0.002, ("%s: XGBoost %.5f, ours %.5f"):format(name, wanted, got))
      end
   end)

   it("agrees with a single tree of XGBoost", function()
      local X, y, X_test = parts("diabetes", "progression")
      local model = ml.HistGradientBoostingRegressor(with(as_xgboost,
         { max_iter = 1, learning_rate = 1, max_leaf_nodes = 6 })):fit(X, y)
      support.near_all(reference.one_tree, head(model:predict(X_test), 40), 1e-6)
   end)

   -- The gradient of a residual of 0 is 0 here and -1 in scikit-learn, so the trees differ.
   it("has scikit-learn's absolute error, or less", function()
      local X, y, X_test, y_test = parts("diabetes", "progression")
      local model = ml.HistGradientBoostingRegressor { loss = "absolute_error", max_iter = 20 }:fit(X, y)
      local given = model:predict(X_test)
      local ours = (given - ml.Vector(y_test)):abs():mean()
      assert(ours <= 1.02 * reference.sklearn_absolute, ("ours %g, scikit-learn %g"):format(ours,
         reference.sklearn_absolute))
   end)

   it("has scikit-learn's pinball loss, or less", function()
      local X, y, X_test, y_test = parts("diabetes", "progression")
      local low = ml.HistGradientBoostingRegressor { loss = "quantile", quantile = 0.2, max_iter = 20 }:fit(X, y)
         :predict(X_test)
      local rest = ml.Vector(y_test) - low
      local ours = (rest * 0.2):maximum(rest * -0.8):mean()
      assert(ours <= 1.02 * reference.sklearn_quantile, ("ours %g, scikit-learn %g"):format(ours,
         reference.sklearn_quantile))
   end)

   it("agrees with XGBoost with penalties, depth-wise growth, constraints, and for positive y", function()
      local X, y, X_test = parts("diabetes", "progression")
      local function check(name, more)
         local settings = with(with(as_xgboost, { max_iter = 3, learning_rate = 0.5, max_leaf_nodes = 8 }), more)
         support.near_all(reference["xgboost_" .. name],
            head(ml.HistGradientBoostingRegressor(settings):fit(X, y):predict(X_test), 40), 1e-5, name)
      end
      -- XGBoost's gamma is twice min_split_gain.
      check("penalties", { l1_regularization = 50, min_split_gain = 4000, l2_regularization = 5,
         min_child_weight = 12 })
      check("depth", { grow = "depth", max_depth = 3 })
      check("monotone", { monotonic_cst = { 0, 0, 1, 1, -1, 0, 0, 0, 0, 0 } })
      check("together", { interaction_cst = { { 0, 0, 1, 1, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 1, 1, 0, 0, 1, 0 } } })
      check("tweedie", { loss = "tweedie", power = 1.3, min_child_weight = 0.001 })
      check("gamma", { loss = "gamma" })
   end)

   it("agrees with scikit-learn with default settings", function()
      local X, y, X_test = parts("diabetes", "progression")
      local function check(loss, wanted, tolerance)
         local model = ml.HistGradientBoostingRegressor { loss = loss, max_iter = 20 }:fit(X, y)
         support.near_all(wanted, head(model:predict(X_test), 40), tolerance, loss)
      end
      check("squared_error", reference.sklearn_diabetes, 1e-5)
      check("poisson", reference.sklearn_poisson, 1e-5)
      check("gamma", reference.sklearn_gamma, 1e-5)
      X, y, X_test = parts("breast_cancer", "diagnosis", 320)
      local model = ml.HistGradientBoostingClassifier { max_iter = 20 }:fit(X, y)
      support.near_all(reference.sklearn_breast, head(model:predict_proba(X_test):col(2), 40), 1e-5)
   end)
end)

-- The regularized gain of a split (Chen & Guestrin 2016, equation 7) for squared error.
local function gain_of(left, right, lambda, gamma)
   local function score(g) return g.sum ^ 2 / (g.n + lambda) end
   local all = { sum = left.sum + right.sum, n = left.n + right.n }
   return (score(left) + score(right) - score(all)) / 2 - gamma
end

local function sums(g, goes_left)
   local left, right = { sum = 0, n = 0 }, { sum = 0, n = 0 }
   for i = 1, #g do
      local side = goes_left(i) and left or right
      side.sum, side.n = side.sum + g[i], side.n + 1
   end
   return left, right
end

describe("a split", function()
   it("maximizes the regularized gain over all thresholds", function()
      for seed = 1, 5 do
         local X, y = few(40, seed)
         local lambda, gamma = 0.5, 0.1
         local model = ml.HistGradientBoostingRegressor {
            max_iter = 1, max_leaf_nodes = 2, min_samples_leaf = 3, l2_regularization = lambda, min_split_gain = gamma,
         }:fit(X, y)
         local g, mean, best = {}, ml.Vector(y):mean(), { gain = 0 }
         for i = 1, #y do g[i] = mean - y[i] end
         for j = 1, 3 do
            for t = 1, 4 do
               local left, right = sums(g, function(i) return X[i][j] <= t end)
               local gain = gain_of(left, right, lambda, gamma)
               if left.n >= 3 and right.n >= 3 and gain > best.gain then
                  best = { gain = gain, feature = j, threshold = t, left = left, right = right }
               end
            end
         end
         support.near(best.gain, model.gain[1], 1e-9)
         for i = 1, #X do
            local side = X[i][best.feature] <= best.threshold and best.left or best.right
            support.near(mean - 0.1 * side.sum / (side.n + lambda), model:predict { X[i] }[1], 1e-9)
         end
      end
   end)

   it("sends missing values to the side with the larger gain", function()
      local X = { { 1 }, { 1 }, { 2 }, { 2 }, { nan }, { nan } }
      local settings = { max_iter = 1, learning_rate = 1, min_samples_leaf = 1, max_leaf_nodes = 2 }
      local low = ml.HistGradientBoostingRegressor(settings):fit(X, { 0, 0, 9, 9, 0, 0 })
      support.near_all({ 0, 9, 0 }, low:predict { { 1 }, { 2 }, { nan } }:totable(), 1e-12, "low", 1)
      local high = ml.HistGradientBoostingRegressor(settings):fit(X, { 0, 0, 9, 9, 9, 9 })
      support.near_all({ 0, 9, 9 }, high:predict { { 1 }, { 2 }, { nan } }:totable(), 1e-12, "high", 1)
      local alone = ml.HistGradientBoostingRegressor(settings):fit(X, { 0, 0, 0, 0, 9, 9 })
      support.near_all({ 0, 0, 9 }, alone:predict { { 1 }, { 2 }, { nan } }:totable(), 1e-12, "alone", 1)
   end)

   it("of a factor is the best over all sets of levels", function()
      local names, n = { "a", "b", "c", "d", "e" }, 30
      local u, labels, y = ml.random(n, 2, 3), {}, {}
      for i = 1, n do
         local k = math.floor(u:get(i, 1) * 5) + 1
         labels[i], y[i] = names[k], ({ 3, -1, 2, -4, 0 })[k] + u:get(i, 2)
      end
      local model = ml.HistGradientBoostingRegressor { max_iter = 1, max_leaf_nodes = 2, min_samples_leaf = 1,
         cat_smooth = 0 }:fit(ml.Frame { { "x", ml.Factor(labels) } }, y)
      local g, mean, best, place = {}, ml.Vector(y):mean(), 0, {}
      for k, name in ipairs(names) do place[name] = k - 1 end
      for i = 1, n do g[i] = mean - y[i] end
      for set = 1, 30 do
         local left, right = sums(g, function(i) return set >> place[labels[i]] & 1 == 1 end)
         if left.n > 0 and right.n > 0 then best = math.max(best, gain_of(left, right, 0, 0)) end
      end
      support.near(best, model.gain[1], 1e-9)
   end)

   it("soft-thresholds the gradients by the L1 penalty", function()
      local X, y = { { 1 }, { 1 }, { 2 }, { 2 } }, { 0, 0, 4, 4 }
      local model = ml.HistGradientBoostingRegressor { max_iter = 1, learning_rate = 1, min_samples_leaf = 1,
         l1_regularization = 1 }:fit(X, y)
      support.near_all({ 0.5, 3.5 }, model:predict { { 1 }, { 2 } }:totable(), 1e-12)
   end)
end)

describe("losses", function()
   local formulas = {
      squared_error = function(y, f) return (y - f) ^ 2 / 2 end,
      absolute_error = function(y, f) return math.abs(y - f) end,
      huber = function(y, f)
         local r = math.abs(y - f)
         return r <= 1 and r ^ 2 / 2 or r - 0.5
      end,
      quantile = function(y, f) return math.max(0.3 * (y - f), 0.7 * (f - y)) end,
      poisson = function(y, f) return math.exp(f) - y * f end,
      gamma = function(y, f) return f + y * math.exp(-f) end,
      tweedie = function(y, f) return math.exp(0.5 * f) / 0.5 + y * math.exp(-0.5 * f) / 0.5 end,
   }
   local curved = { squared_error = true, poisson = true, gamma = true, tweedie = true }

   -- A single leaf takes one Newton step, from which gradient and Hessian follow by the formula.
   it("have the gradients and Hessians of their formulas", function()
      local X, y = { { 0 }, { 0 }, { 0 }, { 0 } }, { 0.5, 1, 2, 6 }
      for loss, formula in pairs(formulas) do
         local settings = { loss = loss, quantile = 0.3, learning_rate = 1, max_iter = 1, min_samples_leaf = 1,
            l2_regularization = 3 }
         local model = ml.HistGradientBoostingRegressor(settings):fit(X, y)
         local log = loss == "poisson" or loss == "gamma" or loss == "tweedie"
         local f, first, second, e = model.start[1], 0, 0, 1e-4
         for _, value in ipairs(y) do
            local low, mid, high = formula(value, f - e), formula(value, f), formula(value, f + e)
            first, second = first + (high - low) / (2 * e), second + (high - 2 * mid + low) / e ^ 2
         end
         local got = model:predict { { 0 } }[1]
         if curved[loss] then
            support.near(f - first / (second + 3), log and math.log(got) or got, 1e-5, loss, 1)
         end
         local mean = 0
         for _, value in ipairs(y) do mean = mean + formula(value, log and math.log(got) or got) / #y end
         support.near(mean, model.objective, 1e-9, loss)
      end
   end)

   it("start and end at the minimum of the Huber loss", function()
      local fixture = require "spec.fixtures.boosting.huber_boosting"
      local X = ml.Vector(fixture.x):as_column()
      for i, case in ipairs(fixture.cases) do
         local model = ml.HistGradientBoostingRegressor { loss = "huber", delta = case.delta, learning_rate = 1,
            max_iter = 1, max_leaf_nodes = 2, min_samples_leaf = 1, l1_regularization = case.l1,
            l2_regularization = case.l2 }:fit(X, fixture.y, { weights = case.weighted == 1 and fixture.w or nil })
         support.near(case.start, model.start[1], 1e-12, ("start %d"):format(i))
         support.near_all(case.predict, model:predict({ { 0 }, { 1 } }):totable(), 1e-12, ("case %d"):format(i))
      end
   end)

   it("equal squared_error if delta exceeds all residuals (huber)", function()
      local X, y = few(300, 9)
      local function predictions(settings)
         return ml.HistGradientBoostingRegressor(settings):fit(X, y):predict(X):totable()
      end
      support.near_all(predictions { max_iter = 20, l2_regularization = 1 },
         predictions { max_iter = 20, l2_regularization = 1, loss = "huber", delta = 1e6 }, 1e-9, "predictions", 1)
   end)

   it("do not depend on the number of threads (huber)", function()
      local X = ml.random(20000, 3, 4)
      local y = X:col(1) * 5 + ml.normal(20000, nil, 5)
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingRegressor { loss = "huber", max_iter = 3, delta = 0.5 }:fit(X, y)
      end)
   end)

   -- The same for classes, whose best constant is the start: two leaves, and the log loss of each as a function
   -- of F_c. For more than two classes the Hessian is doubled (boost_loss_kernel.c).
   it("have the gradient and Hessian of the log loss", function()
      local X, e = { { 0 }, { 0 }, { 0 }, { 1 }, { 1 }, { 1 }, { 1 } }, 1e-4
      for _, y in ipairs { { "a", "b", "a", "b", "b", "b", "a" }, { "a", "b", "a", "c", "b", "c", "c" } } do
         local model = ml.HistGradientBoostingClassifier { learning_rate = 1, max_iter = 1, min_samples_leaf = 1,
            l2_regularization = 3, max_leaf_nodes = 2 }:fit(X, y)
         local k, start = #model.start, model.start
         local function loss(label, c, step)
            local f, all = {}, 0
            for j = 1, k do f[j] = start[j] + (j == c and step or 0) end
            if k == 1 then f = { 0, f[1] } end
            for j = 1, #f do all = all + math.exp(f[j]) end
            for j, name in ipairs(model.classes) do
               if name == label then return math.log(all) - f[j] end
            end
         end
         for c = 1, k do
            for _, side in ipairs { 0, 1 } do
               local first, second = 0, 0
               for i = 1, #y do
                  if X[i][1] == side then
                     local low, mid, high = loss(y[i], c, -e), loss(y[i], c, 0), loss(y[i], c, e)
                     first, second = first + (high - low) / (2 * e), second + (high - 2 * mid + low) / e ^ 2
                  end
               end
               local raw = model:decision_function { { side } }
               local got = k == 1 and raw[1] or raw:get(1, c)
               support.near(start[c] - first / ((k > 1 and 2 or 1) * second + 3), got, 1e-6, "class " .. c, 1)
            end
         end
      end
   end)

   it("never increase with a small learning rate", function()
      local X, y = few(300, 9)
      local y_positive = ml.Vector(y) - ml.Vector(y):min() + 1
      for loss in pairs(formulas) do
         local trace = ml.HistGradientBoostingRegressor { loss = loss, quantile = 0.3, max_iter = 60 }
            :fit(X, y_positive).trace
         for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-12), loss .. " rises in round " .. i) end
         assert(trace[#trace] < 0.98 * trace[1], loss .. " does not fall")
      end
      local code = {}
      for i, value in ipairs(y) do code[i] = value > 4 and "high" or value > -1 and "middle" or "low" end
      local trace = ml.HistGradientBoostingClassifier { max_iter = 60 }:fit(X, code).trace
      for i = 2, #trace do assert(trace[i] < trace[i - 1], "softmax rises in round " .. i) end
   end)

   it("of a quantile leave that fraction of y below the prediction", function()
      local X, y = ml.normal(2000, 2, 4), {}
      local noise = ml.random(2000, nil, 5)
      for i = 1, 2000 do y[i] = X:get(i, 1) + noise[i] end
      local f = ml.HistGradientBoostingRegressor { loss = "quantile", quantile = 0.8 }:fit(X, y):predict(X)
      local below = 0
      for i = 1, 2000 do below = below + (y[i] <= f[i] and 1 or 0) end
      support.near(0.8, below / 2000, 0.03)
   end)

   it("refuse invalid y", function()
      local function fit(loss, y)
         return function() ml.HistGradientBoostingRegressor { loss = loss }:fit({ { 1 }, { 2 } }, y) end
      end
      support.refuses("y must be >= 0 for loss poisson, got %-1", fit("poisson", { -1, 1 }))
      support.refuses("y must be > 0 for loss gamma, got 0", fit("gamma", { 0, 1 }))
      support.refuses("y must have at least one value > 0 for loss tweedie", fit("tweedie", { 0, 0 }))
   end)
end)

describe("too large a learning rate", function()
   it("is reported when predictions overflow", function()
      local X = ml.normal(50, 2, 1)
      support.refuses("HistGradientBoostingRegressor: the predictions diverge; decrease learning_rate",
         function() ml.HistGradientBoostingRegressor { learning_rate = 1e6 }:fit(X, X:col(1)) end)
   end)
end)

describe("rows predicted with certainty", function()
   -- As in XGBoost, nodes (the root too) with less than min_child_weight have the value 0; -g / h would reach 1e300.
   it("do not give an unsplit tree a huge value", function()
      local X, three, two = ml.normal(30, 3, 1), {}, {}
      for i = 1, 30 do three[i], two[i] = i % 3, i % 2 end
      for _, y in ipairs { three, two } do
         for seed = 1, 5 do
            local model = ml.HistGradientBoostingClassifier { learning_rate = 0.8, subsample = 0.5, max_iter = 40,
               min_samples_leaf = 1, seed = seed }:fit(X, y)
            local decision = model:decision_function(X)
            -- a leaf is within 30 * 0.8 / min_child_weight
            for i = 1, 30 do assert(math.abs(y == three and decision:get(i, 1) or decision[i]) < 24000) end
         end
      end
   end)
end)

describe("constraints", function()
   it("bound leaves of absolute_error, quantile and huber in the unit of y", function()
      local X = ml.random(400, 2, 1)
      local y = X:col(1) * 3 + (X:col(2) * 6):sin() / 2 + ml.normal(400, nil, 5) / 10
      local Xt = ml.random(400, 2, 11)
      local yt = Xt:col(1) * 3 + (Xt:col(2) * 6):sin() / 2
      for _, loss in ipairs { "absolute_error", "quantile", "huber" } do
         local off, weights = {}, ml.random(400, nil, 7) + 0.5
         for k, unit in ipairs { 1, 1024 } do
            local model = ml.HistGradientBoostingRegressor { loss = loss, delta = unit / 16, min_samples_leaf = 5,
               monotonic_cst = { 1, 0 } }
            off[k] = (model:fit(X, y * unit):predict(Xt) / unit - yt):abs():mean()
            model:fit(X, y * unit, { weights = weights })
            off[k + 2] = (model:predict(Xt) / unit - yt):abs():mean()
         end
         support.near(off[1], off[2], 1e-3, loss)
         support.near(off[3], off[4], 1e-3, loss)
         assert(off[1] < 0.074, loss .. ": " .. off[1]) -- 0.066 to 0.069 without the constraint
      end
   end)

   it("keep predictions monotone", function()
      local X, y = ml.normal(600, 3, 6), {}
      for i = 1, 600 do y[i] = X:get(i, 1) + math.sin(5 * X:get(i, 1)) - X:get(i, 2) + X:get(i, 3) ^ 2 end
      for _, loss in ipairs { "squared_error", "absolute_error", "quantile", "huber" } do
         local model = ml.HistGradientBoostingRegressor { loss = loss, quantile = 0.8, delta = 0.3,
            monotonic_cst = { 1, -1, 0 } }:fit(X, y)
         for _, other in ipairs { -1, 0, 1 } do
            local up, down = {}, {}
            for k = 1, 81 do
               local x = -2 + k / 20
               up[k], down[k] = { x, other, other }, { other, x, other }
            end
            local rising, falling = model:predict(up), model:predict(down)
            for k = 2, 81 do
               assert(rising[k] >= rising[k - 1] and falling[k] <= falling[k - 1], loss .. " at step " .. k)
            end
         end
      end
   end)

   it("do not let features of different groups interact", function()
      local X, y = ml.normal(400, 3, 7), {}
      for i = 1, 400 do y[i] = X:get(i, 1) * X:get(i, 2) + X:get(i, 2) * X:get(i, 3) end
      local model = ml.HistGradientBoostingRegressor { interaction_cst = { { 1, 1, 0 } } }:fit(X, y)
      -- Without interaction of columns 1 and 3, the contribution of column 3 does not depend on column 1.
      local function effect(a) return model:predict { { a, 0.3, 1 } }[1] - model:predict { { a, 0.3, -1 } }[1] end
      support.near(effect(-1), effect(1.5), 1e-9)
      local free = ml.HistGradientBoostingRegressor {}:fit(X, y)
      assert(free.objective < 0.8 * model.objective)
   end)

   it("are refused if they do not match the columns", function()
      local X, y = few(30, 1)
      support.refuses("monotonic_cst must have one number for each of the 3 columns of X, got 2",
         function() ml.HistGradientBoostingRegressor { monotonic_cst = { 1, 0 } }:fit(X, y) end)
      support.refuses("monotonic_cst must be %-1, 0 or 1, got 0.5 at 2",
         function() ml.HistGradientBoostingRegressor { monotonic_cst = { 1, 0.5, 0 } }:fit(X, y) end)
      support.refuses("interaction_cst must have 3 columns like X, got 2",
         function() ml.HistGradientBoostingRegressor { interaction_cst = { { 1, 1 } } }:fit(X, y) end)
   end)
end)

describe("rows and columns", function()
   it("with integral weights equal repeated rows", function()
      local X, y = few(120, 8)
      local weights, XX, yy = {}, {}, {}
      for i = 1, #X do
         weights[i] = i % 4
         for _ = 1, weights[i] do XX[#XX + 1], yy[#yy + 1] = X[i], y[i] end
      end
      local one = ml.HistGradientBoostingRegressor { max_iter = 50 }:fit(X, y, { weights = weights })
      local two = ml.HistGradientBoostingRegressor { max_iter = 50 }:fit(XX, yy)
      support.near_all(one:predict(X):totable(), two:predict(X):totable(), 1e-9)
      assert.equal(#one.gain, #two.gain)
   end)

   it("give results that do not depend on the number of threads", function()
      local X = ml.normal(30000, 40, 1)
      local y = {}
      for i = 1, X.rows do y[i] = (X:get(i, 1) * X:get(i, 2) > 0) and "yes" or "no" end
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingClassifier { max_iter = 5, subsample = 0.7, colsample_bynode = 0.5 }:fit(X, y)
      end)
   end)

   it("are drawn for each tree", function()
      local X, y = few(400, 2)
      local all = ml.HistGradientBoostingRegressor {}:fit(X, y):predict(X)
      for _, name in ipairs { "subsample", "colsample_bytree", "colsample_bynode" } do
         local one = ml.HistGradientBoostingRegressor { [name] = 0.5, seed = 1 }:fit(X, y):predict(X)
         local two = ml.HistGradientBoostingRegressor { [name] = 0.5, seed = 2 }:fit(X, y):predict(X)
         assert((one - all):abs():max() > 1e-6 and (one - two):abs():max() > 1e-6, name)
         assert((one - ml.Vector(y)):abs():mean() < 1.5, name)
      end
   end)

   it("held out stop the fit early", function()
      local X, y = ml.normal(500, 5, 3), ml.normal(500, nil, 4)
      local model = ml.HistGradientBoostingRegressor { early_stopping = "yes", n_iter_no_change = 3 }:fit(X, y)
      assert(model.converged and model.n_iter < 30)
      assert.equal(model.n_iter, #model.validation_trace)
      local plain = ml.HistGradientBoostingRegressor {}:fit(X, y)
      assert.equal(100, plain.n_iter)
      assert.equal(0, #plain.validation_trace)
   end)

   it("use all bins if most rows have the same value, smallest or largest", function()
      local u, X, y = ml.random(4000, 2, 5), ml.Matrix(4000, 1), ml.Vector(4000)
      for i = 1, 4000 do
         local x = u:get(i, 1)
         X:set(i, 1, u:get(i, 2) < 0.9 and 1 or x)
         y[i] = X:get(i, 1) < 1 and math.sin(150 * x) or 0
      end
      for _, sign in ipairs { 1, -1 } do
         local model = ml.HistGradientBoostingRegressor { max_iter = 20, min_samples_leaf = 0, max_leaf_nodes = 300 }
         local nodes, cuts, n = model:fit(X * sign, y):trees().nodes, {}, 0
         for i = 1, nodes.rows do
            local cut = nodes.threshold[i]
            if nodes.left[i] > 0 and not cuts[cut] then cuts[cut], n = true, n + 1 end
         end
         assert(n >= 240 and n <= 254, n)
      end
   end)

   it("respect max_depth", function()
      local X, y = few(400, 5)
      for _, grow in ipairs { "leaf", "depth" } do
         local stump = ml.HistGradientBoostingRegressor { max_depth = 1, max_iter = 3, grow = grow }:fit(X, y)
         assert.equal(9, #stump.gain)
         local model = ml.HistGradientBoostingRegressor {
            max_depth = 3, max_iter = 1, grow = grow, min_samples_leaf = 1,
         }:fit(X, y)
         assert(#model.gain == 15, grow)
      end
   end)
end)
