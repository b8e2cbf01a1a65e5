--- Plots of principal components and clusters.

local clusters = require "manilius.cluster.counts"
local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local metrics = require "manilius.metrics"
local parts = require "manilius.metrics.parts"
local place_names = require "manilius.plot.layout.place_names"
local rows = require "manilius.rows"
local theme = require "manilius.draw.theme"

local fail, text = parts.fail, parts.text

-- --- principal components ---

local function is_data(value)
   local kind = rows.kind(value)
   return kind == "Matrix" or kind == "Frame" or kind == "Sparse" or (kind == "table" and not estimator.is(value))
end

-- A fitted model with components, X, and whether the columns were standardized. For data alone, a PCA of the
-- standardized columns is fitted.
local function components_of(first, second)
   if is_data(first) then
      local ml = require "manilius"
      local X = inputs.data(first)
      return ml.Pipeline { ml.StandardScaler {}, ml.PCA {} }:fit(X), X, true
   end
   local model = inputs.model(first)
   if estimator.learned(inputs.last(model), "components") == nil then
      fail("model must be a fitted model with components, such as PCA, got %s", estimator.name(inputs.last(model)))
   end
   return model, second ~= nil and inputs.data(second) or nil, false
end

local function two_components(last, o)
   local count = last.components.rows
   if count < 2 then
      fail("model must have at least two components, got 1; ml.plot.scree shows its explained variance")
   end
   local which = o.components or { 1, 2 }
   local a, b = which[1], which[2]
   for _, c in ipairs { a, b } do
      if math.type(c) ~= "integer" or c < 1 or c > count then
         fail("components must be two numbers from 1 to %d, got %s", count, text(c))
      end
   end
   if a == nil or b == nil or a == b then
      fail("components must be two different numbers, got %s and %s", text(a), text(b))
   end
   return a, b
end

local function axis_name(last, c)
   local ratio = estimator.learned(last, "explained_variance_ratio")
   return ratio and ("component %d (%.1f%% of variance)"):format(c, 100 * ratio[c]) or "component " .. c
end

-- Add the points, in one color per label. If all labels differ, they are the names of the rows and are written next to
-- the points. Returns whether a legend is useful.
local function score_layers(layers, x, y, labels)
   local present = labels and parts.present(labels)
   if not labels or (#present == #x and #x > 2) then
      local names
      if labels then
         names = {}
         for i = 1, #x do names[i] = tostring(labels[i]) end
      end
      layers[1] = { kind = "points", x = x, y = y, color = 1, labels = names }
      return false
   end
   for c, label in ipairs(present) do
      local places = labels:eq(label):nonzero()
      layers[c] = { kind = "points", x = x:take(places), y = y:take(places), color = c, shape = c,
         name = tostring(label) }
   end
   return true
end

local BEYOND = 1.06 -- where the name of an arrow is, in lengths of the arrow
local LEGEND = 110 -- pixels, about

-- Names beyond the tips of arrows from 0, moved so that they do not overlap.
local function tip_names(arrows, names, x, y, width, height)
   local all_x, all_y, groups = x:totable(), y:totable(), {}
   for i, name in ipairs(names) do
      all_x[#x + i], all_y[#x + i] = arrows.x2[i] * BEYOND, arrows.y2[i] * BEYOND
      groups[i] = { name = name, color = i, places = { #x + i }, side = arrows.x2[i] < 0 and -1 or 1 }
   end
   return place_names(groups, core.Vector(all_x), core.Vector(all_y), false, width, height, 0)
end

-- Arrows of the loadings, on a common scale so that the longest one reaches 0.8 of the range of the points; the columns
-- that are drawn; the number of those that are not.
local function arrow_layer(last, names, a, b, x, y, max_arrows)
   local load_x, load_y = last.components:row(a):copy(), last.components:row(b):copy()
   local scale = math.huge
   for i = 1, #load_x do
      scale = math.min(scale, load_x[i] ~= 0 and x:abs():max() / math.abs(load_x[i]) or math.huge,
         load_y[i] ~= 0 and y:abs():max() / math.abs(load_y[i]) or math.huge)
   end
   local order = (load_x:square() + load_y:square()):argsort()
   local shown, zero, drawn = math.min(max_arrows, #order), {}, {}
   local x2, y2 = {}, {}
   for place = 1, shown do
      local j = math.tointeger(order[#order + 1 - place])
      zero[place], drawn[place] = 0, names[j]
      x2[place], y2[place] = 0.8 * scale * load_x[j], 0.8 * scale * load_y[j]
   end
   return { kind = "segments", x1 = zero, y1 = zero, x2 = x2, y2 = y2, arrow = true, color = "black", width = 1 },
      drawn, #order - shown
end

local function pca(first, second, third, o)
   local from_data = is_data(first)
   local model, X, scaled = components_of(first, second)
   local labels = o.labels or (not from_data and third) or (from_data and second) or nil
   if X == nil then fail("X must be given after model, got nil") end
   local last = inputs.last(model)
   local a, b = two_components(last, o)
   local scores = core.Matrix(rows.plain(model:transform(X)))
   local x, y = scores:col(a):copy(), scores:col(b):copy()
   if labels ~= nil then
      labels = parts.labels("labels", labels)
      parts.same_length("X", #x, "labels", #labels)
   end
   local layers, hidden = {}, 0
   local legend = score_layers(layers, x, y, labels)
   local names = inputs.feature_names(model, last.components.cols)
   local max_arrows = parts.whole(o, "arrows", 12, 0)
   if max_arrows > 0 then
      local arrows, drawn
      arrows, drawn, hidden = arrow_layer(last, names, a, b, x, y, max_arrows)
      layers[#layers + 1] = arrows
      if layers[1].labels then -- these names are placed together with those of rows
         arrows.labels = drawn
      else
         local width = (o.width or theme.width) - (legend and LEGEND or 0)
         layers[#layers + 1] = tip_names(arrows, drawn, x, y, width, o.height)
      end
   end
   local caption = {}
   if scaled then caption[1] = "columns standardized" end
   if max_arrows > 0 then
      caption[#caption + 1] = "arrows: loadings, rescaled"
      if hidden > 0 then caption[#caption + 1] = ("the %d longest of %d"):format(max_arrows, max_arrows + hidden) end
   end
   return { title = "Principal components", caption = #caption > 0 and table.concat(caption, "; ") or nil,
      panels = { { x = axis_name(last, a), y = axis_name(last, b), legend = legend, layers = layers } } }
end

local MAX_BARS = 30

local function scree(first, o)
   local model = components_of(first)
   local ratio = estimator.learned(inputs.last(model), "explained_variance_ratio")
   if ratio == nil then
      fail("model must have explained_variance_ratio, but %s does not have it", estimator.name(inputs.last(model)))
   end
   local cumulative, shown = ratio:cumsum(), math.min(#ratio, parts.whole(o, "top", MAX_BARS, 1))
   local target = parts.number(o, "share", 0.9, 0, 1)
   local enough
   for c = #ratio, 1, -1 do
      if cumulative[c] >= target - 1e-12 then enough = c end
   end
   local at = core.range(1, shown)
   local caption = enough and ("%d %s %.0f%% of the variance"):format(enough, enough == 1 and "component explains"
      or "components explain", 100 * target) or ("all %d components explain %.1f%% of the variance"):format(#ratio,
      100 * cumulative[#ratio])
   if shown < #ratio then caption = caption .. ("; the first %d of %d shown"):format(shown, #ratio) end
   local ticks
   if shown <= 20 then
      ticks = {}
      for c = 1, shown do ticks[c] = { c, tostring(c) } end
   end
   local layers = { { kind = "bars", x = at, y = ratio:slice(1, shown), width = 0.8, color = 1, name = "individual" },
      { kind = "line", x = at, y = cumulative:slice(1, shown), markers = true, color = 2, dash = "solid",
         name = "cumulative" } }
   if enough then layers[3] = { kind = "rule", at_y = target, dash = "dotted", color = "grey" } end
   return { title = "Scree plot", caption = caption,
      panels = { { x = "component", y = "explained variance", x_range = { 0.4, shown + 0.6 }, y_range = { 0, 1.05 },
         x_ticks = ticks, legend = true, layers = layers } } }
end

-- --- the number of clusters ---

local function check_counts(counts, n)
   if type(counts) ~= "table" or #counts == 0 then
      fail("k must be a list of numbers of clusters, got %s", text(counts))
   end
   local out = {}
   for i, k in ipairs(counts) do
      if math.type(k) ~= "integer" or k < 1 or (n and k > n) then
         fail("k must hold whole numbers%s, got %s", n and " from 1 to " .. n or " >= 1", text(k))
      end
      out[i] = k
   end
   table.sort(out)
   return out
end

local function inertias(model, X, counts)
   local param, out = clusters.param(model), {}
   for i, k in ipairs(counts) do
      local fitted = clusters.fit(model, param, k, X)
      out[i] = clusters.inertia(fitted)
      if not out[i] then
         fail("model must learn inertia, but %s does not", estimator.name(inputs.last(fitted)))
      end
   end
   return out
end

local function is_number_list(value)
   if rows.kind(value) == "Vector" then return true end
   if rows.kind(value) ~= "table" or estimator.is(value) or #value == 0 then return false end
   for _, one in ipairs(value) do
      if type(one) ~= "number" then return false end
   end
   return true
end

-- (inertias), (X) or (model, X) -> numbers of clusters, inertias
local function elbow_values(first, second, o)
   if is_number_list(first) then
      local values = parts.numbers("inertias", first)
      local counts = check_counts(o.k or core.range(1, #values):totable())
      if #counts ~= #values then fail("k must have %d numbers, one for each inertia, got %d", #values, #counts) end
      return counts, values:totable()
   end
   local ml = require "manilius"
   local model = estimator.is(first) and inputs.model(first) or ml.KMeans { n_init = 4, seed = o.seed }
   local X = inputs.data(estimator.is(first) and second or first)
   local n = rows.count(X)
   local counts = check_counts(o.k or core.range(1, math.min(10, n)):totable(), n)
   return counts, inertias(model, X, counts)
end

local function elbow(first, second, o)
   local counts, values = elbow_values(first, second, o)
   local at, ticks = clusters.knee(counts, values), nil
   if #counts <= 20 then
      ticks = {}
      for i, k in ipairs(counts) do ticks[i] = { k, tostring(k) } end
   end
   local layers = { { kind = "line", x = counts, y = values, markers = true, color = 1 } }
   if at then table.insert(layers, 1, { kind = "rule", at_x = counts[at], dash = "dashed", color = "grey" }) end
   return { title = "Inertia by number of clusters",
      caption = at and ("elbow at %d clusters"):format(counts[at]) or nil,
      panels = { { x = "clusters", y = "inertia (sum of squared distances)", x_ticks = ticks, layers = layers } } }
end

-- --- silhouettes ---

local MAX_WITH_MEANS = 8 -- maximum number of clusters labeled with size and mean
local MAX_BARS_DRAWN = 1200 -- about the width of a figure in pixels

-- The silhouettes of one cluster in descending order, thinned to `max_count` values.
local function profile(values, max_count)
   local sorted = values:sort "descending"
   if #sorted <= max_count then return sorted:totable() end
   local out = {}
   for i = 1, max_count do out[i] = sorted[math.floor((i - 0.5) / max_count * #sorted) + 1] end
   return out
end

-- A step for each value.
local function staircase(list, from, width)
   local x, high, low = {}, {}, {}
   for i, value in ipairs(list) do
      x[2 * i - 1], x[2 * i] = from + (i - 1) * width, from + i * width
      high[2 * i - 1], high[2 * i] = math.max(value, 0), math.max(value, 0)
      low[2 * i - 1], low[2 * i] = math.min(value, 0), math.min(value, 0)
   end
   return x, low, high
end

-- (model, X) or (X, labels) -> X, labels
local function clustered(first, second)
   if not estimator.is(first) then return inputs.data(first), second end
   local model = inputs.model(first)
   if estimator.does(model) ~= nil then inputs.need(model, "cluster") end
   local X = inputs.data(second)
   return rows.plain(inputs.prepared(model, X)), estimator.training_labels(model, X)
end

-- A sample of the rows, because the time is quadratic in their number; a note on it.
local function sample_rows(X, labels, o)
   local max_rows = parts.whole(o, "sample", 10000, 3)
   if #labels <= max_rows then return X, labels, "" end
   local places = core.permutation(#labels, parts.whole(o, "seed", 0, math.mininteger)):slice(1, max_rows):sort()
   return rows.take(X, places), labels:take(places), (" sampled from %d"):format(#labels)
end

local function silhouette(first, second, o)
   local X, labels = clustered(first, second)
   labels = parts.labels("labels", labels)
   parts.same_length("X", rows.count(X), "labels", #labels)
   local sampled
   X, labels, sampled = sample_rows(X, labels, o)
   local classes = parts.present(labels)
   if #classes < 2 then fail("labels must have at least two clusters, got 1") end
   local values = metrics.silhouette_samples(rows.plain(X), labels, { metric = o.metric })
   local n, start, layers, ticks = #labels, 0, {}, {}
   local gap = 0.02 * n
   for c, class in ipairs(classes) do
      local own = values:take(labels:eq(class):nonzero())
      local shown = profile(own, math.max(1, math.ceil(MAX_BARS_DRAWN * #own / n)))
      local x, low, high = staircase(shown, start, #own / #shown)
      layers[c] = { kind = "band", x = x, low = low, high = high, color = c, opacity = 0.85 }
      ticks[c] = { start + #own / 2, #classes > MAX_WITH_MEANS and tostring(class)
         or ("%s (n = %d, %.2f)"):format(tostring(class), #own, own:mean()) }
      start = start + #own + gap
   end
   layers[#layers + 1] = { kind = "rule", at_y = values:mean(), dash = "dashed", color = "black" }
   return { title = "Silhouettes",
      caption = ("mean %.3f (dashed) over %d rows%s%s"):format(values:mean(), n, sampled,
         #classes <= MAX_WITH_MEANS and "; in parentheses: rows and mean of each cluster" or ""),
      panels = { { x = "cluster", y = "silhouette", x_ticks = ticks, x_range = { -gap, start },
         y_range = { math.min(0, values:min()) - 0.02, 1 }, layers = layers } } }
end

return function(module)
   define(module, "pca", { args = { "model", "X", "labels" }, data_args = 1, fn = pca,
      brief = "Biplot: rows and loadings on two principal components.",
      notes = "Accepts a fitted PCA (or a pipeline that ends in one), X, and optional labels, which color the rows, or "
         .. "name them if all differ. Also accepts X alone, whose columns are then standardized.",
      options = { components = "two components; default { 1, 2 }", labels = "labels of the rows",
         arrows = "number of loadings to draw, longest first; default 12" }, source = "Gabriel (1971)" })
   define(module, "scree", { args = { "model" }, fn = scree,
      brief = "Scree plot: explained variance of each principal component and cumulatively.",
      notes = "Accepts a fitted PCA, or X, whose columns are then standardized.",
      options = { share = "fraction of the variance to mark; default 0.9",
         top = "maximum number of components; default 30" },
      source = "Cattell (1966)" })
   define(module, "elbow", { args = { "model", "X" }, data_args = 1, fn = elbow,
      brief = "Elbow plot: inertia against the number of clusters.",
      notes = "Accepts a model with n_clusters and X, X alone (with KMeans), or a list of inertias.",
      options = { k = "list of numbers of clusters; default 1 to 10", seed = "seed of KMeans; default 0" },
      source = "Thorndike (1953); detection of the elbow: Satopaa et al. (2011)" })
   define(module, "silhouette", { args = { "model", "X" }, fn = silhouette,
      brief = "Silhouette plot: the silhouette of each row, by cluster.",
      notes = "Accepts a clustering and X, or X and labels.",
      options = { metric = "'euclidean' (default), 'manhattan', 'cosine'",
         sample = "maximum number of rows, sampled at random; default 10000", seed = "seed of the sample; default 0" },
      source = "Rousseeuw (1987)" })
end
