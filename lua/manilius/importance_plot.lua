--- The picture of permutation importances: a bar for each column, with whiskers.
-- @module manilius.importance_plot

local Figure = require "manilius.plot.figure".Figure

--- @param self { table = Frame of feature, importance, sd (most important first), scoring =, greater = , unit = what the
--   whiskers are over }
-- @param top how many
return function(self, top)
   local count = math.min(top, #self.table.feature)
   local at, value, low, high, ticks = {}, {}, {}, {}, {}
   for i = 1, count do
      local mean, sd = self.table.importance[i], self.table.sd[i]
      sd = sd == sd and sd or 0
      at[i], value[i], low[i], high[i] = count + 1 - i, mean, mean - sd, mean + sd
      ticks[i] = { at[i], self.table.feature[i] }
   end
   return Figure {
      title = "Permutation importance",
      caption = ("whiskers: one standard deviation over the %s"):format(self.unit or "shuffles"),
      height = 120 + 24 * math.max(count, 3),
      panels = { { x = ("%s of %s when shuffled"):format(self.greater and "loss" or "rise", self.scoring),
         y_ticks = ticks, y_range = { 0.4, count + 0.6 }, legend = false,
         layers = { { kind = "bars", x = at, y = value, low = low, high = high, horizontal = true, width = 0.7 } } } },
   }
end
