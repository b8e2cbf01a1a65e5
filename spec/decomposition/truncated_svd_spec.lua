local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/decomposition/decomposition.lua"

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
end

local function first_columns(m, count)
   return m:t():slice(1, count):t()
end

-- The singular values of this data are well separated, so vectors agree to nearly the accuracy of the values.
local function compare(expected, X, few)
   local model = ml.TruncatedSVD { n_components = #expected.singular }:fit(X)
   support.near_all(expected.singular, model.singular_values, 1e-10, "singular value")
   support.near_all(expected.variance, model.explained_variance, 1e-8, "variance")
   support.near_all(expected.ratio, model.explained_variance_ratio, 1e-8, "ratio")
   support.near_rows(expected.components, first_columns(model.components, 40), 1e-8, "component", 1)
   support.near_rows(expected.transformed, model:transform(few), 1e-8, "transformed", 1)
   local inverse = first_columns(model:inverse_transform(model:transform(few)), 40)
   support.near_rows(expected.inverse, inverse, 1e-8, "inverse", 1)
   return model
end

describe("TruncatedSVD", function()
   it("agrees with scikit-learn on digits, dense and sparse", function()
      local X = digits()
      compare(oracle.digits, X, X:slice(1, 3))
      compare(oracle.digits, ml.Sparse(X), ml.Sparse(X:slice(1, 3)))
   end)

   it("agrees with scikit-learn with more columns than rows", function()
      local X = digits():slice(1, 500):t():copy()
      compare(oracle.wide, X, X:slice(1, 3))
      compare(oracle.wide, ml.Sparse(X), X:slice(1, 3))
   end)

   it("agrees with scikit-learn on TF-IDF of messages, by Lanczos", function()
      local texts = ml.read_csv "examples/data/sms_spam.csv".text
      local words = ml.TfidfVectorizer { min_df = 5 }:fit(texts)
      local model = compare(oracle.terms, words:transform(texts), words:transform { texts[1], texts[2], texts[3] })
      assert.equal(oracle.terms.columns, model.components.cols)
   end)

   it("finds the same values for X and its transpose, and orthonormal components", function()
      local X = ml.normal(300, 210, 1)
      local settings = { n_components = 9 }
      local tall, wide = ml.TruncatedSVD(settings):fit(X), ml.TruncatedSVD(settings):fit(X:t():copy())
      support.near_all(tall.singular_values, wide.singular_values, 1e-11, "singular value")
      for _, model in ipairs { tall, wide } do
         support.near_rows(ml.eye(9), model.components * model.components:t(), 1e-12, "V V'", 1)
      end
   end)

   it("equals PCA on centered columns", function()
      local X = ml.normal(50, 6, 2)
      local centered = ml.StandardScaler { with_std = false }:fit_transform(X)
      local svd, pca = ml.TruncatedSVD { n_components = 6 }:fit(centered), ml.PCA {}:fit(X)
      support.near_all(pca.singular_values, svd.singular_values, 1e-12, "singular value")
      support.near_rows(pca.components, svd.components, 1e-10, "component", 1)
      support.near(1, svd.explained_variance_ratio:sum(), 1e-12, "sum of the ratios")
      support.near_rows(centered, svd:inverse_transform(svd:transform(centered)), 1e-12, "row", 1)
   end)

   it("finds small singular values beside large ones", function()
      local Q = ml.PCA {}:fit(ml.normal(40, 5, 3)):transform(ml.normal(40, 5, 3))
      local U = ml.TruncatedSVD { n_components = 5 }:fit(Q)
      local Z = U:transform(Q)
      local scales, X = { 1, 1e-2, 1e-4, 1e-6, 1e-9 }, ml.zeros(40, 5)
      for i = 1, 40 do
         for j = 1, 5 do X[i][j] = Z[i][j] / U.singular_values[j] * scales[j] end
      end
      support.near_all(scales, ml.TruncatedSVD { n_components = 5 }:fit(X).singular_values, 1e-6, "singular value")
   end)

   it("handles constant columns, zeros and few rows", function()
      local zero = ml.TruncatedSVD { n_components = 2 }:fit(ml.zeros(4, 3))
      for c = 1, 2 do
         assert.equal(0, zero.singular_values[c])
         assert.equal(0, zero.explained_variance_ratio[c])
      end
      assert.equal(0, zero:transform(ml.zeros(1, 3))[1][1])
      local constant = ml.TruncatedSVD { n_components = 1 }:fit { { 3, 4 }, { 3, 4 } }
      support.near(math.sqrt(50), constant.singular_values[1], 1e-14, "singular value")
      support.near_all({ 0.6, 0.8 }, constant.components[1], 1e-14, "component")
      local one = ml.TruncatedSVD { n_components = 1 }:fit { { 3, -4 } }
      support.near(5, one.singular_values[1], 1e-14, "singular value")
      assert.error_matches(function() ml.TruncatedSVD { n_components = 3 }:fit(ml.normal(9, 2, 1)) end,
         "TruncatedSVD: n_components must be at most min%(rows, columns%) = 2, got 3")
   end)
end)
