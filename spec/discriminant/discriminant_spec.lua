local ml = require "manilius"
local support = dofile "spec/support.lua"
local cases = dofile "spec/fixtures/discriminant/discriminant.lua"

local targets = { iris = "species", wine = "class" }

local function load(name)
   if targets[name] then
      local X, y = support.data(name, targets[name])
      return X:matrix(), y
   end
   local frame = ml.read_csv "examples/data/breast_cancer.csv"
   local X, y = support.data("breast_cancer", frame.names[#frame.names])
   return ml.StandardScaler {}:fit_transform(X):matrix(), y
end

local function every_37th(X)
   local at = {}
   for i = 1, X.rows, 37 do at[#at + 1] = i end
   return X:take(at)
end

-- Largest entry of a list, for relative errors.
local function size(list)
   local most = 0
   for _, v in ipairs(list) do most = math.max(most, math.abs(v)) end
   return most
end

describe("Discriminant analysis", function()
   for at, case in ipairs(cases) do
      it(("agrees with scikit-learn: case %d, %s of %s, %s"):format(at, case.class, case.set, case.solver), function()
         local X, y = load(case.set)
         local settings = { tol = case.class:find "Quadratic" and 1e-12 or nil }
         for _, key in ipairs { "solver", "shrinkage", "priors", "reg_param", "covariance_estimator" } do
            settings[key] = case[key]
         end
         local model = ml[case.class](settings):fit(X, y)
         if case.class:find "Quadratic" then
            local got = model:decision_function(every_37th(X))
            if type(case.decision[1]) == "table" then
               support.near_rows(case.decision, got, 1e-8, "decision", 1)
            else
               for i = 1, #case.decision do support.near(case.decision[i], got[i], 1e-8, "decision", 1) end
            end
            return
         end
         local several = #case.coef > 1
         local coef = several and model.coef or { model.coef }
         local intercept = several and model.intercept or { model.intercept }
         for r = 1, #case.coef do
            support.near_all(case.coef[r], coef[r], 1e-8, "coef", size(case.coef[r]))
         end
         support.near_all(case.intercept, intercept, 1e-8, "intercept", size(case.intercept))
         support.near_rows(case.log_proba, model:predict_log_proba(every_37th(X)), 1e-8, "log_proba", 1)
         if not case.transform then return end
         support.near_all(case.ratio, model.explained_variance_ratio, 1e-8, "ratio", 1)
         local z = model:transform(X:take { 1, 2, 3 })
         for i = 1, 3 do
            for j = 1, #case.transform[i] do
               support.near(case.transform[i][j], math.abs(z[i][j]), 1e-8, "transform", 1)
            end
         end
      end)
   end

   it("gives the same directions with lsqr and svd", function()
      local X, y = load "iris"
      local one = ml.LinearDiscriminantAnalysis {}:fit(X, y)
      local other = ml.LinearDiscriminantAnalysis { solver = "lsqr" }:fit(X, y)
      support.near_rows(one.scalings:totable(), other.scalings, 1e-8, "scalings", 1)
      assert.equal(1, ml.LinearDiscriminantAnalysis { n_components = 1 }:fit(X, y):transform(X).cols)
   end)

   it("drops directions without variance with svd", function()
      local X, y = load "iris"
      local same = ml.LinearDiscriminantAnalysis {}:fit(X, y):predict_proba(X)
      local more = {}
      for i, row in ipairs(X:totable()) do more[i] = { row[1], row[2], row[3], row[4], row[1] + row[2], 5 } end
      local got = ml.LinearDiscriminantAnalysis {}:fit(more, y):predict_proba(more)
      assert.is_true((same - got):abs():max() < 1e-9)
      support.refuses("LinearDiscriminantAnalysis: the covariance within the classes is singular", function()
         ml.LinearDiscriminantAnalysis { solver = "eigen" }:fit(more, y)
      end)
      support.refuses("QuadraticDiscriminantAnalysis: the covariance of class setosa is singular .*rank 4", function()
         ml.QuadraticDiscriminantAnalysis {}:fit(more, y)
      end)
   end)

   it("does not depend on the units of the columns with any solver", function()
      local X, y = load "iris"
      local other = X:copy()
      for i = 1, X.rows do
         other:set(i, 1, X:get(i, 1) * 1e-7)
         other:set(i, 4, X:get(i, 4) * 1e6)
      end
      for _, settings in ipairs { { solver = "svd" }, { solver = "lsqr" }, { solver = "eigen" } } do
         local one = ml.LinearDiscriminantAnalysis(settings):fit(X, y):predict_proba(X)
         local two = ml.LinearDiscriminantAnalysis(settings):fit(other, y):predict_proba(other)
         assert.is_true((one - two):abs():max() < 1e-9, settings.solver)
      end
   end)

   it("refuses classes that no direction separates", function()
      local rows, names = ml.full(6, 2, 3), { "a", "b", "a", "b", "a", "b" }
      support.refuses("LinearDiscriminantAnalysis: no direction separates the classes", function()
         ml.LinearDiscriminantAnalysis {}:fit(rows, names)
      end)
   end)

   it("handles fewer rows than columns with shrinkage", function()
      local X = ml.normal(12, 30, 1)
      local y = {}
      for i = 1, 12 do y[i] = i % 2 == 0 and "b" or "a" end
      for i = 2, 12, 2 do for j = 1, 30 do X:set(i, j, X:get(i, j) + 2) end end
      for _, model in ipairs {
         ml.LinearDiscriminantAnalysis { solver = "lsqr", covariance_estimator = "ledoit_wolf" },
         ml.LinearDiscriminantAnalysis { solver = "eigen", shrinkage = 0.5 },
         ml.QuadraticDiscriminantAnalysis { reg_param = 0.5 },
         ml.QuadraticDiscriminantAnalysis { covariance_estimator = "ledoit_wolf" },
      } do
         assert.equal(1, model:fit(X, y):score(X, y))
      end
   end)

   it("refuses conflicting parameters", function()
      local X, y = load "iris"
      support.refuses("shrinkage requires solver 'lsqr' or 'eigen', got 'svd'", function()
         ml.LinearDiscriminantAnalysis { shrinkage = 0.1 }:fit(X, y)
      end)
      support.refuses("priors must have one value for each of the 3 classes, got 2", function()
         ml.QuadraticDiscriminantAnalysis { priors = { 0.5, 0.5 } }:fit(X, y)
      end)
      support.refuses("more rows than classes", function()
         ml.LinearDiscriminantAnalysis {}:fit({ { 1 }, { 2 } }, { "a", "b" })
      end)
   end)
end)

describe("QuadraticDiscriminantAnalysis", function()
   it("does not depend on the units of the columns and detects collinear ones in any units", function()
      local X, y = support.data("iris", "species")
      X = ml.Matrix(X)
      local wanted = ml.QuadraticDiscriminantAnalysis {}:fit(X, y):predict_proba(X)
      for _, unit in ipairs { 1e-30, 1e-6, 1e30 } do
         local other = X:copy()
         for i = 1, X.rows do other:set(i, 1, unit * X:get(i, 1)) end
         local found = ml.QuadraticDiscriminantAnalysis {}:fit(other, y):predict_proba(other)
         assert.near(0, (found - wanted):abs():max(), 1e-12)
         local twice = ml.hcat(other, other:select { 1 } * 3 - other:select { 2 } * (2 * unit))
         support.refuses("the covariance of class setosa is singular .50 rows, 5 columns, rank 4.", function()
            ml.QuadraticDiscriminantAnalysis {}:fit(twice, y)
         end)
      end
   end)
end)

describe("the summary of discriminant analyses", function()
   local X, y = support.data("iris", "species")

   it("shows priors, means and directions, as lda of R prints them", function()
      local model = ml.LinearDiscriminantAnalysis {}:fit(X, y)
      local s = model:summary()
      assert.same({ "setosa", "versicolor", "virginica" }, s.classes.class:totable())
      support.near_all(model.class_prior, s.classes.prior, 0)
      support.near_rows(model.means, s.means, 0)
      -- R divides the covariance by n - 3: 0.8293776, 1.5344731, -2.2012117, -2.8104603 and a share of 0.9912
      local of_R, scale = { -0.8293776, -1.5344731, 2.2012117, 2.8104603 }, math.sqrt(150 / 147)
      for j = 1, 4 do support.near(of_R[j] * scale, s.scalings[j][1], 1e-6) end
      assert.near(0.9912, s.explained_variance_ratio[1], 1e-4)
      for _, part in ipairs { "versicolor        5.936         2.77         4.26        1.326", "LD1           0.99121",
         "petal_width         2.839        2.868" } do
         assert.matches(part, s.text, nil, true)
      end
      assert.equal(s.text, ml.load(model:dump()):summary().text)
      assert.equal(1, ml.LinearDiscriminantAnalysis { n_components = 1 }:fit(X, y):summary().scalings.cols)
   end)

   it("shows determinants of the covariances", function()
      local model = ml.QuadraticDiscriminantAnalysis {}:fit(ml.Matrix(X), y)
      local s = model:summary()
      support.near_all(model.log_det, s.log_det, 0)
      assert.matches("setosa          0.33333      -13.148", s.text, nil, true)
      assert.matches("x1           x2", s.text, nil, true)
   end)
end)
