--- Plots of the loss of boosting by round, and of forests by tree.

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

-- A learned field, nil when it is empty.
local function nonempty(last, name)
   local values = estimator.learned(last, name)
   return values ~= nil and #values > 0 and values or nil
end

-- The factor of train_score and oob_scores, which follow scikit-learn's definition of the loss; `trace` and
-- validation_trace have the factor 1.
local function loss_factor(last)
   local settings, classes = estimator.get_params(last), estimator.learned(last, "classes")
   local name = settings.loss or settings.boosting__loss
   return (name == "squared_error" or name == "log_loss" and #classes == 2) and 2 or 1
end

-- The mean losses by round on the training, out-of-bag and validation rows, all on the scale of the mean loss.
local function losses_of(last)
   local train, oob = nonempty(last, "train_score"), nonempty(last, "oob_scores")
   local factor = train and loss_factor(last)
   return train and train / factor or nonempty(last, "trace"), oob and oob / factor,
      nonempty(last, "validation_trace")
end

-- The out-of-bag error of a forest.
local function forest_loss(model, last, o)
   local errors, x, y = last.oob_errors, {}, {}
   if #errors == 0 then
      fail("%s has no out-of-bag errors; fit it with oob = true", estimator.name(last))
   end
   for trees = 1, #errors do
      if errors[trees] == errors[trees] then x[#x + 1], y[#y + 1] = trees, errors[trees] end
   end
   if #y == 0 then fail("%s has no out-of-bag rows, because every tree drew all rows", estimator.name(last)) end
   local what = estimator.learned(last, "classes") and "misclassification rate" or "mean squared error"
   return { title = "Out-of-bag error of " .. inputs.title(model),
      caption = ("each row is predicted by the trees that did not draw it; %.4g with all %d trees"):format(y[#y],
         #errors),
      panels = { { x = "trees", y = what, y_log = o.log,
         layers = { { kind = "line", x = x, y = y, color = 1, markers = #x <= 50 } } } } }
end

-- The mean over the training rows of exp(-1/K sum_c y_c f_c), which SAMME minimizes, from errors and weights alone:
-- each round multiplies it by the weighted mean of exp(a [wrong] - a (K - 1) / K).
local function exponential_loss(errors, weights, k)
   local values, value = {}, 1
   for m, e in ipairs(errors) do
      local a = weights[m]
      value = value * (1 - e + e * math.exp(a)) * math.exp(-a * (k - 1) / k)
      values[m] = value
   end
   return values
end

-- The loss of AdaBoost, from the weighted error of each model.
local function adaboost_loss(model, last, o)
   local errors, weights = last.estimator_errors:totable(), last.estimator_weights:totable()
   local classes = estimator.learned(last, "classes")
   local k = classes and #classes or 2
   local layers = { line(errors, "each model", classes and 2 or 1),
      { kind = "rule", at_y = 1 - 1 / k, color = "black", dash = "dashed" } }
   local caption = ("training rows: weighted %s of each model; dashed: upper limit for a model; %s"):format(
      classes and "error" or estimator.get_params(last).loss .. " loss", text.plural(#errors, "round"))
   if classes then
      local all = exponential_loss(errors, weights, k)
      layers[3] = line(all, "exponential loss", 1)
      caption = ("%s; final exponential loss %.4g%s"):format(caption, all[#all],
         k == 2 and ", an upper bound on the misclassification rate" or "")
   end
   return { title = "Loss of " .. inputs.title(model), caption = caption,
      panels = { { x = "round", y = "loss", y_log = o.log, legend = #layers > 2, layers = layers } } }
end

local function loss(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   if estimator.learned(last, "oob_errors") ~= nil then return forest_loss(model, last, o) end
   if estimator.learned(last, "estimator_errors") ~= nil then return adaboost_loss(model, last, o) end
   local train, oob, validation = losses_of(last)
   if train == nil then
      fail("model must be a boosted model or a forest, but %s has no loss by round", estimator.name(last))
   end
   local layers, caption = { line(train, "training", 1) }, "no validation rows; %d rounds"
   if oob then layers[2] = line(oob, "out-of-bag", 3) end
   if validation then
      local best = validation:argmin()
      layers[#layers + 1] = line(validation, "validation", 2)
      layers[#layers + 1] = { kind = "rule", at_x = best, color = "black", dash = "dashed" }
      layers[#layers + 1] = { kind = "points", x = { best }, y = { validation[best] }, color = 2, size = 1.2 }
      caption = ("vertical line: minimum validation loss, %.4g in round %d of %d"):format(validation[best], best,
         #validation)
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
      options = { log = "true: logarithmic axis" } })
end
