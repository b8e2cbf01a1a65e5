--- ml.choose_k: clusterings for several numbers of clusters, compared by several criteria.

local clusters = require "manilius.cluster.counts"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local majority = require "manilius.majority"
local metrics = require "manilius.metrics"
local options_of = require "manilius.options"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"
local warnings = require "manilius.warnings"

local fail = parts.fail
local M = { help = {} }

local WHO, NAN = "choose_k", 0 / 0

-- --- the result ---

local Choice = { __name = "ChoiceOfK" }
Choice.__index = Choice

-- Columns of the table, in this order, and how many digits they show.
local TITLES = { elbow = "within", gap = "gap", silhouette = "silhouette", calinski_harabasz = "calinski_harabasz",
   davies_bouldin = "davies_bouldin", stability = "stability", bic = "bic" }

function Choice.__tostring(self)
   local lines = { { "clusters" } }
   for i = 1, #self.counts do lines[i + 1] = { tostring(self.counts[i]) } end
   for _, name in ipairs(self.criteria) do
      local values = self.table[TITLES[name]]
      table.insert(lines[1], name)
      for i, value in ipairs(text.numbers(values:totable(), 4, "-")) do
         table.insert(lines[i + 1], value .. (self.best[name] == self.counts[i] and " *" or "  "))
      end
   end
   return ("%s: %s by most criteria (*: the choice of each)\n%s"):format(self.model,
      text.plural(self.k, "cluster"), text.aligned(lines))
end

--- One panel for each criterion, with its choice.
-- @return Figure
function Choice:plot(options)
   return (require("manilius.plot").choose_k(self, options or {}))
end

-- --- criteria ---

-- The sum of squared distances of the rows from the means of their clusters.
local function within(X, labels)
   local sum, factor = 0, core.Factor(labels:totable())
   for _, level in ipairs(factor.levels) do
      local members = X:take(factor:eq(level):nonzero())
      sum = sum + (members:std("cols", 0) ^ 2):sum() * members.rows
   end
   return sum
end

local function count_clusters(labels)
   return #core.Factor(labels:totable()).levels
end

-- A measure of X and labels; undefined for a single cluster, or for as many as rows.
local function measure(name)
   return function(task, labels)
      local k = count_clusters(labels)
      if k < 2 or k >= #labels then return NAN end
      return metrics[name](task.numbers, labels, name == "silhouette" and { metric = task.metric,
         sample = math.min(task.sample, #labels), seed = task.seed } or nil)
   end
end

-- The inertia of the model if it learns one, else the sum of squares of numeric columns.
local function dispersion(task, labels, fitted)
   return clusters.inertia(fitted) or within(task.numbers, labels)
end

-- Rows without structure: uniform in the range of each principal component, or of each column, of X as the last step
-- sees it.
local function reference_rows(task, X, b)
   local pca = task.reference == "pca" and require("manilius").PCA {}:fit(X) or nil
   local Z = pca and pca:transform(X) or X
   local U = core.random(Z.rows, Z.cols, task.seed + b)
   for j = 1, Z.cols do
      local column = Z:col(j)
      local low, high = column:min(), column:max()
      for i = 1, Z.rows do U:set(i, j, low + (high - low) * U:get(i, j)) end
   end
   return pca and pca:inverse_transform(U) or U
end

-- E log W of the references minus log W (Tibshirani, Walther & Hastie 2001), and its standard error.
local function gaps(task)
   local gap, se, logs = {}, {}, {}
   local last, param = inputs.last(task.estimator), task.param:match "n_%a+$"
   for b = 1, task.references do
      local made = reference_rows(task, task.prepared[1], b)
      for i, k in ipairs(task.counts) do
         local fitted = clusters.fit(last, param, k, made)
         logs[i] = logs[i] or {}
         logs[i][b] = math.log(within(made, clusters.labels(fitted, made, task.n)))
         task.tick()
      end
   end
   for i = 1, #task.counts do
      local list = core.Vector(logs[i])
      gap[i] = list:mean() - math.log(within(task.prepared[i], task.labels[i]))
      se[i] = list:std(0) * math.sqrt(1 + 1 / task.references)
   end
   return gap, se
end

-- The mean adjusted Rand index of clusterings of two samples of the rows, on the rows that both have (Ben-Hur,
-- Elisseeff & Guyon 2002). No clustering has to predict new rows.
local function stability(task, k)
   if k == 1 then return NAN end
   local sum, size = 0, math.max(k, math.floor(task.fraction * task.n))
   for b = 1, task.pairs do
      local rng, found = core.rng(task.seed, b), {}
      for s = 1, 2 do
         local places = rng:permutation(task.n):slice(1, size):sort()
         local X = rows.take(task.X, places)
         local fitted = clusters.fit(task.estimator, task.param, k, X)
         local labels = clusters.labels(fitted, X, size)
         for i = 1, size do
            local place = math.tointeger(places[i])
            found[place] = found[place] or {}
            found[place][s] = labels[i]
         end
         task.tick()
      end
      local first, second = {}, {}
      for _, both in pairs(found) do
         if both[1] and both[2] then first[#first + 1], second[#second + 1] = both[1], both[2] end
      end
      sum = sum + metrics.ari(first, second)
   end
   return sum / task.pairs
end

local function extreme(sign)
   return function(counts, values)
      local best
      for i, value in ipairs(values) do
         if value == value and (not best or sign * value > sign * values[best]) then best = i end
      end
      return counts[best]
   end
end

-- The largest k of the most stable ones, because few clusters are often stable for any data.
local function most_stable(counts, values)
   local best
   for i, value in ipairs(values) do
      if value == value and (not best or value >= values[best] - 1e-12) then best = i end
   end
   return counts[best]
end

-- The smallest k whose gap is within one standard error of the next; nil if gaps are undefined (all rows equal).
local function first_gap(counts, gap, se)
   for i = 1, #counts - 1 do
      if gap[i] >= gap[i + 1] - se[i + 1] then return counts[i] end
   end
   return gap[#gap] == gap[#gap] and counts[#counts] or nil
end

local CRITERIA = {
   elbow = { value = dispersion, best = function(counts, values) return counts[clusters.knee(counts, values)] end },
   silhouette = { value = measure "silhouette", best = extreme(1), numeric = true },
   calinski_harabasz = { value = measure "calinski_harabasz", best = extreme(1), numeric = true },
   davies_bouldin = { value = measure "davies_bouldin", best = extreme(-1), numeric = true },
   bic = { best = extreme(-1), value = function(_, _, fitted)
      local value = estimator.learned(inputs.last(fitted), "bic")
      if type(value) ~= "number" then fail("the criterion bic requires a model that learns bic") end
      return value
   end },
   gap = { best = first_gap, numeric = true },
   stability = { best = most_stable },
}
local NAMES = { "elbow", "silhouette", "calinski_harabasz", "davies_bouldin", "gap", "stability", "bic" }

-- --- the search ---

-- { from, to } or a list of counts.
local function counts_of(given, n)
   given = given or { 2, math.min(10, n) }
   if type(given) ~= "table" or #given < 2 then
      fail("k must be { from, to } or a list of numbers of clusters, got %s", parts.text(given))
   end
   local out = {}
   for i, k in ipairs(given) do
      if math.type(k) ~= "integer" or k < 1 or k > n then
         fail("k must hold whole numbers from 1 to %d, the number of rows, got %s", n, parts.text(k))
      end
      out[i] = k
   end
   table.sort(out)
   if #out == 2 then out = core.range(out[1], out[2]):totable() end
   for i, k in ipairs(out) do out[i] = math.tointeger(k) end
   return out
end

local function is_numeric(X)
   if rows.kind(X) == "Matrix" then return true end
   if rows.kind(X) ~= "Frame" then return false end
   for _, column in ipairs(X.columns) do
      if rows.kind(column) == "Factor" then return false end
   end
   return true
end

local function criteria_of(given, numeric, needs_square)
   local list = {}
   if given == nil then
      for _, name in ipairs { "elbow", "silhouette", "calinski_harabasz", "davies_bouldin", "gap" } do
         local measured = name == "elbow" or (needs_square and name == "silhouette")
         if measured or (numeric and not needs_square) then list[#list + 1] = name end
      end
      return list
   end
   if type(given) == "string" then given = { given } end
   for i, name in ipairs(given) do
      if not CRITERIA[name] then
         fail("criteria must be from %s, got %s%s", table.concat(NAMES, ", "), parts.text(name),
            type(name) == "string" and parts.hint(name, NAMES) or "")
      end
      if CRITERIA[name].numeric and not numeric then
         fail("the criterion %s requires columns of numbers; use elbow and stability", name)
      end
      list[i] = name
   end
   return list
end

local function new_task(model, X, o)
   local n = rows.count(X)
   local model_metric = estimator.get_params(inputs.last(model)).metric
   local square = model_metric == "precomputed"
   local numeric = is_numeric(X)
   local task = { estimator = model, X = X, n = n, param = clusters.param(model), counts = counts_of(o.k, n),
      criteria = criteria_of(o.criteria, numeric, square), seed = parts.whole(o, "seed", 0, 0),
      references = parts.whole(o, "references", 10, 2), pairs = parts.whole(o, "pairs", 10, 1),
      fraction = parts.number(o, "fraction", 0.8, 0.1, 1), sample = parts.whole(o, "sample", 5000, 3),
      metric = o.metric or (square and "precomputed" or "euclidean"),
      reference = parts.choice(o, "reference", { "pca", "uniform" }, "pca"), labels = {}, prepared = {} }
   task.numeric = numeric
   return task
end

-- Fit all counts: values of the simple criteria, by name.
local function fit_counts(task)
   local values = {}
   for i, k in ipairs(task.counts) do
      local fitted = clusters.fit(task.estimator, task.param, k, task.X)
      local labels = clusters.labels(fitted, task.X, task.n)
      task.labels[i] = labels
      if task.numeric then
         task.prepared[i] = core.Matrix(rows.plain(inputs.prepared(fitted, task.X)))
         task.numbers = task.prepared[i]
      end
      for _, name in ipairs(task.criteria) do
         values[name] = values[name] or {}
         if CRITERIA[name].value then values[name][i] = CRITERIA[name].value(task, labels, fitted) end
      end
      task.tick()
   end
   return values
end

local function count_steps(task)
   local steps, each = 0, { gap = task.references, stability = 2 * task.pairs }
   for _, name in ipairs(task.criteria) do steps = steps + (each[name] or 0) end
   return (steps + 1) * #task.counts
end

local function choose(model, X, o)
   model = inputs.model(model)
   X = rows.x(WHO, X, 0)
   local task = new_task(model, X, o)
   local shown <close> = progress.task(WHO, count_steps(task))
   local done = 0
   task.tick = function()
      done = done + 1
      shown:at(done)
   end
   local values, se = fit_counts(task), nil
   if values.gap then values.gap, se = gaps(task) end
   for i, k in ipairs(values.stability and task.counts or {}) do values.stability[i] = stability(task, k) end
   local best, names, columns = {}, { "clusters" }, { core.Vector(task.counts) }
   for _, name in ipairs(task.criteria) do
      best[name] = CRITERIA[name].best(task.counts, values[name], se)
      names[#names + 1], columns[#columns + 1] = TITLES[name], core.Vector(values[name])
      if name == "gap" then names[#names + 1], columns[#columns + 1] = "gap_se", core.Vector(se) end
   end
   local k, votes = majority(best)
   if not k then fail("no criterion chooses a number of clusters; give more numbers in k, or other criteria") end
   return setmetatable({ model = estimator.title(model), k = k, best = best, votes = votes, criteria = task.criteria,
      counts = task.counts, table = rows.frame(names, columns) }, Choice)
end

M.help.choose_k = {
   name = WHO, args = { "model", "X" },
   brief = "The number of clusters by several criteria, for any clustering with n_clusters.",
   formula = "gap(k) = E log W_k of rows without structure - log W_k, W_k the sum of squares within clusters",
   returns = "an object that prints as a table: k (chosen by most criteria; ties: the smallest), best (choice by "
      .. "criterion), votes, table (Frame); :plot() draws all criteria in one figure",
   options = {
      k = "{ from, to }, or a list of more numbers of clusters; default { 2, 10 }. Only elbow and gap can choose 1",
      criteria = "list of elbow, silhouette, calinski_harabasz, davies_bouldin, gap, stability, bic; default: the "
         .. "first five, or those that X allows",
      references = "number of data sets without structure for gap; default 10",
      reference = "'pca' (default): uniform in the range of the principal components; 'uniform': of the columns",
      pairs = "number of pairs of samples for stability; default 10",
      fraction = "fraction of the rows in a sample for stability; default 0.8",
      metric = "metric of silhouette, as in metrics.silhouette; default: precomputed if that of the model is, else "
         .. "euclidean",
      sample = "maximum number of rows for silhouette, sampled at random; default 5000",
      seed = "seed of references and samples; default 0",
   },
   notes = "elbow: the knee of the inertia (or sum of squares), which exists for any data. gap: the smallest k whose "
      .. "gap is within a standard error of the next. stability: agreement (adjusted Rand index) of clusterings of "
      .. "pairs of samples; ties: the largest k. Measures are computed on X as transformed by the steps before the "
      .. "clustering. Criteria often disagree: look at the plot, and at what the clusters are for.",
   source = "Tibshirani, Walther & Hastie (2001); Satopaa et al. (2011); Ben-Hur, Elisseeff & Guyon (2002)",
   example = [[
local X = ml.read_csv "examples/data/iris.csv":drop { "species" }
print(ml.choose_k(ml.KMeans { n_init = 4 }, X, { k = { 1, 6 } }))]],
}

--- Compare numbers of clusters; see M.help.
function M.choose_k(model, X, options)
   options = options_of.check(WHO, options, M.help.choose_k.options, 2)
   return parts.finish(WHO, warnings.once(choose, model, X, options))
end

return M
