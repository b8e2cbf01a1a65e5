--- The layout of a picture, in pixels from the top left. The widths of texts are estimated.

local axis = require "manilius.draw.axis"
local legend = require "manilius.draw.legend"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}

local CHAR_WIDTH = 0.64 -- average width of a character, relative to the font size
local PROSE_WIDTH = 0.57 -- the same in sentences, which have more narrow letters
local LINE = 1.35 -- height of a line, relative to the font size
local GAP = 8
local MIN_GRID_STEP = 10 -- minimum distance between grid lines
local ROTATION = 40 -- degrees, for tick labels that do not fit horizontally
local MAX_TICK, MAX_WRAPPED_TICK = 24, 48 -- characters
local BAR = 16 -- width of the color bar

local function width_of(label, size)
   return text.width(label) * CHAR_WIDTH * (size or theme.font_size)
end

-- The text in at most `max_lines` lines of the given width; the rest is truncated.
local function wrap_lines(value, width, size, max_lines, char_width)
   local out, length = {}, math.floor(width / ((char_width or CHAR_WIDTH) * size))
   for _, line in ipairs(text.lines(value)) do
      for _, piece in ipairs(text.wrap(line, length)) do out[#out + 1] = piece end
   end
   if #out > max_lines then
      out[max_lines] = text.truncate(out[max_lines], math.max(1, length - 2), "") .. "…"
      for i = #out, max_lines + 1, -1 do out[i] = nil end
   end
   return out
end

--- A text on one line, truncated to a length in pixels.
function M.truncate(value, length)
   return text.truncate(text.plain(value), math.max(4, math.floor(length / (CHAR_WIDTH * theme.font_size))))
end

local LINE_HEIGHT = LINE * theme.font_size
M.line_height = LINE_HEIGHT

local function truncate_ticks(ticks, max_length)
   local out = {}
   for i, tick in ipairs(ticks) do out[i] = { tick[1], text.truncate(text.plain(tick[2]), max_length or MAX_TICK) } end
   return out
end

local function max_width(ticks)
   local width = 0
   for _, tick in ipairs(ticks) do width = math.max(width, width_of(tick[2])) end
   return width
end

-- Keep every k-th label, so that each has the given space. Ticks without a label stay unless their grid lines would be
-- too dense.
local function thin_labels(ticks, length, space)
   local k = math.max(1, math.ceil(#ticks * space / length))
   if k == 1 then return ticks end
   local out, dense = {}, length / #ticks < MIN_GRID_STEP
   for i, tick in ipairs(ticks) do
      local labeled = (i - 1) % k == 0
      if labeled or not dense then out[#out + 1] = { tick[1], labeled and tick[2] or "" } end
   end
   return out
end

-- Labels wrapped into lines of the width of a slot, and the maximum number of lines; nil when a word does not fit or a
-- label takes more than four lines.
local function wrap_ticks(ticks, slot)
   local out, max_lines = {}, 1
   local length = math.floor((slot - GAP) / (CHAR_WIDTH * theme.font_size))
   for i, tick in ipairs(ticks) do
      for word in tick[2]:gmatch "%S+" do
         if text.width(word) > length then return nil end
      end
      local lines = text.wrap(tick[2], length)
      out[i], max_lines = { tick[1], table.concat(lines, "\n") }, math.max(max_lines, #lines)
   end
   return max_lines <= 4 and out or nil, max_lines
end

-- The ticks below a panel of the given width, with horizontal, wrapped or rotated labels; their height and angle.
local function x_ticks(panel, width)
   if not panel.x_ticks then
      local ticks = axis.ticks(panel.x_low, panel.x_high, math.max(2, math.floor(width / 70)), panel.x_log,
         panel.x_whole)
      return thin_labels(ticks, width, max_width(ticks) + GAP), LINE_HEIGHT, 0
   end
   local ticks = truncate_ticks(panel.x_ticks, MAX_WRAPPED_TICK)
   local slot = width / math.max(#ticks, 1)
   if max_width(ticks) + GAP <= slot then return ticks, LINE_HEIGHT, 0 end
   local wrapped, lines = wrap_ticks(ticks, slot)
   if wrapped then return wrapped, lines * LINE_HEIGHT, 0 end
   ticks = thin_labels(truncate_ticks(panel.x_ticks), width, LINE_HEIGHT / math.sin(math.rad(ROTATION)))
   return ticks, max_width(ticks) * 0.62 + LINE_HEIGHT, ROTATION
end

local function y_ticks(panel, width, height)
   if not panel.y_ticks then
      return axis.ticks(panel.y_low, panel.y_high, math.max(3, math.floor(height / 40)), panel.y_log,
         panel.y_whole)
   end
   local length = math.max(4, math.floor(width / 3 / (CHAR_WIDTH * theme.font_size)))
   return thin_labels(truncate_ticks(panel.y_ticks, math.min(MAX_TICK, length)), height, LINE_HEIGHT)
end

local function bar_ticks(panel)
   local layer = panel.colored
   if not layer then return {}, 0 end
   local ticks = axis.ticks(layer.low, layer.high, 5)
   return ticks, BAR + GAP * 2 + max_width(ticks) + 8 + (panel.color_label and LINE_HEIGHT or 0), max_width(ticks)
end

-- Shrink the box so that both axes have the same scale, and center it.
local function make_equal(panel, box)
   local xs, ys = math.abs(panel.x_high - panel.x_low), math.abs(panel.y_high - panel.y_low)
   local unit = math.min(box.width / xs, box.height / ys)
   local width, height = math.max(60, unit * xs), math.max(60, unit * ys)
   box.left = box.left + math.max(0, (box.width - width) / 2)
   box.top = box.top + math.max(0, (box.height - height) / 2)
   box.width, box.height = math.min(width, box.width), math.min(height, box.height)
end

--- The layout of a panel inside an area { left, top, width, height }.
function M.panel(panel, area)
   local out = { area = area }
   out.title = panel.title and wrap_lines(panel.title, area.width - 70, theme.title_size, 3) or {}
   local above = #out.title * LINE * theme.title_size + (#out.title > 0 and 10 or 14)
   local x_lines = panel.x and wrap_lines(panel.x, area.width - 60, theme.font_size, 2) or {}
   local guess = area.height - above - 60
   out.legend = legend.layout(panel, { width = area.width, height = guess }, LINE_HEIGHT * 1.15,
      CHAR_WIDTH * theme.font_size)
   out.color_ticks, out.bar_width, out.bar_labels = bar_ticks(panel)
   local right = out.legend.width + out.bar_width + 14
   out.y_ticks = y_ticks(panel, area.width, guess)
   local left = max_width(out.y_ticks) + 14 + (panel.y and LINE_HEIGHT + 6 or 0)
   local width = math.max(60, area.width - left - right)
   local below
   out.x_ticks, below, out.x_angle = x_ticks(panel, width)
   if out.x_angle > 0 and #out.x_ticks > 0 then -- the first rotated label extends to the left
      left = math.max(left, width_of(out.x_ticks[1][2]) * 0.77 - width / #out.x_ticks / 2 + 10)
      width = math.max(60, area.width - left - right)
   end
   if out.x_angle == 0 and #out.x_ticks > 0 then -- the last label extends to the right
      local half = width_of(text.lines(out.x_ticks[#out.x_ticks][2])[1]) / 2 + 4
      if half > right then
         right = half
         width = math.max(60, area.width - left - right)
      end
   end
   out.x_height = below
   below = below + #x_lines * LINE_HEIGHT + (#x_lines > 0 and 6 or 0) + 8
   out.x_lines, out.y_label_offset = x_lines, max_width(out.y_ticks)
   out.legend_top = area.top + area.height - out.legend.height
   below = below + out.legend.height
   out.box = { left = area.left + left, top = area.top + above, width = width,
      height = math.max(40, area.height - above - below) }
   if panel.equal then make_equal(panel, out.box) end
   return out
end

-- Give the axes of all panels the same margins in their areas, so that they are aligned.
local function align(list, panels)
   local left, top, right, bottom = 0, 0, 0, 0
   for _, one in ipairs(list) do
      local box, area = one.box, one.area
      left, top = math.max(left, box.left - area.left), math.max(top, box.top - area.top)
      right = math.max(right, area.left + area.width - box.left - box.width)
      bottom = math.max(bottom, area.top + area.height - box.top - box.height)
   end
   local first = panels[1]
   for i, one in ipairs(list) do
      local area, panel = one.area, panels[i]
      if panel.x_low == first.x_low and panel.x_high == first.x_high and not panel.x_ticks then
         one.x_ticks = list[1].x_ticks
      end
      one.box = { left = area.left + left, top = area.top + top, width = math.max(40, area.width - left - right),
         height = math.max(40, area.height - top - bottom) }
   end
end

--- The layouts of the panels of a figure in their areas.
function M.panels(fig, areas)
   local list = {}
   for i, panel in ipairs(fig.panels) do list[i] = M.panel(panel, areas[i]) end
   if fig.aligned then align(list, fig.panels) end
   return list
end

--- The layout of a figure: `title` and `caption` as lists of lines, and the `areas` of the panels.
function M.figure(fig)
   local figure = require "manilius.draw.figure"
   local out, caption = { areas = {} }, figure.full_caption(fig)
   out.title = fig.title and wrap_lines(fig.title, fig.width - 40, theme.title_size + 2, 2) or {}
   out.caption = caption and wrap_lines(caption, fig.width - 20, theme.font_size - 1, 6, PROSE_WIDTH) or {}
   out.legend = legend.layout({ entries = fig.entries, legend_position = "below" }, fig, LINE_HEIGHT * 1.15,
      CHAR_WIDTH * theme.font_size)
   local top = #out.title * LINE * (theme.title_size + 2) + (#out.title > 0 and 14 or 2)
   local bottom = #out.caption * LINE * (theme.font_size - 1) + (#out.caption > 0 and 14 or 2)
      + out.legend.height
   out.legend_top = fig.height - bottom
   local width, height = fig.width / fig.columns, math.max(80, fig.height - top - bottom) / fig.rows
   for i in ipairs(fig.panels) do
      local column, row = (i - 1) % fig.columns, (i - 1) // fig.columns
      out.areas[i] = { left = column * width + 4, top = top + row * height, width = width - 8, height = height - 4 }
   end
   return out
end

return M
