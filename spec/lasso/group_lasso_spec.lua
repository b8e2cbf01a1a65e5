local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/lasso/lasso.lua"

local near, near_all, near_rows = support.near, support.near_all, support.near_rows
local raw, progression = support.data("diabetes", "progression")
local X = raw:matrix()
local Z = ml.StandardScaler {}:fit(X):transform(X)
local x = ml.normal(70, 6, 1)
local y = x:col(1) * 2 - x:col(2) + x:col(5) * 0.3 + ml.normal(70, nil, 2) + 1

describe("MultiTaskLasso and MultiTaskElasticNet", function()
   local inputs = Z:slice(1, Z.rows, 1, 9):copy()
   local targets = ml.hcat(ml.Matrix(ml.Vector(progression)), X:slice(1, X.rows, 10, 10):copy())

   it("agree with scikit-learn", function()
      for name, model in pairs {
         tasks = ml.MultiTaskLasso { alpha = 2, tol = 1e-18, max_iter = 20000 },
         tasks_net = ml.MultiTaskElasticNet { alpha = 2, l1_ratio = 0.6, tol = 1e-18, max_iter = 20000 },
      } do
         model:fit(inputs, targets)
         near_rows(oracle[name].coef, model.coef, 1e-8, name .. " coef", 1)
         near_all(oracle[name].intercept, model.intercept, 1e-9, name .. " intercept", 1)
         assert(model.gap >= 0)
      end
   end)

   it("equal the Lasso and the elastic net for one target", function()
      local one = ml.MultiTaskElasticNet { alpha = 0.3, l1_ratio = 0.4, tol = 1e-16, max_iter = 20000 }:fit(x, y)
      local other = ml.ElasticNet { alpha = 0.3, l1_ratio = 0.4, tol = 1e-16, max_iter = 20000 }:fit(x, y)
      near_all(other.coef, one.coef, 1e-9, "coef", 1)
      near(other.objective, one.objective, 1e-12, "objective")
   end)

   it("select a column for all targets or for none", function()
      local model = ml.MultiTaskLasso { alpha = 12 }:fit(inputs, targets)
      local none = 0
      for j = 1, 9 do
         assert.equal(model.coef[1][j] == 0, model.coef[2][j] == 0)
         none = none + (model.coef[1][j] == 0 and 1 or 0)
      end
      assert(none >= 3 and none < 9)
   end)
end)

describe("GroupLasso", function()
   local groups = { 1, 1, 7, 7, 7, 3 }

   it("satisfies the optimality conditions", function()
      for _, alpha in ipairs { 0.05, 0.2, 0.6 } do
         local model = ml.GroupLasso { alpha = alpha, groups = groups, tol = 1e-18, max_iter = 20000 }:fit(x, y)
         local r = y - x * model.coef - model.intercept
         local slope = x:t() * r / x.rows
         near(0, r:mean(), 1e-9, "mean residual", 1)
         for _, members in ipairs { { 1, 2 }, { 3, 4, 5 }, { 6 } } do
            local bound, size, steep = alpha * math.sqrt(#members), 0, 0
            for _, j in ipairs(members) do
               size, steep = size + model.coef[j] ^ 2, steep + slope[j] ^ 2
            end
            size, steep = math.sqrt(size), math.sqrt(steep)
            if size == 0 then assert(steep <= bound + 1e-9) end
            for _, j in ipairs(members) do
               if size > 0 then near(bound * model.coef[j] / size, slope[j], 1e-7, "slope", 1) end
            end
         end
         assert(model.gap >= 0 and model.gap < 1e-9)
      end
   end)

   it("excludes whole groups", function()
      local model = ml.GroupLasso { alpha = 0.3, groups = groups }:fit(x, y)
      assert(model.coef[1] ~= 0 and model.coef[2] ~= 0)
      near_all({ 0, 0, 0, 0 }, { model.coef[3], model.coef[4], model.coef[5], model.coef[6] }, 0, "coef", 1)
   end)

   it("equals the Lasso if each column is its own group", function()
      local model = ml.GroupLasso { alpha = 0.1, tol = 1e-16, max_iter = 20000 }:fit(x, y)
      near_all(ml.Lasso { alpha = 0.1, tol = 1e-16, max_iter = 20000 }:fit(x, y).coef, model.coef, 1e-9, "coef", 1)
   end)

   it("refuses groups of the wrong length", function()
      support.refuses("GroupLasso: groups must have one number for each of the 6 columns of X, got 2", function()
         ml.GroupLasso { groups = { 1, 2 } }:fit(x, y)
      end)
   end)
end)
