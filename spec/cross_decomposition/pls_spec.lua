local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cross_decomposition/pls.lua"
local r = dofile "spec/fixtures/cross_decomposition/pls_r.lua"

local function read(name, columns)
   local all = ml.read_csv("examples/data/" .. name .. ".csv"):matrix()
   return all:slice(1, all.rows, 1, columns), all:slice(1, all.rows, columns + 1, all.cols)
end

local worlds = {
   linnerud = { columns = 3, k = 2 },
   wine = { columns = 10, k = 3 },
}

-- NIPALS of scikit-learn reaches its limit to about the square root of the precision of double.
local fields = { "x_weights", "y_weights", "x_loadings", "y_loadings", "x_rotations", "y_rotations", "coef",
   "correlations" }

local function agrees(model, wanted, X, Y)
   local few = X:slice(1, 3)
   for _, field in ipairs(fields) do
      if wanted[field] then
         local near = field == "correlations" and support.near_all or support.near_rows
         near(wanted[field], model[field], 2e-6, field, 0.1)
      end
   end
   support.near_rows(wanted.transformed, model:transform(few), 1e-6, "transform", 1)
   support.near_rows(wanted.y_scores, model:scores(few, Y:slice(1, 3)).y_scores, 1e-6, "scores of y", 1)
   assert.equal(0, (model:scores(few, Y:slice(1, 3)).x_scores - model:transform(few)):abs():max())
   if not wanted.predicted then return end
   support.near_rows(wanted.predicted, model:predict(few), 1e-6, "predict", 1)
   support.near_rows(wanted.inverse, model:inverse_transform(model:transform(few)), 1e-6, "inverse_transform", 1)
end

describe("partial least squares", function()
   for world, w in pairs(worlds) do
      local X, Y = read(world, w.columns)
      for _, form in ipairs { "scaled", "plain" } do
         for _, class in ipairs { "PLSRegression", "PLSCanonical", "CCA", "PLSSVD" } do
            it(("agrees with scikit-learn: %s, %s, %s"):format(class, world, form), function()
               local model = ml[class] { n_components = w.k, scale = form == "scaled" }:fit(X, Y)
               agrees(model, oracle[world][form][class], X, Y)
            end)
         end
      end
   end

   it("agrees for one target, with its importances", function()
      local all = ml.read_csv "examples/data/wine.csv":matrix()
      local X, y = all:slice(1, all.rows, 2, all.cols), all:col(1)
      local model = ml.PLSRegression { n_components = 4 }:fit(X, y)
      support.near_all(oracle.one_target.coef, model.coef, 1e-10, "coef", 1e-3)
      support.near_all(oracle.one_target.vip, model.vip, 1e-10, "vip")
      support.near_rows(oracle.one_target.x_weights, model.x_weights, 1e-10, "weights", 0.1)
      support.near(#model.vip, (model.vip ^ 2):sum(), 1e-12)
   end)

   it("counts weights as repeated rows", function()
      local X, Y = read("linnerud", 3)
      local weights = {}
      for i = 1, X.rows do weights[i] = (i - 1) % 3 + 1 end
      local model = ml.PLSRegression {}:fit(X, Y, { weights = weights })
      support.near_rows(oracle.weighted.coef, model.coef, 1e-6, "coef", 0.1)
      support.near_rows(oracle.weighted.x_rotations, model.x_rotations, 1e-6, "rotations", 0.1)
   end)

   it("agrees with R's pls and cancor", function()
      local X, Y = read("linnerud", 3)
      support.near_all(r.correlations, ml.CCA { n_components = 3 }:fit(X, Y).correlations, 1e-12, "correlation")
      local model = ml.PLSRegression {}:fit(X, Y)
      support.near_all(r.explained, model.x_explained_variance_ratio, 1e-8, "explained")
      for t = 1, 3 do
         for j = 1, 3 do
            local coef = model.coef[t][j] * model.x_scale[j] / model.y_scale[t]
            support.near(r.coef_of_scaled_y[(t - 1) * 3 + j], coef, 1e-8, "coef", 0.1)
         end
      end
      local one = ml.PLSRegression {}:fit(X, Y:col(1)):predict(X:slice(1, 5))
      support.near_all(r.one_target_predictions, one, 1e-12, "prediction")
   end)

   it("is least squares with all components, and its explained variances sum to R2", function()
      local X, y = support.data("diabetes", "progression")
      local model = ml.PLSRegression { n_components = X.cols }:fit(X, y)
      local ols = ml.LinearRegression {}:fit(X, y)
      support.near_all(ols.coef, model.coef, 1e-7, "coef")
      support.near(ols.intercept, model.intercept, 1e-7, "intercept")
      support.near(model:score(X, y), model.y_explained_variance_ratio:sum(), 1e-10, "R2")
      support.near(1, model.x_explained_variance_ratio:sum(), 1e-12, "variance of X")
   end)

   it("has orthogonal scores and predicts from them", function()
      local X, Y = read("wine", 10)
      for _, class in ipairs { "PLSRegression", "PLSCanonical", "CCA" } do
         local T = ml[class] { n_components = 4 }:fit(X, Y):transform(X)
         local G = T:t() * T
         for a = 1, 4 do
            for b = 1, a - 1 do assert.is_true(math.abs(G[a][b]) < 1e-9 * math.sqrt(G[a][a] * G[b][b])) end
         end
      end
   end)

   it("keeps accuracy when columns differ greatly in scale and are collinear", function()
      local X, Y = read("linnerud", 3)
      local wide = ml.hcat(X, X, X * 1e9 + 1e3)
      local model = ml.PLSRegression {}:fit(wide, Y)
      support.near_rows(ml.PLSRegression {}:fit(X, Y):predict(X), model:predict(wide), 1e-9, "prediction")
      local correlations = ml.CCA { n_components = 3 }:fit(wide, Y).correlations
      support.near_all(r.correlations, correlations, 1e-9, "correlation")
   end)

   it("stops when X or y is used up, with a warning", function()
      local X = ml.normal(20, 3, 1)
      local exact = ml.PLSRegression { n_components = 3, scale = false }
      local y = ml.normal(20, 1, 2):col(1)
      local orthogonal = ml.PCA { whiten = true }:fit_transform(X)
      exact:fit(orthogonal, orthogonal:col(2) * 2 + 1)
      assert.equal(1, exact.n_found)
      assert.near(1, exact:score(orthogonal, orthogonal:col(2) * 2 + 1), 1e-12)
      local constant = ml.PLSRegression {}:fit(ml.ones(20, 3) * 0.1, y)
      assert.equal(0, constant.n_found)
      support.near(y:mean(), constant:predict { { 1, 2, 3 } }[1], 1e-12)
      local flat = ml.PLSRegression {}:fit(X, ml.ones(20, 1):col(1) * 0.1)
      support.near(0.1, flat:predict { { 1, 2, 3 } }[1], 1e-15)
      assert.equal(1, ml.CCA { n_components = 2 }:fit(X, ml.hcat(y, y * 3)).n_found)
   end)

   it("accepts more columns than rows", function()
      local X = ml.normal(10, 40, 1)
      local y = X:col(1) + X:col(2)
      assert.is_true(ml.PLSRegression { n_components = 4 }:fit(X, y):score(X, y) > 0.99)
      support.near(1, ml.CCA {}:fit(X, y).correlations[1], 1e-12)
   end)

   it("computes no more components than the shapes allow", function()
      local X, Y = read("linnerud", 3)
      assert.equal(3, ml.PLSRegression { n_components = 4 }:fit(X, Y):transform(X).cols)
      assert.equal(1, ml.CCA { n_components = 2 }:fit(X, Y:col(1)):transform(X).cols)
      assert.equal(1, ml.PLSSVD {}:fit(X, Y:col(1)).x_weights.cols)
   end)

   it("refuses what cannot be", function()
      local X = read("linnerud", 3)
      support.refuses("PLSSVD.* y", function() ml.PLSSVD {}:fit(X) end)
      support.refuses("2 rows", function() ml.PLSCanonical {}:fit({ { 1, 2 } }, { 3 }) end)
   end)
end)
