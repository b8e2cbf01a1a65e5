--- Plots of Shapley values, the contributions of columns to predictions.

local core = require "manilius.core"
local bar_labels = require "manilius.draw.bar_labels"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

local MAX_ROWS, MAX_COLUMNS, BINS = 1000, 15, 120

-- --- values ---

-- The position of the target among the outputs, its name, and the sign of its values.
local function find_target(last, outputs, target)
   local classes = estimator.learned(last, "classes")
   if not classes then
      if target == nil and outputs > 1 then fail("target must be a column of y from 1 to %d, got nil", outputs) end
      target = target or 1
      if math.type(target) ~= "integer" or target < 1 or target > outputs then
         fail("target must be from 1 to %d, got %s", outputs, text(target))
      end
      return target, outputs > 1 and "target " .. target or "the prediction", 1
   end
   if target == nil and #classes == 2 then target = classes[2] end
   local place = parts.place(classes, target)
   if not place then fail("target must be one of the labels %s, got %s", parts.texts(classes), text(target)) end
   local name = (outputs < #classes or estimator.can(last, "decision_function")) and "the decision function of %s"
      or "the probability of %s"
   if outputs == 1 then return 1, name:format(target), place == 2 and 1 or -1 end
   return place, name:format(target), 1
end

-- At most MAX_ROWS evenly spaced rows, and the number of all rows. The time is proportional to the number of rows.
local function sample_rows(X)
   local n = rows.count(X)
   if n <= MAX_ROWS then return X, n end
   local places = {}
   for i = 1, MAX_ROWS do places[i] = (i - 1) * n // MAX_ROWS + 1 end
   return rows.take(X, core.Vector(places)), n
end

-- The Shapley values of each row for the target, its base value and its name.
local function values_of(last, X, target)
   if not estimator.can(last, "shap") then
      fail("model must be a tree, a forest, boosted trees or a result of ml.shap, but %s has no Shapley values",
         estimator.name(last))
   end
   local all = last:shap(X)
   local cols = estimator.learned(last, "n_features")
   local place, what, sign = find_target(last, #all.base, target)
   local first = (place - 1) * cols
   return all.values:slice(nil, nil, first + 1, first + cols) * sign, all.base[place] * sign, what
end

-- --- points ---

-- The values of a column scaled to 0..1 between its quantiles, for colors; nil if it is not numeric or constant.
local function shades(X, name, j)
   local column
   if rows.is_frame(X) then
      column = X.columns[parts.place(X.names, name) or j]
   else
      column = (rows.kind(X) == "Sparse" and X:todense() or core.Matrix(X)):col(j):copy()
   end
   if rows.kind(column) ~= "Vector" then return nil end
   local known = column:take(column:isfinite():nonzero())
   if #known == 0 then return nil end
   local low, high = known:quantile(0.05), known:quantile(0.95)
   if low == high then low, high = known:min(), known:max() end
   if low == high then return nil end
   return ((column - low) / (high - low)):clip(0, 1)
end

-- The y positions of a beeswarm: points in the same bin are stacked alternately above and below the line.
local function swarm(values, at, width)
   local count, max_count, y = {}, 0, {}
   for i = 1, #values do
      local bin = math.floor(values[i] / width)
      count[bin] = (count[bin] or 0) + 1
      max_count = math.max(max_count, count[bin])
      y[i] = (count[bin] % 2 == 0 and 1 or -1) * (count[bin] // 2)
   end
   local step = math.min(0.07, 0.4 / math.max(max_count // 2, 1))
   for i = 1, #y do y[i] = at + step * y[i] end
   return y
end

-- Add the points of a column to the layer `colored`, or to `gray` where its value is not a number.
local function add_points(colored, gray, values, at, width, shade)
   local y = swarm(values, at, width)
   for i = 1, #values do
      local value = shade and shade[i] or 0 / 0
      local to = value == value and colored or gray
      local n = #to.x + 1
      to.x[n], to.y[n] = values[i], y[i]
      if to.value then to.value[n] = value end
   end
end

-- --- figures ---

-- The columns with the largest mean absolute values, and these means.
local function top_columns(values, top)
   local mean, order = {}, {}
   for j = 1, values.cols do
      mean[j], order[j] = values:col(j):copy():abs():mean(), j
   end
   table.sort(order, function(a, b)
      if mean[a] ~= mean[b] then return mean[a] > mean[b] end
      return a < b
   end)
   return table.move(order, 1, math.min(top, #order), 1, {}), mean
end

local function beeswarm(values, X, names, order)
   local low, high = math.huge, -math.huge
   for _, j in ipairs(order) do
      local column = values:col(j):copy()
      low, high = math.min(low, column:min()), math.max(high, column:max())
   end
   local width = high > low and (high - low) / BINS or 1
   local colored = { kind = "points", x = {}, y = {}, value = {}, low = 0, high = 1, palette = "contrast", size = 0.45 }
   local gray = { kind = "points", x = {}, y = {}, size = 0.45, color = "grey" }
   local layers, ticks = { { kind = "rule", at_x = 0, color = "grey", width = 1, dash = "solid" } }, {}
   for place, j in ipairs(order) do
      local at = #order + 1 - place
      ticks[place] = { at, names[j] }
      add_points(colored, gray, values:col(j):copy(), at, width, shades(X, names[j], j))
   end
   for _, layer in ipairs { gray, colored } do
      if #layer.x > 0 then layers[#layers + 1] = layer end
   end
   return { y_ticks = ticks, y_range = { 0.4, #order + 0.6 }, layers = layers,
      color_label = #colored.x > 0 and "value, low to high" or nil }
end

local function bars(mean, names, order)
   local at, y, ticks = {}, {}, {}
   for place, j in ipairs(order) do
      at[place], y[place], ticks[place] = #order + 1 - place, mean[j], { #order + 1 - place, names[j] }
   end
   return { y_ticks = ticks, y_range = { 0.4, #order + 0.6 },
      layers = { { kind = "bars", x = at, y = y, horizontal = true, width = 0.7, color = 1,
         labels = bar_labels.of(y) } } }
end

local KINDS = { "beeswarm", "bar" }

-- The values of a result of ml.shap, with the rows of X that they belong to.
local function of_result(result)
   local places, n = sample_rows(core.range(1, result.values.rows):as_column()), result.values.rows
   places = places:col(1):copy()
   return { values = result.values:take(places), X = rows.take(result.X, places), base = result.base, n = n,
      what = "the " .. result.response, names = result.features, title = result.model }
end

local function of_model(model, X, target)
   model = inputs.model(model)
   local last, sample, n = inputs.last(model), sample_rows(inputs.x(X))
   X = inputs.prepared(model, sample)
   local values, base, what = values_of(last, X, target)
   return { values = values, X = X, base = base, what = what, n = n, title = inputs.title(model),
      names = inputs.feature_names(model, values.cols) }
end

local function is_result(value)
   return type(value) == "table" and rawget(value, "std_error") ~= nil and rawget(value, "values") ~= nil
end

local function shap(model, X, o)
   local kind = o.kind or "beeswarm"
   if not parts.place(KINDS, kind) then
      fail("kind must be 'beeswarm' or 'bar', got %s%s", text(kind), parts.hint(kind, KINDS))
   end
   local of = is_result(model) and of_result(model) or of_model(model, X, o.target)
   local values, names, n = of.values, of.names, of.n
   local order, mean = top_columns(values, parts.whole(o, "top", MAX_COLUMNS, 1))
   local panel = kind == "bar" and bars(mean, names, order) or beeswarm(values, of.X, names, order)
   panel.x = (kind == "bar" and "mean |Shapley value| for " or "Shapley value for ") .. of.what
   local caption = kind == "bar" and ("mean over %d rows"):format(values.rows)
      or ("one point for each of %d rows%s; the values of a row and %.4g add up to %s"):format(values.rows,
      values.rows < n and (" sampled from %d"):format(n) or "", of.base, of.what)
   if #order < values.cols then
      caption = caption .. ("; the %d most important of %d columns"):format(#order, values.cols)
   end
   return { title = "Shapley values of " .. of.title, caption = caption, panels = { panel },
      height = math.max(260, 140 + (kind == "bar" and 22 or 30) * #order), width = kind == "bar" and 640 or 760 }
end

return function(module)
   define(module, "shap", { args = { "model", "X" }, data_args = 1, fn = shap,
      brief = "Shapley values (SHAP) of the columns, most important columns first.",
      notes = "For trees, forests and boosted trees, or a result of ml.shap instead of model and X. A beeswarm has a "
         .. "point for each row, colored by the value of the column from its 5% to its 95% quantile, and gray if it is "
         .. "missing or not a number. At most 1000 rows are drawn.",
      options = { target = "class (default: the second of two), or number of the target if there are several",
         kind = "'beeswarm' (default), or 'bar': means of absolute values",
         top = "maximum number of columns; default 15" },
      source = "Lundberg et al., Nature Machine Intelligence 2 (2020)" })
end
