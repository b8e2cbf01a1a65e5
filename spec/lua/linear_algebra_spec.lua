local ml = require "manilius"
local support = require "spec.support"

local near, refuses = support.near, support.refuses

local function near_matrix(wanted, got, tolerance)
   for i = 1, wanted.rows do
      for j = 1, wanted.cols do near(wanted[i][j], got[i][j], tolerance, nil, 1) end
   end
end

describe("Matrix", function()
   local A = ml.normal(6, 6, 3)

   it("solves linear systems", function()
      local b = ml.normal(6, nil, 4)
      local x = A:solve(b)
      for i = 1, 6 do near(b[i], A:row(i):dot(x), 1e-12, nil, 1) end
      near_matrix(ml.eye(6), A:solve(A), 1e-12)
      assert.near(2, ml.Matrix { { 2, 0 }, { 0, 4 } }:solve { 4, 8 }[2], 1e-15)
      assert.near(3, ml.Matrix { { 2 } }:solve { { 6 } }[1][1], 1e-15)
   end)

   it("inverts matrices, also views", function()
      near_matrix(ml.eye(6), A * A:inverse(), 1e-12)
      near_matrix(A:inverse():t(), A:t():inverse(), 1e-12)
      assert.equal(0, ml.zeros(0, 0):inverse().rows)
   end)

   it("names the rank and condition of singular matrices", function()
      refuses("inverse: the matrix is singular to working precision: rank 1 of 2, condition number", function()
         ml.Matrix { { 1, 2 }, { 2, 4 } }:inverse()
      end)
      refuses("solve: the matrix is singular to working precision: rank 0 of 2", function()
         ml.zeros(2, 2):solve { 1, 2 }
      end)
      refuses("inverse: the matrix must be square, got 2 x 3; use pinv", function() ml.zeros(2, 3):inverse() end)
      refuses("must have as many values as the matrix has rows", function() A:solve { 1, 2 } end)
      refuses("nan", function() ml.full(2, 2, 0 / 0):inverse() end)
   end)

   it("has singular values and vectors", function()
      for _, X in ipairs { ml.normal(7, 3, 1), ml.normal(3, 7, 2) } do
         local U, s, V = X:svd()
         near_matrix(X, U:mul(s) * V:t(), 1e-12)
         near_matrix(ml.eye(3), U:t() * U, 1e-12)
         near_matrix(ml.eye(3), V:t() * V, 1e-12)
         assert.is_true(s[1] >= s[2] and s[2] >= s[3])
      end
   end)

   it("has a pseudoinverse, which satisfies the four equations of Penrose", function()
      local X = ml.normal(6, 2, 5) * ml.normal(2, 4, 6)
      local P = X:pinv()
      near_matrix(X, X * P * X, 1e-12)
      near_matrix(P, P * X * P, 1e-12)
      near_matrix((X * P):t(), X * P, 1e-12)
      near_matrix((P * X):t(), P * X, 1e-12)
      near_matrix(ml.zeros(2, 2), ml.Matrix { { 1e-3, 0 }, { 0, 0 } }:pinv(0.5) * 0, 0)
      assert.equal(0, ml.Matrix { { 1, 0 }, { 0, 0.1 } }:pinv(0.5)[2][2])
   end)

   it("has covariances and correlations of columns", function()
      local X = ml.normal(9, 3, 7) + 1e6
      local C, R = X:cov(), X:corr()
      for j = 1, 3 do near(X:col(j):var(), C[j][j], 1e-9) end
      near(C[1][2] / (C[1][1] * C[2][2]) ^ 0.5, R[1][2], 1e-7)
      near(C[1][2] * 8 / 9, X:cov(0)[1][2], 1e-12)
      assert.equal(1, R[3][3])
      assert.equal(R[1][3], R[3][1])
      assert.is_true(X:slice(1, 1):cov()[1][1] ~= X:slice(1, 1):cov()[1][1])
   end)

   it("has the correlations of scipy", function()
      for _, set in ipairs(dofile "spec/fixtures/stats/correlation.lua".sets) do
         local X = ml.hcat(ml.Vector(set.x), ml.Vector(set.y))
         for _, method in ipairs { "pearson", "spearman", "kendall" } do
            near(set[method].estimate, X:corr(method)[1][2], 1e-13)
         end
      end
   end)

   it("leaves out missing values by pairs, and has no correlation with a constant", function()
      local nan = 0 / 0
      local X = ml.Matrix { { 1, 2, 5 }, { 2, nan, 5 }, { 3, 1, 5 }, { 5, 7, 5 } }
      local kept = X:take { 1, 3, 4 }
      for _, method in ipairs { "pearson", "spearman", "kendall" } do
         local R = X:corr(method)
         near(kept:corr(method)[1][2], R[1][2], 1e-15)
         assert.is_true(R[1][3] ~= R[1][3] and R[3][3] ~= R[3][3])
      end
      refuses("method must be pearson, spearman or kendall, got person", function() X:corr "person" end)
   end)

   it("solves systems of hundreds of equations, which have a solver of their own", function()
      local n = 450
      local X = ml.normal(n, n, 1)
      local B = ml.normal(n, 3, 2)
      assert.is_true((X * X:solve(B) - B):abs():max() < 1e-11)
      assert.is_true((X * X:inverse() - ml.eye(n)):abs():max() < 1e-11)
      assert.is_true((X:t() * X:t():solve(B:col(2)):as_column() - B:col(2):as_column()):abs():max() < 1e-11)
      -- Columns of very different units are no reason to call a matrix singular.
      local scaled = X:copy()
      for i = 1, n do scaled:set(i, 7, 1e-200 * X:get(i, 7)) end
      local x, wanted = scaled:solve(B:col(1)), X:solve(B:col(1))
      assert.near(wanted[7], 1e-200 * x[7], 1e-11)
      assert.near(wanted[8], x[8], 1e-11)
      for j = 1, n do X:set(1, j, X:get(2, j)) end
      refuses("solve: the matrix is singular to working precision: rank 449 of 450", X.solve, X, B)
      X:set(3, 3, 0 / 0)
      refuses("inverse: the matrix and the right side must be finite, got nan or inf", X.inverse, X)
   end)
end)
