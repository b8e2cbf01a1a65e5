-- Imputers against scikit-learn (fixtures/impute/impute.py), and against their definition written out.
local ml = require "manilius"
local reference = require "spec.fixtures.impute.impute"

local nan = 0 / 0
local air = ml.read_csv("examples/data/airquality.csv"):matrix()

local function table_of(name)
   return name == "air" and air or ml.Matrix(reference[name])
end

local function settings_of(params)
   local settings = {}
   for name, value in pairs(params) do
      settings[name] = type(value) == "number" and math.tointeger(value) or value
   end
   return settings
end

-- The values of `full` where `X` has none, row after row.
local function at_gaps(X, full)
   local list = {}
   for i = 1, X.rows do
      for j = 1, X.cols do
         if X:get(i, j) ~= X:get(i, j) then list[#list + 1] = full:get(i, j) end
      end
   end
   return list
end

local function near_list(want, got, tolerance, what)
   assert.equal(#want, #got, what)
   for i = 1, #want do
      assert(math.abs(want[i] - got[i]) <= tolerance * math.max(1, math.abs(want[i])),
         ("%s: value %d: %.17g, scikit-learn %.17g"):format(what, i, got[i], want[i]))
   end
end

ml.warnings "off"

describe("imputers agree with scikit-learn:", function()
   for i, one in ipairs(reference.cases) do
      it(("%s %d, fitted on %s, applied to %s"):format(one.class, i, one.x, one.new), function()
         local model, X = ml[one.class](settings_of(one.params)):fit(table_of(one.x)), table_of(one.new)
         -- BayesianRidge stops at 1e-8 here and at 1e-12 there; with equal distances the neighbors may differ
         near_list(one.out, at_gaps(X, model:transform(X)), one.class == "KNNImputer" and 1e-12 or 2e-6, one.class)
         if one.class == "IterativeImputer" then assert.equal(one.n_iter, model.n_iter) end
      end)
   end

   it("IterativeImputer with the defaults, whose BayesianRidge stops at 1e-3 there", function()
      near_list(reference.default, at_gaps(air, ml.IterativeImputer {}:fit_transform(air)), 1e-3, "default")
   end)

   it("MissingIndicator", function()
      local model = ml.MissingIndicator { error_on_new = false }:fit(air)
      assert.same(reference.indicator, model:transform(table_of "S"):totable())
      assert.same({ 1, 2 }, model.indicator_features:totable())
      assert.near(37 / 153, model.missing_fraction[1], 1e-15)
   end)
end)

describe("IterativeImputer", function()
   local S = table_of "S"

   it("agrees with BayesianRidge, column by column", function()
      local X, gaps = ml.SimpleImputer {}:fit_transform(S), {}
      for j = 1, S.cols do
         gaps[j] = {}
         for i = 1, S.rows do
            if S:get(i, j) ~= S:get(i, j) then gaps[j][#gaps[j] + 1] = i end
         end
      end
      for j = 1, S.cols do -- one round from left to right
         local others, observed = {}, {}
         for k = 1, S.cols do others[#others + 1] = k ~= j and k or nil end
         for i = 1, S.rows do observed[#observed + 1] = S:get(i, j) == S:get(i, j) and i or nil end
         local Z = X:select(others)
         local model = ml.BayesianRidge { tol = 1e-10, max_iter = 1000 }:fit(Z:take(observed), X:col(j):take(observed))
         local value = model:predict(Z)
         for _, i in ipairs(gaps[j]) do X:set(i, j, value[i]) end
      end
      local model = ml.IterativeImputer { imputation_order = "roman", max_iter = 1, tol = 0 }
      near_list(at_gaps(S, X), at_gaps(S, model:fit_transform(S)), 1e-6, "one round")
   end)

   it("draws about the prediction with the spread of the posterior", function()
      local n, x, y = 400, ml.normal(400, nil, 1), {}
      local noise = ml.normal(400, nil, 2)
      for i = 1, n do y[i] = i % 2 == 0 and nan or 2 * x[i] + 0.5 * noise[i] end
      local X = ml.hcat(x, ml.Vector(y))
      local mean = ml.IterativeImputer {}:fit_transform(X):col(2):copy()
      local sum, squares, between = 0, 0, {}
      for seed = 1, 30 do
         local drawn = ml.IterativeImputer { sample_posterior = true, max_iter = 2, seed = seed }:fit_transform(X)
         local total = 0
         for i = 2, n, 2 do
            local r = drawn:get(i, 2) - mean[i]
            sum, squares, total = sum + r, squares + r * r, total + r
         end
         between[seed] = total / 200
      end
      assert.near(0, sum / 6000, 0.03) -- the standard error is 0.008
      assert.near(0.5, math.sqrt(squares / 6000), 0.03)
      -- the mean of 200 draws varies by their noise and by the drawn coefficients: 0.25 / 200 + 0.25 / 200
      assert.near(0.05, ml.Vector(between):std(), 0.02)
   end)

   it("repeats its draws for a seed, within the limits", function()
      local function draw(seed)
         return ml.IterativeImputer { sample_posterior = true, seed = seed, min_value = 4, max_value = 6, max_iter = 3 }
            :fit_transform(S)
      end
      local first = at_gaps(S, draw(5))
      assert.same(first, at_gaps(S, draw(5)))
      assert.not_same(first, at_gaps(S, draw(6)))
      for _, value in ipairs(first) do assert(value >= 4 and value <= 6) end
   end)

   it("uses few predictors and a random order by seed", function()
      for _, settings in ipairs { { n_nearest_features = 2 }, { imputation_order = "random" } } do
         local function completed(seed)
            settings.seed = seed
            return at_gaps(S, ml.IterativeImputer(settings):fit_transform(S))
         end
         assert.same(completed(1), completed(1))
         assert.not_same(completed(1), completed(2))
      end
   end)

   it("counts weights as repeated rows", function()
      local weights, repeated = {}, {}
      for i = 1, S.rows do
         weights[i] = i % 3
         for _ = 1, i % 3 do repeated[#repeated + 1] = i end
      end
      local a = ml.IterativeImputer { max_iter = 3 }:fit(S, nil, { weights = weights })
      local b = ml.IterativeImputer { max_iter = 3 }:fit(S:take(repeated))
      near_list(at_gaps(S, b:transform(S)), at_gaps(S, a:transform(S)), 1e-9, "weights")
   end)

   it("completes mostly missing columns and many columns as scikit-learn does", function()
      local x = ml.normal(60, 2, 3)
      local rows = ml.hcat(x, x:col(1) * 3 + 1):totable()
      for i = 1, 50 do rows[i][3] = nan end
      local out = ml.IterativeImputer {}:fit_transform(rows)
      for i = 1, 50 do assert.near(3 * rows[i][1] + 1, out:get(i, 3), 1e-3) end
   end)
end)
