--- Renders figures as pictures, by running gnuplot, and as text.
--
-- gnuplot runs without init files, reads a script from a temporary file and writes to another. The names of both come
-- from the system, so no text of the user is part of a command. The picture is then written to its destination.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local script = require "manilius.draw.script"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}
local fail = parts.fail

local FORMATS = { "svg", "png", "pdf", "html" }

-- --- running gnuplot ---

local function check_libraries()
   if not io or not io.open or not io.popen or not os or not os.tmpname or not os.remove then
      fail("pictures require the io and os libraries, which are not available; :text() works without them")
   end
end

local function write_file(path, bytes)
   local file, reason = io.open(path, "wb")
   if not file then fail("cannot write a temporary file: %s", reason) end
   local ok, message = file:write(bytes)
   local closed = file:close()
   if not ok or not closed then fail("cannot write a temporary file: %s: %s", path, tostring(message)) end
end

local function read_file(path)
   local file = io.open(path, "rb")
   if not file then return "" end
   local bytes = file:read "a"
   file:close()
   return bytes or ""
end

-- A new temporary file. Its name must not contain characters that are special to the shell.
local function temporary_file()
   local path = os.tmpname()
   if path:find "[^%w/._-]" then
      os.remove(path)
      fail("the name of the temporary file must not have special characters, got %s", path)
   end
   return path
end

-- The error message for a failed run.
local function failure_text(status, output)
   if status == 127 then
      return "gnuplot was not found; install it (Debian and Ubuntu: apt install gnuplot-nox), or show the figure as "
         .. "text, :show{ mode = 'text' }"
   end
   if output:find "unknown or ambiguous terminal" then
      return "this gnuplot cannot write that format; install gnuplot-nox (or gnuplot-qt), which has the cairo terminals"
   end
   local message = text.plain((output:gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s*\n%s*", " | ")))
   return "gnuplot failed: " .. (message ~= "" and message:sub(1, 600) or "exit status " .. tostring(status))
end

-- Run a script that writes to `output`; returns the bytes written.
local function run_with(input, output, head, body)
   write_file(input, head .. "\nset output '" .. output .. "'\n" .. body .. "unset output\n")
   -- An unknown GNUTERM makes gnuplot fail before it reads the script.
   local pipe = io.popen("GNUTERM=dumb gnuplot -d " .. input .. " 2>&1", "r")
   local printed = pipe:read "a" or ""
   local ok, _, status = pipe:close()
   local bytes = read_file(output)
   if not ok or bytes == "" then fail("%s", failure_text(status, printed)) end
   return bytes
end

local function run(head, body)
   check_libraries()
   local input, output = temporary_file(), temporary_file()
   if head:find "cairo" then body = require "manilius.draw.glyphs".drawable(body) end
   local ok, result = pcall(run_with, input, output, head, body)
   os.remove(input)
   os.remove(output)
   if not ok then error(result, 0) end
   return result
end

-- --- formats ---

-- A prefix of ids, so that the ids of several figures on one page differ: a hash of the text (djb2).
local function id_prefix(bytes)
   local hash = 5381
   for i = 1, #bytes do hash = (hash * 33 + bytes:byte(i)) & 0xffffffff end
   return ("f%08x"):format(hash)
end

-- The svg element with fallback fonts, unique ids, the title for screen readers, and if `adapts` a style sheet for dark
-- pages.
local function clean_svg(svg, fig, adapts)
   svg = svg:gsub("^.-(<svg)", "%1", 1)
   local prefix = id_prefix(svg)
   svg = svg:gsub("<[^<>]*>", function(tag)
      return (tag:gsub("(%sid=['\"])", "%1" .. prefix .. "-"):gsub("(href=['\"]#)", "%1" .. prefix .. "-")
         :gsub("url%(#", "url(#" .. prefix .. "-"):gsub('font%-family="' .. theme.font .. '"',
            ('font-family="%s"'):format(theme.font_stack)))
   end)
   local title = fig.title or fig.panels[1].title or "Figure"
   svg = svg:gsub("<title>.-</title>", function() return "<title>" .. text.xml(title) .. "</title>" end, 1)
   svg = svg:gsub("<desc>.-</desc>%s*", "", 1)
   if adapts then
      local style = require "manilius.draw.dark".style(svg, prefix .. "-gnuplot_canvas")
      svg = svg:gsub("</title>%s*", function(tag) return tag .. style end, 1)
   end
   return (svg:gsub("<svg", '<svg role="img"', 1))
end

-- The picture as an svg element; the colors of files and pages of their own follow the preference of the reader.
local function svg_of(fig, adapts)
   return clean_svg(run(script.terminal(fig, "svg"), script.body(fig)), fig, adapts)
end

function M.svg(fig)
   return svg_of(fig, false)
end

local function html(fig)
   local title = text.xml(fig.title or fig.panels[1].title or "Figure")
   return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>"
      .. ":root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { body { background: %s; } }\n"
      .. "body { margin: 2em auto; max-width: %dpx; } svg { max-width: 100%%; height: auto; }</style>\n</head>\n"
      .. "<body>\n%s\n</body>\n</html>\n"):format(title, require "manilius.draw.dark".background,
      math.floor(fig.width), svg_of(fig, true))
end

local function bytes_of(fig, format)
   if format == "html" then return html(fig) end
   if format == "svg" then return '<?xml version="1.0" encoding="utf-8"?>\n' .. svg_of(fig, true) end
   return run(script.terminal(fig, format), script.body(fig))
end

function M.save(fig, path)
   if type(path) ~= "string" then fail("path must be a string, got %s", parts.text(path)) end
   local format = (path:match "%.([%w]+)$" or ""):lower()
   if not parts.place(FORMATS, format) then
      fail("path must end in .svg, .png, .pdf or .html, got '%s'", text.plain(path))
   end
   core.write_bytes(path, bytes_of(fig, format))
end

-- --- scripts ---

local HEAD = [[
# Written by manilius. Run it with gnuplot 5.4 or later: `gnuplot x.gp` creates x.svg next to it.
# For another format change the next two lines, for example: set terminal pngcairo size 1280,880
%s
set output ((exists('ARG0') && strlen(ARG0) > 3) ? ARG0[1:strlen(ARG0)-3] : 'figure').'.svg'
]]

function M.script(fig, path)
   local source = HEAD:format(script.terminal(fig, "svg")) .. script.body(fig) .. "unset output\n"
   if path == nil then return source end
   if type(path) ~= "string" then fail("path must be a string, got %s", parts.text(path)) end
   core.write_bytes(path, source)
   return source
end

-- --- the terminal ---

function M.text(fig, options)
   return require "manilius.draw.terminal".text(fig, options)
end

function M.show(fig, options)
   return require "manilius.draw.terminal".show(fig, options, run)
end

return M
