--- Facets: the same plot for each level of a factor, on the same axes.

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local figure = require "manilius.draw.figure"
local theme = require "manilius.draw.theme"

local fail = parts.fail

local KINDS = { "scatter", "line", "histogram", "density", "box", "violin", "bar" }
local MAX_FACETS = 24
local OWN = { by = true, kind = true, columns = true, share = true, title = true, caption = true, width = true,
   height = true, options = true, grey = true }

-- The options of the plot of one facet. Histograms share the edges of their bins.
local function plot_options(o, frame, kind)
   local out = {}
   for name, value in pairs(o) do
      if not OWN[name] then out[name] = value end
   end
   if kind == "histogram" and o.x and type(o.bins) ~= "table" then
      local whole = require "manilius.plot".histogram(frame, { x = o.x, bins = o.bins })
      local bars = whole.panels[1].layers[1]
      if bars then
         out.bins = { bars.x[1] - bars.width[1] / 2 }
         for i, x in ipairs(bars.x) do out.bins[i + 1] = x + bars.width[i] / 2 end
      end
   end
   return out
end

-- Give all panels the same ranges.
local function share_ranges(panels)
   for _, name in ipairs { "x", "y" } do
      local low, high = math.huge, -math.huge
      for _, panel in ipairs(panels) do
         if not panel.empty then
            low = math.min(low, panel[name .. "_low"], panel[name .. "_high"])
            high = math.max(high, panel[name .. "_low"], panel[name .. "_high"])
         end
      end
      for _, panel in ipairs(panels) do
         local is_descending = panel[name .. "_low"] > panel[name .. "_high"]
         if low < high then
            panel[name .. "_low"], panel[name .. "_high"] = is_descending and high or low, is_descending and low or high
         end
      end
   end
end

-- Give each class its series, also in facets that lack some classes.
local function share_series(panels, levels)
   local place = {}
   for i, level in ipairs(levels) do
      place[type(level) == "number" and ("%.6g"):format(level) or tostring(level)] = i
   end
   for _, panel in ipairs(panels) do
      local new = {}
      for _, layer in ipairs(panel.layers) do
         if layer.name and place[layer.name] and layer.series then new[layer.series] = place[layer.name] end
      end
      for _, list in ipairs { panel.layers, panel.all_entries } do
         for _, item in ipairs(list) do
            if item.series and new[item.series] then
               item.series = new[item.series]
               item.color = theme.color(item.series)
            end
         end
      end
   end
end

-- Draw a class in grey, without the shape of a series.
local function make_grey(panels, class)
   for _, panel in ipairs(panels) do
      for _, list in ipairs { panel.layers, panel.all_entries } do
         for _, item in ipairs(list) do
            if item.name == class then item.series, item.color = nil, theme.color "grey" end
         end
      end
   end
end

-- The axes of inner panels have no titles.
local function clear_labels(panels, columns)
   for i, panel in ipairs(panels) do
      if (i - 1) % columns > 0 then panel.y = nil end
      if i + columns <= #panels then panel.x = nil end
   end
end

local function facet_figures(o, frame, factor, kind)
   local options, draw, list = plot_options(o, frame, kind), require "manilius.plot"[kind], {}
   local groups = define.groups(factor, frame.rows, MAX_FACETS)
   for i, group in ipairs(groups) do
      options.title = group.name
      list[i] = draw(frame:take(group.places), options)
   end
   return list
end

local function facets(o, frame)
   if rows.kind(frame) ~= "Frame" then fail("frame must be a Frame, got %s", parts.text(frame)) end
   if o.by == nil then fail("by must be given, the name of a column of labels") end
   local kind = parts.choice(o, "kind", KINDS, "scatter")
   local factor, by = define.labels(frame, "by", o.by, frame.rows)
   local ok, list = pcall(facet_figures, o, frame, factor, kind)
   if not ok then
      if type(list) ~= "string" then error(list, 0) end
      fail("%s", (parts.bare(list):gsub("^plot%.%l+: ", "", 1)))
   end
   local n = #list
   local columns = parts.whole(o, "columns", nil, 1) or (n <= 3 and n or math.min(4, math.ceil(math.sqrt(n))))
   local title = o.title or (o.y and o.y .. " against " .. (o.x or "") or o.x or kind) .. " by " .. (by or "group")
   local fig = figure.join(list, { title = title, caption = o.caption, columns = columns, legend = o.class ~= nil,
      aligned = true, width = o.width or math.max(480, 280 * math.min(columns, n)),
      height = o.height or 90 + 230 * math.ceil(n / columns) })
   if o.class ~= nil then
      local class = define.labels(frame, "class", o.class, frame.rows)
      share_series(fig.panels, class.levels)
      if o.grey ~= nil then make_grey(fig.panels, tostring(o.grey)) end
      table.sort(fig.entries, function(a, b) return (a.series or math.huge) < (b.series or math.huge) end)
   end
   if parts.flag(o, "share", true) then share_ranges(fig.panels) end
   clear_labels(fig.panels, fig.columns)
   return fig
end

return function(M)
   define.define(M, "facets", { args = { "frame" }, axes = true, fn = facets,
      brief = "Facets: the same plot for each level of a factor, on the same axes.",
      notes = "Further options of the plot, such as class or bins, can be given as well.",
      options = { by = "the factor: name of a column, or labels",
         kind = "'scatter' (default), 'line', 'histogram', 'density', 'box', 'violin' or 'bar'",
         x = "name of a column", y = "name of a column", class = "name of a column of labels, shown by color",
         grey = "a class to draw in grey, if there is one of this name, such as 'noise'",
         value = "as in the plot", labels = "as in the plot", bins = "as in the plot",
         density = "as in the plot", bandwidth = "as in the plot", horizontal = "as in the plot",
         size = "as in the plot", opacity = "as in the plot", palette = "as in the plot",
         columns = "panels per row; default: at most 4",
         share = "false: each panel has its own ranges; default true" } })
end
