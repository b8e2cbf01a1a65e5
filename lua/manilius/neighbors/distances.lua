--- ml.pairwise_distances: matrices of distances, also by a function of the user.

local core = require "manilius.core"
local options_of = require "manilius.options"
local rows = require "manilius.rows"

local WHO = "pairwise_distances"

local M = { help = {} }

local OPTIONS = {
   metric = 'a metric of NearestNeighbors (default "euclidean"), or f(a, b) of two Vectors, a symmetric distance >= 0',
   p = "exponent of the metric minkowski (default 2)",
   covariance = "covariance of the metric mahalanobis; nil: that of the rows of Y",
}

M.help.pairwise_distances = {
   args = { "X", "Y" },
   brief = "The distances between the rows of X and those of Y; Y nil: of X.",
   returns = "a Matrix, rows of X by rows of Y",
   options = OPTIONS,
   notes = "With the metric precomputed, estimators accept the result as X: fit(pairwise_distances(X)), then "
      .. "predict(pairwise_distances(Z, X)). They do so themselves if their metric is a function.",
   example = [[
local X, y = { { 0 }, { 1 }, { 5 }, { 6 } }, { "a", "a", "b", "b" }
local function circular(a, b) return math.abs(math.sin((a[1] - b[1]) / 2)) end
local D = ml.pairwise_distances(X, nil, { metric = circular })
local model = ml.KNeighborsClassifier { n_neighbors = 1, metric = "precomputed" }:fit(D, y)
print(model:predict(ml.pairwise_distances({ { 6.9 } }, X, { metric = circular })))]],
}

-- A row as a Vector of its own: the user may keep it.
local function row_vectors(X)
   local list = {}
   for i = 1, X.rows do list[i] = core.Vector(X:row(i)) end
   return list
end

local function measured(metric, a, b, i, j)
   local distance = metric(a, b)
   local valid = type(distance) == "number" and distance >= 0
   if not valid then
      error(("the function must return a number >= 0, got %s for rows %d and %d"):format(tostring(distance), i,
         j), 0)
   end
   return distance
end

local function measure_pairs(X, Y, metric)
   local left = row_vectors(X)
   local right = Y and row_vectors(Y) or left
   local out = core.zeros(#left, #right)
   for i = 1, #left do
      for j = Y and 1 or i + 1, #right do
         local distance = measured(metric, left[i], right[j], i, j)
         out:set(i, j, distance)
         if not Y then out:set(j, i, distance) end
      end
   end
   return out
end

-- Distances by the metric f(a, b) of the user, whose errors get the name of the caller.
local function by_function(who, X, Y, metric)
   local ok, result = rows.try(measure_pairs, X, Y, metric)
   if ok then return result end
   error(type(result) == "string" and ("%s: metric: %s"):format(who, result) or result, 0)
end

local function make(who, X, Y, options)
   if options == nil and rows.kind(Y) == "table" and (Y.metric or Y.p or Y.covariance) then
      error(WHO .. ": Y must be rows or nil; options are the third argument: (X, nil, options)", 0)
   end
   options = options_of.check(WHO, options, OPTIONS, 1)
   local metric = options.metric or "euclidean"
   if metric == "precomputed" then error(WHO .. ": the metric precomputed has no rows to measure", 0) end
   if type(metric) == "function" then
      return by_function(who, core.Matrix(X), Y ~= nil and core.Matrix(Y) or nil, metric)
   end
   local model = core.constructors.NearestNeighbors {
      metric = metric, p = options.p, covariance = options.covariance, algorithm = "brute",
   }
   local of = Y == nil and X or Y
   model:fit(of)
   local dense = rows.kind(X) ~= "Sparse" and rows.kind(of) ~= "Sparse"
   if Y == nil or dense then return model:distances(Y ~= nil and X or nil) end
   return model:kneighbors_graph(X, { n_neighbors = rows.count(of), mode = "distance" }):todense()
end

--- The distances between the rows of X and those of Y. Errors of a metric that is a function name `who`, by default
--- this function.
function M.pairwise_distances(X, Y, options, who)
   local ok, result = pcall(make, type(who) == "string" and who or WHO, X, Y, options)
   if not ok and not who and type(result) == "string" then
      result = result:gsub("NearestNeighbors: ", WHO .. ": ", 1)
   end
   return (rows.rethrow(2, ok, result))
end

return M
