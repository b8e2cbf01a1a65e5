--- The quartiles, whiskers and outliers of box plots.

local parts = require "manilius.metrics.parts"

local M = {}
local fail = parts.fail

-- By Tukey's rule: whiskers end at the last values within 1.5 interquartile ranges of the box; values beyond are
-- outliers.
local function summarize(values)
   local sorted = values:sort()
   local q1, median, q3 = sorted:quantile(0.25), sorted:quantile(0.5), sorted:quantile(0.75)
   local reach = 1.5 * (q3 - q1)
   local five, outliers = { q1, q1, median, q3, q3 }, {}
   for _, v in ipairs(sorted:totable()) do
      if v < q1 - reach or v > q3 + reach then
         outliers[#outliers + 1] = v
      else
         five[1], five[5] = math.min(five[1], v), math.max(five[5], v)
      end
   end
   return five, outliers
end

local function check_quartiles(given)
   local five = require "manilius.draw.layers".vector("quartiles", given):totable()
   if #five ~= 5 then
      fail("quartiles must be five numbers { whisker, lower quartile, median, upper quartile, whisker }, got %d", #five)
   end
   for i = 1, 5 do
      if five[i] - five[i] ~= 0 or five[i] < (five[i - 1] or five[i]) then
         fail("quartiles must be finite and ascending, got %g at position %d", five[i], i)
      end
   end
   return five
end

--- Set `quartiles` and `outliers` of a checked layer.
function M.set(layer, out, report)
   local layers = require "manilius.draw.layers"
   if layer.at == nil then fail("at must be given, the position of the box") end
   if (layer.values == nil) == (layer.quartiles == nil) then fail("either values or quartiles must be given") end
   out.width = out.width or 0.6
   if layer.quartiles then
      out.quartiles = check_quartiles(layer.quartiles)
      out.outliers = layer.outliers and layers.vector("outliers", layer.outliers):totable() or {}
      return
   end
   local values = layers.vector("values", layer.values)
   local missing = values:isnan():sum()
   local finite = values:take(values:isfinite():nonzero())
   report("missing", missing)
   report("infinite", #values - #finite - missing)
   out.values, out.count = nil, #finite
   if #finite == 0 then
      out.quartiles, out.outliers = nil, {}
   else
      out.quartiles, out.outliers = summarize(finite)
   end
end

return M
