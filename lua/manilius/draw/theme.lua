--- The style of all figures.
--
-- Classes differ by color (the palette of Okabe and Ito, which is safe for color-blind readers), shape and dash, so
-- that they remain distinguishable in grayscale.

local M = {}

--- Sizes are in pixels of the SVG; a PNG has `png_scale` times as many.
M.width, M.height = 640, 440
M.font, M.font_size, M.title_size = "Sans", 12, 14
M.font_stack = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" -- in SVG, with fallbacks
M.png_scale = 2
M.line_width, M.point_size = 2, 0.7
M.background, M.foreground, M.grid, M.frame = "#ffffff", "#222222", "#e3e3e3", "#808080"
-- Dark and light text on colored cells, which unlike the foreground stays the same in dark mode.
M.ink, M.paper = "#232323", "#fefefe"

--- Series by number: color, point type of gnuplot, dash, and the symbol in text (Unicode and ASCII).
M.series = {
   { color = "#0072b2", point = 7, dash = "solid", symbol = "●", ascii = "o" },
   { color = "#d55e00", point = 9, dash = "dashed", symbol = "▲", ascii = "x" },
   { color = "#009e73", point = 5, dash = "dotted", symbol = "■", ascii = "#" },
   { color = "#cc79a7", point = 13, dash = "dashdot", symbol = "◆", ascii = "*" },
   { color = "#e69f00", point = 11, dash = "longdash", symbol = "▼", ascii = "+" },
   { color = "#56b4e9", point = 6, dash = "solid", symbol = "○", ascii = "@" },
   { color = "#4d4d4d", point = 8, dash = "dashed", symbol = "△", ascii = "%" },
   { color = "#b3a100", point = 4, dash = "dotted", symbol = "□", ascii = "&" },
}

--- Named colors. Colors may also be "#rrggbb" or the number of a series.
M.named = { black = "#222222", grey = "#8c8c8c", gray = "#8c8c8c", lightgrey = "#c8c8c8", white = "#ffffff",
   blue = "#0072b2", red = "#d55e00", green = "#009e73", pink = "#cc79a7", orange = "#e69f00", sky = "#56b4e9",
   yellow = "#b3a100" }

--- Dash types of gnuplot: lengths of dashes and gaps.
M.dashes = { solid = "solid", dashed = "(8,5)", dotted = "(2,4)", dashdot = "(9,4,2,4)", longdash = "(14,5)" }

--- Point types of gnuplot by name.
M.points = { circle = 7, triangle = 9, square = 5, diamond = 13, down = 11, ["open circle"] = 6, ["open triangle"] = 8,
   ["open square"] = 4, ["open diamond"] = 12, plus = 1, cross = 2, star = 3, dot = 0 }

--- Palettes: lightness is monotone (sequential, like viridis) or highest in the middle (diverging); contrast has only
-- dark colors, for points on white.
M.palettes = {
   sequential = { "#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b",
      "#fde725" },
   blues = { "#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b" },
   diverging = { "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b" },
   contrast = { "#0072b2", "#4f66b0", "#7f569f", "#a84a80", "#c6504f", "#d55e00" },
}

local function rgb(color)
   return tonumber(color:sub(2, 3), 16), tonumber(color:sub(4, 5), 16), tonumber(color:sub(6, 7), 16)
end

--- The color at `share` (0 to 1, clipped) of a palette.
function M.shade(palette, share)
   local colors = M.palettes[palette]
   local at = math.max(0, math.min(1, share)) * (#colors - 1) + 1
   local i = math.min(math.floor(at), #colors - 1)
   return M.mix(colors[i], colors[i + 1], at - i)
end

--- Mix two colors: `share` 0 is the first one, 1 the second.
function M.mix(from, to, share)
   local r1, g1, b1 = rgb(from)
   local r2, g2, b2 = rgb(to)
   local function between(a, b) return math.floor(a + (b - a) * share + 0.5) end
   return ("#%02x%02x%02x"):format(between(r1, r2), between(g1, g2), between(b1, b2))
end

--- The color, foreground or background, in which text is readable on that color.
function M.contrast_color(color)
   local r, g, b = rgb(color)
   return 0.299 * r + 0.587 * g + 0.114 * b > 140 and M.ink or M.paper
end

--- The series with that number. After the last one the colors repeat darker, then lighter, with the shape and dash of
-- another series, which makes 24 different series.
function M.series_of(index)
   local n = #M.series
   local place, round = (index - 1) % n + 1, (index - 1) // n % 3
   if round == 0 then return M.series[place] end
   local shape = M.series[(place - 1 + 2 * round) % n + 1]
   return { color = M.mix(M.series[place].color, round == 1 and "#000000" or "#ffffff", 0.45), point = shape.point,
      dash = shape.dash, symbol = shape.symbol, ascii = shape.ascii }
end

--- The "#rrggbb" of the number of a series, a name, or a "#rrggbb".
function M.color(color)
   if type(color) == "number" then return M.series_of(color).color end
   return M.named[color] or color
end

return M
