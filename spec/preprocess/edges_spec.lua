-- Edge cases: constant and empty columns, one row, one column, extreme magnitudes, unknown categories; and messages.
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses

local nan = 0 / 0

local function fits(class, params, X, y)
   return function() return ml[class](params):fit(X, y) end
end

local function row(X, i)
   if type(X) == "table" then X = X:matrix() end -- a Frame gives a Frame
   local out = {}
   for j = 1, X.cols do out[j] = X:get(i, j) end
   return out
end

describe("preprocessing of one row", function()
   it("follows the formula", function()
      assert.same({ 0, 0 }, row(ml.StandardScaler {}:fit_transform { { 3, -4 } }, 1))
      assert.same({ 0, 0 }, row(ml.MinMaxScaler {}:fit_transform { { 3, -4 } }, 1))
      assert.same({ 1, -1 }, row(ml.MaxAbsScaler {}:fit_transform { { 3, -4 } }, 1))
      assert.same({ 0, 0 }, row(ml.RobustScaler {}:fit_transform { { 3, -4 } }, 1))
      assert.same({ 0.6, -0.8 }, row(ml.Normalizer {}:transform { { 3, -4 } }, 1))
      assert.same({ 1, 1 }, row(ml.OneHotEncoder {}:fit_transform { { 3, -4 } }, 1))
      assert.same({ 1, 3, 9 }, row(ml.PolynomialFeatures {}:fit_transform { { 3 } }, 1))
   end)
end)

describe("a constant column", function()
   it("becomes 0 and is restored by inverse_transform", function()
      local X = { { 0.1 }, { 0.1 }, { 0.1 } }
      for _, name in ipairs { "StandardScaler", "MinMaxScaler", "RobustScaler" } do
         local model = ml[name] {}:fit(X)
         local Z = model:transform(X)
         for i = 1, 3 do assert.equal(0, Z:get(i, 1)) end
         assert.equal(0.1, model:inverse_transform(Z):get(2, 1))
      end
   end)

   it("is recognized although its mean is rounded", function()
      local rows = {}
      for i = 1, 5000 do rows[i] = { 0.1, 1 / 3, 1e300 } end
      local model = ml.StandardScaler {}:fit(rows)
      for j = 1, 3 do
         assert.equal(rows[1][j], model.mean[j])
         assert.equal(0, model.var[j])
         assert.equal(1, model.scale[j])
      end
   end)

   it("is only shifted by PowerTransformer", function()
      for _, method in ipairs { "yeo-johnson", "box-cox" } do
         local model = ml.PowerTransformer { method = method, standardize = false }:fit { { 4 }, { 4 }, { 4 } }
         assert.equal(1, model.lambdas[1]) -- as in scikit-learn
         assert.near(3, model:transform({ { 7 } }):get(1, 1) - model:transform({ { 4 } }):get(1, 1), 1e-14)
      end
   end)

   it("is recognized although its values differ by rounding", function()
      local model = ml.StandardScaler {}:fit { { 0.3 }, { 0.1 + 0.2 } }
      assert.equal(1, model.scale[1])
   end)
end)

describe("extreme magnitudes", function()
   it("neither overflow nor underflow", function()
      local shape = { -1, 0, 1, 2 }
      for _, magnitude in ipairs { 1e-300, 1e-160, 1e155, 1e300 } do
         local X, plain = {}, {}
         for i, value in ipairs(shape) do
            X[i], plain[i] = { value * magnitude }, { value }
         end
         for _, name in ipairs { "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler" } do
            local wanted, got = ml[name] {}:fit_transform(plain), ml[name] {}:fit_transform(X)
            for i = 1, #shape do
               assert(math.abs(wanted:get(i, 1) - got:get(i, 1)) < 1e-12,
                  ("%s at %g: %g, not %g"):format(name, magnitude, got:get(i, 1), wanted:get(i, 1)))
            end
         end
         local Z = ml.Normalizer {}:transform { { 3 * magnitude, 4 * magnitude } }
         assert.near(0.6, Z:get(1, 1), 1e-15)
         assert.near(0.8, Z:get(1, 2), 1e-15)
      end
   end)

   it("have the power of the same column in other units", function()
      local plain, large, tiny, both = {}, {}, {}, {}
      for i = 1, 20 do
         plain[i], large[i], tiny[i], both[i] = { i }, { i * 1e299 }, { i * 1e-20 }, { (i - 10.5) * 1e300 }
      end
      local wanted = ml.PowerTransformer { method = "box-cox" }:fit(plain)
      for _, method in ipairs { "box-cox", "yeo-johnson" } do
         local model = ml.PowerTransformer { method = method }:fit(large)
         assert.near(wanted.lambdas[1], model.lambdas[1], 1e-6) -- 1 + x is x; the tolerance of the search is 1e-9
         support.near_rows(wanted:transform(plain), model:transform(large), 1e-5, "large", 1)
      end
      -- Only powers near 1 are finite for both signs.
      local model = ml.PowerTransformer {}:fit(both)
      assert.near(1, model.lambdas[1], 0.02)
      support.near_rows(both, model:inverse_transform(model:transform(both)), 1e-9)
      -- x^l - 1 loses digits for small x: any power will do that keeps them apart.
      model = ml.PowerTransformer { method = "box-cox" }:fit(tiny)
      support.near_rows(tiny, model:inverse_transform(model:transform(tiny)), 1e-2)
   end)

   it("keep a small standard deviation next to a large mean", function()
      local model = ml.StandardScaler {}:fit { { 1e9 }, { 1e9 + 1 }, { 1e9 + 2 } }
      assert.near(math.sqrt(2 / 3), model.scale[1], 1e-12)
   end)
end)

describe("a column without values", function()
   local X = { { 1, nan }, { 2, nan } }

   it("is refused by the imputer unless keep_empty_features is set", function()
      refuses("SimpleImputer: column 2 %('x2'%) of X has missing values only; remove it or set keep_empty_features",
         fits("SimpleImputer", {}, X))
      assert.same({ 1, -9 }, row(ml.SimpleImputer { keep_empty_features = true, fill_value = -9 }:fit_transform(X), 1))
      assert.same({ 1, 0 }, row(ml.SimpleImputer { strategy = "constant" }:fit_transform(X), 1))
   end)

   it("stays missing in scalers", function()
      for _, name in ipairs { "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler" } do
         local model = ml[name] {}:fit(X)
         local z = model:transform(X):get(1, 2)
         assert.is_true(z ~= z)
         z = model:transform { { 1, 5 } }:get(1, 2)
         assert.is_true(z == z)
      end
   end)

   it("can get values in a later batch", function()
      for _, name in ipairs { "StandardScaler", "MinMaxScaler" } do
         local model = ml[name] {}:partial_fit(X):partial_fit { { 1, 4 }, { 1, 6 } }
         local direct = ml[name] {}:fit { { 1, nan }, { 2, nan }, { 1, 4 }, { 1, 6 } }
         assert.same(row(direct:transform { { 1, 5 } }, 1), row(model:transform { { 1, 5 } }, 1))
      end
   end)

   it("is a category in an encoder", function()
      local model = ml.OneHotEncoder {}:fit(X)
      assert.same({ "x1_1", "x1_2", "x2_missing" }, model:output_names())
      assert.same({ 1, 0, 1 }, row(model:transform(X), 1))
   end)
end)

describe("unknown categories", function()
   local X = { { "a", 1 }, { "b", 2 }, { "a", 2 } }

   it("are refused with their position", function()
      refuses("OneHotEncoder: X must have categories that fit saw, got 'c' in row 2, column 1 %('x1'%)",
         function() ml.OneHotEncoder {}:fit(X):transform { { "a", 1 }, { "c", 1 } } end)
      refuses("OrdinalEncoder: X must have categories that fit saw, got 1.5 in row 1, column 2 %('x2'%)",
         function() ml.OrdinalEncoder {}:fit(X):transform { { "a", 1.5 } } end)
      refuses("OneHotEncoder: X must have categories that fit saw, got a missing value in row 1, column 2",
         function() ml.OneHotEncoder {}:fit(X):transform { { "a", nan } } end)
   end)

   it("are reported with column and level, also if the columns are in another order", function()
      local train = ml.Frame { { "age", { 31, 45 } }, { "city", { "Oslo", "Rome" } } }
      local city = ml.Frame { { "city", { "Oslo", "Paris" } }, { "age", { 31, 31 } } }
      refuses("OneHotEncoder: X must have categories that fit saw, got 'Paris' in row 2, column 2 %('city'%)",
         function() ml.OneHotEncoder {}:fit(train):transform(city) end)
      refuses("OrdinalEncoder: X must have categories that fit saw, got 'Paris' in row 2, column 2 %('city'%)",
         function() ml.OrdinalEncoder {}:fit(train):transform(city) end)
      local imputed = ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} }:fit(train)
      refuses("OneHotEncoder: X must have categories that fit saw, got a missing value %(or a level that an "
         .. "earlier step did not see%) in row 2, column 2 %('city'%)", function() imputed:transform(city) end)
   end)

   it("become zeros, and missing after inverse_transform", function()
      local model = ml.OneHotEncoder { handle_unknown = "ignore" }:fit(X)
      local Z = model:transform { { "c", 7 } }
      assert.same({ 0, 0, 0, 0 }, row(Z, 1))
      assert.is_nil(model:inverse_transform(Z).columns[1][1])
   end)

   it("become a code, and missing after inverse_transform", function()
      local model = ml.OrdinalEncoder { handle_unknown = "use_encoded_value", unknown_value = -1 }:fit(X)
      local Z = model:transform { { "c", 2 } }
      assert.same({ -1, 2 }, row(Z, 1))
      assert.is_nil(model:inverse_transform(Z).columns[1][1])
      refuses("OrdinalEncoder: X must have codes from 1 to 2, got 3 in row 1, column 2",
         function() model:inverse_transform { { 1, 3 } } end)
   end)

   it("pass through an imputer as missing values, which the encoder handles", function()
      local pipe = ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" },
         ml.OneHotEncoder { handle_unknown = "ignore" } }
      pipe:fit(X)
      assert.same({ 0, 0, 1, 0 }, row(pipe:transform { { "c", 1 } }, 1))
   end)
end)

describe("factors", function()
   it("keep their declared levels as categories", function()
      local f = ml.Frame { size = ml.Factor { "m", "s", "m", levels = { "l", "m", "s" } } }
      local model = ml.OneHotEncoder { drop = "first" }:fit(f)
      assert.same({ "size_m", "size_s" }, model:output_names())
      assert.equal(3, #model.categories[1])
   end)

   it("can be imputed with a new level", function()
      local model = ml.SimpleImputer { strategy = "constant", fill_level = "b" }:fit { { "c" }, { "a" }, { nan } }
      local filled = model:transform { { "c" }, { nan }, { "a" } }.columns[1]
      assert.same({ "c", "b", "a" }, { filled[1], filled[2], filled[3] })
      assert.same({ "x1" }, model:output_names())
   end)

   it("give the same result as a sparse matrix", function()
      local X = { { "a", 1 }, { "b", 2 }, { nan, 2 } }
      local dense = ml.OneHotEncoder {}:fit_transform(X)
      local sparse = ml.OneHotEncoder { sparse_output = true }:fit_transform(X)
      assert.equal("Sparse", tostring(sparse):match "^%a+")
      local back = sparse:todense()
      for i = 1, 3 do assert.same(row(dense, i), row(back, i)) end
   end)
end)

describe("messages", function()
   it("name the estimator, the expected value and the actual one", function()
      refuses("MinMaxScaler: feature_range must be two numbers, the smaller first, got 3, 1$",
         fits("MinMaxScaler", { feature_range = { 3, 1 } }, { { 1 } }))
      refuses("MinMaxScaler: the range of column 2 is too large; divide X by 10",
         fits("MinMaxScaler", {}, { { 1, 1e308 }, { 2, -1e308 } }))
      refuses("MinMaxScaler: feature_range must be two numbers, got 3$",
         fits("MinMaxScaler", { feature_range = { 1, 2, 3 } }, { { 1 } }))
      refuses("RobustScaler: quantile_range must be two percentages, the smaller first, got 75, 25$",
         fits("RobustScaler", { quantile_range = { 75, 25 } }, { { 1 } }))
      refuses("RobustScaler: quantile_range must be from 0 to 100, got 101 at position 2$",
         fits("RobustScaler", { quantile_range = { 25, 101 } }, { { 1 } }))
      refuses("PolynomialFeatures: min_degree must be at most degree, 2, got 3$",
         fits("PolynomialFeatures", { min_degree = 3 }, { { 1 } }))
      refuses("PolynomialFeatures: degree must give at most 2147483647 columns",
         fits("PolynomialFeatures", { degree = 40 }, ml.random(2, 40)))
      refuses("OneHotEncoder: X must have a column with two categories if the first is dropped, got none$",
         fits("OneHotEncoder", { drop = "first" }, { { 1 }, { 1 } }))
      refuses("OneHotEncoder: min_frequency must be > 0, got 0$",
         fits("OneHotEncoder", { min_frequency = 0 }, { { 1 } }))
      refuses("OneHotEncoder: handle_unknown must be one of error, ignore, infrequent_if_exist, got 'ignor'; did you",
         fits("OneHotEncoder", { handle_unknown = "ignor" }, { { 1 } }))
      refuses("StandardScaler: X must be numeric, got a factor in column 1 %('s'%); encode it",
         fits("StandardScaler", {}, ml.Frame { s = ml.Factor { "a", "b" } }))
      refuses("StandardScaler: X must be finite, got inf in row 1, column 1", fits("StandardScaler", {}, { { 1 / 0 } }))
      refuses("Normalizer: X must be finite, got nan in row 1, column 1",
         function() ml.Normalizer {}:transform { { nan } } end)
      local whole = ml.SimpleImputer { add_indicator = true }:fit { { 1, 2 }, { 3, 4 } }
      assert.same({ { 5, 3 } }, ml.load(whole:dump()):transform({ { 5, 0 / 0 } }):totable())
      refuses("SimpleImputer: inverse_transform requires add_indicator = true in fit",
         function() ml.SimpleImputer {}:fit { { 1 } }:inverse_transform { { 1 } } end)
      refuses("StandardScaler: call fit before transform$", function() ml.StandardScaler {}:transform { { 1 } } end)
   end)
end)

describe("clip", function()
   it("keeps new values in the range", function()
      local model = ml.MinMaxScaler { clip = true }:fit { { 0 }, { 10 } }
      local Z = model:transform { { -5 }, { 5 }, { 20 } }
      assert.same({ 0, 0.5, 1 }, { Z:get(1, 1), Z:get(2, 1), Z:get(3, 1) })
      Z = ml.MaxAbsScaler { clip = true }:fit { { -2 } }:transform { { -4 }, { 1 }, { nan } }
      assert.same({ -1, 0.5 }, { Z:get(1, 1), Z:get(2, 1) })
      assert.is_true(Z:get(3, 1) ~= Z:get(3, 1))
   end)
end)

describe("PolynomialFeatures", function()
   it("names its terms by the features", function()
      local X = ml.Frame { { "height", ml.Vector { 2 } }, { "width", ml.Vector { 3 } } }
      local model = ml.PolynomialFeatures { degree = 3, include_bias = false }:fit(X)
      assert.same({ "height", "width", "height^2", "height width", "width^2", "height^3", "height^2 width",
         "height width^2", "width^3" }, model:output_names())
   end)

   it("keeps the terms of fit if its parameters change later", function()
      local model = ml.PolynomialFeatures {}:fit { { 2, 3 } }
      model:set_params { degree = 9 }
      assert.equal(6, model:transform { { 2, 3 } }.cols)
      assert.equal(6, model.n_output_features)
   end)
end)

describe("QuantileTransformer", function()
   it("maps tied values to the middle of their ranks", function()
      local X = {}
      for i, x in ipairs { 3, 3, -1, -3, 2, 1, 2, -3, -3, 0, -1, 0, 3, -2 } do X[i] = { x } end
      local Z = ml.QuantileTransformer {}:fit_transform(X)
      local wanted = { 13, 13, 4.5, 0, 9.5, 8, 9.5, 0, 0, 6.5, 4.5, 6.5, 13, 3 }
      for i, rank in ipairs(wanted) do assert.near(rank / 13, Z:get(i, 1), 1e-14) end
   end)

   it("maps values outside the range of fit to the ends", function()
      local model = ml.QuantileTransformer { output_distribution = "normal" }:fit { { 1 }, { 2 }, { 3 } }
      assert.near(-5.199337582605575, model:transform { { -100 } }:get(1, 1), 1e-8)
      assert.near(0, model:transform { { 2 } }:get(1, 1), 1e-15)
   end)
end)

describe("PowerTransformer", function()
   it("finds powers far from 1", function()
      local X = {}
      for i = 1, 200 do X[i] = { 100 + i / 100 } end
      local model = ml.PowerTransformer { method = "box-cox" }:fit(X)
      local Z = model:transform(X)
      assert.near(0, Z:col(1):mean(), 1e-9)
      assert.near(101, model:inverse_transform(model:transform { { 101 } }):get(1, 1), 1e-6)
   end)

   it("maps a constant column to 0", function()
      assert.equal(0, ml.PowerTransformer {}:fit_transform { { 7, 1 }, { 7, 2 }, { 7, 3 } }:get(1, 1))
   end)

   it("reports the position of a value that is not positive", function()
      refuses("PowerTransformer: X must be > 0 for box%-cox, got 0 in row 2, column 1; use yeo%-johnson",
         fits("PowerTransformer", { method = "box-cox" }, { { 1 }, { 0 } }))
   end)
end)

describe("selectors", function()
   it("name the columns they keep", function()
      local X = ml.Frame { { "a", ml.Vector { 1, 2, 3, 4 } }, { "b", ml.Vector { 5, 5, 5, 5 } },
         { "c", ml.Vector { 2, 2, 9, 9 } } }
      assert.same({ "a", "c" }, ml.VarianceThreshold {}:fit(X):output_names())
      local best = ml.SelectKBest { k = 1 }:fit(X, { "x", "x", "y", "y" })
      assert.same({ "c" }, best:output_names())
      refuses("VarianceThreshold: X must have a column with variance > 2, got none",
         fits("VarianceThreshold", { threshold = 2 }, { { 1 }, { 2 } }))
      refuses("SelectKBest: X must be >= 0 for chi2, got a negative value in row 1, column 2",
         fits("SelectKBest", { score_func = "chi2" }, { { 1, -1 }, { 2, 2 } }, { "x", "y" }))
   end)

   it("accept numbers as y if the score requires them", function()
      local best = ml.SelectKBest { score_func = "f_regression", k = 1 }
      best:fit({ { 1, 4 }, { 2, 1 }, { 3, 3 } }, { 1.1, 2.2, 2.9 })
      assert.equal(1, best.support[1])
   end)
end)

describe("KBinsDiscretizer", function()
   it("maps bins to their midpoints in inverse_transform", function()
      for _, encode in ipairs { "ordinal", "onehot" } do
         local model = ml.KBinsDiscretizer { n_bins = 2, strategy = "uniform", encode = encode }:fit { { 0 }, { 8 } }
         assert.same({ 2 }, row(model:inverse_transform(model:transform { { 1 } }), 1))
         assert.same({ 6 }, row(model:inverse_transform(model:transform { { 100 } }), 1))
      end
   end)

   it("removes empty bins", function()
      local model = ml.KBinsDiscretizer { n_bins = 4, encode = "ordinal" }:fit { { 0 }, { 0 }, { 0 }, { 1 } }
      assert.is_true(model.bins[1] < 4)
      assert.equal(1, ml.KBinsDiscretizer {}:fit { { 3 }, { 3 } }.bins[1])
   end)
end)
