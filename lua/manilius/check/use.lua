--- How the demands of manilius.check use an estimator: all its actions on rows, its learned values, its operations.
-- @module manilius.check.use

local data = require "manilius.check.data"
local tools = require "manilius.check.tools"

local M = {}

--- Actions that take rows as fit does, in the order in which they are tried.
M.actions = { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples" }

--- A fitted model and the problem it was fitted to. options: those of check_data.make, and settings = {...}.
function M.fitted(new, class, options)
   local problem = data.make(class, options)
   local model = new(options and options.settings)
   model:fit(problem.X, problem.y)
   return model, problem
end

--- Has the model this action? Settings may rule out what its class can.
function M.able(model, class, action)
   return class.can[action] and (not class.core or model:can(action))
end

--- What all actions give for X: { predict = ..., ... }, and inverse_transform of what transform gives.
function M.outputs(model, class, X)
   local out = {}
   for _, action in ipairs(M.actions) do
      if M.able(model, class, action) then out[action] = model[action](model, X) end
   end
   if class.can.inverse_transform and out.transform then
      -- Settings may rule it out; then it says so.
      local ok, back = tools.works_or_says("inverse_transform", model.inverse_transform, model, out.transform)
      if ok then out.inverse_transform = back end
   end
   return out
end

--- The first difference between two sets of outputs, by `compare` (a function of tools), or nil.
function M.difference(a, b, compare, tolerance)
   for action, result in pairs(a) do
      local ok, where = compare(result, b[action], tolerance)
      if not ok then return ("%s gives %s"):format(action, where) end
   end
   return nil
end

--- Both models must give the same bits for X.
function M.same_outputs(what, class, one, two, X)
   local difference = M.difference(M.outputs(one, class, X), M.outputs(two, class, X), tools.equal)
   tools.need(not difference, "%s: %s", what, difference)
end

--- Both models must give about the same for X: what a random or an iterative method may leave open is allowed for.
function M.close_outputs(what, class, one, two, X, tolerance)
   local a, b = M.outputs(one, class, X), M.outputs(two, class, X)
   if class.does.random then
      if not a.predict then return end
      local measure = class.does.cluster and tools.rand_index or tools.agreement
      local alike = class.does.regress and 1 or measure(a.predict, b.predict)
      tools.need(alike >= 0.9, "%s: predictions agree to %.2f only", what, alike)
      return
   end
   local difference = M.difference(a, b, tools.near, tolerance)
   tools.need(not difference, "%s: %s", what, difference)
end

--- Settings that let an iterative fit come as near to its optimum as it can.
function M.precise(class)
   local tol, most = data.has_param(class, "tol"), data.has_param(class, "max_iter")
   return { tol = tol and 1e-12 or nil, max_iter = most and 5000 or nil }
end

--- How near two fits must be whose data mean the same. A search along a line ends at the root of the precision.
function M.tolerance(class)
   return class.does.iterate and 1e-5 or 1e-7
end

--- Call an operation of a fitted model with what it needs.
function M.operate(model, operation, problem)
   local arguments = {}
   if operation.needs_x then arguments[#arguments + 1] = problem.X end
   if operation.needs_y then arguments[#arguments + 1] = problem.y end
   return model[operation.name](model, table.unpack(arguments))
end

--- All learned values that can be read.
function M.learned(model, class)
   local out = {}
   for _, field in ipairs(class.fields) do out[field.name] = model[field.name] end
   return out
end

return M
