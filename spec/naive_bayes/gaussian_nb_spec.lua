local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/first.lua"

describe("GaussianNB", function()
   it("agrees with scikit-learn on wine", function()
      local X, y = support.data("wine", "class")
      local model = ml.GaussianNB {}:fit(X, y)
      support.near_rows(oracle.nb.theta, model.theta, 1e-12, "theta")
      support.near_rows(oracle.nb.var, model.var, 1e-9, "var")
      support.near(oracle.nb.epsilon, model.epsilon, 1e-11, "epsilon")
      support.near_all(oracle.nb.prior, model.class_prior, 1e-14, "prior")
      support.near_rows(oracle.nb.log_proba, model:predict_log_proba(X:take { 1, 66, 151 }), 1e-9, "log proba", 1)
      support.near(oracle.nb.score, model:score(X, y), 1e-14, "accuracy")
   end)

   it("handles weights and priors like scikit-learn", function()
      local X, y = support.data("wine", "class")
      local w = {}
      for i = 1, #y do w[i] = 1 + (i - 1) % 3 end
      local model = ml.GaussianNB { priors = { 0.2, 0.3, 0.5 }, var_smoothing = 0 }:fit(X, y, { weights = w })
      support.near_rows(oracle.nb_weighted.theta, model.theta, 1e-12, "theta")
      local few = X:take { 4, 61, 171 }
      support.near_rows(oracle.nb_weighted.log_proba, model:predict_log_proba(few), 1e-9, "log proba", 1)
   end)

   it("learns the same in batches as at once", function()
      local X, y = support.data("wine", "class")
      local whole, parts = ml.GaussianNB {}:fit(X, y), ml.GaussianNB {}
      for first = 1, #y, 50 do
         local last = math.min(first + 49, #y)
         parts:partial_fit(X:slice(first, last), y:slice(first, last), { classes = { 0, 1, 2 } })
      end
      support.near_rows(whole.theta, parts.theta, 1e-12, "theta")
      support.near_rows(whole.var, parts.var, 1e-10, "var")
      support.near_all(whole.class_count, parts.class_count, 0, "count")
   end)

   it("is accurate far from zero, and if the first rows differ from the rest", function()
      -- sorted values around 1e8: a one-pass sum of squares would lose all digits of the variance
      local X, y = {}, {}
      for i = 1, 2000 do
         X[i] = { 1e8 + i / 2000 }
         y[i] = i % 2
      end
      local model = ml.GaussianNB {}:fit(X, y)
      local mean, square = 0, 0
      for i = 2, 2000, 2 do mean = mean + i / 2000 / 1000 end
      for i = 2, 2000, 2 do square = square + (i / 2000 - mean) ^ 2 / 1000 end
      -- the values are rounded to about 1e-8, and so is the variance
      support.near(square, model.var[1][1], 1e-6, "variance")
   end)

   it("handles a feature that is constant in a class", function()
      local model = ml.GaussianNB {}:fit({ { 1, 5 }, { 2, 5 }, { 3, 6 }, { 4, 9 } }, { "a", "a", "b", "b" })
      local log_proba = model:predict_log_proba { { 1.5, 5 }, { 3.5, 7 } }
      assert.is_true(log_proba:isfinite():all())
      assert.equal("a", model:predict { { 1.5, 5 } }[1])
   end)

   it("says which columns speak for a class", function()
      local X, y = { { 0 }, { 2 }, { 5 }, { 9 } }, { "a", "a", "b", "b" }
      local evidence = ml.GaussianNB { var_smoothing = 0 }:fit(X, y):summary().evidence
      -- the divergence of N(7, 4) from N(1, 1), and of N(1, 1) from N(7, 4)
      support.near(math.log(2) + (1 + 36) / 8 - 0.5, evidence.information[1], 1e-14, "a")
      support.near(math.log(0.5) + (4 + 36) / 2 - 0.5, evidence.information[2], 1e-14, "b")
   end)

   it("refuses invalid priors", function()
      local X, y = { { 1 }, { 2 } }, { 0, 1 }
      support.refuses("GaussianNB: priors must add up to 1, got 0.9", function()
         ml.GaussianNB { priors = { 0.5, 0.4 } }:fit(X, y)
      end)
      support.refuses("GaussianNB: priors must have one value for each of the 2 classes, got 1", function()
         ml.GaussianNB { priors = { 1 } }:fit(X, y)
      end)
      support.refuses("priors must be from 0 to 1, got 2 at position 2", function()
         ml.GaussianNB { priors = { 0.5, 2 } }
      end)
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(30000, 8, 1)
      local y = X:col(1):gt(0) + X:col(2):gt(0)
      support.same_for_any_threads(function() return ml.GaussianNB {}:fit(X, y) end)
   end)
end)
