--- Models that the core can fit by itself and give back: its own estimators, and pipelines of them.
-- @module manilius.core_names

local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

--- Is it an estimator of the core, "passthrough", or a pipeline of these?
function M.is(model)
   if type(model) == "string" or rows.kind(model) == "Model" then return true end
   local class = estimator.class_of(model)
   if not class or class.name ~= "Pipeline" or not class.ours then return false end
   for _, step in ipairs(model.models) do
      if not M.is(step) then return false end
   end
   return true
end

--- Put fitted steps into a pipeline: `fitted` is a list of models, "passthrough", and such lists for pipelines within.
function M.take_over(self, fitted)
   local models = {}
   for i, model in ipairs(self.models) do
      models[i] = fitted[i]
      if type(fitted[i]) == "table" then
         models[i] = estimator.clone(model)
         M.take_over(models[i], fitted[i])
      end
   end
   rawset(self, "models", models)
   rawset(self, "fitted", true)
end

--- The fitted model from what the core gives for `model`: a model of its own, or the list of a pipeline's steps.
function M.restore(model, fitted)
   if rows.kind(fitted) == "Model" then return fitted end
   local made = estimator.clone(model)
   M.take_over(made, fitted)
   return made
end

return M
