--- FunctionMetric: an estimator with the metric "precomputed", given distances that a Lua function measures.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local pairwise_distances = require "manilius.neighbors.distances".pairwise_distances
local rows = require "manilius.rows"
local text = require "manilius.text"

local WHO = "FunctionMetric"
local M = {}

-- Has the class the metric precomputed?
local function accepts_distances(class)
   for _, p in ipairs(class.params) do
      if p.name == "metric" then return text.contains(p.choices or {}, "precomputed") end
   end
   return false
end

-- The distances of the rows of X to those of fit.
local function distances(self, X)
   if rows.width(X) ~= self.rows_of_fit.cols then
      error(("%s: X must have %d columns, as in fit, got %d"):format(self.model.class, self.rows_of_fit.cols,
         rows.width(X)), 0)
   end
   return pairwise_distances(X, self.rows_of_fit, { metric = self.metric }, self.model.class)
end

local function is_rows(value)
   local kind = rows.kind(value)
   return kind == "Matrix" or kind == "Frame" or kind == "Sparse" or kind == "table" and #value > 0
end

local definition = {
   name = WHO,
   ours = true,
   own_rows = true,
   params = { model = estimator.NONE, metric = estimator.NONE },
   learned = { rows_of_fit = "the rows of fit" },
   private = { rows_of_fit = true },
   help = {
      brief = "An estimator whose metric is a Lua function.",
      use = "KNeighborsClassifier { metric = function(a, b) ... end, n_neighbors = 5 }",
      params = { model = "an estimator with the metric precomputed",
         metric = "f(a, b) of two Vectors, a symmetric distance >= 0" },
      notes = "Made by every estimator that has the metric precomputed if metric is a function. All distances are "
         .. "measured: rows^2 / 2 calls in fit, in one thread. It cannot be saved or exported.",
      example = [[
local function circular(a, b) return math.abs(math.sin((a[1] - b[1]) / 2)) end
local model = ml.KNeighborsClassifier { n_neighbors = 1, metric = circular }
print(model:fit({ { 0 }, { 1 }, { 5 }, { 6 } }, { "a", "a", "b", "b" }):predict { { 6.9 } })]],
   },
   does = function(self) return estimator.does(self.model) end,
   check = function(self)
      if rows.kind(self.model) ~= "Model" or not accepts_distances(estimator.describe(self.model)) then
         error(WHO .. ": model must be an estimator with the metric precomputed", 0)
      end
      if type(self.metric) ~= "function" then
         error(("%s: metric must be a function, got %s"):format(WHO, type(self.metric)), 0)
      end
   end,
   can = function(self, name)
      return name ~= "partial_fit" and name ~= "inverse_transform" and estimator.can(self.model, name)
   end,
   more_names = function(self)
      local names = {}
      for name in pairs(rawget(self, "fitted") and self.model or {}) do names[#names + 1] = name end
      return names
   end,
}

function definition.fit(self, X, y, options)
   local model = self.model:clone()
   local rows_of_fit = core.Matrix(rows.x(WHO, X))
   model:fit(pairwise_distances(rows_of_fit, nil, { metric = self.metric }, model.class), y, options)
   rawset(self, "model", model)
   rawset(self, "rows_of_fit", rows_of_fit)
end

for _, action in ipairs { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
   "score_samples" } do
   definition[action] = function(self, X)
      return (rows.rethrow(2, pcall(function() return self.model[action](self.model, distances(self, X)) end)))
   end
end

-- Fields and operations of the model: labels, kneighbors, ...
function definition.index(self, key)
   local model = rawget(self, "model")
   if type(key) ~= "string" or not rawget(self, "fitted") then return nil end
   if key == "n_features" then return self.rows_of_fit.cols end
   local ok, found = rows.try(function() return model[key] end)
   if not ok or type(found) ~= "function" then return ok and found or nil end
   return function(this, X, ...)
      if this ~= self then return found(this, X, ...) end
      if not is_rows(X) then return found(model, X, ...) end
      return (rows.rethrow(2, pcall(function(...) return found(model, distances(self, X), ...) end, ...)))
   end
end

M.FunctionMetric = estimator.class(definition)

--- The model in Lua if the metric is a function and the class has the metric precomputed, otherwise nil.
function M.of(class, constructor, settings)
   if not accepts_distances(class) then return nil end
   local own = {}
   for name, value in pairs(settings) do own[name] = value end
   own.metric = "precomputed"
   return M.FunctionMetric { model = constructor(own), metric = settings.metric }
end

return M
