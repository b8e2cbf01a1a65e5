--- Legends, dashes, labels of bars, bins, rectangles, and dark mode.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot = ml.plot
local layers, refuses = common.layers, common.refuses

local function key_of(fig)
   return fig:script():match "set key default\nset key ([^\n]*)"
end

local function curves(settings)
   local list = {}
   for i = 1, settings.count do
      list[i] = { kind = settings.kind or "line", x = { 1, 2 }, y = { i, 2 }, name = (settings.name or "curve ") .. i }
   end
   return plot.Figure { panels = { { layers = list, legend_position = settings.position } } }
end

describe("the legend", function()
   it("is below curves, and beside points", function()
      assert.matches("^at screen [%d., a-z]+ left top Left reverse horizontal maxcols 2", key_of(curves { count = 2 }))
      assert.matches("reverse vertical maxcols 1", key_of(curves { count = 2, kind = "points" }))
      assert.matches("reverse vertical", key_of(curves { count = 2, position = "right" }))
   end)

   it("is below points with names that would be cut beside them", function()
      assert.matches("reverse horizontal", key_of(curves { count = 2, kind = "points", name = ("long "):rep(9) }))
      assert.matches("reverse vertical", key_of(curves { count = 2, kind = "points", name = ("long "):rep(30) }))
   end)

   it("is inside the axes if it fits there", function()
      assert.matches("^inside top left Left reverse vertical maxcols 1 opaque", key_of(curves { count = 2,
         position = "top left" }))
      assert.matches("horizontal", key_of(curves { count = 2, position = "top left", name = ("long "):rep(30) }))
      assert.matches("horizontal", key_of(curves { count = 14, position = "top left" }))
      assert.matches("reverse vertical", key_of(curves { count = 60, name = "a long name of a curve " }))
      refuses("legend_position must be one of", function() curves { count = 2, position = "left" } end)
   end)

   it("leaves the width of the picture to ROC and precision-recall curves", function()
      local y, scores = { 0, 0, 1, 1, 0, 1 }, { a = { 1, 2, 3, 4, 5, 6 }, b = { 1, 3, 2, 5, 4, 6 } }
      for _, name in ipairs { "roc", "precision_recall", "calibration" } do
         local s = scores
         if name == "calibration" then s = { a = ml.Vector(scores.a) / 7, b = ml.Vector(scores.b) / 7 } end
         local fig = plot[name](y, s, { positive = 1 })
         local script = fig:script()
         assert.matches(name == "calibration" and "horizontal" or "^inside", key_of(fig))
         local left, right = script:match "set lmargin at screen ([%d.]+)\nset rmargin at screen ([%d.]+)"
         assert.is_true(right - left > 0.7, name)
      end
   end)
end)

describe("the legend of many curves", function()
   it("is below the axes", function()
      local X, labels = ml.normal(60, 2, 1), {}
      for i = 1, 60 do labels[i] = "class " .. i % 7 end
      local model = ml.GaussianNB {}:fit(X, labels)
      assert.matches("horizontal", key_of(plot.roc(model, X, labels)))
      assert.matches("horizontal", key_of(plot.precision_recall(model, X, labels)))
      local rare = {}
      for i = 1, 60 do rare[i] = i % 12 == 0 and 1 or 0 end
      assert.matches("horizontal", key_of(plot.precision_recall(rare, X:col(1), { positive = 1 })))
   end)
end)

describe("dashed lines", function()
   it("are one path, so that steps do not restart their dashes", function()
      local script = plot.line({ 1, 2, 3, 4 }, { 1, 1, 3, 2 }, { steps = true, dash = "dashed" }):script()
      assert.not_matches("with steps", script)
      assert.matches("1 1\n3 1\n3 3\n4 3\n4 2\nEOD", script)
      local gap = plot.line({ 1, 2, 3, 4 }, { 1, 0 / 0, 3, 3 }, { steps = true }):script()
      assert.matches("1 1\nNaN NaN\n3 3\n4 3\nEOD", gap)
   end)

   it("lose zigzags that are smaller than a pixel", function()
      local x, y = {}, {}
      for i = 1, 2000 do x[i], y[i] = i, i % 2 * 1e-4 + (i > 1000 and 1 or 0) end
      local function points(dash)
         local block = plot.line(x, y, { dash = dash }):script():match "EOD\n(.-)\nEOD"
         return select(2, block:gsub("\n", "\n")) + 1
      end
      assert.is_true(points "dashed" < 10)
      assert.is_true(points "solid" > 500)
   end)
end)

describe("simplified paths", function()
   local simplify = require "manilius.draw.simplify"

   it("keep corners, ends and gaps", function()
      assert.same({ 1, 3, 5 }, simplify({ 0, 1, 2, 2, 2 }, { 0, 0.1, 0, 1, 2 }, 0.5))
      assert.same({ 1, 2, 3 }, simplify({ 0, 1, 2 }, { 0, 1, 0 }, 0.5))
      local gap = 0 / 0
      assert.same({ 1, 2, 3, 4, 6 }, simplify({ 0, 1, gap, 3, 4, 5 }, { 0, 0, gap, 0, 0, 0 }, 0.5))
      assert.same({}, simplify({}, {}, 1))
   end)
end)

describe("labels of bars", function()
   it("are the values, with space for them", function()
      local fig = plot.bar({ "a", "b", "c" }, { 1234567, -0.12345, 2000.5 })
      assert.same({ "1,234,567", "-0.123", "2000" }, layers(fig, "bars")[1].labels)
      assert.is_true(fig.panels[1].y_high > 1.05 * 1234567)
      assert.matches("set label '1,234,567'", fig:script())
      assert.matches("1,234,567", fig:text())
      assert.is_nil(layers(plot.bar({ "a" }, { 1 }, { value_labels = false }), "bars")[1].labels)
      local percent = plot.bar({ "a" }, { 0.5 }, { horizontal = true,
         value_labels = function(v) return ("%d%%"):format(100 * v) end })
      assert.same({ "50%" }, layers(percent, "bars")[1].labels)
      assert.matches("50%%", percent:text())
   end)

   it("are omitted if they are wider than the bars", function()
      local labels, values = {}, {}
      for i = 1, 60 do labels[i], values[i] = "b" .. i, 1000 * i + 0.5 end
      assert.not_matches("set label '1000'", plot.bar(labels, values):script())
      refuses("value_labels must be true, false or function%(value%), got 3",
         function() plot.bar({ "a" }, { 1 }, { value_labels = 3 }) end)
   end)
end)

describe("the default bins of a histogram", function()
   local function bins(x) return #layers(plot.histogram(x), "bars")[1].x end

   it("are not more because of outliers", function()
      local x = {}
      for i = 1, 50 do x[i] = i / 50 + 0.001 end
      x[51] = 1000.5
      assert.equal(14, bins(x))
      assert.equal(7, bins(ml.linspace(0, 1, 51)))
   end)

   it("hold equally many whole numbers", function()
      local bar = layers(plot.histogram { 1, 1, 2, 3, 3, 3, 5 }, "bars")[1]
      assert.same({ 1, 2, 3, 4, 5 }, bar.x)
      assert.same({ 2, 1, 3, 0, 1 }, bar.y)
      for _, width in ipairs(layers(plot.histogram(ml.range(1, 100)), "bars")[1].width) do
         assert.equal(12, width)
      end
   end)
end)

describe("rectangles", function()
   it("are drawn in pictures, and with a border in text", function()
      local fig = plot.Figure { panels = { { layers = { { kind = "rectangles", x1 = { 1 }, x2 = { 3 }, y1 = { 1 },
         y2 = { 3 }, name = "box", opacity = 0.5 } }, legend = true } } }
      assert.matches("2 2 1 3 1 3\nEOD", fig:script())
      assert.matches("with boxxyerror fillcolor rgb '#80", fig:script())
      assert.matches("┌──", fig:text { width = 40, height = 12, ascii = false })
      assert.matches("%+%-+%+", fig:text { width = 40, height = 12, ascii = true })
      assert.equal("box", fig.panels[1].entries[1].name)
   end)
end)

describe("dark mode", function()
   local path = os.tmpname()
   teardown(function()
      os.remove(path)
      os.remove(path .. ".svg")
      os.remove(path .. ".html")
   end)

   it("is in saved SVG and HTML, but not in an element for other pages", function()
      local fig = plot.heatmap({ { 1, 2 } }, { title = "t" })
      for _, ending in ipairs { ".svg", ".html" } do
         fig:save(path .. ending)
         local saved = common.read_file(path .. ending)
         local id, rules = saved:match "prefers%-color%-scheme: dark%) {\n(#[%w_-]+) (.-)\n}</style>"
         assert(saved:find(("<g id=\"%s\""):format(id:sub(2)), 1, true))
         assert(rules:find("[fill=\"#ffffff\"]{fill:rgb(22,24,28)}", 1, true)) -- background
         assert(rules:find("[fill=\"rgb(34,34,34)\"]{fill:", 1, true)) -- texts
         assert.is_nil(rules:find("rgb%(35,35,35%)%\"%]")) -- texts on cells
      end
      assert.not_matches("color%-scheme", fig:svg())
   end)
end)
