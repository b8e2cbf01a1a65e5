-- TargetEncoder against scikit-learn, and that no composition lets y leak into the features of its own row.
local ml = require "manilius"
local fixture = require "spec.fixtures.preprocess.encoders"
local support = require "spec.support"

local function frame(town, size)
   return ml.Frame { { "town", ml.Factor(town) }, { "size", ml.Vector(size) } }
end

local train = frame(fixture.town, fixture.size)
local new = frame(fixture.new_town, fixture.new_size)

-- Sums are added in another order than in NumPy.
local function near_rows(wanted, got, text)
   support.near_rows(wanted, got:matrix(), 1e-12, text, 1e-3)
end

describe("TargetEncoder", function()
   it("gives the values of scikit-learn, also cross-fitted", function()
      for _, case in ipairs(fixture.target) do
         local smooth, text = case.smooth ~= "auto" and case.smooth or nil, case.y .. " " .. case.smooth
         local encoder = ml.TargetEncoder { smooth = smooth, cv = 4, shuffle = false }
         near_rows(case.training, encoder:fit_transform(train, fixture[case.y]), text)
         near_rows(case.out, encoder:transform(new), text)
      end
   end)

   it("names a column for each class", function()
      local encoder = ml.TargetEncoder {}:fit(train, fixture.three)
      assert.same({ "town_a", "town_b", "town_c", "size_a", "size_b", "size_c" }, encoder:output_names())
      assert.same({ "town", "size" }, ml.TargetEncoder {}:fit(train, fixture.pair):output_names())
   end)

   it("encodes each row by the given folds", function()
      local X, y = { { "a" }, { "a" }, { "a" }, { "b" } }, { 1, 3, 8, 6 }
      local out = ml.TargetEncoder { smooth = 0 }:fit_transform(X, y, { folds = { 1, 2, 1, 1 } })
      assert.same({ 3, 4.5, 3, 3 }, out:col(1):totable()) -- "b" is in one fold only: the mean of the other
   end)

   it("treats a weight as repeated rows", function()
      local X, y = { { "a" }, { "a" }, { "b" }, { "b" }, { "a" } }, { 1, 2, 4, 7, 100 }
      local weighted = ml.TargetEncoder {}:fit(X, y, { weights = { 2, 1, 1, 1, 0 } })
      local repeated = ml.TargetEncoder {}:fit({ { "a" }, { "a" }, { "a" }, { "b" }, { "b" } }, { 1, 1, 2, 4, 7 })
      support.near_rows(repeated.encodings, weighted.encodings, 1e-14)
      -- A row of weight 0 is encoded like a new one.
      local out = ml.TargetEncoder {}:fit_transform(X, y, { weights = { 2, 1, 1, 1, 0 } })
      assert.equal(weighted:transform({ { "a" } })[1][1], out[5][1])
   end)

   it("scales with y, however large or small", function()
      local X, y = { { "a" }, { "a" }, { "b" }, { "b" }, { "b" }, { "a" } }, ml.Vector { 1, -3, 2, 6, 5, 0.5 }
      for _, class in ipairs { "TargetEncoder", "LeaveOneOutEncoder" } do
         local wanted = ml[class] {}:fit_transform(X, y):col(1)
         for _, power in ipairs { 1020, 300, -300, -1000 } do
            local got = ml[class] {}:fit_transform(X, y * 2.0 ^ power):col(1)
            assert.same(wanted:totable(), (got * 2.0 ^ -(power // 2) * 2.0 ^ (power // 2 - power)):totable())
         end
      end
   end)

   it("encodes constant targets, constant columns and a single row", function()
      local out = ml.TargetEncoder {}:fit({ { "a" }, { "b" } }, { 5, 5 }):transform { { "a" }, { "c" } }
      assert.same({ { 5 }, { 5 } }, out:totable())
      assert.equal(2, ml.TargetEncoder {}:fit({ { "a" }, { "a" } }, { 1, 3 }):transform({ { "a" } })[1][1])
      assert.equal(4, ml.TargetEncoder {}:fit({ { "a" } }, { 4 }):transform({ { "a" } })[1][1])
      support.refuses("fit_transform requires at least 2 rows, got 1", function()
         ml.TargetEncoder {}:fit_transform({ { "a" } }, { 4 })
      end)
      support.refuses("must have 2 classes", function()
         ml.TargetEncoder { target_type = "binary" }:fit({ { 1 }, { 2 }, { 3 } }, { "a", "b", "c" })
      end)
   end)
end)

-- A factor with almost as many levels as rows, and labels that do not depend on it.
local function noise(rows, levels)
   local rng = support.draws "levels without meaning"
   local level, label, x = {}, {}, {}
   for i = 1, rows do
      level[i], label[i], x[i] = "level " .. math.floor(rng() * levels), rng() < 0.5 and "no" or "yes", rng()
   end
   return ml.Frame { { "level", ml.Factor(level) }, { "x", ml.Vector(x) } }, ml.Factor(label)
end

describe("an uninformative factor", function()
   local X, y = noise(600, 250)
   local number = ml.Vector((function()
      local t = {}
      for i = 1, 600 do t[i] = y[i] == "yes" and 1 or 0 end
      return t
   end)())

   -- The correlation of the feature with y: within 3 / sqrt(600) of 0 if the feature does not know y.
   local function correlation(out)
      return math.abs(ml.hcat(out:matrix():col(1), number):corr():get(1, 2))
   end

   local function encoder() return ml.TargetEncoder {} end
   local columns = { ml.ColumnTransformer { { encoder(), { "level" } }, { ml.StandardScaler {}, { "x" } } },
      ml.FeatureUnion { ml.Pipeline { ml.ColumnTransformer { { encoder(), { "level" } } } } },
      ml.Pipeline { "passthrough", ml.ColumnTransformer { { encoder(), { "level" } } }, ml.StandardScaler {} } }

   it("gives no information by fit_transform of any composition", function()
      assert.is_true(correlation(ml.TargetEncoder {}:fit(X, y):transform(X)) > 0.5, "the test detects a leak")
      assert.is_true(correlation(encoder():fit_transform(X, y)) < 0.13)
      for _, one in ipairs(columns) do assert.is_true(correlation(one:fit_transform(X, y)) < 0.13) end
   end)

   it("gives a fit in C the same features as one in Lua", function()
      local codes = {}
      for i, label in ipairs(X:col "level":totable()) do codes[i] = { tonumber(label:match "%d+"), i } end
      for _, one in ipairs { encoder(), ml.Pipeline { encoder() } } do
         local pipe = ml.Pipeline { one, ml.LogisticRegression {} }
         local in_lua = pipe:clone():fit(codes, y)
         pipe:fit_async(codes, y):wait() -- by a plan
         assert.same(in_lua[2].coef:totable(), pipe[2].coef:totable())
         assert.is_true(math.abs(pipe[2].coef[1]) < 1, "the feature is hardly used")
      end
   end)

   it("gives a score about chance", function()
      local tree = ml.DecisionTreeClassifier { max_depth = 3 }
      for _, one in ipairs(columns) do
         local pipe = ml.Pipeline { one, tree }
         local scores = ml.cross_validate(pipe, X, y, { cv = 5 }) -- by a plan
         assert.is_true(math.abs(scores.mean.accuracy - 0.5) < 0.08, "cross_validate: " .. scores.mean.accuracy)
         -- A tree that has seen features with a leak separates the training rows by them alone.
         assert.is_true(pipe:fit(X, y):score(X, y) < 0.75)
      end
   end)
end)
