--- Letters that no font of this machine has, taken out of a script before a bitmap or a PDF is made of it.
--
-- The cairo terminals of gnuplot 5.4 draw the box of an unknown letter (a smiley, say) over the whole picture. What
-- fonts have is told by fc-list, which comes with the libraries of those terminals; where it is not, nothing is taken
-- out.
-- @module manilius.plot.glyphs

local M = {}

local ALWAYS_THERE = 0x17f -- Latin letters with their accents
local MOST = 300 -- letters that are looked for; a script with more is in a language whose fonts are surely there
local STAND_IN = "?"

local known = {} -- code point -> is there a font with it?

-- Asks for all at once. A code point is a number, so nothing of the user's comes into the command.
local function ask(codes)
   local words = {}
   for i, code in ipairs(codes) do words[i] = ("%x"):format(code) end
   local pipe = io.popen("command -v fc-list >/dev/null 2>&1 && for c in " .. table.concat(words, " ")
      .. "; do [ -n \"$(fc-list :charset=$c family 2>/dev/null)\" ] || echo $c; done", "r")
   local said = pipe and pipe:read "a" or ""
   if pipe then pipe:close() end
   for _, code in ipairs(codes) do known[code] = true end
   for word in said:gmatch "%x+" do known[tonumber(word, 16)] = false end
end

local function unasked(script)
   local codes, seen = {}, {}
   for _, code in utf8.codes(script) do
      if code > ALWAYS_THERE and known[code] == nil and not seen[code] then
         seen[code], codes[#codes + 1] = true, code
      end
   end
   return codes
end

--- The script with "?" for every letter that cannot be drawn.
function M.drawable(script)
   if not script:find "[\xc6-\xf4]" or not utf8.len(script) then return script end
   local codes = unasked(script)
   if #codes > MOST then return script end
   if #codes > 0 then ask(codes) end
   return (script:gsub(utf8.charpattern, function(letter)
      if #letter > 1 and known[utf8.codepoint(letter)] == false then return STAND_IN end
   end))
end

return M
