--- Data of the boosting workloads: 28 columns, and a target that is a sum of nonlinear terms and products of some.
local COLS, CLASSES, TEST = 28, 7, 50000

local M = {}

-- `from` is the saddle point of the product of two columns. At 0 no single split on either reduces the error, and the
-- squared error depends on when a learner finds the product by chance. At -1 each column helps alone.
local function signal(x, i, from)
   local function at(j) return x:get(i, j) end
   return math.sin(2 * at(1)) + (at(2) - from) * (at(3) - from) + math.abs(at(4))
      + 0.5 * at(5) * (at(6) > 0 and 1 or 0) + 0.3 * at(7) - 0.2 * at(8) ^ 2 - 0.6
end

local function target(kind, x, i, u)
   if kind == "regression" then return signal(x, i, -1) + 3 * (u - 0.5) end
   local z = signal(x, i, 0)
   if kind == "binary" then return u < 1 / (1 + math.exp(-2 * z)) and 1 or 0 end
   return math.floor(math.min(math.max(z + 3 * (u - 0.5) + 3.5, 0), CLASSES - 1))
end

local function write(ml, path, kind, prefix, n, seed)
   local x, u, y = ml.normal(n, COLS, seed), ml.random(n, nil, seed + 1), {}
   for i = 1, n do y[i] = target(kind, x, i, u[i]) + 0.0 end
   ml.write_npy(path(prefix .. "X.npy"), x)
   ml.write_npy(path(prefix .. "y.npy"), ml.Matrix(ml.Vector(y)))
end

local function whole(y)
   local out = {}
   for i, value in ipairs(y:totable()) do out[i] = math.tointeger(value) end
   return out
end

-- The settings in which the peers agree: scikit-learn's, but for the penalty.
local settings = { early_stopping = "no", l2_regularization = 1, min_samples_leaf = 1, min_child_weight = 1 }

function M.load(ml, path, kind)
   local function read(name) return ml.read_npy(path(name)) end
   local y, test_y = read "y.npy":col(1), read "test_y.npy":col(1)
   return {
      x = read "X.npy", y = kind == "regression" and y or ml.Factor(whole(y)),
      test_x = read "test_X.npy", test_y = test_y, settings = settings,
   }
end

local function mean_square(model, data)
   local rest = model:predict(data.test_x) - data.test_y
   return { test_loss = rest:dot(rest) / #rest }
end

local function log_loss(model, data)
   local log_p, sum = model:predict_log_proba(data.test_x), 0
   for i = 1, #data.test_y do sum = sum - log_p:get(i, data.test_y[i] // 1 + 1 | 0) end
   return { test_loss = sum / #data.test_y }
end

function M.workload(kind, title, outputs)
   local regression = kind == "regression"
   return {
      title = title .. ", 500k x 28, 100 rounds, 31 leaves, 255 bins", rows = 500000, bar = 0.5,
      columns = { "test_loss" },
      criterion = { key = "test_loss", better = "lower", share = 0.01 },
      peers = {
         { "xgboost hist", "boosting.py", kind .. "_xgboost" },
         { "LightGBM", "boosting.py", kind .. "_lightgbm" },
         { "LightGBM, quantised gradients", "boosting.py", kind .. "_lightgbm_quantised" },
         { "scikit-learn", "boosting.py", kind .. "_sklearn" },
      },
      -- Two cores, 1.3 cycles of 3 GHz an update; a tree takes about 2.8 passes over the rows.
      limit = function(_, n) return outputs * 100 * 2.8 * n * COLS * 1.3 / 3e9 / 2 end,
      limit_of = "each row in each column of the smaller children, 1.3 cycles each on two cores",
      make = function(ml, path, n)
         write(ml, path, kind, "", n, 1)
         write(ml, path, kind, "test_", TEST, 100)
      end,
      ours = function(ml, path)
         local data = M.load(ml, path, kind)
         local new = regression and ml.HistGradientBoostingRegressor or ml.HistGradientBoostingClassifier
         return function() return new(settings):fit(data.x, data.y) end, data
      end,
      quality = function(_, model, data) return (regression and mean_square or log_loss)(model, data) end,
   }
end

return M
