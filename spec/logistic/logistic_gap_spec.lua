local ml = require "manilius"
local support = dofile "spec/support.lua"

local raw, species = support.data("iris", "species")
local X = raw:matrix()
local two = {}
for i = 1, 150 do two[i] = species[i] == "versicolor" and "yes" or "no" end
local cases = {
   { "two classes", X, two },
   { "three classes", X, species },
   { "sparse rows", ml.Sparse.from(X), two },
   { "three classes of sparse rows", ml.Sparse.from(X), species },
}
local penalties = { { "l1", 1 }, { "elasticnet", 0.3 } }

-- Rounding of the objective, allowed between it and a gap.
local function rounding(model) return 1e-13 * model.objective end

local function weights() return ml.random(150, nil, 3) * 2 end

describe("The duality gap of LogisticRegression", function()
   for _, case in ipairs(cases) do
      for _, penalty in ipairs(penalties) do
         it(("bounds the distance to the minimum, for %s with %s"):format(case[1], penalty[1]), function()
            for _, C in ipairs { 0.1, 10 } do
               local s = { C = C, penalty = penalty[1], l1_ratio = penalty[2], max_iter = 20000, tol = 1e-14 }
               local best = ml.LogisticRegression(s):fit(case[2], case[3], { weights = weights() })
               assert(best.gap >= 0 and best.gap <= 1e-5 * best.objective, ("%g at the end"):format(best.gap))
               for _, tol in ipairs { 1e-1, 1e-3, 1e-6 } do
                  s.tol = tol
                  local model = ml.LogisticRegression(s):fit(case[2], case[3], { weights = weights() })
                  local above = model.objective - best.objective
                  assert(model.gap >= above - rounding(model), ("%g, but %g above"):format(model.gap, above))
               end
               s.max_iter = 1
               local first = ml.LogisticRegression(s):fit(case[2], case[3], { weights = weights() })
               assert(first.gap >= first.objective - best.objective - rounding(first))
            end
         end)
      end
   end

   it("bounds it when SAGA stops early, and without an intercept", function()
      for _, constant in ipairs { true, false } do
         local s = { penalty = "l1", fit_intercept = constant, max_iter = 20000, tol = 1e-13 }
         local best = ml.LogisticRegression(s):fit(X, two)
         for _, rounds in ipairs { 1, 5, 50 } do
            local some = ml.LogisticRegression(s):set_params { solver = "saga", max_iter = rounds }:fit(X, two)
            assert(some.gap >= some.objective - best.objective and some.gap < some.objective)
         end
      end
   end)

   it("is 0 at a known dual point where the penalty sets all coefficients to 0", function()
      -- the probabilities are the class frequencies: primal and dual are both n times their entropy
      local model = ml.LogisticRegression { penalty = "l1", C = 1e-3 }:fit(X, species)
      support.near(150e-3 * math.log(3), model.objective, 1e-12, "objective")
      assert(model.gap <= 1e-15)
   end)

   it("is nil without an L1 norm, also after save and load", function()
      local l2, l1 = ml.LogisticRegression {}:fit(X, two), ml.LogisticRegression { penalty = "l1" }:fit(X, two)
      for _, model in ipairs { l2, ml.load(l2:dump()) } do assert.is_nil(model.gap) end
      assert.equal(l1.gap, ml.load(l1:dump()).gap)
      assert.equal("number", type(l1.gap))
   end)
end)

describe("The duality gap of other models with the logistic loss", function()
   it("is that of the final fit in LogisticRegressionCV", function()
      local s = { Cs = { 1 }, penalty = "l1", cv = 3, tol = 1e-4 }
      local loose = ml.LogisticRegressionCV(s):fit(X, species)
      local tight = ml.LogisticRegressionCV(s):set_params { tol = 1e-13 }:fit(X, species)
      assert(tight.gap >= 0 and tight.gap < 1e-6 * tight.objective)
      assert(loose.gap >= loose.objective - tight.objective - rounding(tight))
      local l2 = ml.LogisticRegressionCV { Cs = { 1 }, cv = 3 }:fit(X, species)
      assert.is_nil(l2.gap)
   end)

   it("is given for each score by LinearModelClassifier, for every solver", function()
      local s = { penalty = "elasticnet", alpha = 0.01, l1_ratio = 0.6, max_iter = 20000 }
      local best = ml.LinearModelClassifier(s):set_params { tol = 1e-10 }:fit(X, species)
      assert.equal(3, #best.gap)
      for t = 1, 3 do assert(best.gap[t] >= 0 and best.gap[t] < 1e-9) end
      for _, solver in ipairs { "coordinate", "lbfgs", "gradient", "saga" } do
         local model = ml.LinearModelClassifier(s):set_params({ solver = solver, tol = 1e-3 }):fit(X, species)
         assert(model.gap:sum() >= model.objective - best.objective - rounding(best), solver)
         assert(model.gap:sum() < 0.1, solver)
      end
      local other = ml.LogisticRegression { C = 1 / (150 * 0.01), penalty = "elasticnet", l1_ratio = 0.6, tol = 1e-14 }
      local one = ml.LinearModelClassifier(s):set_params({ tol = 1e-10 }):fit(X, two)
      support.near(other:fit(X, two).objective * 0.01, one.objective, 1e-9, "objective")
      local l2 = ml.LinearModelClassifier {}:fit(X, two)
      assert(l2.gap ~= l2.gap)
   end)
end)
