--- ml.linkage, and what is done with the merges of a hierarchical clustering: cut_tree, cophenetic, leaf_order.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local rows = require "manilius.rows"

local M = { help = {} }

local METRIC = {
   metric = 'metric of AgglomerativeClustering (default "euclidean"); "precomputed": X is a matrix of distances',
   p = "exponent of the metric minkowski (default 2)",
   covariance = "covariance of the metric mahalanobis; nil: that of the rows of X",
}

local LINKAGE = {
   linkage = '"ward" (default), "complete", "average" (UPGMA), "single", "weighted" (WPGMA), "centroid" or "median"',
   connectivity = "graph of the rows that are linked: only linked clusters merge; nil: all",
}
for name, text in pairs(METRIC) do LINKAGE[name] = text end

local CUT = {
   n_clusters = "number of clusters",
   height = "distance up to which clusters are merged, inclusive",
}

M.help.linkage = {
   args = { "X" },
   brief = "The merges of a hierarchical clustering.",
   returns = "a Matrix, rows of X - 1 by 4: the two clusters, their distance, rows of the new cluster",
   options = LINKAGE,
   notes = "As scipy's linkage, but counted from 1: clusters 1 to n are the rows of X, and cluster n + i is made by "
      .. "merge i. The same as the field merges of AgglomerativeClustering.",
   example = [[
local merges = ml.linkage({ { 0 }, { 1 }, { 5 }, { 7 } }, { linkage = "average" })
print(merges, ml.cut_tree(merges, { n_clusters = 2 }))]],
}

M.help.cut_tree = {
   args = { "merges" },
   brief = "The clusters of a hierarchy at a number of clusters or a height.",
   returns = "a Vector of labels, numbered from 1 in the order of the first row of each cluster",
   options = CUT,
   notes = "merges: the result of linkage, or a fitted AgglomerativeClustering. n_clusters undoes the last merges; "
      .. "height keeps those whose distance, and that of all before them in the cluster, is at most height.",
   example = [[
local merges = ml.linkage({ { 0 }, { 1 }, { 5 }, { 7 } })
print(ml.cut_tree(merges, { n_clusters = 3 }), ml.cut_tree(merges, { height = 2.5 }))]],
}

M.help.cophenetic = {
   args = { "merges", "X" },
   brief = "The height at which each pair of rows is merged, and its correlation with distances.",
   returns = "a Matrix, rows by rows; with X also the correlation with the distances of its rows",
   options = METRIC,
   notes = "merges: the result of linkage, or a fitted AgglomerativeClustering. A correlation near 1 says that the "
      .. "hierarchy represents the distances well: Sokal & Rohlf, Taxon 11 (1962).",
   example = [[
local X = { { 0 }, { 1 }, { 5 }, { 7 } }
print(ml.cophenetic(ml.linkage(X), X))]],
}

M.help.leaf_order = {
   args = { "merges", "distances" },
   brief = "The rows in an order in which every cluster of a hierarchy is contiguous.",
   returns = "a Vector of row numbers, and the merges with their parts in that order",
   options = {},
   notes = "merges: the result of linkage, or a fitted AgglomerativeClustering. With distances, a Matrix, the parts of "
      .. "merges are exchanged so that the sum of the distances between neighbors is least, in cubic time: Bar-Joseph, "
      .. "Gifford & Jaakkola, Bioinformatics 17 (2001).",
   example = [[
local D = ml.pairwise_distances { { 3 }, { 0 }, { 1 }, { 7 } }
local merges = ml.linkage(D, { metric = "precomputed", linkage = "average" })
print(ml.leaf_order(merges), (ml.leaf_order(merges, D)))]],
}

-- The merges of a fitted model, or those given.
local function merges_of(who, value)
   if not estimator.is(value) then return value end
   local merges = estimator.learned(value, "merges")
   if merges == nil then error(("%s: the model must be an AgglomerativeClustering, got %s"):format(who,
      estimator.name(value)), 0) end
   return merges
end

local ARGUMENTS = { "merges", "distances" } -- of the functions of the core

-- The message of an error names the function of the user and its argument.
local function renamed(who, message)
   message = message:gsub("^[^\n:]*:%d+: ", "", 1):gsub("^bad argument #(%d) to '[%w_]+' %((.*)%)$", function(i, what)
      return ("%s: %s: %s"):format(who, ARGUMENTS[tonumber(i)], what)
   end)
   return (message:gsub("AgglomerativeClustering: ", who .. ": ", 1))
end

local function finish(who, ok, ...)
   local message = ...
   if not ok and type(message) == "string" then return rows.rethrow(1, false, renamed(who, message)) end
   return rows.rethrow(1, ok, ...)
end

-- The results of `make`, for `return call(who, make)`.
local function call(who, make)
   return finish(who, pcall(make))
end

--- The merges of a hierarchical clustering of the rows of X.
function M.linkage(X, options)
   options = options_of.check("linkage", options, LINKAGE, 2)
   return call("linkage", function()
      local settings = { n_clusters = 1 }
      for name, value in pairs(options) do settings[name] = value end
      return core.constructors.AgglomerativeClustering(settings):fit(X).merges
   end)
end

--- The labels at a number of clusters or a height.
function M.cut_tree(merges, options)
   options = options_of.check("cut_tree", options, CUT, 2)
   return call("cut_tree", function()
      local k, height = options.n_clusters, options.height
      if (k == nil) == (height == nil) then error("cut_tree: give either n_clusters or height", 0) end
      if k ~= nil and math.type(k) ~= "integer" then
         error(("cut_tree: n_clusters must be a whole number, got %s"):format(tostring(k)), 0)
      end
      if height ~= nil and (type(height) ~= "number" or height ~= height) then
         error(("cut_tree: height must be a number, got %s"):format(tostring(height)), 0)
      end
      return core.cut_tree(merges_of("cut_tree", merges), k, height)
   end)
end

-- The correlation of the values above the diagonals of two matrices.
local function correlation(one, two)
   local a, b = {}, {}
   for i = 1, one.rows do
      for j = i + 1, one.rows do
         a[#a + 1], b[#b + 1] = one:get(i, j), two:get(i, j)
      end
   end
   a, b = core.Vector(a), core.Vector(b)
   a, b = a - a:mean(), b - b:mean()
   return a:dot(b) / math.sqrt(a:dot(a) * b:dot(b))
end

--- The cophenetic distances of the rows, and their correlation with the distances of the rows of X.
function M.cophenetic(merges, X, options)
   options = options_of.check("cophenetic", options, METRIC, 2)
   return call("cophenetic", function()
      local heights = core.cophenetic(merges_of("cophenetic", merges))
      if X == nil then return heights end
      local D = options.metric == "precomputed" and core.Matrix(X)
         or require("manilius.neighbors.distances").pairwise_distances(X, nil, options)
      if D.rows ~= heights.rows then
         error(("cophenetic: X must have %d rows, as many as the merges, got %d"):format(heights.rows, D.rows), 0)
      end
      return heights, correlation(heights, D)
   end)
end

--- The rows in the order of the hierarchy.
function M.leaf_order(merges, distances)
   return call("leaf_order", function() return core.leaf_order(merges_of("leaf_order", merges), distances) end)
end

return M
