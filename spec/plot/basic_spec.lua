--- Basic plots: what they draw, omit and refuse.
local ml = require "manilius"
local support = require "spec.support"

local plot, nan, inf = ml.plot, 0 / 0, math.huge

-- The layers of a kind in the first panel.
local function layers(fig, kind)
   local out = {}
   for _, layer in ipairs(fig.panels[1].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("ml.plot.scatter", function()
   it("takes columns of a Frame and labels the axes with their names", function()
      local iris = ml.read_csv "examples/data/iris.csv"
      local fig = plot.scatter(iris, { x = "petal_length", y = "petal_width", class = "species" })
      local panel = fig.panels[1]
      assert.equal("petal_length", panel.x)
      assert.equal("petal_width", panel.y)
      assert.equal("petal_width against petal_length by species", fig.title)
      local names = {}
      for i, layer in ipairs(panel.layers) do names[i] = { layer.name, #layer.x, layer.color } end
      assert.same({ { "setosa", 50, "#0072b2" }, { "versicolor", 50, "#d55e00" }, { "virginica", 50, "#009e73" } },
         names)
      assert.equal(1.4, panel.layers[1].x[1])
   end)

   it("notes omitted points and the reason", function()
      local fig = plot.scatter({ 1, nan, 3, inf, 5 }, { 1, 2, nan, 4, 5 })
      assert.same({ 1, 5 }, layers(fig, "points")[1].x)
      assert.same({ "2 points with missing values omitted.", "1 point with infinite values omitted." }, fig.notes)
      fig = plot.scatter({ 0, 1, 10, -1 }, { 1, 2, 3, 4 }, { x_log = true })
      assert.same({ 1, 10 }, layers(fig, "points")[1].x)
      assert.same({ "2 points with values <= 0 omitted on a logarithmic axis." }, fig.notes)
      assert.same({}, plot.scatter({ 1 }, { 2 }).notes)
   end)

   it("groups the smallest of many classes", function()
      local class = {}
      for i = 1, 40 do class[i] = i <= 15 and "c" .. i % 3 or "d" .. i end
      local fig = plot.scatter(ml.range(1, 40), ml.range(1, 40), { class = class })
      local list = layers(fig, "points")
      assert.equal(12, #list)
      assert.equal("c0", list[1].name)
      assert.equal(5, #list[1].x)
      assert.equal("other (17 classes)", list[12].name)
      assert.equal(17, #list[12].x)
   end)

   it("shows rows without a class as missing", function()
      local fig = plot.scatter({ 1, 2, 3 }, { 1, 2, 3 }, { class = ml.Factor { "a", nil, "a", n = 3 } })
      local list = layers(fig, "points")
      assert.same({ "a", "(missing)" }, { list[1].name, list[2].name })
      assert.same({ 2 }, list[2].x)
   end)

   it("handles degenerate and extreme ranges", function()
      for _, x in ipairs { { 3, 3 }, { 0, 0 }, { -1e300, 1e300 }, { 1e-310, 2e-310 }, { 1e9, 1e9 + 1e-3 } } do
         local fig = plot.scatter(x, { 1, 2 })
         local panel = fig.panels[1]
         assert(panel.x_low < panel.x_high and panel.x_low <= x[1] and panel.x_high >= x[2])
         assert.matches("<svg", fig:svg())
      end
      local empty = plot.scatter({}, {})
      assert.is_true(empty.panels[1].empty)
      assert(empty:svg():find("no data", 1, true))
      assert(plot.scatter({ nan }, { 1 }):text():find("no data", 1, true))
   end)
end)

describe("many points", function()
   local n = 1000000
   local x, y = ml.normal(n, nil, 1), ml.normal(n, nil, 2)

   it("are drawn by their density", function()
      local fig = plot.scatter(x, y)
      local heat = layers(fig, "heat")[1]
      local total = 0
      for _, row in ipairs(heat.values) do
         for _, v in ipairs(row) do
            if v == v then total = total + 10 ^ v end
         end
      end
      support.near(n, total, 1e-9, "points in all cells")
      assert.same({ "Density of 1,000,000 points." }, fig.notes)
      assert(#fig:script() < 2e6)
   end)

   it("are thinned deterministically", function()
      local fig, again = plot.scatter(x, y, { density = false }), plot.scatter(x, y, { density = false })
      local points = layers(fig, "points")[1]
      assert(#points.x < 60000 and #points.x > 10000)
      assert.same({ ("1,000,000 points thinned to %s; overlapping points are drawn once."):format(
         require "manilius.draw.reduce".with_commas(#points.x)) }, fig.notes)
      assert.equal(fig:script(), again:script())
      assert.equal(x:min(), math.min(table.unpack(layers(plot.scatter(x:slice(1, 30000), y:slice(1, 30000)),
         "points")[1].x, 1, 1)) and x:min())
   end)

   it("keep the extremes and gaps of a line", function()
      local walk = y:cumsum()
      walk[500000] = nan
      local line = layers(plot.line(walk), "line")[1]
      assert(#line.x < 6000)
      local low, high, gaps = inf, -inf, 0
      for _, v in ipairs(line.y) do
         if v == v then
            low, high = math.min(low, v), math.max(high, v)
         else
            gaps = gaps + 1
         end
      end
      local fine = walk:take(walk:isfinite():nonzero())
      assert.same({ fine:min(), fine:max(), 1 }, { low, high, gaps })
   end)

   it("are thinned in lines whose x is not monotone", function()
      local line = layers(plot.line(x:cumsum(), y:cumsum()), "line")[1]
      assert(#line.x < 100000)
   end)
end)

describe("ml.plot.histogram", function()
   it("counts values between edges, including the last edge", function()
      local bars = layers(plot.histogram({ 1, 2, 2.5, 3, 4, 9 }, { bins = { 1, 2, 3, 4 } }), "bars")[1]
      assert.same({ 1, 2, 2 }, bars.y) -- 9 lies beyond
      assert.same({ 1.5, 2.5, 3.5 }, bars.x)
   end)

   it("uses the larger number of bins of Sturges' and Freedman and Diaconis' rules", function()
      local waiting = ml.read_csv "examples/data/faithful.csv".waiting
      local bars = layers(plot.histogram(waiting * 1.01), "bars")[1]
      -- n = 272: Sturges ceil(log2 272 + 1) = 10; Freedman and Diaconis: 53 / (2 * 24 / 272^(1/3)) = 7.2
      assert.equal(10, #bars.y)
      local sum = 0
      for _, count in ipairs(bars.y) do sum = sum + count end
      assert.equal(272, sum)
   end)

   it("normalizes the area of each class to 1 as a density", function()
      local fig = plot.histogram({ 1, 2, 3, 4, 10, 20 }, { class = { "a", "a", "b", "b", "b", "b" }, bins = 5,
         density = true })
      for _, bars in ipairs(layers(fig, "bars")) do
         local area = 0
         for i, height in ipairs(bars.y) do area = area + height * bars.width[i] end
         support.near(1, area, 1e-12)
      end
   end)

   it("notes omitted values", function()
      assert.equal("2 missing values omitted. 1 infinite value omitted.", plot.histogram { 1, nan, nan, inf }.caption)
   end)
end)

describe("ml.plot.density", function()
   it("is the sum of the kernels", function()
      local x = { 1, 2, 4, 8 }
      local line = layers(plot.density(x, { bandwidth = 0.7 }), "line")[1]
      support.near(1 - 2.1, line.x[1], 1e-12)
      for _, i in ipairs { 1, 50, 130, 256 } do
         local sum = 0
         for _, v in ipairs(x) do sum = sum + math.exp(-0.5 * ((line.x[i] - v) / 0.7) ^ 2) end
         support.near(sum / (4 * 0.7 * math.sqrt(2 * math.pi)), line.y[i], 1e-12)
      end
   end)

   it("uses Silverman's bandwidth", function()
      local waiting = ml.read_csv "examples/data/faithful.csv".waiting
      local line = layers(plot.density(waiting), "line")[1]
      -- R: bw.nrd0(faithful$waiting) = 3.987559
      support.near(waiting:min() - 3 * 3.987559, line.x[1], 1e-7)
   end)

   it("is accurate with linear binning of many values", function()
      local x = ml.normal(5000, nil, 3)
      local line = layers(plot.density(x, { bandwidth = 0.25 }), "line")[1]
      local i = #line.x // 2
      local u = (x - line.x[i]) * 4
      local exact = (u:mul(u) * -0.5):exp():sum() / (5000 * 0.25 * math.sqrt(2 * math.pi))
      support.near(exact, line.y[i], 2e-3)
   end)
end)

describe("ml.plot.box", function()
   it("has quartiles, whiskers and outliers", function()
      local box = layers(plot.box(ml.Vector { 7, 1, 2, 3, 4, 5, 6, 20, nan }), "box")[1]
      assert.same({ 1, 2.75, 4.5, 6.25, 7 }, box.quartiles)
      assert.same({ 20 }, box.outliers)
   end)

   it("draws a box for each class or numeric column", function()
      local iris = ml.read_csv "examples/data/iris.csv"
      assert.equal(3, #layers(plot.box(iris, { x = "petal_length", class = "species" }), "box"))
      assert.equal(4, #layers(plot.box(iris), "box"))
   end)
end)

describe("ml.plot.bar", function()
   it("counts the levels of a Factor", function()
      local fig = plot.bar(ml.Factor { "b", "a", "b" })
      assert.same({ 1, 2 }, layers(fig, "bars")[1].y)
      assert.same({ { 1, "a" }, { 2, "b" } }, fig.panels[1].x_ticks)
   end)

   it("groups the columns of a matrix", function()
      local list = layers(plot.bar({ "p", "q" }, { { 1, 2 }, { 3, 4 } }, { names = { "one", "two" } }), "bars")
      assert.same({ 1, 2 }, list[1].y)
      assert.same({ 3, 4 }, list[2].y)
      support.near_all({ 0.8, 1.8 }, list[1].x, 1e-12)
      support.near_all({ 1.2, 2.2 }, list[2].x, 1e-12)
   end)
end)

describe("grids", function()
   it("show the first row of a matrix on top", function()
      local panel = plot.heatmap { { 1, 2 }, { 3, 4 }, { 5, 6 } }.panels[1]
      assert.same({ 3.5, 0.5 }, { panel.y_low, panel.y_high })
      assert.equal("1", panel.layers[1].cell_text[1][1])
   end)

   it("have a symmetric range for a diverging palette", function()
      local heat = plot.heatmap({ { -1, 3 } }, { palette = "diverging" }).panels[1].layers[1]
      assert.same({ -3, 3 }, { heat.low, heat.high })
   end)

   it("draw a circle as a closed contour", function()
      local fig = plot.contour(function(x, y) return x * x + y * y end, { x_range = { -2, 2 }, y_range = { -2, 2 },
         levels = { 1 }, points = 101 })
      local curve = layers(fig, "contour")[1].curves[1]
      assert.equal(1, #curve.lines)
      local line = curve.lines[1]
      for i, x in ipairs(line.x) do support.near(1, math.sqrt(x ^ 2 + line.y[i] ^ 2), 1e-3) end
      assert.equal(line.x[1], line.x[#line.x]) -- closed
   end)
end)

describe("ml.plot.figure", function()
   it("combines panels and repeats no caption", function()
      local one = plot.line({ 1, 2 }, { title = "one", caption = "Same." })
      local two = plot.line({ 1, nan }, { title = "two", caption = "Same." })
      local fig = plot.figure { one, two, title = "both", columns = 1 }
      assert.equal(2, #fig.panels)
      assert.same({ 1, 2, "Same." }, { fig.columns, fig.rows, fig.caption })
      assert.same({ "1 point with missing values omitted." }, fig.notes)
      assert.equal("Figure 'both': 2 panels (line), 480 x 660; :show() draws it, :save \"x.svg\"\n  writes it",
         tostring(fig))
   end)
end)

describe("errors of plots", function()
   local cases = {
      { "plot has no 'scater'; did you mean 'scatter'%?", function() plot.scater({ 1 }, { 1 }) end },
      { "plot.scatter: there is no option 'titel'; did you mean 'title'", function()
         plot.scatter({ 1 }, { 1 }, { titel = "x" })
      end },
      { "plot.scatter: x and y must have the same length, got 2 and 1", function() plot.scatter({ 1, 2 }, { 1 }) end },
      { "plot.scatter: y must be numbers: element 1 is a string", function() plot.scatter({ 1 }, { "a" }) end },
      { "plot.scatter: x: the Frame has no column 'sepal_lenth'; did you mean 'sepal_length'", function()
         plot.scatter(ml.read_csv "examples/data/iris.csv", { x = "sepal_lenth", y = "sepal_width" })
      end },
      { "plot.scatter: y must be numbers, got labels in column 'species'", function()
         plot.scatter(ml.read_csv "examples/data/iris.csv", { x = "sepal_width", y = "species" })
      end },
      { "plot.scatter: class must have one value for each of 2 rows, got 1", function()
         plot.scatter({ 1, 2 }, { 1, 2 }, { class = { "a" } })
      end },
      { "plot.histogram: bins must be a whole number >= 1, got 0", function()
         plot.histogram({ 1 }, { bins = 0 })
      end },
      { "plot.heatmap: columns must have 2 elements, got 1", function()
         plot.heatmap({ { 1, 2 } }, { columns = { "a" } })
      end },
      { "plot.contour: x_range must be { from, to } for a function, got nil", function()
         plot.contour(function() return 1 end)
      end },
      { "plot.figure: element 1 must be a figure, got 'x'", function() plot.figure { "x" } end },
      { "a figure has no 'shwo'; did you mean 'show'", function() plot.line({ 1 }):shwo() end },
      { "save is a method: fig:save", function() plot.line({ 1 }).save "x.svg" end },
   }
   for _, case in ipairs(cases) do
      it("name the remedy: " .. case[1]:sub(1, 60), function() support.refuses(case[1], case[2]) end)
   end

   local function figure_with(layer)
      return function() plot.Figure { panels = { { layers = { layer } } } } end
   end
   local bad = {
      { "Figure: panel 1: layer 1 %(ponts%): kind must be one of .*; did you mean 'points'", { kind = "ponts" } },
      { "layer 1 %(points%): y must be given", { kind = "points", x = { 1 } } },
      { "layer 1 %(points%): y must have the same length as x, 1, got 2", { kind = "points", x = { 1 },
         y = { 1, 2 } } },
      { "there is no option 'colr'; did you mean 'color'", { kind = "line", x = { 1 }, y = { 1 }, colr = 1 } },
      { "color must be the number of a series", { kind = "line", x = { 1 }, y = { 1 }, color = "#12345" } },
      { "dash must be one of dashdot, .* got 'doted'; did you mean 'dotted'", { kind = "line", x = { 1 }, y = { 1 },
         dash = "doted" } },
      { "x must have 2 values %(centers of the cells%) or 3 %(edges%), got 1", { kind = "heat", x = { 1 },
         z = { { 1, 2 } } } },
      { "y must be increasing, got 1 after 2 at position 2", { kind = "heat", y = { 2, 1 }, z = { { 1 }, { 2 } } } },
      { "code must be whole numbers >= 0, got 0.5", { kind = "regions", code = { { 0.5 } } } },
      { "quartiles must be finite and ascending, got 1 at position 2", { kind = "box", at = 1,
         quartiles = { 2, 1, 3, 4, 5 } } },
      { "exactly one of at_x, at_y, or slope with intercept must be given", { kind = "rule" } },
      { "low and high must be given together", { kind = "bars", x = { 1 }, y = { 1 }, low = { 0 } } },
   }
   for _, case in ipairs(bad) do
      it("name panel and layer: " .. case[1]:sub(1, 60), function() support.refuses(case[1], figure_with(case[2])) end)
   end

   it("leave the arguments unchanged", function()
      local layer = { kind = "line", x = { 1, nan }, y = ml.Vector { 1, nan } }
      local panel = { layers = { layer } }
      plot.Figure { panels = { panel } }
      assert.equal(2, #layer.y)
      assert.is_nil(panel.x_low)
      assert.is_nil(layer.color)
      local v = ml.Vector { 1, 2, 3 }
      plot.line(v)
      assert.same({ 1, 2, 3 }, v:totable())
   end)
end)

describe("help of plots", function()
   it("covers all functions with their options", function()
      local text = tostring(plot)
      for _, name in ipairs { "scatter", "line", "bar", "histogram", "density", "box", "heatmap", "contour", "surface",
         "figure", "Figure", "roc", "pca" } do
         assert(text:find("  " .. name, 1, true), name)
         assert.is_table(plot.help[name].options or plot.help[name].params)
         assert.is_function(plot[name])
      end
   end)
end)
