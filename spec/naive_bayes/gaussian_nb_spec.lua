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

   it("ignores missing values", function()
      local nan = 0 / 0
      local X = { { 1, nan }, { 3, 4 }, { nan, 6 }, { 8, 9 }, { nan, 11 }, { 10, nan } }
      local y = { "a", "a", "a", "b", "b", "b" }
      local model = ml.GaussianNB { var_smoothing = 0 }:fit(X, y)
      assert.same({ { 2, 5 }, { 9, 10 } }, model.theta:totable())
      assert.same({ { 1, 1 }, { 1, 1 } }, model.var:totable())
      assert.same({ { 2, 2 }, { 2, 2 } }, model.feature_count:totable())
      -- one column alone decides where the other is missing; without any value the priors are left
      local one = model:predict_log_proba({ { 4, nan } })
      support.near((5 ^ 2 - 2 ^ 2) / 2, one[1][1] - one[1][2], 1e-13, "log odds")
      support.near_all({ 0.5, 0.5 }, model:predict_proba({ { nan, nan } })[1], 1e-15, "priors")
      local parts = ml.GaussianNB { var_smoothing = 0 }
      for _, rows in ipairs { { 2, 4 }, { 1, 3, 5, 6 } } do
         local some, labels = {}, {}
         for i, row in ipairs(rows) do some[i], labels[i] = X[row], y[row] end
         parts:partial_fit(some, labels, { classes = { "a", "b" } })
      end
      support.near_rows(model.theta, parts.theta, 1e-14, "means")
      support.near_rows(model.var, parts.var, 1e-14, "variances")
   end)

   it("gives a class without values of a column the moments of all classes", function()
      local nan = 0 / 0
      local model = ml.GaussianNB {}:fit({ { nan, 0 }, { nan, 1 }, { 5, 4 }, { 7, 5 } }, { "a", "a", "b", "b" })
      support.near_all({ 0.5, 0.5 }, model:predict_proba({ { 6, nan } })[1], 1e-8, "only b has values")
      assert.is_true(model:summary().evidence.information:isfinite():all())
      local empty = ml.GaussianNB {}:fit({ { nan, 0 }, { nan, 1 }, { nan, 4 }, { nan, 5 } }, { "a", "a", "b", "b" })
      support.near_rows(empty:predict_log_proba({ { nan, 1 } }), empty:predict_log_proba({ { 3, 1 } }), 1e-12,
         "no values")
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
