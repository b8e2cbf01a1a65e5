-- The fit option eval: an evaluation set for the validation curve and early stopping.
local ml = require "manilius"
local common = require "spec.boosting.common"
local ranking = require "spec.fixtures.boosting.ranking"
local support = require "spec.support"

local with, refuses = common.with, support.refuses

local draw = support.draws "evaluation sets"
local function made(n, classes)
   local X, y = {}, {}
   for i = 1, n do
      X[i] = { draw(), draw(), draw() < 0.1 and 0 / 0 or draw() }
      local f = math.sin(6 * X[i][1]) + X[i][2] + 0.5 * draw()
      y[i] = classes and math.floor(f * classes / 2.6) % classes or f
   end
   return ml.Matrix(X), y
end

-- The mean loss of raw predictions.
local function mean_loss(kind, y, raw, weights)
   local total, sum = 0, 0
   for i = 1, #y do
      local w, f = weights and weights[i] or 1, raw(i)
      local loss
      if kind == "squared" then
         loss = (y[i] - f) ^ 2 / 2
      elseif kind == "logistic" then
         loss = math.log(1 + math.exp(y[i] == 1 and -f or f))
      else
         local all = 0
         for c = 1, #f do all = all + math.exp(f[c]) end
         loss = math.log(all) - f[y[i] + 1]
      end
      total, sum = total + w, sum + w * loss
   end
   return sum / total
end

local kinds = {
   { "HistGradientBoostingRegressor", "squared" }, { "GradientBoostingRegressor", "squared" },
   { "HistGradientBoostingClassifier", "logistic", 2 }, { "GradientBoostingClassifier", "logistic", 2 },
   { "HistGradientBoostingClassifier", "softmax", 3 }, { "GradientBoostingClassifier", "softmax", 3 },
}
local function rounds(name, n) return name:find "^Hist" and { max_iter = n } or { n_estimators = n } end

describe("eval", function()
   for _, kind in ipairs(kinds) do
      local name, loss, classes = table.unpack(kind)

      it("records the loss of the evaluation set, and leaves the trees alone: " .. name .. ", " .. loss, function()
         local X, y = made(200, classes)
         local X2, y2 = made(60, classes)
         local weights = {}
         for i = 1, 60 do weights[i] = i % 4 / 2 end
         local settings = with(rounds(name, 8), { subsample = 0.7, seed = 4 })
         if name:find "^Hist" then settings.early_stopping = false end
         local model = ml[name](settings):fit(X, y, { eval = { X2, y2, weights = weights } })
         local plain = ml[name](settings):fit(X, y)
         support.near_all(plain.start, model.start, 0)
         support.near_rows(plain:staged(X2), model:staged(X2), 0)
         assert.equal(8, #model.validation_trace)
         local staged = model:staged(X2)
         local width = classes == 3 and 3 or 1
         for round = 1, 8 do
            local function raw(i)
               if width == 1 then return staged[i][round] end
               return { table.unpack(staged[i]:totable(), 3 * round - 2, 3 * round) }
            end
            support.near(mean_loss(loss, y2, raw, weights), model.validation_trace[round], 1e-9, name)
         end
      end)

      it("stops early: " .. name .. ", " .. loss, function()
         local X, y = made(60, classes)
         local X2, y2 = made(60, classes)
         local settings = with(rounds(name, 400), { n_iter_no_change = 5, learning_rate = 0.5 })
         if name:find "^Hist" then settings.min_samples_leaf = 2 end
         local model = ml[name](settings):fit(X, y, { eval = { X2, y2 } })
         assert(model.converged and model.n_iter < 400 and #model.validation_trace == model.n_iter)
         local best, trace = model.best_iteration, model.validation_trace
         assert.equal("integer", math.type(best))
         assert(best < model.n_iter)
         for round = 1, #trace do
            assert(round < best and trace[best] < trace[round] or round >= best and trace[best] <= trace[round])
         end
         assert.equal(best, ml.load(ml.dump(model)).best_iteration)
         settings.n_iter_no_change, settings.early_stopping = nil, name:find "^Hist" and false or nil
         assert.is_nil(ml[name](settings):set_params(rounds(name, 3)):fit(X, y).best_iteration)
      end)
   end

   it("works with dart, exact growth, sparse and binned X, and warm_start", function()
      local X, y = made(150)
      local X2, y2 = made(50)
      for _, extra in ipairs { { booster = "dart", rate_drop = 0.4 }, { tree_method = "exact" }, {} } do
         local settings = with({ max_iter = 12, early_stopping = "no", seed = 2, warm_start = true }, extra)
         local long = ml.HistGradientBoostingRegressor(settings):fit(X, y, { eval = { X2, y2 } })
         local staged = long:staged(X2)
         for round = 1, 12 do
            support.near(mean_loss("squared", y2, function(i) return staged[i][round] end),
               long.validation_trace[round], 1e-9)
         end
         local short = ml.HistGradientBoostingRegressor(with(settings, { max_iter = 5 }))
         short:fit(X, y, { eval = { X2, y2 } })
         short:set_params { max_iter = 12 }:fit(X, y, { eval = { X2, y2 } })
         support.near_all(long.validation_trace, short.validation_trace, 1e-12)
      end
   end)

   it("evaluates rankers on whole queries", function()
      local options = { lengths = ranking.lengths,
         eval = { ranking.X, ranking.y, lengths = ranking.lengths } }
      for _, name in ipairs { "HistGradientBoostingRanker", "GradientBoostingRanker" } do
         local model = ml[name](rounds(name, 5)):fit(ranking.X, ranking.y, options)
         support.near_all(model.trace, model.validation_trace, 1e-9, name)
      end
   end)

   it("does not depend on the number of threads", function()
      local X, y = made(3000, 3)
      local X2, y2 = made(2500, 3)
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingClassifier { max_iter = 4 }:fit(X, y, { eval = { X2, y2 } })
      end)
   end)

   it("is transformed by the steps of a Pipeline", function()
      local X, y = made(150)
      local X2, y2 = made(50)
      local settings = { max_iter = 6, early_stopping = "no" }
      local scaler = ml.StandardScaler {}:fit(X)
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.HistGradientBoostingRegressor(settings) }
      pipe:fit(X, y, { eval = { X2, y2 } })
      local model = ml.HistGradientBoostingRegressor(settings):fit(scaler:transform(X), y,
         { eval = { scaler:transform(X2), y2 } })
      support.near_all(model.validation_trace, pipe[2].validation_trace, 0)
   end)

   it("matches columns by name and levels by label", function()
      local rows, y = {}, {}
      for i = 1, 80 do rows[i], y[i] = { i, i % 3 == 0 and "a" or i % 3 == 1 and "b" or "c" }, i % 3 end
      local size, kind = {}, {}
      for i = 1, 80 do size[i], kind[i] = rows[i][1], rows[i][2] end
      local X = ml.Frame { { "size", size }, { "kind", kind } }
      local X2 = ml.Frame { { "kind", { "b", "a", "new" } }, { "size", { 5, 7, 9 } } }
      local model = ml.HistGradientBoostingRegressor { max_iter = 5, cat_smooth = 0, early_stopping = "no" }
         :fit(X, y, { eval = { X2, { 1, 0, 2 } } })
      local p = model:predict(X2)
      support.near(mean_loss("squared", { 1, 0, 2 }, function(i) return p[i] end), model.validation_trace[5], 1e-9)
   end)

   it("is checked like X and y", function()
      local X, y = made(40, 2)
      local function fit(eval)
         return function() ml.HistGradientBoostingClassifier {}:fit(X, y, { eval = eval }) end
      end
      refuses("eval must be { X, y } or { X, y, weights = w }, got another table", fit { X })
      refuses("eval must be { X, y } or { X, y, weights = w }, got Matrix", fit(X))
      refuses("options are weights, init_score, got 'weight'; did you mean", fit { X, y, weight = y })
      refuses("eval: .*X must have 3 columns, as in fit, got 2", fit { { { 1, 2 } }, { 1 } })
      refuses("y must be one of the 2 classes known to the model, got 7 in row 1", fit { { { 1, 2, 3 } }, { 7 } })
      refuses("y must have as many rows as X, 1, got 2", fit { { { 1, 2, 3 } }, { 1, 0 } })
      refuses("Ridge does not support the option 'eval'", function()
         ml.Ridge {}:fit({ { 1 }, { 2 } }, { 1, 2 }, { eval = { { { 1 } }, { 1 } } })
      end)
      refuses("init_score must be given for X and for the X of eval, or for neither",
         fit { X, y, init_score = ml.Vector(40, 0) })
   end)
end)
