--- Numbers of clusters: the parameter of a model, its labels for it, and the knee of a curve.

local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail = parts.fail
local M = {}

local function find(names, wanted)
   local suffix = "__" .. wanted
   for _, name in ipairs(names) do
      if name == wanted or name:sub(-#suffix) == suffix then return name end
   end
end

--- The name of the parameter for the number of clusters: n_clusters, or n_components of a clustering.
function M.param(model)
   local names = parts.sorted_keys(estimator.get_params(model))
   local name = find(names, "n_clusters")
   if name then return name end
   local last = inputs.last(model)
   local own = estimator.get_params(last).n_components ~= nil and estimator.does(last) ~= "transform"
   for _, one in ipairs(own and names or {}) do
      local step = one:match "^(.*)__n_components$"
      if one == "n_components" or (step and estimator.get_params(model)[step] == last) then return one end
   end
   fail("model must have the parameter n_clusters, but %s does not have it", estimator.name(model))
end

--- A clone with `k` clusters, fitted to X.
function M.fit(model, param, k, X)
   local clone = estimator.clone(model)
   estimator.set_params(clone, { [param] = k })
   return clone:fit(X)
end

--- The cluster of each row that `model` was fitted to.
function M.labels(model, X, n)
   local labels = estimator.learned(inputs.last(model), "labels")
   if labels and #labels == n then return labels end
   return model:predict(X)
end

--- The inertia of a fitted model, or nil.
function M.inertia(model)
   local value = estimator.learned(inputs.last(model), "inertia")
   return type(value) == "number" and value or nil
end

--- The point farthest below the line from the first to the last point, with both axes scaled to 0..1 (Satopaa et al.
-- 2011); nil if there is none.
function M.knee(x, y)
   local n, best, max_distance = #x, nil, 0
   if n < 3 or y[1] <= y[n] then return nil end
   for i = 2, n - 1 do
      local below = 1 - (x[i] - x[1]) / (x[n] - x[1]) - (y[i] - y[n]) / (y[1] - y[n])
      if below > max_distance then best, max_distance = i, below end
   end
   return best
end

return M
