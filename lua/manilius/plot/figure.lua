--- Figures: what is to be drawn, as plain tables, and the ways to see it.
--
--    Figure{ title =, caption =, columns =, width =, height =, panels = { panel, ... } }
--    panel = { title =, x = "label", y = "label", z = "label", x_range = { low, high }, y_range =, z_range =, x_log =,
--       y_log =, z_log =, x_ticks = { { at, label }, ... }, y_ticks =, equal =, frame =, legend =, color_label =,
--       layers = { layer, ... } }
--
-- Ranges, ticks and the legend come from the layers where they are not given. A range may go down ({ 5, 0 }). `equal`:
-- a unit of x is as long as a unit of y. `frame` false: no lines of axes. A legend stands beside two and more names;
-- `legend` true or false decides otherwise. A panel without anything to draw says "no data".
--
-- Layers; x, y and the like are Vectors, columns of a Frame or lists of numbers:
--
--    { kind = "points", x, y, z, value (colored by a palette), name, color, size, shape, labels, opacity }
--    { kind = "line", x, y, z, name, color, dash, width, steps (a value holds until the next x), markers }
--    { kind = "band", x, low, high, name, color, opacity }   without name and color: that of the next line
--    { kind = "bars", x, y, width, low, high (ends of whiskers), base = 0, horizontal, name, color, opacity }
--    { kind = "box", at, values or quartiles = { 5 numbers } with outliers, width, horizontal, name, color }
--    { kind = "heat", x, y, z = Matrix, low, high, palette = "sequential"|"blues"|"diverging", cell_text }
--    { kind = "contour", x, y, z, levels = count or list, name, color (default: by level) }
--    { kind = "surface", x, y, z, palette }                  makes the panel three-dimensional, as points with z do
--    { kind = "regions", x, y, code = Matrix of 1, 2, ... (0: none), names, colors }
--    { kind = "segments", x1, y1, x2, y2, arrow, labels (at the second end), name, color, dash, width }
--    { kind = "rule", at_x = or at_y = or slope = and intercept =, name, color, dash, width }
--    { kind = "text", x, y, text (one or a list), color }
--
-- z and code have a row for each y and a column for each x; x and y are centers of cells, or (one more) edges; left out
-- they are 1, 2, ... `cell_text` is true (the number), a Matrix, a table of rows of texts, or function(value, i, j).
-- `color` is the number of a series (1, 2, ... with its shape and dash), a name ("grey", "black", ...) or "#rrggbb";
-- without it layers with the same name share a series, others get the next. `dash` is "solid", "dashed", "dotted",
-- "dashdot" or "longdash". The layers are drawn in their order. Labels of points that would lie on others are left out.
--
-- Values that are missing or infinite, and those not above 0 on a logarithmic axis, are left out (a line has a gap
-- there); very many points are thinned. The caption says so.
-- @module manilius.plot.figure

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local panels = require "manilius.plot.panel"
local text = require "manilius.plot.text"
local theme = require "manilius.plot.theme"
local reduce = require "manilius.plot.reduce"
local words = require "manilius.text"

local M = {}
local fail = parts.fail
local methods = {}
local meta = { __name = "Figure" }
M.meta = meta

local SETTINGS = { "title", "caption", "columns", "width", "height", "panels" }

-- --- what was left out ---

local SENTENCES = {
   { "missing", "%s with missing values left out" },
   { "infinite", "%s with infinite values left out" },
   { "nonpositive", "%s not above 0 left out: the axis is logarithmic" },
}

local function counted(n, one)
   return n == 1 and "1 " .. one or reduce.with_commas(n) .. " " .. one .. "s"
end

-- What was left out by reason, and what very many points were thinned to, as sentences.
local function sentences(counts, drawn)
   local out = {}
   for _, sentence in ipairs(SENTENCES) do
      local n = counts[sentence[1]]
      if n then out[#out + 1] = sentence[2]:format(counted(n, "point")) .. "." end
   end
   if counts.cells then out[#out + 1] = counted(counts.cells, "cell") .. " without a finite value left blank." end
   if counts.points then
      out[#out + 1] = ("%s points drawn as %s: one for each place that can be told apart."):format(
         reduce.with_commas(counts.points), reduce.with_commas(drawn.points))
   end
   if counts.line then
      out[#out + 1] = ("%s points of lines drawn as %s: those where they turn."):format(reduce.with_commas(counts.line),
         reduce.with_commas(drawn.line))
   end
   return out
end

-- Adds up what is left out and thinned, in the parts of a figure.
local function teller(fig)
   fig.counts, fig.drawn, fig.remarks = {}, {}, {}
   return function(reason, count, kept)
      if count <= 0 then return end
      fig.counts[reason] = (fig.counts[reason] or 0) + math.tointeger(count)
      fig.drawn[reason] = (fig.drawn[reason] or 0) + (kept or 0)
   end
end

-- --- construction ---

local function check_size(given, name)
   local value = given[name]
   if value == nil then return nil end
   if type(value) ~= "number" or not (value >= 200 and value <= 10000) then
      fail("%s must be from 200 to 10000 pixels, got %s", name, parts.text(value))
   end
   return value
end

local function checked(given)
   if rows.kind(given) ~= "table" then fail("a table { panels = {...} } expected, got %s", parts.text(given)) end
   for name in pairs(given) do
      if not parts.place(SETTINGS, name) then
         fail("there is no setting %s%s", parts.text(name), parts.hint(name, SETTINGS))
      end
   end
   if type(given.panels) ~= "table" or #given.panels == 0 then fail("panels must be a list of at least one panel") end
   local fig = { columns = parts.whole(given, "columns", nil, 1), width = check_size(given, "width"),
      height = check_size(given, "height"), panels = {} }
   for _, name in ipairs { "title", "caption" } do
      local value = given[name]
      if value ~= nil and type(value) ~= "string" then fail("%s must be a text, got %s", name, parts.text(value)) end
      fig[name] = value
   end
   local tell = teller(fig)
   for i, panel in ipairs(given.panels) do
      local ok, result = pcall(panels.check, panel, tell)
      if not ok then
         if type(result) ~= "string" then error(result, 0) end
         fail("panel %d: %s", i, result)
      end
      fig.panels[i] = result
   end
   return fig
end

local function finish(fig)
   local n = #fig.panels
   fig.notes = sentences(fig.counts, fig.drawn)
   table.move(fig.remarks, 1, #fig.remarks, #fig.notes + 1, fig.notes)
   fig.columns = math.min(n, fig.columns or math.ceil(math.sqrt(n)))
   fig.rows = math.ceil(n / fig.columns)
   local share = n == 1 and 1 or 0.75
   fig.width = fig.width or math.floor(theme.width * share * fig.columns)
   fig.height = fig.height or math.floor(theme.height * share * fig.rows)
   return setmetatable(fig, meta)
end

--- A figure of checked panels.
-- @raise when something in it is not what it must be; the text names the panel and the layer
function M.Figure(given)
   return finish((rows.rethrow(2, pcall(function()
      local ok, fig = pcall(checked, given)
      if not ok then error(type(fig) == "string" and "Figure: " .. fig or fig, 0) end
      return fig
   end))))
end

function M.is(value)
   return getmetatable(value) == meta
end

--- The figure with other words on what it leaves out.
function M.with_remark(fig, remark)
   fig.counts, fig.drawn, fig.remarks, fig.notes = {}, {}, { remark }, { remark }
   return fig
end

--- Several figures as one: the panels of all.
-- @param list of figures
-- @param options { title =, caption =, columns =, width =, height = }
function M.join(list, options)
   local fig = { panels = {}, title = options.title, columns = options.columns, width = options.width,
      height = options.height }
   local tell, captions, seen = teller(fig), { options.caption }, {}
   for _, one in ipairs(list) do
      for _, panel in ipairs(one.panels) do
         local copy = {}
         for name, value in pairs(panel) do copy[name] = value end
         if #one.panels == 1 and not copy.title then copy.title = one.title end
         fig.panels[#fig.panels + 1] = copy
      end
      if one.caption and not seen[one.caption] then captions[#captions + 1] = one.caption end
      seen[one.caption or ""] = true
      for reason, count in pairs(one.counts) do tell(reason, count, one.drawn[reason]) end
      table.move(one.remarks, 1, #one.remarks, #fig.remarks + 1, fig.remarks)
   end
   fig.caption = captions[1] and table.concat(captions, " ") or nil
   return finish(fig)
end

--- The caption with what was left out; nil when there is nothing to say.
function M.full_caption(fig)
   local all = { fig.caption }
   table.move(fig.notes, 1, #fig.notes, #all + 1, all)
   return all[1] and table.concat(all, " ") or nil
end

-- --- methods ---

-- Call a function of the renderer; what it raises gets the name of the method and the place of its caller.
local function call(name, fig, ...)
   if not M.is(fig) then error(("%s is a method: fig:%s(...)"):format(name, name), 3) end
   local result = table.pack(pcall(require "manilius.plot.render"[name], fig, ...))
   if result[1] then return result[2] end
   local message = result[2]
   error(type(message) == "string" and name .. ": " .. parts.bare(message) or message, 3)
end

--- Write the picture: fig:save "roc.svg". The ending tells the format: svg, png, pdf or html (one file that holds all).
-- @raise when the ending is another, gnuplot is not there, or the file cannot be written (then none is left behind)
-- @return the figure
function methods.save(fig, path)
   call("save", fig, path)
   return fig
end

--- The picture as the text of an SVG element, to be put into HTML or a file.
function methods.svg(fig)
   return (call("svg", fig))
end

--- The gnuplot script with its data inside; with a path it is written there. `gnuplot x.gp` makes x.svg beside it.
function methods.script(fig, path)
   return (call("script", fig, path))
end

--- Draw in the terminal: fig:show{ width =, height =, mode = "auto"|"sixel"|"kitty"|"text" }. Width is in columns,
-- height in rows of each plot (of text). In mode "auto", graphics are drawn where the terminal is known to have them,
-- else text; the environment variable MANILIUS_PLOT (sixel, kitty, text) decides otherwise.
-- @return the figure
function methods.show(fig, options)
   call("show", fig, options)
   return fig
end

--- The figure as lines of text of at most `width` cells (default 80).
-- @param options { width =, height =, ascii = bool }
function methods.text(fig, options)
   return (call("text", fig, options))
end

local MEMBERS = { title = true, caption = true, columns = true, rows = true, width = true, height = true, panels = true,
   notes = true, counts = true, drawn = true, remarks = true }

function meta.__index(_, name)
   if methods[name] then return methods[name] end
   if MEMBERS[name] or type(name) ~= "string" then return nil end
   local known = parts.sorted_keys(methods)
   error(("a figure has no %s%s"):format(parts.text(name), parts.hint(name, known)), 2)
end

function meta.__tostring(fig)
   local first = fig.title or fig.panels[1].title
   local kinds, seen = {}, {}
   for _, panel in ipairs(fig.panels) do
      for _, layer in ipairs(panel.layers) do
         if not seen[layer.kind] then kinds[#kinds + 1] = layer.kind end
         seen[layer.kind] = true
      end
   end
   return words.wrap(("Figure%s: %d panel%s (%s), %d x %d; :show() draws it here, :save \"x.svg\" writes it"):format(
      first and " '" .. text.plain(first) .. "'" or "", #fig.panels, #fig.panels == 1 and "" or "s",
      kinds[1] and table.concat(kinds, ", ") or "empty", math.floor(fig.width), math.floor(fig.height)), 2)
end

return M
