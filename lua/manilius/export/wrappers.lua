--- Export of classifiers that reduce several classes, or several targets, to one model each.
--
-- A maker: function(graph, model, action) -> node, or nil where there is no such action.

local estimator = require "manilius.estimator"
local nodes = require "manilius.export.nodes"

local M = {}

local chain, parallel, code = nodes.chain, nodes.parallel, nodes.code

-- The score of the second class of each binary model, side by side.
local function binary_scores(graph, model)
   local list = {}
   for i, member in ipairs(model.estimators) do
      local by_decision = estimator.can(member, "decision_function")
      local node = graph:need(member, by_decision and "decision_function" or "predict_proba")
      if node.outputs > 1 then node = chain { node, code("the second of two", 2, 1, "out[0] = x[1]") } end
      list[i] = { node = node }
   end
   return parallel(list, model.n_features)
end

local function threshold_of(model)
   return estimator.can(model.estimators[1], "decision_function") and 0.0 or 0.5
end

-- --- pairs of classes ---

local VOTES = [[
reals sum[outputs]
for c < outputs { out[c] = 0.0 sum[c] = 0.0 }
int m = 0
for a < outputs {
   for b = a + 1 < outputs {
      out[a] += x[m] > threshold ? 0.0 : 1.0
      out[b] += x[m] > threshold ? 1.0 : 0.0
      sum[a] -= x[m]
      sum[b] += x[m]
      m += 1
   }
}
for c < outputs { out[c] += sum[c] / (3.0 * (abs(sum[c]) + 1.0)) }]]

function M.OneVsOneClassifier(graph, model, action)
   if action ~= "predict" and action ~= "decision_function" then return nil end
   local k = #model.classes
   local decision = graph:memoize(model, "decision", function()
      local scores, numbers = binary_scores(graph, model), { threshold = threshold_of(model) }
      local combine = k == 2 and code("decision", 1, 1, "out[0] = x[0] - threshold", { numbers = numbers })
         or code("votes", #model.estimators, k, VOTES, { numbers = numbers })
      return chain { scores, combine }
   end)
   if action == "decision_function" then return decision end
   return chain { decision, graph:shared("largest", decision.outputs) }
end

-- --- code words ---

local NEAREST = [[
int best = 0 real least = distance2(features, x, 0, word, 0)
for c = 1 < classes {
   real d = distance2(features, x, 0, word, c * features)
   if d < least { best = c least = d }
}
out[0] = best + 0.0]]

function M.OutputCodeClassifier(graph, model, action)
   if action ~= "predict" then return nil end
   local scores = binary_scores(graph, model)
   return chain { scores, code("the nearest code word", scores.outputs, 1, NEAREST,
      { reals = { word = model.code_book:flatten():totable() }, numbers = { classes = #model.classes } }) }
end

-- --- several targets ---

local function first_target(graph, model, action)
   if model.n_targets > 1 then
      nodes.fail(model, "a program returns one label; export the models of its list `estimators`")
   end
   return graph:node(model.estimators[1], action)
end
M.MultiOutputClassifier, M.ClassifierChain = first_target, first_target

function M.MultiOutputRegressor(graph, model, action)
   if action ~= "predict" then return nil end
   local list = {}
   for j, member in ipairs(model.estimators) do list[j] = { node = graph:need(member, "predict") } end
   return parallel(list, model.n_features)
end

-- The row and the predictions so far, followed by that of the next model; then the predictions in the order of y.
function M.RegressorChain(graph, model, action)
   if action ~= "predict" then return nil end
   local steps, places, p = {}, {}, model.n_features
   for i, member in ipairs(model.estimators) do
      local seen = p + i - 1
      steps[i] = parallel({ { node = nodes.pass(seen) }, { node = graph:need(member, "predict") } }, seen)
      places[model.chain_order[i]] = p + i - 1
   end
   steps[#steps + 1] = code("targets in order", p + #places, #places, "for c < outputs { out[c] = x[place[c]] }",
      { ints = { place = places } })
   return chain(steps)
end

-- --- rows without a label ---

function M.SelfTrainingClassifier(graph, model, action)
   return graph:node(model.final_estimator, action)
end

return M
