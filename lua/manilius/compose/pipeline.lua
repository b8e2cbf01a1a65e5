--- Pipeline and FeatureUnion.

local core = require "manilius.core"
local composite = require "manilius.compose.composite"
local estimator = require "manilius.estimator"
local core_models = require "manilius.core_models"
local progress = require "manilius.progress"
local rows = require "manilius.rows"

local M = {}

-- --- Pipeline ---

-- Options of a step with the lengths of the pipeline, if the step uses them.
local function with_lengths(options, model, lengths)
   if lengths == nil or not estimator.takes_lengths(model) or (options and options.lengths) then return options end
   options = options or {}
   options.lengths = lengths
   return options
end

-- Transform X by all steps but the last.
local function transform_inputs(self, X, lengths)
   for i = 1, #self.models - 1 do
      X = composite.transform(self.models[i], X, with_lengths(nil, self.models[i], lengths))
   end
   return X
end

-- The option lengths of an action; other mistakes in options are left to the last step.
local function given_lengths(options)
   return type(options) == "table" and options.lengths or nil
end

-- Options of the last step: without lengths if only steps before it use them.
local function last_options(self, options)
   if given_lengths(options) == nil or estimator.takes_lengths(self.models[#self.models])
      or not estimator.takes_lengths(self) then
      return options
   end
   local own = {}
   for name, value in pairs(options) do
      if name ~= "lengths" then own[name] = value end
   end
   return next(own) ~= nil and own or nil
end

local function last(self)
   return self.models[#self.models]
end

local function need_last(self, method)
   local model = last(self)
   if type(model) == "string" then
      error(("Pipeline: the last step is '%s', which has no %s"):format(model, method), 3)
   end
   return model
end

-- Does fit of this step support on_iter? A user-defined last step gets it like all other options.
local function takes_on_iter(model, is_last)
   if rows.kind(model) == "Model" then return true end
   local class = estimator.class_of(model)
   if class and class.ours then return class.reports_progress == true end
   return is_last and type(model) ~= "string"
end

-- Two functions that report progress in steps: one makes the on_iter callback of step i, one is called at its end.
local function progress_callbacks(on_iter, n)
   if on_iter == nil then return function() end, function() end end
   local report = progress.caller("Pipeline", on_iter)
   local function during(i)
      return function(state) return report(i - 1 + state.done / state.total, n, state.objective) end
   end
   return during, function(i)
      if report(i, n) == "cancel" then progress.cancel() end
   end
end

local function with_on_iter(options, model, is_last, on_iter)
   if not on_iter or not takes_on_iter(model, is_last) or (options and options.on_iter) then return options end
   options = options or {}
   options.on_iter = on_iter
   return options
end

-- The evaluation set { X, y, weights = w } with X transformed.
local function transformed_eval(model, eval)
   local out = {}
   for key, value in pairs(eval) do out[key] = value end
   out[1] = composite.transform(model, eval[1])
   return out
end

-- The rows of X and y from a step that resamples; those of the weights replace own.weights.
local function resample(model, X, y, own)
   for _, name in ipairs { "lengths", "folds", "init_score" } do
      if own[name] ~= nil then
         local who = estimator.name(model)
         error(("%s: the option '%s' belongs to the rows before resampling; remove %s or the option"):format(who, name,
            who), 0)
      end
   end
   X, y, own.weights = model:fit_resample(X, y, own.weights ~= nil and { weights = own.weights } or nil)
   return X, y
end

-- Fit all steps. Returns X transformed by all of them if `transforms`: the given rows, if steps resample.
local function fit_steps(self, X, y, options, transforms)
   local nested, own = composite.split_options(self, options)
   local n = #self.models
   local during, after = progress_callbacks(own.on_iter, n)
   own.on_iter = nil
   X = rows.texts(X)
   local given, resampled = X, false
   for i = 1, n - 1 do
      local model = self.models[i]
      if estimator.resamples(model) then
         if nested[self.names[i]] then error(estimator.name(model) .. ": fit in a pipeline has no options", 0) end
         X, y = resample(model, X, y, own)
         resampled = true
      else
         local options_of_step = with_lengths(nested[self.names[i]], model, own.lengths)
         X = composite.fit_transform(model, X, y, with_on_iter(options_of_step, model, false, during(i)))
      end
      if own.target ~= nil then own.target = composite.transform(model, own.target) end
      if type(own.eval) == "table" then own.eval = transformed_eval(model, own.eval) end
      after(i)
   end
   for name, value in pairs(nested[self.names[n]] or {}) do own[name] = value end
   local model = last(self)
   own = with_on_iter(own, model, true, during(n))
   own = last_options(self, next(own) ~= nil and own or nil)
   if transforms and not resampled then
      X = composite.fit_transform(model, X, y, own)
   elseif type(model) ~= "string" then
      model:fit(X, y, own)
   end
   after(n)
   return transforms and resampled and composite.transform(model, transform_inputs(self, given)) or X
end

-- The error for a field or operation of a step: pipe.step.name reads it.
local function unknown_text(self, key)
   for i = #self.models, 1, -1 do
      local step = self.models[i]
      local model = estimator.name(step) == "FormulaModel" and step.model or step
      local class = rows.kind(model) == "Model" and estimator.describe(model)
      for _, list in ipairs(class and { class.operations, class.fields, class.params } or {}) do
         for _, member in ipairs(list) do
            if member.name == key then
               return ("Pipeline has no '%s'; its step has: pipeline.%s%s%s"):format(key, self.names[i],
                  list == class.operations and ":" or ".", key)
            end
         end
      end
   end
end

local pipeline = {
   unknown_text = unknown_text,
   name = "Pipeline",
   reports_progress = true,
   learned = { classes = "class labels of the last step", n_targets = "number of columns of y",
      n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame" },
   help = {
      use = "Pipeline { step, { name, step }, ... }",
      brief = "Chain of transformers with a final estimator.",
      notes = "Steps are named by their class in lower case, numbered if it occurs twice, or by { name, step }; "
         .. "\"passthrough\" does nothing. pipe.pca and pipe[2] are steps. pca__n_components is a parameter of a "
         .. "step, in set_params and in searches; the fit option pca__weights = w is passed to that step. An error "
         .. "during fit leaves the pipeline unchanged. Steps after a resampler such as SMOTE learn from the resampled "
         .. "rows; predict, transform and score do not resample.",
      example = [[
local X, y = ml.Matrix { { 1, 10 }, { 2, 30 }, { 8, 20 }, { 9, 40 } }, { "a", "a", "b", "b" }
local pipe = ml.Pipeline { ml.StandardScaler {}, { "classifier", ml.LogisticRegression {} } }
print(pipe:set_params { classifier__C = 10 }:fit(X, y):predict { { 7, 15 } })]],
   },
   does = function(self) return type(last(self)) ~= "string" and estimator.does(last(self)) or "transform" end,
   fit = fit_steps,
   fit_copy_transform = function(self, X, y, options) return fit_steps(self, X, y, options, true) end,
   construct = function(values)
      local names, models = composite.read_parts("Pipeline", values)
      for key in pairs(values) do
         if type(key) ~= "number" then
            error(("Pipeline has no parameter '%s'; give steps as a list, with { name, step } to name them"):format(
               tostring(key)), 0)
         end
      end
      composite.check_names("Pipeline", names)
      return { names = names, models = models }
   end,
   check = function(self)
      for i, model in ipairs(self.models) do
         if i < #self.models and type(model) ~= "string" and not estimator.can(model, "transform") then
            error(("Pipeline: all steps but the last must have transform; step %d, %s, does not"):format(i,
               estimator.name(model)), 0)
         end
         local lost = i < #self.models and not estimator.resamples(model) and composite.final_resampler(model)
         if lost then
            error(("Pipeline: the rows of %s would be lost at the end of step %d, %s; make it a step of the outer "
               .. "Pipeline"):format(estimator.name(lost), i, estimator.name(model)), 0)
         end
      end
   end,
   can = function(self, name)
      if name == "fit" or name == "score" or not estimator.is_action(name) then return true end
      if name == "partial_fit" then return false end
      local model = last(self)
      if name == "inverse_transform" then
         for _, one in ipairs(self.models) do
            if type(one) ~= "string" and not estimator.can(one, name) then return false end
         end
         return true
      end
      return type(model) == "string" and name == "transform" or estimator.can(model, name)
   end,
}

for _, method in ipairs { "predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples" } do
   pipeline[method] = function(self, X, options)
      local model = need_last(self, method)
      local transformed = rows.rethrow(2, pcall(transform_inputs, self, X, given_lengths(options)))
      return (rows.rethrow(2, pcall(estimator.call, model, method, transformed, last_options(self, options))))
   end
end

function pipeline.transform(self, X, options)
   local transformed = rows.rethrow(2, pcall(transform_inputs, self, X, given_lengths(options)))
   return (rows.rethrow(2, pcall(composite.transform, last(self), transformed, last_options(self, options))))
end

function pipeline.inverse_transform(self, X)
   for i = #self.models, 1, -1 do
      local model = self.models[i]
      if type(model) ~= "string" then X = rows.rethrow(2, pcall(estimator.call, model, "inverse_transform", X)) end
   end
   return X
end

--- Fit in the background if all steps are built-in estimators. Weights and target go to the last step, lengths to
-- all steps that use them.
-- @return a job: done(), wait([seconds]), cancel(), progress (of the running step), model
function pipeline.fit_async(self, X, y, options)
   for i, model in ipairs(self.models) do
      if not core_models.is(model) then
         error(("Pipeline: fit_async requires steps that are built-in estimators or pipelines of them; "
            .. "step %d, %s, is neither"):format(i, estimator.name(model)), 2)
      end
   end
   estimator.need_no_job(self, "fitted", 2)
   local plan = core.plan(require("manilius.select.evaluate").to_plan(self))
   local job = rows.rethrow(2, pcall(core.plan_fit_async, self, plan, X, y, options, core_models.set_fitted))
   estimator.set_job(self, job)
   return job
end

--- Names of the columns returned by transform.
function pipeline.output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   for i = #self.models, 1, -1 do
      if type(self.models[i]) ~= "string" then
         return (rows.rethrow(2, pcall(estimator.call, self.models[i], "output_names")))
      end
   end
   error("Pipeline: output_names requires a step that is an estimator", 2)
end

M.Pipeline, M.pipeline = composite.class(pipeline)

-- Learned fields of a fitted pipeline that are those of a step.
local plain_index = M.pipeline.index
local from_last = { classes = true, n_targets = true }
local from_first = { n_features = true, feature_names = true }

-- The first step that is an estimator; "passthrough" steps before it do not change X.
local function first_that_fits(self)
   for _, model in ipairs(self.models) do
      if type(model) ~= "string" then return model end
   end
end

function M.pipeline.index(self, key)
   local found = plain_index(self, key)
   if found ~= nil or not rawget(self, "fitted") then return found end
   local model = from_last[key] and last(self) or from_first[key] and first_that_fits(self) or nil
   if model ~= nil and type(model) ~= "string" then return estimator.learned(model, key) end
end

-- --- FeatureUnion ---

local union = {
   name = "FeatureUnion",
   does = "transform",
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame" },
   private = { sparse = true, outputs = true },
   help = {
      use = "FeatureUnion { part, { name, part }, prefix =, sparse_threshold = }",
      brief = "Applies several transformers to the same X and concatenates the results.",
      params = {
         prefix = "put the name of the part and \"__\" before its output column names",
         sparse_threshold = "return a Sparse if some part does and the fraction of nonzero values is below this",
      },
      notes = "Parts are named like the steps of a Pipeline: union.pca and union[1] are parts, pca__n_components is a "
         .. "parameter of a part. A part may be \"passthrough\".",
      example = [[
local union = ml.FeatureUnion { ml.StandardScaler {}, { "square", ml.PolynomialFeatures { degree = 2 } } }
print(union:fit_transform { { 1 }, { 2 }, { 6 } })]],
   },
   params = { prefix = true, sparse_threshold = 0.3 },
   construct = function(values)
      local list, settings = {}, {}
      for key, value in pairs(values) do
         if type(key) == "number" then list[key] = value else settings[key] = value end
      end
      settings.names, settings.models = composite.read_parts("FeatureUnion", list)
      composite.check_names("FeatureUnion", settings.names, { prefix = true, sparse_threshold = true })
      return settings
   end,
   check = function(self)
      for i, model in ipairs(self.models) do
         composite.check_side_by_side("FeatureUnion", i, model)
      end
   end,
}

-- Returns X and its transforms by the parts.
function union.fit(self, X, y, options)
   local join = require "manilius.compose.join"
   local nested, own = composite.split_options(self, options)
   join.refuse_options(self, own)
   X = rows.x("FeatureUnion", X)
   self.n_features = rows.width(X)
   self.feature_names = rows.is_frame(X) and table.move(X.names, 1, #X.names, 1, {}) or nil
   local transformed = {}
   for i, model in ipairs(self.models) do
      transformed[i] = composite.fit_transform(model, X, y, nested[self.names[i]])
   end
   self.sparse = join.wants_sparse(self, transformed)
   self.outputs = join.output_names(self, transformed, function() return self.feature_names end)
   return X, transformed
end

function union.fit_copy_transform(self, X, y, options)
   return require "manilius.compose.join".join(self, union.fit(self, X, y, options))
end

function union.transform(self, X)
   local join = require "manilius.compose.join"
   local transformed = {}
   for i, model in ipairs(self.models) do transformed[i] = rows.rethrow(2, pcall(composite.transform, model, X)) end
   return join.join(self, X, transformed)
end

--- Names of the columns returned by transform.
function union.output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   return table.move(self.outputs, 1, #self.outputs, 1, {})
end

M.FeatureUnion, M.union = composite.class(union)

return M
