--- ml.consensus: one clustering from several, by evidence accumulation.
--
-- The co-association of two rows is the fraction of the clusterings in which they are in the same cluster. Hierarchical
-- clustering of the rows at distance 1 - co-association gives the consensus (Fred & Jain, IEEE PAMI 27, 2005).

local clusters = require "manilius.cluster.counts"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local hierarchy = require "manilius.cluster.hierarchy"
local inputs = require "manilius.plot.inputs"
local metrics = require "manilius.metrics"
local options_of = require "manilius.options"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"
local warnings = require "manilius.warnings"

local fail = parts.fail
local M = { help = {} }

local WHO = "consensus"

-- --- the result ---

local Consensus = { __name = "Consensus" }
Consensus.__index = Consensus

function Consensus.__tostring(self)
   local lines = { { "cluster", "rows", "confidence" } }
   for c = 1, self.n_clusters do
      local members = self.labels:eq(c):nonzero()
      lines[c + 1] = { tostring(c), tostring(#members), ("%.3f"):format(self.confidence:take(members):mean()) }
   end
   return ("%s from %s, which agree with it by %.3f on average (adjusted Rand index)\n%s"):format(
      text.plural(self.n_clusters, "cluster"), text.plural(self.n_clusterings, "clustering"), self.agreement:mean(),
      text.aligned(lines))
end

--- Heat map of the co-association matrix, sorted by cluster.
-- @return Figure
function Consensus:plot(options)
   return (require("manilius.plot").consensus(self, options or {}))
end

-- --- clusterings ---

-- Labels of one given clustering as a Factor.
local function labels_of(given, i, X)
   local where = "clusterings: number " .. i
   if estimator.is(given) then
      local labels = estimator.learned(inputs.last(inputs.model(given)), "labels")
      if not labels and X == nil then fail("%s has no labels; give X, for which it predicts them", where) end
      given = X ~= nil and clusters.labels(given, X, rows.count(X)) or labels
   end
   if rows.kind(given) == "Factor" then return given end
   return parts.labels(where, given)
end

local function given_clusterings(list, X)
   if type(list) ~= "table" or estimator.is(list) or #list < 2 then
      fail("clusterings must be a list of at least two label vectors or fitted models, got %s", parts.text(list))
   end
   local out = {}
   for i, one in ipairs(list) do
      out[i] = labels_of(one, i, X)
      if #out[i] ~= #out[1] then
         fail("clusterings must have the same rows, but number 1 has %d and number %d has %d", #out[1], i, #out[i])
      end
   end
   return out
end

-- Clusterings of one model with other seeds and numbers of clusters.
local function made_clusterings(model, X, o)
   X = rows.x(WHO, X, 0)
   local n, param, out = rows.count(X), clusters.param(model), {}
   local range = o.k or { 2, math.max(2, math.min(n, math.floor(math.sqrt(n)))) }
   local valid = type(range) == "table" and #range == 2 and math.type(range[1]) == "integer"
      and math.type(range[2]) == "integer" and range[1] >= 1 and range[1] <= range[2] and range[2] <= n
   if not valid then fail("k must be { from, to } with whole numbers from 1 to %d, got %s", n, parts.text(o.k)) end
   local count, seed = parts.whole(o, "n", 50, 2), parts.whole(o, "seed", 0, 0)
   local last = inputs.last(model)
   local seed_param = param:gsub("n_%a+$", "seed")
   local has_seed = estimator.get_params(last).seed ~= nil
   local shown <close> = progress.task(WHO, count)
   for i = 1, count do
      local k = range[1] + math.floor(core.rng(seed, i):uniform() * (range[2] - range[1] + 1))
      local clone = estimator.clone(model)
      estimator.set_params(clone, { [param] = math.min(k, range[2]) })
      if has_seed then estimator.set_params(clone, { [seed_param] = seed * 1000 + i }) end
      out[i] = parts.labels("labels", clusters.labels(clone:fit(X), X, n))
      shown:at(i)
   end
   return out
end

-- --- evidence ---

local function is_noise(level) return level == -1 end

-- The fraction of the clusterings in which two rows are together; a row that is noise is alone.
local function associate(list)
   local n, blocks = #list[1], {}
   for _, factor in ipairs(list) do
      for _, level in ipairs(factor.levels) do
         if not is_noise(level) then blocks[#blocks + 1] = factor:eq(level) end
      end
   end
   local H = core.hcat(table.unpack(blocks))
   local together = H * H:t() * (1 / #list)
   for i = 1, n do together:set(i, i, 1) end
   return together
end

-- The number of clusters that exists over the longest range of heights.
local function longest_lifetime(merges, n)
   local best, longest = 1, -1
   for k = 1, n - 1 do
      local height = merges:get(n - k, 3)
      local life = (k == 1 and 1 or merges:get(n - k + 1, 3)) - height
      if life > longest + 1e-12 then best, longest = k, life end
   end
   return best
end

-- The mean co-association of each row with the other rows of its cluster; 1 for a row that is alone.
local function confidences(together, labels, k)
   local out = core.Vector(#labels)
   for c = 1, k do
      local members = labels:eq(c):nonzero()
      local sums = together:take(members):select(members:totable()):sum "rows"
      for i = 1, #members do
         out[math.tointeger(members[i])] = #members > 1 and (sums[i] - 1) / (#members - 1) or 1
      end
   end
   return out
end

local LINKAGES = { "average", "single", "complete" }

local function consensus(first, X, o)
   local list = estimator.is(first) and made_clusterings(inputs.model(first), X, o) or given_clusterings(first, X)
   local n = #list[1]
   if n < 2 then fail("clusterings must have at least two rows, got %d", n) end
   local together = associate(list)
   local settings = { metric = "precomputed", linkage = parts.choice(o, "linkage", LINKAGES, "average") }
   local distances = (together * -1 + 1):maximum(core.zeros(n, n))
   local merges = hierarchy.linkage(distances, settings)
   local k = parts.whole(o, "n_clusters", longest_lifetime(merges, n), 1)
   if k > n then fail("n_clusters must be at most the number of rows, %d, got %d", n, k) end
   local labels = hierarchy.cut_tree(merges, { n_clusters = k })
   local agreement = {}
   for i, one in ipairs(list) do agreement[i] = metrics.ari(one, labels) end
   return setmetatable({ labels = labels, n_clusters = k, n_clusterings = #list, coassociation = together,
      confidence = confidences(together, labels, k), agreement = core.Vector(agreement), merges = merges },
      Consensus)
end

M.help.consensus = {
   name = WHO, args = { "clusterings", "X" },
   brief = "One clustering from several: rows that are often together form a cluster.",
   formula = "distance of two rows = 1 - fraction of the clusterings in which they are in the same cluster",
   returns = "an object that prints its clusters: labels (from 1), n_clusters, confidence (of each row: mean "
      .. "co-association with its cluster), agreement (of each clustering), coassociation (Matrix), merges; :plot()",
   options = {
      n_clusters = "number of clusters; default: that of the longest lifetime in the hierarchy",
      linkage = "'average' (default), 'single' or 'complete' linkage of the hierarchy",
      n = "for a model: number of clusterings; default 50",
      k = "for a model: { from, to } of its number of clusters, drawn at random; default { 2, square root of rows }",
      seed = "for a model: seed; default 0",
   },
   notes = "Accepts a list of label vectors and fitted models (with X, models predict; without, their labels are "
      .. "used), or one model and X, which is fitted n times with other seeds and numbers of clusters. Many small "
      .. "clusters of k-means joined by single linkage find shapes that k-means alone cannot. Rows with the label -1 "
      .. "are with no other row. Needs 16 n^2 bytes.",
   source = "Fred & Jain, IEEE PAMI 27 (2005)",
   example = [[
local X = ml.vcat(ml.normal(60, 2, 1), ml.normal(60, 2, 2) + 5)
print(ml.consensus(ml.KMeans {}, X, { n = 20 }))]],
}

--- Combine clusterings; see M.help.
function M.consensus(clusterings, X, options)
   if options == nil and type(X) == "table" and X[1] == nil and next(X) ~= nil and rows.kind(X) == "table" then
      X, options = nil, X
   end
   options = options_of.check(WHO, options, M.help.consensus.options, 2)
   return parts.finish(WHO, warnings.once(consensus, clusterings, X, options))
end

return M
