--- Helpers shared by the specs of diagnostic plots.
local support = require "spec.support"

local M = { near = support.near, near_all = support.near_all, refuses = support.refuses, data = support.data,
   read_file = support.read_file }

--- The layers of a kind in a panel (default: the first).
function M.layers(fig, kind, panel)
   local out = {}
   for _, layer in ipairs(fig.panels[panel or 1].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

--- A classifier in plain Lua: two classes by a threshold on the first column.
function M.threshold()
   return { name = "Threshold", does = "classify",
      fit = function(self, X, y)
         self.classes = require "manilius".Factor(y).levels
         self.at = require "manilius".Matrix(X):col(1):copy():mean()
         return self
      end,
      predict_proba = function(self, X)
         local out = {}
         for i = 1, X.rows do
            local p = 1 / (1 + math.exp(self.at - X:get(i, 1)))
            out[i] = { 1 - p, p }
         end
         return out
      end,
      predict = function(self, X)
         local out = {}
         for i = 1, X.rows do out[i] = self.classes[X:get(i, 1) > self.at and 2 or 1] end
         return out
      end }
end

return M
