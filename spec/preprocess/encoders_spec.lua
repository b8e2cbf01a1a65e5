-- Encoders of categories against category_encoders, feature_engine and scikit-learn's hash. Missing sizes are 0 here.
local ml = require "manilius"
local fixture = require "spec.fixtures.preprocess.encoders"
local features = require "spec.fixtures.preprocess.features"
local support = require "spec.support"

local function filled(values)
   local out = {}
   for i, value in ipairs(values) do out[i] = value == value and value or 0 end
   return out
end

local function frame(town, size)
   return ml.Frame { { "town", ml.Factor(town) }, { "size", ml.Vector(filled(size)) } }
end

local train, new = frame(fixture.town, fixture.size), frame(fixture.new_town, fixture.new_size)


-- Up to rounding of sums and logarithms.
local function near_rows(wanted, got, text) support.near_rows(wanted, got:matrix(), 1e-12, text, 1e-3) end

describe("Counts, codes and indicators", function()
   local X = ml.Frame { { "town", { "Ulm", "Bonn", "Ulm", "Jena" } }, { "size", { 1, 2.5, 0 / 0, 4 } } }
   local towns, sizes = X:select "town", X:select "size"

   local function types(model, data, options)
      return table.concat(model:fit_transform(data, nil, options).types, " ")
   end

   it("are whole numbers in a Frame", function()
      assert.equal("whole whole whole", types(ml.OneHotEncoder {}, towns))
      assert.equal("whole", types(ml.OrdinalEncoder {}, towns))
      assert.equal("whole whole", types(ml.BinaryEncoder {}, towns))
      assert.equal("whole whole", types(ml.HashEncoder { n_components = 2 }, towns))
      assert.equal("whole", types(ml.CountEncoder {}, towns))
      assert.equal("whole", types(ml.MissingIndicator {}, sizes))
      assert.equal("number whole", types(ml.SimpleImputer { add_indicator = true }, sizes))
      assert.equal("number whole", types(ml.KNNImputer { add_indicator = true }, sizes))
      assert.equal("number whole", types(ml.IterativeImputer { add_indicator = true }, sizes))
      local full = ml.SimpleImputer {}:fit_transform(sizes)
      assert.equal("whole", types(ml.Binarizer {}, full))
      assert.equal("whole", types(ml.KBinsDiscretizer { n_bins = 2, encode = "ordinal" }, full))
   end)

   it("are numbers if parameters or weights make them fractions", function()
      assert.equal("number", types(ml.CountEncoder { normalize = true }, towns))
      assert.equal("number", types(ml.CountEncoder {}, towns, { weights = { 0.5, 1, 1, 1 } }))
      local ordinal = ml.OrdinalEncoder { handle_unknown = "use_encoded_value", unknown_value = -0.5 }:fit(towns)
      assert.equal("number", ordinal:transform(ml.Frame { { "town", { "Rom" } } }).types[1])
   end)

   it("stay whole through ColumnTransformer and Pipeline", function()
      local model = ml.ColumnTransformer { { "t", ml.Pipeline { ml.OrdinalEncoder {} }, { "town" } },
         remainder = "passthrough" }
      assert.equal("whole number", types(model, X))
   end)
end)

describe("LeaveOneOutEncoder", function()
   it("gives the values of category_encoders", function()
      for _, case in ipairs(fixture.leave_one_out) do
         local encoder = ml.LeaveOneOutEncoder {}
         near_rows(case.training, encoder:fit_transform(train, fixture[case.y]), case.y)
         near_rows(case.out, encoder:transform(new), case.y)
      end
   end)

   it("encodes more than two classes by a column each", function()
      local encoder = ml.LeaveOneOutEncoder {}
      local out = encoder:fit_transform({ { "a" }, { "a" }, { "a" }, { "b" } }, { "x", "y", "z", "x" })
      assert.same({ { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 0.5, 0.5, 0 }, { 0.5, 0.25, 0.25 } }, out:totable())
   end)

   it("multiplies training features by noise only", function()
      local rows, y = {}, {}
      for i = 1, 4000 do rows[i], y[i] = { i % 2 }, 1 end
      local encoder = ml.LeaveOneOutEncoder { sigma = 0.2, seed = 3 }
      local out = encoder:fit_transform(rows, y):col(1)
      assert.near(1, out:mean(), 5 * 0.2 / math.sqrt(4000))
      assert.near(0.2, out:std(), 5 * 0.2 / math.sqrt(8000))
      assert.equal(1, encoder:transform({ { 0 } })[1][1])
   end)
end)

describe("WOEEncoder", function()
   it("gives the values of category_encoders, which does not cross-fit", function()
      for _, case in ipairs(fixture.woe) do
         local encoder = ml.WOEEncoder { regularization = case.params.regularization, cv = 1 }
         near_rows(case.training, encoder:fit_transform(train, fixture.pair), "training")
         near_rows(case.out, encoder:transform(new), "new")
      end
   end)

   it("refers to another encoder for several classes", function()
      local ok, message = pcall(function() ml.WOEEncoder {}:fit({ { "a" }, { "b" }, { "a" } }, { "x", "y", "z" }) end)
      assert.is_false(ok)
      assert.matches("WOEEncoder: y must have 2 classes, got 3; only binary classification is supported; for several "
         .. "classes use TargetEncoder", message)
   end)

   it("learns the information value of each column", function()
      local X, y = { { "a" }, { "a" }, { "a" }, { "b" }, { "b" } }, { "n", "n", "y", "y", "y" }
      local value = ml.WOEEncoder { regularization = 0.5 }:fit(X, y).information_value[1]
      local p, q = { 1.5 / 4, 2.5 / 4 }, { 2.5 / 3, 0.5 / 3 }
      local wanted = 0
      for k = 1, 2 do wanted = wanted + (p[k] - q[k]) * math.log(p[k] / q[k]) end
      assert.near(wanted, value, 1e-14)
   end)

   it("refuses a category of one class without regularization, whose evidence is infinite", function()
      local town = ml.Frame { { "town", { "a", "a", "b", "b", "c" } } }
      support.refuses("regularization must be > 0, because the category town_b has rows of one class only", function()
         ml.WOEEncoder { regularization = 0 }:fit(town, { "n", "y", "y", "y", "n" })
      end)
      local mixed = ml.WOEEncoder { regularization = 0 }:fit(town, { "n", "y", "n", "y", "n" })
      assert.near(math.log(0.5 / (1 / 3)), mixed:transform(town):matrix():get(1, 1), 1e-15)
      assert.equal(0, mixed:transform(town):matrix():get(5, 1)) -- a single row
   end)

   it("encodes the training rows by other folds", function()
      local X, y = { { "a" }, { "a" }, { "b" }, { "b" } }, { "n", "n", "y", "y" }
      local folds = { folds = { 1, 1, 2, 2 } }
      assert.same({ { 0 }, { 0 }, { 0 }, { 0 } }, ml.WOEEncoder {}:fit_transform(X, y, folds):totable())
   end)
end)

describe("CountEncoder", function()
   it("gives the values of category_encoders", function()
      for _, case in ipairs(fixture.count) do
         local encoder = ml.CountEncoder { normalize = case.params.normalize }
         near_rows(case.training, encoder:fit_transform(train), "training")
         near_rows(filled(case.out), encoder:transform(new), "new")
      end
   end)

   it("counts weights", function()
      local out = ml.CountEncoder {}:fit({ { 1 }, { 1 }, { 2 } }, nil, { weights = { 2, 0.5, 1 } })
      assert.same({ { 2.5 }, { 1 }, { 0 } }, out:transform({ { 1 }, { 2 }, { 3 } }):totable())
   end)
end)

describe("BinaryEncoder", function()
   local towns = table.move(fixture.town, 1, #fixture.town, 1, {})
   table.sort(towns)

   local function column(list)
      local rows = {}
      for i, value in ipairs(list) do rows[i] = { value } end
      return rows
   end

   it("gives the values of category_encoders, and inverts them", function()
      local case = fixture.binary[1]
      local encoder = ml.BinaryEncoder {}:fit(column(towns))
      local out = encoder:transform(column(towns))
      support.near_rows(case.training, out, 0)
      support.near_rows(case.out, encoder:transform(column(fixture.new_town)), 0)
      assert.same(towns, encoder:inverse_transform(out):col("x1"):totable())
      assert.same({ "x1_1", "x1_2", "x1_3" }, encoder:output_names())
   end)

   it("encodes a missing value that fit saw, and refuses to invert an unknown category", function()
      local nan = 0 / 0
      local encoder = ml.BinaryEncoder {}:fit { { 1 }, { nan }, { 2 } }
      assert.same({ { 1, 1 }, { 0, 0 } }, encoder:transform({ { nan }, { 3 } }):totable())
      local back = encoder:inverse_transform { { 1, 1 }, { 1, 0 } }
      assert.is_true(back[1][1] ~= back[1][1] and back[2][1] == 2)
      support.refuses("digits of a number from 1 to 3 for feature 1, got 0 in row 1", encoder.inverse_transform,
         encoder, { { 0, 0 } })
   end)
end)

describe("HashEncoder", function()
   it("uses the hash of scikit-learn", function()
      for _, case in ipairs(fixture.hash) do
         local wanted = { 0, 0, 0, 0, 0, 0, 0, 0 }
         wanted[case.place[1]] = case.place[2]
         local encoder = ml.HashEncoder { alternate_sign = true }:fit { { "another" } }
         assert.same(wanted, encoder:transform({ { case.level } })[1]:totable()) -- a level that fit did not see
      end
      assert.equal(1, ml.HashEncoder {}:fit({ { 1.5 } }):transform({ { 1.5 } })[1][8])
   end)

   it("adds nothing for a missing value", function()
      local nan = 0 / 0
      local out = ml.HashEncoder { n_components = 1 }:fit_transform { { 1, nan }, { nan, nan }, { 1, 2 } }
      assert.same({ { 1 }, { 0 }, { 2 } }, out:totable())
   end)
end)

describe("RareLabelEncoder", function()
   local towns = ml.Frame { { "town", { "Ulm", "Ulm", "Ulm", "Bonn", "Bonn", "Jena", "Kiel" } },
      { "n", { 1, 2, 3, 4, 5, 6, 7 } } }

   local function merged(settings, later)
      local out = ml.RareLabelEncoder(settings):fit(towns):transform(later or towns)
      return table.concat(out:col("town"):totable(), " "), out
   end

   it("merges rare and unknown levels, but no numbers", function()
      local text, out = merged { tol = 0.2, n_categories = 2 }
      assert.equal("Ulm Ulm Ulm Bonn Bonn Rare Rare", text)
      assert.same({ 1, 2, 3, 4, 5, 6, 7 }, out:col("n"):totable())
      assert.equal("Ulm other", (merged({ tol = 0.2, n_categories = 2, replace_with = "other" },
         ml.Frame { { "town", { "Ulm", "Trier" } }, { "n", { 0, 0 } } })))
   end)

   -- max_n_categories counts the level of the rare ones here, but not in feature_engine.
   it("keeps the levels that feature_engine keeps", function()
      local adult = ml.read_csv("examples/data/adult_sample.csv"):select("education", "marital_status", "race", "sex")
      for _, case in ipairs(features.rare) do
         local given = {}
         for name, value in pairs(case.params) do given[name] = name == "tol" and value or math.floor(value) end
         given.max_n_categories = given.max_n_categories and given.max_n_categories + 1
         local out = ml.RareLabelEncoder(given):fit_transform(adult)
         for j, wanted in ipairs(case.levels) do
            local seen, levels = {}, {}
            for _, level in ipairs(out.columns[j]:totable()) do
               if level ~= "Rare" and not seen[level] then levels[#levels + 1] = level end
               seen[level] = true
            end
            table.sort(levels)
            assert.same(wanted, levels)
         end
      end
   end)

   it("keeps the most frequent levels, and columns of few levels", function()
      assert.equal("Ulm Ulm Ulm Rare Rare Rare Rare", (merged { tol = 0, n_categories = 2, max_n_categories = 2 }))
      assert.equal("Ulm Ulm Ulm Bonn Bonn Jena Kiel", (merged {}))
   end)

   it("joins a level that has its name", function()
      local named = ml.Frame { { "town", { "Rare", "Rare", "Ulm" } } }
      local out = ml.RareLabelEncoder { tol = 0.5, n_categories = 1 }:fit_transform(named)
      assert.equal("Rare Rare Rare", table.concat(out:col("town"):totable(), " "))
   end)
end)
