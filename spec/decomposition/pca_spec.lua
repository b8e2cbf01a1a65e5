local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/first.lua".pca

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
end

describe("PCA", function()
   for _, solver in ipairs { "full", "covariance", "randomized" } do
      it("agrees with scikit-learn on digits: " .. solver, function()
         local X = digits()
         -- the randomized solver finds these well separated components to about 1e-6
         local loose = solver == "randomized" and 1e-4 or 1e-8
         local model = ml.PCA { n_components = 5, solver = solver, iterated_power = 8 }:fit(X)
         support.near_rows(oracle.components, model.components, loose, "component", 1)
         support.near_all(oracle.variance, model.explained_variance, loose, "variance")
         support.near_all(oracle.ratio, model.explained_variance_ratio, loose, "ratio")
         support.near_all(oracle.singular, model.singular_values, loose, "singular value")
         support.near(oracle.noise, model.noise_variance, loose, "noise")
         local few = X:slice(1, 3)
         support.near_all(oracle.scores, model:score_samples(few), loose, "log density")
         support.near_rows(oracle.transformed, model:transform(few), loose, "transformed", 10)
      end)
   end

   it("whitens like scikit-learn", function()
      local X = digits()
      local model = ml.PCA { n_components = 5, whiten = true }:fit(X)
      support.near_rows(oracle.whitened, model:transform(X:slice(1, 3)), 1e-8, "whitened", 1)
      local Z = model:transform(X)
      for c = 1, 5 do support.near(1, Z:col(c):var(), 1e-10, "variance") end
   end)

   it("keeps enough components to explain a fraction of the variance", function()
      local model = ml.PCA { n_components = 0.9 }:fit(digits())
      assert.equal(oracle.count90, model.components.rows)
   end)

   it("reconstructs X from all components and reports the reconstruction error of few", function()
      local X = ml.normal(40, 6, 1)
      local all = ml.PCA {}:fit(X)
      support.near_rows(X, all:inverse_transform(all:transform(X)), 1e-12, "row", 1)
      local few = ml.PCA { n_components = 2 }:fit(X)
      local rest = X - few:inverse_transform(few:transform(X))
      local error = few:reconstruction_error(X)
      for i = 1, 40 do support.near(rest[i]:dot(rest[i]), error[i], 1e-10, "error", 1) end
   end)

   it("has orthonormal components, also with more columns than rows", function()
      for _, shape in ipairs { { 60, 5 }, { 10, 30 } } do
         local V = ml.PCA {}:fit(ml.normal(shape[1], shape[2], 2)).components
         support.near_rows(ml.eye(V.rows), V * V:t(), 1e-12, "V V'", 1)
      end
   end)

   it("learns the same in batches as at once", function()
      local X = digits()
      local whole, parts = ml.PCA { n_components = 5 }:fit(X), ml.PCA { n_components = 5 }
      for first = 1, X.rows, 300 do parts:partial_fit(X:slice(first, math.min(first + 299, X.rows))) end
      support.near_rows(whole.components, parts.components, 1e-9, "component", 1)
      support.near_all(whole.explained_variance, parts.explained_variance, 1e-10, "variance")
      support.refuses("partial_fit cannot continue after fit", function() whole:partial_fit(X) end)
   end)

   it("treats weights as repeated rows", function()
      local X = ml.normal(20, 3, 4)
      local rows, w = {}, {}
      for i = 1, 20 do
         w[i] = i % 3
         for _ = 1, w[i] do rows[#rows + 1] = i end
      end
      local a, b = ml.PCA {}:fit(X, nil, { weights = w }), ml.PCA {}:fit(X:take(rows))
      support.near_rows(b.components, a.components, 1e-10, "component", 1)
      support.near_all(b.explained_variance, a.explained_variance, 1e-11, "variance")
   end)

   it("refuses invalid numbers of components and rows", function()
      support.refuses("PCA: n_components must be at most min%(rows, columns%) = 2, got 3", function()
         ml.PCA { n_components = 3 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("n_components must be a whole number or, below 1, a fraction of the variance, got 1.5", function()
         ml.PCA { n_components = 1.5 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("PCA: X must have at least 2 rows, got 1", function() ml.PCA {}:fit { { 1, 2 } } end)
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(20000, 12, 1)
      for _, solver in ipairs { "covariance", "full", "randomized" } do
         support.same_for_any_threads(function() return ml.PCA { n_components = 3, solver = solver }:fit(X) end)
      end
   end)

   -- Sylvester's matrix of order n without its first column: orthogonal columns of mean 0
   local function orthogonal_columns(n)
      local H = { { 1 } }
      while #H < n do
         local size = #H
         for i = 1, size do
            H[size + i] = {}
            for j = 1, size do H[size + i][j], H[size + i][size + j], H[i][size + j] = H[i][j], -H[i][j], H[i][j] end
         end
      end
      for i = 1, n do table.remove(H[i], 1) end
      return H
   end

   -- the steps that find a few vectors of a large matrix, against the singular value decomposition
   local function agrees(X, count)
      local few = ml.PCA { n_components = count, solver = "covariance" }:fit(X)
      local exact = ml.PCA { n_components = count, solver = "full" }:fit(X)
      support.near_all(exact.explained_variance, few.explained_variance, 1e-11, "variance")
      support.near(exact.noise_variance, few.noise_variance, 1e-11, "noise")
      support.near(exact:monitor(X).q_limit, few:monitor(X).q_limit, 1e-9, "limit of Q")
      local V = few.components
      support.near_rows(ml.eye(count), V * V:t(), 1e-12, "product", 1)
      return few, exact
   end

   it("finds few components of a covariance matrix that is diagonal", function()
      local H, scale = orthogonal_columns(128), {}
      for j = 1, 127 do
         scale[j] = 1 + (j * 37 % 127) / 10
         for i = 1, 128 do H[i][j] = H[i][j] * scale[j] end
      end
      local few = agrees(ml.Matrix(H), 5)
      table.sort(scale, function(a, b) return a > b end)
      for c = 1, 5 do assert.near(128 / 127 * scale[c] ^ 2, few.explained_variance[c], 1e-10) end
   end)

   it("finds few components if some columns are constant, repeated, or apart from the others", function()
      local X = ml.normal(400, 120, 3)
      local rows = {}
      for i = 1, 400 do
         rows[i] = {}
         for j = 1, 120 do
            local value = X[i][j] * (1 + j / 20)
            if j <= 30 then value = 7 elseif j > 110 then value = rows[i][j - 20] end
            rows[i][j] = value
         end
      end
      local few, exact = agrees(ml.Matrix(rows), 6)
      support.near_rows(exact.components, few.components, 1e-9, "component", 1)
   end)

   it("finds few components if all variances are equal, or tiny, or huge", function()
      agrees(ml.Matrix(orthogonal_columns(64)), 4)
      for _, scale in ipairs { 1e-70, 1e70 } do
         local X = ml.normal(300, 50, 4)
         local plain = ml.PCA { n_components = 3, solver = "covariance" }:fit(X)
         local scaled = ml.PCA { n_components = 3, solver = "covariance" }:fit(X * scale)
         support.near_rows(plain.components, scaled.components, 1e-9, "component", 1)
      end
   end)
end)
