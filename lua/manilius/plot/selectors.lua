--- Plots of selectors of columns: how often columns are selected, and scores by the number of columns.

local bar_labels = require "manilius.draw.bar_labels"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

-- --- frequencies ---

local KINDS = { "confirmed", "tentative", "rejected" }
local STABLE = { "selected", "not selected" }

local function column_name(model, j)
   return model.feature_names and model.feature_names[j] or "x" .. j
end

-- The kind of each column, and the kinds in the order of their colors.
local function kinds_of(model)
   local decisions = estimator.learned(model, "decisions")
   if decisions then return decisions:totable(), KINDS end
   local list = {}
   for j = 1, model.n_features do list[j] = STABLE[2] end
   for _, j in ipairs(model.support:totable()) do list[j] = STABLE[1] end
   return list, STABLE
end

-- Positions by decreasing value, at most `top` of them.
local function largest(values, top)
   local order = {}
   for j = 1, #values do order[j] = j end
   table.sort(order, function(a, b)
      if values[a] ~= values[b] then return values[a] > values[b] end
      return a < b
   end)
   return table.move(order, 1, math.min(top, #order), 1, {})
end

-- One layer of bars for each kind of column.
local function bars_of(model, order)
   local frequencies, layers, ticks = model.frequencies, {}, {}
   local kind, kinds = kinds_of(model)
   for c, name in ipairs(kinds) do
      local at, y = {}, {}
      for place, j in ipairs(order) do
         if kind[j] == name then at[#at + 1], y[#y + 1] = #order + 1 - place, frequencies[j] end
      end
      if #at > 0 then
         layers[#layers + 1] = { kind = "bars", x = at, y = y, horizontal = true, width = 0.7, color = c, name = name,
            labels = bar_labels.of(y) }
      end
   end
   for place, j in ipairs(order) do ticks[place] = { #order + 1 - place, column_name(model, j) } end
   return layers, ticks
end

local function selection_frequencies(model, o)
   model = inputs.model(model)
   local frequencies = model and estimator.learned(model, "frequencies")
   if rows.kind(frequencies) ~= "Vector" then
      fail("model must be a fitted StabilitySelection or Boruta, got %s", text(model))
   end
   local order = largest(frequencies, parts.whole(o, "top", 20, 1))
   local layers, ticks = bars_of(model, order)
   local stable = estimator.learned(model, "n_pairs") ~= nil
   if stable then
      layers[#layers + 1] = { kind = "rule", at_x = model.threshold, color = "black", dash = "dashed" }
   end
   local what = stable and ("%d halves of the rows; line: threshold"):format(2 * model.n_pairs)
      or ("%d iterations in which a column exceeds the shadows"):format(model.n_iter)
   local hidden = #frequencies - #order
   return { title = "Selection frequencies of " .. inputs.title(model),
      caption = "fraction of " .. what
         .. (hidden > 0 and ("; the %d largest of %d"):format(#order, #frequencies) or ""),
      height = math.max(240, 150 + 22 * #order),
      panels = { { x = "frequency", x_range = { 0, 1.08 }, y_ticks = ticks, y_range = { 0.4, #order + 0.6 },
         legend = #layers > 1, layers = layers } } }
end

-- --- scores ---

local function selection_scores(model)
   model = inputs.model(model)
   local scores = model and estimator.learned(model, "scores")
   if not rows.is_frame(scores) or not parts.place(scores.names, "n_features") then
      fail("model must be a fitted RFECV, got %s", text(model))
   end
   local mean, sd, n, n_folds = scores.mean, scores.sd, scores.n_features, #scores.names - 3
   local segments = { kind = "segments", color = 1, width = 1.4, x1 = n, x2 = n, y1 = mean - sd, y2 = mean + sd }
   local layers = { segments, { kind = "line", x = n, y = mean, color = 1, markers = true },
      { kind = "rule", at_x = model.n_selected, color = "black", dash = "dashed" } }
   if n_folds < 2 then table.remove(layers, 1) end
   return { title = "Columns selected by " .. inputs.title(model),
      caption = ("mean of %d folds and one standard deviation; line: the chosen number, %d"):format(n_folds,
         model.n_selected),
      panels = { { x = "number of columns", y = model.score_name, layers = layers } } }
end

return function(module)
   define(module, "selection_frequencies", { args = { "model" }, fn = selection_frequencies,
      brief = "Bars of how often each column is selected.",
      notes = "Accepts a fitted StabilitySelection or Boruta.",
      options = { top = "number of columns, the most frequent first; default 20" } })
   define(module, "selection_scores", { args = { "model" }, fn = selection_scores,
      brief = "Scores of RFECV against the number of columns.",
      notes = "Error bars are one standard deviation over folds.", options = {} })
end
