--- Draws figures as text, and shows them in the terminal.
--
-- Text needs no other program. It consists of braille dots, blocks and symbols in a UTF-8 locale, else of ASCII. No
-- line is wider than requested.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local axis = require "manilius.draw.axis"
local canvas = require "manilius.draw.canvas"
local text_layers = require "manilius.draw.text_layers"
local text = require "manilius.draw.text"

local M = {}
local fail = parts.fail

local MIN_WIDTH, WIDTH = 10, 80

local function environment(name)
   return os and os.getenv and os.getenv(name) or nil
end

-- ASCII unless the locale is UTF-8; UTF-8 without an environment.
local function is_ascii()
   if not (os and os.getenv) then return false end
   for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
      local value = os.getenv(name)
      if value and value ~= "" then return not value:lower():find "utf%-?8" end
   end
   return true
end

local function ascii_of(line)
   return (line:gsub("[\xc2-\xf4][\x80-\xbf]*", function(letter)
      if letter == "…" then return "." end
      return ("?"):rep(math.max(1, text.width(letter)))
   end))
end

-- --- the size of the parts ---

local function ellipsis(o)
   return o.ascii and "." or "…"
end

local function max_width(ticks)
   local width = 0
   for _, tick in ipairs(ticks) do width = math.max(width, text.width(tick[2])) end
   return width
end

local function truncate_ticks(ticks, width, o)
   local out = {}
   for i, tick in ipairs(ticks) do out[i] = { tick[1], text.truncate(text.plain(tick[2]), width, ellipsis(o)) } end
   return out
end

-- The rows of the plot: 18, fewer in narrow plots; a multiple of the number of grid rows or horizontal bars.
local function rows_of(panel, o, columns)
   if o.height then return o.height end
   local rows = columns >= 50 and 18 or math.max(8, columns * 18 // 50)
   local each
   for _, layer in ipairs(panel.layers) do
      if layer.cell_text and #layer.y > 0 and #layer.y <= 40 then return #layer.y * (#layer.y <= 6 and 3 or 1) end
      if (layer.kind == "heat" or layer.kind == "regions") and #layer.y > 0 and #layer.y <= 40 then each = #layer.y end
   end
   if not each and panel.y_ticks then each = math.min(40, #panel.y_ticks) end
   if not each or each == 0 then return rows end
   return each * math.max(1, (rows + each // 2) // each)
end

local function y_ticks(panel, rows, o)
   local ticks = panel.y_ticks
      or axis.ticks(panel.y_low, panel.y_high, math.max(2, rows // 4), panel.y_log, panel.y_whole)
   return truncate_ticks(ticks, math.max(3, o.width // 3), o)
end

-- --- axes ---

local function share_of(v, low, high, log)
   if log then v, low, high = math.log(v), math.log(low), math.log(high) end
   return (v - low) / (high - low)
end

-- The cell of a tick from the left or from the top, 1 to n; nil outside.
local function cell(v, low, high, log, n, from_top)
   if log and v <= 0 then return nil end
   local s = share_of(v, low, high, log)
   if not (s >= -1e-9 and s <= 1 + 1e-9) then return nil end
   return math.max(1, math.min(n, text_layers.cell(from_top and 1 - s or s, n)))
end

-- The labels of the y axis by row.
local function y_labels(panel, ticks, rows)
   local out = {}
   for _, tick in ipairs(ticks) do
      local at = cell(tick[1], panel.y_low, panel.y_high, panel.y_log, rows, true)
      if at then out[at] = out[at] or tick[2] end
   end
   return out
end

-- A line of labels centered below their cells, and the cells of those that fit.
local function label_line(labels, columns)
   local line, free_from, shown = {}, 1, {}
   local used = 0
   for _, one in ipairs(labels) do
      local width = text.width(one[2])
      local from = math.max(1, math.min(one[1] - (width - 1) // 2, columns - width + 1))
      if from >= free_from and from + width - 1 <= columns then
         line[#line + 1] = (" "):rep(from - 1 - used) .. one[2]
         used = from - 1 + width
         free_from = used + 2
         shown[one[1]] = true
      end
   end
   return table.concat(line), shown
end

-- The axis line, the line of its labels, and a key. If the labels of columns do not fit, they are replaced by numbers,
-- and the key lists them.
local function x_axis(panel, columns, o)
   local given = panel.x_ticks
   local ticks = given or axis.ticks(panel.x_low, panel.x_high, math.max(2, columns // 10), panel.x_log, panel.x_whole)
   local labels, label_width = {}, 0
   for _, tick in ipairs(ticks) do
      local at = cell(tick[1], panel.x_low, panel.x_high, panel.x_log, columns)
      local label = text.plain(tick[2])
      if at then labels[#labels + 1] = { at, label } end
      label_width = math.max(label_width, text.width(label))
   end
   table.sort(labels, function(a, b) return a[1] < b[1] end)
   local key
   if given and #labels > 0 and label_width + 1 > columns // #labels then
      key = {}
      for i, label in ipairs(labels) do
         key[i] = i .. " " .. label[2]
         label[2] = tostring(i)
      end
   end
   local line, shown = label_line(labels, columns)
   local rule = {}
   for c = 1, columns do rule[c] = o.ascii and "-" or "─" end
   for at in pairs(shown) do rule[at] = o.ascii and "+" or "┬" end
   return table.concat(rule), line, key
end

-- --- legend ---

-- The symbol of a legend entry.
local function entry_symbol(entry, o)
   if entry.marks.point then return text_layers.symbol(entry.marks.point, o.ascii) end
   local line, area = entry.marks.line, entry.marks.area
   if line and line.kind == "line" then return text_layers.symbol(line, o.ascii) end
   if area and text_layers.is_outline(area) then return text_layers.symbol(area, o.ascii) end
   if area and area.kind == "regions" then
      for code, name in ipairs(area.names) do
         if name == entry.name then return text_layers.region(code, o.ascii) end
      end
   end
   if area then return text_layers.fill(area, o.ascii) end
   return o.ascii and "- -" or "╌╌"
end

-- Items in lines of at most the given width; `colors`: the colors of the symbols that the items begin with.
local function flow(items, width, o, colors)
   local out, line, used = {}, nil, 0
   for i, item in ipairs(items) do
      item = text.truncate(item, width, ellipsis(o))
      local cells, color = text.width(item), o.colored and colors and colors[i]
      if color then item = canvas.escape(color) .. item:gsub(" ", "\27[0m ", 1) end
      if line and used + 3 + cells <= width then
         line, used = line .. "   " .. item, used + 3 + cells
      else
         out[#out + 1] = line
         line, used = item, cells
      end
   end
   out[#out + 1] = line
   return out
end

-- The names in a legend with their symbols, and the colors of these.
local function entry_items(entries, o)
   local items, colors = {}, {}
   for i, entry in ipairs(entries) do
      if i > 20 then
         items[i] = ("and %d more"):format(#entries - 20)
         break
      end
      if entry.marks.area and entry.marks.area.kind == "rectangles" then break end -- not filled in text
      items[i], colors[i] = entry_symbol(entry, o) .. " " .. text.plain(entry.name), entry.color
   end
   return items, colors
end

-- The items of the legend of a panel, and the colors of their symbols.
local function legend_items(panel, o)
   local items, colors = entry_items(panel.entries, o)
   for _, layer in ipairs(panel.layers) do
      for i, curve in ipairs(layer.curves or {}) do
         items[#items + 1] = text_layers.level_symbol(i) .. " " .. axis.number(curve.level)
      end
      if layer.value then
         items[#items + 1] = ("1 to 9: %s%s to %s"):format(panel.color_label and text.plain(panel.color_label) .. " "
            or "", axis.number(layer.low, 3), axis.number(layer.high, 3))
      end
      if layer.kind == "heat" or layer.kind == "surface" then
         local ramp = text_layers.ramp(o.ascii)
         items[#items + 1] = ("%s %s %s%s"):format(axis.number(layer.low, 3), table.concat(ramp),
            axis.number(layer.high, 3), panel.color_label and " " .. text.plain(panel.color_label) or "")
      end
   end
   return items, colors
end

-- --- panels and figures ---

local function add(out, lines, indent)
   for _, line in ipairs(lines) do out[#out + 1] = (" "):rep(indent or 0) .. line end
end

local function wrap(value, width)
   local out = {}
   for _, line in ipairs(text.lines(value)) do
      local pieces = text.wrap(line, width)
      table.move(pieces, 1, #pieces, #out + 1, out)
   end
   return out
end

local function center(value, width, o)
   value = text.truncate(text.plain(value), width, ellipsis(o))
   return (" "):rep((width - text.width(value)) // 2) .. value
end

local function panel_lines(out, panel, o)
   if panel.title then add(out, wrap(panel.title, o.width)) end
   local rows = rows_of(panel, o, o.width)
   local ticks = panel.empty and {} or y_ticks(panel, rows, o)
   local left = max_width(ticks) + 1
   local columns = o.width - left - 1
   local cells = canvas.new(columns, rows, o.ascii)
   text_layers.draw_panel(cells, panel)
   if panel.y then out[#out + 1] = text.truncate(text.plain(panel.y), o.width, ellipsis(o)) end
   local labels, tick = y_labels(panel, ticks, rows), o.ascii and "+" or "┤"
   local bar = not panel.frame and " " or o.ascii and "|" or "│"
   for row, line in ipairs(cells:lines(o.colored)) do
      local label = labels[row] or ""
      local whole = (" "):rep(left - 1 - text.width(label)) .. label .. " " .. (labels[row] and tick or bar) .. line
      out[#out + 1] = o.colored and whole or whole:gsub("%s+$", "")
   end
   local rule, line, key = x_axis(panel, columns, o)
   if panel.empty then rule, line, key = rule:gsub("┬", "─"):gsub("%+", "-"), "", nil end
   if panel.frame then out[#out + 1] = (" "):rep(left) .. (o.ascii and "+" or "└") .. rule end
   if line ~= "" then out[#out + 1] = (" "):rep(left + 1) .. line end
   if panel.x then out[#out + 1] = (" "):rep(left + 1) .. center(panel.x, columns, o) end
   if key then add(out, flow(key, o.width, o)) end
   local items, colors = legend_items(panel, o)
   add(out, flow(items, o.width, o, colors))
   if panel.three_d then add(out, wrap("View from above; text does not show z.", o.width)) end
end

local function lines_of(fig, o)
   local out = {}
   if fig.title then
      for _, line in ipairs(wrap(fig.title, o.width)) do out[#out + 1] = center(line, o.width, o) end
   end
   for _, panel in ipairs(fig.panels) do
      if #out > 0 then out[#out + 1] = "" end
      panel_lines(out, panel, o)
   end
   local items, colors = entry_items(fig.entries, o)
   add(out, flow(items, o.width, o, colors))
   local caption = require "manilius.draw.figure".full_caption(fig)
   if caption then
      out[#out + 1] = ""
      add(out, wrap(caption, o.width))
   end
   for i, line in ipairs(out) do out[i] = o.ascii and ascii_of(line) or line end
   return out
end

local OPTIONS = { "width", "height", "ascii", "mode" }
local MODES = { "auto", "sixel", "kitty", "text" }

local function check(options, known)
   options = options == nil and {} or options
   if type(options) ~= "table" then fail("options must be a table, got %s", parts.text(options)) end
   for name in pairs(options) do
      if not parts.place(known, name) then
         fail("there is no option %s%s", parts.text(name), parts.hint(name, known))
      end
   end
   local out = { width = parts.whole(options, "width", nil, MIN_WIDTH), height = parts.whole(options, "height", nil, 3),
      ascii = parts.flag(options, "ascii", nil), mode = parts.choice(options, "mode", MODES, "auto") }
   if out.height and out.height > 500 then fail("height must be at most 500 rows, got %d", out.height) end
   if out.width and out.width > 1000 then fail("width must be at most 1000 columns, got %d", out.width) end
   return out
end

--- The figure as text. Options: width (columns, default 80), height (rows per plot), ascii.
function M.text(fig, options)
   local o = check(options, { "width", "height", "ascii" })
   o.width = o.width or WIDTH
   if o.ascii == nil then o.ascii = is_ascii() end
   return table.concat(lines_of(fig, o), "\n")
end

-- --- graphics in the terminal ---

--- The graphics protocol of a terminal according to its environment variables: "kitty", "sixel" or nil.
function M.graphics(getenv)
   local name, program = getenv "TERM" or "", getenv "TERM_PROGRAM" or ""
   if getenv "TMUX" or name:find "^screen" or name:find "^tmux" then return nil end -- they do not pass pictures on
   if getenv "KITTY_WINDOW_ID" or name == "xterm-kitty" or name == "xterm-ghostty" or program == "ghostty" then
      return "kitty"
   end
   if program == "WezTerm" or program == "iTerm.app" or program == "mintty" or name:find "^foot" or name:find "sixel"
      or name:find "^mlterm" or name:find "^contour" then
      return "sixel"
   end
   return nil
end

local BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

--- Bytes in base64.
function M.base64(bytes)
   local out = {}
   for i = 1, #bytes, 3 do
      local a, b, c = bytes:byte(i, i + 2)
      local v = a << 16 | (b or 0) << 8 | (c or 0)
      local four = {}
      for k = 0, 3 do
         local at = (v >> (18 - 6 * k) & 63) + 1
         four[k + 1] = (k == 2 and not b or k == 3 and not c) and "=" or BASE64:sub(at, at)
      end
      out[#out + 1] = table.concat(four)
   end
   return table.concat(out)
end

--- A PNG in kitty's graphics protocol, in chunks of at most 4096 characters.
function M.kitty(png)
   local data, out = M.base64(png), {}
   for i = 1, #data, 4096 do
      local more = i + 4096 <= #data and 1 or 0
      out[#out + 1] = ("\27_G%sm=%d;%s\27\\"):format(i == 1 and "a=T,f=100," or "", more, data:sub(i, i + 4095))
   end
   return table.concat(out) .. "\n"
end

-- The figure scaled to a number of columns; a cell is assumed to be 9 pixels wide.
local function scale(fig, columns)
   local copy = {}
   for name, value in pairs(fig) do copy[name] = value end
   local width = math.max(200, math.min(columns * 9, 1200))
   copy.width, copy.height = width, math.floor(fig.height * width / fig.width)
   return setmetatable(copy, getmetatable(fig))
end

local function picture(fig, o, run)
   local script = require "manilius.draw.script"
   local scaled = o.width and scale(fig, o.width) or fig
   if o.mode == "kitty" then
      return M.kitty(run(script.terminal(scaled, "screen"), script.body(scaled)))
   end
   return run(script.terminal(scaled, "sixel"), script.body(scaled)) .. "\n"
end

-- The mode selected by "auto".
local function auto_mode(is_terminal)
   local mode = environment "MANILIUS_PLOT"
   if mode and mode ~= "" and mode ~= "auto" then
      if not parts.place(MODES, mode) then
         fail("the environment variable MANILIUS_PLOT must be one of %s, got '%s'", table.concat(MODES, ", "),
            text.plain(mode))
      end
      return mode
   end
   return is_terminal and M.graphics(environment) or "text"
end

--- Draw in the terminal. run(head, body) makes a picture with gnuplot.
function M.show(fig, options, run)
   local o = check(options, OPTIONS)
   local columns = core.terminal()
   local given = o.mode
   if given == "auto" then o.mode = auto_mode(columns ~= nil) end
   if o.mode ~= "text" then
      local ok, bytes = pcall(picture, fig, o, run)
      if ok then
         io.stdout:write(bytes)
         return
      end
      if given ~= "auto" then error(bytes, 0) end
   end
   o.width = o.width or columns and columns > 0 and math.max(MIN_WIDTH, math.min(columns, 120)) or WIDTH
   if o.ascii == nil then o.ascii = is_ascii() end
   o.colored = columns ~= nil and not environment "NO_COLOR" and environment "TERM" ~= "dumb"
   print(table.concat(lines_of(fig, o), "\n"))
end

return M
