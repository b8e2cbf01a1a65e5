local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local near, near_all, refuses = support.near, support.near_all, support.refuses
local nan = 0 / 0

local function with(settings)
   local all = { tol = 1e-12, max_iter = 5000, n_init = 2 }
   for k, v in pairs(settings) do all[k] = v end
   return ml.MixtureModel(all)
end

local function never_increases(model)
   for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
end

-- The component with the smaller first parameter comes first.
local function ordered(model)
   return model.parameters:get(1, 1) < model.parameters:get(2, 1) and { 1, 2 } or { 2, 1 }
end

-- Stouffer and Toby (1951): answers of 216 persons to four questions.
local function stouffer()
   local X = {}
   for i = 0, 15 do X[i + 1] = { i >> 3 & 1, i >> 2 & 1, i >> 1 & 1, i & 1 } end
   return X, { 42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20 }
end

describe("MixtureModel", function()
   it("finds two Poisson distributions of deaths in The Times", function()
      -- Hasselblad, J. American Statistical Association 64 (1969): 0.3599, 1.2561, 2.6634, log likelihood -1989.946.
      local X, days = {}, { 162, 267, 271, 185, 111, 61, 27, 8, 3, 1 }
      for i = 1, 10 do X[i] = { i - 1 } end
      local model = with { n_components = 2, family = "poisson" }:fit(X, nil, { weights = days })
      local order = ordered(model)
      near(0.3599, model.weights[order[1]], 5e-4)
      near_all({ 1.2561, 2.6634 }, { model.parameters:get(order[1], 1), model.parameters:get(order[2], 1) }, 2e-4)
      near(-1989.946, model.loglik, 1e-7)
      assert.equal(3, model.n_parameters)
      never_increases(model)
   end)

   it("finds the latent classes of Goodman", function()
      -- Goodman, Biometrika 61 (1974): two classes, likelihood ratio 2.720 with 6 degrees of freedom.
      local X, count = stouffer()
      for _, family in ipairs { "bernoulli", "categorical" } do
         local model = with { n_components = 2, family = family, n_init = 8 }:fit(X, nil, { weights = count })
         local ratio, score = 0, model:score_samples(X)
         for i = 1, 16 do ratio = ratio + 2 * count[i] * (math.log(count[i] / 216) - score[i]) end
         near(2.720, ratio, 1e-4)
         assert.equal(9, model.n_parameters)
         local small = model.weights[1] < 0.5 and 1 or 2
         near(0.279, model.weights[small], 2e-3)
         if family == "bernoulli" then
            near_all({ 0.993, 0.940, 0.927, 0.769 }, (1 - model.parameters[small]):totable(), 1e-3)
         end
      end
   end)

   it("gives one component the maximum likelihood of ml.dist", function()
      local waiting = ml.read_csv("examples/data/faithful.csv"):select { "waiting" }:matrix()
      local x = waiting:col(1)
      local function score(d) return d:log_density(x):sum() end
      near(score(ml.dist.fit("gamma", x)), with { family = "gamma" }:fit(waiting).loglik, 1e-11)
      near(score(ml.dist.fit("exponential", x)), with { family = "exponential" }:fit(waiting).loglik, 1e-11)
      near(score(ml.dist.fit("normal", x)), with { family = "gaussian", reg_covar = 0 }:fit(waiting).loglik, 1e-11)
      near(ml.dist.fit("poisson", x):log_density(x):sum(), with { family = "poisson" }:fit(waiting).loglik, 1e-11)
      -- Heavy tails.
      local t = ml.dist.student_t { df = 3, location = 1, scale = 2 }:sample(400, 5)
      local column = t:totable()
      for i, v in ipairs(column) do column[i] = { v } end
      local model = with { family = "student_t", reg_covar = 0 }:fit(column)
      local fitted = ml.dist.fit("student_t", t)
      near(fitted:log_density(t):sum(), model.loglik, 1e-9)
      near(fitted.df, model.parameters:get(1, 3), 1e-4)
   end)

   it("models directions", function()
      -- Two columns: the von Mises distribution of the angle. Three: density c exp(c cos) / (4 pi sinh c).
      local angle = ml.dist.von_mises { mean = 1, concentration = 4 }:sample(300, 2)
      local rows = {}
      for i, a in ipairs(angle) do rows[i] = { math.cos(a), math.sin(a) } end
      local model = with { family = "von_mises_fisher" }:fit(rows)
      near(ml.dist.fit("von_mises", angle):log_density(angle):sum(), model.loglik, 1e-10)
      local shifted = core.normal(200, 3, 1):totable()
      for _, row in ipairs(shifted) do row[1], row[3] = row[1] + 2, row[3] + 1 end
      local Z = ml.Normalizer {}:fit_transform(shifted)
      local three = with { family = "von_mises_fisher" }:fit(Z)
      local c, p = three.parameters:get(1, 4), three.parameters[1]
      local cosine = p[1] * Z:get(1, 1) + p[2] * Z:get(1, 2) + p[3] * Z:get(1, 3)
      near(math.log(c / (2 * math.pi * (1 - math.exp(-2 * c)))) + c * (cosine - 1),
         three:score_samples(Z:slice(1, 1))[1], 1e-10)
      local mean = core.Vector { Z:col(1):mean(), Z:col(2):mean(), Z:col(3):mean() }
      near(math.sqrt(mean:dot(mean)), (1 + math.exp(-2 * c)) / (1 - math.exp(-2 * c)) - 1 / c, 1e-10)
      -- Samples have the mean cosine of the density, in any dimension.
      local wide = ml.Normalizer {}:fit_transform(core.normal(300, 9, 4) + 0.4)
      for _, case in ipairs { { rows, 2 }, { Z, 3 }, { wide, 9 } } do
         local fitted = with { family = "von_mises_fisher" }:fit(case[1])
         local drawn, cosines = fitted:sample({ n = 8000, seed = 3 }).X, 0
         local direction = fitted.parameters[1]:slice(1, case[2])
         for _, squares in ipairs((drawn ^ 2):sum "rows") do near(1, squares, 1e-12) end
         for j = 1, case[2] do cosines = cosines + drawn:col(j):mean() * direction[j] end
         local again = with { family = "von_mises_fisher" }:fit(drawn)
         near(fitted.parameters:get(1, case[2] + 1), again.parameters:get(1, case[2] + 1), 0.04)
         near(1, direction:dot(again.parameters[1]:slice(1, case[2])), 1e-3)
         assert.is_true(cosines > 0)
      end
      refuses("X must have rows of length 1 .* got length 1.414213562 in row 1", function()
         ml.MixtureModel { family = "von_mises_fisher" }:fit { { 1, 1 }, { 0, 1 } }
      end)
   end)

   it("separates documents by multinomial counts", function()
      local rows, first, second = {}, { 0.6, 0.2, 0.1, 0.1 }, { 0.1, 0.1, 0.2, 0.6 }
      local u, at = core.random(60 * 30, nil, 3), 0
      for i = 1, 60 do
         rows[i] = { 0, 0, 0, 0 }
         for _ = 1, 30 do
            at = at + 1
            local v, p, j = u[at], i <= 20 and first or second, 1
            while j < 4 and v > p[j] do v, j = v - p[j], j + 1 end
            rows[i][j] = rows[i][j] + 1
         end
      end
      local model = with { n_components = 2, family = "multinomial" }:fit(rows)
      local label = model:predict(rows)
      for i = 2, 60 do assert.equal(i <= 20, label[i] == label[1]) end
      near(1 / 3, math.min(model.weights[1], model.weights[2]), 1e-6)
      assert.equal(7, model.n_parameters)
      refuses("X must be counts: 0, 1, 2, ... for the family multinomial, got 1.5 in row 1",
         function() with { family = "multinomial" }:fit { { 1.5, 2 } } end)
      refuses("X must be counts", function() with { family = "multinomial" }:fit { { -1, 2 } } end)
      refuses("got 0.5 in row 2, column 2", function() with { family = "multinomial" }:fit { { 1, 2 }, { 1, 0.5 } } end)
   end)

   it("mixes families by column, with factors and missing values", function()
      local frame = ml.read_csv "examples/data/penguins.csv"
      local X = frame:select { "island", "bill_length_mm", "body_mass_g", "sex" }
      local model = ml.MixtureModel { n_components = 3 }:fit(X)
      assert.matches("\np of island = Torgersen  +%d", model:summary())
      assert.matches("\np of x1 = 0  +%d",
         ml.MixtureModel { family = "categorical" }:fit({ { 0 }, { 1 }, { 1 } }):summary())
      never_increases(model)
      near(model.loglik, model:score_samples(X):sum(), 1e-11)
      -- One component: a missing value does not change what is known of the others.
      local one = with { family = { "poisson", "gaussian" } }:fit { { 3, 1 }, { nan, 2 }, { 5, 3 } }
      near_all({ 4, 2 }, { one.parameters:get(1, 1), one.parameters:get(1, 2) }, 1e-12)
      near(one:score_samples({ { 4, nan } })[1], 4 * math.log(4) - 4 - math.log(24), 1e-12)
      local mixed = with { n_components = 2, family = { "poisson", "gamma", "bernoulli", "exponential", "categorical",
         "student_t", "student_t" } }
      local rows = {}
      local z, u = core.normal(200, 2, 9), core.random(200, 3, 8)
      for i = 1, 200 do
         local k = i % 2
         rows[i] = { math.floor(10 * k + 3 * u:get(i, 1)), 1 + k * 5 + u:get(i, 2),
            u:get(i, 3) < 0.2 + 0.5 * k and 1 or 0, 0.1 + u:get(i, 1) * (1 + k), i % (2 + k),
            z:get(i, 1) + 3 * k, z:get(i, 2) }
      end
      mixed:fit(rows)
      never_increases(mixed)
      local label = mixed:predict(rows)
      for i = 3, 200 do assert.equal(label[i - 2], label[i]) end
      local drawn = mixed:sample { n = 50, seed = 1 }
      assert.is_true(mixed:score_samples(drawn.X):min() > -100)
      local again = ml.load(mixed:dump())
      assert.equal(mixed:score_samples(rows)[7], again:score_samples(rows)[7])
   end)

   it("gives the same bits for any number of threads", function()
      local X = core.normal(3000, 3, 1)
      support.same_for_any_threads(function() return ml.MixtureModel { n_components = 3, max_iter = 5 }:fit(X) end)
   end)

   it("handles degenerate data and refuses values outside the support", function()
      assert.is_true(ml.MixtureModel { n_components = 2 }:fit { { 1 }, { 1 }, { 1 } }.fitted)
      assert.is_true(ml.MixtureModel { n_components = 2, family = "poisson" }:fit { { 0 }, { 0 }, { 0 } }.fitted)
      assert.is_true(ml.MixtureModel { n_components = 2, family = "gamma" }:fit { { 2 }, { 2 }, { 2 } }.fitted)
      local function fails(message, family, X)
         refuses(message, function() ml.MixtureModel { family = family }:fit(X) end)
      end
      fails("X must be a count: 0, 1, 2, ... for the family poisson, got %-1 in row 2", "poisson", { { 1 }, { -1 } })
      fails("X must be a count", "categorical", { { 1.5 } })
      fails("X must be > 0 for the family gamma, got 0 in row 1, column 2", { "gaussian", "gamma" }, { { 1, 0 } })
      fails("X must be >= 0", "exponential", { { -1 } })
      fails("X must be 0 or 1 for the family bernoulli, got 2", "bernoulli", { { 2 } })
      fails("family must be gaussian, .* got 'normal'", "normal", { { 2 } })
      fails("family must have 1 name or one for each of 3 columns, got 2", { "gamma", "gamma" }, { { 1, 1, 1 } })
      fails("X must be complete for the family multinomial, got nan", "multinomial", { { nan, 1 } })
      fails("column 1 of X has only missing values", "gaussian", { { nan }, { nan } })
      fails("complete for the family student_t, got nan in row 1, column 2", "student_t", { { 1, nan }, { 2, 3 } })
      refuses("the scale of a student_t component is singular", function()
         ml.MixtureModel { family = "student_t", reg_covar = 0 }:fit { { 1, 1 }, { 1, 1 } }
      end)
   end)

   it("draws rows of a multinomial mixture that have the given sum", function()
      local X = {}
      for i = 1, 60 do X[i] = i % 2 == 0 and { 8, 1, 1 } or { 1, 2, 7 } end
      local model = ml.MixtureModel { n_components = 2, family = "multinomial", seed = 1 }:fit(X)
      support.refuses("sample requires trials, the sum of a row, for the family multinomial",
         function() model:sample { n = 3 } end)
      local drawn = model:sample { n = 4000, seed = 1, trials = 12 }
      for i = 1, 4000 do assert.equal(12, drawn.X[i]:sum()) end
      -- expected share of the first column: (0.8 + 0.1) / 2, with a standard error below 0.006
      support.near(0.45, drawn.X:col(1):mean() / 12, 0.024, "share of the first column")
   end)
end)
