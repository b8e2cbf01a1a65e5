--- Replaces characters that no installed font has in a script for a bitmap or a PDF.
--
-- The cairo terminals of gnuplot 5.4 draw the box of an unknown character (an emoji, say) over the whole picture. The
-- characters of the fonts are listed by fc-list, which comes with the libraries of those terminals; without it nothing
-- is replaced.

local M = {}

local MAX_LATIN = 0x17f -- Latin letters with accents are in every font
local MAX_CODES = 300 -- code points looked up; a script with more is in a language whose fonts are installed
local REPLACEMENT = "?"

local known = {} -- code point -> does a font have it?

-- Look up all code points with one command. It contains only numbers, no text of the user.
local function look_up(codes)
   local digits = {}
   for i, code in ipairs(codes) do digits[i] = ("%x"):format(code) end
   local pipe = io.popen("command -v fc-list >/dev/null 2>&1 && for c in " .. table.concat(digits, " ")
      .. "; do [ -n \"$(fc-list :charset=$c family 2>/dev/null)\" ] || echo $c; done", "r")
   local missing = pipe and pipe:read "a" or ""
   if pipe then pipe:close() end
   for word in missing:gmatch "%x+" do known[tonumber(word, 16)] = false end
   for _, code in ipairs(codes) do
      if known[code] == nil then known[code] = true end
   end
end

local function unknown_codes(script)
   local codes, seen = {}, {}
   for _, code in utf8.codes(script) do
      if code > MAX_LATIN and known[code] == nil and not seen[code] then
         seen[code], codes[#codes + 1] = true, code
      end
   end
   return codes
end

--- The script with "?" for every character that cannot be drawn.
function M.drawable(script)
   if not script:find "[\xc6-\xf4]" or not utf8.len(script) then return script end
   local codes = unknown_codes(script)
   if #codes > MAX_CODES then return script end
   if #codes > 0 then look_up(codes) end
   return (script:gsub(utf8.charpattern, function(character)
      if #character > 1 and known[utf8.codepoint(character)] == false then return REPLACEMENT end
   end))
end

return M
