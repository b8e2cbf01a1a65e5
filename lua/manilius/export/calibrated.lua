--- Export of calibrated classifiers, classifiers with a threshold, and conformal models.
--
-- A maker: function(graph, model, action) -> node, or nil where there is no such action.

local nodes = require "manilius.export.nodes"

local M = {}

local chain, parallel, code = nodes.chain, nodes.parallel, nodes.code

local function second_of_two()
   return code("the second of two", 2, 1, "out[0] = x[1]")
end

-- The scores that maps take: one for two classes, else one for each class.
local function scores_of(graph, model, member)
   local node = graph:need(member, model.response)
   return #model.classes == 2 and node.outputs == 2 and chain { node, second_of_two() } or node
end

-- --- maps of one class against the rest ---

local LOG_ODDS = "real p = clamp(x[0], least, 1.0 - least) out[0] = log(p) - log(1.0 - p)"

local function second_class(graph, map)
   return chain { graph:need(map, "predict_proba"), second_of_two() }
end

local maps = {
   sigmoid = second_class,
   isotonic = function(graph, map)
      return chain { graph:need(map, "predict"), nodes.each("within 0 and 1", 1, "clamp(x[j], 0.0, 1.0)") }
   end,
   beta = function(graph, map, response)
      if response == "decision_function" then return second_class(graph, map) end
      return chain { code("log-odds", 1, 1, LOG_ODDS, { numbers = { least = 2.0 ^ -52 } }), second_class(graph, map) }
   end,
   venn_abers = function(graph, map)
      return chain { graph:need(map, "predict_log_proba"), code("log-odds of not", 2, 1, "out[0] = x[0] - x[1]") }
   end,
}

-- The maps of the classes of one model, side by side.
local function mapped(graph, model, i)
   local list, scores = {}, scores_of(graph, model, model.estimators[i])
   for c, map in ipairs(model.calibrators[i]) do
      list[c] = { node = maps[model.fitted_with.method](graph, map, model.response), columns = { c - 1 } }
   end
   return chain { scores, parallel(list, scores.outputs) }
end

local SHARES = [[
real sum = x[0]
for c = 1 < outputs { sum += x[c] }
for c < outputs { out[c] = sum > 0.0 ? x[c] / sum : 1.0 / outputs }]]

local function normalized(k)
   return k == 2 and code("both classes", 1, 2, "out[0] = 1.0 - x[0] out[1] = x[0]") or code("shares", k, k, SHARES)
end

local MEAN = [[
for c < outputs {
   out[c] = x[c]
   for m = 1 < members { out[c] += x[m * outputs + c] }
   out[c] /= members
}]]

-- The mean over the models of nodes with the same outputs.
local function mean_over(model, of)
   local list = {}
   for i in ipairs(model.estimators) do list[i] = { node = of(i) } end
   local outputs = list[1].node.outputs
   return chain { parallel(list, model.n_features), code("mean", #list * outputs, outputs, MEAN,
      { numbers = { members = #list } }) }
end

-- --- several methods ---

-- Logits of two classes from one score, and from several scores.
local LOGITS = { decision_function = { "out[0] = -x[0] out[1] = x[0]", "for c < outputs { out[c] = x[c] }" },
   predict_proba = { "out[0] = log(1.0 - x[0] + least) out[1] = log(x[0] + least)",
      "for c < outputs { out[c] = log(x[c] + least) }" } }
local SOFTMAX = [[
real most = x[0]
for c = 1 < outputs { most = x[c] > most ? x[c] : most }
most *= inverse
real sum = 0.0
for c < outputs { out[c] = exp(x[c] * inverse - most) sum += out[c] }
for c < outputs { out[c] /= sum }]]

local function scaled(graph, model, i)
   local k, scores = #model.classes, scores_of(graph, model, model.estimators[i])
   return chain { scores, code("logits", scores.outputs, k, LOGITS[model.response][k == 2 and 1 or 2],
      { numbers = { least = 1e-12 } }),
      code("softmax", k, k, SOFTMAX, { numbers = { inverse = model.calibrators[i] } }) }
end

local function proba_of(graph, model)
   local k = #model.classes
   if model.fitted_with.method == "temperature" then
      return mean_over(model, function(i) return scaled(graph, model, i) end)
   elseif model.fitted_with.method == "venn_abers" then
      local logs = mean_over(model, function(i) return mapped(graph, model, i) end)
      return chain { logs, nodes.each("probability", logs.outputs, "1.0 / (1.0 + exp(x[j]))"), normalized(k) }
   end
   return mean_over(model, function(i) return chain { mapped(graph, model, i), normalized(k) } end)
end

function M.CalibratedClassifier(graph, model, action)
   local function proba() return graph:memoize(model, "mean", function() return proba_of(graph, model) end) end
   if action == "predict_proba" then return proba() end
   if action == "predict_log_proba" then return chain { proba(), graph:shared("log", #model.classes) } end
   if action == "predict" then return chain { proba(), graph:shared("largest", #model.classes) } end
   return nil
end

-- --- models whose predictions are those of one estimator ---

local function best(graph, model, action)
   return graph:node(model.best, action)
end
M.ConformalRegressor, M.ConformalClassifier = best, best

-- --- thresholds ---

local function with_threshold(graph, model, action)
   if action ~= "predict" then return graph:node(model.best, action) end
   local node, is_second = graph:need(model.best, model.used_response), model.positive_class == model.classes[2]
   local score = node.outputs == 2 and (is_second and "x[1]" or "1.0 - x[1]") or is_second and "x[0]" or "-x[0]"
   return chain { node, code("threshold", node.outputs, 1, ("out[0] = %s >= threshold ? %s : %s"):format(score,
      is_second and "1.0" or "0.0", is_second and "0.0" or "1.0"), { numbers = { threshold = model.used_threshold } }) }
end
M.FixedThresholdClassifier, M.TunedThresholdClassifier = with_threshold, with_threshold

return M
