--- Checks panels: assigns series to their layers, and determines the ranges of the axes and the legend.

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local axis = require "manilius.draw.axis"
local layers = require "manilius.draw.layers"
local legend = require "manilius.draw.legend"
local theme = require "manilius.draw.theme"

local M = {}
local fail = parts.fail

local SETTINGS = { "title", "x", "y", "z", "x_range", "y_range", "z_range", "x_log", "y_log", "z_log", "x_ticks",
   "y_ticks", "equal", "frame", "legend", "legend_position", "color_label", "layers" }

local function check_text(what, value)
   if value ~= nil and type(value) ~= "string" and type(value) ~= "number" then
      fail("%s must be a string, got %s", what, parts.text(value))
   end
   return value and tostring(value) or nil
end

local function check_range(what, value, log)
   if value == nil then return nil end
   local kind = rows.kind(value)
   if (kind ~= "table" and kind ~= "Vector") or #value ~= 2 then
      fail("%s must be { low, high }, got %s", what, parts.text(value))
   end
   local a, b = value[1], value[2]
   if type(a) ~= "number" or type(b) ~= "number" or a - a ~= 0 or b - b ~= 0 or a == b then
      fail("%s must be two different finite numbers, got %s and %s", what, parts.text(a), parts.text(b))
   end
   if log and (a <= 0 or b <= 0) then fail("%s must be > 0 on a logarithmic axis, got %g and %g", what, a, b) end
   return { a, b }
end

local function check_ticks(what, value)
   if value == nil then return nil end
   local kind = rows.kind(value)
   if kind ~= "table" and kind ~= "Vector" then
      fail("%s must be a list of { at, label } or numbers, got %s", what, parts.text(value))
   end
   local out = {}
   for i = 1, #value do
      local tick = value[i]
      local at = type(tick) == "table" and tick[1] or tick
      if type(at) ~= "number" or at - at ~= 0 then
         fail("%s: tick %d must be { at, label } with a finite number first, got %s", what, i, parts.text(at))
      end
      local label = type(tick) == "table" and tick[2]
      out[i] = { at, label and tostring(label) or type(tick) == "table" and "" or axis.number(at) }
   end
   return out
end

-- --- series ---

-- The default colors of kinds that do not take a series unless they have a name or a color.
local DEFAULT_COLORS = { segments = theme.named.gray, rule = theme.named.gray, text = theme.foreground }
local GRID = { heat = true, regions = true, surface = true, contour = true }

local function next_series(state, name)
   if name and state.by_name[name] then return state.by_name[name] end
   state.used = state.used + 1
   if name then state.by_name[name] = state.used end
   return state.used
end

local function assign_series(layer, state)
   if GRID[layer.kind] and not (layer.kind == "contour" and (layer.color or layer.name)) then return end
   if layer.color ~= nil then
      if type(layer.color) == "number" then
         layer.series = math.tointeger(layer.color)
         if layer.name then state.by_name[layer.name] = layer.series end
      end
      layer.color = theme.color(layer.color)
   elseif DEFAULT_COLORS[layer.kind] then
      layer.color = DEFAULT_COLORS[layer.kind]
   elseif layer.value then
      layer.series = 1
   elseif layer.kind == "band" and not layer.name then
      layer.series = state.used + 1 -- that of the next line
   else
      layer.series = next_series(state, layer.name)
   end
   if layer.series and type(layer.color) ~= "string" then layer.color = theme.color(layer.series) end
end

-- --- ranges ---

-- By kind: add the extent of a layer to the x and y range.
local extend = {}

function extend.points(l, x, y) x:include(l.x) y:include(l.y) end
function extend.line(l, x, y) x:include(l.x) y:include(l.y) end
extend.text = extend.points
function extend.band(l, x, y) x:include(l.x) y:include(l.low) y:include(l.high) end
function extend.segments(l, x, y) x:include(l.x1) x:include(l.x2) y:include(l.y1) y:include(l.y2) end
extend.rectangles = extend.segments
function extend.rule(l, x, y) if l.at_x then x:include { l.at_x } elseif l.at_y then y:include { l.at_y } end end
function extend.heat(l, x, y)
   x:include_tight(l.x_edges)
   y:include_tight(l.y_edges)
end
extend.regions = extend.heat
function extend.contour(l, x, y) x:include_tight(l.x) y:include_tight(l.y) end
extend.surface = extend.contour

-- The base of bars on a logarithmic axis: a power of ten well below the smallest value.
local function log_base(values)
   local smallest = math.huge
   for _, v in ipairs(values) do
      if v > 0 then smallest = math.min(smallest, v) end
   end
   return smallest < math.huge and 10.0 ^ math.floor(math.log(smallest, 10) - 0.3) or 1
end

-- Extend the range of bars by space for the labels at their ends.
local function include_labels(l, y)
   local low, high = l.base, l.base
   for _, list in ipairs { l.y, l.low or {}, l.high or {} } do
      for _, v in ipairs(list) do
         if v - v == 0 then low, high = math.min(low, v), math.max(high, v) end
      end
   end
   local space = (high - low) * (l.horizontal and 0.12 or 0.08)
   if high > l.base then y:include { high + space } end
   if low < l.base then y:include { low - space } end
end

function extend.bars(l, x, y)
   if l.horizontal then x, y = y, x end
   for i, at in ipairs(l.x) do x:include { at - l.width[i] / 2, at + l.width[i] / 2 } end
   if #l.y > 0 then y:include_tight { y.log and log_base(l.y) or l.base } end
   y:include(l.y)
   y:include(l.low)
   y:include(l.high)
   if l.labels and not y.log then include_labels(l, y) end
end

function extend.box(l, x, y)
   if l.horizontal then x, y = y, x end
   x:include { l.at - l.width / 2, l.at + l.width / 2 }
   y:include(l.quartiles)
   y:include(l.outliers)
end

-- Fields with the numbers at which layers are drawn exactly, of kinds where there are any.
local EXACT = { points = { x = { "x" }, y = { "y" } }, segments = { x = { "x1", "x2" }, y = { "y1", "y2" } } }
EXACT.line, EXACT.bars = EXACT.points, EXACT.points

local function only_whole(values)
   for _, v in ipairs(values) do
      if v - v == 0 and v % 1 ~= 0 then return false end
   end
   return true
end

-- Are all numbers along an axis whole, such as years and counts? Then its ticks should be whole too.
local function all_whole(panel, name)
   local any = false
   for _, layer in ipairs(panel.layers) do
      local fields = EXACT[layer.kind]
      if fields then
         for _, field in ipairs(fields[layer.horizontal and (name == "x" and "y" or "x") or name]) do
            if not only_whole(layer[field]) then return false end
            any = any or #layer[field] > 0
         end
      elseif layer.kind ~= "rule" and layer.kind ~= "text" then
         return false
      end
   end
   return any
end

local function set_ranges(panel)
   local x, y, z = axis.extent(panel.x_log), axis.extent(panel.y_log), axis.extent(panel.z_log)
   for _, layer in ipairs(panel.layers) do
      extend[layer.kind](layer, x, y)
      if panel.three_d then
         z:include(layer.z)
         if layer.kind == "surface" then
            for _, row in ipairs(layer.values) do z:include(row) end
         end
      end
   end
   panel.x_low, panel.x_high = x:range()
   panel.y_low, panel.y_high = y:range()
   panel.z_low, panel.z_high = z:range()
   for _, name in ipairs { "x", "y", "z" } do
      local given = panel[name .. "_range"]
      if given then panel[name .. "_low"], panel[name .. "_high"] = given[1], given[2] end
   end
   panel.empty = x.low > x.high
   for _, layer in ipairs(panel.layers) do -- cells without positions have whole numbers as ticks
      panel.x_whole, panel.y_whole = panel.x_whole or layer.x_counted, panel.y_whole or layer.y_counted
   end
   panel.x_whole = panel.x_whole or all_whole(panel, "x")
   panel.y_whole = panel.y_whole or all_whole(panel, "y")
end

-- --- legend ---

--- Entries { name, color, series, marks = set of "point", "line", "area" } in the order of the layers.
local function set_legend(panel)
   local entries, by_name = {}, {}
   local function add(name, mark, layer, color)
      local entry = by_name[name]
      if not entry then
         entry = { name = name, color = color or layer.color, series = layer.series, marks = {}, layer = layer }
         by_name[name] = entry
         entries[#entries + 1] = entry
      end
      entry.marks[mark] = entry.marks[mark] or layer
   end
   local MARK = { points = "point", line = "line", band = "area", bars = "area", box = "area", rectangles = "area",
      contour = "line", segments = "line", rule = "line" }
   for _, layer in ipairs(panel.layers) do
      if layer.name and MARK[layer.kind] then add(layer.name, MARK[layer.kind], layer) end
   end
   for _, layer in ipairs(panel.layers) do
      for i, name in ipairs(layer.names or {}) do
         if not by_name[name] then add(name, "area", layer, theme.mix("#ffffff", layer.colors[i], 0.35)) end
      end
   end
   panel.all_entries = entries
   panel.entries = (panel.legend or panel.legend == nil and #entries > 1) and entries or {}
end

-- The layer that the color bar describes.
local function color_layer(panel)
   for _, layer in ipairs(panel.layers) do
      if layer.low and layer.palette and (layer.kind ~= "contour" or not layer.color) then return layer end
   end
end

local function is_three_d(panel)
   for _, layer in ipairs(panel.layers) do
      if layer.kind == "surface" or ((layer.kind == "points" or layer.kind == "line") and layer.z) then return true end
   end
   return false
end

local function check_three_d(panel)
   for i, layer in ipairs(panel.layers) do
      if layer.kind ~= "surface" and not ((layer.kind == "points" or layer.kind == "line") and layer.z) then
         fail("layer %d (%s) cannot be combined with 3-D layers; use points and lines with z, and surfaces", i,
            layer.kind)
      end
   end
end

local function check_settings(given)
   for name in pairs(given) do
      if not parts.place(SETTINGS, name) then
         fail("there is no setting %s%s", parts.text(name), parts.hint(name, SETTINGS))
      end
   end
   local panel = { legend = given.legend, equal = given.equal, x_log = given.x_log, y_log = given.y_log,
      z_log = given.z_log, frame = given.frame ~= false }
   for _, name in ipairs { "legend", "equal", "frame", "x_log", "y_log", "z_log" } do parts.flag(given, name) end
   for _, name in ipairs { "title", "x", "y", "z", "color_label" } do panel[name] = check_text(name, given[name]) end
   for _, name in ipairs { "x", "y", "z" } do
      panel[name .. "_range"] = check_range(name .. "_range", given[name .. "_range"], given[name .. "_log"])
   end
   panel.legend_position = given.legend_position and parts.choice(given, "legend_position", legend.positions) or nil
   panel.x_ticks, panel.y_ticks = check_ticks("x_ticks", given.x_ticks), check_ticks("y_ticks", given.y_ticks)
   return panel
end

--- Check a panel; `report` as in layers.check.
function M.check(given, report)
   if rows.kind(given) ~= "table" then
      fail("the panel must be a table { layers = {...} }, got %s", parts.text(given))
   end
   local panel = check_settings(given)
   if given.layers ~= nil and type(given.layers) ~= "table" then
      fail("layers must be a list, got %s", parts.text(given.layers))
   end
   panel.layers = {}
   local state = { used = 0, by_name = {} }
   for i, layer in ipairs(given.layers or {}) do
      local ok, result = pcall(layers.check, layer, panel, report)
      if not ok then
         local kind = type(layer) == "table" and type(layer.kind) == "string" and (" (%s)"):format(layer.kind) or ""
         fail("layer %d%s: %s", i, kind, tostring(result))
      end
      assign_series(result, state)
      panel.layers[i] = result
   end
   panel.three_d = is_three_d(panel)
   if panel.three_d then check_three_d(panel) end
   set_ranges(panel)
   set_legend(panel)
   panel.colored = color_layer(panel)
   return panel
end

return M
