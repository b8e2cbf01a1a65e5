local ml = require "manilius"
local core = require "manilius.core"
local rows = require "manilius.rows"
local support = require "spec.support"
local validate = require "manilius.select.validate"

local refuses = support.refuses_exactly

local Xd, yd = support.data("diabetes", "progression")
local ols = ml.LinearRegression {}:fit(Xd, yd)

describe("permutation_importance", function()
   -- On the training rows the residuals of least squares are orthogonal to every column, so shuffling column j adds
   -- b_j^2 mean (x_ij - x_kj)^2 over all pairs of rows: twice b_j^2 times the variance (over n) of the column.
   it("is 2 b^2 var x for the squared error of least squares", function()
      local repeats = 200
      local result = ml.permutation_importance(ols, Xd, yd, { scoring = "mse", repeats = repeats, seed = 1 })
      support.near(ml.metrics.mse(yd, ols:predict(Xd)), result.score, 1e-12)
      local n = #yd
      for j, column in ipairs(Xd.columns) do
         local wanted = 2 * ols.coef[j] ^ 2 * column:std() ^ 2 * (n - 1) / n
         assert.near(wanted, result.importance[j], 4 * result.sd[j] / math.sqrt(repeats))
      end
   end)

   it("is exact if every shuffle has the same effect", function()
      -- y = 3 x1, and a column without effect; two rows: a shuffle swaps them or not
      local X, y = ml.Matrix { { 0, 7 }, { 1, 9 } }, { 0, 3 }
      local model = ml.LinearRegression {}:fit({ { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 } }, { 0, 3, 0, 3 })
      local result = ml.permutation_importance(model, X, y, { scoring = "mae", repeats = 20 })
      for r = 1, 20 do
         local loss = result.values:get(1, r)
         assert.is_true(math.abs(loss) < 1e-9 or math.abs(loss - 3) < 1e-9, loss)
         assert.near(0, result.values:get(2, r), 1e-9)
      end
      assert.near(result.values:row(1):mean(), result.importance[1], 1e-12)
      assert.same({ "x1", "x2" }, result.features)
   end)

   it("is positive for a useful column, for scores and for losses", function()
      local gain = ml.permutation_importance(ols, Xd, yd, { seed = 2 })
      local loss = ml.permutation_importance(ols, Xd, yd, { seed = 2, scoring = "mse" })
      assert.equal("r2", gain.scoring)
      local scale = ml.metrics.mse(yd, ols:predict(Xd)) / (1 - gain.score)
      support.near_all(loss.importance, gain.importance * scale, 1e-9)
      assert.same({ "s1", "s5", "bmi" }, { table.unpack(gain.table.feature:totable(), 1, 3) })
   end)

   it("depends on the seed only, not on the preceding columns", function()
      local a = ml.permutation_importance(ols, Xd, yd, { repeats = 3, seed = 5 })
      assert.equal(a.values, ml.permutation_importance(ols, Xd, yd, { repeats = 3, seed = 5 }).values)
      assert.are_not.equal(a.values, ml.permutation_importance(ols, Xd, yd, { repeats = 3, seed = 6 }).values)
      local as_matrix = ml.LinearRegression {}:fit(Xd:matrix(), yd)
      assert.equal(a.values, ml.permutation_importance(as_matrix, Xd:matrix(), yd, { repeats = 3, seed = 5 }).values)
   end)

   it("accepts pipelines over Frames with labels and missing values, and weights", function()
      local X, y = support.data("penguins", "species")
      local model = support.classifier_of_frames():fit(X, y)
      local before = model:predict_proba(X)
      local result = ml.permutation_importance(model, X, y, { scoring = "log_loss" })
      assert.equal(before, model:predict_proba(X))
      assert.equal("bill_length_mm", result.table.feature[1])
      assert.same(X.names, result.features)
      support.near(ml.metrics.log_loss(y, before, { labels = model.classes }), result.score, 1e-12)
      local text = tostring(result)
      assert.matches("^log_loss 0%.0%d+; increase when one column is shuffled, mean of 10 repeats\n", text)
      assert.matches("\nbill_length_mm +[%d.]+ +[%d.]+ +[%d.]+ to [%d.]+\n", text)
      local w = ml.Vector(#y, 0)
      w[1], w[2] = 1, 1
      local weighed = ml.permutation_importance(model, X, y, { weights = w, repeats = 1 })
      assert.equal(1, weighed.score)
   end)

   it("shuffles the columns of a group together", function()
      local groups = { serum = { "s1", "s2", "s3", "s4", "s5", "s6" }, mass = { 3 } }
      local result = ml.permutation_importance(ols, Xd, yd, { groups = groups, repeats = 3, seed = 4 })
      assert.same({ "age", "sex", "mass", "bp", "serum" }, result.features)
      assert.same({ serum = groups.serum, mass = { "bmi" } }, result.groups)
      local alone = ml.permutation_importance(ols, Xd, yd, { repeats = 3, seed = 4 })
      assert.same(alone.values:row(3):totable(), result.values:row(3):totable())
      -- the definition, with the stream of the first column of the group
      local order, changed = core.rng(4, 4 * 3 + 1):permutation(#yd), {}
      for _, name in ipairs(groups.serum) do changed[name] = Xd[name]:take(order) end
      support.near(result.score - ols:score(Xd:with(changed), yd), result.values:get(5, 2), 1e-12)
      assert.matches("decrease when one column or group is shuffled", tostring(result))
      local t = validate.t_quantile(0.95, 2)
      support.near(result.importance[5] + t * result.sd[5] / math.sqrt(3), result.high[5], 1e-12)
      for message, wrong in pairs { ["group 'a' must be a list of columns, got an empty list"] = { a = {} },
         ["group 'a' must be a list of columns, got 3"] = { a = 3 },
         ["groups must be lists of columns by name, got the key 1"] = { { "bmi" } },
         ["group 'a' must have different columns, got 'bmi' twice"] = { a = { "bmi", 3 } },
         ["group 'bp' must not have the name of a column outside it"] = { bp = { "bmi" } },
         ["groups must be lists of columns by name, as { size = { 1, 2 } }, got an empty table"] = {} } do
         refuses("permutation_importance: " .. message, ml.permutation_importance, ols, Xd, yd, { groups = wrong })
      end
   end)

   it("fits on the training rows of folds and shuffles their test rows", function()
      local folds = ml.KFold { k = 3, seed = 1 }:split(Xd)
      local result = ml.permutation_importance(ml.Ridge {}, Xd, yd, { cv = folds, repeats = 2, seed = 7 })
      local first = folds[1]
      local model = ml.Ridge {}:fit(rows.take(Xd, first.train), yd:take(first.train))
      local own = ml.permutation_importance(model, rows.take(Xd, first.test), yd:take(first.test),
         { repeats = 2, seed = 7 })
      support.near_all(own.importance, result.values:col(1), 1e-12)
      assert.equal(3, result.repeats)
      assert.is_true(result.low[3] < result.importance[3] and result.importance[3] < result.high[3])
      assert.matches("Error bars: 95%% intervals over the folds", result:plot().caption)
   end)

   it("is drawn as bars with error bars of one standard deviation, most important on top", function()
      local result = ml.permutation_importance(ols, Xd, yd, { seed = 1 })
      local panel = result:plot { top = 3 }.panels[1]
      local bars, at = panel.layers[1], {}
      for _, tick in ipairs(panel.y_ticks) do at[tick[2]] = tick[1] end
      assert.equal("bars", bars.kind)
      assert.same({ s1 = 3, s5 = 2, bmi = 1 }, at)
      for i, place in ipairs(bars.x) do
         local rank = 4 - place
         assert.near(result.table.importance[rank], bars.y[i], 1e-12)
         assert.near(result.table.importance[rank] + result.table.sd[rank], bars.high[i], 1e-12)
         assert.near(result.table.importance[rank] - result.table.sd[rank], bars.low[i], 1e-12)
      end
   end)

   it("refuses invalid arguments", function()
      local call = ml.permutation_importance
      refuses("permutation_importance: model must be an estimator, got 3", call, 3, Xd, yd)
      refuses("permutation_importance: y must have as many rows as X, 442, got 2", call, ols, Xd, { 1, 2 })
      refuses("permutation_importance: repeats must be a whole number >= 1, got 0", call, ols, Xd, yd,
         { repeats = 0 })
      refuses("permutation_importance: scoring must be one score, got several", call, ols, Xd, yd,
         { scoring = { "r2", "mse" } })
      support.refuses("permutation_importance has no option 'repeat'; did you mean 'repeats'%?", function()
         call(ols, Xd, yd, { ["repeat"] = 3 })
      end)
      refuses("LinearRegression: call fit before predict", call, ml.LinearRegression {}, Xd, yd)
   end)
end)
