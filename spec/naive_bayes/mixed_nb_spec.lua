local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/naive_bayes/naive_bayes.lua".mixed

local nan = 0 / 0

-- The rows of penguins without missing values, with the columns of the fixture, and every 30th of them.
local function penguins()
   local all = ml.read_csv "examples/data/penguins.csv"
   local complete = all:dropna()
   local rows = {}
   for i = 1, 333, 30 do rows[#rows + 1] = i end
   return complete:select { "bill_length_mm", "body_mass_g", "island", "sex" }, complete.species, rows
end

local function types_of(model)
   return table.concat(model:summary().columns.type:totable(), " ")
end

describe("MixedNB", function()
   it("adds the log-likelihoods of normal densities and categories, as models of scikit-learn do", function()
      local X, y, rows = penguins()
      local model = ml.MixedNB {}:fit(X, y)
      assert.equal("number number factor factor", types_of(model))
      support.near_rows(oracle.gaussian, model:predict_log_proba(X:take(rows)), 1e-10, "gaussian", 1)
   end)

   it("estimates kernel densities with the bandwidth of R", function()
      local X, y, rows = penguins()
      local model = ml.MixedNB { use_kernel = true }:fit(X, y)
      support.near_rows(oracle.kernel, model:predict_log_proba(X:take(rows)), 1e-10, "kernel", 1)
   end)

   it("estimates Poisson distributions of counts", function()
      local X, y, rows = penguins()
      X.body_mass_g = (X.body_mass_g / 1000):floor()
      local model = ml.MixedNB { counts = { "body_mass_g" } }:fit(X, y)
      assert.equal("number count factor factor", types_of(model))
      support.near_rows(oracle.poisson, model:predict_log_proba(X:take(rows)), 1e-10, "poisson", 1)
      support.refuses("MixedNB: counts must be >= 0, got %-1 in row 2, column 1", function()
         ml.MixedNB { counts = { 1 } }:fit({ { 2 }, { -1 } }, { "a", "b" })
      end)
   end)

   it("agrees with GaussianNB, BernoulliNB and CategoricalNB if all columns are of one type", function()
      local X, y = support.data("iris", "species")
      -- of GaussianNB the epsilon of one column only
      for j = 1, 4 do
         local one = X:matrix():col(j):reshape(150, 1)
         support.near_rows(ml.GaussianNB {}:fit(one, y):predict_log_proba(one),
            ml.MixedNB {}:fit(one, y):predict_log_proba(one), 1e-11, "gaussian", 1)
      end
      local flags = X:matrix():gt(3)
      local model = ml.MixedNB {}:fit(flags, y)
      assert.equal("flag flag flag flag", types_of(model))
      support.near_rows(ml.CategoricalNB {}:fit(flags, y):predict_log_proba(flags), model:predict_log_proba(flags),
         1e-13, "flags", 1)
      assert.equal("number number number number", types_of(ml.MixedNB { numbers = { 1, 2, 3, 4 } }:fit(flags, y)))
      local play, label = support.data("playtennis", "play")
      support.near_rows(ml.CategoricalNB {}:fit(play, label):predict_log_proba(play),
         ml.MixedNB {}:fit(play, label):predict_log_proba(play), 1e-13, "factors", 1)
   end)

   it("ignores missing values", function()
      local X = ml.Frame { { "size", { 1, 2, nan, 5, 6, 8 } }, { "color", { "red", nan, "red", "blue", "blue", nan } },
         { "flag", { 0, 1, 1, nan, 0, 0 } } }
      local y = { "a", "a", "a", "b", "b", "b" }
      for _, use_kernel in ipairs { true, false } do
         local model = ml.MixedNB { use_kernel = use_kernel }:fit(X, y)
         support.near_all({ 1.5, 0, 0 }, model.theta[1]:totable(), 1e-15, "mean")
         local no_color = ml.Factor { nan, levels = { "blue", "red" } }
         local unknown = ml.Frame { { "size", { nan } }, { "color", no_color }, { "flag", { nan } } }
         support.near_all({ 0.5, 0.5 }, model:predict_proba(unknown)[1]:totable(), 1e-14, "prior")
         local red = ml.Frame { { "size", { nan } }, { "color", { "red" } }, { "flag", { nan } } }
         support.near_all({ 0.75, 0.25 }, model:predict_proba(red)[1]:totable(), 1e-14, "red") -- 3/4 against 1/4
      end
   end)

   it("learns in batches what it learns at once", function()
      local X, y = penguins()
      for _, use_kernel in ipairs { true, false } do
         local whole = ml.MixedNB { use_kernel = use_kernel }:fit(X, y)
         local parts = ml.MixedNB { use_kernel = use_kernel }
         for first = 1, 333, 111 do
            local batch = y:slice(first, first + 110)
            parts:partial_fit(X:slice(first, first + 110), batch, { classes = y.levels })
         end
         support.near_rows(whole:predict_log_proba(X), parts:predict_log_proba(X), 1e-9, "batches", 1)
      end
   end)

   it("handles constant columns, a constant class, and a class without values", function()
      local X = ml.Matrix { { 7, 1.5, 3 }, { 7, 1.5, 4 }, { 7, 2.5, nan }, { 7, 3.5, nan } }
      for _, use_kernel in ipairs { true, false } do
         local model = ml.MixedNB { use_kernel = use_kernel }:fit(X, { "a", "a", "b", "b" })
         local proba = model:predict_proba { { 7, 1.5, 3 }, { 9, 3, 3 }, { 7, nan, nan } }
         assert.is_true(proba:isfinite():all())
         assert.is_true(proba[1][1] > 0.5 and proba[2][2] > 0.5)
         support.near(0.5, proba[3][1], 1e-14)
      end
      local zeros = ml.MixedNB { counts = { 1 } }:fit({ { 0, 1 }, { 0, 2 }, { 0, 5 } }, { "a", "a", "b" })
      assert.is_true(zeros:predict_proba({ { 3, 1 } }):isfinite():all())
   end)

   it("stays accurate far from all rows of a kernel density", function()
      local model = ml.MixedNB { use_kernel = true }:fit({ { 0.1 }, { 0.2 }, { 0.4 }, { 1.1 }, { 1.2 }, { 1.5 } },
         { "a", "a", "a", "b", "b", "b" })
      local log_proba = model:predict_log_proba { { 1000 }, { -1000 } }
      assert.is_true(log_proba:isfinite():all())
      assert.equal(0, log_proba[1]:max())
   end)

   it("refuses contradictory types, and unknown categories if asked to", function()
      local X = ml.Frame { { "a", { 1, 2, 3 } }, { "b", { "x", "y", "y" } } }
      local y = { 0, 1, 1 }
      support.refuses("column 1 must be in one of numbers, counts and factors, got number and counts", function()
         ml.MixedNB { numbers = { 1 }, counts = { 1 } }:fit(X, y)
      end)
      support.refuses("counts must be numeric columns, got column 2, a factor", function()
         ml.MixedNB { counts = { "b" } }:fit(X, y)
      end)
      local model = ml.MixedNB { handle_unknown = "error", factors = { "a" } }:fit(X, y)
      support.refuses("categories that fit saw, got 9 in row 1, column 1", function()
         model:predict(ml.Frame { { "a", { 9 } }, { "b", { "x" } } })
      end)
   end)

   it("says which columns speak for a class", function()
      local X, y = penguins()
      local model = ml.MixedNB {}:fit(X, y)
      local evidence = model:summary { top = 2 }.evidence
      assert.equal(6, #evidence.class)
      -- the mean over Gentoo of the log-odds of the island, all on Biscoe
      local p, prior = model.feature_log_prob, model.class_log_prior
      local want = 0
      for v = 1, 3 do
         local rest = (math.exp(prior[1] + p[1][v]) + math.exp(prior[2] + p[2][v]))
            / (math.exp(prior[1]) + math.exp(prior[2]))
         want = want + math.exp(p[3][v]) * (p[3][v] - math.log(rest))
      end
      local found
      for i, name in ipairs(evidence.feature:totable()) do
         if name == "island" and evidence.class[i] == "Gentoo" then found = evidence.information[i] end
      end
      support.near(want, found or nan, 1e-12, "information")
   end)

   it("predicts the incomes of the adult sample", function()
      local adult = ml.read_csv "examples/data/adult_sample.csv":drop { "split", "fnlwgt" }
      local X, y = adult:split "income"
      local train, label = X:slice(1, 6000), y:slice(1, 6000)
      local model = ml.MixedNB {}:fit(train, label)
      assert.is_true(model:score(X:slice(6001, 8000), y:slice(6001, 8000)) > 0.81)
      support.same_for_any_threads(function() return ml.MixedNB { use_kernel = true }:fit(train, label) end)
   end)
end)
