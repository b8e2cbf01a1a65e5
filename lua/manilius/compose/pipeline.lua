--- Pipeline and FeatureUnion.
-- @module manilius.compose.pipeline

local core = require "manilius.core"
local composite = require "manilius.compose.composite"
local estimator = require "manilius.estimator"
local of_core = require "manilius.core_names"
local progress = require "manilius.progress"
local rows = require "manilius.rows"

local M = {}

-- --- Pipeline ---

-- X through all steps but the last.
local function prepared(self, X)
   for i = 1, #self.models - 1 do X = composite.transform(self.models[i], X) end
   return X
end

local function last(self)
   return self.models[#self.models]
end

local function need_last(self, method)
   local model = last(self)
   if type(model) == "string" then error(("Pipeline: the last step is '%s': it has no %s"):format(model, method), 3) end
   return model
end

local tells = { Pipeline = true, GridSearch = true, RandomSearch = true, HalvingGridSearch = true,
   VotingClassifier = true, VotingRegressor = true, StackingClassifier = true, StackingRegressor = true,
   BaggingClassifier = true, BaggingRegressor = true, AdaBoostClassifier = true, AdaBoostRegressor = true,
   FunctionalGradientBoosting = true, RANSACRegressor = true, BoostedClassifier = true, BoostedRegressor = true }

-- Does fit of this step take on_iter? Of estimators that are not ours the last one is given it, as all options.
local function takes_on_iter(model, is_last)
   if rows.kind(model) == "Model" then return true end
   local class = estimator.class_of(model)
   if class and class.ours then return tells[class.name] == true end
   return is_last and type(model) ~= "string"
end

-- Progress counts steps, and the part of the step that runs: functions for the on_iter of step i, and for its end.
local function watch(on_iter, n)
   if on_iter == nil then return function() end, function() end end
   local ask = progress.caller("Pipeline", on_iter)
   local function during(i)
      return function(state) return ask(i - 1 + state.done / state.total, n, state.objective) end
   end
   return during, function(i)
      if ask(i, n) == "cancel" then progress.cancel() end
   end
end

local function with_on_iter(options, model, is_last, on_iter)
   if not on_iter or not takes_on_iter(model, is_last) or (options and options.on_iter) then return options end
   options = options or {}
   options.on_iter = on_iter
   return options
end

local function fit(self, X, y, options)
   local nested, own = composite.split_options(self, options)
   local n = #self.models
   local during, after = watch(own.on_iter, n)
   own.on_iter = nil
   for i = 1, n - 1 do
      local model = self.models[i]
      X = composite.fit_transform(model, X, y, with_on_iter(nested[self.names[i]], model, false, during(i)))
      if own.target ~= nil then own.target = composite.transform(model, own.target) end
      after(i)
   end
   for name, value in pairs(nested[self.names[n]] or {}) do own[name] = value end
   local model = last(self)
   own = with_on_iter(own, model, true, during(n))
   if type(model) ~= "string" then model:fit(X, y, next(own) ~= nil and own or nil) end
   after(n)
   return self
end

local pipeline = {
   name = "Pipeline",
   learned = { classes = "labels, those of the last step", n_targets = "columns of y", n_features = "columns of X",
      feature_names = "names of the columns of X, from a Frame" },
   help = {
      use = "Pipeline { step, { name, step }, ... }",
      brief = "Steps one after the other: each transforms X for the next, the last one predicts.",
      notes = "Steps are called by their class in lower case, numbered where it comes twice, unless { name, step } "
         .. "names them; \"passthrough\" does nothing. pipe.pca and pipe[2] are steps; pca__n_components is a "
         .. "setting within one, in set_params and in searches; pca__weights = w among the options of fit goes to "
         .. "that step. Fitting works on copies: a failed fit leaves the pipeline as it was.",
      example = [[
local X, y = ml.Matrix { { 1, 10 }, { 2, 30 }, { 8, 20 }, { 9, 40 } }, { "a", "a", "b", "b" }
local pipe = ml.Pipeline { ml.StandardScaler {}, { "classifier", ml.LogisticRegression {} } }
print(pipe:set_params { classifier__C = 10 }:fit(X, y):predict { { 7, 15 } })]],
   },
   does = function(self) return type(last(self)) ~= "string" and estimator.does(last(self)) or "transform" end,
   fit = fit,
   construct = function(values)
      local names, models = composite.read_parts("Pipeline", values)
      for key in pairs(values) do
         if type(key) ~= "number" then
            error(("Pipeline has no parameter '%s': steps are a list, with { name, step } for names"):format(
               tostring(key)), 0)
         end
      end
      composite.check_names("Pipeline", names)
      return { names = names, models = models }
   end,
   check = function(self)
      for i, model in ipairs(self.models) do
         if i < #self.models and type(model) ~= "string" and not estimator.can(model, "transform") then
            error(("Pipeline: all steps but the last must have transform; step %d, %s, has none"):format(i,
               estimator.name(model)), 0)
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
      local made = rows.rethrow(2, pcall(prepared, self, X))
      return (rows.rethrow(2, pcall(estimator.call, model, method, made, options)))
   end
end

function pipeline.transform(self, X, options)
   local made = rows.rethrow(2, pcall(prepared, self, X))
   return (rows.rethrow(2, pcall(composite.transform, last(self), made, options)))
end

function pipeline.inverse_transform(self, X)
   for i = #self.models, 1, -1 do
      local model = self.models[i]
      if type(model) ~= "string" then X = rows.rethrow(2, pcall(estimator.call, model, "inverse_transform", X)) end
   end
   return X
end

--- Fit in the background, where all steps are estimators of the core: the same as fit_async of those. Weights, lengths
-- and target go to the last step.
-- @return a job: done(), wait([seconds]), cancel(), progress (of the step that runs), model
function pipeline.fit_async(self, X, y, options)
   for i, model in ipairs(self.models) do
      if not of_core.is(model) then
         error(("Pipeline: fit_async needs steps that are estimators of the core, or pipelines of them; "
            .. "step %d, %s, is neither"):format(i, estimator.name(model)), 2)
      end
   end
   estimator.need_no_job(self, "fitted", 2)
   local plan = core.plan(require("manilius.select.evaluate").lower(self))
   local job = rows.rethrow(2, pcall(core.plan_fit_async, self, plan, X, y, options, of_core.take_over))
   estimator.set_job(self, job)
   return job
end

--- Names of the columns that transform gives.
function pipeline.output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   for i = #self.models, 1, -1 do
      if type(self.models[i]) ~= "string" then
         return (rows.rethrow(2, pcall(estimator.call, self.models[i], "output_names")))
      end
   end
   error("Pipeline: output_names needs a step that is an estimator", 2)
end

M.Pipeline, M.pipeline = composite.class(pipeline)

-- What a fitted pipeline tells about classes and features is what its steps tell.
local plain_index = M.pipeline.index
local from_last = { classes = true, n_targets = true }
local from_first = { n_features = true, feature_names = true }

-- What stands before it passes X as it is.
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
   learned = { n_features = "columns of X", feature_names = "names of the columns of X, from a Frame" },
   private = { sparse = true, outputs = true },
   help = {
      use = "FeatureUnion { part, { name, part }, prefix =, sparse_threshold = }",
      brief = "Several transformers of the same X; their results stand side by side.",
      params = {
         prefix = "put the name of its part and \"__\" before the name of each column",
         sparse_threshold = "the result is Sparse when a part is and the share of values that are not 0 is below this",
      },
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
         if type(model) ~= "string" and not estimator.can(model, "transform") then
            error(("FeatureUnion: all parts must have transform; part %d, %s, has none"):format(i,
               estimator.name(model)), 0)
         end
      end
   end,
}

function union.fit(self, X, y, options)
   local join = require "manilius.compose.join"
   local nested, own = composite.split_options(self, options)
   join.refuse_options(self, own)
   X = rows.x("FeatureUnion", X)
   self.n_features = rows.width(X)
   self.feature_names = rows.is_frame(X) and table.move(X.names, 1, #X.names, 1, {}) or nil
   local made = {}
   for i, model in ipairs(self.models) do made[i] = composite.fit_transform(model, X, y, nested[self.names[i]]) end
   self.sparse = join.wants_sparse(self, made)
   self.outputs = join.output_names(self, made, function() return self.feature_names end)
   return self
end

function union.transform(self, X)
   local join = require "manilius.compose.join"
   local made = {}
   for i, model in ipairs(self.models) do made[i] = rows.rethrow(2, pcall(composite.transform, model, X)) end
   return join.join(self, X, made)
end

--- Names of the columns that transform gives.
function union.output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   return table.move(self.outputs, 1, #self.outputs, 1, {})
end

M.FeatureUnion, M.union = composite.class(union)

return M
