--- Plots of decision regions in the plane of two features.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

-- --- features ---

local function place_of(X, feature)
   local width = rows.width(X)
   if math.type(feature) == "integer" then
      if feature >= 1 and feature <= width then return feature end
      fail("features must be from 1 to %d, got %d", width, feature)
   end
   local names = inputs.column_names(X)
   local at = type(feature) == "string" and parts.place(names, feature)
   if not at then
      fail("features must be numbers or names of columns, got %s%s", text(feature), type(feature) == "string"
         and parts.hint(feature, names) or "")
   end
   return at
end

local function two_features(X, o)
   local features = o.features or { 1, 2 }
   if type(features) ~= "table" or #features ~= 2 then
      fail("features must be two columns by number or name, such as { 1, 2 }, got %s", text(features))
   end
   if rows.width(X) < 2 then fail("X must have at least two columns, got %d", rows.width(X)) end
   local a, b = place_of(X, features[1]), place_of(X, features[2])
   if a == b then fail("features must be two different columns, got %s twice", text(features[1])) end
   return a, b
end

local function column(X, j)
   if rows.is_frame(X) then return X.columns[j] end
   return core.Matrix(X):col(j):copy()
end

local function numbers(X, j)
   local values = column(X, j)
   if rows.kind(values) ~= "Vector" then fail("feature '%s' must be numbers, got labels", inputs.column_names(X)[j]) end
   return values
end

-- --- the plane ---

local function span(values)
   local finite = values:take(values:isfinite():nonzero())
   if #finite == 0 then fail("each of the features must have a finite value") end
   local low, high = finite:min(), finite:max()
   local margin = high > low and 0.05 * (high - low) or 0.5
   return low - margin, high + margin
end

-- The fixed value of another feature: the most frequent label, the mean or the median.
local function fixed_value(values, statistic)
   if rows.kind(values) == "Factor" then
      local counts, mode = values:counts(), 1
      for c = 2, #counts do mode = counts[c] > counts[mode] and c or mode end
      return values.levels[mode]
   end
   local finite = values:take(values:isnan():mul(-1):add(1):nonzero())
   return #finite > 0 and (statistic == "median" and finite:median() or finite:mean()) or 0 / 0
end

local function constant(value, n)
   if type(value) == "number" then return core.Vector(n, value) end
   return core.Factor { value }:take(core.Vector(n, 1))
end

-- The grid points of ys[first] to ys[last] as an X of the same kind; x varies fastest. others: the values of the other
-- features by column.
local function grid_rows(X, a, b, xs, ys, first, last, others)
   local across, up, columns = {}, {}, {}
   for i = first, last do
      for j = 1, #xs do across[#across + 1], up[#up + 1] = xs[j], ys[i] end
   end
   for j = 1, rows.width(X) do
      columns[j] = j == a and core.Vector(across) or j == b and core.Vector(up) or constant(others[j], #across)
   end
   if rows.is_frame(X) then return rows.frame(table.move(X.names, 1, #X.names, 1, {}), columns) end
   return core.hcat(table.unpack(columns))
end

local MAX_BLOCK = 4000000 -- values predicted at once

-- The predicted labels of all grid points.
local function grid_labels(model, X, a, b, xs, ys, statistic)
   local others, labels, width = {}, {}, rows.width(X)
   for j = 1, width do
      if j ~= a and j ~= b then others[j] = fixed_value(column(X, j), statistic) end
   end
   local step = math.max(1, MAX_BLOCK // (width * #xs))
   for first = 1, #ys, step do
      local last = math.min(first + step - 1, #ys)
      local found = parts.labels("predictions", model:predict(grid_rows(X, a, b, xs, ys, first, last, others)))
      for i = 1, #found do labels[#labels + 1] = found[i] end
   end
   return core.Factor(labels)
end

local function refitted(model, X, y, a, b)
   local both = rows.columns(X, { a, b })
   local clone = estimator.clone(model)
   clone:fit(both, y)
   return clone, both, 1, 2
end

-- --- the figure ---

-- The classes in order: those of the model, or all that occur.
local function class_list(model, predicted, y)
   local classes = estimator.learned(model, "classes")
   if classes then return classes end
   local all = {}
   for _, f in ipairs { predicted, y } do
      for _, label in ipairs(parts.present(f)) do all[#all + 1] = label end
   end
   return parts.present(core.Factor(all))
end

local function codes(labels, classes)
   local place = {}
   for c, label in ipairs(classes) do place[label] = c end
   local out = {}
   for i = 1, #labels do out[i] = place[labels[i]] or 0 end
   return out
end

local function point_layers(layers, classes, code, x, y)
   for c, class in ipairs(classes) do
      local at = {}
      for i, one in ipairs(code) do
         if one == c then at[#at + 1] = i end
      end
      if #at > 0 then
         local places = core.Vector(at)
         layers[#layers + 1] = { kind = "points", x = x:take(places), y = y:take(places), color = c, shape = c,
            name = tostring(class) }
      end
   end
end

local function caption(model, X, a, b, statistic, accuracy)
   local others = {}
   for j, name in ipairs(inputs.column_names(X)) do
      if j ~= a and j ~= b then others[#others + 1] = name end
   end
   local out = { accuracy }
   if #others > 0 then
      local which = #others <= 4 and table.concat(others, ", ") or ("the other %d features"):format(#others)
      out[#out + 1] = ("%s at their %s"):format(which, statistic)
   end
   return inputs.title(model) .. (#out > 0 and "; " .. table.concat(out, "; ") or "")
end

local function decision(model, X, y, o)
   model = inputs.model(model)
   if estimator.does(model) ~= "cluster" then inputs.need(model, "classify", "use ml.plot.residuals for regressors") end
   X, y = inputs.data(X, y, model)
   if rows.kind(X) == "Sparse" then fail("X must be a Frame or a Matrix, got Sparse") end
   if rows.kind(X) == "table" then
      fail("X must be a Frame or a Matrix, got a list of rows that are not all numbers")
   end
   local statistic = parts.choice(o, "others", { "mean", "median" }, "mean")
   local steps = parts.whole(o, "resolution", 150, 2)
   local a, b = two_features(X, o)
   if parts.flag(o, "refit", false) then model, X, a, b = refitted(model, X, y, a, b) end
   local x, up = numbers(X, a), numbers(X, b)
   local x_low, x_high = span(x)
   local y_low, y_high = span(up)
   local xs, ys = core.linspace(x_low, x_high, steps), core.linspace(y_low, y_high, steps)
   local predicted = grid_labels(model, X, a, b, xs, ys, statistic)
   local truth = parts.labels("y", y or model:predict(X))
   local classes = class_list(model, predicted, truth)
   local layers = { { kind = "regions", x = xs, y = ys, code = core.Vector(codes(predicted, classes)):reshape(steps,
      steps) } }
   point_layers(layers, classes, codes(truth, classes), x, up)
   local accuracy = y and ("accuracy on these rows: %.3f"):format(require "manilius.metrics".accuracy(truth,
      model:predict(X))) or nil
   local names = inputs.column_names(X)
   return {
      title = "Decision regions", caption = caption(model, X, a, b, statistic, accuracy),
      panels = { { x = names[a], y = names[b], x_range = { x_low, x_high }, y_range = { y_low, y_high }, legend = true,
         layers = layers } },
   }
end

return function(module)
   define(module, "decision", { args = { "model", "X", "y" }, data_args = 2, fn = decision,
      brief = "Decision regions of a classifier or clustering in the plane of two features.",
      notes = "Without y, for a clustering, rows are colored by cluster.",
      options = { features = "two columns of X by number or name; default { 1, 2 }",
         others = "statistic at which the other features are fixed: 'mean' (default) or 'median'; labels are fixed at "
            .. "the most frequent one", refit = "true: draw a clone fitted on the two features alone",
         resolution = "grid points along each axis; default 150" } })
end
