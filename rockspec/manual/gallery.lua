--- The gallery: the picture of each plot with its code. The pictures are those of the reference.
-- @module manual.gallery

local html = require "manual.html"
local reference = require "manual.reference"

local M = {}

-- The plots in reading order; those that are missing here are under `OTHERS`.
local GROUPS = {
   { "Points, lines and bars", "scatter", "line", "bar" },
   { "Distributions", "histogram", "density", "box", "violin", "model_density", "mixture" },
   { "Several panels", "pairs", "facets", "figure", "Figure" },
   { "Tables, grids and graphs", "correlation", "missing", "heatmap", "contour", "surface", "network" },
   { "Classification", "confusion", "roc", "precision_recall", "calibration", "decision", "threshold", "cost",
      "label_sets" },
   { "Regression", "fit", "intervals", "residuals", "coefficients", "coef_path" },
   { "Series and codes", "forecast", "states", "transitions", "trellis", "error_rates" },
   { "Gaussian processes and minimization", "gp", "gp_samples", "gp_likelihood", "minimum" },
   { "What models learned", "importance", "partial_dependence", "shap", "tree", "evidence" },
   { "Selection and tuning", "learning_curve", "validation_curve", "cv", "search", "brackets", "penalty", "pruning",
      "permutation_test", "selection_frequencies", "selection_scores" },
   { "Convergence and chains", "loss", "trace", "chains", "posterior" },
   { "Components and factors", "pca", "scree", "loadings", "choose_components" },
   { "Clusters", "elbow", "choose_k", "silhouette", "consensus", "dendrogram", "condensed_tree", "reachability",
      "neighbor_distances" },
   { "Maps", "embedding", "shepard", "component_planes", "u_matrix", "magnification", "latent_uncertainty" },
}
local OTHERS = "Further plots"

local function groups()
   local help, list, seen = require "manilius.plot".help, {}, {}
   for i, group in ipairs(GROUPS) do
      list[i] = { title = group[1] }
      for k = 2, #group do
         list[i][k - 1], seen[group[k]] = group[k], true
      end
   end
   local others = { title = OTHERS }
   for name in pairs(help) do
      if not seen[name] then others[#others + 1] = name end
   end
   table.sort(others)
   if #others > 0 then list[#list + 1] = others end
   return list, help
end

-- The picture of a plot, its name as a link to the reference, and its code. "" for a plot without a picture.
local function item(name, about, folder)
   local file = reference.picture_file { name = "plot." .. name, kind = "function" }
   local picture = about and about.example and io.open(folder .. "/" .. file, "rb")
   if not picture then return "" end
   picture:close()
   return ('<figure id="%s"><img src="%s" alt="%s" loading="lazy"/><figcaption><code>ml.plot.%s</code> %s'
      .. "<details><summary>code</summary>%s</details></figcaption></figure>"):format(html.escape(name),
      html.escape(file), html.escape(about.brief), html.escape(name), html.text(about.brief), html.lua(about.example))
end

--- Add the page. Call it after reference.add, which saves the pictures to `folder`.
function M.add(site, section, folder)
   local out, links, list, help = { "" }, {}, groups()
   for i, group in ipairs(list) do
      local id = html.slug(group.title)
      links[i] = { href = "#" .. id, name = group.title }
      local figures = {}
      for k, name in ipairs(group) do figures[k] = item(name, help[name], folder) end
      out[#out + 1] = html.heading(2, id, html.escape(group.title))
      out[#out + 1] = '<div class="figures">' .. table.concat(figures, "\n") .. "</div>"
   end
   out[1] = "<h1>Gallery of plots</h1>\n<p>Each plot of " .. html.code "ml.plot" .. " with a complete program. "
      .. html.link("plots.html", "Plots") .. " in the guide is an introduction.</p>\n" .. html.toc(links)
   site:add { file = "gallery.html", section = section, title = "Gallery of plots", wide = true,
      brief = "A picture of each plot, with its code.", body = table.concat(out, "\n") }
end

return M
