-- Exact growth, pruning, max_delta_step and base_score, compared with XGBoost (exact_boosting.py).
local ml = require "manilius"
local support = require "spec.support"

local reference = dofile "spec/fixtures/boosting/exact_boosting.lua"
local X = ml.Matrix(reference.X)

-- XGBoost counts each split gain and gamma twice, and computes in single precision.
local same = { learning_rate = 0.5, max_depth = 4, max_leaf_nodes = 64, min_samples_leaf = 0, min_child_weight = 2,
   l2_regularization = 1, grow = "depth", max_iter = 5, early_stopping = "no", tree_method = "exact" }

local function with(extra)
   local settings = {}
   for k, v in pairs(same) do settings[k] = v end
   for k, v in pairs(extra) do settings[k] = v end
   return settings
end

local function near(expected, got)
   assert.equal(#expected, #got)
   for i = 1, #expected do assert.near(expected[i], got[i], 1e-4 * (1 + math.abs(expected[i]))) end
end

local function labels(codes)
   local out = {}
   for i, code in ipairs(codes) do out[i] = math.tointeger(code) end
   return out
end

local function leaves_of(model)
   local count = 0
   for _, feature in ipairs(model:trees().nodes.feature:totable()) do count = count + (feature == 0 and 1 or 0) end
   return count
end

local function regressor(extra) return ml.HistGradientBoostingRegressor(with(extra)) end
local function classifier(extra) return ml.HistGradientBoostingClassifier(with(extra)) end

describe("exact growth", function()
   it("agrees with XGBoost's tree_method exact", function()
      near(reference.exact, regressor { base_score = 0.25 }:fit(X, reference.y):predict(X))
      local model = classifier { base_score = 0.3 }:fit(X, labels(reference.label))
      near(reference.logistic, model:decision_function(X))
   end)

   it("puts thresholds halfway between neighboring values of the node", function()
      local rows, y = {}, {}
      for i = 1, 600 do
         rows[i] = { i * i }
         y[i] = i <= 300 and 0 or i <= 302 and 1 or 2
      end
      local model = ml.HistGradientBoostingRegressor { tree_method = "exact", max_iter = 1, min_samples_leaf = 1,
         max_leaf_nodes = 3, learning_rate = 1 }:fit(rows, y)
      near(y, model:predict(rows))
      local thresholds = {}
      for _, t in ipairs(model:trees().nodes.threshold:totable()) do
         if t == t then thresholds[t] = true end
      end
      assert(thresholds[(300 ^ 2 + 301 ^ 2) / 2] and thresholds[(302 ^ 2 + 303 ^ 2) / 2])
   end)

   it("equals binned growth where every value has a bin", function()
      local data = ml.read_csv "examples/data/mtcars.csv":select { "mpg", "cyl", "hp", "wt", "gear" }
      data.cyl, data.gear = ml.Factor(data.cyl), ml.Factor(data.gear)
      local columns, mpg = data:split "mpg"
      local function fitted(method, subsample)
         local model = ml.HistGradientBoostingRegressor { tree_method = method, min_samples_leaf = 3, max_iter = 20,
            subsample = subsample, colsample_bynode = 0.7, cat_smooth = 1, seed = 3 }
         return model:fit(columns, mpg)
      end
      near(fitted("hist", 1):predict(columns):totable(), fitted("exact", 1):predict(columns):totable())
      support.same_for_any_threads(function() return fitted("exact", 0.8) end)
   end)

   it("accepts sparse X, weights and monotone constraints", function()
      local rows, y, weights = {}, {}, {}
      for i = 1, 200 do
         rows[i], weights[i] = {}, i % 3
         for j = 1, 3 do rows[i][j] = (i * j) % 7 < 3 and 0 or math.sin(i * j) end
         y[i] = rows[i][1] + rows[i][2] ^ 2
      end
      local dense = ml.Matrix(rows)
      y = ml.Vector(y)
      local model = regressor { monotonic_cst = { 1, 0, -1 } }
      local a = model:fit(dense, y, { weights = weights }):predict(dense)
      near(a, model:fit(ml.Sparse(dense), y, { weights = weights }):predict(dense))
      local kept = {}
      for i = 1, 200 do
         for _ = 1, i % 3 do kept[#kept + 1] = i end
      end
      near(a, model:fit(dense:take(kept), y:take(kept)):predict(dense))
   end)
end)

describe("prune", function()
   it("agrees with XGBoost's gamma", function()
      near(reference.gamma, regressor { base_score = 0.25, min_split_gain = 2, prune = true }:fit(X, reference.y)
         :predict(X))
      near(reference.logistic_gamma, classifier { base_score = 0.3, min_split_gain = 0.5, prune = true }
         :fit(X, labels(reference.label)):decision_function(X))
      for k, gamma in ipairs { 0, 2, 4, 8, 16, 1000 } do
         local model = regressor { base_score = 0.25, min_split_gain = gamma / 2, prune = true, max_iter = 1 }
         assert.equal(reference.gamma_leaves[k], leaves_of(model:fit(X, reference.y)))
      end
   end)

   it("keeps a weak split above a strong one, where stopping does not", function()
      local rows, y = {}, {}
      for i = 1, 80 do
         rows[i] = { i % 2, i // 2 % 2 }
         y[i] = (rows[i][1] == rows[i][2] and 1 or 0) + i / 1e3 -- exclusive or
      end
      local settings = { min_samples_leaf = 1, max_iter = 1, learning_rate = 1, min_split_gain = 1, max_leaf_nodes = 4 }
      for _, method in ipairs { "hist", "exact" } do
         settings.tree_method, settings.prune = method, false
         assert.equal(1, leaves_of(ml.HistGradientBoostingRegressor(settings):fit(rows, y)))
         settings.prune = true
         local model = ml.HistGradientBoostingRegressor(settings):fit(rows, y)
         assert.equal(4, leaves_of(model))
         assert(model:score(rows, y) > 0.95)
      end
   end)

   it("keeps sets of levels, scores of all losses and constraints consistent", function()
      local data = ml.read_csv "examples/data/mtcars.csv":select { "mpg", "cyl", "hp", "wt", "carb" }
      data.cyl, data.carb = ml.Factor(data.cyl), ml.Factor(data.carb)
      local columns, mpg = data:split "mpg"
      for _, loss in ipairs { "squared_error", "absolute_error", "huber", "poisson" } do
         local model = ml.HistGradientBoostingRegressor { loss = loss, prune = true, min_samples_leaf = 2,
            max_iter = 10, min_split_gain = loss == "squared_error" and 10 or 0.5, cat_smooth = 0,
            monotonic_cst = { 0, -1, 0, 0 } }:fit(columns, mpg)
         assert(model:trees().nodes.rows > 20)
         -- The training loss follows from scores that are updated by leaf: it must be that of the stored trees.
         local p, sum = model:predict(columns), 0
         for i = 1, #mpg do
            local r = mpg[i] - p[i]
            sum = sum + (loss == "squared_error" and r * r / 2 or loss == "absolute_error" and math.abs(r)
               or loss == "huber" and (math.abs(r) <= 1 and r * r / 2 or math.abs(r) - 0.5)
               or p[i] - mpg[i] * math.log(p[i]))
         end
         assert.near(sum / #mpg, model.objective, 1e-9 * math.abs(model.objective))
      end
   end)
end)

describe("max_delta_step", function()
   it("agrees with XGBoost", function()
      near(reference.step, classifier { base_score = 0.3, max_delta_step = 0.2 }:fit(X, labels(reference.label))
         :decision_function(X))
      local y = {}
      for i, count in ipairs(reference.counts) do y[i] = count + 1 end
      local p = regressor { loss = "gamma", base_score = 1.5, max_delta_step = 0.3 }:fit(X, y):predict(X)
      for i, f in ipairs(reference.gamma_loss) do assert.near(f, math.log(p[i]), 1e-4) end
   end)

   it("bounds the leaves of losses with a line search in the unit of y", function()
      local y = {}
      for i, value in ipairs(reference.y) do y[i] = 100 * value end
      for _, loss in ipairs { "absolute_error", "quantile", "huber" } do
         local model = regressor { loss = loss, max_delta_step = 30, learning_rate = 1, max_iter = 1 }:fit(X, y)
         for _, p in ipairs(model:predict(X):totable()) do assert(math.abs(p - model.start[1]) <= 30 + 1e-9) end
      end
   end)
end)

describe("base_score", function()
   it("is a prediction: a probability, a mean, or a raw prediction of each of several classes", function()
      assert.near(math.log(0.3 / 0.7), classifier { base_score = 0.3 }:fit(X, labels(reference.label)).start[1], 1e-15)
      assert.near(math.log(1.5),
         regressor { loss = "gamma", base_score = 1.5 }:fit({ { 1 }, { 2 } }, { 1, 2 }).start[1], 1e-15)
      local three = {}
      for i, count in ipairs(reference.counts) do three[i] = math.min(math.tointeger(count), 2) end
      local got = classifier { base_score = 0.5, max_iter = 3 }:fit(X, three):decision_function(X)
      for i = 1, #three do
         for c = 1, 3 do assert.near(reference.softmax[3 * (i - 1) + c], got[i][c], 1e-4) end
      end
   end)

   it("is replaced by init_score, and refused outside its range", function()
      local y = labels(reference.label)
      local scores = ml.Vector(#y, 0.5)
      local a = classifier { base_score = 0.3 }:fit(X, y, { init_score = scores }):decision_function(X)
      assert.same(a:totable(), classifier {}:fit(X, y, { init_score = scores }):decision_function(X):totable())
      support.refuses("base_score must be a probability above 0 and below 1 for two classes, got 1", function()
         classifier { base_score = 1 }:fit(X, y)
      end)
      support.refuses("base_score must be > 0 for a loss with a log link, got %-1", function()
         regressor { base_score = -1, loss = "poisson" }:fit(X, reference.counts)
      end)
   end)
end)
