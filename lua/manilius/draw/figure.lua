--- Figures: the checked description of a picture, and the methods that show or save it.
--
--    Figure{ title =, caption =, columns =, width =, height =, legend =, aligned =,
--       panels = { panel, ... } }
--    panel = { title =, x = "label", y = "label", z = "label", x_range = { low, high }, y_range =, z_range =, x_log =,
--       y_log =, z_log =, x_ticks = { { at, label }, ... }, y_ticks =, equal =, frame =, legend =, legend_position =,
--       color_label =, layers = { layer, ... } }
--
-- Ranges, ticks and the legend default to those of the layers. A range may be descending ({ 5, 0 }). `equal`: the axes
-- have the same scale. `frame` false: no axis lines. A legend is drawn for at least two names, or as `legend` says; it
-- is below the axes if it names curves, else on their right. `legend_position` is "right", "below", "top left",
-- "top right", "bottom left" or "bottom right"; a legend that would cover too much of the axes is below. A panel
-- without data shows "no data". `legend` true of the figure: one legend of all panels, below them.
-- `aligned`: all panels have the same size.
--
-- Layers; x, y and the like are Vectors, columns of a Frame or lists of numbers:
--
--    { kind = "points", x, y, z, value (colored by a palette), name, color, size, shape, labels, opacity }
--    { kind = "line", x, y, z, name, color, dash, width, steps (constant until the next x), markers }
--    { kind = "band", x, low, high, name, color, opacity }   without name and color: the color of the next line
--    { kind = "bars", x, y, width, low, high (ends of whiskers), base = 0, horizontal, labels (at the ends),
--       name, color, opacity }
--    { kind = "rectangles", x1, y1, x2, y2, name, color, opacity, width }
--    { kind = "box", at, values or quartiles = { 5 numbers } with outliers, width, horizontal, name, color }
--    { kind = "heat", x, y, z = Matrix, low, high, palette = "sequential"|"blues"|"diverging", cell_text }
--    { kind = "contour", x, y, z, levels = count or list, name, color (default: by level) }
--    { kind = "surface", x, y, z, palette }                  makes the panel three-dimensional, as points with z do
--    { kind = "regions", x, y, code = Matrix of 1, 2, ... (0: none), names, colors }
--    { kind = "segments", x1, y1, x2, y2, arrow, labels (at the second end), name, color, dash, width }
--    { kind = "rule", at_x = or at_y = or slope = and intercept =, name, color, dash, width }
--    { kind = "text", x, y, text (one or a list), color, boxed (on a light background) }
--
-- z and code have one row per y and one column per x; x and y are the centers of the cells, or their edges (one more
-- value); default 1, 2, ... `cell_text` is true (the number), a Matrix, a table of rows of texts, or function(value, i,
-- j). `color` is the number of a series (1, 2, ... with its shape and dash), a name ("grey", "black", ...) or
-- "#rrggbb"; by default layers of the same name share a series, and others get the next one. `dash` is "solid",
-- "dashed", "dotted", "dashdot" or "longdash". Layers are drawn in the given order. Labels of points that would overlap
-- others are omitted.
--
-- Values that are missing or infinite, or <= 0 on a logarithmic axis, are omitted (a line has a gap there); large
-- numbers of points are thinned. The caption notes both.

local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local panels = require "manilius.draw.panel"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"
local reduce = require "manilius.draw.reduce"
local words = require "manilius.text"

local M = {}
local fail = parts.fail
local methods = {}
local meta = { __name = "Figure" }
M.meta, M.methods = meta, methods

local SETTINGS = { "title", "caption", "columns", "width", "height", "legend", "aligned", "panels" }

-- --- notes on omitted points ---

local NOTES = {
   { "missing", "%s with missing values omitted." },
   { "infinite", "%s with infinite values omitted." },
   { "nonpositive", "%s with values <= 0 omitted on a logarithmic axis." },
}

local function count_text(n, one)
   return n == 1 and "1 " .. one or reduce.with_commas(n) .. " " .. one .. "s"
end

-- Sentences on the omitted points by reason, and on thinned points.
local function notes_of(counts, drawn)
   local out = {}
   for _, note in ipairs(NOTES) do
      local n = counts[note[1]]
      if n then out[#out + 1] = note[2]:format(count_text(n, "point")) end
   end
   if counts.cells then out[#out + 1] = count_text(counts.cells, "cell") .. " without a finite value left blank." end
   if counts.points then
      out[#out + 1] = ("%s points thinned to %s; overlapping points are drawn once."):format(
         reduce.with_commas(counts.points), reduce.with_commas(drawn.points))
   end
   if counts.line then
      out[#out + 1] = ("%s points of lines thinned to %s without visible change."):format(
         reduce.with_commas(counts.line), reduce.with_commas(drawn.line))
   end
   return out
end

-- A function(reason, count, drawn) that counts omitted and thinned points in a figure.
local function reporter(fig)
   fig.counts, fig.drawn, fig.remarks = {}, {}, {}
   return function(reason, count, drawn)
      if count <= 0 then return end
      fig.counts[reason] = (fig.counts[reason] or 0) + math.tointeger(count)
      fig.drawn[reason] = (fig.drawn[reason] or 0) + (drawn or 0)
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

local function check(given)
   if rows.kind(given) ~= "table" then
      fail("the settings must be a table { panels = {...} }, got %s", parts.text(given))
   end
   for name in pairs(given) do
      if not parts.place(SETTINGS, name) then
         fail("there is no setting %s%s", parts.text(name), parts.hint(name, SETTINGS))
      end
   end
   if type(given.panels) ~= "table" or #given.panels == 0 then fail("panels must be a list of at least one panel") end
   local fig = { columns = parts.whole(given, "columns", nil, 1), legend = parts.flag(given, "legend", false),
      aligned = parts.flag(given, "aligned", false), width = check_size(given, "width"),
      height = check_size(given, "height"), panels = {} }
   for _, name in ipairs { "title", "caption" } do
      local value = given[name]
      if value ~= nil and type(value) ~= "string" then fail("%s must be a string, got %s", name, parts.text(value)) end
      fig[name] = value
   end
   local report = reporter(fig)
   for i, panel in ipairs(given.panels) do
      local ok, result = pcall(panels.check, panel, report)
      if not ok then
         if type(result) ~= "string" then error(result, 0) end
         fail("panel %d: %s", i, result)
      end
      fig.panels[i] = result
   end
   return fig
end

-- The legend of all panels: their entries, each name once. The panels have none of their own.
local function shared_entries(panel_list)
   local entries, seen = {}, {}
   for _, panel in ipairs(panel_list) do
      for _, entry in ipairs(panel.all_entries) do
         if not seen[entry.name] then entries[#entries + 1] = entry end
         seen[entry.name] = true
      end
      panel.entries = {}
   end
   return entries
end

local function finish(fig)
   local n = #fig.panels
   fig.entries = fig.legend and shared_entries(fig.panels) or {}
   fig.notes = notes_of(fig.counts, fig.drawn)
   table.move(fig.remarks, 1, #fig.remarks, #fig.notes + 1, fig.notes)
   fig.columns = math.min(n, fig.columns or math.ceil(math.sqrt(n)))
   fig.rows = math.ceil(n / fig.columns)
   local share = n == 1 and 1 or 0.75
   fig.width = fig.width or math.floor(theme.width * share * fig.columns)
   fig.height = fig.height or math.floor(theme.height * share * fig.rows)
   return setmetatable(fig, meta)
end

--- Check the settings of a figure.
-- @raise an error that names the panel and the layer
function M.Figure(given)
   return finish((rows.rethrow(2, pcall(function()
      local ok, fig = pcall(check, given)
      if not ok then error(type(fig) == "string" and "Figure: " .. fig or fig, 0) end
      return fig
   end))))
end

--- Is it a figure? Compared by name, because figures remain when the module is unloaded and loaded again.
function M.is(value)
   local of = getmetatable(value)
   return type(of) == "table" and of.__name == meta.__name
end

--- The figure with `remark` as its only note.
function M.with_remark(fig, remark)
   fig.counts, fig.drawn, fig.remarks, fig.notes = {}, {}, { remark }, { remark }
   return fig
end

--- Combine figures into one with the panels of all.
-- @param list of figures
-- @param options { title =, caption =, columns =, width =, height =, legend =, aligned = }
function M.join(list, options)
   local fig = { panels = {}, title = options.title, columns = options.columns, width = options.width,
      height = options.height, legend = options.legend, aligned = options.aligned }
   local report, captions, seen = reporter(fig), { options.caption }, {}
   for _, one in ipairs(list) do
      for _, panel in ipairs(one.panels) do
         local copy = {}
         for name, value in pairs(panel) do copy[name] = value end
         if #one.panels == 1 and not copy.title then copy.title = one.title end
         fig.panels[#fig.panels + 1] = copy
      end
      if one.caption and not seen[one.caption] then captions[#captions + 1] = one.caption end
      seen[one.caption or ""] = true
      for reason, count in pairs(one.counts) do report(reason, count, one.drawn[reason]) end
      table.move(one.remarks, 1, #one.remarks, #fig.remarks + 1, fig.remarks)
   end
   fig.caption = captions[1] and table.concat(captions, " ") or nil
   return finish(fig)
end

--- The caption followed by the notes; nil when there is neither.
function M.full_caption(fig)
   local all = { fig.caption }
   table.move(fig.notes, 1, #fig.notes, #all + 1, all)
   return all[1] and table.concat(all, " ") or nil
end

-- --- methods ---

-- Call a function of the renderer. Its errors get the name of the method and the position of the caller.
local function call(name, fig, ...)
   if not M.is(fig) then error(("%s is a method: fig:%s(...)"):format(name, name), 3) end
   local result = table.pack(pcall(require "manilius.draw.render"[name], fig, ...))
   if result[1] then return result[2] end
   local message = result[2]
   error(type(message) == "string" and name .. ": " .. parts.bare(message) or message, 3)
end

--- Write the picture to a file: fig:save "roc.svg". The extension gives the format: svg, png, pdf or html (a single
-- file).
-- @raise when the extension is unknown, gnuplot is missing, or the file cannot be written (no partial file remains)
-- @return the figure
function methods.save(fig, path)
   call("save", fig, path)
   return fig
end

--- The picture as an SVG element, for use in HTML or in a file.
function methods.svg(fig)
   return (call("svg", fig))
end

--- The gnuplot script, including its data; with a path it is also written there. `gnuplot x.gp` creates x.svg next to
-- it.
function methods.script(fig, path)
   return (call("script", fig, path))
end

--- Draw in the terminal: fig:show{ width =, height =, mode = "auto"|"sixel"|"kitty"|"text" }. Width is in columns,
-- height in text rows per plot. Mode "auto" draws graphics if the terminal is known to support them, else text; the
-- environment variable MANILIUS_PLOT (sixel, kitty, text) overrides it.
-- @return the figure
function methods.show(fig, options)
   call("show", fig, options)
   return fig
end

--- The figure as text in lines of at most `width` cells (default 80).
-- @param options { width =, height =, ascii = bool }
function methods.text(fig, options)
   return (call("text", fig, options))
end

local MEMBERS = { title = true, caption = true, columns = true, rows = true, width = true, height = true, panels = true,
   legend = true, aligned = true, entries = true, notes = true, counts = true, drawn = true, remarks = true }

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
   return words.wrap(("Figure%s: %d panel%s (%s), %d x %d; :show() draws it, :save \"x.svg\" writes it"):format(
      first and " '" .. text.plain(first) .. "'" or "", #fig.panels, #fig.panels == 1 and "" or "s",
      kinds[1] and table.concat(kinds, ", ") or "empty", math.floor(fig.width), math.floor(fig.height)), 2)
end

return M
