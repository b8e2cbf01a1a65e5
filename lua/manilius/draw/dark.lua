--- Dark mode of SVG pictures: a style sheet that replaces their light colors where the reader prefers dark pages.
--
-- Attributes keep the light colors, so programs without style sheets draw the picture as before. Color maps and the
-- texts on their cells stay the same.

local theme = require "manilius.draw.theme"

local M = {}

M.background, M.foreground = "#16181c", "#dfe2e7"
local COLORED = { fill = true, stroke = true, color = true, ["flood-color"] = true }
local GRID, FRAME, DIM = "#2f343c", "#9aa3b0", "#5a616b"

-- Light color -> dark color, as "#rrggbb".
local function replacements()
   local map = { [theme.background] = M.background, [theme.foreground] = M.foreground, [theme.grid] = GRID,
      [theme.frame] = FRAME, [theme.named.grey] = FRAME, [theme.named.lightgrey] = DIM }
   for i = 1, 3 * #theme.series do
      local color = theme.series_of(i).color
      map[color] = theme.mix(color, M.foreground, 0.3)
      map[theme.mix(theme.background, color, 0.3)] = theme.mix(M.background, color, 0.45) -- regions
      map[theme.mix("#ffffff", color, 0.35)] = theme.mix(M.background, color, 0.5) -- and their legend
   end
   return map
end

local function rgb(color)
   return tonumber(color:sub(2, 3), 16), tonumber(color:sub(4, 5), 16), tonumber(color:sub(6, 7), 16)
end

-- A color of an attribute of gnuplot, "rgb( 0, 114, 178)", a name or "#FFFFFF", as "#rrggbb"; nil for others.
local function normalized(value)
   if value == "black" then return theme.foreground end
   if value:find "^#%x%x%x%x%x%x$" then return value:lower() end
   local r, g, b = value:match "^rgb%(%s*(%d+),%s*(%d+),%s*(%d+)%)$"
   return r and ("#%02x%02x%02x"):format(r, g, b)
end

--- The style sheet for the colors in `svg`. Its rules hold inside the element with that id.
function M.style(svg, id)
   local map, rules, seen = replacements(), {}, {}
   for name, quote, value in svg:gmatch "%s([%l-]+)%s*=%s*(['\"])([^'\"]*)%2" do
      local color = COLORED[name] and normalized(value)
      local dark = color and map[color]
      if dark and not seen[name .. value] then
         seen[name .. value] = true
         rules[#rules + 1] = ("#%s [%s=%s%s%s]{%s:rgb(%d,%d,%d)}"):format(id, name, quote, value, quote, name,
            rgb(dark))
      end
   end
   if #rules == 0 then return "" end
   return "<style>@media (prefers-color-scheme: dark) {\n" .. table.concat(rules, "\n") .. "\n}</style>\n"
end

return M
