--- The position and the size of the legend of a panel.

local text = require "manilius.draw.text"

local M = {}

--- The positions: beside or below the axes, or in a corner inside them.
M.positions = { "right", "below", "top left", "top right", "bottom left", "bottom right" }

local SWATCH, GAP = 34, 8 -- width of the marker of an entry, distance between entries
local MAX_WIDTH_INSIDE, MAX_HEIGHT_INSIDE = 0.85, 0.45 -- shares of the axes
local MAX_HEIGHT_BELOW = 0.35 -- share of the area

-- Do the entries describe curves? Their legend is drawn below, so that the axes get the whole width.
local function has_lines(panel)
   for _, entry in ipairs(panel.entries) do
      if entry.marks.line then return true end
   end
   return false
end

-- The maximum length of names next to the axes: more in wide panels and next to square ones.
local function max_length_right(panel, width, letter)
   local space = (panel.equal and 0.5 or 0.42) * width - SWATCH - GAP
   local min_length = math.min(26, math.floor((0.6 * width - SWATCH) / letter))
   return math.max(min_length, math.min(44, math.floor(space / letter)))
end

-- Are all names at most this long?
local function fit(panel, max_length)
   for _, entry in ipairs(panel.entries) do
      if text.width(text.plain(entry.name)) > max_length then return false end
   end
   return true
end

-- At most `count` names, truncated; the width of the longest one.
local function names_of(panel, count, max_length, letter)
   if count < #panel.entries then count = math.max(1, count - 1) end
   local out, width = {}, 0
   for i = 1, math.min(count, #panel.entries) do
      out[i] = text.truncate(text.plain(panel.entries[i].name), max_length)
      width = math.max(width, text.width(out[i]) * letter)
   end
   if #out < #panel.entries then
      out.more = ("… and %d more"):format(#panel.entries - #out)
      width = math.max(width, text.width(out.more) * letter)
   end
   return out, width + SWATCH + GAP
end

local function right(panel, area, line, letter)
   local count = math.max(2, math.floor(area.height / line))
   local out, width = names_of(panel, count, max_length_right(panel, area.width, letter), letter)
   out.position, out.width, out.height, out.columns = "right", width, 0, 1
   return out
end

local function space_below(area) return area.width - 60 end

local function max_length_below(area, letter) return math.floor((space_below(area) - SWATCH) / letter) end

-- Rows of entries below the axes; nil when they are too many.
local function below(panel, area, line, letter)
   local space = space_below(area)
   local out, width = names_of(panel, #panel.entries, max_length_below(area, letter), letter)
   local columns = math.max(1, math.min(#out, math.floor(space / width)))
   local height = math.ceil(#out / columns) * line
   if height > MAX_HEIGHT_BELOW * area.height and not (columns == 1 and #out <= 3) then return nil end
   out.position, out.width, out.height, out.columns, out.total = "below", 0, height + 6, columns, columns * width
   return out
end

-- A list in a corner of the axes; nil when it would cover too much of them.
local function inside(panel, area, line, letter)
   local width = area.width - 70
   if panel.equal then width = math.min(width, area.height) end
   local max_length = math.floor((MAX_WIDTH_INSIDE * width - SWATCH) / letter)
   if not fit(panel, max_length) or #panel.entries * line > MAX_HEIGHT_INSIDE * area.height then return nil end
   local out = names_of(panel, #panel.entries, max_length, letter)
   out.position, out.width, out.height, out.columns = panel.legend_position, 0, 0, 1
   return out
end

-- Names that would be truncated beside the axes stand below them if they fit there easily.
local function preferred(panel, area, letter)
   local only_below = not fit(panel, max_length_right(panel, area.width, letter))
      and fit(panel, 0.75 * max_length_below(area, letter))
   return (has_lines(panel) or only_below) and "below" or "right"
end

--- The names of the legend, truncated, as many as fit, with its `position`, the `width` it takes beside the axes, the
-- `height` below them, and its `columns`.
-- @param panel checked; panel.legend_position is the wanted position
-- @param area { width, height } that axes and legend share
-- @param line height of an entry
-- @param letter average width of a letter
function M.layout(panel, area, line, letter)
   if #panel.entries == 0 then return { position = "right", width = 0, height = 0, columns = 1 } end
   local wanted = panel.three_d and "right" or panel.legend_position or preferred(panel, area, letter)
   if wanted == "right" then return right(panel, area, line, letter) end
   return wanted ~= "below" and inside(panel, area, line, letter) or below(panel, area, line, letter)
      or right(panel, area, line, letter)
end

return M
