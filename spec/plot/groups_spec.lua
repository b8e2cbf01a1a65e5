--- Violins, pair plots and facets.
local ml = require "manilius"
local common = require "spec.plot.common"

local plot = ml.plot
local layers, near, refuses = common.layers, common.near, common.refuses

local penguins = ml.read_csv "examples/data/penguins.csv"

describe("plot.violin", function()
   it("draws densities between the extremes, and the quartiles", function()
      local fig = plot.violin(penguins, { x = "body_mass_g", class = "species" })
      local shapes, boxes = layers(fig, "band"), layers(fig, "box")
      assert.equal(3, #shapes)
      assert.equal(3, #boxes)
      assert.same({ 2850, 4775 }, { shapes[1].x[1], shapes[1].x[#shapes[1].x] })
      for i, shape in ipairs(shapes) do
         local widest = 0
         for k, low in ipairs(shape.low) do
            near(i, (low + shape.high[k]) / 2, 1e-12)
            widest = math.max(widest, shape.high[k] - low)
         end
         near(0.84, widest, 1e-12)
         assert.equal(i, boxes[i].at)
      end
      assert.same({ { 1, "Adelie" }, { 2, "Chinstrap" }, { 3, "Gentoo" } }, fig.panels[1].y_ticks)
      assert.matches("Gentoo", fig:text())
   end)

   it("draws violins of the same area", function()
      local areas = {}
      for i, shape in ipairs(layers(plot.violin(penguins, { x = "body_mass_g", class = "species", scale = "area" }),
         "band")) do
         areas[i] = 0
         for k = 2, #shape.x do
            areas[i] = areas[i] + (shape.high[k] - shape.low[k]) * (shape.x[k] - shape.x[k - 1])
         end
      end
      assert.is_true(math.abs(areas[1] / areas[2] - 1) < 0.1 and math.abs(areas[1] / areas[3] - 1) < 0.1)
   end)

   it("draws the columns of a Frame, constant ones without a shape", function()
      local fig = plot.violin(ml.Frame { { "a", { 1, 2, 4 } }, { "b", { 5, 5, 5 } }, { "c", { 0 / 0, 1, 1.5 } } })
      assert.equal(2, #layers(fig, "band"))
      assert.equal(3, #layers(fig, "box"))
      assert.equal(1, #layers(plot.violin { 1, 2, 5 }, "band"))
      refuses("x must have at least one numeric column", function() plot.violin(penguins:select { "species" }) end)
      refuses("scale must be one of", function() plot.violin({ 1, 2 }, { scale = "height" }) end)
   end)
end)

describe("plot.pairs", function()
   it("draws each column against each other, on the same ranges", function()
      local X = ml.read_csv "examples/data/iris.csv"
      local fig = plot.pairs(X, { class = "species" })
      assert.equal(16, #fig.panels)
      assert.equal(4, fig.columns)
      for i = 1, 4 do
         for j = 1, 4 do
            local panel = fig.panels[(i - 1) * 4 + j]
            assert.equal(i == j and 0 or 3, #layers(fig, "points", (i - 1) * 4 + j))
            assert.same({ fig.panels[j].x_low, fig.panels[j].x_high }, { panel.x_low, panel.x_high })
         end
      end
      local second = layers(fig, "points", 2)[1] -- sepal_width, sepal_length of setosa
      assert.equal(X.sepal_width[1], second.x[1])
      assert.equal(X.sepal_length[1], second.y[1])
      assert.equal("petal_width", fig.panels[16].x)
      assert.equal("sepal_length", fig.panels[1].y)
      assert.is_nil(fig.panels[2].y)
   end)

   it("has one legend for all panels, and panels of the same size", function()
      local fig = plot.pairs(penguins, { columns = { "bill_length_mm", "body_mass_g" }, class = "species" })
      local script, sizes = fig:script(), {}
      assert.equal(1, select(2, script:gsub("title 'Adelie'", "")))
      assert.equal(4, #fig.panels)
      for left, right in script:gmatch "set lmargin at screen ([%d.]+)\nset rmargin at screen ([%d.]+)" do
         sizes[#sizes + 1] = right - left
      end
      for i = 2, 4 do near(sizes[1], sizes[i], 1e-4) end
      assert.equal(1, select(2, fig:text { ascii = false }:gsub("● Adelie", "")))
   end)

   it("accepts a Matrix, and notes omitted columns", function()
      assert.equal(4, #plot.pairs({ { 1, 2 }, { 2, 1 }, { 3, 4 } }).panels)
      assert.matches("The first 6 of 10 numeric columns", plot.pairs(ml.normal(20, 10, 1)).caption)
      refuses("at least two numeric columns, got 1", function() plot.pairs { { 1 }, { 2 } } end)
      refuses("columns must be a list of at least two names",
         function() plot.pairs(penguins, { columns = { "sex" } }) end)
      refuses("there is no numeric column 'sex'",
         function() plot.pairs(penguins, { columns = { "body_mass_g", "sex" } }) end)
   end)
end)

describe("plot.facets", function()
   local options = { by = "island", x = "bill_length_mm", y = "bill_depth_mm", class = "species" }

   it("draws a panel for each level, on the same ranges", function()
      local fig = plot.facets(penguins, options)
      local titles, points = {}, 0
      for i, panel in ipairs(fig.panels) do
         titles[i] = panel.title
         assert.same({ fig.panels[1].x_low, fig.panels[1].y_high }, { panel.x_low, panel.y_high })
         for _, layer in ipairs(layers(fig, "points", i)) do points = points + #layer.x end
      end
      assert.same({ "Biscoe", "Dream", "Torgersen" }, titles)
      assert.equal(penguins.rows - 2, points)
      assert.equal(1, select(2, fig:script():gsub("title 'Gentoo'", "")))
   end)

   it("gives each class the same color in all facets", function()
      local colors = {}
      local fig = plot.facets(penguins, options)
      for i in ipairs(fig.panels) do
         for _, layer in ipairs(layers(fig, "points", i)) do
            colors[layer.name] = colors[layer.name] or layer.color
            assert.equal(colors[layer.name], layer.color)
         end
      end
      assert.not_equal(colors.Gentoo, colors.Chinstrap)
   end)

   it("draws one class in grey", function()
      local fig = plot.facets(penguins, { by = "island", x = "bill_length_mm", y = "body_mass_g", class = "species",
         grey = "Adelie" })
      for i in ipairs(fig.panels) do
         for _, layer in ipairs(layers(fig, "points", i)) do
            assert.equal(layer.name == "Adelie", layer.color == "#8c8c8c")
         end
      end
      assert.equal("Adelie", fig.entries[3].name)
   end)

   it("gives histograms the same bins, and panels their own ranges without sharing", function()
      local fig = plot.facets(penguins, { by = "species", kind = "histogram", x = "body_mass_g" })
      assert.same(layers(fig, "bars", 1)[1].x, layers(fig, "bars", 3)[1].x)
      local own = plot.facets(penguins, { by = "species", kind = "density", x = "body_mass_g", share = false })
      assert.not_equal(own.panels[1].x_high, own.panels[3].x_high)
   end)

   it("refuses invalid arguments", function()
      refuses("plot.facets: frame must be a Frame", function() plot.facets({ 1, 2 }, { by = "a" }) end)
      refuses("by must be given", function() plot.facets(penguins, { x = "body_mass_g" }) end)
      refuses("kind must be one of", function() plot.facets(penguins, { by = "sex", kind = "pie" }) end)
      refuses("has no column 'mass'", function() plot.facets(penguins, { by = "sex", x = "mass", y = "mass" }) end)
   end)
end)
