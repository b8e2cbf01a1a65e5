--- Export of ensembles written in Lua: the outputs of the members side by side, followed by statements of the row
-- language that combine them. Sums are taken in the same order as in the ensemble.
--
-- A maker: function(graph, model, action) -> node, or nil where there is no such action.

local boosted = require "manilius.ensemble.boosted"
local estimator = require "manilius.estimator"
local nodes = require "manilius.export.nodes"
local parts = require "manilius.ensemble.parts"

local M = {}

local chain, parallel, code = nodes.chain, nodes.parallel, nodes.code

-- --- outputs of a member ---

-- Positions (from 0) of a member's classes among those of the ensemble; nil when the classes are the same.
local function places_of(model, classes)
   local place, list, same = {}, {}, true
   for i, class in ipairs(classes) do place[class] = i - 1 end
   for i, class in ipairs(estimator.learned(model, "classes")) do
      list[i] = place[class]
      same = same and list[i] == i - 1
   end
   return not (same and #list == #classes) and list or nil
end

-- The predicted label as a position in `classes`.
local function label_of(graph, model, classes)
   local node = graph:need(model, "predict")
   local places = places_of(model, classes)
   if not places then return node end
   return chain { node, code("a label of all", 1, 1, "out[0] = place[index(x[0])]", { reals = { place = places } }) }
end

-- A probability for each of `classes`.
local function proba_of(graph, model, classes)
   local node = graph:need(model, "predict_proba")
   local places = node.outputs < #classes and places_of(model, classes)
   if not places then return node end
   return chain { node, code("probabilities of all", node.outputs, #classes,
      "for c < outputs { out[c] = 0.0 } for j < features { out[place[j]] = x[j] }", { ints = { place = places } }) }
end

-- 1 for the label, 0 for the others.
local function indicator_of(graph, model, classes)
   return chain { label_of(graph, model, classes), code("1 for the label", 1, #classes,
      "for c < outputs { out[c] = 0.0 } out[index(x[0])] = 1.0") }
end

-- All members side by side: of(model, i) -> node; columns(i) -> positions from 0 or nil.
local function all_of(models, inputs, of, columns)
   local list = {}
   for i, model in ipairs(models) do list[i] = { node = of(model, i), columns = columns and columns(i) or nil } end
   return parallel(list, inputs)
end

local MEAN = [[
for c < outputs {
   out[c] = x[c] * weight[0]
   for m = 1 < members { out[c] += x[m * outputs + c] * weight[m] }
   out[c] /= total
}]]

-- The weighted mean of the outputs of the members.
local function mean_of(members, weights)
   local total = 0
   for _, weight in ipairs(weights) do total = total + weight end
   return chain { members, code("weighted mean", members.outputs, members.outputs // #weights, MEAN,
      { reals = { weight = weights }, numbers = { members = #weights, total = total + 0.0 } }) }
end

-- The actions of a classifier, derived from its probabilities.
local function by_proba(graph, action, proba)
   if action == "predict_proba" then return proba() end
   if action == "predict_log_proba" then return chain { proba(), graph:shared("log", proba().outputs) } end
   if action == "predict" then return chain { proba(), graph:shared("largest", proba().outputs) } end
   return nil
end

-- --- bagging ---

local function ones(n)
   local list = {}
   for i = 1, n do list[i] = 1.0 end
   return list
end

-- The mean of of(member) over the members, each applied to the columns it was fitted on.
local function bagged(model, of)
   local function columns(i)
      local list = {}
      for k, j in ipairs(model.estimators_features[i]) do list[k] = j - 1 end
      return list
   end
   local members = all_of(model.estimators, model.n_features, of, model.draws.subset and columns)
   return mean_of(members, ones(#model.estimators))
end

function M.BaggingClassifier(graph, model, action)
   return by_proba(graph, action, function()
      return graph:memoize(model, "mean", function()
         return bagged(model, function(member)
            local of = estimator.can(member, "predict_proba") and proba_of or indicator_of
            return of(graph, member, model.classes)
         end)
      end)
   end)
end

function M.BaggingRegressor(graph, model, action)
   if action ~= "predict" then return nil end
   return bagged(model, function(member) return graph:need(member, "predict") end)
end

-- --- one against the rest ---

-- Normalize the scores of the classes to sum to 1.
local SHARES = [[
real sum = x[0]
for c = 1 < outputs { sum += x[c] }
for c < outputs { out[c] = sum > 0.0 ? x[c] / sum : 1.0 / outputs }]]

-- The score of each class: the last output of the action of its model. With two classes there is one model.
local function of_classes(graph, model, action)
   if #model.estimators == 1 then return graph:need(model.estimators[1], action) end
   return all_of(model.estimators, model.n_features, function(member)
      local node = graph:need(member, action)
      return node.outputs == 1 and node or chain { node, code("the second of two", 2, 1, "out[0] = x[1]") }
   end)
end

function M.OneVsRestClassifier(graph, model, action)
   local k, method = #model.classes, estimator.can(model.estimator, "decision_function") and "decision_function"
      or "predict_proba"
   local function members(by)
      return graph:memoize(model, "members " .. by, function() return of_classes(graph, model, by) end)
   end
   if action == "predict" then return chain { members(method), graph:shared("largest", members(method).outputs) } end
   if action == "decision_function" then return method == action and members(method) or nil end
   if not model:can "predict_proba" then return nil end
   return by_proba(graph, action, function()
      return k == 2 and members "predict_proba" or chain { members "predict_proba", code("shares", k, k, SHARES) }
   end)
end

-- --- voting ---

-- The members of a vote, and their weights.
local function voters(model)
   local models, weights = {}, {}
   for i, member in ipairs(parts.members(model)) do
      models[i] = member.model
      weights[i] = (model.weights and model.weights[member.at] or 1) + 0.0
   end
   return models, weights
end

local VOTES = "for c < outputs { out[c] = 0.0 } for m < features { out[index(x[m])] += weight[m] }"

local function soft_vote(graph, model, action)
   local models, weights = voters(model)
   local members = graph:memoize(model, "members", function()
      return all_of(models, model.n_features, function(member) return proba_of(graph, member, model.classes) end)
   end)
   if action == "transform" then return members end
   return by_proba(graph, action, function()
      return graph:memoize(model, "mean", function() return mean_of(members, weights) end)
   end)
end

local function hard_vote(graph, model, action)
   if action ~= "predict" and action ~= "transform" then return nil end
   local models, weights = voters(model)
   local members = graph:memoize(model, "members", function()
      return all_of(models, model.n_features, function(member) return label_of(graph, member, model.classes) end)
   end)
   if action == "transform" then return chain { members, nodes.each("places from 1", #models, "x[j] + 1.0") } end
   local votes = code("votes", #models, #model.classes, VOTES, { reals = { weight = weights } })
   return chain { members, votes, graph:shared("largest", #model.classes) }
end

function M.VotingClassifier(graph, model, action)
   return (model.voting == "soft" and soft_vote or hard_vote)(graph, model, action)
end

function M.VotingRegressor(graph, model, action)
   if action ~= "predict" and action ~= "transform" then return nil end
   local models, weights = voters(model)
   local members = graph:memoize(model, "members", function()
      return all_of(models, model.n_features, function(member) return graph:need(member, "predict") end)
   end)
   return action == "transform" and members or mean_of(members, weights)
end

-- --- stacking ---

-- The outputs of a member that are features of the final model.
local function level_of(graph, model, member, method)
   if method == "decision_function" then return graph:need(member, method) end
   local classes = rawget(model, "classes")
   if method == "predict" then
      return classes and label_of(graph, member, classes) or graph:need(member, "predict")
   end
   local proba = proba_of(graph, member, classes)
   if #classes > 2 then return proba end
   return chain { proba, code("the second of two", 2, 1, "out[0] = x[1]") }
end

-- The features of the final model: the outputs of all members, followed by the row with passthrough.
local function level(graph, model)
   local list = {}
   for i, member in ipairs(parts.members(model)) do
      list[i] = { node = level_of(graph, model, member.model, model.stack_methods[i]) }
   end
   if model.passthrough then list[#list + 1] = { node = nodes.pass(model.n_features) } end
   return parallel(list, model.n_features)
end

local function stacked(graph, model, action)
   local seen = graph:memoize(model, "level", function() return level(graph, model) end)
   if action == "transform" then return seen end
   if not model:can(action) then return nil end
   local final, classes = model.models[#model.models], rawget(model, "classes")
   if action == "predict" and classes then return chain { seen, label_of(graph, final, classes) } end
   local node = graph:node(final, action)
   return node and chain { seen, node }
end
M.StackingClassifier, M.StackingRegressor = stacked, stacked

-- --- AdaBoost ---

local SAMME = [[
for c < outputs {
   out[c] = index(x[0]) == c ? right[0] : wrong[0]
   for m = 1 < features { out[c] += index(x[m]) == c ? right[m] : wrong[m] }
}]]

local function totals(weights)
   local total = 0
   for i = 1, #weights do total = total + weights[i] end
   return total
end

-- The sums of votes: positive for the class predicted by a member, negative for the others.
local function samme(graph, model)
   local right, wrong, k = {}, {}, #model.classes
   for m, a in ipairs(model.estimator_weights:totable()) do right[m], wrong[m] = a, -a / (k - 1) end
   local members = all_of(model.estimators, model.n_features, function(member)
      return label_of(graph, member, model.classes)
   end)
   return chain { members, code("votes", #right, k, SAMME, { reals = { right = right, wrong = wrong } }) }
end

local function samme_decision(sums, total)
   local k = sums.outputs
   return chain { sums, code("decision", k, k == 2 and 1 or k, k == 2 and "out[0] = (x[1] - x[0]) / total"
      or "for c < outputs { out[c] = x[c] / total }", { numbers = { total = total } }) }
end

local function samme_log_proba(decision, k)
   return chain { decision, code("logarithms of probabilities", decision.outputs, k, (k == 2
      and "out[0] = x[0] * -0.5 out[1] = x[0] * 0.5" or "for c < outputs { out[c] = x[c] / others }")
      .. " log_softmax(outputs, out)", { numbers = { others = k - 1 } }) }
end

function M.AdaBoostClassifier(graph, model, action)
   local k = #model.classes
   local sums = graph:memoize(model, "sums", function() return samme(graph, model) end)
   if action == "predict" then return chain { sums, graph:shared("largest", k) } end
   if action == "decision_function" then return samme_decision(sums, totals(model.estimator_weights)) end
   if action == "predict_log_proba" then return samme_log_proba(graph:node(model, "decision_function"), k) end
   if action ~= "predict_proba" then return nil end
   return chain { graph:node(model, "predict_log_proba"), graph:shared("exp", k) }
end

-- As in src/stats/running_median.c: stable for ties, nan last.
local MEDIAN = [[
reals value[features] reals heavy[features] real half = 0.0
for m < features {
   real now = x[m] int at = m
   while at > 0 and !(value[at - 1] <= now or isnan(now)) {
      value[at] = value[at - 1] heavy[at] = heavy[at - 1]
      at -= 1
   }
   value[at] = now heavy[at] = weight[m]
   half += weight[m] / 2
}
int k = 0 real sum = heavy[0]
while k + 1 < features and !(sum >= half) {
   k += 1
   sum += heavy[k]
}
out[0] = value[k] ]]

function M.AdaBoostRegressor(graph, model, action)
   if action ~= "predict" then return nil end
   local members = all_of(model.estimators, model.n_features, function(member) return graph:need(member, "predict") end)
   return chain { members, code("weighted median", members.outputs, 1, MEDIAN,
      { reals = { weight = model.estimator_weights:totable() } }) }
end

-- --- functional gradient boosting ---

function M.FunctionalGradientBoosting(graph, model, action)
   if action ~= "predict" then return nil end
   local inverse, steps = model.inverse, {}
   if type(inverse) == "function" then nodes.fail(model, "inverse is a Lua function") end
   for m, rho in ipairs(model.multipliers:totable()) do steps[m] = model.learning_rate * rho end
   local members = all_of(model.estimators, model.n_features, function(member) return graph:need(member, "predict") end)
   local sum = code("sum of steps", members.outputs, 1,
      "out[0] = start for m < features { out[0] = x[m] * step[m] + out[0] }",
      { reals = { step = steps }, numbers = { start = model.start } })
   return inverse and chain { members, sum, graph:shared("exp", 1) } or chain { members, sum }
end

-- --- boosting with an initial model ---

-- Raw predictions from probabilities.
local RAW_OF_TWO = "real p = clamp(x[1], least, most) out[0] = (log(p) - log(1.0 - p)) / parts"
local RAW_OF_MORE = [[
real sum = 0.0
for c < outputs { out[c] = log(clamp(x[c], least, most)) sum += out[c] }
real mean = sum / outputs
for c < outputs { out[c] -= mean }]]
local LOG_SIGMOID = [[
real f = x[0] * parts real tail = log1p(exp(-abs(f)))
out[0] = (-f < 0 ? -f : 0.0) - tail
out[1] = (f < 0 ? f : 0.0) - tail]]

local ADDED = "for c < outputs { out[c] = x[c] + x[outputs + c] }"

-- Combine the outputs of init and of the trees.
local function combine(first, more, statements, data)
   local both = parallel({ { node = first }, { node = more } }, first.inputs)
   return chain { both, code("init and boosting", both.outputs, more.outputs, statements, data) }
end

function M.BoostedClassifier(graph, model, action)
   local k, least = #model.classes, boosted.LEAST_PROBABILITY
   local numbers = { least = least, most = 1 - least, parts = boosted.loss_of(model) == "exponential" and 2.0 or 1.0 }
   local decision = graph:memoize(model, "decision", function()
      local raw = code("raw predictions", k, k == 2 and 1 or k, k == 2 and RAW_OF_TWO or RAW_OF_MORE,
         { numbers = numbers })
      return combine(chain { proba_of(graph, model.init, model.classes), raw },
         graph:need(model.boosting, "decision_function"), ADDED)
   end)
   if action == "decision_function" then return decision end
   if action == "predict" then return chain { decision, graph:shared("largest", decision.outputs) } end
   if action == "predict_log_proba" then
      return chain { decision, code("logarithms of probabilities", decision.outputs, k, k == 2 and LOG_SIGMOID
         or "for c < outputs { out[c] = x[c] } log_softmax(outputs, out)", { numbers = numbers }) }
   end
   if action ~= "predict_proba" then return nil end
   return chain { graph:node(model, "predict_log_proba"), graph:shared("exp", k) }
end

function M.BoostedRegressor(graph, model, action)
   if action ~= "predict" then return nil end
   local first, more = graph:need(model.init, "predict"), graph:need(model.boosting, "predict")
   if not boosted.has_log_link(model) then return combine(first, more, ADDED) end
   return combine(first, more, "out[0] = (x[0] > least or isnan(x[0]) ? x[0] : least) * x[1]",
      { numbers = { least = boosted.LEAST_MEAN } })
end

return M
