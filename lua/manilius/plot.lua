--- Plots, shown in the terminal, saved as svg, png, pdf or html, or written as a gnuplot script.
--
-- `ml.plot.scatter(frame, { x = "bill_length_mm", y = "body_mass_g", class = "species" }):save "penguins.svg"`. Every
-- function returns a figure (manilius.draw.figure); the last argument is a table of options. Figures are drawn by
-- gnuplot, which must be installed; without it `fig:show()` falls back to text.

local parts = require "manilius.metrics.parts"

-- The functions that each submodule defines. A submodule returns function(M), which adds them to M.
local families = {
   basic = { "scatter", "line", "bar", "figure" },
   spread = { "histogram", "density", "box" },
   violin = { "violin" },
   pairs = { "pairs" },
   facets = { "facets" },
   grids = { "heatmap", "contour", "surface" },
   classify = { "confusion", "roc", "precision_recall", "calibration" },
   decision = { "decision" },
   mixture = { "mixture" },
   embedding = { "embedding" },
   maps = { "u_matrix", "component_planes", "magnification", "latent_uncertainty" },
   shepard = { "shepard" },
   model_density = { "model_density" },
   residuals = { "residuals" },
   fit = { "fit" },
   coefficients = { "coefficients", "importance", "coef_path", "evidence" },
   selection = { "learning_curve", "validation_curve", "cv", "trace", "permutation_test" },
   selectors = { "selection_frequencies", "selection_scores" },
   tuning = { "penalty", "search", "brackets", "pruning" },
   minimum = { "minimum" },
   gaussian_process = { "gp", "gp_samples", "gp_likelihood" },
   chains = { "chains", "posterior" },
   sequences = { "states", "transitions", "trellis" },
   components = { "choose_components", "loadings" },
   structure = { "pca", "scree", "elbow", "silhouette" },
   consensus = { "choose_k", "consensus" },
   hierarchy = { "dendrogram" },
   clusters = { "reachability", "condensed_tree", "neighbor_distances" },
   tables = { "correlation", "missing" },
   dependence = { "partial_dependence" },
   tree = { "tree" },
   network = { "network" },
   shap = { "shap" },
   loss = { "loss" },
   series = { "forecast", "error_rates" },
   uncertainty = { "threshold", "cost", "intervals", "label_sets" },
}

-- Help of Figure, kept here so that help does not load manilius.draw.figure.
local FIGURE = { name = "Figure", args = { "settings" },
   brief = "Create a custom figure from panels and layers.",
   notes = "The comment at the top of manilius/draw/figure.lua documents all settings.",
   returns = "a figure: :show(), :save(path), :svg(), :script(path), :text()",
   params = {
      { name = "panels", brief = "a list of { title =, x = label, y = label, layers = { { kind = 'points', x =, y = }, "
         .. "... } }; kinds: points, line, band, bars, box, rectangles, heat, contour, surface, regions, segments, "
         .. "rule, text" },
      { name = "title", brief = "title of the figure" }, { name = "caption", brief = "text below the figure" },
      { name = "columns", brief = "panels per row" }, { name = "width", brief = "in pixels" },
      { name = "height", brief = "in pixels" },
      { name = "legend", brief = "true: one legend of all panels, below them" },
      { name = "aligned", brief = "true: all panels have the same size" },
   } }

local modules, names = {}, {}
for family, list in pairs(families) do
   for _, name in ipairs(list) do
      modules[name] = "manilius.plot." .. family
      names[#names + 1] = name
   end
end
table.sort(names)

local M = {}
local help = { Figure = FIGURE }

-- The function of that name; loads the submodule that defines it.
local function load_function(name)
   local module = modules[name]
   if module and not rawget(M, name) then
      require(module)(setmetatable({ help = help }, { __newindex = function(_, key, value) rawset(M, key, value) end }))
   end
   return rawget(M, name)
end

-- The help of all functions.
local function load_help()
   for _, name in ipairs(names) do load_function(name) end
   for name, example in pairs(require "manilius.plot.examples") do help[name].example = example end
   return help
end

local function show() return require "manilius.help".module_text("plot", M.help) end

--- Help by name; submodules are loaded on demand.
M.help = setmetatable({}, {
   __index = function(_, name) return load_help()[name] end,
   __pairs = function() return pairs(load_help()) end,
   __tostring = show,
})

--- A custom figure of panels and layers; see manilius.draw.figure.
function M.Figure(given)
   return (require "manilius.rows".rethrow(2, pcall(require "manilius.draw.figure".Figure, given)))
end

local function index(_, name)
   local value = load_function(name)
   if value then return value end
   local known = table.move(names, 1, #names, 1, { "Figure" })
   local near = type(name) == "string" and require "manilius.core".nearest(name, known)
   error(("plot has no %s; %s"):format(parts.text(name), near and ("did you mean '%s'?"):format(near)
      or 'ml.help "plot" lists all functions'), 2)
end

-- Iterate over all functions, loading them first.
local function iterate(self)
   for _, name in ipairs(names) do load_function(name) end
   return next, self, nil
end

return setmetatable(M, { __index = index, __pairs = iterate, __tostring = show })
