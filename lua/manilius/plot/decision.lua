--- Plots of decision regions in the plane of two features.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local plane = require "manilius.plot.plane"
local rows = require "manilius.rows"

local fail = parts.fail

-- The predicted labels of all grid points.
local function grid_labels(model, X, a, b, xs, ys, statistic)
   local labels = {}
   plane.evaluate(X, a, b, xs, ys, statistic, function(points) return model:predict(points) end, function(block)
      local found = parts.labels("predictions", block)
      for i = 1, #found do labels[#labels + 1] = found[i] end
   end)
   return core.Factor(labels)
end

-- The decision function of a model of two classes at all grid points, a Matrix.
local function grid_decisions(model, X, a, b, xs, ys, statistic)
   local values = {}
   plane.evaluate(X, a, b, xs, ys, statistic, function(points) return model:decision_function(points) end,
      function(block)
         local column = rows.kind(block) == "Vector" and block or core.Matrix(block):col(1)
         for i = 1, #column do values[#values + 1] = column[i] end
      end)
   return core.Vector(values):reshape(#ys, #xs)
end

local function refitted(model, X, y, a, b)
   local both = rows.columns(X, { a, b })
   local clone = estimator.clone(model)
   clone:fit(both, y)
   return clone, both, 1, 2
end

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

-- --- margins ---

-- Whether to draw the margins: on request, or if the model has support vectors and two classes.
local function wants_margins(model, classes, o)
   local last = inputs.last(model)
   local wanted = parts.flag(o, "margins", estimator.learned(last, "support_vectors") ~= nil and #classes == 2)
   if wanted and not (#classes == 2 and estimator.can(model, "decision_function")) then
      fail("margins must be false for %s: they need two classes and a decision_function", estimator.name(model))
   end
   return wanted
end

-- The rows of X that are support vectors of the model; nil if X is not what it was fitted on.
local function support_rows(model, X)
   local last = inputs.last(model)
   local vectors, support = estimator.learned(last, "support_vectors"), estimator.learned(last, "support")
   if not vectors or not support or #support == 0 or support:max() > rows.count(X) then return nil end
   local prepared = rows.take(inputs.prepared(model, X), support)
   if rows.is_frame(prepared) then prepared = prepared:matrix() end
   if rows.kind(vectors) ~= "Matrix" or rows.width(prepared) ~= vectors.cols then return nil end
   return (core.Matrix(prepared) - vectors):norm() == 0 and support or nil
end

local function margin_layers(layers, decisions, xs, ys, support, x, up)
   for _, one in ipairs { { "decision = 0", { 0 }, 2 }, { "decision = -1, 1", { -1, 1 }, 1 } } do
      layers[#layers + 1] = { kind = "contour", x = xs, y = ys, z = decisions, levels = one[2], name = one[1],
         color = "black", width = one[3] }
   end
   if not support then return end
   layers[#layers + 1] = { kind = "points", x = x:take(support), y = up:take(support), color = "black",
      shape = "open circle", size = 1.8, name = "support vectors" }
end

-- --- the figure ---

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
   local a, b = plane.two_features(X, o.features)
   if parts.flag(o, "refit", false) then model, X, a, b = refitted(model, X, y, a, b) end
   local x, up = plane.numbers(X, a), plane.numbers(X, b)
   local x_low, x_high = plane.span(x)
   local y_low, y_high = plane.span(up)
   local xs, ys = core.linspace(x_low, x_high, steps), core.linspace(y_low, y_high, steps)
   local predicted = grid_labels(model, X, a, b, xs, ys, statistic)
   local truth = parts.labels("y", y or model:predict(X))
   local classes = class_list(model, predicted, truth)
   local layers = { { kind = "regions", x = xs, y = ys, code = core.Vector(codes(predicted, classes)):reshape(steps,
      steps) } }
   point_layers(layers, classes, codes(truth, classes), x, up)
   if wants_margins(model, classes, o) then
      margin_layers(layers, grid_decisions(model, X, a, b, xs, ys, statistic), xs, ys, support_rows(model, X), x, up)
   end
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
         margins = "true: draw where the decision function is 0, -1 and 1; default: if the model has support vectors "
            .. "and two classes", resolution = "grid points along each axis; default 150" } })
end
