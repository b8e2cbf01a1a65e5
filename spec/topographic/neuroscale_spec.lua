local ml = require "manilius"
local support = dofile "spec/support.lua"

local function iris()
   return (support.data("iris", "species")):matrix()
end

-- The stress by its definition.
local function stress_of(X, Y, weighting)
   local delta, d = ml.pairwise_distances(X), ml.pairwise_distances(Y)
   local sum, total = 0, 0
   for i = 1, X.rows do
      for j = 1, i - 1 do
         if delta[i][j] > 0 then
            local weight = weighting == "sammon" and 1 / delta[i][j] or 1
            sum = sum + weight * (delta[i][j] - d[i][j]) ^ 2
            total = total + weight * delta[i][j] ^ 2
         end
      end
   end
   return sum / total
end

describe("NeuroScale", function()
   for _, weighting in ipairs { "sammon", "raw" } do
      it("has the stress of its embedding, which no iteration increases: " .. weighting, function()
         local X = iris()
         for _, solver in ipairs { "shadow_targets", "lbfgs" } do
            local model = ml.NeuroScale { weighting = weighting, solver = solver, n_centers = 20 }:fit(X)
            support.near(stress_of(X, model.embedding, weighting), model.stress, 1e-9, "stress")
            for i = 2, #model.trace do assert(model.trace[i] <= model.trace[i - 1]) end
            assert.is_true(model.converged)
            support.near_rows(model.embedding, model:transform(X), 1e-12, "coordinates", 1)
         end
      end)
   end

   it("ends where no change of a coefficient lowers the stress", function()
      local X = iris():take { 1, 20, 40, 60, 80, 100, 120, 140, 150, 15, 75, 105 }
      local model = ml.NeuroScale { n_centers = 3, solver = "lbfgs", tol = 0 }:fit(X)
      local shadow = ml.NeuroScale { n_centers = 3, tol = 1e-12, max_iter = 20000 }:fit(X)
      support.near(model.stress, shadow.stress, 1e-6, "stress")
      -- By adding columns of the network to the embedding.
      local least = stress_of(X, model.embedding, "sammon")
      for j = 1, 4 do
         for _, step in ipairs { 1e-3, -1e-3 } do
            local moved = {}
            for i = 1, X.rows do moved[i] = { model.embedding[i][1] + step * X[i][j], model.embedding[i][2] } end
            assert(stress_of(X, ml.Matrix(moved), "sammon") > least)
         end
      end
   end)

   it("preserves distances better than the principal components, and places new rows", function()
      local X, old, new = ml.StandardScaler {}:fit_transform((support.data("wine", "class")):matrix()), {}, {}
      for i = 1, X.rows do table.insert(i % 3 == 0 and new or old, i) end
      local model = ml.NeuroScale { solver = "lbfgs", n_centers = 20 }:fit(X:take(old))
      local pca = ml.PCA { n_components = 2 }:fit(X:take(old))
      assert(model.stress < 0.5 * stress_of(X:take(old), pca:transform(X:take(old)), "sammon"))
      local rows = X:take(new)
      assert(stress_of(rows, model:transform(rows), "sammon") < 0.6 * stress_of(rows, pca:transform(rows), "sammon"))
   end)

   it("finds the plane of rows in a plane with every basis", function()
      local draw, rows = support.draws "plane", {}
      for i = 1, 40 do
         local a, b = draw(), draw()
         rows[i] = { a + b, a - b, 2 * a }
      end
      for _, basis in ipairs { "gaussian", "thin_plate", "r4logr" } do
         assert(ml.NeuroScale { basis = basis, n_centers = 10 }:fit(rows).stress < 1e-12)
      end
   end)

   it("takes rows that are all equal", function()
      local model = ml.NeuroScale {}:fit { { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert.equal(0, model.stress)
      support.near(0, model.embedding[3][1], 1e-12, "coordinate", 1)
   end)

   it("refuses more components than columns", function()
      local model = ml.NeuroScale { n_components = 3 }
      support.refuses("at most the number of columns, 2, got 3", model.fit, model, { { 1, 2 }, { 3, 4 } })
   end)

   it("refuses rows whose distances fit into no memory", function()
      local model = ml.NeuroScale { n_components = 1 }
      support.refuses("take 80 GB; fit a sample of the rows and transform the others", model.fit, model,
         ml.Matrix(100001, 1))
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.NeuroScale { max_iter = 5, tol = 0 }:fit(iris()) end)
   end)
end)
