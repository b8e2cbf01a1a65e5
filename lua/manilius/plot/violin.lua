--- Violin plots: the density of each group as a symmetric shape around its quartiles.

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local kernel = require "manilius.plot.kernel"

local fail, kind_of = parts.fail, rows.kind

local MAX_GROUPS = 40
local HALF, BOX = 0.42, 0.1 -- half the height of a violin, the height of a box; the distance of groups is 1

local function finite(values)
   return values:take(values:isfinite():nonzero())
end

-- { name, values } of each group; the name of the values, that of the classes.
local function groups_of(o, x)
   local frame = kind_of(x) == "Frame" and x or nil
   if frame and o.x == nil then
      local list = {}
      for i, column in ipairs(frame.columns) do
         if kind_of(column) == "Vector" then list[#list + 1] = { frame.names[i], finite(column) } end
      end
      if #list == 0 then fail("x must have at least one numeric column, got none") end
      return list
   end
   local values, name = define.numbers(frame, "x", frame and o.x or x)
   if o.class == nil then return { { name or "", finite(values) } }, name end
   local class, class_name = define.labels(frame, "class", o.class, #values)
   local list = {}
   for i, group in ipairs(define.groups(class, #values, MAX_GROUPS)) do
      list[i] = { group.name, finite(values:take(group.places)), group.color }
   end
   return list, name, class_name
end

-- The shape of a group at a position; it ends at the smallest and largest value.
local function shape(values, at, bandwidth, scale, color)
   local grid, heights = kernel.density(values, bandwidth, values:min(), values:max())
   local peak, low, high = 0, {}, {}
   for _, h in ipairs(heights) do peak = math.max(peak, h) end
   local factor = HALF / (scale or peak)
   for i, h in ipairs(heights) do low[i], high[i] = at - factor * h, at + factor * h end
   return { kind = "band", x = grid, low = low, high = high, color = color, opacity = 0.4 }
end

-- The bandwidths of the groups, and the highest density of all; nil for groups that have no spread.
local function bandwidths(o, list)
   local out, peak = {}, 0
   for i, group in ipairs(list) do
      local values = group[2]
      if #values > 1 and values:max() > values:min() then
         out[i] = parts.number(o, "bandwidth", nil, 1e-300, 1e300) or kernel.silverman(values)
         local _, heights = kernel.density(values, out[i], values:min(), values:max())
         for _, h in ipairs(heights) do peak = math.max(peak, h) end
      end
   end
   return out, peak
end

local function violin(o, x)
   local list, name, class_name = groups_of(o, x)
   local widths, peak = bandwidths(o, list)
   local scale = parts.choice(o, "scale", { "area", "width" }, "width") == "area" and peak or nil
   local drawn, ticks = {}, {}
   for i, group in ipairs(list) do
      local color = group[3] or 1
      ticks[i] = { i, group[1] }
      if widths[i] then drawn[#drawn + 1] = shape(group[2], i, widths[i], scale, color) end
      drawn[#drawn + 1] = { kind = "box", at = i, values = group[2], horizontal = true, width = BOX, color = color }
   end
   local caption = "Shapes: Gaussian kernel densities; boxes: quartiles and median; circles: outliers."
   local options = setmetatable({ caption = o.caption and o.caption .. " " .. caption or caption }, { __index = o })
   return define.figure(options, { title = name and class_name and name .. " by " .. class_name or name, x = name,
      y = class_name, y_ticks = ticks, y_range = { #list + 0.6, 0.4 }, layers = drawn })
end

return function(M)
   define.define(M, "violin", { args = { "x" }, axes = true, fn = violin,
      brief = "Violin plot: violin(x), violin(frame, { x = 'name', class = 'name' }) or violin(frame).",
      notes = "violin(frame) draws a violin for each numeric column. The values are on the x axis.",
      source = "Hintze & Nelson, The American Statistician 52 (1998)",
      options = { x = "with a Frame: name of a column",
         class = "labels (a Factor, a list, or the name of a column), to draw each class",
         scale = "'width' (default): all violins are equally high; 'area': they have the same area",
         bandwidth = "of the kernel; default: Silverman's rule, for each class" } })
end
