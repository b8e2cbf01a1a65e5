--- The pictures of a report: which ones fit a task, and how to read each.
-- @module manilius.report.pictures

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local html = require "manilius.report.html"
local rows = require "manilius.rows"

local M = {}

local function plot() return require "manilius.plot" end

-- --- how to read them ---

local READ = {
   confusion = "Each line is a true class, each column what the model said. Rows on the diagonal were right; every "
      .. "other cell is one kind of mistake, and its percentage the share of that true class.",
   roc = "For every threshold: the share of the rows looked for that are found (up) against the share of the others "
      .. "that raise a false alarm (right). The nearer to the upper left corner the better; the dotted diagonal is "
      .. "guessing. The area, AUC, is the chance that a row looked for scores higher than another.",
   precision_recall = "How many of the rows that were picked are right (up), when so large a share of all rows looked "
      .. "for is to be found (right). The higher the better; guessing gives the share of the class. For rare classes "
      .. "it tells more than the ROC curve.",
   calibration = "Can the probabilities be taken at their word? Rows with like probabilities together: what was "
      .. "predicted (right), and how often it came true (up). On the dotted diagonal 70% means 70 of 100; points "
      .. "below it promised too much.",
   confidence = "Can the probabilities be taken at their word? Rows with like confidence, the probability of the "
      .. "class that was chosen, together (right), and how often that class was the true one (up). On the dotted "
      .. "diagonal 70% means 70 of 100; points below it promised too much.",
   ["predicted probability"] = "How many rows got which probability. Two heaps at the ends: a model that is sure of "
      .. "itself; one heap in the middle: one that hesitates.",
   ["Residuals vs fitted"] = "What was left over, true minus predicted value, against the prediction. Good is a level "
      .. "cloud about 0. A bend says that a curve is missing from the model; a funnel, that errors grow with the "
      .. "value.",
   ["Normal Q-Q"] = "Sizes of the errors against those that normal errors would have. Points on the line: normal. "
      .. "Ends that leave it: more large errors than one would expect.",
   ["Actual vs predicted"] = "Each judged row: its true value (up) against the prediction (right). On the dotted "
      .. "diagonal the prediction was right; the numbers mark the rows that were missed most.",
   ["Distribution of the residuals"] = "How large the errors are. Good is one narrow heap about 0; a heap off 0 means "
      .. "that the model is too high or too low throughout.",
   silhouette = "A bar for each row: near 1 it lies well inside its cluster, about 0 between two, below 0 it is "
      .. "nearer to another cluster than to its own.",
   clusters = "The rows on the two directions in which they differ most, coloured by cluster. Clusters that overlap "
      .. "here may still be apart in other directions.",
   scree = "How much of the variance each component holds, and the first ones together. After the bend there is "
      .. "little left to gain.",
   biplot = "The rows on the first two components; arrows are the columns. Columns whose arrows point the same way go "
      .. "together.",
   coefficients = "The weights of the linear model, largest first. To the right of 0: more of that input raises the "
      .. "answer; to the left: lowers it. Sizes can be compared where the inputs have the same scale.",
   coefficients_of_two = "The weights of the linear model, largest first: more of that input speaks for one class or "
      .. "the other. Sizes can be compared where the inputs have the same scale.",
   importance = "How much the score gets worse when the values of one column are shuffled, on rows the model had not "
      .. "seen. Near 0: the model does without it. Columns that say the same share the credit, so each may look "
      .. "small.",
   learning_curve = "Scores with more and more rows to learn from. If the line of test still climbs at the right end, "
      .. "more data will help; if both have met and are level, a better model is needed.",
   comparison = "Scores of each model by fold, best on top. Boxes that lie clear of each other tell models apart.",
}

-- --- drawing ---

-- Pixels of a picture whose letters can still be read on a telephone; a long legend at its side needs more.
local NARROW, WITH_LEGEND, LONG_NAME, MANY_NAMES = 520, 640, 14, 2

local function copy_of(t)
   local copy = {}
   for name, value in pairs(t) do copy[name] = value end
   return setmetatable(copy, getmetatable(t))
end

-- A figure for each panel, so that a narrow page can put them below each other. The title of the panel becomes that of
-- the figure; what is said of all stands with the first.
local function single(fig)
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

-- A legend of several names goes without the intervals of their numbers.
local function room_for(panel)
   local many, width = #panel.entries > MANY_NAMES, NARROW
   for _, entry in ipairs(panel.entries) do
      if many then entry.name = entry.name:gsub(" %(.- to .-%)$", "") end
      if many or #entry.name > LONG_NAME then width = WITH_LEGEND end
   end
   return width
end

-- Lines with a name each need their height.
local function shaped(fig)
   local width = math.min(fig.width, room_for(fig.panels[1]))
   if fig.panels[1].equal then
      fig.height = math.floor(0.85 * width)
   elseif not fig.panels[1].y_ticks then
      fig.height = math.floor(math.max(fig.height * width / fig.width, math.min(fig.height, 300)))
   end
   fig.height = math.max(fig.height, 140 + 20 * #fig.panels[1].entries)
   fig.width = width
   return fig
end

-- What a legend of one curve says, taken out of the picture, which has more room without it.
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

-- Why, without the advice that is for the terminal.
local function reason_of(message)
   local reason = tostring(message):gsub("^[^\n:]*:%d+: ", "", 1):gsub("^%l+: ", "", 1)
   return reason:find "^gnuplot was not found" and "gnuplot was not found" or reason
end

-- The picture, or where there is no gnuplot its rendering as text and a note.
local function drawn(fig, state)
   local ok, svg = pcall(fig.svg, fig)
   if ok then return html.div { class = "paper", html.raw(svg) } end
   rows.recoverable_error(svg)
   state.missing = state.missing or reason_of(svg)
   state.left_out = state.left_out + 1
   local as_text, text = rows.try(fig.text, fig, { width = 56 })
   return html.div { class = "absent", html.p { class = "note", "No picture here: ", reason_of(svg), "." },
      as_text and html.pre { text } or false }
end

local function read_of(title, panel_x, name)
   return READ[title] or (name == "calibration" or name == "confidence") and READ[panel_x] or READ[name]
end

--- The figures that `make` gives, each with how to read it. A picture that cannot be made says why.
-- @param state { left_out = count, missing = why } of the report
-- @param name of what is drawn
function M.show(state, name, make)
   if not state.wanted then return false end
   local ok, fig = pcall(make)
   if not ok then
      rows.recoverable_error(fig)
      return html.p { class = "note", ("No picture of %s: %s"):format(name:gsub("_", " "), reason_of(fig)) }
   end
   local out = {}
   for i, part in ipairs(single(fig)) do
      local panel = part.panels[1]
      local what = i > 1 and read_of(part.title, panel.x, name) or READ[part.title] or READ[name]
      local legend = legend_as_text(panel)
      out[i] = html.figure { drawn(shaped(part), state),
         html.figcaption { legend and html.strong { legend } or false, what or "" } }
   end
   return html.join(out)
end

-- --- by task ---

-- Of more than two classes: is the one that was chosen right as often as its probability says?
local function confidence_figure(y, out)
   local right, confidence = {}, {}
   y = require("manilius.metrics.parts").labels("y", y)
   for i = 1, #y do
      right[i] = out.predict[i] == y[i] and "right" or "wrong"
      confidence[i] = out.predict_proba:row(i):max()
   end
   return plot().calibration(core.Factor(right), core.Vector(confidence), { positive = "right",
      title = "Confidence and truth" })
end

--- Of a classifier: { y, outputs, classes }.
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

local MOST_TARGETS = 4

--- Of a regressor, for each target.
function M.regressor(state, evidence)
   local y = rows.kind(evidence.y) == "Frame" and rows.plain(evidence.y) or evidence.y
   local targets = rows.kind(y) == "Matrix" and y.cols or 1
   local labels, list = {}, {}
   for i = 1, #evidence.at do labels[i] = ("%d"):format(evidence.at[i]) end
   for target = 1, math.min(targets, MOST_TARGETS) do
      list[#list + 1] = targets > 1 and html.h3 { ("Target %d"):format(target) } or false
      list[#list + 1] = M.show(state, "residuals", function()
         return plot().residuals(y, evidence.outputs.predict, { target = target, labels = labels })
      end)
   end
   return list
end

-- At most so many rows of a picture in which every row is a point.
local MOST_POINTS = 5000

local function thinned(X, labels)
   local n = rows.count(X)
   if n <= MOST_POINTS then return X, labels end
   local at = core.linspace(1, n, MOST_POINTS):round()
   return rows.take(X, at), rows.take(labels, at)
end

--- Of a clustering.
function M.clustering(state, evidence)
   local X, labels = thinned(evidence.X, evidence.outputs.predict)
   return {
      M.show(state, "silhouette", function() return plot().silhouette(X, labels) end),
      M.show(state, "clusters", function() return plot().pca(X, labels, { arrows = 0, title = "Clusters" }) end),
   }
end

--- Of components, where the model has them.
function M.components(state, given)
   local list = { M.show(state, "scree", function() return plot().scree(given.fitted) end) }
   local X, labels = thinned(given.X, given.y ~= nil and rows.kind(given.y) == "Factor" and given.y or nil)
   list[2] = M.show(state, "biplot", function() return plot().pca(given.fitted, X, labels) end)
   return list
end

--- The last step of a pipeline, or of a search's best; nil when it is none of ours.
function M.last_of(model)
   local ok, last = rows.try(function()
      local from = require "manilius.plot.given"
      return from.last(from.model(model))
   end)
   return ok and last or nil
end

--- Of weights, where the model has them.
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
