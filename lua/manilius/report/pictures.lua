--- The plots of a report: which plots a task has, and how to read each.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local html = require "manilius.report.html"
local rows = require "manilius.rows"

local M = {}

local function plot() return require "manilius.plot" end

-- --- how to read them ---

local READ = {
   confusion = "Each row is a true class, each column a predicted class. The diagonal counts correct predictions; "
      .. "percentages are fractions of the true class.",
   roc = "True positive rate against false positive rate at every threshold. Curves nearer to the upper left corner "
      .. "are better; the dotted diagonal is random guessing. AUC is the probability that a positive row scores higher "
      .. "than a negative one.",
   precision_recall = "Precision against recall at every threshold. Higher is better; random guessing has the "
      .. "prevalence of the class as its precision. More informative than the ROC curve for rare classes.",
   calibration = "Observed frequency against predicted probability, in bins of the prediction. On the dotted diagonal "
      .. "the probabilities are accurate; below it they are too high, above it too low.",
   confidence = "Observed accuracy against confidence, the probability of the predicted class, in bins. On the dotted "
      .. "diagonal the probabilities are accurate; below it the model is overconfident, above it underconfident.",
   ["predicted probability"] = "Number of rows by predicted probability. Peaks near 0 and 1 mean that the model is "
      .. "certain, a peak in the middle that it is uncertain.",
   ["Residuals vs fitted"] = "Residuals (true minus predicted value) against predictions. An even band around 0 is "
      .. "good. A curve suggests that the model misses a nonlinear relation, a funnel that the variance grows with the "
      .. "prediction.",
   ["Normal Q-Q"] = "Quantiles of the residuals against those of a normal distribution. Points on the line are "
      .. "normal; ends that bend away from it indicate heavy tails.",
   ["Actual vs predicted"] = "True values against predictions. On the dotted diagonal predictions are exact; the "
      .. "labels are row numbers of the largest errors.",
   ["Distribution of the residuals"] = "Histogram of the residuals. A narrow peak around 0 is good; a peak elsewhere "
      .. "indicates a biased model.",
   silhouette = "One bar per row. Values near 1 lie well inside their cluster, values near 0 between two clusters; "
      .. "negative values are nearer to another cluster than to their own.",
   clusters = "The rows projected onto the first two principal components, colored by cluster. Clusters that overlap "
      .. "here may be separated in other directions.",
   scree = "Fraction of the variance explained by each component, and cumulatively. Components after the elbow add "
      .. "little.",
   biplot = "The rows projected onto the first two components; arrows show the columns. Columns whose arrows point in "
      .. "the same direction are correlated.",
   coefficients = "Coefficients of the linear model, largest first. Positive coefficients raise the prediction, "
      .. "negative ones lower it. Magnitudes are comparable only if the features have the same scale.",
   coefficients_of_two = "Coefficients of the linear model, largest first. The sign shows which class a feature "
      .. "favors. Magnitudes are comparable only if the features have the same scale.",
   importance = "How much worse the score gets on held-out rows when a column is shuffled. Values near 0 mean that the "
      .. "model does not depend on the column. Correlated columns share their importance, so each may look small.",
   ["Drop-column importance"] = "How much worse the score gets on held-out rows when the model is fitted without a "
      .. "column. Values near 0 mean that the other columns can take its place.",
   learning_curve = "Scores against the number of training rows. If the test curve still rises at the right end, more "
      .. "data will help; if both curves have converged, a better model is needed.",
   comparison = "Scores of each model by fold, best model on top.",
}

-- --- drawing ---

-- Widths in pixels at which the text of a plot is readable on a phone, without and with a legend beside it.
local NARROW, WITH_LEGEND, LONG_NAME, MANY_NAMES = 520, 640, 14, 2

local function copy_of(t)
   local copy = {}
   for name, value in pairs(t) do copy[name] = value end
   return setmetatable(copy, getmetatable(t))
end

-- One figure per panel, so that a narrow page can stack them. The panel title becomes the figure title; caption and
-- notes stay with the first.
local function split_panels(fig)
   if #fig.panels == 1 then return { fig } end
   local list, width, height = {}, fig.width / fig.columns, fig.height / fig.rows
   for i, panel in ipairs(fig.panels) do
      local part = copy_of(fig)
      part.panels = { copy_of(panel) }
      part.panels[1].title = nil
      part.title = panel.title or i == 1 and fig.title or nil
      part.columns, part.rows, part.width, part.height = 1, 1, math.max(width, NARROW), math.max(height, 320)
      if i > 1 then part.caption, part.notes = nil, {} end
      list[i] = part
   end
   return list
end

-- The width for a panel and its legend. In long legends the intervals are dropped.
local function panel_width(panel)
   local many, width = #panel.entries > MANY_NAMES, NARROW
   for _, entry in ipairs(panel.entries) do
      if many then entry.name = entry.name:gsub(" %(.- to .-%)$", "") end
      if many or #entry.name > LONG_NAME then width = WITH_LEGEND end
   end
   return width
end

-- Set width and height of a figure; each legend entry needs a line.
local function resize(fig)
   local width = math.min(fig.width, panel_width(fig.panels[1]))
   if fig.panels[1].equal then
      fig.height = math.floor(0.85 * width)
   elseif not fig.panels[1].y_ticks then
      fig.height = math.floor(math.max(fig.height * width / fig.width, math.min(fig.height, 300)))
   end
   fig.height = math.max(fig.height, 140 + 20 * #fig.panels[1].entries)
   fig.width = width
   return fig
end

-- The legend of a single curve as text; it moves from the plot into the caption.
local function legend_as_text(panel)
   local texts, curves = {}, 0
   for i, entry in ipairs(panel.entries) do
      local is_rule = entry.layer.kind == "rule"
      if not is_rule then curves = curves + 1 end
      texts[i] = is_rule and ("%s line: %s"):format(entry.layer.dash or "thin", entry.name) or entry.name
   end
   if curves ~= 1 or #texts == 0 then return nil end
   panel.entries = {}
   return table.concat(texts, "; ") .. ". "
end

-- The reason of a failure, without position and advice for the terminal.
local function reason_of(message)
   local reason = tostring(message):gsub("^[^\n:]*:%d+: ", "", 1):gsub("^%l+: ", "", 1)
   return reason:find "^gnuplot was not found" and "gnuplot was not found" or reason
end

-- The plot as SVG; without gnuplot, its text rendering and a note.
local function drawn(fig, state)
   local ok, svg = pcall(fig.svg, fig)
   if ok then return html.div { class = "paper", html.raw(svg) } end
   rows.recoverable_error(svg)
   state.missing = state.missing or reason_of(svg)
   state.left_out = state.left_out + 1
   local as_text, text = rows.try(fig.text, fig, { width = 56 })
   return html.div { class = "absent", html.p { class = "note", "Plot not available: ", reason_of(svg), "." },
      as_text and html.pre { text } or false }
end

local function explanation(title, panel_x, name)
   return READ[title] or (name == "calibration" or name == "confidence") and READ[panel_x] or READ[name]
end

--- The figures returned by `make`, each with an explanation; a note when `make` fails.
-- @param state { left_out = count, missing = reason } of the report
-- @param name name of the plot
function M.show(state, name, make)
   if not state.wanted then return false end
   local ok, fig = pcall(make)
   if not ok then
      rows.recoverable_error(fig)
      return html.p { class = "note", ("Plot of %s not available: %s"):format(name:gsub("_", " "), reason_of(fig)) }
   end
   local out = {}
   for i, part in ipairs(split_panels(fig)) do
      local panel = part.panels[1]
      local what = i > 1 and explanation(part.title, panel.x, name) or READ[part.title] or READ[name]
      local legend = legend_as_text(panel)
      out[i] = html.figure { drawn(resize(part), state),
         html.figcaption { legend and html.strong { legend } or false, what or "" } }
   end
   return html.join(out)
end

-- --- by task ---

-- Calibration of the predicted class when there are more than two classes.
local function confidence_figure(y, out)
   local right, confidence = {}, {}
   y = require("manilius.metrics.parts").labels("y", y)
   for i = 1, #y do
      right[i] = out.predict[i] == y[i] and "right" or "wrong"
      confidence[i] = out.predict_proba:row(i):max()
   end
   return plot().calibration(core.Factor(right), core.Vector(confidence), { positive = "right",
      title = "Confidence calibration" })
end

--- Plots of a classifier. evidence: { y, outputs, classes }.
function M.classifier(state, evidence)
   local y, out = evidence.y, evidence.outputs
   local scores = out.predict_proba or out.decision_function
   local options = { labels = evidence.classes }
   local list = { M.show(state, "confusion", function()
      return plot().confusion(y, out.predict, { labels = evidence.classes })
   end) }
   if scores then
      list[2] = M.show(state, "roc", function() return plot().roc(y, scores, options) end)
      list[3] = M.show(state, "precision_recall", function() return plot().precision_recall(y, scores, options) end)
   end
   if out.predict_proba and #evidence.classes == 2 then
      list[4] = M.show(state, "calibration", function() return plot().calibration(y, scores, options) end)
   elseif out.predict_proba then
      list[4] = M.show(state, "confidence", function() return confidence_figure(y, out) end)
   end
   return list
end

local MAX_TARGETS = 4

--- Plots of a regressor, for each target.
function M.regressor(state, evidence)
   local y = rows.kind(evidence.y) == "Frame" and rows.plain(evidence.y) or evidence.y
   local targets = rows.kind(y) == "Matrix" and y.cols or 1
   local labels, list = {}, {}
   for i = 1, #evidence.at do labels[i] = ("%d"):format(evidence.at[i]) end
   for target = 1, math.min(targets, MAX_TARGETS) do
      list[#list + 1] = targets > 1 and html.h3 { ("Target %d"):format(target) } or false
      list[#list + 1] = M.show(state, "residuals", function()
         return plot().residuals(y, evidence.outputs.predict, { target = target, labels = labels })
      end)
   end
   return list
end

-- Plots with one point per row show at most this many rows.
local MAX_POINTS = 5000

local function subsample(X, labels)
   local n = rows.count(X)
   if n <= MAX_POINTS then return X, labels end
   local at = core.linspace(1, n, MAX_POINTS):round()
   return rows.take(X, at), rows.take(labels, at)
end

--- Plots of a clustering.
function M.clustering(state, evidence)
   local X, labels = subsample(evidence.X, evidence.outputs.predict)
   return {
      M.show(state, "silhouette", function() return plot().silhouette(X, labels) end),
      M.show(state, "clusters", function() return plot().pca(X, labels, { arrows = 0, title = "Clusters" }) end),
   }
end

--- Plots of components, for models that have them.
function M.components(state, given)
   local list = { M.show(state, "scree", function() return plot().scree(given.fitted) end) }
   local X, labels = subsample(given.X, given.y ~= nil and rows.kind(given.y) == "Factor" and given.y or nil)
   list[2] = M.show(state, "biplot", function() return plot().pca(given.fitted, X, labels) end)
   return list
end

--- The last step of a pipeline or of the best model of a search; nil for foreign models.
function M.last_of(model)
   local ok, last = rows.try(function()
      local from = require "manilius.plot.inputs"
      return from.last(from.model(model))
   end)
   return ok and last or nil
end

--- Plot of the coefficients; false when the model has none.
function M.coefficients(state, fitted)
   local last = M.last_of(fitted)
   if not last or estimator.learned(last, "coef") == nil then return false end
   local classes = estimator.learned(last, "classes")
   local two = type(classes) == "table" and #classes == 2
   return M.show(state, two and "coefficients_of_two" or "coefficients", function()
      local fig = plot().coefficients(fitted)
      if two then
         fig.panels[1].x = ("below 0 for %s, above for %s"):format(tostring(classes[1]), tostring(classes[2]))
      end
      return fig
   end)
end

return M
