local ml = require "manilius"

local X = { { "a", "b" }, { "a", "c" }, { "b" }, { "c", "d" }, { "d" }, { "a", "d" }, { "b", "c" }, { "c" }, { "a" } }
local y = { "x", "y", "x", "z", "z", "y", "x", "y", "x" }

describe("LogLinear", function()
   it("is LogisticRegression if all pairs have coefficients", function()
      local iris = ml.read_csv "examples/data/iris.csv"
      local columns, species = iris:drop "species", iris.species
      local model = ml.LogLinear { c2 = 0.5, tol = 1e-14 }:fit(columns, species)
      local other = ml.LogisticRegression { C = 1, tol = 1e-12 }:fit(columns, species)
      local p, q = model:predict_proba(columns), other:predict_proba(columns)
      for i = 1, p.rows do
         for k = 1, p.cols do assert.near(q[i][k], p[i][k], 2e-5) end
      end
   end)

   it("has the observed sums of features without a penalty", function()
      local rows, tags = {}, {}
      for i = 1, 60 do -- classes overlap, so that the maximum is finite
         rows[i] = { "f" .. i % 3, i % 2 == 0 and "even" or "odd" }
         tags[i] = ({ "x", "y", "z" })[i * i % 7 % 3 + 1]
      end
      local model = ml.LogLinear { c2 = 0, tol = 1e-15, max_iter = 5000 }:fit(rows, tags)
      local p = model:predict_proba(rows)
      local s = model:summary { n = 1000 }.features
      local feature, tag = s.feature:totable(), s.tag:totable()
      for j = 1, #feature do
         local observed, expected = 0, 0
         for i, row in ipairs(rows) do
            local has = feature[j] == "(intercept)" or row[1] == feature[j] or row[2] == feature[j]
            for k, class in ipairs(model.classes) do
               if has and class == tag[j] then
                  expected = expected + p[i][k]
                  observed = observed + (tags[i] == class and 1 or 0)
               end
            end
         end
         assert.near(observed, expected, 1e-4)
      end
   end)

   for _, solver in ipairs { "gis", "iis" } do
      it("reaches the minimum of lbfgs by " .. solver, function()
         local exact = ml.LogLinear { c2 = 0.2, tol = 1e-14 }:fit(X, y)
         local model = ml.LogLinear { c2 = 0.2, tol = 1e-13, solver = solver, max_iter = 5000 }:fit(X, y)
         assert.near(exact.objective, model.objective, 1e-8)
         local p, q = exact:predict_proba(X), model:predict_proba(X) -- the intercepts have a free constant
         for i = 1, #X do
            for k = 1, p.cols do assert.near(p[i][k], q[i][k], 1e-5) end
         end
         local trace = model.trace:totable()
         for i = 2, #trace do assert.is_true(trace[i] <= trace[i - 1] + 1e-12) end
      end)

      it("takes values and weights by " .. solver, function()
         local rows = {}
         for i, row in ipairs(X) do
            rows[i] = {}
            for j, name in ipairs(row) do rows[i][name] = j / 2 end
         end
         local options = { weights = { 1, 2, 1, 1, 3, 1, 1, 2, 1 } }
         local exact = ml.LogLinear { c2 = 0.2, tol = 1e-14 }:fit(rows, y, options)
         local model = ml.LogLinear { c2 = 0.2, tol = 1e-13, solver = solver, max_iter = 5000 }:fit(rows, y, options)
         assert.near(exact.objective, model.objective, 1e-8)
      end)
   end

   it("uses fewer iterations of iis than of gis", function()
      local settings = { c2 = 0.2, tol = 1e-10, max_iter = 5000 }
      settings.solver = "gis"
      local gis = ml.LogLinear(settings):fit(X, y)
      settings.solver = "iis"
      assert.is_true(ml.LogLinear(settings):fit(X, y).n_iter <= gis.n_iter)
   end)

   it("explains what is wrong", function()
      assert.error_matches(function()
         ml.LogLinear { solver = "gis" }:fit({ { -1, 0 }, { 1, 2 } }, { "a", "b" })
      end, "gis and iis need features >= 0, got %-1")
      assert.error_matches(function()
         ml.LogLinear { solver = "iis", c2 = 0, all_possible_states = true }:fit(X, y)
      end, "need c2 > 0")
      assert.error_matches(function() ml.LogLinear { solver = "gis", c1 = 1 }:fit(X, y) end,
         "solver 'gis' needs c1 = 0")
   end)
end)
