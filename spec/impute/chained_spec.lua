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
      refuses("ChainedImputer has no parameter 'sample_posterior'",
         function() ml.IterativeImputer { estimator = ml.Ridge {}, sample_posterior = true } end)
   end)
end)
