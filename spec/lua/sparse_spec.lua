local ml = require "manilius"
local refuses = require("spec.support").refuses

-- A dense and a sparse copy of a matrix in which one value in ten is not 0.
local function both(rows, cols, seed)
   local X = ml.random(rows, cols, seed)
   X = X:lt(0.1):where(ml.normal(rows, cols, seed), 0)
   return X, ml.Sparse.from(X)
end

describe("Sparse", function()
   local S

   before_each(function()
      S = ml.Sparse { rows = 3, cols = 4, entries = { { 3, 1, 7 }, { 1, 2, 5 }, { 1, 1, 2 }, { 1, 2, 1 } } }
   end)

   it("adds entries at the same position", function()
      assert.same({ 3, 4, 3, 3 }, { S.rows, S.cols, S.nnz, #S })
      assert.same({ { 2, 6, 0, 0 }, { 0, 0, 0, 0 }, { 7, 0, 0, 0 } }, S:todense():totable())
      assert.equal(6, S:get(1, 2))
      assert.equal(0, S:get(2, 4))
      local columns, values = S:row(1)
      assert.same({ 1, 2 }, columns)
      assert.same({ 2, 6 }, values)
      refuses("row must be a whole number from 1 to 3, got 4", S.get, S, 4, 1)
   end)

   it("converts from and to dense matrices", function()
      local X, Z = both(57, 31, 1)
      assert.equal(X, Z:todense())
      assert.equal(X:ne(0):sum(), Z.nnz)
      assert.equal(X:t(), Z:t():todense())
      assert.equal(Z, Z:t():t())
      assert.equal(X:take { 5, 1, 5 }, Z:take({ 5, 1, 5 }):todense())
      assert.equal(X:slice(10, 20), Z:slice(10, 20):todense())
      assert.equal(ml.Sparse(X), Z)
      assert.not_equal(Z, Z:slice(1, 56))
   end)

   it("multiplies like a dense matrix", function()
      for _, size in ipairs { { 7, 5 }, { 400, 300 }, { 2000, 40 } } do
         local X, Z = both(size[1], size[2], 2)
         local B, v = ml.normal(size[2], 60, 3), ml.normal(size[2], nil, 4)
         local w, C = ml.normal(size[1], nil, 5), ml.normal(3, size[1], 6)
         assert.is_true(((Z * B) - (X * B)):abs():max() < 1e-11)
         assert.is_true(((Z * v) - (X * v)):abs():max() < 1e-11)
         assert.is_true(((w * Z) - (w * X)):abs():max() < 1e-11)
         assert.is_true(((C * Z) - (C * X)):abs():max() < 1e-11)
         assert.equal(X * 2, (2 * Z):todense())
         assert.near(X:sum(), Z:sum(), 1e-9)
         assert.is_true((X:sum "cols" - Z:sum "cols"):abs():max() < 1e-11)
         assert.is_true((X:sum "rows" - Z:sum "rows"):abs():max() < 1e-11)
      end
      refuses("Sparse %* Vector: the left side has 4 columns, the right side 2 rows",
         function() return S * ml.Vector { 1, 2 } end)
      refuses("Sparse %* Sparse", function() return S * S end)
   end)

   it("sorts long rows", function()
      local order, entries = ml.permutation(1000, 7), {}
      for k, j in ipairs(order) do entries[k] = { 1, j, j } end
      local Z = ml.Sparse { rows = 1, cols = 1000, entries = entries }
      assert.equal(ml.range(1000):as_row(), Z:todense())
   end)

   it("checks its arguments", function()
      local function make(entries) return ml.Sparse { rows = 2, cols = 2, entries = entries } end
      refuses("Sparse has no option 'entires'; did you mean 'entries'%?", ml.Sparse, { entires = {} })
      refuses("rows must be a whole number from 0, got %-1", ml.Sparse, { rows = -1, cols = 1, entries = {} })
      refuses("entries must be a table", ml.Sparse, { rows = 1, cols = 1 })
      refuses("entry 1: the column must be a whole number from 1 to 2, got 3", make, { { 1, 3, 1 } })
      refuses("entry 2: the row must be a whole number from 1 to 2, got 0", make, { { 1, 1, 1 }, { 0, 1, 1 } })
      refuses("entry 1: the value is a string, not a number", make, { { 1, 1, "1" } })
      refuses("entry 1 is a number, not a table", make, { 5 })
      refuses("at most 2147483647 columns", ml.Sparse, { rows = 1, cols = 2 ^ 40, entries = {} })
      refuses("not enough memory", ml.Sparse, { rows = 2 ^ 53, cols = 1, entries = {} })
      refuses("values cannot be set", function() S[1] = 1 end)
      refuses("Sparse has no 'todens'; did you mean 'todense'%?", function() return S.todens end)
   end)

   it("shows its first values", function()
      assert.equal("Sparse 3 x 4, 3 values\n  (1, 1)  2\n  (1, 2)  6\n  (3, 1)  7", tostring(S))
      assert.matches("%.%.%.$", tostring(ml.Sparse.from(ml.ones(5, 5))))
      assert.equal("Sparse 2 x 2, 0 values", tostring(ml.Sparse { rows = 2, cols = 2, entries = {} }))
   end)

   it("is empty after it was closed", function()
      local kept
      do
         local Z <close> = ml.Sparse.from(ml.eye(3))
         kept = Z
      end
      assert.equal(0, kept.nnz)
      assert.equal("Sparse 0 x 0, 0 values", tostring(kept))
      refuses("has been closed", kept.todense, kept)
   end)
end)
