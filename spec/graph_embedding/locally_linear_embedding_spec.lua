local ml = require "manilius"
local support = dofile "spec/support.lua"
local common = dofile "spec/graph_embedding/common.lua"
local oracle = dofile "spec/fixtures/graph_embedding/locally_linear.lua"

local function near(wanted, got, tolerance, what)
   support.near_rows(wanted, common.with_signs(got, wanted), tolerance, what, 0.1)
end

describe("LocallyLinearEmbedding", function()
   local X = common.roll(200)

   for _, method in ipairs { "standard", "modified", "ltsa", "hessian" } do
      it("gives the embedding of its definition: " .. method, function()
         local model = ml.LocallyLinearEmbedding { n_neighbors = 12, method = method }:fit(X)
         near(oracle[method].embedding, model.embedding, 1e-6, "coordinates")
         support.near(oracle[method].error, model.reconstruction_error, 1e-6, "error", 1e-8)
         assert.equal(1, model.n_parts)
         if oracle[method].new then near(oracle[method].new, model:transform(oracle.new), 1e-6, "new rows") end
         support.near_rows(model.embedding, model:fit_transform(X), 0, "coordinates", 1)
      end)
   end

   it("is hessian as in scikit-learn with the fewest neighbors", function()
      local model = ml.LocallyLinearEmbedding { n_neighbors = 6, method = "hessian" }:fit(X)
      support.near(oracle.least.error, model.reconstruction_error, 1e-6, "error", 1e-8)
      near(oracle.least.embedding, model.embedding, 1e-5, "coordinates")
   end)

   for _, method in ipairs { "standard", "ltsa" } do
      it("finds eigenvectors of many rows by a sparse factorization: " .. method, function()
         local many = common.roll(1500)
         local model = ml.LocallyLinearEmbedding { n_neighbors = 10, method = method }:fit(many)
         local some, wanted = {}, oracle["many_" .. method]
         for i = 1, 1500, 50 do some[#some + 1] = model.embedding[i] end
         near(wanted.embedding, ml.Matrix(some), 1e-5, "coordinates")
         support.near(wanted.error, model.reconstruction_error, 1e-5, "error", 1e-10)
         for a = 1, 2 do
            local column = model.embedding:col(a)
            support.near(0, column:sum(), 1e-10, "sum", 1)
            support.near(1, column:dot(column), 1e-10, "norm")
         end
      end)
   end

   it("unrolls a roll", function()
      local roll, length = common.roll(1500)
      local model = ml.LocallyLinearEmbedding { n_neighbors = 10, method = "ltsa" }:fit(roll)
      assert(ml.LinearRegression {}:fit(model.embedding, length):score(model.embedding, length) > 0.98)
   end)

   it("takes distances in place of rows, by all methods", function()
      local D, new = ml.pairwise_distances(X), X:slice(1, 5) * 1.01
      for _, method in ipairs { "standard", "modified", "hessian", "ltsa" } do
         local rows = ml.LocallyLinearEmbedding { n_neighbors = 12, method = method }:fit(X)
         local given = ml.LocallyLinearEmbedding { n_neighbors = 12, method = method, metric = "precomputed" }:fit(D)
         support.near_rows(rows.embedding, given.embedding, 1e-7, method, 0.1) -- inner products by differences
         support.near_rows(rows:transform(new), given:transform(ml.pairwise_distances(new, X)), 1e-7, method, 0.1)
         support.near_rows(given:transform(D), ml.load(given:dump()):transform(D), 0, method, 1)
      end
      local bad = ml.LocallyLinearEmbedding { metric = "precomputed", n_neighbors = 1, n_components = 1 }
      support.refuses("X must be symmetric", bad.fit, bad, { { 0, 1, 2 }, { 2, 0, 1 }, { 2, 1, 0 } })
      support.refuses("requires a square X of distances, got 2 x 3", bad.fit, bad, { { 0, 1, 2 }, { 2, 0, 1 } })
   end)

   it("warns of a graph that is not connected", function()
      local warned
      ml.warnings(function(text) warned = text end)
      local rows = {}
      for i = 1, 40 do rows[i] = { i % 7 + (i > 20 and 100 or 0), i * i % 11 } end
      local model = ml.LocallyLinearEmbedding { n_neighbors = 5 }:fit(rows)
      ml.warnings "on"
      assert.equal(2, model.n_parts)
      assert.matches("the graph of neighbors has 2 parts", warned)
   end)

   it("takes many rows on a line, where the null space is large", function()
      local line = {}
      for i = 1, 700 do line[i] = { i, 2 * i, -i } end
      ml.warnings "off"
      for _, method in ipairs { "standard", "modified", "hessian", "ltsa" } do
         local model = ml.LocallyLinearEmbedding { n_neighbors = 8, method = method }:fit(line)
         assert(model.embedding:isfinite():all(), method)
         assert(model.eigenvalues:max() < 1e-5)
      end
      ml.warnings "on"
   end)

   it("takes equal rows, and refuses too few neighbors or rows", function()
      local same = {}
      for i = 1, 20 do same[i] = { 1, 2, i > 10 and 3 or 1 } end
      for _, method in ipairs { "standard", "modified", "hessian", "ltsa" } do
         ml.warnings "off"
         local model = ml.LocallyLinearEmbedding { n_neighbors = 12, method = method }:fit(same)
         ml.warnings "on"
         assert(model.embedding[1][1] == model.embedding[1][1])
      end
      local model = ml.LocallyLinearEmbedding { method = "hessian" }
      support.refuses("n_neighbors must be at least 6 for 2 components by the method hessian, got 5", model.fit,
         model, X)
      support.refuses("n_neighbors must be less than the number of rows, 5, got 5", model.fit, model, X:slice(1, 5))
      model = ml.LocallyLinearEmbedding { n_components = 4 }
      support.refuses("n_components must be at most the number of columns, 3", model.fit, model, X)
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.LocallyLinearEmbedding { method = "ltsa" }:fit(X) end)
   end)
end)
