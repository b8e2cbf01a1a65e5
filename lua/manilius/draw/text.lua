--- Makes texts from data (names of columns, levels of factors) safe for gnuplot, SVG, HTML and the terminal.
--
-- In single-quoted strings of gnuplot only the quote is special: there are no backticks, @macros or escapes. Texts are
-- drawn "noenhanced", so that _ ^ { } @ & are literal. Quotes and line breaks are concatenated as strings of their own.

local M = {}

-- Code points that are not text: control characters, bidirectional controls, line separators, noncharacters.
local function is_hidden(code)
   return code < 32 or (code >= 0x7f and code <= 0x9f) or (code >= 0x200b and code <= 0x200f)
      or (code >= 0x2028 and code <= 0x202e) or (code >= 0x2066 and code <= 0x2069) or code == 0xfeff
      or (code >= 0xd800 and code <= 0xdfff) or code == 0xfffe or code == 0xffff or code > 0x10ffff
end

--- Valid UTF-8 on one line: control characters become spaces, invalid bytes become "?".
function M.plain(value)
   local text = tostring(value)
   if not text:find "[%c\x80-\xff]" then return text end
   local out, at = {}, 1
   while at <= #text do
      local stop = utf8.len(text, at, at) and utf8.offset(text, 2, at)
      if not stop then
         out[#out + 1] = "?"
         at = at + 1
      else
         out[#out + 1] = is_hidden(utf8.codepoint(text, at)) and " " or text:sub(at, stop - 1)
         at = stop
      end
   end
   return table.concat(out)
end

--- The lines of a text, each as by plain().
function M.lines(value)
   local out = {}
   for line in (tostring(value):gsub("\r\n", "\n") .. "\n"):gmatch "(.-)\n" do out[#out + 1] = M.plain(line) end
   while #out > 1 and out[#out] == "" do out[#out] = nil end
   return out
end

-- Is a character two cells wide?
local function is_wide(code)
   return (code >= 0x1100 and code <= 0x115f) or (code >= 0x2e80 and code <= 0xa4cf)
      or (code >= 0xac00 and code <= 0xd7a3) or (code >= 0xf900 and code <= 0xfaff)
      or (code >= 0xfe30 and code <= 0xfe6f) or (code >= 0xff00 and code <= 0xff60)
      or (code >= 0xffe0 and code <= 0xffe6) or (code >= 0x1f300 and code <= 0x1f64f)
      or (code >= 0x1f900 and code <= 0x1f9ff) or (code >= 0x20000 and code <= 0x3fffd)
end

local function is_combining(code) -- combining characters have no width
   return (code >= 0x300 and code <= 0x36f) or (code >= 0x20d0 and code <= 0x20ff)
      or (code >= 0xfe00 and code <= 0xfe0f)
end

local function cells_of(code)
   return is_combining(code) and 0 or is_wide(code) and 2 or 1
end

--- The width of a plain text in terminal cells.
function M.width(text)
   if not text:find "[\x80-\xff]" then return #text end
   local width = 0
   for _, code in utf8.codes(text) do width = width + cells_of(code) end
   return width
end

--- A plain text truncated to `width` cells; a truncated text ends with `ellipsis` (default "…").
function M.truncate(text, width, ellipsis)
   if M.width(text) <= width then return text end
   ellipsis = ellipsis or "…"
   if width < M.width(ellipsis) then ellipsis = "" end
   local left, out = width - M.width(ellipsis), {}
   for _, code in utf8.codes(text) do
      left = left - cells_of(code)
      if left < 0 then break end
      out[#out + 1] = utf8.char(code)
   end
   return (table.concat(out):gsub("%s+$", "")) .. ellipsis
end

-- Split a word longer than the width into pieces.
local function split_word(word, width)
   local out = {}
   while M.width(word) > width do
      local head = M.truncate(word, width, "")
      if head == "" then break end
      out[#out + 1] = head
      word = word:sub(#head + 1)
   end
   out[#out + 1] = word
   return out
end

--- Wrap a text into lines of at most `width` cells.
function M.wrap(text, width)
   width = math.max(width, 2)
   local out, line = {}, nil
   for word in text:gmatch "%S+" do
      for _, piece in ipairs(split_word(word, width)) do
         if line and M.width(line) + 1 + M.width(piece) <= width then
            line = line .. " " .. piece
         else
            out[#out + 1] = line
            line = piece
         end
      end
   end
   out[#out + 1] = line or ""
   return out
end

-- gnuplot 5.4 takes a doubled quote at the beginning for the end of the string, so quotes become strings of their own.
local function quoted(line)
   local strings = {}
   for piece, quote in line:gmatch "([^']*)('?)" do
      if piece ~= "" then strings[#strings + 1] = "'" .. piece .. "'" end
      if quote ~= "" then strings[#strings + 1] = '"\'"' end
   end
   return strings[1] and table.concat(strings, ".") or "''"
end

--- A text as a gnuplot expression.
function M.gnuplot(value)
   local lines = M.lines(value)
   for i, line in ipairs(lines) do lines[i] = quoted(line) end
   return table.concat(lines, '."\\n".')
end

--- The label of a tick, which gnuplot interprets as a format.
function M.gnuplot_tick(value)
   return (M.gnuplot(value):gsub("%%", "%%%%"))
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

--- A text escaped for XML or HTML.
function M.xml(value)
   return (M.plain(value):gsub("[&<>\"']", entities))
end

return M
