--- Where everything stands in a picture, in pixels from the top left.
--
-- The widths of texts are estimated; nothing here asks gnuplot.
-- @module manilius.plot.layout

local axis = require "manilius.plot.axis"
local text = require "manilius.plot.text"
local theme = require "manilius.plot.theme"

local M = {}

local LETTER = 0.64 -- width of a letter, as a share of the font size
local PROSE = 0.57 -- the same in sentences, where narrow letters make up for wide ones
local LINE = 1.35 -- height of a line
local GAP = 8
local DENSE = 10 -- lines of the grid that are nearer than this are too many
local TURNED = 40 -- degrees, of labels below that have no room flat
local LONGEST_TICK, LONGEST_WRAPPED = 24, 48 -- letters
local SWATCH, BAR = 34, 16 -- the mark of a legend entry, the bar of colors

local function width_of(label, size)
   return text.width(label) * LETTER * (size or theme.font_size)
end

-- The text in lines as wide as the room, `most` of them; what does not fit is cut.
local function lines_of(value, room, size, most, letter)
   local out, letters = {}, math.floor(room / ((letter or LETTER) * size))
   for _, line in ipairs(text.lines(value)) do
      for _, piece in ipairs(text.wrap(line, letters)) do out[#out + 1] = piece end
   end
   if #out > most then
      out[most] = text.cut(out[most], math.max(1, letters - 2), "") .. "…"
      for i = #out, most + 1, -1 do out[i] = nil end
   end
   return out
end

--- A text of one line, cut to a length in pixels.
function M.fitting(value, length)
   return text.cut(text.plain(value), math.max(4, math.floor(length / (LETTER * theme.font_size))))
end

local LINE_HEIGHT = LINE * theme.font_size
M.line_height = LINE_HEIGHT

local function short(ticks, longest)
   local out = {}
   for i, tick in ipairs(ticks) do out[i] = { tick[1], text.cut(text.plain(tick[2]), longest or LONGEST_TICK) } end
   return out
end

local function widest(ticks)
   local most = 0
   for _, tick in ipairs(ticks) do most = math.max(most, width_of(tick[2])) end
   return most
end

-- Every k-th label, so that each has `room`. Ticks without a label stay, but not where their lines would be a gray
-- area.
local function every(ticks, length, room)
   local k = math.max(1, math.ceil(#ticks * room / length))
   if k == 1 then return ticks end
   local out, dense = {}, length / #ticks < DENSE
   for i, tick in ipairs(ticks) do
      local labeled = (i - 1) % k == 0
      if labeled or not dense then out[#out + 1] = { tick[1], labeled and tick[2] or "" } end
   end
   return out
end

-- Labels broken into lines as wide as their slot; nil when words do not fit or there are more than four lines.
local function wrapped(ticks, slot)
   local out, most = {}, 1
   local letters = math.floor((slot - GAP) / (LETTER * theme.font_size))
   for i, tick in ipairs(ticks) do
      for word in tick[2]:gmatch "%S+" do
         if text.width(word) > letters then return nil end
      end
      local lines = text.wrap(tick[2], letters)
      out[i], most = { tick[1], table.concat(lines, "\n") }, math.max(most, #lines)
   end
   return most <= 4 and out or nil, most
end

-- The ticks below a panel of that width: flat, in several lines, or turned. Gives ticks, height, angle.
local function x_ticks(panel, width)
   if not panel.x_ticks then
      local ticks = axis.ticks(panel.x_low, panel.x_high, math.max(2, math.floor(width / 70)), panel.x_log,
         panel.x_whole)
      return every(ticks, width, widest(ticks) + GAP), LINE_HEIGHT, 0
   end
   local ticks = short(panel.x_ticks, LONGEST_WRAPPED)
   local slot = width / math.max(#ticks, 1)
   if widest(ticks) + GAP <= slot then return ticks, LINE_HEIGHT, 0 end
   local broken, lines = wrapped(ticks, slot)
   if broken then return broken, lines * LINE_HEIGHT, 0 end
   ticks = every(short(panel.x_ticks), width, LINE_HEIGHT / math.sin(math.rad(TURNED)))
   return ticks, widest(ticks) * 0.62 + LINE_HEIGHT, TURNED
end

local function y_ticks(panel, width, height)
   if not panel.y_ticks then
      return axis.ticks(panel.y_low, panel.y_high, math.max(3, math.floor(height / 40)), panel.y_log,
         panel.y_whole)
   end
   local letters = math.max(4, math.floor(width / 3 / (LETTER * theme.font_size)))
   return every(short(panel.y_ticks, math.min(LONGEST_TICK, letters)), height, LINE_HEIGHT)
end

-- How many letters of a legend's name are shown: more where the panel is wide, or leaves room beside itself.
local function longest_name(panel, width)
   local room = (panel.equal and 0.5 or 0.42) * width - SWATCH - GAP
   local least = math.min(26, math.floor((0.6 * width - SWATCH) / (LETTER * theme.font_size)))
   return math.max(least, math.min(44, math.floor(room / (LETTER * theme.font_size))))
end

-- The legend's names, cut and as many as there is room for.
local function legend(panel, height, area_width)
   local most = math.min(#panel.entries, math.max(2, math.floor(height / (LINE_HEIGHT * 1.15))))
   if most < #panel.entries then most = most - 1 end
   local out, width = {}, 0
   for i = 1, most do
      out[i] = text.cut(text.plain(panel.entries[i].name), longest_name(panel, area_width))
      width = math.max(width, width_of(out[i]))
   end
   if most < #panel.entries then
      out.more = ("… and %d more"):format(#panel.entries - most)
      width = math.max(width, width_of(out.more))
   end
   return out, most > 0 and width + SWATCH + GAP or 0
end

local function bar_ticks(panel)
   local layer = panel.colored
   if not layer then return {}, 0 end
   local ticks = axis.ticks(layer.low, layer.high, 5)
   return ticks, BAR + GAP * 2 + widest(ticks) + 8 + (panel.color_label and LINE_HEIGHT or 0), widest(ticks)
end

-- Make the box as wide as high per unit, in the middle of the room that it has.
local function make_equal(panel, box)
   local xs, ys = math.abs(panel.x_high - panel.x_low), math.abs(panel.y_high - panel.y_low)
   local unit = math.min(box.width / xs, box.height / ys)
   local width, height = math.max(60, unit * xs), math.max(60, unit * ys)
   box.left = box.left + math.max(0, (box.width - width) / 2)
   box.top = box.top + math.max(0, (box.height - height) / 2)
   box.width, box.height = math.min(width, box.width), math.min(height, box.height)
end

--- The parts of a panel inside an area { left, top, width, height }.
function M.panel(panel, area)
   local out = { area = area }
   out.title = panel.title and lines_of(panel.title, area.width - 70, theme.title_size, 3) or {}
   local above = #out.title * LINE * theme.title_size + (#out.title > 0 and 10 or 14)
   local x_lines = panel.x and lines_of(panel.x, area.width - 60, theme.font_size, 2) or {}
   local guess = area.height - above - 60
   out.legend, out.legend_width = legend(panel, guess, area.width)
   out.color_ticks, out.bar_width, out.bar_labels = bar_ticks(panel)
   local right = out.legend_width + out.bar_width + 14
   out.y_ticks = y_ticks(panel, area.width, guess)
   local left = widest(out.y_ticks) + 14 + (panel.y and LINE_HEIGHT + 6 or 0)
   local width = math.max(60, area.width - left - right)
   local below
   out.x_ticks, below, out.x_angle = x_ticks(panel, width)
   if out.x_angle > 0 and #out.x_ticks > 0 then -- the first turned label reaches out to the left
      left = math.max(left, width_of(out.x_ticks[1][2]) * 0.77 - width / #out.x_ticks / 2 + 10)
      width = math.max(60, area.width - left - right)
   end
   if out.x_angle == 0 and #out.x_ticks > 0 then -- the last label reaches out to the right
      local room = width_of(text.lines(out.x_ticks[#out.x_ticks][2])[1]) / 2 + 4
      if room > right then
         right = room
         width = math.max(60, area.width - left - right)
      end
   end
   out.x_height = below
   below = below + #x_lines * LINE_HEIGHT + (#x_lines > 0 and 6 or 0) + 8
   out.x_lines, out.y_label_offset = x_lines, widest(out.y_ticks)
   out.box = { left = area.left + left, top = area.top + above, width = width,
      height = math.max(40, area.height - above - below) }
   if panel.equal then make_equal(panel, out.box) end
   return out
end

--- The parts of a figure: `title` and `caption` as lists of lines, `areas` of the panels.
function M.figure(fig)
   local figure = require "manilius.plot.figure"
   local out, caption = { areas = {} }, figure.full_caption(fig)
   out.title = fig.title and lines_of(fig.title, fig.width - 40, theme.title_size + 2, 2) or {}
   out.caption = caption and lines_of(caption, fig.width - 20, theme.font_size - 1, 6, PROSE) or {}
   local top = #out.title * LINE * (theme.title_size + 2) + (#out.title > 0 and 14 or 2)
   local bottom = #out.caption * LINE * (theme.font_size - 1) + (#out.caption > 0 and 14 or 2)
   local width, height = fig.width / fig.columns, math.max(80, fig.height - top - bottom) / fig.rows
   for i in ipairs(fig.panels) do
      local column, row = (i - 1) % fig.columns, (i - 1) // fig.columns
      out.areas[i] = { left = column * width + 4, top = top + row * height, width = width - 8, height = height - 4 }
   end
   return out
end

return M
