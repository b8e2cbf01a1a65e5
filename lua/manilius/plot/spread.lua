--- Plots of distributions: histograms, densities, box plots.

local bins = require "manilius.plot.layout.bins"
local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local kernel = require "manilius.plot.kernel"

local fail, kind_of = parts.fail, rows.kind

local CLASS = "labels (a Factor, a list, or the name of a column), to draw each class"

-- A note on the values of x that are not finite, nil if there are none.
local function omission_note(x, finite)
   local missing = x:isnan():sum()
   local infinite = #x - #finite - missing
   local out = {}
   if missing > 0 then out[1] = ("%d missing value%s omitted."):format(missing, missing == 1 and "" or "s") end
   if infinite > 0 then
      out[#out + 1] = ("%d infinite value%s omitted."):format(infinite, infinite == 1 and "" or "s")
   end
   return out[1] and table.concat(out, " ") or nil
end

-- The options with a note appended to the caption.
local function with_note(o, note)
   if not note then return o end
   local copy = {}
   for name, value in pairs(o) do copy[name] = value end
   copy.caption = o.caption and o.caption .. " " .. note or note
   return copy
end

-- The finite values of x, their classes or nil, the name of x, the options with a note on omitted values, the name of
-- the classes.
local function read(o, x)
   local frame, name, class
   if kind_of(x) == "Frame" and o.x ~= nil then
      frame = x
      x = o.x
   end
   local class_name
   x, name = define.numbers(frame, "x", x)
   if o.class ~= nil then class, class_name = define.labels(frame, "class", o.class, #x) end
   local places = x:isfinite():nonzero()
   local finite = x:take(places)
   return finite, class and class:take(places), name, with_note(o, omission_note(x, finite)), class_name
end

-- --- histograms ---

local function histogram(o, x)
   local values, class, name, options = read(o, x)
   local density = parts.flag(o, "density", false)
   local edges = bins.edges(o, values)
   local centers, widths, list = {}, {}, {}
   for i = 1, #edges - 1 do centers[i], widths[i] = (edges[i] + edges[i + 1]) / 2, edges[i + 1] - edges[i] end
   for g, group in ipairs(define.groups(class, #values)) do
      local part = values:take(group.places)
      local heights = bins.counts(part, edges)
      if density then
         for i = 1, #heights do heights[i] = #part > 0 and heights[i] / (#part * widths[i]) or 0 end
      end
      list[g] = { kind = "bars", x = centers, y = heights, width = widths, name = group.name, color = group.color or 1,
         opacity = class and 0.45 or 0.8 }
   end
   if #values == 0 then list = {} end
   return define.figure(options, { x = name, y = density and "density" or "count", layers = list,
      title = name and "Distribution of " .. name, legend = class and true or nil })
end

-- --- densities ---

local function density(o, x)
   local values, class, name, options = read(o, x)
   local list = {}
   for _, group in ipairs(define.groups(class, #values)) do
      local part = values:take(group.places)
      if #part > 0 then
         local bandwidth = parts.number(o, "bandwidth", nil, 1e-300, 1e300) or kernel.silverman(part)
         local grid, heights = kernel.density(part, bandwidth)
         local zeros = core.Vector(#grid, 0)
         list[#list + 1] = { kind = "band", x = grid, low = zeros, high = heights, color = group.color or 1 }
         list[#list + 1] = { kind = "line", x = grid, y = heights, name = group.name, color = group.color or 1 }
      end
   end
   local note = not o.bandwidth and #list > 0 and "Gaussian kernel, bandwidth by Silverman's rule." or nil
   return define.figure(with_note(options, note), { x = name, y = "density", layers = list,
      title = name and "Distribution of " .. name, legend = class and true or nil })
end

-- --- boxes ---

local function boxes_of_frame(frame)
   local list = {}
   for i, column in ipairs(frame.columns) do
      if kind_of(column) == "Vector" then list[#list + 1] = { frame.names[i], column } end
   end
   if #list == 0 then fail("x must have at least one numeric column, got none") end
   return list
end

local function boxes_of(o, x)
   local frame = kind_of(x) == "Frame" and x or nil
   if frame and o.x == nil then return boxes_of_frame(frame) end
   local class, class_name
   local values, name = define.numbers(frame, "x", frame and o.x or x)
   if o.class ~= nil then class, class_name = define.labels(frame, "class", o.class, #values) end
   if not class then return { { name or "", values } }, name end
   local list = {}
   for i, group in ipairs(define.groups(class, #values, 40)) do list[i] = { group.name, values:take(group.places) } end
   return list, name, class_name
end

local function box(o, x)
   local list, name, class_name = boxes_of(o, x)
   local drawn, ticks = {}, {}
   for i, one in ipairs(list) do
      ticks[i] = { i, one[1] }
      drawn[i] = { kind = "box", at = i, values = one[2], horizontal = o.horizontal,
         color = class_name and i <= 8 and i or 1 }
   end
   local note = "Boxes: quartiles and median; whiskers: values within 1.5 IQR of the box; circles: outliers."
   local panel = { title = name and class_name and name .. " by " .. class_name or name, x = class_name, y = name,
      x_ticks = ticks, x_range = { 0.4, #list + 0.6 }, layers = drawn }
   if o.horizontal then
      panel.x, panel.y, panel.x_ticks, panel.y_ticks = panel.y, panel.x, nil, ticks
      panel.x_range, panel.y_range = nil, { #list + 0.6, 0.4 }
   end
   return define.figure(with_note(o, note), panel)
end

return function(M)
   local X = "with a Frame: name of a column"
   define.define(M, "histogram", { args = { "x" }, axes = true, fn = histogram,
      brief = "Histogram: histogram(x) or histogram(frame, { x = 'name' }).",
      options = { x = X, class = CLASS, density = "true: normalize the area of each class to 1",
         bins = "number of bins or a list of edges; default: by Freedman and Diaconis' rule, at least by Sturges', at "
            .. "most 2 sqrt(n) and 200; each bin of whole numbers holds as many of them" } })
   define.define(M, "density", { args = { "x" }, axes = true, fn = density,
      brief = "Gaussian kernel density: density(x) or density(frame, { x = 'name' }).",
      formula = "1 / (n h) sum_i K((x - x_i) / h), h = 0.9 min(sd, IQR / 1.34) n^-0.2",
      source = "Silverman, Density Estimation (1986)",
      options = { x = X, class = CLASS, bandwidth = "h; default: Silverman's rule, for each class" } })
   define.define(M, "box", { args = { "x" }, axes = true, fn = box,
      brief = "Box plot: box(x), box(frame, { x = 'name', class = 'name' }) or box(frame).",
      notes = "box(frame) draws a box for each numeric column.",
      source = "Tukey, Exploratory Data Analysis (1977)",
      options = { x = X, class = CLASS, horizontal = "true: horizontal boxes" } })
end
