--- A fitted model or composition as a graph of operations on one row (manilius.export.nodes).

local calibrated = require "manilius.export.calibrated"
local ensembles = require "manilius.export.ensembles"
local estimator = require "manilius.estimator"
local formulas = require "manilius.export.formulas"
local nodes = require "manilius.export.nodes"
local rows = require "manilius.rows"
local selectors = require "manilius.export.selectors"
local wrappers = require "manilius.export.wrappers"

local M = {}

local fail, chain = nodes.fail, nodes.chain

local Graph = {}
Graph.__index = Graph

-- Create the node of an action of a model once, so that each step is written once.
function Graph:memoize(model, action, make)
   local known = self.known[model] or {}
   self.known[model] = known
   if known[action] == nil then known[action] = make() or false end
   return known[action] or nil
end

local makers = {}

-- All steps before the last, or nil.
local function leading_steps(graph, model)
   local parts = {}
   for i = 1, #model.models - 1 do
      local step = model.models[i]
      if step ~= "passthrough" then parts[#parts + 1] = graph:need(step, "transform") end
   end
   return #parts > 0 and chain(parts) or nil
end

function makers.Pipeline(graph, model, action)
   local last = model.models[#model.models]
   local before = graph:memoize(model, "leading steps", function() return leading_steps(graph, model) end)
   if last == "passthrough" then
      if action ~= "transform" then return nil end
      return before or fail(model, "it has no active steps")
   end
   local final = graph:node(last, action)
   if not final then return nil end
   return before and chain { before, final } or final
end

-- Parts side by side; part i reads the columns columns_of(i) (positions from 0), nil for all.
local function parallel(graph, model, columns_of)
   local parts = {}
   for i, part in ipairs(model.models) do
      local columns = columns_of(i)
      if part ~= "drop" and not (columns and #columns == 0) then
         local node = part ~= "passthrough" and graph:need(part, "transform")
         parts[#parts + 1] = { node = node or nodes.pass(columns and #columns or model.n_features), columns = columns }
      end
   end
   return nodes.parallel(parts, model.n_features)
end

function makers.ColumnTransformer(graph, model, action)
   if action ~= "transform" then return nil end
   return parallel(graph, model, function(i)
      local columns = {}
      for k, j in ipairs(model.chosen[i]) do columns[k] = j - 1 end
      return columns
   end)
end

function makers.FeatureUnion(graph, model, action)
   return action == "transform" and parallel(graph, model, function() return nil end) or nil
end

-- The inverse of a function of TransformedTarget in the language of nodes.
local inverse_code = { log = "exp(x[j])", log1p = "expm1(x[j])", sqrt = "x[j] * x[j]" }

function makers.TransformedTarget(graph, model, action)
   if action ~= "predict" then return nil end
   local node = graph:node(model.regressor, "predict")
   if not model.transformer and model.func == nil then return node end
   local inverse
   if model.transformer then
      inverse = graph:need(model.transformer, "inverse_transform")
   else
      inverse = nodes.each("TransformedTarget inverse", node.outputs,
         inverse_code[model.func] or fail(model, "func is a Lua function"))
   end
   return chain { node, inverse }
end

function makers.PolynomialRegression(graph, model, action)
   if action ~= "predict" then return nil end
   return chain { graph:need(model.scaler, "transform"), graph:need(model.features, "transform"),
      graph:node(model.linear, "predict") }
end

local function node_of_best(graph, model, action)
   return graph:node(model.best, action)
end
for _, name in ipairs { "GridSearch", "RandomSearch", "BayesSearch", "HalvingGridSearch", "HalvingRandomSearch",
   "HyperbandSearch" } do
   makers[name] = node_of_best
end
makers.RANSACRegressor = node_of_best

for _, more in ipairs { calibrated, ensembles, formulas, selectors, wrappers } do
   for name, maker in pairs(more) do makers[name] = maker end
end

-- The node of a core model. Labels are computed from scores, probabilities from their logarithms.
local function core_node(graph, model, action)
   if action == "predict_proba" then
      local logarithms = graph:node(model, "predict_log_proba")
      return logarithms and chain { logarithms, graph:shared("exp", logarithms.outputs) }
   end
   if action == "predict" and estimator.does(model) == "classify" then
      local scores = graph:node(model, "decision_function") or graph:node(model, "predict_log_proba")
      return scores and chain { scores, graph:shared("largest", scores.outputs) }
   end
   return model:can(action) and nodes.described(model, action) or nil
end

--- The node of an action of a fitted model, or nil if it lacks the action. Labels are represented by their index in the
-- classes, counted from 0.
function Graph:node(model, action)
   if type(model) == "string" then fail(model, "it is not an estimator") end
   return self:memoize(model, action, function()
      if rows.kind(model) == "Model" then
         if not model.fitted then error(("%s: call fit before export"):format(model.class), 0) end
         return core_node(self, model, action)
      end
      local class = estimator.class_of(model)
      local make = class and class.ours and makers[class.name]
      if not make then
         fail(model, "it is written in Lua; only estimators of manilius and compositions of them can be exported")
      end
      if not rawget(model, "fitted") then error(("%s: call fit before export"):format(class.name), 0) end
      return make(self, model, action)
   end)
end

--- The node of an action that the model must have.
function Graph:need(model, action)
   return self:node(model, action) or fail(model, ("%s is not available in exported programs"):format(action))
end

--- A helper node (manilius.export.nodes) by name, created once for each number of inputs.
function Graph:shared(name, inputs)
   return self:memoize(self, name .. inputs, function() return nodes[name](inputs) end)
end

-- --- the input row ---

-- The labels of a factor column: those of the first part that reads it, followed by additional labels of other parts.
local function join_labels(export, j, labels)
   export.levels[j], export.codes[j] = export.levels[j] or {}, export.codes[j] or {}
   local list, codes = export.levels[j], export.codes[j]
   for _, label in ipairs(labels) do
      if not codes[label] then
         list[#list + 1] = label
         codes[label] = #list
      end
   end
end

local function trace_leaf(export, node, from)
   for k = 1, node.inputs do
      local j, labels = from[k], node.levels[k]
      if j then export.used[j] = true end
      if j and labels then
         join_labels(export, j, labels)
         export.factors[node] = export.factors[node] or {}
         export.factors[node][k] = j
      end
   end
   return {}
end

-- If a leaf codes labels differently from the row, the codes are translated before it.
local function recode(export, node, columns)
   local lines, reals = { "for j < features { out[j] = x[j] }" }, {}
   for k = 1, node.inputs do
      local labels, own, differs = columns[k] and export.levels[columns[k]] or {}, {}, false
      for i, label in ipairs(columns[k] and node.levels[k] or {}) do own[label] = i - 1.0 end
      local codes = {}
      for i, label in ipairs(labels) do
         codes[i] = own[label] or -1.0
         differs = differs or codes[i] ~= i - 1
      end
      if differs then
         reals["code_" .. k] = codes
         lines[#lines + 1] = ("if x[%d] >= 0.0 { out[%d] = code_%d[index(x[%d])] }"):format(k - 1, k - 1, k, k - 1)
      end
   end
   if #lines == 1 then return end
   local copy = {}
   for key, value in pairs(node) do copy[key], node[key] = value, nil end
   local before = nodes.code("labels", copy.inputs, copy.inputs, table.concat(lines, " "), { reals = reals })
   for key, value in pairs(nodes.chain { before, copy }) do node[key] = value end
end

-- Find which columns of the row are used, and the labels of factors. `from` maps each input to the row column it is a
-- copy of, if any; the result maps the outputs in the same way.
local function trace(export, node, from)
   if node.kind == "leaf" then return trace_leaf(export, node, from) end
   if node.kind == "chain" then
      for _, part in ipairs(node.parts) do from = trace(export, part, from) end
      return from
   end
   if node.kind == "pass" then return from end
   local outputs, first = {}, 0
   for _, part in ipairs(node.parts) do
      local seen = part.columns and {} or from
      for k, j in ipairs(part.columns or {}) do seen[k] = from[j + 1] end
      local out = trace(export, part.node, seen)
      for k = 1, part.node.outputs do outputs[first + k] = out[k] end
      first = first + part.node.outputs
   end
   return outputs
end

-- Trace the row through all actions; an action that would output a factor column is dropped.
local function trace_row(export, model)
   local row = {}
   for j = 1, export.inputs do row[j] = j - 1 end
   local factors = estimator.learned(model, "factors") or {}
   for _, action in ipairs(M.actions) do
      local node, factor = export.entry[action], false
      local out = node and trace(export, node, row) or {}
      for k = 1, node and node.outputs or 0 do
         local j = out[k]
         if j then export.used[j], factor = true, factor or export.levels[j] or factors[j + 1] end
      end
      if factor then export.entry[action] = nil end
   end
   for node, columns in pairs(export.factors) do recode(export, node, columns) end
end

--- The exported actions; those that may output the row itself come last.
M.actions = { "decision_function", "predict_log_proba", "predict_proba", "predict", "score_samples", "transform" }

-- Limits the size of the exported program, which has a line for each column.
local MAX_COLUMNS = 1 << 24

-- Names of the input columns; for a formula model those of the data, not of the design matrix.
local function names_of(model)
   local class = estimator.class_of(model)
   local name = class and class.ours and class.name
   if name == "FormulaModel" then return model.columns end
   if makers[name] == node_of_best then return names_of(model.best) end
   if name == "TransformedTarget" then return names_of(model.regressor) end
   if name == "Pipeline" and #model.models == 1 then return names_of(model.models[1]) end
   return estimator.learned(model, "feature_names")
end

--- Everything that is exported of a model: { who, inputs, classify, cluster, classes, targets,
-- entry = { action = node }, levels, used, names }. Raises an error when the model cannot be exported.
function M.build(model)
   local graph = setmetatable({ known = {} }, Graph)
   local export = { who = estimator.name(model), entry = {}, levels = {}, used = {}, names = names_of(model),
      codes = {}, factors = {} }
   for _, action in ipairs(M.actions) do
      local node = graph:node(model, action)
      export.entry[action] = node
      export.inputs = export.inputs or node and node.inputs
   end
   if not export.inputs then fail(model, "none of its actions can be exported") end
   if export.inputs > MAX_COLUMNS then fail(model, ("it has more than %d columns"):format(MAX_COLUMNS)) end
   if export.inputs == 0 then fail(model, "it was fitted without columns, so all predictions are equal") end
   trace_row(export, model)
   if not next(export.entry) then fail(model, "a factor column passes through it unchanged") end
   local does = estimator.does(model)
   export.classify, export.cluster = does == "classify", does == "cluster"
   export.classes = export.classify and estimator.learned(model, "classes") or nil
   export.targets = export.entry.predict and export.entry.predict.outputs
   return export
end

return M
