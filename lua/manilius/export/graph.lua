--- A fitted model, or a composition of such, as what is to be done with one row.
--
-- A node: { kind =, inputs =, outputs = } and
--
--    leaf      title; program (of core.program), code (parsed); missing, infinite, non_negative: what x may hold;
--              levels: column -> labels, for factor columns
--    pass      the row as it is
--    chain     parts: each works on what the one before it gives
--    columns   parts: { node =, columns = positions from 0 }; their results stand side by side
-- @module manilius.export.graph

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local language = require "manilius.export.language"
local rows = require "manilius.rows"

local M = {}

local function cannot(model, why)
   error(("%s cannot be exported: %s"):format(estimator.name(model), why), 0)
end

local node_of

local Graph = {}
Graph.__index = Graph

-- One node for each action of a model, so that a step is written once whatever goes on from it.
function Graph:once(model, action, make)
   local known = self.known[model] or {}
   self.known[model] = known
   if known[action] == nil then known[action] = make() or false end
   return known[action] or nil
end

local function leaf(model, action)
   local program = core.program(model, action)
   if not program then return nil end
   local takes = estimator.describe(model).takes
   return { kind = "leaf", title = estimator.name(model) .. " " .. action, who = estimator.name(model),
      program = program, code = language.parse(program.code), inputs = model.n_features, outputs = program.outputs,
      levels = core.row_of(model), missing = takes.missing, infinite = takes.infinite,
      non_negative = takes.non_negative, check = true }
end

local function chain(parts)
   local list = {}
   for _, part in ipairs(parts) do
      if part.kind ~= "pass" then list[#list + 1] = part end
   end
   if #list <= 1 then return list[1] or parts[1] end
   return { kind = "chain", parts = list, inputs = list[1].inputs, outputs = list[#list].outputs }
end

local makers = {}

-- Everything before the last step, or nil.
local function front(graph, model)
   local parts = {}
   for i = 1, #model.models - 1 do
      local step = model.models[i]
      if step ~= "passthrough" then parts[#parts + 1] = node_of(graph, step, "transform") end
   end
   return #parts > 0 and chain(parts) or nil
end

function makers.Pipeline(graph, model, action)
   local last = model.models[#model.models]
   local before = graph:once(model, "front", function() return front(graph, model) end)
   if last == "passthrough" then
      if action ~= "transform" then return nil end
      return before or cannot(model, "it has no step that does anything")
   end
   local final = node_of(graph, last, action)
   if not final then return nil end
   return before and chain { before, final } or final
end

-- Parts side by side; what they see is told by `columns_of(i)`, positions from 0.
local function beside(graph, model, columns_of, factor)
   local parts, outputs = {}, 0
   for i, part in ipairs(model.models) do
      local columns = columns_of(i)
      if part ~= "drop" and #columns > 0 then
         if part == "passthrough" then
            for _, j in ipairs(columns) do
               if factor(j) then cannot(model, "a factor column passes through it unchanged") end
            end
         end
         local node = part == "passthrough" and { kind = "pass", inputs = #columns, outputs = #columns }
            or node_of(graph, part, "transform")
         if not node then cannot(part, "its transform has no description") end
         parts[#parts + 1] = { node = node, columns = columns }
         outputs = outputs + node.outputs
      end
   end
   return { kind = "columns", parts = parts, inputs = model.n_features, outputs = outputs }
end

function makers.ColumnTransformer(graph, model, action)
   if action ~= "transform" then return nil end
   local factors = rawget(model, "factors") or {}
   return beside(graph, model, function(i)
      local columns = {}
      for k, j in ipairs(rawget(model, "chosen")[i]) do columns[k] = j - 1 end
      return columns
   end, function(j) return factors[j + 1] end)
end

function makers.FeatureUnion(graph, model, action)
   if action ~= "transform" then return nil end
   local all = {}
   for j = 1, model.n_features do all[j] = j - 1 end
   return beside(graph, model, function() return all end, function() return false end)
end

local back = { log = "exp(x[j])", log1p = "expm1(x[j])", sqrt = "x[j] * x[j]" }

function makers.TransformedTarget(graph, model, action)
   if action ~= "predict" then return nil end
   local node = node_of(graph, model.regressor, "predict")
   local inverse
   if model.transformer then
      inverse = node_of(graph, model.transformer, "inverse_transform")
      if not inverse then cannot(model.transformer, "its inverse_transform has no description") end
   else
      local expr = back[model.func] or cannot(model, "func is a function of Lua")
      inverse = { kind = "leaf", title = "TransformedTarget inverse", who = "TransformedTarget", levels = {},
         inputs = node.outputs, outputs = node.outputs, program = { tables = {}, numbers = {} },
         code = language.parse("for j < features { out[j] = " .. expr .. " }") }
   end
   return chain { node, inverse }
end

local function best(graph, model, action)
   return node_of(graph, model.best, action)
end
makers.GridSearch, makers.RandomSearch, makers.HalvingGridSearch = best, best, best
makers.RANSACRegressor = best

function makers.FormulaModel(_, model)
   cannot(model, "its formula is read in Lua; model.model can be, which takes the columns that model.terms names")
end

function node_of(graph, model, action)
   if type(model) == "string" then cannot(model, "it is no estimator") end
   return graph:once(model, action, function()
      if rows.kind(model) == "Model" then
         if not model.fitted then error(("%s: call fit before export"):format(model.class), 0) end
         return model:can(action) and leaf(model, action) or nil
      end
      local class = estimator.class_of(model)
      local make = class and class.ours and makers[class.name]
      if not make then cannot(model, "it is written in Lua") end
      if not rawget(model, "fitted") then error(("%s: call fit before export"):format(class.name), 0) end
      return make(graph, model, action)
   end)
end

--- The estimator whose action is that of a composition, and how it may be called.
local function final_of(model)
   if rows.kind(model) == "Model" then return model end
   local class = estimator.class_of(model)
   local name = class and class.ours and class.name
   if name == "Pipeline" then
      local last = model.models[#model.models]
      return last ~= "passthrough" and final_of(last) or nil
   end
   if name == "TransformedTarget" then return final_of(model.regressor) end
   if makers[name] == best then return final_of(model.best) end
   return nil
end

-- Labels of factor columns, and which columns are used at all, by walking to where the row goes in.
local function look_at_row(node, levels, used, from)
   if node.kind == "leaf" then
      for k = 1, node.inputs do
         local j = from and from[k] or k - 1
         used[j] = true
         levels[j] = node.levels[k] or levels[j]
      end
   elseif node.kind == "chain" then
      look_at_row(node.parts[1], levels, used, from)
   elseif node.kind == "pass" then
      for k = 1, node.inputs do used[from and from[k] or k - 1] = true end
   else
      for _, part in ipairs(node.parts) do
         local mapped = {}
         for k, j in ipairs(part.columns) do mapped[k] = from and from[j + 1] or j end
         look_at_row(part.node, levels, used, mapped)
      end
   end
end

local actions = { "decision_function", "predict_log_proba", "predict", "transform", "score_samples" }

--- All that is exported of a model: { who, inputs, does, classes, targets, entry = { action = node }, levels, used,
-- names }. Raises where it cannot be exported.
function M.of(model)
   local graph = setmetatable({ known = {} }, Graph)
   local final = final_of(model)
   local does = final and estimator.describe(final).does or { transform = true }
   local made = { who = estimator.name(model), entry = {}, levels = {}, used = {},
      names = estimator.learned(model, "feature_names") }
   for _, action in ipairs(actions) do
      local derived = action == "predict" and does.classify -- the label follows from the scores
      local node = not derived and node_of(graph, model, action)
      if node then made.entry[action], made.first = node, node end
   end
   if not made.first then cannot(model, "nothing it does has a description") end
   made.inputs = made.first.inputs
   made.classify, made.cluster, made.regress = does.classify, does.cluster, does.regress
   made.classes = does.classify and final.classes or nil
   made.targets = made.entry.predict and made.entry.predict.outputs
   look_at_row(made.first, made.levels, made.used)
   return made
end

return M
