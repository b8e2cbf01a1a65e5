-- Folds whose models are fitted at once, by passes over all of X.
local ml = require "manilius"

describe("models of folds that are fitted together", function()
   local N, P = 26000, 5
   local X = ml.normal(N, P, 1)

   local function labels(flipped)
      local u, names = ml.random(N, nil, 2), {}
      for i = 1, N do
         local score = X:get(i, 1) - 0.5 * X:get(i, 2) + 0.3
         names[i] = (u[i] < 1 / (1 + math.exp(-score))) ~= (flipped[i] or false) and "yes" or "no"
      end
      return ml.Factor(names)
   end

   local y = labels {}
   local cv = ml.StratifiedKFold { k = 5, seed = 3 }
   local splits
   splits = cv:split(X, y)

   local function models(model, target, options)
      options = options or {}
      options.cv, options.return_models = options.cv or splits, true
      return ml.cross_validate(model, X, target, options).models
   end

   it("agree with fits to the rows of each fold", function()
      for _, intercept in ipairs { true, false } do
         local model = ml.LogisticRegression { C = 0.01, fit_intercept = intercept }
         for f, found in ipairs(models(model, y)) do
            local alone = model:clone():fit(X:take(splits[f].train), y:take(splits[f].train))
            assert.is_true(found.converged)
            assert.near(alone.objective, found.objective, 1e-9 * alone.objective) -- both within tol = 1e-10
            for j = 1, P do assert.near(alone.coef:get(1, j), found.coef:get(1, j), 1e-5) end
            assert.near(alone.intercept, found.intercept, 1e-5)
         end
      end
   end)

   it("depend on their training rows only, to the last bit", function()
      local flipped = {}
      for _, i in ipairs(splits[1].test:totable()) do flipped[i | 0] = true end
      local before, after = models(ml.LogisticRegression {}, y)[1], models(ml.LogisticRegression {}, labels(flipped))[1]
      for j = 1, P do assert.equal(before.coef:get(1, j), after.coef:get(1, j)) end
      assert.equal(before.intercept, after.intercept)
   end)

   it("do not depend on the number of threads", function()
      local one, two = models(ml.LogisticRegression {}, y, { threads = 1 }), models(ml.LogisticRegression {}, y)
      for f = 1, #one do assert.equal(one[f].coef:get(1, 1), two[f].coef:get(1, 1)) end
   end)

   it("count a row as often as the split names it", function()
      local drawn = ml.random(N, nil, 4):map(function(u) return u * N // 1 + 1 end)
      local twice = { { train = drawn, test = splits[1].test }, splits[2] }
      local found = models(ml.LogisticRegression {}, y, { cv = twice })[1]
      local alone = ml.LogisticRegression {}:fit(X:take(drawn), y:take(drawn))
      for j = 1, P do assert.near(alone.coef:get(1, j), found.coef:get(1, j), 1e-5) end
   end)

   it("keep class weights, weights and errors of single fits", function()
      local balanced = ml.LogisticRegression { class_weight = "balanced" }
      local alone = balanced:clone():fit(X:take(splits[1].train), y:take(splits[1].train))
      assert.near(alone.coef:get(1, 1), models(balanced, y)[1].coef:get(1, 1), 1e-5)
      local weights = ml.random(N, nil, 5)
      local weighted = ml.LogisticRegression {}:fit(X:take(splits[1].train), y:take(splits[1].train),
         { weights = weights:take(splits[1].train) })
      assert.near(weighted.coef:get(1, 1), models(ml.LogisticRegression {}, y, { weights = weights })[1].coef:get(1, 1),
         1e-5)
      local broken = X:copy()
      broken:set(7, 1, 0 / 0)
      assert.has_error(function() ml.cross_validate(ml.LogisticRegression {}, broken, y) end)
   end)
end)
