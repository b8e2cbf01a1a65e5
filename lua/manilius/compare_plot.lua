--- The picture of a comparison: boxes of the scores by fold, a point for each fold, best model on top.
-- @module manilius.compare_plot

local core = require "manilius.core"
local Figure = require "manilius.plot.figure".Figure

-- Points of one box beside each other, so that equal scores do not hide each other.
local function spread(at, count)
   local places = {}
   for f = 1, count do places[f] = at + (count > 1 and 0.24 * ((f - 1) / (count - 1) - 0.5) or 0) end
   return places
end

--- @param self the comparison
-- @param metric the score to draw
return function(self, metric)
   local shown = {}
   for _, model in ipairs(self.models) do
      if self.results[model] then shown[#shown + 1] = model end
   end
   local layers, ticks = {}, {}
   for i, model in ipairs(shown) do
      local scores, at = self.results[model].scores:col(metric), #shown + 1 - i
      ticks[i] = { at, model }
      layers[#layers + 1] = { kind = "box", at = at, values = scores, horizontal = true, color = "grey" }
      layers[#layers + 1] = { kind = "points", x = scores, y = core.Vector(spread(at, #scores)), color = 1 }
   end
   return Figure {
      title = "Comparison on the same folds",
      caption = ("a point for each of %d folds; %s is better"):format(self.folds, self.greater[metric] and "more"
         or "less"),
      height = 130 + 50 * #shown,
      panels = { { x = metric, y_ticks = ticks, y_range = { 0.4, #shown + 0.6 }, legend = false, layers = layers } },
   }
end
