-- The fit option folds of LassoCV, ElasticNetCV and LogisticRegressionCV.
local ml = require "manilius"
local support = require "spec.support"

local near_all, refuses = support.near_all, support.refuses

local X, y = support.data("diabetes", "progression")
local flowers, species = support.data("iris", "species")

local function flat(value) return tostring(getmetatable(value)):find "Matrix" and value:flatten() or value end

local function errors(model) return flat(model.class == "LogisticRegressionCV" and model.score_path or model.mse) end

local function models()
   return { { ml.LassoCV { n_alphas = 10 }, X, y }, { ml.ElasticNetCV { n_alphas = 10 }, X, y },
      { ml.LogisticRegressionCV { Cs = { 0.1, 1 } }, flowers, species } }
end

describe("folds", function()
   it("equal the default folds where they are the same, and not where they are shuffled", function()
      for _, case in ipairs(models()) do
         local model, data, target = table.unpack(case)
         local folds = model.class == "LogisticRegressionCV" and ml.StratifiedKFold {} or ml.KFold {}
         local plain = model:clone():fit(data, target)
         local given = model:clone():fit(data, target, { folds = folds:split(data, target) })
         near_all(flat(plain.coef), flat(given.coef), 0)
         folds.seed = 4
         local other = model:clone():fit(data, target, { folds = folds:split(data, target) })
         assert(not pcall(near_all, errors(plain), errors(other), 0))
      end
   end)

   it("are named where cv is given a splitter", function()
      for _, name in ipairs { "LassoCV", "ElasticNetCV", "LogisticRegressionCV" } do
         refuses(name .. ": cv must be .*, got table; pass splits as the option folds of fit, "
            .. "{ folds = splitter:split%(X, y%) }$", ml[name], { cv = ml.KFold {} })
      end
   end)

   it("may be the fold of each row, with weights of 0", function()
      local fold, weights, kept = {}, {}, {}
      for i = 1, X.rows do
         fold[i], weights[i] = i % 4 + 1, i % 7 == 0 and 0 or 1
         if weights[i] > 0 then kept[#kept + 1] = i end
      end
      local rest = {}
      for k, i in ipairs(kept) do rest[k] = fold[i] end
      local a = ml.LassoCV { n_alphas = 10 }:fit(X, y, { folds = fold, weights = weights })
      local b = ml.LassoCV { n_alphas = 10 }:fit(X:take(kept), ml.Vector(y):take(kept), { folds = rest })
      near_all(b.mse, a.mse, 0)
      assert.equal(4, a.mse_path.cols)
      -- The error of a candidate by hand.
      local sum = 0
      for f = 1, 4 do
         local train, test = {}, {}
         for _, i in ipairs(kept) do table.insert(fold[i] == f and test or train, i) end
         local model = ml.Lasso { alpha = a.grid_alpha[5], tol = 1e-10 }:fit(X:take(train), ml.Vector(y):take(train))
         sum = sum + ml.metrics.mse(ml.Vector(y):take(test), model:predict(X:take(test))) * #test / #kept
      end
      support.near(sum, a.mse[5], 0.01)
   end)

   it("are checked", function()
      local function fit(folds) return function() ml.LassoCV {}:fit(X, y, { folds = folds }) end end
      refuses("folds must have as many rows as X, 442, got 2", fit { 1, 2 })
      refuses("folds must be whole numbers from 1", fit(ml.Vector(442, 0.5)))
      refuses("folds must leave training rows in each fold, but fold 1 holds all", fit(ml.Vector(442, 1)))
      refuses("folds must have rows in each of the 3 folds, but fold 1 has none", fit(ml.Vector(442, 3)))
      refuses("LassoCV: folds must be the fold of each row or a list of splits, such as splitter:split%(X, y%), got a "
         .. "table without element 1", fit(ml.KFold { k = 3 }))
      refuses("must divide the 442 rows", fit(ml.KFold {}:split(100)))
      refuses("folds must test each row once, but row 4 is tested twice",
         fit(ml.RepeatedKFold { repeats = 2 }:split(442)))
      refuses("Ridge does not support the option 'folds'", function() ml.Ridge {}:fit(X, y, { folds = { 1 } }) end)
      refuses("folds must leave training rows of each class in each fold, but fold 2 holds all", function()
         local fold = {}
         for i = 1, 150 do fold[i] = (i - 1) // 50 == 1 and 2 or i % 2 * 2 + 1 end
         ml.LogisticRegressionCV {}:fit(flowers, species, { folds = fold })
      end)
   end)
end)
