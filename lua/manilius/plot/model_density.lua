--- Plots of the density that a model has learned, along one feature or in the plane of two.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local plane = require "manilius.plot.plane"
local rows = require "manilius.rows"

local fail = parts.fail

local STEPS = 300 -- points of a curve

local function grid_of(low, high, steps)
   return core.linspace(low, high, steps)
end

local function along_one(model, X)
   local x = plane.numbers(X, 1)
   local low, high = plane.span(x)
   local margin = 0.15 * (high - low)
   local grid = grid_of(low - margin, high + margin, STEPS)
   local points = rows.is_frame(X) and rows.frame({ X.names[1] }, { grid }) or grid:reshape(STEPS, 1)
   local heights = model:score_samples(points):exp()
   return { x = inputs.column_names(X)[1], y = "density", layers = {
      { kind = "band", x = grid, low = core.Vector(STEPS, 0), high = heights, color = 1 },
      { kind = "line", x = grid, y = heights, color = 1 },
      { kind = "points", x = x, y = core.Vector(#x, 0), color = "grey", shape = "circle", opacity = 0.4 } } }
end

-- Log densities that are exceeded by these fractions of the rows: Hyndman, The American Statistician 50 (1996).
local FRACTIONS = { 0.95, 0.75, 0.5, 0.25 }

local function levels_of(model, X)
   local scores, levels = model:score_samples(X), {}
   for _, fraction in ipairs(FRACTIONS) do
      local level = scores:quantile(1 - fraction)
      if level > -math.huge and level > (levels[#levels] or -math.huge) then levels[#levels + 1] = level end
   end
   return levels
end

local function in_plane(model, X, o)
   local steps = parts.whole(o, "resolution", 100, 2)
   local statistic = parts.choice(o, "others", { "mean", "median" }, "mean")
   local a, b = plane.two_features(X, o.features)
   local x, y = plane.numbers(X, a), plane.numbers(X, b)
   local x_low, x_high = plane.span(x)
   local y_low, y_high = plane.span(y)
   local xs, ys, scores = grid_of(x_low, x_high, steps), grid_of(y_low, y_high, steps), {}
   plane.evaluate(X, a, b, xs, ys, statistic, function(points) return model:score_samples(points) end,
      function(block) for i = 1, #block do scores[#scores + 1] = block[i] end end)
   scores = core.Vector(scores):reshape(steps, steps)
   local names, slice = inputs.column_names(X), rows.width(X) > 2
   local contour = { kind = "contour", x = xs, y = ys, z = scores, color = "black", width = 1,
      levels = not slice and levels_of(model, X) or nil }
   local caption = slice and ("log density with the other features at their %s"):format(statistic)
      or "color: density; lines enclose 25, 50, 75 and 95% of these rows"
   return { x = names[a], y = names[b], color_label = "density", x_range = { x_low, x_high },
      y_range = { y_low, y_high }, layers = { { kind = "heat", x = xs, y = ys, z = scores:exp() }, contour,
         { kind = "points", x = x, y = y, color = "grey", shape = "circle", opacity = 0.4 } } }, caption
end

local function model_density(model, X, o)
   model = inputs.model(model)
   if not estimator.can(model, "score_samples") then
      fail("model must have score_samples, as density estimators and mixtures do; %s does not", estimator.name(model))
   end
   X = inputs.data(X, nil, model)
   if rows.kind(X) == "Sparse" then fail("X must be a Frame or a Matrix, got Sparse") end
   local panel, caption
   if rows.width(X) == 1 then
      panel = along_one(model, X)
   else
      panel, caption = in_plane(model, X, o)
   end
   return { title = "Density", caption = inputs.title(model) .. (caption and "; " .. caption or ""),
      panels = { panel } }
end

return function(module)
   define(module, "model_density", { args = { "model", "X" }, data_args = 2, fn = model_density,
      brief = "Learned density of a model along one feature, or in the plane of two.",
      notes = "Contours in the plane of two features are highest density regions.",
      source = "Hyndman, The American Statistician 50 (1996)",
      options = { features = "two columns of X by number or name; default { 1, 2 }",
         others = "statistic at which the other features are fixed: 'mean' (default) or 'median'",
         resolution = "grid points along each axis; default 100" } })
end
