-- Imputers on degenerate data, and their errors.
local ml = require "manilius"

local nan, inf = 0 / 0, math.huge
local imputers = { "KNNImputer", "IterativeImputer" }

local function refuses(pattern, call)
   local ok, message = pcall(call)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

ml.warnings "off"

for _, name in ipairs(imputers) do
   describe(name, function()
      local function complete(X, settings) return ml[name](settings or {}):fit_transform(X):totable() end

      it("refuses a column without values, or keeps it as a constant", function()
         local X = { { 1, nan, 3 }, { 2, nan, nan }, { 4, nan, 5 } }
         refuses(name .. ": column 2 %('x2'%) of X has missing values only; remove it or set keep_empty_features",
            function() complete(X) end)
         local out = complete(X, { keep_empty_features = true })
         for i = 1, 3 do assert.equal(0, out[i][2]) end
         assert.is_true(out[2][3] == out[2][3])
         local frame = ml.Frame { { "age", { nan, nan } }, { "b", { 1, 2 } } }
         refuses("column 1 %('age'%)", function() ml[name] {}:fit(frame) end)
      end)

      it("fills a row without values with the column means", function()
         local out = complete { { 1, 10 }, { nan, nan }, { 3, 30 }, { 5, 20 } }
         assert.near(3, out[2][1], 0.5)
         assert.near(20, out[2][2], 5)
      end)

      it("completes one row, one column, constants and duplicated columns", function()
         assert.same({ { 1, 2 } }, complete { { 1, 2 } })
         assert.same({ { 1 }, { 2 }, { 3 } }, complete { { 1 }, { nan }, { 3 } })
         assert.same({ { 7, 1 }, { 7, 2 }, { 7, 4 } }, complete { { 7, 1 }, { nan, 2 }, { 7, 4 } })
         local X = {}
         for i = 1, 12 do X[i] = { i, i, i % 5 } end
         X[6][2] = nan
         assert.near(6, complete(X, name == "KNNImputer" and { n_neighbors = 2 } or {})[6][2], 1e-3)
      end)

      it("refuses infinite values and factor columns, and text for numbers", function()
         refuses(name .. ": X must be finite, got inf in row 2, column 1",
            function() complete { { 1, nan }, { inf, 2 } } end)
         refuses(name .. ": X must be numeric, got a factor in column 1",
            function() complete(ml.Frame { { "s", ml.Factor { "a", "b" } }, { "b", { 1, nan } } }) end)
      end)

      it("completes more columns than rows", function()
         local X = ml.normal(5, 30, 4):totable()
         X[2][3], X[4][30], X[1][1] = nan, nan, nan
         for _, row in ipairs(complete(X)) do
            for _, value in ipairs(row) do assert(value == value and math.abs(value) < 10) end
         end
      end)

      it("adds indicators and understands another sign of missing values", function()
         local X = { { 1, -9, 3 }, { 2, 5, 4 }, { nan, 6, 5 }, { 4, 7, 1 } }
         local model = ml[name] { missing_values = -9, add_indicator = true }:fit(X)
         local out = model:transform(X)
         assert.same({ 1, 2 }, model.indicator_features:totable())
         assert.same({ 0, 0, 1, 0 }, out:col(4):totable())
         assert.same({ 1, 0, 0, 0 }, out:col(5):totable())
         assert(out:get(1, 2) > 0)
         local frame = ml[name] { add_indicator = true }:fit_transform(ml.Frame { { "a", { 1, nan, 2 } },
            { "b", { 1, 2, 3 } } })
         assert.same({ "a", "b", "missingindicator_a" }, frame.names)
      end)

      it("completes columns in fit without missing values later", function()
         local model = ml[name] {}:fit { { 1, 10 }, { 2, 20 }, { 3, 30 }, { 4, 40 }, { 5, 50 } }
         local value = model:transform({ { nan, 30 } }):get(1, 1)
         assert.near(3, value, 0.1)
      end)

      it("runs inside cross-validation", function()
         local X = ml.normal(60, 4, 8)
         local y = X:col(1) * 2 + X:col(2)
         for i = 1, 60, 5 do X:set(i, i % 4 + 1, nan) end
         local cv = ml.cross_validate(ml.Pipeline { ml[name] {}, ml.Ridge {} }, X, y, { cv = 3 })
         assert(cv.mean.r2 > 0.8)
      end)
   end)
end

describe("KNNImputer", function()
   it("averages the rows that have the value, at distances over common columns", function()
      -- row 1 misses column 3; distances by columns 1 and 2: to row 2 sqrt(3/2 * 1), row 3 sqrt(3/1 * 1), row 4 far
      local X = { { 0, 0, nan }, { 1, 0, 10 }, { nan, 1, 20 }, { 9, 9, 99 }, { 0, 0, nan } }
      assert.equal(10, ml.KNNImputer { n_neighbors = 1 }:fit_transform(X):get(1, 3))
      assert.equal(15, ml.KNNImputer { n_neighbors = 2 }:fit_transform(X):get(1, 3))
      local a, b = 1 / math.sqrt(1.5), 1 / math.sqrt(3)
      assert.near((10 * a + 20 * b) / (a + b),
         ml.KNNImputer { n_neighbors = 2, weights = "distance" }:fit_transform(X):get(1, 3), 1e-14)
      local c, d = 1 / 1.5, 1 / 3
      assert.near((10 * c + 20 * d) / (c + d),
         ml.KNNImputer { n_neighbors = 2, weights = "distance", metric = "nan_manhattan" }:fit_transform(X):get(1, 3),
         1e-14)
   end)

   it("uses rows at distance 0 alone with weights by distance", function()
      local X = { { 0, nan }, { 0, 3 }, { 1, 9 }, { 0, 5 } }
      assert.equal(4, ml.KNNImputer { n_neighbors = 3, weights = "distance" }:fit_transform(X):get(1, 2))
   end)

   it("breaks ties by the order of the rows", function()
      local X = { { 0, nan }, { 1, 3 }, { -1, 9 }, { 1, 5 } }
      assert.equal(3, ml.KNNImputer { n_neighbors = 1 }:fit_transform(X):get(1, 2))
      assert.equal(6, ml.KNNImputer { n_neighbors = 2 }:fit_transform(X):get(1, 2))
   end)

   it("falls back to the column mean without a common column", function()
      local X = { { nan, 1 }, { 2, nan }, { 4, nan } }
      assert.equal(3, ml.KNNImputer {}:fit_transform(X):get(1, 1))
   end)

   it("gives the same bits for any number of threads and blocks of rows", function()
      local X = ml.normal(700, 6, 5)
      for i = 1, 700 do X:set(i, i % 6 + 1, nan) end
      local model = ml.KNNImputer { n_neighbors = 3 }:fit(X)
      local all, threads = model:transform(X), ml.threads()
      ml.threads(1)
      local alone = model:transform(X)
      ml.threads(threads)
      assert.same(all:totable(), alone:totable())
      for _, i in ipairs { 1, 257, 700 } do
         assert.same(all:slice(i, i):totable(), model:transform(X:slice(i, i)):totable())
      end
   end)
end)

describe("IterativeImputer", function()
   it("keeps imputed values within limits and checks them", function()
      local X = { { 1, 2 }, { 2, 4 }, { 3, 6 }, { 4, nan }, { nan, 10 } }
      local out = ml.IterativeImputer { min_value = { -inf, 0 }, max_value = { 4, 7 } }:fit_transform(X)
      assert.equal(7, out:get(4, 2))
      assert.equal(4, out:get(5, 1))
      assert.equal(10, out:get(5, 2)) -- given values stay
      refuses("IterativeImputer: min_value must be less than max_value, got 3 and 1 for column 1",
         function() ml.IterativeImputer { min_value = 3, max_value = 1 }:fit(X) end)
      refuses("IterativeImputer: min_value must be a number or 2 numbers, one for each column, got 3",
         function() ml.IterativeImputer { min_value = { 1, 2, 3 } }:fit(X) end)
   end)

   it("reports a value for each round and whether it converged", function()
      local X = ml.normal(40, 3, 6)
      for i = 1, 40, 4 do X:set(i, i % 3 + 1, nan) end
      local model = ml.IterativeImputer { max_iter = 50, tol = 1e-8 }:fit(X)
      assert.is_true(model.converged)
      assert.equal(model.n_iter, #model.trace)
      assert(model.n_iter > 1 and model.trace[#model.trace] < 1e-8)
      assert.is_false(ml.IterativeImputer { max_iter = 1, tol = 1e-8 }:fit(X).converged)
      assert.is_nil(ml.IterativeImputer { max_iter = 2, sample_posterior = true }:fit(X).converged)
   end)

   it("is accurate far from the origin", function()
      local X = {}
      for i = 1, 30 do X[i] = { 1e9 + i, 1e9 + 2 * i + (i % 3) * 0.01 } end
      X[10][2] = nan
      assert.near(1e9 + 20, ml.IterativeImputer {}:fit_transform(X):get(10, 2), 0.1)
   end)

   it("refuses values whose squares overflow", function()
      refuses("IterativeImputer: X must hold numbers below 1e100 so that their squares are finite, got 1e%+300 in col",
         function() ml.IterativeImputer {}:fit { { 1e300, 1 }, { -1e300, 2 }, { nan, 3 } } end)
   end)
end)

describe("MissingIndicator", function()
   it("refuses new missing values, or ignores them", function()
      local model = ml.MissingIndicator {}:fit(ml.Frame { { "a", { 1, nan } }, { "b", { 1, 2 } } })
      local later = ml.Frame { { "a", { 1 } }, { "b", { nan } } }
      refuses("MissingIndicator: column 2 %('b'%) of X has missing values, but had none in fit; set error_on_new = "
         .. "false or features = \"all\"", function() model:transform(later) end)
      model:set_params({ error_on_new = false }):fit(ml.Frame { { "a", { 1, nan } }, { "b", { 1, 2 } } })
      assert.same({ "missingindicator_a" }, model:transform(later).names)
      local all = ml.MissingIndicator { features = "all" }:fit { { 1, 2 } }
      assert.same({ { 0, 1 } }, all:transform({ { 3, nan } }):totable())
   end)

   it("has no columns if nothing was missing, also beside another part", function()
      local none = ml.MissingIndicator {}:fit { { 1, 2 }, { 3, 4 } }
      assert.equal(0, none:transform({ { 1, 2 } }).cols)
      local both = ml.FeatureUnion { ml.SimpleImputer {}, ml.MissingIndicator {} }
      assert.same({ { 1, 2 }, { 3, 4 } }, both:fit({ { 1, 2 }, { 3, 4 } }):transform({ { 1, 2 }, { 3, 4 } }):totable())
   end)

   it("counts weights and missing levels", function()
      local X = ml.Frame { { "s", ml.Factor { "a", n = 3, [3] = "b" } }, { "b", { 1, 2, nan } } }
      local model = ml.MissingIndicator {}:fit(X, nil, { weights = { 1, 2, 1 } })
      assert.same({ 0.5, 0.25 }, model.missing_fraction:totable())
      assert.same({ { 0, 0 }, { 1, 0 }, { 0, 1 } }, model:transform(X):matrix():totable())
   end)
end)

describe("imputers", function()
   it("says what to do with rows of named values", function()
      for _, class in ipairs { ml.KNNImputer, ml.SimpleImputer, ml.Ridge } do
         refuses("X must be a table of rows of numbers, got named values; convert them with DictVectorizer",
            function() class {}:fit({ { a = 1, b = 2 }, { a = 3, b = 4 } }, { 1, 2 }) end)
      end
   end)

   it("name ChainedImputer for a column without values", function()
      local X = ml.Matrix { { 1, 0 / 0 }, { 2, 0 / 0 }, { 3, 0 / 0 } }
      assert.has_error(function() local _ = ml.ChainedImputer {}:fit(X) end,
         "ChainedImputer: column 2 ('x2') of X has missing values only; remove it")
   end)
end)
