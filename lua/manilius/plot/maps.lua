--- Plots of self-organizing maps, of generative topographic mappings and of latent variables of Gaussian processes.

local core = require "manilius.core"
local define = require "manilius.plot.define"
local diagnose = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local points = require "manilius.plot.points"

local fail = parts.fail

-- The last step of a pipeline, if it is of one of these classes; and X as this step sees it.
local function last_of(model, X, ...)
   model = inputs.model(model)
   local last, wanted = inputs.last(model), { ... }
   for _, name in ipairs(wanted) do
      if estimator.name(last) == name then return last, X and inputs.prepared(model, X), model end
   end
   fail("model must be a fitted %s, got %s", table.concat(wanted, " or "), estimator.name(last))
end

local function groups_of(y, X)
   local count = X.rows or #X
   return define.groups(y and define.labels(nil, "y", y, count), count)
end

-- --- self-organizing maps ---

-- Cells of a grid of values, one layer, or for a hexagonal grid one for each row, so that odd rows are shifted.
local function cells(model, z, palette)
   local low, high = z:min(), z:max()
   if high <= low then high = low + 1 end
   if model.topology == "rectangular" then
      return { { kind = "heat", z = z, low = low, high = high, palette = palette, x = core.range(0, z.cols - 1),
         y = core.range(0, z.rows - 1) } }
   end
   local layers, height = {}, math.sqrt(0.75)
   for r = 1, z.rows do
      local shift = r % 2 == 0 and 0.5 or 0
      local x = {}
      for c = 0, z.cols do x[c + 1] = c - 0.5 + shift end
      layers[r] = { kind = "heat", z = z:slice(r, r), low = low, high = high, palette = palette, x = x,
         y = { (r - 1.5) * height, (r - 0.5) * height } }
   end
   return layers
end

-- The rows about their units, moved apart along a spiral of fixed steps.
local function spread_rows(model, X)
   local place, seen = model:transform(X), {}
   local at = place.matrix and place:matrix() or place
   local unit = model:predict(X)
   local x, y = {}, {}
   for i = 1, at.rows do
      local k = seen[unit[i]] or 0
      seen[unit[i]] = k + 1
      local radius, angle = math.min(0.36, 0.09 * math.sqrt(k)), k * 2.399963
      x[i], y[i] = at:get(i, 1) + radius * math.cos(angle), at:get(i, 2) + radius * math.sin(angle)
   end
   return core.Vector(x), core.Vector(y)
end

local function u_matrix(model, X, y, o)
   local som, prepared = last_of(model, X, "SOM")
   local layers = cells(som, som:u_matrix(), "blues")
   if prepared then
      local px, py = spread_rows(som, prepared)
      for _, layer in ipairs(points.layers(groups_of(y, prepared), { x = px, y = py }, { size = o.size })) do
         layers[#layers + 1] = layer
      end
   end
   return { title = "U-matrix", caption = ("quantization error %.3g, topographic error %.3g"):format(
      som.quantization_error, som.topographic_error), panels = { { x = "place on the grid", y = "",
      equal = true, legend = y ~= nil, color_label = "distance from neighbors", layers = layers } } }
end

local function component_planes(model, o)
   local som, _, whole = last_of(model, nil, "SOM")
   local names, panels = inputs.feature_names(whole, som.codebook.cols), {}
   local most = parts.whole(o, "top", 12, 1)
   for j = 1, math.min(som.codebook.cols, most) do
      panels[j] = { title = names[j], equal = true, layers = cells(som, som:component_plane { column = j }) }
   end
   local columns = math.min(#panels, math.ceil(math.sqrt(#panels)))
   return { title = "Component planes", panels = panels, columns = columns, width = 60 + 270 * columns,
      height = 60 + 230 * math.ceil(#panels / columns),
      caption = som.codebook.cols > most and ("the first %d of %d columns"):format(most, som.codebook.cols) or nil }
end

-- --- generative topographic mapping ---

local function two_dimensional(model, n)
   if n ~= 2 then fail("%s must have n_components = 2, got %d", estimator.name(model), n) end
end

local function latent_points(gtm, X)
   local at = gtm:posterior(X)
   return at.mean, at.variance
end

local function magnification(model, X, y, o)
   local gtm, prepared = last_of(model, X, "GTM")
   two_dimensional(gtm, gtm.latent_points.cols)
   local n = gtm.grid_size
   local axis, factor = core.linspace(-1, 1, n), gtm:magnification().factor
   local z = {}
   for r = 1, n do -- nodes go along the second coordinate first
      z[r] = {}
      for c = 1, n do z[r][c] = math.log(math.max(factor[(c - 1) * n + r], 1e-300), 10) end
   end
   local layers = { { kind = "heat", x = axis, y = axis, z = z, palette = "blues" } }
   if prepared then
      local mean = latent_points(gtm, prepared)
      local columns = { x = mean:col(1):copy(), y = mean:col(2):copy() }
      for _, layer in ipairs(points.layers(groups_of(y, prepared), columns, { size = o.size })) do
         layers[#layers + 1] = layer
      end
   end
   return { title = "Magnification factors", panels = { { x = "latent coordinate 1", y = "latent coordinate 2",
      equal = true, legend = y ~= nil, color_label = "log10(area in data / area in latent space)",
      layers = layers } } }
end

-- --- uncertainty of positions ---

-- Positions of the rows of X with bars of one standard deviation.
local function gtm_uncertainty(gtm, X, y, o)
   if X == nil then fail("X must be rows for a GTM, got nil") end
   two_dimensional(gtm, gtm.latent_points.cols)
   local mean, variance = latent_points(gtm, X)
   local layers = {}
   for _, group in ipairs(groups_of(y, X)) do
      local at = { x1 = {}, y1 = {}, x2 = {}, y2 = {} }
      for _, i in ipairs(group.places:totable()) do
         i = math.tointeger(i)
         local a, b = mean:get(i, 1), mean:get(i, 2)
         local sa, sb = math.sqrt(variance:get(i, 1)), math.sqrt(variance:get(i, 2))
         for _, bar in ipairs { { a - sa, b, a + sa, b }, { a, b - sb, a, b + sb } } do
            local k = #at.x1 + 1
            at.x1[k], at.y1[k], at.x2[k], at.y2[k] = table.unpack(bar)
         end
      end
      layers[#layers + 1] = { kind = "segments", x1 = at.x1, y1 = at.y1, x2 = at.x2, y2 = at.y2, width = 0.7,
         color = "grey" }
   end
   local columns = { x = mean:col(1):copy(), y = mean:col(2):copy() }
   for _, layer in ipairs(points.layers(groups_of(y, X), columns, { size = o.size })) do layers[#layers + 1] = layer end
   return layers, nil, "bars: one standard deviation of the posterior distribution"
end

-- The numbers of the two components of largest relevance.
local function most_relevant(relevance)
   local order = relevance:argsort()
   return math.tointeger(order[#order]), math.tointeger(order[#order - 1])
end

-- The embedding over the predictive standard deviation of the columns, in the plane through 0 of two components.
local function gplvm_uncertainty(model, y, o)
   local Z, first, second = model.embedding, 1, 2
   if Z.cols < 2 then fail("%s must have at least 2 components, got 1", estimator.name(model)) end
   if estimator.name(model) == "BayesianGPLVM" then first, second = most_relevant(model.relevance) end
   local n, axes, rows = parts.whole(o, "points", 40, 2), {}, {}
   for k, c in ipairs { first, second } do
      local low, high = Z:col(c):min(), Z:col(c):max()
      local margin = math.max(0.1 * (high - low), 1e-9)
      axes[k] = core.linspace(low - margin, high + margin, n)
   end
   for r = 1, n do
      for c = 1, n do
         local row = {}
         for k = 1, Z.cols do row[k] = k == first and axes[1][c] or k == second and axes[2][r] or 0 end
         rows[#rows + 1] = row
      end
   end
   local variance, z = model:posterior({ points = rows }).variance, {}
   for r = 1, n do
      z[r] = {}
      for c = 1, n do
         local sum = 0
         for j = 1, variance.cols do sum = sum + variance:get((r - 1) * n + c, j) / variance.cols end
         z[r][c] = math.sqrt(sum)
      end
   end
   local layers = { { kind = "heat", x = axes[1], y = axes[2], z = z, palette = "blues" } }
   local columns = { x = Z:col(first):copy(), y = Z:col(second):copy() }
   for _, layer in ipairs(points.layers(groups_of(y, Z), columns, { size = o.size })) do layers[#layers + 1] = layer end
   return layers, "standard deviation of X given the position", nil, first, second
end

local function latent_uncertainty(model, X, y, o)
   local last, prepared = last_of(model, X, "GTM", "GPLVM", "BayesianGPLVM")
   local layers, color_label, caption, first, second
   if estimator.name(last) == "GTM" then
      layers, color_label, caption = gtm_uncertainty(last, prepared, y, o)
   else
      layers, color_label, caption, first, second = gplvm_uncertainty(last, y, o)
   end
   local x, y_label = "latent coordinate " .. (first or 1), "latent coordinate " .. (second or 2)
   return { title = "Uncertainty of positions", caption = caption, panels = { { x = x, y = y_label, legend = y ~= nil,
      color_label = color_label, layers = layers } } }
end

return function(module)
   local size = "size of the points"
   diagnose(module, "u_matrix", { args = { "model", "X", "y" }, data_args = 1, fn = u_matrix,
      brief = "U-matrix of a self-organizing map, with the rows about their units.",
      notes = "Dark cells are far from their neighbors: ridges between groups of units. Cells of a hexagonal grid are "
         .. "drawn as shifted rectangles. Without X the map alone is drawn.",
      options = { size = size }, source = "Ultsch & Siemon (1990)" })
   diagnose(module, "component_planes", { args = { "model" }, fn = component_planes,
      brief = "Value of each column of X over the grid of a self-organizing map.",
      options = { top = "maximum number of columns; default 12" }, source = "Kohonen (2001)" })
   diagnose(module, "magnification", { args = { "model", "X", "y" }, data_args = 1, fn = magnification,
      brief = "How much a GTM stretches its latent space, with the posterior means of rows.",
      notes = "Dark ridges, where a small step on the map is a large one in the data, separate groups.",
      options = { size = size }, source = "Bishop, Svensen & Williams (1997)" })
   diagnose(module, "latent_uncertainty", { args = { "model", "X", "y" }, data_args = 1, fn = latent_uncertainty,
      brief = "Uncertainty of latent positions: of rows of X in a GTM, over the map of a GPLVM.",
      notes = "For a GTM, bars are standard deviations of the posterior distribution of each row. For a GPLVM or "
         .. "BayesianGPLVM (its two most relevant components), X may be nil; the color is the predictive standard "
         .. "deviation, which is small near the rows.",
      options = { size = size, points = "grid points along each axis for a GPLVM; default 40" } })
end
