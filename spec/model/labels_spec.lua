--- Predicted labels have the kind of y: a Vector for numbers, a Factor for labels.
local ml = require "manilius"
local refuses = require "spec.support".refuses_exactly

local X = { { 1, 2 }, { 2, 1 }, { 3, 4 }, { 4, 3 }, { 5, 6 }, { 6, 5 }, { 1, 1 }, { 6, 6 } }
local numbers, texts, booleans = { 0, 0, 0, 1, 1, 1, 0, 1 }, {}, {}
for i, value in ipairs(numbers) do texts[i], booleans[i] = value == 1 and "b" or "a", value == 1 end

local makers = {
   function() return ml.LogisticRegression {} end,
   function() return ml.DecisionTreeClassifier {} end,
   function() return ml.Pipeline { ml.StandardScaler {}, ml.GaussianNB {} } end,
   function() return ml.VotingClassifier { ml.LogisticRegression {}, ml.GaussianNB {} } end,
   function() return ml.BaggingClassifier { ml.GaussianNB {} } end,
   function() return ml.AdaBoostClassifier {} end,
   function() return ml.OneVsRestClassifier { ml.GaussianNB {} } end,
   function() return ml.StackingClassifier { ml.LogisticRegression {}, ml.GaussianNB {}, cv = 2 } end,
   function() return ml.GridSearch { ml.GaussianNB {}, { var_smoothing = { 1e-9 } }, cv = 2 } end,
}

describe("predicted labels", function()
   local function kind_of(y, wanted, first)
      for _, make in ipairs(makers) do
         local model = make()
         model:fit(X, y)
         for _, one in ipairs { model, ml.load(model:dump()) } do
            local labels = one:predict(X)
            assert.equal(wanted, getmetatable(labels), one.class)
            assert.equal(first, labels[1])
            assert.equal(math.type(first), math.type(labels[1]))
         end
         assert.equal(wanted, getmetatable(ml.cross_val_predict(make(), X, y, { cv = 2 })))
      end
   end

   it("are numbers if y is", function()
      kind_of(numbers, "Vector", 0)
      kind_of(ml.Vector(numbers), "Vector", 0)
      kind_of(ml.Vector(numbers) * 1.0, "Vector", 0.0)
      kind_of(ml.Matrix(ml.Vector(numbers)), "Vector", 0.0)
   end)

   it("are a Factor for Factors, strings and booleans", function()
      kind_of(ml.Factor(numbers), "Factor", 0)
      kind_of(texts, "Factor", "a")
      kind_of(booleans, "Factor", false)
   end)

   it("are a Factor for integers that doubles cannot represent", function()
      local big = {}
      for i, value in ipairs(numbers) do big[i] = (1 << 53) + 1 + value end
      assert.same(big, ml.GaussianNB {}:fit(X, big):predict(X):totable())
   end)

   it("take part in arithmetic and comparisons", function()
      local p = ml.LogisticRegression {}:fit(X, numbers):predict(X)
      assert.equal(0, (p - ml.Vector(numbers)):abs():sum())
      assert.equal(8, p:eq(numbers):sum())
      assert.equal(8, p:eq(ml.Factor(numbers)):sum())
      assert.equal(0, p:ne(ml.Factor(numbers)):sum())
      refuses("Vector - Factor: both must be numbers, Vectors or Matrices; labels are compared by a:eq(b) and a:ne(b)",
         function() return p - ml.Factor(numbers) end)
   end)
end)

describe("Factor:eq and Factor:ne", function()
   local f = ml.Factor { "a", "b", nil, "c", n = 4 }

   it("compare with a label", function()
      assert.same({ 0, 1, 0, 0 }, f:eq("b"):totable())
      assert.same({ 1, 0, 1, 1 }, f:ne("b"):totable())
      assert.same({ 0, 0, 0, 0 }, f:eq("z"):totable())
      assert.same({ 1, 0 }, ml.Factor({ 1, 2 }):eq(1.0):totable())
   end)

   it("compare with the elements of a Factor, Vector or list", function()
      local other = ml.Factor { "c", "b", nil, "a", n = 4 }
      assert.same({ 0, 1, 0, 0 }, f:eq(other):totable())
      assert.same({ 1, 0, 1, 1 }, f:ne(other):totable())
      assert.same({ 1, 1, 0, 0 }, f:eq({ "a", "b", "b", "b" }):totable())
      assert.same({ 1, 0, 1 }, ml.Factor({ 1, 2, 3 }):eq(ml.Vector { 1, 5, 3 }):totable())
      assert.same({ 1, 0, 1 }, ml.Vector({ 1, 2, 3 }):eq(ml.Factor { 1, 5, 3 }):totable())
      assert.same({}, ml.Factor({}):eq(ml.Factor {}):totable())
   end)

   it("refuse other sizes and types", function()
      refuses("Factor of 4 eq Factor of 2: sizes do not match", function() return f:eq { "a", "b" } end)
      refuses("bad argument #1 to 'ne' (label (string, number or boolean), Factor, Vector or table expected, "
         .. "got Matrix)", function() return f:ne(ml.eye(2)) end)
   end)
end)
