--- The loss of boosting round by round, and of forests tree by tree.
-- @module manilius.plot.loss

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local text = require "manilius.text"

local fail = parts.fail

local function line(values, name, color)
   return { kind = "line", x = core.range(1, #values), y = values, name = name, color = color,
      markers = #values <= 50 }
end

local function numbers_of(last, name)
   local values = estimator.learned(last, name)
   return values ~= nil and #values > 0 and values or nil
end

-- How often train_score and oob_scores count a loss, as scikit-learn does: validation_trace and `trace` count it once.
local function times_counted(last)
   local settings, classes = estimator.get_params(last), estimator.learned(last, "classes")
   local name = settings.loss or settings.boosting__loss
   return (name == "squared_error" or name == "log_loss" and #classes == 2) and 2 or 1
end

-- Losses of the rounds on one scale, the mean loss: of rows of fit, of those that a round did not draw, of those held
-- out.
local function losses_of(last)
   local train, undrawn = numbers_of(last, "train_score"), numbers_of(last, "oob_scores")
   local times = train and times_counted(last)
   return train and train / times or numbers_of(last, "trace"), undrawn and undrawn / times,
      numbers_of(last, "validation_trace")
end

-- Of a forest: rows that the trees did not draw.
local function forest_loss(model, last, o)
   local errors, x, y = last.oob_errors, {}, {}
   if #errors == 0 then
      fail("%s keeps its errors tree by tree only when it is fitted with oob = true", estimator.name(last))
   end
   for trees = 1, #errors do
      if errors[trees] == errors[trees] then x[#x + 1], y[#y + 1] = trees, errors[trees] end
   end
   if #y == 0 then fail("%s: every tree drew all rows, so that none is left to judge by", estimator.name(last)) end
   local what = estimator.learned(last, "classes") and "share of wrong labels" or "mean squared error"
   return { title = "Out-of-bag error of " .. inputs.title(model),
      caption = ("rows by the trees that did not draw them; %.4g with all %d trees"):format(y[#y], #errors),
      panels = { { x = "trees", y = what, y_log = o.log,
         layers = { { kind = "line", x = x, y = y, color = 1, markers = #x <= 50 } } } } }
end

-- The mean over the rows of fit of exp(-1/K sum_c y_c f_c), which SAMME lowers, from errors and weights alone: each
-- round multiplies it by the mean, under the round's weights, of exp(a [wrong] - a (K - 1) / K).
local function exponential_loss(errors, weights, k)
   local values, value = {}, 1
   for m, e in ipairs(errors) do
      local a = weights[m]
      value = value * (1 - e + e * math.exp(a)) * math.exp(-a * (k - 1) / k)
      values[m] = value
   end
   return values
end

-- Of AdaBoost, which keeps the error of each model under the weights of its round.
local function adaboost_loss(model, last, o)
   local errors, weights = last.estimator_errors:totable(), last.estimator_weights:totable()
   local classes = estimator.learned(last, "classes")
   local k = classes and #classes or 2
   local layers = { line(errors, "each model", classes and 2 or 1),
      { kind = "rule", at_y = 1 - 1 / k, color = "black", dash = "dashed" } }
   local caption = ("rows of fit: the %s of each model under the weights of its round; dashed: no model may be worse; "
      .. "%s"):format(classes and "error" or estimator.get_params(last).loss .. " loss", text.plural(#errors, "round"))
   if classes then
      local all = exponential_loss(errors, weights, k)
      layers[3] = line(all, "exponential loss", 1)
      caption = ("%s, at the end with an exponential loss of %.4g%s"):format(caption, all[#all],
         k == 2 and ", which bounds the share of wrong labels" or "")
   end
   return { title = "Loss of " .. inputs.title(model), caption = caption,
      panels = { { x = "round", y = "loss", y_log = o.log, legend = #layers > 2, layers = layers } } }
end

local function loss(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   if estimator.learned(last, "oob_errors") ~= nil then return forest_loss(model, last, o) end
   if estimator.learned(last, "estimator_errors") ~= nil then return adaboost_loss(model, last, o) end
   local train, undrawn, held = losses_of(last)
   if train == nil then fail("%s keeps no loss of its rounds; boosting and forests do", estimator.name(last)) end
   local layers, caption = { line(train, "rows of fit", 1) }, "no rows were held out; %d rounds"
   if undrawn then layers[2] = line(undrawn, "rows not drawn", 3) end
   if held then
      local best = held:argmin()
      layers[#layers + 1] = line(held, "rows held out", 2)
      layers[#layers + 1] = { kind = "rule", at_x = best, color = "black", dash = "dashed" }
      layers[#layers + 1] = { kind = "points", x = { best }, y = { held[best] }, color = 2, size = 1.2 }
      caption = ("upright: round %d, where the loss of the rows held out is least, %.4g; %d rounds in all"):format(best,
         held[best], #held)
   else
      caption = caption:format(#train)
   end
   return { title = "Loss of " .. inputs.title(model), caption = caption,
      panels = { { x = "round", y = "loss", y_log = o.log, legend = #layers > 1, layers = layers } } }
end

return function(module)
   define(module, "loss", { args = { "model" }, fn = loss,
      brief = "Training and validation loss of boosting, or out-of-bag error of a forest.",
      notes = "For boosting with early stopping, the vertical line marks the best round on the validation rows. For "
         .. "forests fitted with oob = true, the error is shown against the number of trees; for AdaBoost, the error "
         .. "of each model and, for classes, the exponential loss. For scores on other rows use "
         .. "model:staged_score(X, y); for the objective of any iterative model, plot.trace.",
      options = { log = "true for a logarithmic axis" } })
end
