-- ChainedImputer, which IterativeImputer { estimator = ... } makes.
local ml = require "manilius"
local reference = require "spec.fixtures.impute.impute"

local nan = 0 / 0
local S = ml.Matrix(reference.S)
local penguins = ml.read_csv "examples/data/penguins.csv"

local function refuses(pattern, call)
   local ok, message = pcall(call)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

local function at_gaps(X, full)
   local list = {}
   for i = 1, X.rows do
      for j = 1, X.cols do
         if X:get(i, j) ~= X:get(i, j) then list[#list + 1] = full:get(i, j) end
      end
   end
   return list
end

ml.warnings "off"

describe("ChainedImputer", function()
   for i, base in ipairs { ml.Ridge {}, ml.KNeighborsRegressor { n_neighbors = 3 } } do
      it("agrees with scikit-learn for " .. base.class, function()
         local one, settings = reference.chained[i], { estimator = base }
         for name, value in pairs(one.params) do
            settings[name] = type(value) == "number" and math.tointeger(value) or value
         end
         local X = ml.Matrix(reference[one.new])
         local got = at_gaps(X, ml.IterativeImputer(settings):fit(S):transform(X))
         assert.equal(#one.out, #got)
         for k, want in ipairs(one.out) do assert.near(want, got[k], 1e-9) end
      end)
   end

   it("gives the values of IterativeImputer for BayesianRidge", function()
      local base = ml.BayesianRidge { tol = 1e-8 }
      for _, order in ipairs { "ascending", "descending", "roman", "arabic" } do
         local settings = { imputation_order = order, max_iter = 3 }
         local fast = at_gaps(S, ml.IterativeImputer(settings):fit_transform(S))
         settings.estimator = base
         local slow = at_gaps(S, ml.IterativeImputer(settings):fit_transform(S))
         for k = 1, #fast do assert.near(fast[k], slow[k], 1e-6) end
      end
   end)

   it("completes numbers and factors, and later rows", function()
      local imputer = ml.ChainedImputer { ml.RandomForestRegressor { n_estimators = 10 },
         classifier = ml.RandomForestClassifier { n_estimators = 10 }, max_iter = 2 }
      local full = imputer:fit_transform(penguins)
      assert.same(penguins.names, full.names)
      assert.equal(0, full.sex:ismissing():sum())
      assert.equal(0, full.body_mass_g:isnan():sum())
      assert.same(penguins.sex.levels, full.sex.levels)
      assert.equal(penguins.bill_length_mm[1], full.bill_length_mm[1])
      -- nine birds in ten of known sex get it back
      local masked, right, seen = {}, 0, 0
      for i = 1, #penguins.sex do masked[i] = i % 10 > 0 and penguins.sex[i] or nil end
      masked.n = #penguins.sex
      local columns = {}
      for j, name in ipairs(penguins.names) do
         columns[j] = { name, name == "sex" and ml.Factor(masked) or penguins.columns[j] }
      end
      local again = imputer:fit_transform(ml.Frame(columns))
      for i = 10, #penguins.sex, 10 do
         if penguins.sex[i] then
            seen, right = seen + 1, right + (again.sex[i] == penguins.sex[i] and 1 or 0)
         end
      end
      assert(right / seen > 0.8, right .. " of " .. seen)
   end)

   it("keeps constants, one column and complete data as they are", function()
      local imputer = ml.ChainedImputer { ml.Ridge {} }
      assert.same({ { 7, 1 }, { 7, 2 }, { 7, 4 } }, imputer:fit_transform({ { 7, 1 }, { nan, 2 }, { 7, 4 } }):totable())
      assert.same({ { 1 }, { 2 }, { 3 } }, imputer:fit_transform({ { 1 }, { nan }, { 3 } }):totable())
      assert.same({ { 1, 5 }, { 2, 6 } }, imputer:fit_transform({ { 1, 5 }, { 2, 6 } }):totable())
      assert.is_true(imputer.converged)
   end)

   it("clones, saves, and takes parameters of its estimator", function()
      local imputer = ml.ChainedImputer { ml.Ridge {}, estimator = nil, max_iter = 2 }
      imputer:set_params { estimator__alpha = 3 }
      assert.equal(3, imputer:get_params().estimator__alpha)
      imputer:fit(S)
      assert.same(imputer:transform(S):totable(), ml.load(imputer:dump()):transform(S):totable())
      assert.is_false(imputer:clone().fitted)
   end)

   it("refuses wrong settings and data", function()
      refuses("ChainedImputer: column 'sex' is a factor with missing values; set classifier",
         function() ml.ChainedImputer { ml.RandomForestRegressor {} }:fit(penguins) end)
      refuses("ChainedImputer: estimator must be an estimator that can regress, got",
         function() ml.IterativeImputer { estimator = ml.GaussianNB {} } end)
      refuses("ChainedImputer: imputation_order must be one of ascending, descending, roman, arabic, random, got",
         function() ml.ChainedImputer { ml.Ridge {}, imputation_order = "left" } end)
      refuses("ChainedImputer: tol must be a number >= 0, got",
         function() ml.ChainedImputer { ml.Ridge {}, tol = -1 } end)
      refuses("missing values only", function() ml.ChainedImputer {}:fit { { 1, nan }, { 2, nan } } end)
      refuses("ChainedImputer: add_indicator must be true or false, got 1",
         function() ml.ChainedImputer { ml.Ridge {}, add_indicator = 1 } end)
      refuses("ChainedImputer: sample_posterior requires a classifier with predict_proba, got LinearSVC",
         function() ml.ChainedImputer { ml.Ridge {}, classifier = ml.LinearSVC {}, sample_posterior = true } end)
   end)

   it("appends indicators as IterativeImputer does", function()
      local X = { { 1, nan, 3 }, { 2, 5, 1 }, { nan, 7, 2 }, { 4, 8, 3 } }
      local slow = ml.ChainedImputer { ml.Ridge {}, add_indicator = true }:fit(X)
      local fast = ml.IterativeImputer { add_indicator = true }:fit(X)
      assert.same(fast:output_names(), slow:output_names())
      for j = 4, 5 do assert.same(fast:transform(X):col(j):totable(), slow:transform(X):col(j):totable()) end
      -- a column without missing values in fit has no indicator
      assert.same({ 0, 1 }, slow:transform({ { 1, nan, nan } }):select({ 4, 5 }):row(1):totable())
      assert.same({ "x1", "x2" }, ml.ChainedImputer { ml.Ridge {}, add_indicator = true }:fit { { 1, 2 }, { 2, 3 } }
         :output_names())
      local frame = ml.ChainedImputer { ml.RandomForestRegressor { n_estimators = 3 }, add_indicator = true,
         classifier = ml.RandomForestClassifier { n_estimators = 3 }, max_iter = 1 }:fit_transform(penguins)
      assert.equal(penguins.sex:ismissing():sum(), frame.missingindicator_sex:sum())
   end)

   describe("with sample_posterior", function()
      local function drawing(seed)
         return ml.ChainedImputer { ml.KNeighborsRegressor {}, classifier = ml.GaussianNB {}, max_iter = 2,
            sample_posterior = true, seed = seed }
      end

      it("draws numbers and labels, the same for the same seed", function()
         local birds = penguins:select("bill_length_mm", "bill_depth_mm", "sex")
         birds = ml.Frame { { "length", birds.bill_length_mm }, { "depth", birds.bill_depth_mm },
            { "sex", birds.sex } }
         local model = ml.ChainedImputer { ml.RandomForestRegressor { n_estimators = 5 }, max_iter = 2,
            classifier = ml.RandomForestClassifier { n_estimators = 5 }, sample_posterior = true, seed = 3 }
         local one = model:fit_transform(birds)
         assert.equal(tostring(one), tostring(model:clone():fit_transform(birds)))
         assert.equal(tostring(one), tostring(ml.load(model:dump()):transform(birds)))
         assert.same(birds.sex.levels, one.sex.levels)
         local labels = {}
         for seed = 4, 9 do
            local another = model:clone():set_params { seed = seed }:fit_transform(birds)
            for i = 1, #birds.sex do
               if not birds.sex[i] then labels[i .. another.sex[i]] = true end
            end
         end
         local count = 0
         for _ in pairs(labels) do count = count + 1 end
         assert.is_true(count > birds.sex:ismissing():sum()) -- some birds got both labels
         assert.is_false(model.converged)
         assert.equal(2, model.n_iter)
      end)

      it("gives a row the same value whatever rows come after it", function()
         local model = drawing(1):fit(S)
         assert.same(model:transform(S):slice(1, 9):totable(), model:transform(S:slice(1, 9)):totable())
      end)

      -- As for IterativeImputer in multiple_spec.lua: y is missing more often where z is large. A single neighbor
      -- reproduces the rows that it was fitted to, whose residuals are therefore 0.
      for _, base in ipairs { ml.LinearRegression {}, ml.KNeighborsRegressor { n_neighbors = 1 } } do
         it("covers the slope as often as pooled intervals say: " .. base.class, function()
            local RUNS, N, covered = 60, 80, 0
            local imputer = ml.ChainedImputer { base, max_iter = 2, skip_complete = true }
            for run = 1, RUNS do
               local e, u, list, models = ml.normal(N, 3, 1000 + run), ml.random(N, nil, 5000 + run), {}, {}
               for i = 1, N do
                  local x = e:get(i, 1)
                  local z = x + 0.5 * e:get(i, 2)
                  list[i] = { x, z, u[i] < (z > 0 and 0.6 or 0.2) and nan or 1 + x + e:get(i, 3) }
               end
               for i, data in ipairs(ml.multiple_imputation(list, { m = 5, seed = run, imputer = imputer })) do
                  models[i] = ml.LinearRegression {}:fit(data:select { 1 }, data:col(3):copy())
               end
               local slope = ml.pool(models).coefficients
               covered = covered + (slope.low[2] <= 1 and 1 <= slope.high[2] and 1 or 0)
            end
            assert(covered / RUNS > 0.86, covered / RUNS) -- 0.95 with a standard error of 0.028
         end)
      end
   end)
end)
