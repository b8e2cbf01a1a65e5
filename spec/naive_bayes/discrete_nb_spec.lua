local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/naive_bayes/naive_bayes.lua"

local nan, inf = 0 / 0, math.huge

local models = {
   multinomial = ml.MultinomialNB {}, multinomial_alpha = ml.MultinomialNB { alpha = 0.3, fit_prior = false },
   multinomial_prior = ml.MultinomialNB { alpha = 2, class_prior = { 0.2, 0.5, 0.3 } },
   complement = ml.ComplementNB {}, complement_norm = ml.ComplementNB { alpha = 0.5, norm = true },
   bernoulli = ml.BernoulliNB {}, bernoulli_binarize = ml.BernoulliNB { alpha = 0.1, binarize = 1.5 },
}

local function labels(codes)
   local y = {}
   for i, code in ipairs(codes) do y[i] = math.tointeger(code) end
   return y
end

local function words_and_labels()
   local sms = ml.read_csv "examples/data/sms_spam.csv"
   return ml.CountVectorizer {}:fit_transform(sms.text), sms.label
end

-- Rows whose number, from 0, leaves this remainder.
local function rows_with(n, rest, is)
   local out = {}
   for i = 1, n do
      if ((i - 1) % 3 == rest) == is then out[#out + 1] = i end
   end
   return out
end

describe("naive Bayes of counts", function()
   local X, y = ml.Matrix(oracle.counts), labels(oracle.y)

   for name, model in pairs(models) do
      it("agrees with scikit-learn: " .. name, function()
         for kind, options in pairs { plain = {}, weighted = { weights = oracle.weights } } do
            local want = oracle.small[name][kind]
            for what, x in pairs { dense = X, sparse = ml.Sparse.from(X) } do
               local where = ("%s %s %s "):format(name, kind, what)
               model:fit(x, y, options)
               support.near_all(want.class_count, model.class_count, 1e-14, where .. "count")
               support.near_rows(want.feature_log_prob, model.feature_log_prob, 1e-12, where .. "table", 1)
               support.near_rows(want.log_proba, model:predict_log_proba(x:slice(1, 5)), 1e-12, where .. "proba", 1)
               if not name:find "complement" then
                  support.near_all(want.class_log_prior, model.class_log_prior, 1e-12, where .. "prior", 1)
               end
            end
         end
      end)
   end

   it("agrees with scikit-learn on the words of messages", function()
      local words, label = words_and_labels()
      local train, test = rows_with(#label, 0, false), rows_with(#label, 0, true)
      for name, want in pairs(oracle.texts) do
         local model = models[name]:fit(words:take(train), label:take(train))
         for c = 1, 2 do support.near(want.sum[c], model.feature_log_prob:row(c):sum(), 1e-12, name) end
         support.near_rows(want.log_proba, model:predict_log_proba(words:slice(1, 6)), 1e-11, name, 1)
         local right = model:score(words:take(test), label:take(test)) * #test
         support.near(want.right, right, 1e-12, name .. " right")
      end
   end)

   it("learns the same in batches, with a class that has no rows at first", function()
      for name, model in pairs(models) do
         local whole, parts = model:clone():fit(X, y), model:clone()
         for first = 1, 30, 10 do
            local labels_of_batch = { table.unpack(y, first, first + 9) }
            parts:partial_fit(X:slice(first, first + 9), labels_of_batch, { classes = { 0, 1, 2 } })
         end
         support.near_rows(whole.feature_log_prob, parts.feature_log_prob, 1e-12, name, 1)
         local two = model:clone():partial_fit(X:slice(1, 2), { 0, 1 }, { classes = { 0, 1, 2 } })
         assert.is_true(two.feature_log_prob:isfinite():all())
         if name == "bernoulli" then assert.equal(0, two:predict_proba(X:slice(1, 1))[1][3]) end
      end
   end)

   it("takes scikit-learn's alpha as an m-estimate with equal shares", function()
      local function same(a, b) support.near_rows(a.feature_log_prob, b.feature_log_prob, 1e-14, "m") end
      same(ml.MultinomialNB { alpha = 0.5 }:fit(X, y), ml.MultinomialNB { m = 0.5 * X.cols }:fit(X, y))
      same(ml.BernoulliNB { alpha = 0.5 }:fit(X, y), ml.BernoulliNB { m = 1 }:fit(X, y))
   end)

   it("computes the m-estimate of Cestnik from the frequencies in all classes", function()
      local model = ml.MultinomialNB { m = 4, prior_estimate = "marginal" }:fit(X, y)
      local total = X:sum()
      for c = 1, 3 do
         local sum = 0
         for j = 1, X.cols do sum = sum + model.feature_count[c][j] end
         for j = 1, X.cols do
            local q = X:col(j):sum() / total
            local want = math.log((model.feature_count[c][j] + 4 * q) / (sum + 4))
            support.near(want, model.feature_log_prob[c][j], 1e-13)
         end
      end
   end)

   it("without smoothing excludes classes that never had a feature", function()
      local few, label = ml.Matrix { { 2, 0, 1 }, { 1, 0, 0 }, { 0, 3, 1 } }, { "a", "a", "b" }
      for _, x in ipairs { few, ml.Sparse.from(few) } do
         local model = ml.MultinomialNB { alpha = 0 }:fit(x, label)
         local proba = model:predict_proba(ml.Matrix { { 1, 0, 1 }, { 0, 1, 0 }, { 1, 1, 0 } })
         assert.same({ 1, 0 }, proba[1]:totable())
         assert.same({ 0, 1 }, proba[2]:totable())
         assert.same({ 0.5, 0.5 }, proba[3]:totable()) -- no class allows both
         local flags = ml.BernoulliNB { alpha = 0 }:fit(x, label)
         assert.same({ 1, 0 }, flags:predict_proba(x:slice(1, 1))[1]:totable())
      end
   end)

   it("ignores a column of zeros, and handles a single column", function()
      local with = ml.hcat(X, ml.zeros(30, 1))
      local m = { m = 3, prior_estimate = "marginal" }
      support.near_rows(ml.ComplementNB(m):fit(X, y):predict_log_proba(X),
         ml.ComplementNB(m):fit(with, y):predict_log_proba(with), 1e-12, "zeros", 1)
      local one = X:col(1):reshape(30, 1)
      assert.is_true(ml.ComplementNB { norm = true }:fit(one, y):predict_proba(one):isfinite():all())
   end)

   it("accepts fractions and refuses negative and missing counts", function()
      assert.equal(30, #ml.MultinomialNB {}:fit(X * 0.37, y):predict(X))
      for _, class in ipairs { ml.MultinomialNB, ml.ComplementNB } do
         support.refuses("X must be >= 0, got %-1 in row 1, column 2", function()
            class {}:fit({ { 1, -1 }, { 2, 3 } }, { 0, 1 })
         end)
         support.refuses("or use BernoulliNB, CategoricalNB and MixedNB", function()
            class {}:fit({ { 1, nan }, { 2, 3 } }, { 0, 1 })
         end)
      end
      support.refuses("MultinomialNB: class_prior must add up to 1, got 0.9", function()
         ml.MultinomialNB { class_prior = { 0.4, 0.5 } }:fit({ { 1 }, { 2 } }, { 0, 1 })
      end)
   end)

   it("says which features speak for a class", function()
      local model = ml.MultinomialNB {}:fit(X, y)
      local evidence = model:summary { top = 2 }.evidence
      assert.equal(6, #evidence.class)
      local p, prior = model.feature_log_prob, model.class_log_prior
      local best = -inf
      for j = 1, X.cols do
         local rest = (math.exp(prior[2] + p[2][j]) + math.exp(prior[3] + p[3][j]))
            / (math.exp(prior[2]) + math.exp(prior[3]))
         best = math.max(best, p[1][j] - math.log(rest))
      end
      support.near(best, evidence.log_odds[1], 1e-12, "log-odds")
      assert.matches("Log%-odds of each count", tostring(model:summary()))
      assert.equal(3, #ml.ComplementNB {}:fit(X, y):summary { top = 1 }.evidence.class)
   end)

   it("does not depend on the number of threads", function()
      local words, label = words_and_labels()
      for _, name in ipairs { "multinomial", "bernoulli" } do
         support.same_for_any_threads(function() return models[name]:fit(words, label) end)
      end
   end)
end)

describe("BernoulliNB", function()
   it("ignores missing values", function()
      local X, y = { { 1, 0 }, { nan, 1 }, { 0, 1 }, { 1, nan } }, { "a", "a", "b", "b" }
      local model = ml.BernoulliNB { alpha = 0.5 }:fit(X, y)
      support.near_rows({ { math.log(1.5 / 2), math.log(1.5 / 3) }, { math.log(1.5 / 3), math.log(1.5 / 2) } },
         model.feature_log_prob, 1e-15, "table")
      local proba = model:predict_proba { { 1, nan }, { nan, nan } }
      support.near_rows({ { 0.6, 0.4 }, { 0.5, 0.5 } }, proba, 1e-14, "proba")
      local sparse = ml.Sparse.from(ml.Matrix(X))
      support.near_rows(model:predict_log_proba(ml.Matrix(X)), ml.BernoulliNB { alpha = 0.5 }:fit(sparse, y)
         :predict_log_proba(sparse), 1e-13, "sparse", 1)
   end)

   it("counts zeros of a sparse X as present if the threshold is below 0", function()
      local X, y = ml.Matrix { { 0, -2, 1 }, { 0, 0, -1 }, { -3, 0, 0 }, { 1, 1, -1 } }, { "a", "a", "b", "b" }
      local dense, sparse = ml.BernoulliNB { binarize = -1.5 }:fit(X, y), ml.BernoulliNB { binarize = -1.5 }
      sparse:fit(ml.Sparse.from(X), y)
      support.near_rows(dense.feature_count, sparse.feature_count, 0, "count", 1)
      support.near_rows(dense:predict_log_proba(X), sparse:predict_log_proba(ml.Sparse.from(X)), 1e-13, "proba", 1)
   end)
end)

describe("CategoricalNB", function()
   it("agrees with scikit-learn on mushrooms", function()
      local X, y = support.data("mushroom", "class")
      X = X:drop "stalk_root"
      local model = ml.CategoricalNB { alpha = 0.5 }:fit(X, y)
      local want, at = oracle.categorical, 0
      for j, sum in ipairs(want.sums) do
         local own = 0
         for v = at + 1, at + model.n_categories[j] do own = own + model.feature_log_prob:col(v):sum() end
         support.near(sum, own, 1e-12, "table " .. j)
         at = at + model.n_categories[j]
      end
      local rows = {}
      for i = 1, 8124, 1000 do rows[#rows + 1] = i end
      support.near_rows(want.log_proba, model:predict_log_proba(X:take(rows)), 1e-11, "proba", 1)
      support.near(want.right, model:score(X, y) * #y, 1e-12, "right")
   end)

   it("computes Mitchell's example of playing tennis", function()
      local X, y = support.data("playtennis", "play")
      local day = ml.Frame { { "outlook", { "sunny" } }, { "temperature", { "cool" } }, { "humidity", { "high" } },
         { "wind", { "strong" } } }
      local proba = ml.CategoricalNB { alpha = 0 }:fit(X, y):predict_proba(day)[1]
      -- Mitchell (1997), section 6.9.1: 0.0206 for no against 0.0053 for yes
      local no = 5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5
      local yes = 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9
      support.near(no / (no + yes), proba[1], 1e-14)
      support.near(0.795, proba[1], 1e-3)
   end)

   it("ignores missing values and, unless told otherwise, unknown categories", function()
      local X = ml.Frame { { "a", { "x", "y", nan, "x" } }, { "b", { 1, 2, 2, nan } } }
      local y = { "no", "no", "yes", "yes" }
      local model = ml.CategoricalNB {}:fit(X, y)
      support.near_all({ math.log(2 / 4), math.log(2 / 4), math.log(2 / 4), math.log(2 / 4) },
         model.feature_log_prob[1]:totable(), 1e-14)
      support.near_all({ math.log(2 / 3), math.log(1 / 3), math.log(1 / 3), math.log(2 / 3) },
         model.feature_log_prob[2]:totable(), 1e-14)
      local new = ml.Frame { { "a", { "z", nan } }, { "b", { 2, 7 } } }
      support.near_rows({ { 0.5 / (0.5 + 2 / 3), 2 / 3 / (0.5 + 2 / 3) }, { 0.5, 0.5 } }, model:predict_proba(new),
         1e-14)
      local strict = ml.CategoricalNB { handle_unknown = "error" }:fit(X, y)
      local message = "CategoricalNB: X must have categories that fit saw, got 'z' in row 1, column 1 %('a'%)"
      support.refuses(message, function() strict:predict(new) end)
   end)

   it("warns of a column of fractions, of which each would be a category", function()
      local X, y = support.data("wine", "class")
      local heard = {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      ml.CategoricalNB {}:fit(X, y)
      ml.TANClassifier {}:fit(X, y)
      ml.CategoricalNB {}:fit({ { 1 }, { 2.5 }, { 1 } }, { "a", "b", "b" }) -- few values may be steps of a scale
      ml.warnings(old or "on")
      assert.equal(2, #heard)
      assert.matches("CategoricalNB: each of the 126 values of column alcohol is a category", heard[1])
      assert.matches("use MixedNB", heard[2])
   end)

   it("learns new numbers in later batches, and refuses new levels if unknown ones are errors", function()
      local X, y = { { 3 }, { 1 }, { 2 }, { 1 } }, { "a", "b", "a", "b" }
      local whole = ml.CategoricalNB {}:fit(X, y)
      local parts = ml.CategoricalNB {}:partial_fit({ { 3 }, { 1 } }, { "a", "b" })
      parts:partial_fit({ { 2 }, { 1 } }, { "a", "b" })
      support.near_rows(whole.category_count, parts.category_count, 0, "count", 1)
      support.near_rows(whole.feature_log_prob, parts.feature_log_prob, 1e-15, "table")
      local strict = ml.CategoricalNB { handle_unknown = "error" }
      strict:partial_fit(ml.Frame { { "a", { "x", "y" } } }, { 0, 1 })
      support.refuses("X must have categories that fit saw, got 'w' in row 2", function()
         strict:partial_fit(ml.Frame { { "a", { "x", "w" } } }, { 0, 1 })
      end)
   end)

   it("handles a constant column, and levels and classes without rows", function()
      local a = ml.Factor { "x", "x", "x", levels = { "w", "x" } }
      local model = ml.CategoricalNB {}:partial_fit(ml.Frame { { "a", a } }, { 1, 2, 1 }, { classes = { 1, 2, 3 } })
      assert.same({ 2, 1, 0 }, model.class_count:totable())
      support.near_all({ math.log(1 / 4), math.log(1 / 3), math.log(1 / 2) }, model.feature_log_prob:col(1):totable(),
         1e-15)
   end)

   it("smooths towards the frequencies in all classes by an m-estimate", function()
      local X, y = { { 1 }, { 1 }, { 2 }, { 3 } }, { "a", "a", "b", "b" }
      local model = ml.CategoricalNB { m = 2, prior_estimate = "marginal" }:fit(X, y)
      support.near_all({ math.log(3 / 4), math.log(0.5 / 4), math.log(0.5 / 4) }, model.feature_log_prob[1]:totable(),
         1e-15)
   end)

   it("says which categories speak for a class", function()
      local X, y = support.data("mushroom", "class")
      local evidence = ml.CategoricalNB {}:fit(X, y):summary { top = 1 }.evidence
      assert.same({ "e", "p" }, evidence.class:totable())
      assert.equal("odor", evidence.feature:totable()[2])
      assert.equal("f", evidence.value:totable()[2])
   end)
end)
