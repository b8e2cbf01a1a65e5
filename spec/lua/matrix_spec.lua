local ml = require "manilius"
local refuses = require("spec.support").refuses
local memory = require("manilius.core").memory

local nan = 0 / 0

local function rows(X)
   return X:totable()
end

describe("ml.Matrix of a Frame", function()
   local frame = ml.Frame { { "a", { 1, 2, 3 } }, { "b", { 4, 5, 6.5 } } }

   it("has its columns as a copy", function()
      local X = ml.Matrix(frame)
      assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6.5 } }, X:totable())
      X[1][1] = 9
      assert.equal(1, frame.a[1])
      assert.same({ { 1, 4, 7 }, { 2, 5, 8 }, { 3, 6.5, 9 } }, ml.hcat(frame, { { 7 }, { 8 }, { 9 } }):totable())
      assert.equal(0, ml.Matrix(ml.Frame {}).rows)
   end)

   it("names the first column of labels", function()
      frame.kind = { "x", "y", "x" }
      frame.other = { "u", "v", "w" }
      refuses("all columns of the Frame must be numbers, but 'kind' holds labels; drop or encode it", ml.Matrix, frame)
   end)
end)

describe("Matrix", function()
   local X

   before_each(function()
      X = ml.Matrix { { 1, 2 }, { 3, 4 }, { 5, 6 } }
   end)

   describe("constructors", function()
      it("accept tables, Vectors, sizes and other matrices", function()
         assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 } }, rows(X))
         assert.same({ { 1, 2 }, { 3, 4 } }, rows(ml.Matrix { ml.Vector { 1, 2 }, { 3, 4 } }))
         assert.same({ { 7, 7 }, { 7, 7 } }, rows(ml.Matrix(2, 2, 7)))
         assert.same({ { 0, 0 } }, rows(ml.zeros(1, 2)))
         assert.same({ { 1 }, { 1 } }, rows(ml.ones(2, 1)))
         assert.same({ { 0.5 } }, rows(ml.full(1, 1, 0.5)))
         assert.same({ { 1, 0 }, { 0, 1 } }, rows(ml.eye(2)))
         assert.same({ { 1 }, { 2 } }, rows(ml.Matrix(ml.Vector { 1, 2 })))
         local copy = ml.Matrix(X)
         copy:set(1, 1, 99)
         assert.equal(1, X:get(1, 1))
      end)

      it("set the shape, also of empty matrices", function()
         assert.equal(3, X.rows)
         assert.equal(2, X.cols)
         assert.equal(3, #X)
         local none = ml.Matrix {}
         assert.equal(0, none.rows)
         assert.equal(0, none.cols)
         assert.equal(0, none:sum())
         assert.equal(2, ml.zeros(2, 0).rows)
      end)

      it("report where a table is wrong", function()
         refuses("row 2 has 1 value, row 1 has 2", ml.Matrix, { { 1, 2 }, { 3 } })
         refuses("row 2, column 1 is a string, not a number", ml.Matrix, { { 1, 2 }, { "3", 4 } })
         refuses("row 1, column 2 is a boolean, not a number", ml.Matrix, { { 1, true } })
         refuses("row 1, column 1 is a table, not a number", ml.Matrix, { { { 1 } } })
         refuses("row 1 is a number, not a table", ml.Matrix, { 1, 2 })
         refuses("Matrix or table of rows expected, got string", ml.Matrix, "x")
         refuses("Matrix or table of rows expected, got Factor", ml.Matrix, ml.Factor { "a" })
         refuses("a table without rows", ml.Matrix, { a = 1 })
      end)

      it("refuse impossible sizes", function()
         for _, size in ipairs { -1, 1.5, nan, math.huge, 2 ^ 60, "3" } do
            refuses("a size must be a whole number from 0, got", ml.zeros, size, 2)
         end
         refuses("not enough memory", ml.zeros, 2 ^ 53, 2 ^ 53)
         refuses("not enough memory", ml.zeros, 2 ^ 45, 2)
         refuses("a matrix without values can have at most", ml.zeros, 2 ^ 50, 0)
         refuses("not enough memory", ml.eye, 2 ^ 31)
      end)

      it("draw the same random numbers for the same seed", function()
         assert.equal(ml.random(4, 5, 3), ml.random(4, 5, 3))
         assert.not_equal(ml.random(4, 5, 3), ml.random(4, 5, 4))
         local u, z = ml.random(200, 100, 1), ml.normal(200, 100, 1)
         assert.is_true(u:min() >= 0 and u:max() < 1)
         assert.near(0.5, u:mean(), 0.01)
         assert.near(0, z:mean(), 0.03)
         assert.near(1, z:std(), 0.03)
      end)

      it("concatenate", function()
         assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } }, rows(ml.vcat(X, ml.Vector { 7, 8 })))
         assert.same({ { 1, 2, 9 }, { 3, 4, 8 }, { 5, 6, 7 } }, rows(ml.hcat(X, ml.Vector { 9, 8, 7 })))
         assert.same({ { 1, 1, 0 }, { 3, 0, 1 } }, rows(ml.hcat(X:slice(1, 2, 1, 1), ml.eye(2))))
         refuses("has 3 columns, the first has 2", ml.vcat, X, ml.eye(3))
         refuses("has 2 rows, the first has 3", ml.hcat, X, ml.eye(2))
      end)
   end)

   describe("access", function()
      it("reads and writes elements", function()
         assert.equal(4, X:get(2, 2))
         assert.equal(4, X[2][2])
         X:set(2, 2, -1)
         X[1][2] = 0.5
         assert.equal(-1, X[2][2])
         assert.equal(0.5, X:get(1, 2))
         assert.is_nil(X[0])
         assert.is_nil(X[4])
         assert.is_nil(X[1][3])
         refuses("row must be a whole number from 1 to 3, got 4", X.get, X, 4, 1)
         refuses("column must be a whole number from 1 to 2, got 0", X.set, X, 1, 0, 1)
         refuses("number expected, got string", X.set, X, 1, 1, "1")
         refuses("index must be a whole number from 1 to 2, got 3", function() X[1][3] = 1 end)
      end)

      it("assigns rows", function()
         X[2] = { 30, 40 }
         X[3] = ml.Vector { 50, 60 }
         X[1] = 7
         assert.same({ { 7, 7 }, { 30, 40 }, { 50, 60 } }, rows(X))
         refuses("row 1 has 3 values, a row of this matrix has 2", function() X[1] = { 1, 2, 3 } end)
         local S = ml.Matrix { { 1, 2 }, { 3, 4 } }
         S:t()[2] = S[1] -- column 2 from row 1, which crosses it
         assert.same({ { 1, 1 }, { 3, 2 } }, rows(S))
      end)

      it("has views that share memory", function()
         local column, row, part, turned = X:col(2), X:row(3), X:slice(2, 3, 2, 2), X:t()
         X:set(3, 2, 60)
         assert.equal(60, column[3])
         assert.equal(60, row[2])
         assert.equal(60, part[2][1])
         assert.equal(60, turned:get(2, 3))
         turned[1][1] = 10
         assert.equal(10, X[1][1])
         assert.same({ 2, 3 }, { turned.rows, turned.cols })
         assert.same({ 10, 4 }, X:diag():totable())
         assert.equal(X, X:t():t())
         local slice = X:slice(nil, 2)
         assert.same({ 2, 2 }, { slice.rows, slice.cols })
         assert.equal(0, X:slice(2, 1).rows)
         assert.equal(0, X:slice(4).rows)
         refuses("row must be a whole number from 1 to 4, got 5", X.slice, X, 5)
         refuses("last row must be a whole number from 1 to 3, got 4", X.slice, X, 2, 4)
      end)

      it("keeps a viewed matrix alive", function()
         local row = ml.full(300, 300, 5)[300]
         for _ = 1, 5 do collectgarbage() end
         assert.equal(5, row[300])
      end)

      it("copies", function()
         assert.same({ { 5, 6 }, { 1, 2 }, { 5, 6 } }, rows(X:take { 3, 1, 3 }))
         assert.same({ { 5, 6 } }, rows(X:take(ml.Vector { 3 })))
         assert.same({ { 2, 1, 2 }, { 4, 3, 4 }, { 6, 5, 6 } }, rows(X:select { 2, 1, 2 }))
         assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, rows(X:reshape(2, 3)))
         assert.same({ { 1, 3, 5, 2, 4, 6 } }, rows(X:t():reshape(1, 6)))
         assert.same({ 1, 2, 3, 4, 5, 6 }, X:flatten():totable())
         refuses("row at position 2 must be a whole number from 1 to 3, got 4", X.take, X, { 1, 4 })
         refuses("row at position 1 must be .*, got nan", X.take, X, ml.Vector { nan })
         refuses("column at position 1 must be .*, got string", X.select, X, { "1" })
         refuses("3 x 2 values do not fit a shape of 4 x 2", X.reshape, X, 4, 2)
         refuses("do not fit", X.reshape, X, 2 ^ 32, 2 ^ 32)
      end)

      it("is iterated by ipairs and pairs", function()
         for _, walk in ipairs { ipairs, pairs } do
            local sums = {}
            for i, row in walk(X) do sums[i] = row:sum() end
            assert.same({ 3, 7, 11 }, sums)
         end
      end)

      it("suggests the nearest member", function()
         refuses("Matrix has no 'slize'; did you mean 'slice'%?", function() return X.slize end)
         refuses("Matrix has no 'cosl'; did you mean 'cols'%?", function() return X.cosl end)
         refuses("Matrix has no 'wavelet'$", function() return X.wavelet end)
         refuses("'rows' cannot be set", function() X.rows = 3 end)
         refuses("index must be a whole number, got 1.5", function() return X[1.5] end)
         refuses("whole number or a name, got boolean", function() return X[true] end)
      end)

      it("hides its metatable from scripts", function()
         assert.equal("Matrix", getmetatable(X))
      end)
   end)

   describe("arithmetic", function()
      it("combines with numbers on both sides", function()
         assert.same({ { 2, 3 }, { 4, 5 }, { 6, 7 } }, rows(X + 1))
         assert.same({ { 0, -1 }, { -2, -3 }, { -4, -5 } }, rows(1 - X))
         assert.same({ { 2, 4 }, { 6, 8 }, { 10, 12 } }, rows(2 * X))
         assert.same({ { 0.5, 1 }, { 1.5, 2 }, { 2.5, 3 } }, rows(X / 2))
         assert.same({ { 1, 4 }, { 9, 16 }, { 25, 36 } }, rows(X ^ 2))
         assert.same({ { -1, -2 }, { -3, -4 }, { -5, -6 } }, rows(-X))
      end)

      it("broadcasts rows and columns", function()
         assert.same({ { 11, 22 }, { 13, 24 }, { 15, 26 } }, rows(X + ml.Vector { 10, 20 }))
         assert.same({ { 0, 1 }, { 1, 2 }, { 2, 3 } }, rows(X - ml.Vector { 1, 2, 3 }:as_column()))
         assert.same({ { 0, 0 }, { 0, 0 }, { 0, 0 } }, rows((X - X:mean "cols"):sub(X - X:mean "cols")))
         assert.same({ { 11, 12 }, { 21, 22 } }, rows(ml.Vector { 10, 20 }:as_column() + ml.Vector { 1, 2 }:as_row()))
         refuses("Matrix 3 x 2 %+ Vector of 3: shapes do not match", function() return X + ml.Vector { 1, 2, 3 } end)
         refuses("Matrix 3 x 2 %- Matrix 2 x 3: shapes do not match", function() return X - X:t() end)
         refuses("Matrix %+ string: both must be numbers, Vectors or Matrices", function() return X + "1" end)
         refuses("cannot be joined with '%.%.'", function() return X .. "" end)
      end)

      it("multiplies", function()
         assert.same({ { 35, 44 }, { 44, 56 } }, rows(X:t() * X))
         assert.same({ { 5, 11, 17 }, { 11, 25, 39 }, { 17, 39, 61 } }, rows(X * X:t()))
         assert.same({ 50, 110, 170 }, (X * ml.Vector { 10, 20 }):totable())
         assert.same({ 22, 28 }, (ml.Vector { 1, 2, 3 } * X):totable())
         assert.same({ 22, 28 }, (X:t() * ml.Vector { 1, 2, 3 }):totable())
         assert.same({ { 1, 4 }, { 9, 16 }, { 25, 36 } }, rows(X:mul(X)))
         assert.same({ { 1, 0 }, { 0, 4 }, { 0, 0 } }, rows(X:mul { { 1, 0 }, { 0, 1 }, { 0, 0 } }))
         assert.same({ { 1, 1 }, { 1, 1 }, { 1, 1 } }, rows(X:div(X)))
         refuses("Matrix 3 x 2 %* Matrix 3 x 2: the left side has 2 columns, the right side 3 rows",
            function() return X * X end)
      end)

      it("multiplies strided views like their copies", function()
         local A, B = ml.random(20, 30, 1), ml.random(30, 20, 2)
         local a, b = A:slice(3, 17, 5, 25), B:slice(5, 25, 2, 9)
         local expected, got = a:copy() * b:copy(), a * b
         assert.is_true((expected - got):abs():max() < 1e-12)
         local turned = b:t() * a:t()
         assert.is_true((turned:t() - expected):abs():max() < 1e-12)
         local v = B:col(3):slice(1, 21)
         assert.is_true(((a * v) - (a:copy() * v:copy())):abs():max() < 1e-12)
         assert.is_true(((a:t() * A:col(1):slice(1, 15)) - (a:t():copy() * A:col(1):slice(1, 15))):abs():max() < 1e-12)
      end)

      it("compares elementwise and as a whole", function()
         assert.same({ { 0, 0 }, { 0, 1 }, { 1, 1 } }, rows(X:gt(3)))
         assert.same({ { 0, 0 }, { 1, 1 }, { 1, 1 } }, rows(X:ge(3)))
         assert.same({ { 1, 1 }, { 0, 0 }, { 0, 0 } }, rows(X:lt(3)))
         assert.same({ { 1, 1 }, { 1, 0 }, { 0, 0 } }, rows(X:le(3)))
         assert.same({ { 0, 0 }, { 1, 0 }, { 0, 0 } }, rows(X:eq(3)))
         assert.same({ { 1, 1 }, { 0, 1 }, { 1, 1 } }, rows(X:ne(3)))
         assert.is_true(X == ml.Matrix { { 1, 2 }, { 3, 4 }, { 5, 6 } })
         assert.is_false(X == X:t())
         assert.is_false(ml.full(1, 1, nan) == ml.full(1, 1, nan))
         assert.is_true(X:gt(5):any())
         assert.is_false(X:gt(5):all())
         assert.same({ { 0, 0 }, { 0, 4 }, { 5, 6 } }, rows(X:gt(3):where(X, 0)))
         assert.same({ { 2, 2 }, { 3, 4 }, { 5, 5 } }, rows(X:clip(2, 5)))
         assert.same({ { 1, 2 }, { 2, 2 }, { 2, 2 } }, rows(X:minimum(2)))
         assert.same({ { 3, 3 }, { 3, 4 }, { 5, 6 } }, rows(X:maximum(3)))
      end)

      it("applies functions", function()
         local V = ml.Matrix { { 0, 0.5 }, { -1, 3 } }
         for _, name in ipairs { "exp", "sin", "cos", "tan", "floor", "ceil", "abs" } do
            local got = V[name](V)
            for i = 1, 2 do
               for j = 1, 2 do assert.near(math[name](V:get(i, j)), got:get(i, j), 1e-14, name) end
            end
         end
         assert.same({ { 0, 1 }, { -1, 3 } }, rows(V:round()))
         assert.same({ { 0, 1 }, { -1, 1 } }, rows(V:sign()))
         assert.same({ { 0, 0 }, { 1, 0 } }, rows(V:sqrt():isnan()))
         assert.near(math.log(3), V:log():get(2, 2), 1e-15)
         assert.equal(-math.huge, V:log():get(1, 1))
         assert.same({ { 0, 1 }, { 0, 1 } }, rows(V:log():isfinite()))
         assert.near(1 / (1 + math.exp(-3)), V:sigmoid():get(2, 2), 1e-15)
         assert.equal(3, ml.full(1, 1, 1000):log10():get(1, 1))
         assert.same({ { 0, 5 }, { -10, 30 } }, rows(V:map(function(x) return x * 10 end)))
         refuses("must return a number, got string in row 1, column 1", V.map, V, function() return "x" end)
         refuses("boom", V.map, V, function() error "boom" end)
      end)

      it("gives the same function value at every position", function()
         local n = 101
         local V = ml.full(1, n, 0.7)
         for _, name in ipairs { "exp", "log", "tanh", "sigmoid", "expm1", "log1p", "sin", "cos" } do
            local got = V[name](V)
            assert.equal(got:min(), got:max(), name)
            assert.equal(got:get(1, 1), V:t()[name](V:t()):get(n, 1))
         end
      end)

      it("propagates nan and infinity", function()
         local V = ml.Matrix { { nan, math.huge, -math.huge } }
         assert.same({ { 1, 0, 0 } }, rows(V:exp():isnan()))
         assert.equal(math.huge, V:exp():get(1, 2))
         assert.equal(0, V:exp():get(1, 3))
         assert.same({ { 0, 1, 0 } }, rows(V:gt(0)))
         assert.same({ { 1, 0, 0 } }, rows(V:minimum(5):isnan()))
         assert.same({ { 1, 0, 0 } }, rows(V:clip(-1, 1):isnan()))
      end)
   end)

   describe("statistics", function()
      it("reduces the whole matrix, rows and columns", function()
         assert.equal(21, X:sum())
         assert.same({ 3, 7, 11 }, X:sum("rows"):totable())
         assert.same({ 9, 12 }, X:sum("cols"):totable())
         assert.same({ 3, 4 }, X:mean("cols"):totable())
         assert.same({ 4, 4 }, X:var("cols"):totable())
         assert.same({ 0.5, 0.5, 0.5 }, X:std("rows", 0):totable())
         assert.near(3.5, X:var(), 1e-14)
         assert.near(35 / 12, X:var(nil, 0), 1e-14)
         refuses('axis must be "rows" .* or "cols" .*, got 0', X.var, X, 0)
         assert.equal(1, X:min())
         assert.same({ 5, 6 }, X:max("cols"):totable())
         assert.same({ 1, 3, 5 }, X:min("rows"):totable())
         assert.same({ 3, 2 }, { X:argmax() })
         assert.same({ 1, 1, 1 }, X:argmin("rows"):totable())
         assert.same({ 3, 3 }, X:argmax("cols"):totable())
         assert.equal(91, X:dot(X))
         assert.near(math.sqrt(91), X:norm(), 1e-14)
         assert.equal(21, X:norm(1))
         assert.equal(6, X:norm(math.huge))
         assert.equal(5, (X:t() * X):trace() - 86)
         assert.same({ { 1, 3 }, { 3, 7 }, { 5, 11 } }, rows(X:cumsum "rows"))
         assert.same({ { 1, 2 }, { 4, 6 }, { 9, 12 } }, rows(X:cumsum "cols"))
         assert.equal(3.5, X:median())
         assert.same({ 3, 4 }, X:median("cols"):totable())
         assert.same({ 2, 3 }, X:quantile(0.25, "cols"):totable())
         refuses('axis must be "rows" .* or "cols" .*, got row', X.sum, X, "row")
         refuses("min and max need at least one value", ml.zeros(0, 2).max, ml.zeros(0, 2))
         refuses("must be square, got 3 x 2", X.trace, X)
      end)

      it("propagates nan", function()
         X:set(2, 1, nan)
         for _, name in ipairs { "sum", "mean", "min", "max", "var", "median" } do
            assert.is_true(X[name](X) ~= X[name](X), name)
            local columns = X[name](X, "cols")
            assert.is_true(columns[1] ~= columns[1], name)
            assert.is_true(columns[2] == columns[2], name)
         end
         assert.is_true(ml.zeros(1, 1):var() ~= ml.zeros(1, 1):var()) -- the variance of one value is undefined
      end)

      it("computes accurate variances far from 0", function()
         local V = ml.Matrix { { 1e9 + 4 }, { 1e9 + 7 }, { 1e9 + 13 }, { 1e9 + 16 } }
         assert.equal(30, V:var())
         assert.equal(30, V:var("cols")[1])
         assert.equal(30, ml.hcat(V, V):var("cols")[2])
         assert.near(5e200, ml.Matrix { { 3e200, 4e200 } }:norm(), 1e186)
         assert.near(5e-200, ml.Matrix { { 3e-200, 4e-200 } }:norm(), 1e-214)
      end)

      it("does not depend on the number of threads", function()
         local A = ml.normal(700, 301, 1)
         local before = memory.threads()
         local seen
         for _, threads in ipairs { 1, 2, 3, 8 } do
            memory.threads(threads)
            local got = { A:sum(), A:norm(), A:var(), (A * ml.ones(301, 1)):sum() }
            for _, name in ipairs { "sum", "mean", "var", "max" } do
               for _, axis in ipairs { "rows", "cols" } do
                  for _, value in ipairs(A[name](A, axis):totable()) do got[#got + 1] = value end
               end
            end
            for _, value in ipairs((A * ml.normal(301, nil, 2)):totable()) do got[#got + 1] = value end
            for _, value in ipairs((A:t() * ml.normal(700, nil, 3)):totable()) do got[#got + 1] = value end
            for _, value in ipairs((A:exp() + A):slice(1, 3):flatten():totable()) do got[#got + 1] = value end
            seen = seen or got
            assert.same(seen, got)
         end
         memory.threads(before)
      end)

      it("agrees with plain loops", function()
         local A = ml.normal(157, 23, 5)
         local T = rows(A)
         local column, row, whole = {}, {}, 0
         for i = 1, 157 do
            row[i] = 0
            for j = 1, 23 do
               column[j] = (column[j] or 0) + T[i][j]
               row[i] = row[i] + T[i][j]
               whole = whole + T[i][j]
            end
         end
         assert.near(whole, A:sum(), 1e-11)
         for j = 1, 23 do assert.near(column[j], A:sum("cols")[j], 1e-12) end
         for i = 1, 157 do assert.near(row[i], A:sum("rows")[i], 1e-12) end
         for i = 1, 157 do assert.equal(A[i]:sum(), A:sum("rows")[i]) end
      end)
   end)

   describe("tostring", function()
      it("prints integers without a point and aligns points", function()
         assert.equal("Matrix 3 x 3\n  5.1  3.500   1.000\n  4.9  3.000  -1.425\n  2.0  0.001     nan",
            tostring(ml.Matrix { { 5.1, 3.5, 1 }, { 4.9, 3, -1.425 }, { 2, 0.001, nan } }))
      end)

      it("fits the screen", function()
         for _, A in ipairs { ml.normal(500, 80, 1), ml.normal(13, 3, 1) * 1e20, ml.zeros(0, 5), ml.zeros(5, 0) } do
            local text = tostring(A)
            assert.matches(("^Matrix %d x %d"):format(A.rows, A.cols), text)
            local lines = 0
            for line in text:gmatch "[^\n]+" do
               lines = lines + 1
               assert.is_true(#line <= 80, line)
               assert.not_matches(" $", line)
            end
            assert.is_true(lines <= 14)
         end
         assert.matches("%.%.%.", tostring(ml.zeros(20, 2)))
      end)
   end)

   it("names the method in errors when pcall calls it", function()
      local _, text = pcall(ml.zeros(2, 2).get, ml.zeros(2, 2), 3, 1)
      assert.equal("bad argument #2 to 'manilius.Matrix.get' (row must be a whole number from 1 to 2, got 3)", text)
   end)

   it("does not change the floating-point mode of the host", function()
      assert.is_true(2 ^ -1060 * 0.5 > 0)
   end)
end)
