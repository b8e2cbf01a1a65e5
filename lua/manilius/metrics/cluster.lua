--- Metrics of clusterings, with or without true labels, and of embeddings.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"

local core_metrics = core.metrics
local fail = parts.fail

-- --- two partitions of the same rows ---

-- Counts of core_metrics.agreement, and the numbers of ordered pairs of rows that are in the same part of both
-- partitions (`both`), only of y (`first`), only of labels (`second`), or of neither (`none`).
local function agreement(y, labels, o, expected)
   y, labels = parts.labels("y", y), parts.labels("labels", labels)
   parts.same_length("y", #y, "labels", #labels)
   local w = parts.weights(o, #y)
   if expected and w and (w:floor() - w):abs():sum() > 0 then
      fail("weights must be whole numbers, because the chance adjustment requires counts")
   end
   local g = core_metrics.agreement(y, labels, w, expected or false)
   g.both = g.cells - g.total
   g.first, g.second = g.a_cells - g.cells, g.b_cells - g.cells
   g.none = g.total * g.total - g.first - g.second - g.cells
   return g
end

local function ari(y, labels, o)
   local g = agreement(y, labels, o)
   if g.first == 0 and g.second == 0 then return 1.0 end
   return 2 * (g.both * g.none - g.first * g.second) / ((g.both + g.first) * (g.first + g.none)
      + (g.both + g.second) * (g.second + g.none))
end

local function rand(y, labels, o)
   local g = agreement(y, labels, o)
   local pairs_ = g.total * (g.total - 1)
   if pairs_ <= 0 then return 1.0 end
   return (g.both + g.none) / pairs_
end

local function fowlkes_mallows(y, labels, o)
   local g = agreement(y, labels, o)
   if g.both <= 0 then return 0.0 end
   return math.sqrt(g.both / (g.a_cells - g.total)) * math.sqrt(g.both / (g.b_cells - g.total))
end

local function mutual_information(y, labels, o)
   return agreement(y, labels, o).information
end

local MEANS = {
   arithmetic = function(a, b) return (a + b) / 2 end,
   geometric = function(a, b) return math.sqrt(a * b) end,
   min = math.min,
   max = math.max,
}

local function mean_entropy(g, o)
   return MEANS[parts.choice(o, "average", { "arithmetic", "geometric", "min", "max" }, "arithmetic")](g.a_entropy,
      g.b_entropy)
end

local function nmi(y, labels, o)
   local g = agreement(y, labels, o)
   local whole = mean_entropy(g, o)
   if g.a_parts == 1 and g.b_parts == 1 then return 1.0 end
   if g.information == 0 then return 0.0 end
   return g.information / whole
end

local MIN_MAGNITUDE = 2.0 ^ -52

-- Bound the magnitude from below to avoid a division by zero.
local function off_zero(value)
   return value < 0 and math.min(value, -MIN_MAGNITUDE) or math.max(value, MIN_MAGNITUDE)
end

local function ami(y, labels, o)
   local g = agreement(y, labels, o, true)
   local whole = mean_entropy(g, o)
   if g.a_parts == 1 and g.b_parts == 1 then return 1.0 end
   if g.a_parts == 1 or g.b_parts == 1 then return 0.0 end
   return off_zero(g.information - g.expected) / off_zero(whole - g.expected)
end

local function share(information, entropy)
   return entropy == 0 and 1.0 or information / entropy
end

local function homogeneity(y, labels, o)
   local g = agreement(y, labels, o)
   return share(g.information, g.a_entropy)
end

local function completeness(y, labels, o)
   local g = agreement(y, labels, o)
   return share(g.information, g.b_entropy)
end

local function v_measure(y, labels, o)
   local beta = parts.number(o, "beta", 1, 0, 1e300)
   local g = agreement(y, labels, o)
   local h, c = share(g.information, g.a_entropy), share(g.information, g.b_entropy)
   if h + c == 0 or beta * h + c == 0 then return 0.0 end
   return (1 + beta) * h * c / (beta * h + c)
end

local function define_partitions(M)
   local function add(name, fn, brief, more, source)
      local options = { weights = parts.WEIGHTS }
      for option, help in pairs(more or {}) do options[option] = help end
      parts.define(M, name, { args = { "y", "labels" }, brief = brief, options = options, fn = fn, source = source })
   end
   local average = { average = "mean of the two entropies: 'arithmetic' (default), 'geometric', 'min' or 'max'" }
   add("ari", ari, "Adjusted Rand index: 1 for equal partitions, 0 expected by chance.", nil,
      "Hubert & Arabie (1985)")
   add("rand", rand, "Rand index: fraction of the pairs of rows on which both partitions agree.", nil, "Rand (1971)")
   add("fowlkes_mallows", fowlkes_mallows, "Geometric mean of the precision and recall of pairs of rows.", nil,
      "Fowlkes & Mallows (1983)")
   add("mutual_information", mutual_information, "Mutual information of the partitions, in nats.")
   add("nmi", nmi, "Normalized mutual information: divided by the mean entropy.", average)
   add("ami", ami, "Adjusted mutual information: 1 for equal partitions, 0 expected by chance.", average,
      "Vinh, Epps & Bailey (2010)")
   add("homogeneity", homogeneity, "Degree to which each cluster contains one class only, 0 to 1.")
   add("completeness", completeness, "Degree to which each class lies in one cluster only, 0 to 1.")
   add("v_measure", v_measure, "Harmonic mean of homogeneity and completeness.",
      { beta = "weight of completeness relative to homogeneity; default 1" }, "Rosenberg & Hirschberg (2007)")
end

-- --- internal metrics ---

local METRICS = { "euclidean", "manhattan", "cosine", "precomputed" }
local METRIC = "'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances"

local function rows_of_weight(w)
   local keep, all = {}, true
   for i = 1, #w do
      if w[i] > 0 then keep[#keep + 1] = i else all = false end
   end
   return not all and core.Vector(keep) or nil
end

-- X, labels and weights; with `drop` without rows of weight 0.
local function data(X, labels, o, drop)
   local n
   X, n = parts.numbers("X", X)
   labels = parts.labels("labels", labels)
   parts.same_length("X", n, "labels", #labels)
   local w = parts.weights(o, n)
   local keep = drop and w and rows_of_weight(w)
   if keep then return core.Matrix(X):take(keep), labels:take(keep), w:take(keep), keep end
   return core.Matrix(X), labels, w
end

local function metric_of(X, o)
   local metric = parts.choice(o, "metric", METRICS, "euclidean")
   if metric == "precomputed" then
      if X.rows ~= X.cols then fail("distances must be square, got %d x %d", X.rows, X.cols) end
      if X:min() < 0 then fail("distances must be >= 0, got %g", X:min()) end
   end
   return metric
end

local function take_both(X, metric, rows)
   X = X:take(rows)
   return metric == "precomputed" and X:select(rows) or X
end

local function silhouette_samples(X, labels, o)
   local w
   X, labels, w = data(X, labels, o)
   return core_metrics.silhouettes(X, labels, w, metric_of(X, o))
end

local function silhouette(X, labels, o)
   local w
   X, labels, w = data(X, labels, o)
   local metric = metric_of(X, o)
   local sample = parts.whole(o, "sample", #labels, 3)
   local keep = w and rows_of_weight(w)
   if keep then X, labels, w = take_both(X, metric, keep), labels:take(keep), w:take(keep) end
   if sample < #labels then
      local rows = core.permutation(#labels, parts.whole(o, "seed", 0, math.mininteger)):slice(1, sample):sort()
      X, labels, w = take_both(X, metric, rows), labels:take(rows), w and w:take(rows)
   end
   local each = core_metrics.silhouettes(X, labels, w, metric)
   return w and each:dot(w) / w:sum() or each:mean()
end

local function from_centers(name)
   return function(X, labels, o)
      local w
      X, labels, w = data(X, labels, o, true)
      return core_metrics[name](X, labels, w)
   end
end

local function define_clusters(M)
   local function add(name, fn, brief, more, source)
      local options = { weights = parts.WEIGHTS }
      for option, help in pairs(more or {}) do options[option] = help end
      parts.define(M, name, { args = { "X", "labels" }, brief = brief, options = options, fn = fn, source = source })
   end
   add("silhouette", silhouette,
      "Mean silhouette, -1 to 1: separation from the nearest other cluster.",
      { metric = METRIC, sample = "number of rows to sample at random; default: all",
         seed = "seed of the sample; default 0" },
      "Rousseeuw (1987)")
   add("silhouette_samples", silhouette_samples, "The silhouette of every row, a Vector.", { metric = METRIC },
      "Rousseeuw (1987)")
   add("calinski_harabasz", from_centers "calinski_harabasz",
      "Ratio of between-cluster to within-cluster dispersion; higher is better.", nil, "Calinski & Harabasz (1974)")
   add("davies_bouldin", from_centers "davies_bouldin",
      "Mean similarity of each cluster to its most similar one; lower is better.", nil, "Davies & Bouldin (1979)")
end

-- --- embeddings ---

local function points(X, Z, o)
   local n, m
   X, n = parts.numbers("X", X)
   Z, m = parts.numbers("points", Z)
   parts.same_length("X", n, "points", m)
   X = core.Matrix(X)
   return X, core.Matrix(Z), metric_of(X, o), n
end

local function neighbor_preservation(transposed)
   return function(X, Z, o)
      local metric, n
      X, Z, metric, n = points(X, Z, o)
      local k = parts.whole(o, "k", 5, 1)
      if 2 * k >= n then fail("k must be less than half the rows, %d, got %d", n, k) end
      return core_metrics.trustworthiness(X, Z, k, metric, transposed, parts.weights(o, n))
   end
end

local function stress(X, Z, o)
   local metric, n
   X, Z, metric, n = points(X, Z, o)
   local off, whole = core_metrics.stress(X, Z, parts.weights(o, n), metric)
   if not parts.flag(o, "normalized", true) then return off / 2 end
   if whole == 0 then fail("X must have at least two different rows") end
   return math.sqrt(off / whole)
end

local function define_embeddings(M)
   local near = { k = "number of neighbors, less than half the rows; default 5", metric = METRIC,
      weights = "weight of each row in the mean; its neighbors count 1 each" }
   local source = "Venna & Kaski (2001)"
   parts.define(M, "trustworthiness", { args = { "X", "points" }, options = near, fn = neighbor_preservation(false),
      brief = "Fraction of neighbors in the embedding that are neighbors in X; 1 is perfect.", source = source })
   parts.define(M, "continuity", { args = { "X", "points" }, options = near, fn = neighbor_preservation(true),
      brief = "Fraction of neighbors in X that are neighbors in the embedding; 1 is perfect.", source = source })
   parts.define(M, "stress", { args = { "X", "points" }, fn = stress,
      brief = "Kruskal stress of an embedding: 0 is perfect, 0.1 fair, 0.2 poor.",
      formula = "sqrt(sum (d - e)^2 / sum d^2) over pairs, d in X and e between points",
      options = { weights = parts.WEIGHTS, metric = METRIC,
         normalized = "false: the plain sum of (d - e)^2 over pairs; default true" }, source = "Kruskal (1964)" })
end

return function(M)
   define_partitions(M)
   define_clusters(M)
   define_embeddings(M)
end
