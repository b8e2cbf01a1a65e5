local ml = require "manilius"
local fixture = dofile "spec/fixtures/kernel/kernels.lua"
local support = require "spec.support"

local kernel = ml.kernel
local near_rows, refuses = support.near_rows, support.refuses

-- The kernel of a formula as it prints.
local function kernel_of(formula)
   return assert(load("return " .. formula, formula, "t", setmetatable({}, { __index = kernel })))()
end

local function columns(list, n)
   local out = {}
   for i, row in ipairs(list) do out[i] = table.move(row, 1, n, 1, {}) end
   return out
end

-- One kernel of each kind, and compositions.
local formulas = {
   "Linear {}", "Polynomial { degree = 3, gamma = 0.5, coef0 = 2 }", "RBF { length = 0.8 }",
   "Laplacian { length = { 1, 2, 3 } }", "OrnsteinUhlenbeck { length = 0.8 }", "Matern { nu = 1.5 }",
   "Matern { nu = 2.5, length = { 1, 2, 3 } }", "RationalQuadratic { alpha = 0.5 }",
   "Periodic { period = 1.3, length = { 1, 2, 3 } }", "Cosine {}", "Chi2 { gamma = 0.5 }",
   "RBF { columns = { 2 } } * Linear { columns = { 3, 1 } } + White { noise = 0.5 }",
   "(2 * RBF {} + 0.5) ^ 2 * Matern { nu = 0.5 }",
}

local function points(n, d, seed)
   return ml.random(n, d, seed):mul(3)
end

-- Whether all eigenvalues are >= -tolerance times the largest element: then K plus that has a Cholesky factor.
local function is_semidefinite(K, tolerance)
   local A, n = K:totable(), #K
   local shift = tolerance * K:abs():max()
   for j = 1, n do
      local pivot = A[j][j] + shift
      for l = 1, j - 1 do pivot = pivot - A[j][l] ^ 2 end
      if pivot <= 0 or pivot ~= pivot then return false end
      A[j][j] = math.sqrt(pivot)
      for i = j + 1, n do
         for l = 1, j - 1 do A[i][j] = A[i][j] - A[i][l] * A[j][l] end
         A[i][j] = A[i][j] / A[j][j]
      end
   end
   return true
end

local function bytes_of(X)
   return ml.dump(X)
end

describe("The matrix of a kernel", function()
   -- Both compute in float64 with another order of sums; distances are exact to a few units in the last place.
   it("is that of scikit-learn", function()
      for _, case in ipairs(fixture.cases) do
         local k = kernel_of(case.formula)
         local x, y = columns(fixture.x, case.cols), columns(fixture.y, case.cols)
         near_rows(case.matrix, k:matrix(x), 1e-13, case.formula, 1)
         near_rows(case.cross, k:matrix(x, y), 1e-13, case.formula .. " between sets", 1)
         for i, row in ipairs(case.matrix) do support.near(row[i], k:diagonal(x)[i], 1e-14, case.formula) end
      end
   end)

   it("is its formula where scikit-learn has another one, or none", function()
      local X, length = points(30, 3, 9), { 1, 2, 3 }
      local function sum(x, y, term)
         local total = 0
         for j = 1, 3 do total = total + term(x[j] - y[j], length[j]) end
         return total
      end
      local function laplacian(x, y) return math.exp(-sum(x, y, function(d, l) return math.abs(d) / l end)) end
      local function periodic(x, y)
         return math.exp(-2 * sum(x, y, function(d, l) return (math.sin(math.pi * d / 1.3) / l) ^ 2 end))
      end
      local function fractional(x, y) return (0.5 * x:dot(y) + 2) ^ 2.5 end
      for _, case in ipairs { { laplacian, kernel.Laplacian { length = length } },
         { periodic, kernel.Periodic { length = length, period = 1.3 } },
         { fractional, kernel.Polynomial { degree = 2.5, gamma = 0.5, coef0 = 2 } } } do
         near_rows(kernel.Function(case[1]):matrix(X), case[2]:matrix(X), 1e-13, tostring(case[2]))
      end
   end)

   it("is symmetric to the bit, and positive semidefinite", function()
      local X = points(60, 3, 1)
      for _, formula in ipairs(formulas) do
         local K = kernel_of(formula):matrix(X)
         assert.equal(bytes_of(K:t():copy()), bytes_of(K), formula)
         assert(is_semidefinite(K, 1e-12), formula)
      end
   end)

   it("has the same values in parts, and for sparse rows", function()
      local X, Y = points(70, 3, 2):mul(points(70, 3, 3):lt(1.5)), points(5, 3, 4)
      for _, formula in ipairs(formulas) do
         local k = kernel_of(formula)
         local K, S = k:matrix(X), k:matrix(ml.Sparse.from(X))
         near_rows(K, S, 1e-13, formula, 1)
         near_rows(k:matrix(X, Y), k:matrix(ml.Sparse.from(X), ml.Sparse.from(Y)), 1e-13, formula, 1)
         near_rows(k:matrix(X, Y), k:matrix(ml.Sparse.from(X), Y), 1e-13, formula, 1)
         support.near_all(K:diag(), k:diagonal(ml.Sparse.from(X)), 1e-14, formula)
         if not formula:find "White" then
            near_rows(K:slice(1, 5):totable(), k:matrix(X:slice(1, 5), X):totable(), 1e-14, formula, 1)
         end
      end
   end)

   it("does not depend on the number of threads", function()
      local X, before = points(900, 3, 5), ml.threads()
      for _, formula in ipairs { formulas[4], formulas[9], formulas[13] } do
         local k, made = kernel_of(formula), {}
         local W = ml.normal(900, 900, 1)
         for threads = 1, 3 do
            ml.threads(threads)
            made[threads] = bytes_of { k:matrix(X), k:matrix(X, X:slice(1, 400)), k:gradient_dot(X, W) }
         end
         ml.threads(before)
         assert.equal(made[1], made[2])
         assert.equal(made[1], made[3])
      end
   end)

   -- Rows 1e8 away from 0 and 1e-6 from each other: the expanded square has no digit of their distances. X itself is
   -- rounded to 1.5e-8, so the oracle uses the differences of the rounded values.
   it("is accurate far from 0 and for close rows", function()
      local X = points(20, 2, 6):mul(1e-6)
      X = ml.hcat(X:col(1):add(1e8), X:col(2):add(-1e8))
      X = ml.vcat(X, ml.Matrix { { 1e8 + 1e4, -1e8 } })
      local length = 1e-6
      local K, L = kernel.RBF { length = length }:matrix(X), kernel.OrnsteinUhlenbeck { length = length }:matrix(X)
      for i = 1, #X do
         for j = 1, #X do
            local r2 = ((X[i][1] - X[j][1]) / length) ^ 2 + ((X[i][2] - X[j][2]) / length) ^ 2
            support.near(math.exp(-r2 / 2), K[i][j], 1e-5, "RBF", 1e-10)
            support.near(math.exp(-math.sqrt(r2)), L[i][j], 1e-5, "OU", 1e-10)
         end
      end
      local far = ml.Matrix { { 1e8 }, { 1e8 + 1 }, { 1e8 + 1 }, { 1e8 + 3 } }
      near_rows({ { 1, math.exp(-1 / 2), math.exp(-1 / 2), math.exp(-9 / 2) } },
         { kernel.RBF {}:matrix(far)[1]:totable() }, 1e-14)
   end)

   it("is 1 for duplicate rows", function()
      local X = ml.vcat(points(40, 5, 7), points(40, 5, 7))
      for _, name in ipairs { "RBF", "OrnsteinUhlenbeck", "Matern", "RationalQuadratic", "Laplacian", "Periodic" } do
         local K = kernel[name] { length = 1e-3 }:matrix(X)
         for i = 1, 40 do assert.equal(1, K[i][i + 40], name) end
      end
   end)

   it("is defined for one row, constant columns and rows of zeros", function()
      assert.same({ { 1 } }, kernel.RBF {}:matrix { { 5 } }:totable())
      assert.same({ { 1, 1 }, { 1, 1 } }, kernel.Matern {}:matrix { { 5, 5 }, { 5, 5 } }:totable())
      assert.same({ { 0, 0 }, { 0, 1 } }, kernel.Cosine {}:matrix { { 0, 0 }, { 3, 4 } }:totable())
      assert.same({ { 1, 1 }, { 1, 1 } }, kernel.Chi2 {}:matrix { { 0, 0 }, { 0, 0 } }:totable())
      assert.equal(0, #kernel.RBF {}:matrix(ml.zeros(0, 3)))
   end)

   it("uses columns by number and by name", function()
      local X = points(5, 3, 8)
      local frame = ml.Frame { a = X:col(1), b = X:col(2), c = X:col(3) }
      local wanted = kernel.RBF { length = { 2, 3 } }:matrix(X:select { 3, 1 })
      near_rows(wanted, kernel.RBF { length = { 2, 3 }, columns = { 3, 1 } }:matrix(X), 1e-15)
      near_rows(wanted, kernel.RBF { length = { 2, 3 }, columns = { "c", "a" } }:matrix(frame), 1e-15)
      local both = kernel.RBF { columns = "a" } * kernel.Linear { columns = { "b", "c" } }
      near_rows((kernel.RBF { columns = 1 } * kernel.Linear { columns = { 2, 3 } }):matrix(X),
         both:matrix(frame), 1e-15)
   end)

   it("has noise only on its own diagonal", function()
      local k = kernel.White { noise = 0.5 }
      assert.same({ { 0.5, 0 }, { 0, 0.5 } }, k:matrix { { 1 }, { 1 } }:totable())
      assert.same({ { 0, 0 }, { 0, 0 } }, k:matrix({ { 1 }, { 1 } }, { { 1 }, { 1 } }):totable())
   end)

   it("may be given", function()
      local K = ml.Matrix { { 2, 1 }, { 1, 3 } }
      assert.same(K:totable(), kernel.Precomputed {}:matrix(K):totable())
      assert.same({ { 3, 1 }, { 1, 4 } }, (kernel.Precomputed {} + kernel.White {}):matrix(K):totable())
      assert.same({ { 4, 1 }, { 1, 9 } }, (kernel.Precomputed {} ^ 2):matrix(K):totable())
      assert.same({ 2, 3 }, kernel.Precomputed {}:diagonal(K):totable())
      refuses("X must be square, got 1 x 2", kernel.Precomputed {}.matrix, kernel.Precomputed {}, { { 1, 2 } })
      refuses("cannot be combined with RBF", function() (kernel.Precomputed {} * kernel.RBF {}):matrix(K) end)
   end)

   it("counts common substrings", function()
      local K = kernel.spectrum({ "abcabc", "abcd", "xyz", "" }, nil, { length = 2, normalize = false })
      -- ab 2, bc 2, ca 1; ab, bc, cd; xy, yz; none
      assert.same({ { 9, 4, 0, 0 }, { 4, 3, 0, 0 }, { 0, 0, 2, 0 }, { 0, 0, 0, 0 } }, K:totable())
      local C = kernel.spectrum({ "abcabc" }, { "abcd", "q" }, { length = 2 })
      support.near(4 / math.sqrt(27), C[1][1], 1e-15)
      assert.equal(0, C[1][2])
      refuses("others must be a list of strings, got number at position 1", kernel.spectrum, { "a" }, { 1 })
      refuses("strings must be a list of strings, got an empty table", kernel.spectrum, {})
      refuses("length must be a whole number", kernel.spectrum, { "a" }, nil, { length = 0 })
      refuses("no option 'lenght'; did you mean 'length'", kernel.spectrum, { "a" }, nil, { lenght = 1 })
   end)

   it("refuses rows that do not suit it", function()
      refuses("X must be >= 0, got %-1 in row 2", function() kernel.Chi2 {}:matrix { { 1 }, { -1 } } end)
      refuses("row 1 of X is too large", function() kernel.RBF {}:matrix { { 1e200 }, { 1 } } end)
      refuses("is inf for rows 1 and 1", function() (kernel.Polynomial { degree = 9 }):matrix { { 1e60 } } end)
      refuses("X must be finite, got nan in row 2, column 1", function() kernel.RBF {}:matrix { { 1 }, { 0 / 0 } } end)
      refuses("uses column 3, but X has 2 columns", function() kernel.RBF { columns = { 3 } }:matrix { { 1, 2 } } end)
      refuses("has 3 lengths, but X has 2 columns", function()
         kernel.RBF { length = { 1, 2, 3 } }:matrix { { 1, 2 } }
      end)
      refuses("uses column 'a', but X has no column names", function()
         kernel.RBF { columns = "a" }:matrix { { 1 } }
      end)
      refuses("uses column 'b', which X does not have", function()
         kernel.RBF { columns = "b" }:matrix(ml.Frame { a = { 1, 2 } })
      end)
      refuses("X must have columns of numbers, but 'a' is a Factor", function()
         kernel.RBF {}:matrix(ml.Frame { a = { "x", "y" } })
      end)
      refuses("the same columns, got 1 and 2", function() kernel.RBF {}:matrix({ { 1 } }, { { 1, 2 } }) end)
      refuses("kernel: X: Matrix or table of rows expected, got nil", function() kernel.RBF {}:matrix() end)
      refuses("kernel: Y: Matrix or table of rows expected, got string", function()
         kernel.RBF {}:matrix({ { 1 } }, "a")
      end)
   end)
end)
