-- Drop-column importance compared with cross-validation of the remaining columns.
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses_exactly
local Xd, yd = support.data("diabetes", "progression")

describe("drop_column_importance", function()
   it("is the difference of cross-validated scores, column by column and for groups", function()
      local folds = ml.KFold { k = 4, seed = 1 }:split(Xd)
      local result = ml.drop_column_importance(ml.Ridge {}, Xd, yd, { cv = folds, scoring = "mse",
         groups = { serum = { "s1", "s2", "s3", "s4", "s5", "s6" } } })
      assert.same({ "age", "sex", "bmi", "bp", "serum" }, result.features)
      local full = ml.cross_validate(ml.Ridge {}, Xd, yd, { cv = folds, scoring = "mse" })
      support.near(full.mean.mse, result.score, 1e-12)
      local without = { ml.cross_validate(ml.Ridge {}, Xd:drop "age", yd, { cv = folds, scoring = "mse" }) }
      without[5] = ml.cross_validate(ml.Ridge {}, Xd:select("age", "sex", "bmi", "bp"), yd,
         { cv = folds, scoring = "mse" })
      for i, other in pairs(without) do
         for f = 1, 4 do
            support.near(other.scores.mse[f] - full.scores.mse[f], result.values:get(i, f), 1e-9, nil, 1e-6)
         end
      end
      -- mean +- t s sqrt(1/k + n_test/n_train) of Nadeau & Bengio; 3.182 is the quantile of t with 3 degrees of freedom
      local share = 0
      for _, fold in ipairs(folds) do share = share + #fold.test / #fold.train / 4 end
      support.near(result.importance[5] + 3.182446 * result.sd[5] * math.sqrt(1 / 4 + share), result.high[5], 1e-6)
      assert.equal("serum", result.table.feature[1])
      assert.matches("^mse 30%d%d; increase when the model is fitted without one column or group, mean of 4 folds\n",
         tostring(result))
      local figure = result:plot { top = 2 }
      assert.equal("Drop-column importance", figure.title)
      support.near(result.table.high[1], figure.panels[1].layers[1].high[1], 1e-12)
      assert.equal("Drop-column importance", ml.plot.importance(result).title)
   end)

   it("finds neither of two equal columns important, but their group", function()
      local X = Xd:select("bmi", "bp"):with { copy = Xd.bmi }
      local alone = ml.drop_column_importance(ml.Ridge {}, X, yd, { cv = 3 })
      local together = ml.drop_column_importance(ml.Ridge {}, X, yd, { cv = 3, groups = { both = { "bmi", "copy" } } })
      assert(math.abs(alone.importance[1]) < 1e-3)
      assert.is_true(together.importance[1] > 0.1)
   end)

   it("does not leak: a column of noise is not important on held-out rows", function()
      local noise = ml.normal(#yd, 1, 3):col(1)
      local tree = ml.DecisionTreeRegressor { max_depth = 8 }
      local result = ml.drop_column_importance(tree, Xd:select "bmi":with { noise = noise }, yd, { cv = 5 })
      assert.is_true(result.low[2] < 0)
      assert.is_true(result.importance[2] < 0.1)
   end)

   it("accepts Frames with factors, lists of columns in a ColumnTransformer, and does not change the model", function()
      local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
      local X, y = penguins:split "species"
      local function model(factors, numbers)
         return ml.Pipeline { ml.ColumnTransformer { { ml.OneHotEncoder {}, factors },
            { ml.StandardScaler {}, numbers } }, ml.LogisticRegression {} }
      end
      local listed = model({ "island", "sex" }, { "bill_length_mm", "bill_depth_mm" })
      local before = tostring(listed)
      local result = ml.drop_column_importance(listed, X, y, { cv = 3, scoring = "log_loss" })
      assert.equal(before, tostring(listed))
      local by_place = model({ 1, 6 }, { 2, 3 })
      assert.same(result.values:totable(), ml.drop_column_importance(by_place, X, y,
         { cv = 3, scoring = "log_loss" }).values:totable())
      assert.equal("bill_length_mm", result.table.feature[1])
      local unused = 0
      for i, name in ipairs(result.features) do
         if name == "body_mass_g" or name == "year" then unused = unused + math.abs(result.importance[i]) end
      end
      assert.equal(0, unused)
   end)

   it("refuses invalid arguments", function()
      local call = ml.drop_column_importance
      refuses("drop_column_importance: model must be an estimator, got 3", call, 3, Xd, yd)
      refuses("drop_column_importance: scoring must be one score, got several", call, ml.Ridge {}, Xd, yd,
         { scoring = { "r2", "mse" } })
      refuses("drop_column_importance: 'bmi' has all columns of X; without it nothing is left to fit", call,
         ml.Ridge {}, Xd:select "bmi", yd)
      refuses("drop_column_importance: column must be one of 'bmi', 'bp', got 'bmj'; did you mean 'bmi'?", call,
         ml.Ridge {}, Xd:select("bmi", "bp"), yd, { groups = { a = { "bmj" } } })
      support.refuses("has no option 'group'; did you mean 'groups'", function()
         call(ml.Ridge {}, Xd, yd, { group = {} })
      end)
   end)
end)
