--- Plots of the choice of the number of components, and of loadings.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

-- --- the number of components ---

local MAX_TICKS = 20

local function ticks_of(count)
   if count > MAX_TICKS then return nil end
   local ticks = {}
   for c = 1, count do ticks[c] = { c, tostring(c) } end
   return ticks
end

-- Variances, with the limits that components must exceed.
local function variance_panel(choice, shown)
   local at, table_of = core.range(1, shown), choice.table
   local layers = { { kind = "line", x = at, y = table_of.variance:slice(1, shown), markers = true, color = 1,
      name = "X" } }
   for i, limit in ipairs { { "parallel", "without structure" }, { "broken_stick", "broken stick" } } do
      if choice.best[limit[1]] then
         layers[#layers + 1] = { kind = "line", x = at, y = table_of[limit[1]]:slice(1, shown), color = i + 1,
            dash = "dashed", name = limit[2] }
      end
   end
   local chosen = {}
   for _, name in ipairs { "parallel", "scree", "kaiser", "broken_stick" } do
      if choice.best[name] then chosen[#chosen + 1] = ("%s: %d"):format(name:gsub("_", " "), choice.best[name]) end
   end
   return { title = #chosen > 0 and table.concat(chosen, ", ") or "variances", x = "component",
      y = "variance", x_ticks = ticks_of(shown), legend = true,
      layers = layers }
end

local function criterion_panel(choice, name, column, label, shown)
   local x, y, se = {}, {}, {}
   local errors = name == "likelihood" and choice.table.likelihood_se
   for c = 1, shown do
      local value = choice.table[column][c]
      if value == value and math.abs(value) < math.huge then
         x[#x + 1], y[#y + 1], se[#se + 1] = c, value, errors and errors[c] or 0
      end
   end
   local values, band = core.Vector(y), core.Vector(se)
   local layers = { { kind = "rule", at_x = choice.best[name], dash = "dashed", color = "grey" } }
   if errors then layers[2] = { kind = "band", x = x, low = values - band, high = values + band, color = 1 } end
   layers[#layers + 1] = { kind = "line", x = x, y = values, markers = true, color = 1 }
   return { title = ("%s: %d"):format(name, choice.best[name]), x = "components", y = label, x_ticks = ticks_of(shown),
      layers = layers }
end

local function choose_components(choice, o)
   if type(choice) ~= "table" or rawget(choice, "votes") == nil or rawget(choice, "scaled") == nil then
      fail("choice must be a result of ml.choose_components, got %s", text(choice))
   end
   local shown = math.min(choice.table.rows, parts.whole(o, "top", 30, 2))
   local panels = { variance_panel(choice, shown) }
   if choice.best.mle then panels[#panels + 1] = criterion_panel(choice, "mle", "evidence", "log evidence", shown) end
   if choice.best.likelihood then
      local label = "mean log density of held-out rows"
      panels[#panels + 1] = criterion_panel(choice, "likelihood", "likelihood", label, shown)
   end
   local caption = {}
   if choice.scaled then caption[1] = "columns standardized" end
   if choice.best.likelihood then caption[#caption + 1] = "band: one standard error of the folds" end
   return { title = choice:headline(), panels = panels, columns = #panels,
      width = 200 + 320 * #panels, height = 380,
      caption = #caption > 0 and table.concat(caption, "; ") or nil }
end

-- --- loadings ---

local MAX_WITH_TEXT, MAX_FEATURES = 14, 60

-- Components in rows: components of a decomposition, or the weights of partial least squares.
local function loadings_of(model)
   local last = inputs.last(model)
   local components = estimator.learned(last, "components")
   if components ~= nil and rows.kind(components) == "Matrix" then return components, "component" end
   local weights = estimator.learned(last, "x_loadings") or estimator.learned(last, "x_weights")
   if weights ~= nil then return weights:t(), "component" end
   fail("model must be a fitted model with components or x_loadings, such as PCA or PLSRegression, got %s",
      estimator.name(last))
end

-- The features with the largest loadings, in their order.
local function strongest(V, count)
   local size = {}
   for j = 1, V.cols do size[j] = V:col(j):copy():abs():max() end
   local order = core.Vector(size):argsort():totable()
   local kept = {}
   for place = #order, math.max(1, #order - count + 1), -1 do kept[#kept + 1] = math.tointeger(order[place]) end
   table.sort(kept)
   return kept
end

local function loadings(model, o)
   model = inputs.model(model)
   local V = loadings_of(model)
   local names = inputs.feature_names(model, V.cols)
   local count = math.min(V.rows, parts.whole(o, "components", 10, 1))
   local kept = strongest(V, parts.whole(o, "top", MAX_FEATURES, 1))
   local z, texts, x_ticks, y_ticks = {}, {}, {}, {}
   local with_text = #kept <= 2 * MAX_WITH_TEXT and count <= MAX_WITH_TEXT
   for i = 1, #kept do
      local j = kept[#kept + 1 - i]
      z[i], texts[i], y_ticks[i] = {}, {}, { i, names[j] }
      for c = 1, count do
         z[i][c] = V:get(c, j)
         texts[i][c] = z[i][c] == 0 and "" or (("%.2f"):format(z[i][c]):gsub("^%-0%.00$", "0.00"))
      end
   end
   for c = 1, count do x_ticks[c] = { c, tostring(c) } end
   local limit = V:abs():max()
   local caption = #kept < V.cols and ("the %d columns with the largest loadings of %d"):format(#kept, V.cols) or nil
   return { title = "Loadings", caption = caption, width = 240 + math.max(320, 44 * count),
      height = math.max(320, math.min(1200, 140 + 22 * #kept)),
      panels = { { x = "component", x_ticks = x_ticks, y_ticks = y_ticks, layers = { { kind = "heat", z = z,
         low = limit > 0 and -limit or -1, high = limit > 0 and limit or 1, palette = "diverging",
         cell_text = with_text and texts or nil } } } } }
end

return function(module)
   define(module, "choose_components", { args = { "choice" }, fn = choose_components,
      brief = "Variances of components with parallel analysis, evidence, and likelihood of held-out rows.",
      notes = "Accepts a result of ml.choose_components, whose :plot() calls this.",
      options = { top = "maximum number of components; default 30" }, source = "Cattell (1966); Horn (1965)" })
   define(module, "loadings", { args = { "model" }, fn = loadings,
      brief = "Heat map of loadings: columns of X against components.",
      notes = "Accepts a fitted model with components (PCA, SparsePCA, FactorAnalysis, NMF, FastICA), a model of "
         .. "partial least squares, or a pipeline that ends in one.",
      options = { components = "maximum number of components; default 10",
         top = "maximum number of columns, those with the largest loadings; default 60" } })
end
