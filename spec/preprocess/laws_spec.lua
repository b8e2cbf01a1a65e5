-- Properties of all preprocessing estimators: inverse_transform, weights as repeated rows, batches, threads, saving,
-- allocation failures.
local ml = require "manilius"
local core = require "manilius.core"

local nan = 0 / 0

local function near(a, b, tolerance, what)
   if type(a) == "table" then a = a:matrix() end
   if type(b) == "table" then b = b:matrix() end
   assert.equal(a.rows, b.rows, what)
   assert.equal(a.cols, b.cols, what)
   for i = 1, a.rows do
      for j = 1, a.cols do
         local x, y = a:get(i, j), b:get(i, j)
         local same = x ~= x and y ~= y or x == y or math.abs(x - y) <= tolerance * math.max(1, math.abs(x))
         assert(same, ("%s: %.17g against %.17g at %d, %d"):format(what, x, y, i, j))
      end
   end
end

-- Columns of different magnitudes, integers, a constant; some values missing.
local function numbers(n, missing)
   local X = ml.normal(n, 5, 7)
   for i = 1, n do
      X:set(i, 2, X:get(i, 2) * 1e6 + 3e6)
      X:set(i, 3, math.floor(X:get(i, 3) * 2) + 10)
      X:set(i, 4, 4)
      X:set(i, 5, math.abs(X:get(i, 5)) + 0.5)
      if missing and i % 7 == 3 then X:set(i, i % 3 + 1, nan) end
   end
   return X
end

local scalers = {
   StandardScaler = {}, MinMaxScaler = { feature_range = { -1, 3 } }, MaxAbsScaler = {}, RobustScaler = {},
   QuantileTransformer = { n_quantiles = 500 }, PowerTransformer = {},
}
local encoders = { OneHotEncoder = {}, OrdinalEncoder = {} }
local stateless = { Normalizer = {}, Binarizer = {} }
local all = { SimpleImputer = { strategy = "median", add_indicator = true }, PolynomialFeatures = { degree = 3 },
   VarianceThreshold = { threshold = 0.5 }, KBinsDiscretizer = { strategy = "kmeans", n_bins = 4 } }
for _, set in ipairs { scalers, encoders, stateless } do
   for name, params in pairs(set) do all[name] = params end
end
local no_missing = { Normalizer = true, Binarizer = true, PolynomialFeatures = true, KBinsDiscretizer = true }

describe("preprocessing: inverse_transform", function()
   for name, params in pairs(scalers) do
      it("restores X for " .. name, function()
         local X = numbers(50, true)
         local model = ml[name](params):fit(X)
         near(X, model:inverse_transform(model:transform(X)), 1e-9, name)
      end)
   end

   for name, params in pairs(encoders) do
      it("restores X for " .. name, function()
         local X = { { "b", 3, true }, { "a", 1.5, false }, { nan, 3, true }, { "b", nan, false } }
         local model = ml[name](params):fit(X)
         local back = model:inverse_transform(model:transform(X))
         assert.same({ "b", "a", nil, "b" }, { back.columns[1][1], back.columns[1][2], back.columns[1][3],
            back.columns[1][4] })
         assert.equal(1.5, back.columns[2][2])
         assert.is_true(back.columns[2][4] ~= back.columns[2][4])
         assert.equal(true, back.columns[3][1])
      end)
   end

   it("restores missing values from an indicator", function()
      local X = numbers(50, true)
      local model = ml.SimpleImputer { add_indicator = true }:fit(X)
      near(X, model:inverse_transform(model:transform(X)), 0, "SimpleImputer")
   end)
end)

describe("preprocessing: weights", function()
   for _, name in ipairs { "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "SimpleImputer",
      "OneHotEncoder", "OrdinalEncoder", "VarianceThreshold", "KBinsDiscretizer", "QuantileTransformer",
      "PowerTransformer" } do
      it("are equivalent to repeated rows for " .. name, function()
         local X, weights, rows = numbers(40, not no_missing[name]), {}, {}
         for i = 1, 40 do
            weights[i] = i % 4
            for _ = 1, i % 4 do
               local row = {}
               for j = 1, X.cols do row[j] = X:get(i, j) end
               rows[#rows + 1] = row
            end
         end
         local params = {}
         for key, value in pairs(all[name]) do params[key] = value end
         if encoders[name] then params.min_frequency = 3 end
         local repeated = ml[name](params):fit(rows)
         local weighted = ml[name](params):fit(X, nil, { weights = weights })
         near(repeated:transform(rows), weighted:transform(rows), name == "PowerTransformer" and 1e-7 or 1e-12, name)
      end)
   end

   local cases = { RobustScaler = {}, QuantileTransformer = {}, KBinsDiscretizer = { n_bins = 7 },
      OneHotEncoder = { min_frequency = 3 }, OrdinalEncoder = { min_frequency = 0.1 }, PowerTransformer = {},
      StandardScaler = {}, SimpleImputer = { add_indicator = true } }
   for name, params in pairs(cases) do
      it("that are all equal have no effect for " .. name, function()
         local X, new = numbers(40, not no_missing[name]), numbers(43)
         if encoders[name] then X, new = X:slice(1, 40, 3, 4), X:slice(1, 40, 3, 4) end
         local wanted = ml[name](params):fit(X):transform(new)
         for _, weight in ipairs { 1 / 40, 0.1, 0.3, 1e-200, 1e-310 } do
            local got = ml[name](params):fit(X, nil, { weights = ml.Vector(40, weight) }):transform(new)
            near(wanted, got, name == "PowerTransformer" and 1e-6 or 1e-12, name)
         end
      end)
   end

   it("below 1 are in units of the smallest for quantiles", function()
      local X, new = { { 1 }, { 2 }, { 4 }, { 8 } }, { { 1.5 }, { 3 }, { 6 }, { 7 } }
      -- 1 2 4 4 8 8 8 at 0, 1/6, ..., 1
      local wanted = ml.Matrix { { 1 / 12 }, { 0.25 }, { 7 / 12 }, { 15 / 24 } }
      for _, unit in ipairs { 1, 0.5, 1 / 7, 1e-3, 1e-300 } do
         local weights = ml.Vector { 1, 1, 2, 3 } * unit
         near(wanted, ml.QuantileTransformer {}:fit(X, nil, { weights = weights }):transform(new), 1e-12, "Quantile")
         local robust = ml.RobustScaler {}:fit(X, nil, { weights = weights })
         assert.near(4, robust.center[1], 1e-12)
         assert.near(5, robust.scale[1], 1e-12) -- from 3 to 8
      end
      -- Equal weights of 0.1 are equivalent to five rows.
      local five = ml.QuantileTransformer {}:fit({ { 1 }, { 2 }, { 4 }, { 8 }, { 16 } }, nil, { weights =
         ml.Vector(5, 0.1) })
      near(ml.Matrix { { 0.125 }, { 0.375 }, { 0.625 }, { 0.6875 } }, five:transform(new), 1e-12, "five")
      -- The ratio of the largest to the smallest weight overflows.
      local far = ml.QuantileTransformer {}:fit({ { 1 }, { 2 } }, nil, { weights = { 1e-310, 1e10 } })
      assert.same({ { 2, 2 } }, { far.quantiles:slice(1, 1, 2, 3)[1]:totable() })
   end)

   it("of many rows do not lose ranks to rounding", function()
      local X, new = ml.normal(300000, 1, 3), numbers(20):slice(1, 20, 1, 1)
      local models = { RobustScaler = {}, QuantileTransformer = {}, SimpleImputer = { add_indicator = true } }
      for name, params in pairs(models) do
         local wanted = ml[name](params):fit(X):transform(new)
         near(wanted, ml[name](params):fit(X, nil, { weights = ml.Vector(X.rows, 0.3) }):transform(new), 1e-12, name)
      end
      local bins = ml.KBinsDiscretizer { n_bins = 10 }
      assert.same(bins:fit(X).bin_edges, bins:fit(X, nil, { weights = ml.Vector(X.rows, 1.1) }).bin_edges)
   end)

   it("too small to change a sum still produce an indicator", function()
      local model = ml.SimpleImputer { add_indicator = true }
      model:fit({ { 1 }, { nan }, { 3 } }, nil, { weights = { 1, 1e-20, 1 } })
      near(ml.Matrix { { 2, 1 } }, model:transform { { nan } }, 0, "SimpleImputer")
   end)

   it("below 1 do not reduce the degrees of freedom of SelectKBest", function()
      local X, y, label = ml.normal(30, 4, 3):abs(), ml.normal(30, 1, 4):col(1):copy(), {}
      for i = 1, 30 do label[i] = i % 3 == 0 and "a" or i % 5 == 0 and "b" or "c" end
      for score, target in pairs { f_classif = label, f_regression = y, chi2 = label } do
         local plain = ml.SelectKBest { score_func = score }:fit(X, target)
         for _, weight in ipairs { 1 / 30, 0.05, 0.3, 1e-310 } do
            local model = ml.SelectKBest { score_func = score }:fit(X, target, { weights = ml.Vector(30, weight) })
            near(plain.scores:as_row(), model.scores:as_row(), 1e-11, score)
            near(plain.pvalues:as_row(), model.pvalues:as_row(), 1e-11, score)
         end
      end
   end)

   it("below 1 are divided by their mean for min_frequency", function()
      local X = { { 1 }, { 1 }, { 1 }, { 2 }, { 2 }, { 3 }, { 3 }, { 3 }, { 3 }, { 3 } }
      for _, weight in ipairs { 0.1, 0.3, 0.7, 1e-300 } do
         for frequency, columns in pairs { [3] = 3, [4] = 2, [0.3] = 3, [0.31] = 2, [2] = 3, [6] = 1 } do
            local model = ml.OneHotEncoder { min_frequency = frequency }
            model:fit(X, nil, { weights = ml.Vector(10, weight) })
            assert.equal(columns, #model:transform(X)[1], frequency)
         end
      end
   end)
end)

describe("preprocessing: batches", function()
   for _, name in ipairs { "StandardScaler", "MinMaxScaler", "MaxAbsScaler" } do
      it("are equivalent to fit for " .. name, function()
         local X = numbers(60, true)
         local model = ml[name](scalers[name])
         for _, batch in ipairs { { 1, 1 }, { 2, 30 }, { 31, 60 } } do
            model:partial_fit(X:slice(batch[1], batch[2]))
         end
         near(ml[name](scalers[name]):fit(X):transform(X), model:transform(X), 1e-12, name)
      end)
   end
end)

describe("preprocessing: threads", function()
   for name, params in pairs(all) do
      it("do not change the result of " .. name, function()
         local X = numbers(30000, not no_missing[name])
         local small = encoders[name] and X:slice(1, 30000, 3, 4) or X -- few categories
         local saved, first = core.memory.threads(), nil
         for _, threads in ipairs { 1, 2, 5 } do
            core.memory.threads(threads)
            local model = ml[name](params):fit(small)
            local bytes = model:dump() .. tostring(model:transform(small):slice(1, 20)) ..
               ml.Normalizer {}:fit(small:slice(1, 2)):dump()
            local Z = model:transform(small)
            local sum = 0 -- depends on every bit of the values
            for i = 1, Z.rows, 97 do
               for j = 1, Z.cols do
                  local z = Z:get(i, j)
                  if z == z then sum = sum * 0.999 + z end
               end
            end
            first = first or { bytes, sum }
            assert.equal(first[1], bytes)
            assert.equal(first[2], sum)
         end
         core.memory.threads(saved)
      end)
   end
end)

describe("preprocessing: saving", function()
   for name, params in pairs(all) do
      it("restores " .. name, function()
         local X = numbers(50, not no_missing[name])
         local model = ml[name](params):fit(X)
         local again = ml.load(model:dump())
         near(model:transform(X), again:transform(X), 0, name)
         assert.same(model:output_names(), again:output_names())
         assert.equal(model:dump(), again:dump())
      end)
   end

   it("restores factors", function()
      local X = { { "b", 3 }, { "a", 1.5 }, { nan, 3 } }
      for _, name in ipairs { "OneHotEncoder", "OrdinalEncoder" } do
         local model = ml[name] {}:fit(X)
         near(model:transform(X), ml.load(model:dump()):transform(X), 0, name)
      end
      local model = ml.SimpleImputer { strategy = "constant", fill_level = "none" }:fit(X)
      assert.equal("none", ml.load(model:dump()):transform(X).columns[1][3])
   end)
end)

describe("preprocessing: allocation failures", function()
   for name, params in pairs(all) do
      it("keep the previous fit of " .. name, function()
         local X = numbers(30, not no_missing[name])
         local model = ml[name](params):fit(X)
         local before, wanted, failures = model:dump(), model:transform(X), 0
         for n = 0, 1000 do
            collectgarbage()
            core.memory.fail_after(n)
            local ok, message = pcall(function() return model:clone():fit(X), model:transform(X) end)
            core.memory.fail_after(-1)
            if ok then break end
            failures = failures + 1
            assert.matches("not enough memory", message)
            assert.equal(before, model:dump())
         end
         assert.is_true(failures > 2)
         for n = 0, 1000 do -- the same for refitting
            core.memory.fail_after(n)
            local ok = pcall(model.fit, model, X)
            core.memory.fail_after(-1)
            assert.equal(before, model:dump())
            if ok then break end
         end
         near(wanted, model:transform(X), 0, name)
      end)
   end
end)

describe("preprocessing: single rows", function()
   for name, params in pairs(all) do
      it("are transformed like the whole matrix by " .. name, function()
         local X = numbers(20, not no_missing[name])
         local model = ml[name](params):fit(X)
         local together = model:transform(X)
         for i = 1, 20 do near(together:slice(i, i), model:transform(X:slice(i, i)), 1e-15, name) end
      end)
   end
end)
