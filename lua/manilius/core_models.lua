--- Models that the core can fit on its own: built-in estimators and pipelines of them.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

--- Is this a built-in estimator, "passthrough", or a pipeline of these?
function M.is(model)
   if type(model) == "string" or rows.kind(model) == "Model" then return true end
   local class = estimator.class_of(model)
   if not class or class.name ~= "Pipeline" or not class.ours then return false end
   for _, step in ipairs(model.models) do
      if not M.is(step) then return false end
   end
   return true
end

--- Does a fit of the model call a Lua function, its kernel? Then it must run on the thread of Lua.
function M.calls_lua(model)
   if rows.kind(model) == "Model" then return core.kernel.is_lua(model) end
   local parts = type(model) == "table" and rawget(model, "models")
   for _, part in ipairs(type(parts) == "table" and parts or {}) do
      if M.calls_lua(part) then return true end
   end
   return false
end

--- Does a row of X have a value for each training row, by kernel = "precomputed" or metric = "precomputed" of the model
-- or of the first step of a pipeline? A subset of the training rows then takes the same columns.
function M.needs_square(model)
   if rows.kind(model) == "Model" then return core.kernel.needs_square(model) end
   local class = estimator.class_of(model)
   if not class or class.own_rows then return false end
   local models = rawget(model, "models")
   for _, part in ipairs(type(models) == "table" and models or {}) do
      if type(part) ~= "string" then return M.needs_square(part) end
   end
   local part = rawget(model, "estimator") or rawget(model, "model")
   return estimator.is(part) and M.needs_square(part)
end

--- Raise an error if an ensemble that draws rows gets a model that needs a square X.
function M.refuse_square(who, model)
   if not M.needs_square(model) then return end
   error(("%s: estimator must not use precomputed values, because it is fitted to a sample of the rows"):format(who), 0)
end

--- Store fitted steps in a pipeline: `fitted` is a list of models, "passthrough", and such lists for nested pipelines.
function M.set_fitted(self, fitted)
   local models = {}
   for i, model in ipairs(self.models) do
      models[i] = fitted[i]
      if type(fitted[i]) == "table" then
         models[i] = estimator.clone(model)
         M.set_fitted(models[i], fitted[i])
      end
   end
   rawset(self, "models", models)
   rawset(self, "fitted", true)
end

--- The fitted model from what the core returns for `model`: a built-in model, or the list of a pipeline's steps.
function M.restore(model, fitted)
   if rows.kind(fitted) == "Model" then return fitted end
   local made = estimator.clone(model)
   M.set_fitted(made, fitted)
   return made
end

return M
