--- Figures as text, 80 and 20 columns wide.
local ml = require "manilius"

local plot = ml.plot
local X = { 1, 2, 3, 4, 5, 6 }

local figures = {
   scatter = plot.scatter(X, { 2, 4, 3, 6, 5, 1 }, { class = { "a", "b", "a", "b", "a", "b" }, title = "Two classes",
      x_label = "x (cm)", y_label = "y (kg)" }),
   line = plot.line(X, { 0, 1, 4, 9, 16, 25 }, { title = "Squares", low = { 0, 0, 2, 6, 12, 20 },
      high = { 1, 3, 6, 12, 20, 30 } }),
   bar = plot.bar({ "north", "south", "west" }, { 3, 1.5, 2 }, { low = { 2.5, 1, 1 }, high = { 3.5, 2, 3 },
      value_labels = false }),
   heatmap = plot.heatmap({ { 9, 1 }, { 2, 8 } }, { rows = { "cat", "dog" }, columns = { "cat", "dog" },
      x_label = "predicted", y_label = "true" }),
   box = plot.box(ml.Vector { 1, 2, 3, 4, 5, 6, 20 }, { horizontal = true }),
   contour = plot.contour(function(x, y) return x + y end, { x_range = { 0, 1 }, y_range = { 0, 1 },
      levels = { 0.5, 1 } }),
   regions = plot.Figure { panels = { { layers = { { kind = "regions", code = { { 1, 1, 2 }, { 1, 2, 2 } },
      names = { "in", "out" } }, { kind = "segments", x1 = { 1 }, y1 = { 1 }, x2 = { 3 }, y2 = { 2 }, arrow = true,
      labels = { "to" } }, { kind = "rule", at_y = 1.5 },
      { kind = "text", x = { 2 }, y = { 2 }, text = "here" } } } } },
}

local expected = {
   bar = {
      [80] = [[
  │              ┬
  │     █████████┴████████                                       ┬
2 ┤     ██████████████████               ┬              ▂▂▂▂▂▂▂▂▂│▂▂▂▂▂▂▂▂
  │     ██████████████████      ▄▄▄▄▄▄▄▄▄│▄▄▄▄▄▄▄▄      █████████│████████
  │     ██████████████████      █████████┴████████      █████████┴████████
0 ┤     ██████████████████      ██████████████████      ██████████████████
  └──────────────┬───────────────────────┬───────────────────────┬──────────────
               north                   south                    west]],
      [20] = [[
  │   ┬
  │ ██┴█        ┬
2 ┤ ████   ┬  ▂▂│▂
  │ ████ ▄▄│▄ ██│█
  │ ████ ██┴█ ██┴█
0 ┤ ████ ████ ████
  └───┬────┬────┬───
      1    2    3
1 north   2 south
3 west]],
      ascii = [[
  |      -
  |  ####-####                   -
2 +  #########       -           |
  |  #########   ####|###   #####|###
  |  #########   ####-###   #####-###
0 +  #########   ########   #########
  +------+-----------+-----------+------
       north       south        west]],
   },
   box = {
      [80] = [[
 │
 │
 │
 ┤  │─────░░░░░░┃░░░░░─│                                                     o
 │
 │
 └──────────────────┬──────────────────┬──────────────────┬──────────────────┬──
                    5                  10                 15                 20

Boxes: quartiles and median; whiskers: values within 1.5 IQR of the box;
circles: outliers.]],
      [20] = [[
 │
 │
 │
 ┤│░░┃░│           o
 │
 │
 └────────┬────────┬
          10      20

Boxes: quartiles and
median; whiskers:
values within 1.5
IQR of the box;
circles: outliers.]],
      ascii = [[
 |
 |
 |
 + |--::#:::|                         o
 |
 |
 +------------------+-----------------+-
                    10                20

Boxes: quartiles and median; whiskers:
values within 1.5 IQR of the box;
circles: outliers.]],
   },
   contour = {
      [80] = [[
1.0 ┤ ⠈⠉⠒⠒⠒⠤⠤⠤⢄⣀⣀⡀
    │            ⠈⠉⠉⠑⠒⠒⠒⠤⠤⠤⣀⣀⣀
    │                         ⠉⠉⠉⠒⠒⠒⠤⠤⠤⢄⣀⣀⡀
0.5 ┤⠉⠉⠉⠒⠒⠒⠦⠤⠤⢄⣀⣀⡀                        ⠈b⠉⠑⠒⠒⠒⠤⠤⠤⣀⣀⣀
    │            ⠈⠉⠉⠙⠒⠒a⠤⠤⢤⣀⣀⣀                         ⠉⠉⠉⠒⠒⠒⠤⠤⠤⢄⣀⣀⡀
0.0 ┤                         ⠉⠉⠉⠒⠒⠒⠦⠤⠤⢄⣀                          ⠈⠉⠉⠑⠒⠒⠒⠤⠤⠤⣀⡀
    └┬──────────────┬──────────────┬──────────────┬──────────────┬─────────────┬
     0.0           0.2            0.4            0.6            0.8          1.0
a 0.5   b 1]],
      [20] = [[
1.0 ┤⠙⠦⡀
    │  ⠈⠳⢄
    │     ⠙⠦⡀
0.5 ┤⠙⢦⡀    b⠲⣄
    │  ⠈a⣄     ⠑⢦⡀
0.0 ┤     ⠙⢦⡀    ⠈⠲⣄
    └┬──────┬──────┬
     0.0   0.5   1.0
a 0.5   b 1]],
      ascii = [[
1.0 +  ....
    |     .......
    |           .......
0.5 +......           b......
    |     ...a...           .......
0.0 +           ....              ....
    ++----------------+----------------+
     0.0             0.5             1.0
a 0.5   b 1]],
   },
   heatmap = {
      [80] = [[
true
    │█████████████████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
cat ┤█████████████████ 9 █████████████████░░░░░░░░░░░░░░░░░░ 1 ░░░░░░░░░░░░░░░░░
    │█████████████████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
    │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░██████████████████████████████████████
dog ┤░░░░░░░░░░░░░░░░░ 2 ░░░░░░░░░░░░░░░░░██████████████████ 8 █████████████████
    │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░██████████████████████████████████████
    └──────────────────┬─────────────────────────────────────┬──────────────────
                      cat                                   dog
                                      predicted
1 ░▒▓█ 9]],
      [20] = [[
true
    │███████░░░░░░░░
cat ┤██ 9 ██░░░ 1 ░░
    │███████░░░░░░░░
    │░░░░░░░████████
dog ┤░░ 2 ░░███ 8 ██
    │░░░░░░░████████
    └───┬───────┬───
       cat     dog
        predicted
1 ░▒▓█ 9]],
      ascii = [[
true
    |@@@@@@@@@@@@@@@@@..................
cat +@@@@@@@ 9 @@@@@@@........ 1 .......
    |@@@@@@@@@@@@@@@@@..................
    |:::::::::::::::::%%%%%%%%%%%%%%%%%%
dog +::::::: 2 :::::::%%%%%%%% 8 %%%%%%%
    |:::::::::::::::::%%%%%%%%%%%%%%%%%%
    +--------+-----------------+--------
            cat               dog
                  predicted
1 .:-=+*#%@ 9]],
   },
   line = {
      [80] = [[
                                    Squares

   │                                                                    ░░░░░░
   │                                                            ░░░░░░⣀⣀⠤⠤⠒⠒⠊⠁
20 ┤                                                   ░░░░░░⣀⣀⣀⠤⠤⠒⠊⠉⠉░░░░░░░░
   │                                        ░░░░░░⣀⣀⣀⠤⠤⠔⠒⠒⠊⠉⠉░░░░░░░░
   │                      ░░░░░░░░░⢀⣀⣀⣀⠤⠤⠤⠤⠒⠒⠒⠒⠉⠉⠉⠁░░░░░░░
 0 ┤  ⢀⣀⣀⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠁░░░░░░░
   └──┬─────────────┬─────────────┬──────────────┬─────────────┬─────────────┬──
      1             2             3              4             5             6]],
      [20] = [[
      Squares

   │              ░░
   │             ░⡰⠁
20 ┤           ░⡠⠊░░
   │        ░⢀⠔⠉░░
   │     ░░⡠⠖⠁░
 0 ┤⢀⠤⠤⠤⠔⠊⠉░
   └───┬─────┬─────┬
       2     4     6]],
      ascii = [[
                Squares

   |                                :::
   |                             ::....
20 +                        ::::...::::
   |                   :::......:::
   |           ::::.......::::
 0 + ::::::::......:::
   +--------+------------+------------+-
            2            4            6]],
   },
   regions = {
      [80] = [[
  │··························░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
2 ┤··························░░░░░░░░░░here░░░░░░░░░░░░░░░⢀⣀⣀⣀⣀⠤⠤⠤⠤→to░░░░░░░░░░
  │··························░░░░░░░░░░░░⢀⣀⣀⣀⣀⠤⠤⠤⠤⠒⠒⠒⠒⠊⠉⠉⠉⠁░░░░░░░░░░░░░░░░░░░░░
  │⠉·⠉·⠉·⠉·⠉·⠉·⠉·⠉·⠉·⠉·⠉⢀⣉⣀⣉⡠⠭⠤⠭⠤⠛⠒⠛⠒⠉⠉⠉⠉⠉·⠉·⠉·⠉·⠉·⠉·⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉░⠉
1 ┤············⠠⠒⠒⠒⠒⠉⠉⠉⠉⠁·····························░░░░░░░░░░░░░░░░░░░░░░░░░░
  │···················································░░░░░░░░░░░░░░░░░░░░░░░░░░
  └────────────┬─────────────────────────┬─────────────────────────┬────────────
               1                         2                         3
· in   ░ out]],
      [20] = [[
  │······░░░░░░░░░░░
2 ┤······here░░⢀⡠↗to
  │······░░⢀⡠⠔⠊⠁░░░░
  │⠉·⠉·⢉⡠⠝⠊⠉·⠉░⠉░⠉░⠉
1 ┤··⠠⠊⠁······░░░░░░
  │···········░░░░░░
  └──┬─────┬─────┬──
     1     2     3
· in   ░ out]],
      ascii = [[
  |............:::::::::::::::::::::::::
2 +............::::here::::::....>to::::
  |............::::::........:::::::::::
  |.........................:.:.:.:.:.:.
1 +.........................::::::::::::
  |.........................::::::::::::
  +------+-----------+-----------+------
         1           2           3
. in   : out]],
   },
   scatter = {
      [80] = [[
                                  Two classes

y (kg)
6 ┤                                             ▲
  │                                                           ●
4 ┤                 ▲
  │                               ●
2 ┤  ●
  │                                                                          ▲
  └──┬──────────────┬─────────────┬─────────────┬─────────────┬──────────────┬──
     1              2             3             4             5              6
                                      x (cm)
● a   ▲ b]],
      [20] = [[
    Two classes

y (kg)
6 ┤          ▲
  │             ●
4 ┤   ▲
  │      ●
2 ┤●
  │                ▲
  └───┬──────┬─────┬
      2      4     6
        x (cm)
● a   ▲ b]],
      ascii = [[
              Two classes

y (kg)
6 +                     x
  |                            o
4 +        x
  |               o
2 + o
  |                                   x
  +--------+------------+-------------+-
           2            4             6
                  x (cm)
o a   x b]],
   },
}

describe("a figure as text", function()
   for name, wanted in pairs(expected) do
      local height = name ~= "heatmap" and 6 or nil
      it("has the expected characters: " .. name, function()
         assert.equal(wanted[80], figures[name]:text { width = 80, height = height, ascii = false })
         assert.equal(wanted[20], figures[name]:text { width = 20, height = height, ascii = false })
         assert.equal(wanted.ascii, figures[name]:text { width = 40, height = height, ascii = true })
      end)
   end

   it("shows values of points as digits", function()
      local fig = plot.scatter({ 1, 2, 3 }, { 1, 1, 1 }, { value = { 0, 5, 10 }, color_label = "depth" })
      local text = fig:text { width = 30, height = 3, ascii = false }
      assert.matches("1 +5 +9\n", text)
      assert.matches("1 to 9: depth 0 to 10$", text)
   end)

   it("is never wider than requested", function()
      local long = ("a name that is long, 漢字 too, "):rep(6)
      local nan, inf = 0 / 0, math.huge
      local odd = { plot.scatter({ 1 }, { 2 }), plot.scatter({ 3, 3 }, { 2, 2 }), plot.scatter({}, {}),
         plot.scatter({ nan, 1 }, { 1, inf }), plot.scatter({ -1e308, 1e308, 0 }, { 1, 2, 3 }),
         plot.line({ 1e9, 1e9 + 1 }, { 1e-12, 2e-12 }), plot.line { nan, nan }, plot.line { 5 }, plot.histogram {},
         plot.histogram { 5, 5 }, plot.density { 5, 5 }, plot.density {}, plot.box { nan }, plot.box { 1 },
         plot.bar({}, {}), plot.bar({ long, "b" }, { -3, 2 }, { title = long, x_label = long, y_label = long }),
         plot.bar({ long, "b" }, { 1, 2 }, { horizontal = true }), plot.heatmap { { nan } }, plot.heatmap {},
         plot.contour { { 1, 1 }, { 1, 1 } }, plot.surface { { 1, 1 }, { 1, 1 } },
         plot.scatter({ 1, 2 }, { 1, 2 }, { class = { long, "x" }, labels = { long, long } }),
         plot.scatter({ 1, 2, 1000 }, { 1, 2, 3 }, { x_log = true, y_log = true }), plot.scatter({ 1 }, { 1 }, { 1 }),
         plot.bar({ "a" }, { 5 }, { y_log = true }), plot.line(X, X, { y_range = { 5, 2 }, x_range = { 2, 3 } }) }
      for i, fig in ipairs(odd) do
         for _, width in ipairs { 10, 11, 20, 33, 80 } do
            for _, ascii in ipairs { true, false } do
               for line in (fig:text { width = width, ascii = ascii } .. "\n"):gmatch "(.-)\n" do
                  local cells = require "manilius.draw.text".width(line)
                  assert(cells <= width, ("figure %d at %d: %d cells: %s"):format(i, width, cells, line))
                  assert(not ascii or not line:find "[\x80-\xff]", line)
                  assert(not line:find "%c")
               end
            end
         end
      end
   end)

   it("refuses invalid options", function()
      local support = require "spec.support"
      support.refuses("text: width must be a whole number >= 10, got 3",
         function() figures.line:text { width = 3 } end)
      support.refuses("text: there is no option 'widht'; did you mean 'width'", function()
         figures.line:text { widht = 30 }
      end)
      support.refuses("show: mode must be one of auto, sixel, kitty, text, got 'pixel'", function()
         figures.line:show { mode = "pixel" }
      end)
   end)
end)
