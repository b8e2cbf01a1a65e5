-- All preprocessing estimators against scikit-learn; the cases are in spec/fixtures/preprocess/preprocess.py.
local ml = require "manilius"
local oracle = dofile "spec/fixtures/preprocess/preprocess.lua"

-- Equal values and positions of missing values, by default with relative tolerance 1e-12.
local function same(wanted, got, what, tolerance)
   if type(got) == "table" then got = got:matrix() end -- a Frame gives a Frame
   assert.equal(#wanted, got.rows, what .. ": rows")
   assert.equal(#wanted[1], got.cols, what .. ": columns")
   for i, row in ipairs(wanted) do
      for j, a in ipairs(row) do
         local b = got:get(i, j)
         local near = a ~= a and b ~= b or math.abs(a - b) <= (tolerance or 1e-12) * math.max(1, math.abs(a))
         assert(near, ("%s: row %d, column %d must be %.17g, got %.17g"):format(what, i, j, a, b))
      end
   end
end

local function same_vector(wanted, got, what, tolerance)
   local row = {}
   for j = 1, #got do row[j] = got[j] end
   same({ wanted }, ml.Matrix { row }, what, tolerance)
end

local function format_params(params)
   local parts = {}
   for name, value in pairs(params) do
      value = type(value) == "table" and "{" .. table.concat(value, ", ") .. "}" or tostring(value)
      parts[#parts + 1] = name .. " = " .. value
   end
   table.sort(parts)
   return table.concat(parts, ", ")
end

local attributes = { "mean", "var", "scale", "data_min", "data_max", "data_range", "max_abs", "center", "statistics",
   "variances", "scores", "pvalues", "lambdas" }

describe("preprocessing agrees with scikit-learn:", function()
   for number, case in ipairs(oracle.cases) do
      local what = ("%s { %s }"):format(case.class, format_params(case.params))
      it(("%s (case %d)"):format(what, number), function()
         local y = case.y == "number" and oracle.ynum or case.y == "label" and oracle.ylab or nil
         local model = ml[case.class](case.params)
         model:fit(oracle[case.x], y, case.weighted and { weights = oracle.W } or nil)
         same(case.out, model:transform(oracle[case.new]), what, case.tolerance)
         for _, name in ipairs(attributes) do
            if case[name] then same_vector(case[name], model[name], what .. "." .. name, case.tolerance) end
         end
         if case.names then assert.same(case.names, model:output_names()) end
      end)
   end
end)

describe("preprocessing of the Titanic data", function()
   local wanted = oracle.titanic
   local frame = ml.read_csv "examples/data/titanic.csv"

   it("imputes and scales numbers", function()
      local pipe = ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }
      local Z = pipe:fit_transform(frame:select { "age", "fare", "sibsp" })
      assert.equal(wanted.rows, Z.rows)
      same(wanted.first, Z:slice(1, 5), "scaled")
   end)

   it("passes factors through the imputer into the encoder", function()
      local imputer = ml.SimpleImputer { strategy = "most_frequent" }
      local labels = imputer:fit_transform(frame:select { "sex", "embarked" })
      assert.same({ "sex", "embarked" }, labels.names)
      local encoder = ml.OneHotEncoder {}:fit(labels)
      local Z = encoder:transform(labels)
      assert.same({ "sex_female", "sex_male", "embarked_C", "embarked_Q", "embarked_S" }, encoder:output_names())
      same(wanted.first_onehot, Z:slice(1, 5), "one-hot")
      for j, sum in ipairs(wanted.onehot) do assert.equal(sum, Z:matrix():col(j):sum()) end
      local pipe = ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} }
      same(wanted.first_onehot, pipe:fit_transform(frame:select { "sex", "embarked" }):slice(1, 5), "pipeline")
   end)
end)
