--- Plots of the choice of the number of clusters and of consensus clusterings.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local hierarchy = require "manilius.cluster.hierarchy"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

local LABELS = { elbow = { "elbow", "inertia" }, silhouette = { "silhouette", "mean silhouette" },
   calinski_harabasz = { "Calinski-Harabasz", "ratio of dispersions" },
   davies_bouldin = { "Davies-Bouldin", "index (lower is better)" }, gap = { "gap statistic", "gap" },
   stability = { "stability", "mean adjusted Rand index" }, bic = { "BIC", "BIC (lower is better)" } }
local COLUMNS = { elbow = "within" }

local function ticks_of(counts)
   local ticks = {}
   if #counts > 20 then return nil end
   for i, k in ipairs(counts) do ticks[i] = { k, tostring(k) } end
   return ticks
end

-- The counts and values of a criterion where it is defined, and those of a second column.
local function defined(counts, values, others)
   local x, y, z = {}, {}, {}
   for i, k in ipairs(counts) do
      if values[i] == values[i] then
         x[#x + 1], y[#y + 1] = k, values[i]
         z[#z + 1] = others and others[i]
      end
   end
   return x, core.Vector(y), others and core.Vector(z)
end

-- The curve of one criterion, with a band of one standard error for the gap, and its choice.
local function panel_of(choice, name)
   local x, y, se = defined(choice.counts, choice.table[COLUMNS[name] or name], name == "gap" and choice.table.gap_se)
   local best, layers = choice.best[name], {}
   if best then layers[1] = { kind = "rule", at_x = best, dash = "dashed", color = "grey" } end
   if se then layers[#layers + 1] = { kind = "band", x = x, low = y - se, high = y + se, color = 1 } end
   layers[#layers + 1] = { kind = "line", x = x, y = y, markers = true, color = 1 }
   return { title = LABELS[name][1] .. (best and (": %d"):format(best) or ": no choice"), x = "clusters",
      y = LABELS[name][2], x_ticks = ticks_of(x), layers = layers }
end

local function choose_k(choice)
   if type(choice) ~= "table" or rawget(choice, "votes") == nil then
      fail("choice must be a result of ml.choose_k, got %s", text(choice))
   end
   local panels = {}
   for i, name in ipairs(choice.criteria) do panels[i] = panel_of(choice, name) end
   return { title = ("Number of clusters: %d by most criteria"):format(choice.k), panels = panels,
      columns = #panels <= 3 and #panels or (#panels == 4 and 2 or 3), width = 960,
      height = #panels <= 3 and 320 or 600,
      caption = "dashed: the choice of each criterion" .. (choice.best.gap and "; band: one standard error" or "") }
end

local MAX_ROWS = 400 -- about as many as pixels

-- The rows in the order of the hierarchy, thinned.
local function order_of(result)
   local places, shown = hierarchy.leaf_order(result.merges), {}
   local count = math.min(MAX_ROWS, #places)
   for i = 1, count do shown[i] = places[math.ceil(i * #places / count)] end
   return shown
end

local function consensus(result)
   if type(result) ~= "table" or rows.kind(rawget(result, "coassociation")) ~= "Matrix" then
      fail("result must be a result of ml.consensus, got %s", text(result))
   end
   local order = order_of(result)
   local places = core.Vector(order)
   local z = result.coassociation:take(places):select(order)
   return { title = "How often two rows are in the same cluster",
      caption = ("rows in the order of the hierarchy, which is cut into %d clusters%s"):format(result.n_clusters,
         #order < #result.labels and ("; %d of %d rows"):format(#order, #result.labels) or ""),
      panels = { { x = "row", y = "row",
         layers = { { kind = "heat", z = z, low = 0, high = 1, palette = "blues" } } } } }
end

return function(module)
   define(module, "choose_k", { args = { "choice" }, fn = choose_k,
      brief = "The criteria for the number of clusters and their choices, a panel each.",
      notes = "Accepts a result of ml.choose_k.",
      source = "Tibshirani, Walther & Hastie (2001); Rousseeuw (1987)" })
   define(module, "consensus", { args = { "result" }, fn = consensus,
      brief = "Heat map of the co-association matrix of several clusterings, in the order of its hierarchy.",
      notes = "Accepts a result of ml.consensus.", source = "Fred & Jain (2005)" })
end
