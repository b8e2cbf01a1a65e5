local ml = require "manilius"
local fixture = dofile "spec/fixtures/kernel/kernels.lua"
local support = require "spec.support"

local kernel = ml.kernel
local near_rows, refuses = support.near_rows, support.refuses

local function kernel_of(formula)
   return assert(load("return " .. formula, formula, "t", setmetatable({}, { __index = kernel })))()
end

local function columns(list, n)
   local out = {}
   for i, row in ipairs(list) do out[i] = table.move(row, 1, n, 1, {}) end
   return out
end

local formulas = {
   "Polynomial { degree = 3, gamma = 0.5, coef0 = 2 }", "RBF { length = 0.8 }", "RBF { length = { 1, 2, 3 } }",
   "Laplacian { length = 2 }", "Laplacian { length = { 1, 2, 3 } }", "OrnsteinUhlenbeck { length = { 1, 2, 3 } }",
   "Matern { nu = 0.5, length = 0.8 }", "Matern { nu = 1.5, length = { 1, 2, 3 } }",
   "Matern { nu = 2.5, length = 0.8 }", "RationalQuadratic { length = { 1, 2, 3 }, alpha = 0.5 }",
   "Periodic { length = { 1, 2, 3 }, period = 1.3 }", "Sigmoid { gamma = 0.2, coef0 = 0.3 }", "Chi2 { gamma = 0.5 }",
   "White { noise = 0.5 }", "Constant { value = 3 }",
   "RBF { columns = { 2 } } * Linear { columns = { 3, 1 } } + White { noise = 0.5 }",
   "(2 * RBF {} + 0.5) ^ 2 * Matern { nu = 0.5 } + 3 * Cosine {} ^ 3 * Polynomial { columns = { 2 } }",
}

-- Central differences of the matrix by element j of theta, with Richardson's extrapolation: their error is of order
-- h^4, and their rounding error of order 1e-16 / h = 1e-12.
local function difference(k, X, j)
   local h = 2e-4
   local function slope(step)
      local up, down = k.theta, k.theta
      up[j], down[j] = up[j] + step, down[j] - step
      return (k:with_theta(up):matrix(X) - k:with_theta(down):matrix(X)) / (2 * step)
   end
   return (slope(h) * 4 - slope(2 * h)) / 3
end

describe("The gradient of a kernel", function()
   it("is that of finite differences", function()
      local X = ml.random(12, 3, 1):mul(3)
      X = ml.vcat(X, X:slice(1, 2)) -- with duplicate rows
      for _, formula in ipairs(formulas) do
         local k = kernel_of(formula)
         local gradient, sparse = k:gradient(X), k:gradient(ml.Sparse.from(X))
         assert.equal(#k.theta, #gradient)
         for j = 1, #gradient do
            local what = formula .. " by " .. k.theta_names[j]
            local scale = math.max(1, k:matrix(X):abs():max())
            near_rows((difference(k, X, j) / scale):totable(), (gradient[j] / scale):totable(), 1e-9, what, 1)
            near_rows(gradient[j]:totable(), sparse[j]:totable(), 1e-12, what .. ", sparse", scale)
         end
      end
   end)

   it("is that of scikit-learn", function()
      local n = 0
      for _, case in ipairs(fixture.cases) do
         if case.gradient then
            local got = kernel_of(case.formula):gradient(columns(fixture.x, case.cols))
            for j, wanted in ipairs(case.gradient) do
               near_rows(wanted, got[j]:totable(), 1e-12, ("%s by %d"):format(case.formula, j), 1)
               n = n + 1
            end
         end
      end
      assert(n >= 20)
   end)

   it("has the sums that gradient_dot gives without the matrices", function()
      local X, W = ml.random(500, 3, 2):mul(3), ml.normal(500, 500, 3)
      for _, formula in ipairs { formulas[3], formulas[11], formulas[17] } do
         local k = kernel_of(formula)
         local sums = k:gradient_dot(X, W)
         for j, G in ipairs(k:gradient(X)) do
            support.near(G:mul(W):sum(), sums[j], 1e-11, formula, G:mul(W):abs():sum())
         end
      end
   end)

   it("leaves out what is fixed", function()
      local k = kernel.RationalQuadratic { length = 2, alpha = 3, fixed = "length" } + kernel.White { fixed = true }
      assert.same({ "1.RationalQuadratic.alpha" }, { table.unpack(k.theta_names) })
      support.near(math.log(3), k.theta[1], 1e-15)
      assert.equal(1, #k:gradient { { 1 }, { 2 } })
      assert.equal(0, #kernel.Linear {}:gradient { { 1 } })
      assert.equal(0, #kernel.Linear {}:gradient_dot({ { 1 } }, { { 1 } }))
   end)

   it("refuses functions and a W of another shape", function()
      refuses("kernel Function has no gradient", function()
         (kernel.Function(function() return 1 end) + kernel.White {}):gradient { { 1 } }
      end)
      refuses("W must be 2 x 2, got 1 x 2", function() kernel.RBF {}:gradient_dot({ { 1 }, { 2 } }, { { 1, 2 } }) end)
   end)
end)
