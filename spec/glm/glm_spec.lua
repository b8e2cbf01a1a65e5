local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/glm/glm.lua"
local tables = dofile "spec/fixtures/glm/glm_tables.lua"

-- Results of statsmodels are converged to about this tolerance.
local tolerance = 1e-8

local function with_column(name, values)
   local columns = {}
   for j = 1, 3 do
      local column = {}
      for i, row in ipairs(oracle.x) do column[i] = row[j] end
      columns[j] = { "x" .. j, column }
   end
   columns[4] = { name, values }
   return ml.Frame(columns)
end

local function copy(t)
   local out = {}
   for key, value in pairs(t) do out[key] = value end
   return out
end

local function coefficients(model)
   local list = { model.intercept }
   for j = 1, 3 do list[j + 1] = model.coef[j] end
   return list
end

local function fit(case)
   local params = copy(case.params)
   params.family, params.link, params.tol = case.family, case.link, 1e-12
   local X, options = ml.Matrix(oracle.x), {}
   if case.y == "proportion" then
      params.trials, X = "trials", with_column("trials", oracle.trials)
   end
   if case.with == "offset" then
      local column = with_column("offset", oracle.offset)
      if case.y == "proportion" then X = X:with { offset = oracle.offset } else X = column end
      params.offset = "offset"
   end
   if case.with == "weights" then options.weights, params.weights_type = oracle.weights, "frequency" end
   return ml.GLM(params):fit(X, oracle.answers[case.y], options), X
end

-- Compare with R's table of a model, and its residuals and influence of the first rows.
local function same_table(case, model, rows, y, tol)
   tol = tol or 1e-8
   local summary, details = model:summary(), model:diagnostics(rows, y)
   local t = summary.coefficients
   support.near_all(case.estimate, t:col "estimate", tol, "estimate", 0.1)
   support.near_all(case.std_error, t:col "std_error", tol, "std_error")
   support.near_all(case.statistic, t:col(summary.dispersion == 1 and "z" or "t"), tol, "statistic", 0.1)
   support.near_all(case.p, t:col "p", 100 * tol, "p", 1e-30)
   support.near(case.deviance, summary.deviance, tol, "deviance")
   support.near(case.null_deviance, summary.null_deviance, tol, "null deviance")
   support.near(case.dispersion, summary.dispersion, tol, "dispersion")
   support.near(case.aic, summary.aic, tol, "aic")
   support.near(case.loglik, summary.loglik, tol, "loglik")
   assert.equal(case.df, summary.df_residual)
   assert.equal(case.df_null, summary.df_null)
   for i = 1, 3 do
      support.near(case.rstandard[i], details:col "standardized"[i], 10 * tol, "standardized", 0.1)
      local amplified = tol / (1 - case.hat[i]) ^ 2
      support.near(case.cooks[i], details:col "cooks_distance"[i], amplified, "Cook's distance", 0.01)
      support.near(case.hat[i], details:col "leverage"[i], tol, "leverage")
   end
end

describe("GLM", function()
   for _, case in ipairs(oracle.cases) do
      local what = ("%s, %s, y %s, with %s"):format(case.family, case.link, case.y, case.with)
      it("agrees with statsmodels: " .. what, function()
         local model, X = fit(case)
         assert.is_true(model.converged)
         support.near_all(case.estimate, coefficients(model), tolerance, "estimate", 0.1)
         support.near(case.deviance, model.deviance, tolerance, "deviance")
         support.near(case.null_deviance, model.null_deviance, tolerance, "null deviance")
         local summary, rows = model:summary(), model:diagnostics(X, oracle.answers[case.y])
         if case.std_error then
            support.near_all(case.std_error, summary.coefficients:col "std_error", tolerance, "std_error")
         end
         if case.dispersion then
            support.near(case.pearson_chi2, summary.pearson_chi2, tolerance, "Pearson")
            support.near(case.dispersion, summary.dispersion, tolerance, "dispersion")
         end
         if case.loglik then support.near(case.loglik, summary.loglik, tolerance, "loglik") end
         for i = 1, 3 do
            support.near(case.fitted[i], rows:col "fitted"[i], tolerance, "fitted")
            if case.y ~= "proportion" then
               support.near(case.residual[i], rows:col "deviance"[i], tolerance, "deviance residual", 1e-2)
               support.near(case.pearson[i], rows:col "pearson"[i], tolerance, "Pearson residual", 1e-2)
            end
            if case.leverage then support.near(case.leverage[i], rows:col "leverage"[i], tolerance, "leverage") end
         end
         if case.mean_se then
            local bands = model:intervals(X)
            for i = 1, 3 do support.near(case.mean_se[i], bands:col "std_error"[i], tolerance, "error of the mean") end
         end
      end)
   end

   local published = {
      dobson = { family = "poisson" }, clotting = { family = "gamma" },
      clotting_inverse_gaussian = { family = "inverse_gaussian" }, budworm = { family = "binomial" },
      insurance = { family = "poisson" }, quine = { family = "negative_binomial" },
   }
   for name, params in pairs(published) do
      it("reproduces R's table of a published model: " .. name, function()
         local case = tables[name]
         local rows = {}
         for i, row in ipairs(case.x) do
            rows[i] = { table.unpack(row) }
            if name == "budworm" then rows[i][3] = 20 end
            if case.offset then table.insert(rows[i], case.offset[i]) end
         end
         local settings = copy(params)
         settings.tol = 1e-13
         if name == "budworm" then settings.trials = "x3" end
         if case.offset then settings.offset = "x" .. #rows[1] end
         local model = ml.GLM(settings):fit(rows, case.y)
         local tol = name == "quine" and 1e-6 or 1e-8 -- glm.nb stops theta at a step of 1e-4 of its standard error
         same_table(case, model, rows, case.y, tol)
         if case.theta then support.near(case.theta, model.theta_estimate, tol, "theta") end
      end)
   end

   it("prints the table of R", function()
      local text = tostring(ml.GLM { family = "poisson" }:fit(tables.dobson.x, tables.dobson.y):summary())
      for _, line in ipairs {
         "Family: poisson, link: log", "z value   Pr(>|z|)",
         "(Intercept)      3.04452     0.170899    17.815     <2e-16 ***",
         "x1             -0.454255     0.202171    -2.247     0.0246 *", "Dispersion: 1 (taken to be 1)",
         "Null deviance: 10.5814 on 8 degrees of freedom", "Residual deviance: 5.12914 on 4 degrees of freedom",
         "AIC: 56.7613",
      } do
         assert(text:find(line, 1, true), line .. " is not in\n" .. text)
      end
   end)

   it("estimates theta like statsmodels", function()
      local wanted = oracle.negative_binomial
      local model = ml.GLM { family = "negative_binomial" }:fit(oracle.x, oracle.answers.overdispersed)
      support.near_all(wanted.estimate, coefficients(model), 1e-6, "estimate", 0.1)
      support.near(wanted.theta, model.theta_estimate, 1e-6, "theta")
      support.near(wanted.loglik, model.loglik, 1e-10, "loglik")
      support.near(wanted.aic, model.aic, 1e-10, "aic")
   end)

   for name, wanted in pairs(oracle.penalized) do
      it(name .. " agrees with scikit-learn", function()
         local settings = { PoissonRegressor = { alpha = 0.3 }, GammaRegressor = { alpha = 0.1 },
            TweedieRegressor = { alpha = 0.2, power = 1.5 } }
         local y = oracle.answers[name == "GammaRegressor" and "positive" or "counts"]
         local model = ml[name](settings[name]):fit(oracle.x, y, { weights = oracle.weights })
         support.near_all(wanted.estimate, coefficients(model), 1e-6, "estimate", 0.1) -- theirs is L-BFGS
      end)
   end

   it("accepts counts of successes and failures as y, like glm of R", function()
      local wanted = tables.budworm_counts
      local model = ml.GLM { family = "binomial", tol = 1e-13 }:fit(wanted.x, wanted.y)
      same_table(wanted, model, wanted.x, wanted.y)
      local frame = ml.Frame { dead = {}, alive = {}, male = {}, ldose = {} }
      for i, x in ipairs(wanted.x) do
         frame = frame:vcat(ml.Frame { dead = { wanted.y[i][1] }, alive = { wanted.y[i][2] }, male = { x[1] },
            ldose = { x[2] } })
      end
      local by_name = ml.GLM { family = "binomial", formula = "cbind(dead, alive) ~ male + ldose" }:fit(frame)
      support.near_all(model.coef, by_name.coef, 1e-12, "coef", 1)
      assert.near(model:predict({ { 1, 2 } })[1], by_name:predict { male = 1, ldose = 2 } [1], 1e-12)
      support.refuses("y must have 1 column, got 2", function() ml.GLM {}:fit(wanted.x, wanted.y) end)
      support.refuses("y must have 1 column, got 3", function()
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 } }, { { 1, 2, 3 }, { 1, 2, 3 } })
      end)
      support.refuses("counts in y must be >= 0, got %-1 in row 2", function()
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 } }, { { 1, 2 }, { 3, -1 } })
      end)
      support.refuses("at least one success or failure, got none in row 1", function()
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 } }, { { 0, 0 }, { 3, 1 } })
      end)
      support.refuses("trials must be nil when y has two columns", function()
         ml.GLM { family = "binomial", trials = "x1" }:fit({ { 1 }, { 2 } }, { { 1, 0 }, { 3, 1 } })
      end)
   end)

   it("accepts labels of two classes as y, the second being the success, like glm of R", function()
      local wanted = tables.gearbox
      local labels, numbers, truths = {}, {}, {}
      for i, y in ipairs(wanted.y) do
         labels[i], numbers[i], truths[i] = y == 1 and "manual" or "automatic", 3 + y, y == 1
      end
      for what, y in pairs { text = labels, truths = truths, Factor = ml.Factor(numbers) } do
         local model = ml.GLM { family = "binomial", tol = 1e-13 }:fit(wanted.x, y)
         same_table(wanted, model, wanted.x, y)
         assert.equal(({ text = "manual", truths = true, Factor = 4 })[what], model.classes[2])
         assert.equal(1, model.n_targets)
         assert.equal("Vector", (tostring(model:predict(wanted.x)):match "^%a+"))
         local again = ml.load(model:dump())
         assert.same(model:predict(wanted.x):totable(), again:predict(wanted.x):totable())
         assert.equal(model:summary().text, again:summary().text)
         assert.matches("success: " .. tostring(model.classes[2]), again:summary().text)
         local part = model:diagnostics(ml.Matrix(wanted.x):slice(1, 3), { y[1], y[2], y[3] })
         support.near_all(model:diagnostics(wanted.x, y).deviance:slice(1, 3), part.deviance, 1e-14, "deviance", 1)
         model:fit(wanted.x, wanted.y)
         assert.is_nil(model:summary().text:find "success")
      end
      local weighted = ml.GLM { family = "binomial" }
      local w, twice, y = {}, {}, {}
      for i = 1, 32 do w[i] = i % 3 end
      for i = 1, 32 do
         for _ = 1, w[i] do twice[#twice + 1], y[#y + 1] = wanted.x[i], labels[i] end
      end
      local repeated = ml.GLM { family = "binomial" }:fit(twice, y)
      support.near_all(repeated.coef, weighted:fit(wanted.x, labels, { weights = w }).coef, 1e-9, "coef", 1)
      support.refuses("y must be numeric, or labels of 2 classes, got 3 classes", function()
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 }, { 3 } }, { "a", "b", "c" })
      end)
      support.refuses("y must have at least 2 classes, got 1", function()
         ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 }, { 3 } }, { "a", "a", "a" })
      end)
      support.refuses("y must be numeric, got labels", function() ml.GLM {}:fit(wanted.x, labels) end)
      local model = ml.GLM { family = "binomial", tol = 1e-13 }:fit(wanted.x, labels)
      support.refuses("y must be one of the 2 classes known to the model, got robot in row 2", function()
         model:diagnostics({ { 3 }, { 4 } }, { "manual", "robot" })
      end)
   end)

   it("reports separable outcomes", function()
      local model = ml.GLM { family = "binomial" }:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 0, 0, 1, 1 })
      assert.is_false(model.converged)
      assert(tostring(model:summary()):find("no finite estimate; use alpha > 0", 1, true))
      -- one of two groups
      model = ml.GLM { family = "poisson" }:fit({ { 0 }, { 0 }, { 1 }, { 1 } }, { 0, 0, 3, 4 })
      assert.is_false(model.converged)
      assert.is_true(ml.GLM { family = "binomial", alpha = 0.1 }:fit({ { 1 }, { 2 } }, { 0, 1 }).converged)
   end)

   it("never increases the objective", function()
      for _, case in ipairs(oracle.cases) do
         local trace = fit(case).trace
         for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-9), case.family .. " " .. case.link) end
      end
   end)

   it("handles huge offsets", function()
      local y = { 0, 1, 3, 4, 2 }
      local near = ml.GLM { family = "poisson", offset = "x2" }
         :fit({ { 0, 0 }, { 0, 1 }, { 1, 3 }, { 1, 5 }, { 0, 1 } }, y)
      local far = ml.GLM { family = "poisson", offset = "x2" }
         :fit({ { 0, 600 }, { 0, 601 }, { 1, 603 }, { 1, 605 }, { 0, 601 } }, y)
      assert.near(near.intercept - 600, far.intercept, 1e-9)
      assert.near(near.coef[1], far.coef[1], 1e-9)
      assert.equal(1, far.coef[2])
      assert.near(near.deviance, far.deviance, 1e-9)
      local spread = ml.GLM { family = "poisson", offset = "x2" }
         :fit({ { 0, 800 }, { 1, 800 }, { 0, 1 }, { 1, 5 } }, { 3, 5, 0, 0 })
      assert.near(math.log(3) - 800, spread.intercept, 1e-9)
      assert.near(math.log(5 / 3), spread.coef[1], 1e-9)
   end)

   it("gives minimum-norm coefficients of collinear columns, and names them in the summary", function()
      local X, y = {}, oracle.answers.counts
      for i, row in ipairs(oracle.x) do X[i] = { row[1], row[2], row[1], 7 } end
      local two = {}
      for i, row in ipairs(oracle.x) do two[i] = { row[1], row[2] } end
      local all, some = ml.GLM { family = "poisson" }:fit(X, y), ml.GLM { family = "poisson" }:fit(two, y)
      assert.equal(2, all.rank)
      assert.near(some.deviance, all.deviance, 1e-9)
      assert.near(some.coef[1] / 2, all.coef[1], 1e-9)
      assert.near(all.coef[1], all.coef[3], 1e-9)
      assert.equal(0, all.coef[4])
      local table, other = all:summary().coefficients, some:summary().coefficients
      support.near_all(other:col "std_error", table:col "std_error":slice(1, 3), 1e-8, "std_error")
      support.near_all(other:col "estimate", table:col "estimate":slice(1, 3), 1e-8, "estimate")
      for at = 4, 5 do assert.is_true(table:col "std_error"[at] ~= table:col "std_error"[at]) end
      assert(tostring(all:summary()):find("rank 2 of 4", 1, true))
   end)

   it("starts a large fit from a sample and ends at the optimum of all rows", function()
      local X = ml.normal(20000, 2, 3)
      local y = (X * ml.Vector { 0.3, -0.2 } + 1):exp() + ml.random(20000, nil, 4) - 0.5
      y = ml.Vector(y:clip(0, math.huge):totable())
      local model = ml.GLM { family = "poisson" }:fit(X, y)
      local mu = model:predict(X)
      assert.near(0, (mu - y):sum() / 20000, 1e-12)
      assert.is_true((X:t() * (mu - y)):abs():max() / 20000 < 1e-12)
      support.same_for_any_threads(function() return ml.GLM { family = "poisson" }:fit(X, y) end)
   end)

   it("predicts the same for a row alone and among others", function()
      local X = ml.normal(500, 3, 11)
      local y = X:col(1):exp()
      for _, settings in ipairs { { family = "poisson" }, { family = "gamma", link = "power", link_power = 0.5 } } do
         local model = ml.GLM(settings):fit(X, y)
         local all = model:predict(X)
         for i = 1, 500 do assert.equal(model:predict(X:slice(i, i))[1], all[i]) end
      end
      local heads = {}
      for i = 1, 500 do heads[i] = (X:get(i, 1) + X:get(501 - i, 2) > 0) and 1 or 0 end
      for _, link in ipairs { "logit", "probit", "cloglog" } do
         local model = ml.GLM { family = "binomial", link = link }:fit(X, heads)
         local all = model:predict(X)
         for i = 1, 500 do assert.equal(model:predict(X:slice(i, i))[1], all[i]) end
      end
   end)

   it("rejects invalid targets and settings with an explanation", function()
      local X = { { 1 }, { 2 }, { 3 } }
      for _, case in ipairs {
         { { family = "poisson" }, { 1, -1, 2 }, "y must be >= 0 for family 'poisson', got %-1 in row 2" },
         { { family = "gamma" }, { 1, 0, 2 }, "y must be > 0 for family 'gamma', got 0 in row 2" },
         { { family = "binomial" }, { 1, 0, 2 }, "y must be from 0 to 1 for family 'binomial', got 2 in row 3" },
         { { family = "poisson", link = "logit" }, { 1, 0, 2 }, "link 'logit' requires family 'binomial'" },
         { { family = "tweedie", power = 0.5 }, { 1, 0, 2 }, "power must be 0 or >= 1" },
         { { family = "poisson", offset = "exposure" }, { 1, 0, 2 },
            "offset must give columns by number, or as x1, x2, .*got 'exposure'" },
         { { family = "poisson", trials = "x1" }, { 1, 0, 2 }, "trials requires family 'binomial'" },
      } do
         support.refuses("GLM: " .. case[3], function() ml.GLM(case[1]):fit(X, case[2]) end)
      end
      support.refuses("weights must have at least one value > 0", function()
         ml.GLM { family = "poisson" }:fit(X, { 1, 2, 3 }, { weights = { 0, 0, 0 } })
      end)
   end)
end)
