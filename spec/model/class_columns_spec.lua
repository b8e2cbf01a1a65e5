--- The columns of class probabilities are named by the classes.
local ml = require "manilius"
local refuses = require "spec.support".refuses_exactly

local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
local CLASSES = { "setosa", "versicolor", "virginica" }

local function plain(list) return table.move(list, 1, #list, 1, {}) end

describe("class probabilities", function()
   local model = ml.LogisticRegression {}:fit(X, y)
   local proba = model:predict_proba(X)

   it("have the names of the classes", function()
      assert.same(CLASSES, plain(proba.names))
      assert.equal(proba:col(2), proba:col "versicolor")
      assert.same(CLASSES, plain(model:predict_log_proba(X).names))
      assert.same(CLASSES, plain(model:decision_function(X).names))
      local numbers = ml.GaussianNB {}:fit({ { 1 }, { 2 }, { 3 } }, { 0, 0, 1 }):predict_proba { { 2 } }
      assert.same({ 0, 1 }, plain(numbers.names))
      assert.equal("Matrix 1 x 2\n  0  1\n", (tostring(numbers):gsub("\n[^\n]*$", "\n"):gsub("  +", "  ")))
   end)

   it("print them", function()
      assert.matches("^Matrix 150 x 3\n +setosa +versicolor +virginica\n", tostring(proba))
   end)

   it("keep them in rows, not in arithmetic", function()
      assert.same(CLASSES, plain(proba:slice(1, 2).names))
      assert.same(CLASSES, plain(proba:take({ 3, 1 }).names))
      assert.is_nil(proba:slice(1, 2, 1, 2).names)
      assert.is_nil((proba * 2).names)
      assert.is_nil(ml.eye(3).names)
   end)

   it("do not share the list", function()
      proba.names[1] = "other"
      assert.same(CLASSES, plain(proba.names))
   end)

   it("are released by <close>, their rows are not", function()
      local kept
      do
         local rows <close> = proba:slice(1, 2)
         kept = rows.rows
      end
      assert.equal(2, kept)
      assert.equal(150, proba.rows)
      local other = model:predict_proba(X)
      do
         local closed <close> = other
         assert.equal(150, closed.rows)
      end
      assert.equal(0, other.rows)
   end)

   it("have names in compositions and cross-validation", function()
      for _, one in ipairs { ml.VotingClassifier { ml.LogisticRegression {}, ml.GaussianNB {}, voting = "soft" },
         ml.BaggingClassifier { ml.GaussianNB {} }, ml.AdaBoostClassifier {},
         ml.OneVsRestClassifier { ml.GaussianNB {} }, ml.Pipeline { ml.StandardScaler {}, ml.GaussianNB {} } } do
         one:fit(X, y)
         assert.same(CLASSES, plain(one:predict_proba(X).names))
         assert.same(CLASSES, plain(one:predict_log_proba(X).names))
      end
      local out = ml.cross_val_predict(model, X, y, { cv = 3, method = "predict_proba" })
      assert.same(CLASSES, plain(out.names))
   end)

   it("refuse unknown names", function()
      refuses("bad argument #1 to 'col' (there is no column 'sentosa')", function() proba:col "sentosa" end)
      refuses("bad argument #1 to 'col' (the columns of this Matrix have no names; give the index of a column)",
         function() ml.eye(2):col "a" end)
   end)
end)
