--- Calls of an estimator for the demands of manilius.check: its actions, learned fields and operations.

local core = require "manilius.core"
local data = require "manilius.check.data"
local tools = require "manilius.check.tools"

local M = {}

--- Methods that take an X like that of fit, in the order in which they are called.
M.actions = { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples" }

--- A fitted model and the problem it was fitted to. options: those of data.make, and settings.
function M.fitted(new, class, options)
   local problem = data.make(class, options)
   local model = new(options and options.settings)
   model:fit(problem.X, problem.y, options and options.fit_options)
   return model, problem
end

--- The bytes of the archive of a model.
function M.dump(model) return model:dump() end

--- Does the model support this action? Settings may disable some actions of its class.
function M.able(model, class, action)
   return class.can[action] and (not class.core or model:can(action))
end

--- The results of all actions for X, { predict = ..., ... }, and inverse_transform of the result of transform.
function M.outputs(model, class, X)
   local out = {}
   for _, action in ipairs(M.actions) do
      if M.able(model, class, action) then out[action] = model[action](model, X) end
   end
   if class.can.inverse_transform and out.transform then
      -- Settings may disable it; then it must raise a clear error.
      local ok, back = tools.succeeds_or_explains("inverse_transform", model.inverse_transform, model, out.transform)
      if ok then out.inverse_transform = back end
   end
   return out
end

--- The first difference between two sets of outputs, or nil. compare: tools.equal or tools.near.
function M.difference(a, b, compare, tolerance)
   for action, result in pairs(a) do
      local ok, where = compare(result, b[action], tolerance)
      if not ok then return ("%s gives %s"):format(action, where) end
   end
   return nil
end

--- Both models must give bit-identical outputs for X.
function M.same_outputs(what, class, one, two, X)
   local difference = M.difference(M.outputs(one, class, X), M.outputs(two, class, X), tools.equal)
   tools.need(not difference, "%s: %s", what, difference)
end

--- Both models must give nearly the same outputs for X; predictions of random methods must agree for 90% of the rows.
function M.close_outputs(what, class, one, two, X, tolerance)
   local a, b = M.outputs(one, class, X), M.outputs(two, class, X)
   if class.does.random then
      if not a.predict then return end
      local measure = class.does.cluster and tools.rand_index or tools.agreement
      local alike = class.does.regress and 1 or measure(a.predict, b.predict)
      tools.need(alike >= 0.9, "%s: predictions agree for a fraction of only %.2f", what, alike)
      return
   end
   local difference = M.difference(a, b, tools.near, tolerance)
   tools.need(not difference, "%s: %s", what, difference)
end

--- Settings that make an iterative fit converge as far as possible.
function M.precise(class)
   local tol, max_iter = data.has_param(class, "tol"), data.has_param(class, "max_iter")
   return { tol = tol and 1e-12 or nil, max_iter = max_iter and 5000 or nil }
end

--- Tolerance for comparing fits to equivalent data. Line searches converge to about the square root of the precision.
function M.tolerance(class)
   return class.does.iterate and 1e-5 or 1e-7
end

--- Call an operation of a fitted model with the arguments it requires, and with rows if it takes them. One that changes
-- the model gets a copy.
function M.operate(model, operation, problem)
   local arguments = {}
   if operation.modifies then model = core.load_model(model:dump()) end
   if operation.needs_x then arguments[#arguments + 1] = problem.X end
   if operation.needs_y then arguments[#arguments + 1] = problem.y end
   if operation.takes_rows then model[operation.name](model, problem.X, problem.y) end
   return model[operation.name](model, table.unpack(arguments))
end

--- All learned fields by name.
function M.learned(model, class)
   local out = {}
   for _, field in ipairs(class.fields) do out[field.name] = model[field.name] end
   return out
end

return M
