local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/select/choose_components.lua"
local psych = dofile "spec/fixtures/select/choose_components_r.lua"

local labels = { wine = "class", breast_cancer = "diagnosis", usarrests = "state" }

local function numbers(name)
   return ml.read_csv("examples/data/" .. name .. ".csv"):drop { labels[name] }
end

describe("choose_components", function()
   for _, name in ipairs { "wine", "breast_cancer", "usarrests" } do
      it("agrees with R's psych in parallel analysis: " .. name, function()
         local choice = ml.choose_components(numbers(name), { criteria = "parallel", references = 60 })
         local wanted = psych[name]
         assert.equal(wanted.count, choice.best.parallel)
         support.near_all(wanted.variance, choice.table.variance, 1e-9, "variance")
         -- means of 60 and of 500 simulated data sets
         support.near_all(wanted.mean, choice.table.parallel_mean, 0.05, "mean variance of references")
      end)
   end

   it("agrees with scikit-learn in the likelihood of held-out rows", function()
      local choice = ml.choose_components(numbers "wine", { criteria = { "likelihood" }, cv = ml.KFold { k = 4 } })
      for k, wanted in ipairs(oracle.likelihood) do
         support.near(wanted, choice.table.likelihood[k], 1e-10, "log density of " .. k)
      end
   end)

   it("finds planted components by every criterion", function()
      local X = ml.normal(300, 3, 1) * ml.hcat(ml.eye(3), ml.eye(3), ml.eye(3)) + ml.normal(300, 9, 3) * 0.4
      for _, reference in ipairs { "normal", "permuted" } do
         local choice = ml.choose_components(X, { references = 20, reference = reference,
            criteria = { "parallel", "mle", "likelihood" } })
         for name, k in pairs(choice.best) do assert.equal(3, k, name) end
         assert.equal(3, choice.k)
         assert.equal(3, choice.votes[3])
      end
   end)

   it("computes scree, kaiser and broken stick by definition", function()
      -- variances 5, 3, 1.1, 0.9 of orthogonal columns
      local V = { 5, 3, 1.1, 0.9 }
      local Q = ml.PCA { whiten = true }:fit_transform(ml.normal(50, 4, 1))
      local rows = Q:totable()
      for _, row in ipairs(rows) do
         for j = 1, 4 do row[j] = row[j] * math.sqrt(V[j]) end
      end
      local choice = ml.choose_components(rows, { scale = false, criteria = { "scree", "kaiser", "broken_stick" } })
      support.near_all(V, choice.table.variance, 1e-10, "variance")
      assert.same({ scree = 2, kaiser = 2, broken_stick = 0 }, { scree = choice.best.scree, kaiser = choice.best.kaiser,
         broken_stick = choice.best.broken_stick })
      local sticks = { 10 * 25 / 48, 10 * 13 / 48, 10 * 7 / 48, 10 * 3 / 48 }
      support.near_all(sticks, choice.table.broken_stick, 1e-10, "part")
   end)

   it("prints and plots its result", function()
      local choice = ml.choose_components(numbers "wine", { references = 10 })
      assert.matches("^1 to 12 components: no two criteria agree %(parallel 3, mle 12", tostring(choice))
      local figure = choice:plot()
      assert.equal(3, #figure.panels)
      local two = ml.choose_components(numbers "wine", { criteria = { "parallel", "kaiser" }, references = 10 })
      assert.matches("^3 components by most criteria %(parallel 3, kaiser 3%)", tostring(two))
      assert.matches("^1 component %(scree 1%)", tostring(ml.choose_components(numbers "wine", { criteria = "scree" })))
      assert.equal(0, #ml.choose_components(numbers "wine", { criteria = "scree" }):plot().panels - 1)
   end)

   it("says which numbers are tied", function()
      local choice = ml.choose_components(ml.read_csv "examples/data/iris.csv":drop "species")
      assert.equal(1, choice.k)
      assert.same({ [1] = 2, [3] = 2 }, choice.votes)
      assert.matches("^1 or 3 components: as many criteria for each", tostring(choice))
   end)

   it("works with fewer rows than columns, and refuses what cannot be", function()
      local wide = ml.normal(8, 20, 1)
      assert.same({ "parallel", "scree" }, ml.choose_components(wide, { references = 5 }).criteria)
      support.refuses("the criterion mle requires more rows than columns, got 8 and 20",
         function() ml.choose_components(wide, { criteria = "mle" }) end)
      support.refuses("criteria must be from parallel, mle, .*'parallel'",
         function() ml.choose_components(wide, { criteria = "paralel" }) end)
      support.refuses("at least 3 rows and 2 columns", function() ml.choose_components(ml.normal(9, 1, 1)) end)
   end)

   it("gives the same for the same seed", function()
      local X = ml.normal(40, 6, 1)
      local one, two = ml.choose_components(X, { references = 5 }), ml.choose_components(X, { references = 5 })
      assert.equal(tostring(one), tostring(two))
   end)
end)

describe("plot.loadings", function()
   it("shows components, columns with the largest loadings first to last", function()
      local X = numbers "usarrests"
      local model = ml.Pipeline { ml.StandardScaler {}, ml.PCA { n_components = 2 } }:fit(X)
      local panel = ml.plot.loadings(model).panels[1]
      local heat = panel.layers[1]
      assert.equal(X.cols, #heat.values)
      assert.equal(model.models[2].components:get(2, 1), heat.values[X.cols][2])
      assert.equal(2, #ml.plot.loadings(model, { top = 2 }).panels[1].layers[1].values)
      local pls = ml.PLSRegression { n_components = 2 }:fit(X, X:matrix():col(1))
      assert.equal(2, #ml.plot.loadings(pls).panels[1].layers[1].values[1])
      support.refuses("must be a fitted model with components", ml.plot.loadings, ml.StandardScaler {}:fit(X))
   end)
end)
