local ml = require "manilius"
local support = require "spec.support"
local oracle = dofile "spec/fixtures/linear_svm/linear_svm.lua"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = ml.read_csv("examples/data/diabetes.csv"):split "progression"
X = ml.StandardScaler {}:fit_transform(X):matrix()
local level, weights, lengths = {}, {}, {}
for i = 1, 442 do
   level[i], weights[i] = math.floor(y[i] / 50), 1 + (i - 1) % 3
   if i % 13 == 0 then lengths[#lengths + 1] = 13 end
end

-- The objective, pair by pair.
local function objective(settings, b)
   local z, sum = X * b, 0
   for begin = 1, 442, 13 do
      for i = begin, begin + 12 do
         for j = begin, begin + 12 do
            local loss = level[i] > level[j] and math.max(0, 1 - z[i] + z[j]) or 0
            sum = sum + math.sqrt(weights[i] * weights[j]) * (settings.loss == "hinge" and loss or loss * loss)
         end
      end
   end
   return settings.C * sum + b:dot(b) / 2
end

describe("RankingSVM", function()
   it("reaches the objective of liblinear on all pairs", function()
      for _, case in ipairs(oracle.ranking) do
         local settings = { C = case.C, loss = case.loss, tol = 1e-9, max_iter = 20000 }
         local model = ml.RankingSVM(settings):fit(X, level, { lengths = lengths, weights = weights })
         local what = ("%s C = %g"):format(case.loss, case.C)
         assert.is_true(model.converged, what)
         near(case.objective, model.objective, 2e-9, what)
         near(objective(settings, model.coef), model.objective, 1e-11, what)
         near_all(case.coef, model.coef, 1e-3, what, 0.01)
      end
   end)

   it("is right by hand", function()
      -- one pair at distance 2: 1/2 w^2 + C (1 - 2 w)^2, so w - 4 C (1 - 2 w) = 0
      local model = ml.RankingSVM { C = 0.5 }:fit({ { 1 }, { 3 } }, { 0, 1 })
      near(2 / 5, model.coef[1], 1e-12)
      assert.is_false(pcall(function() return model.intercept end))
      -- with hinge loss the pair is just satisfied
      near(0.5, ml.RankingSVM { loss = "hinge" }:fit({ { 1 }, { 3 } }, { 0, 1 }).coef[1], 1e-7)
      -- equal relevance, or a group of one: nothing to learn
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         local nothing = ml.RankingSVM { loss = loss }:fit({ { 1 }, { 3 }, { 4 } }, { 1, 1, 5 }, { lengths = { 2, 1 } })
         assert.equal(0, nothing.coef[1])
         assert.is_true(nothing.converged)
      end
   end)

   it("does not depend on the origin of a group, nor on the values of y", function()
      local moved, other = {}, {}
      for i = 1, 442 do
         moved[i] = (X[i] + (i - 1) // 13):totable()
         other[i] = 10 ^ level[i]
      end
      local a = ml.RankingSVM { C = 0.1, tol = 1e-12 }:fit(X, level, { lengths = lengths })
      local b = ml.RankingSVM { C = 0.1, tol = 1e-12 }:fit(moved, other, { lengths = lengths })
      near_all(a.coef, b.coef, 1e-8, "coef", 0.01)
   end)

   it("gives the same for sparse and wide X", function()
      local wide = {}
      for i = 1, 442 do
         local row = X[i]:totable()
         for j = 1, 10 do row[10 + j] = row[j] * row[j % 10 + 1] end
         wide[i] = row
      end
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         local settings = { C = 0.01, loss = loss, tol = 1e-9, max_iter = 20000 }
         local dense = ml.RankingSVM(settings):fit(wide, level, { lengths = lengths })
         local sparse = ml.RankingSVM(settings):fit(ml.Sparse.from(wide), level, { lengths = lengths })
         near(dense.objective, sparse.objective, 1e-8, loss)
      end
      -- more columns than a Gram matrix may have: conjugate gradients
      local random = ml.normal(442, 1100, 1)
      local settings = { C = 0.01, tol = 1e-10 }
      local direct = ml.RankingSVM(settings):fit(random, level, { lengths = lengths })
      local slope = direct.coef:copy()
      local z = random * direct.coef
      for begin = 1, 442, 13 do
         for i = begin, begin + 12 do
            for j = begin, begin + 12 do
               local loss = level[i] > level[j] and math.max(0, 1 - z[i] + z[j]) or 0
               if loss > 0 then slope = slope - (random[i] - random[j]) * (2 * settings.C * loss) end
            end
         end
      end
      assert.is_true(slope:norm() ^ 2 / 2 <= 2e-10 * direct.objective)
   end)

   it("orders documents better than chance", function()
      local train, rest = ml.range(13 * 24), ml.range(13 * 24 + 1, 442)
      local levels = ml.Vector(level)
      local model = ml.RankingSVM { C = 0.01 }:fit(X:take(train), levels:take(train), { lengths = ml.Vector(24, 13) })
      assert.is_true(model:score(X:take(rest), levels:take(rest), { lengths = ml.Vector(10, 13) }) > 0.85)
   end)

   it("reports what it cannot do", function()
      local model = ml.RankingSVM {}
      refuses("RankingSVM: lengths", function() model:fit({ { 1 }, { 2 } }, { 0, 1 }, { lengths = { 3 } }) end)
   end)
end)
