local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/dictionary/dictionary.lua"

local digits = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix() / 16
local wine = ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/wine.csv":drop { "class" }:matrix())

local function unit_rows(X)
   return ml.Normalizer {}:fit_transform(X)
end

local atoms, rows = unit_rows(digits:slice(301, 340)), digits:slice(1, 12)

local function code(settings, X)
   settings.dictionary = atoms
   return ml.SparseCoder(settings):fit(rows):transform(X or rows)
end

local codes = {
   omp = { transform_n_nonzero_coefs = 5 },
   omp_default = {},
   lars = { transform_algorithm = "lars", transform_n_nonzero_coefs = 5 },
   threshold = { transform_algorithm = "threshold", transform_alpha = 1.5 },
   threshold_positive = { transform_algorithm = "threshold", transform_alpha = 1.5, positive_code = true,
      split_sign = true },
}

describe("SparseCoder", function()
   for name, settings in pairs(codes) do
      it("agrees with scikit-learn: " .. name, function()
         support.near_rows(oracle[name], code(settings), 1e-9, "code", 1)
      end)
   end

   for _, algorithm in ipairs { "lasso_lars", "lasso_cd" } do
      it("reaches the minimum of the lasso: " .. algorithm, function()
         local function lasso(alpha, positive)
            return code { transform_algorithm = algorithm, transform_alpha = alpha, positive_code = positive,
               transform_max_iter = 100000 }
         end
         support.near_rows(oracle.lasso, lasso(0.2), 1e-6, "code", 1)
         support.near_rows(oracle.lasso_positive, lasso(0.2, true), 1e-6, "positive code", 1)
         support.near_rows(oracle.lasso_small, lasso(0.02), 1e-5, "code of a small penalty", 1)
      end)
   end

   it("satisfies the optimality conditions of the lasso, with more atoms than columns", function()
      local wide = unit_rows(ml.normal(60, 10, 1))
      local X = ml.normal(40, 10, 2)
      local model = ml.SparseCoder { dictionary = wide, transform_algorithm = "lasso_lars", transform_alpha = 0.1 }
      local B = model:fit(X):transform(X)
      local gradient = (X - B * wide) * wide:t()
      for i = 1, X.rows do
         for j = 1, 60 do
            local g, b = gradient[i][j], B[i][j]
            if b == 0 then
               assert.is_true(math.abs(g) <= 0.1 + 1e-9)
            else
               support.near(b > 0 and 0.1 or -0.1, g, 1e-8, "gradient")
            end
         end
      end
   end)

   it("recovers rows made of few atoms", function()
      local X = ml.zeros(3, 40)
      for i = 1, 3 do
         X:set(i, i, 2)
         X:set(i, i + 20, -1)
      end
      local model = ml.SparseCoder { dictionary = unit_rows(ml.normal(40, 64, 3)), transform_n_nonzero_coefs = 2 }
      model:fit(ml.zeros(1, 64))
      support.near_rows(X:totable(), model:transform(model:inverse_transform(X)), 1e-12, "code", 1)
   end)

   it("splits signs, and undoes it", function()
      local plain = ml.SparseCoder { dictionary = atoms }
      local split = ml.SparseCoder { dictionary = atoms, split_sign = true }
      plain:fit(rows)
      split:fit(rows)
      local two = split:transform(rows)
      assert.equal(80, two.cols)
      assert.is_true(two:min() >= 0)
      assert.equal(0, (two:slice(1, 12, 1, 40) - two:slice(1, 12, 41, 80) - plain:transform(rows)):abs():max())
      local back = plain:inverse_transform(plain:transform(rows))
      assert.is_true((split:inverse_transform(two) - back):abs():max() < 1e-12)
      assert.same({ "atom40+", "atom1-" }, { split:output_names()[40], split:output_names()[41] })
   end)

   it("uses orthonormal cosines without a dictionary", function()
      local model = ml.SparseCoder { transform_n_nonzero_coefs = 8 }:fit(ml.zeros(1, 8))
      support.near_rows(ml.eye(8):totable(), model.components * model.components:t(), 1e-14, "product", 1)
      local X = ml.normal(5, 8, 1)
      assert.is_true((model:inverse_transform(model:transform(X)) - X):abs():max() < 1e-13)
   end)

   it("handles atoms that are zero or repeated, and rows that are zero", function()
      local D = ml.Matrix { { 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 } }
      for _, algorithm in ipairs { "omp", "lars", "lasso_lars", "lasso_cd", "threshold" } do
         local model = ml.SparseCoder { dictionary = D, transform_algorithm = algorithm, transform_alpha = 0.5,
            transform_n_nonzero_coefs = 4 }
         local B = model:fit { { 0, 0 } }:transform { { 0, 0 }, { 3, 0 } }
         assert.equal(0, B[1]:abs():max())
         assert.equal(0, B[2][1])
         local sum = algorithm == "threshold" and 5 or algorithm:find "lasso" and 2.5 or 3
         assert.near(sum, B[2]:sum(), 1e-12)
      end
   end)

   it("refuses what cannot be", function()
      support.refuses("SparseCoder: dictionary must have the columns of X, 3, got 2", function()
         ml.SparseCoder { dictionary = ml.eye(2) }:fit { { 1, 2, 3 } }
      end)
      support.refuses('SparseCoder: transform_algorithm = "omp" has no positive codes', function()
         ml.SparseCoder { positive_code = true }:fit { { 1, 2, 3 } }
      end)
   end)
end)

describe("DictionaryLearning", function()
   local X = digits:slice(1, 200)

   it("agrees with scikit-learn from the same start", function()
      local model = ml.DictionaryLearning { n_components = 8, alpha = 0.5, max_iter = 15, tol = 0 }:fit(X)
      support.near(oracle.learned.error, model.error, 1e-9, "objective")
      support.near_rows(oracle.learned.components, model.components, 1e-6, "atom", 1)
   end)

   it("agrees with positive atoms and codes by coordinate descent", function()
      local model = ml.DictionaryLearning { n_components = 8, alpha = 0.5, max_iter = 15, tol = 0,
         positive_dict = true, positive_code = true, fit_algorithm = "cd", transform_algorithm = "lasso_cd" }:fit(X)
      assert.is_true(model.components:min() >= 0 and model:transform(X):min() >= 0)
      -- scikit-learn's coordinate descent stops at a duality gap of 1e-4
      support.near(oracle.learned_positive.error, model.error, 1e-3, "objective")
   end)

   it("never increases the objective, by either solver, and both agree", function()
      local errors = {}
      for _, algorithm in ipairs { "lars", "cd" } do
         local model = ml.DictionaryLearning { n_components = 6, alpha = 0.3, max_iter = 20, tol = 1e-3,
            fit_algorithm = algorithm }:fit(X)
         for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] * (1 + 1e-12)) end
         for c = 1, 6 do assert.is_true(model.components[c]:norm() <= 1 + 1e-12) end
         errors[#errors + 1] = model.error
      end
      support.near(errors[1], errors[2], 1e-6, "objective")
   end)

   it("recovers planted atoms", function()
      local D = unit_rows(ml.normal(6, 12, 1))
      local B = ml.normal(400, 6, 2)
      local mask = ml.random(400, 6, 3)
      for i = 1, 400 do
         for j = 1, 6 do
            if mask[i][j] > 0.3 then B:set(i, j, 0) end
         end
      end
      local start = unit_rows(D + ml.normal(6, 12, 4) * 0.1)
      local model = ml.DictionaryLearning { n_components = 6, alpha = 0.01, dict_init = start, tol = 1e-4 }:fit(B * D)
      for c = 1, 6 do assert.is_true(math.abs(model.components[c]:dot(D[c])) > 0.999) end
   end)

   it("fills atoms beyond the rank with rows of X, from the seed", function()
      local model = ml.DictionaryLearning { n_components = 12, alpha = 0.1, max_iter = 5, tol = 0.1 }
      local few = digits:slice(1, 10)
      local one, two = model:clone():fit(few).components, model:clone():set_params { seed = 1 }:fit(few).components
      assert.is_true((one - two):abs():max() > 0)
      assert.equal(0, (one - model:fit(few).components):abs():max())
   end)

   it("handles X that is zero", function()
      local model = ml.DictionaryLearning { n_components = 2 }:fit(ml.zeros(5, 3))
      assert.equal(0, model.error)
      assert.equal(0, model:transform(ml.zeros(1, 3)):abs():max())
   end)

   it("refuses a start of another shape", function()
      support.refuses("DictionaryLearning: dict_init must have 2 rows, the components, and 64 columns, got 3 x 64",
         function() ml.DictionaryLearning { n_components = 2, dict_init = digits:slice(1, 3) }:fit(X) end)
   end)
end)

describe("MiniBatchDictionaryLearning", function()
   local X = digits:slice(1, 200)

   it("agrees with scikit-learn from the same start, in the order of the rows", function()
      local model = ml.MiniBatchDictionaryLearning { n_components = 8, alpha = 0.5, max_iter = 4, tol = 0,
         max_no_improvement = 0, batch_size = 50, shuffle = false }:fit(X)
      assert.equal(16, model.n_steps)
      support.near_rows(oracle.batches.components, model.components, 1e-6, "atom", 1)
   end)

   it("does the same step by step with partial_fit", function()
      local settings = { n_components = 8, alpha = 0.5, max_iter = 2, tol = 0, batch_size = 50, shuffle = false,
         dict_init = ml.DictionaryLearning { n_components = 8, max_iter = 2, tol = 1 }:fit(X).components }
      local whole, steps = ml.MiniBatchDictionaryLearning(settings):fit(X), ml.MiniBatchDictionaryLearning(settings)
      for _ = 1, 2 do
         for i = 1, 200, 50 do steps:partial_fit(X:slice(i, i + 49)) end
      end
      assert.equal(8, steps.n_steps)
      support.near_rows(whole.components:totable(), steps.components, 1e-12, "atom", 1)
   end)

   it("comes close to the objective of all rows", function()
      local function objective(model)
         model:set_params { transform_algorithm = "lasso_lars" }
         local B = model:transform(X)
         return ((X - B * model.components) ^ 2):sum() / 2 + 0.3 * B:abs():sum()
      end
      local settings = { n_components = 6, alpha = 0.3, transform_algorithm = "lasso_lars" }
      local all = ml.DictionaryLearning(settings):set_params { tol = 1e-4 }:fit(X)
      local batches = ml.MiniBatchDictionaryLearning(settings):set_params { batch_size = 40 }:fit(X)
      assert.is_true(batches.converged)
      assert.is_true(objective(batches) < 1.05 * objective(all))
   end)

   it("continues after fit, but not with other numbers of atoms", function()
      local settings = { n_components = 4, max_iter = 1, tol = 0, shuffle = false, batch_size = 100 }
      local whole, parts = ml.MiniBatchDictionaryLearning(settings), ml.MiniBatchDictionaryLearning(settings)
      whole:fit(X:slice(1, 100)):partial_fit(X:slice(101, 200))
      parts:partial_fit(X:slice(1, 100)):partial_fit(X:slice(101, 200))
      assert.equal(0, (whole.components - parts.components):abs():max())
      local model = ml.MiniBatchDictionaryLearning { n_components = 4 }:partial_fit(X)
      support.refuses("n_components cannot change between batches, from 4 to 5", function()
         model:set_params { n_components = 5 }:partial_fit(X)
      end)
   end)
end)

describe("SparsePCA", function()
   it("agrees with scikit-learn", function()
      local model = ml.SparsePCA { n_components = 4, alpha = 5, tol = 1e-9, max_iter = 500 }:fit(wine)
      local wanted = oracle.sparse_pca
      support.near(wanted.error, model.error, 1e-8, "objective")
      support.near_rows(wanted.components, model.components, 1e-5, "component", 1)
      support.near_rows(wanted.transformed, model:transform(wine:slice(1, 4)), 1e-5, "transform", 1)
      support.near_rows(wanted.inverse, model:inverse_transform(model:transform(wine:slice(1, 4))), 1e-5, "inverse", 1)
   end)

   it("spans the principal components without penalties", function()
      local model = ml.SparsePCA { n_components = 3, alpha = 0, ridge_alpha = 0, tol = 1e-14, max_iter = 50 }:fit(wine)
      local pca = ml.PCA { n_components = 3 }:fit(wine)
      local back = model:inverse_transform(model:transform(wine))
      assert.is_true((back - pca:inverse_transform(pca:transform(wine))):abs():max() < 1e-6)
   end)

   it("has more zeros for a larger penalty, and none but zeros for a large one", function()
      local function zeros(alpha)
         local count = 0
         local model = ml.SparsePCA { n_components = 3, alpha = alpha, tol = 1e-4 }:fit(wine)
         for _, row in ipairs(model.components:totable()) do
            for _, value in ipairs(row) do count = count + (value == 0 and 1 or 0) end
         end
         return count
      end
      assert.is_true(zeros(1) < zeros(6))
      assert.equal(39, zeros(1e6))
   end)
end)
