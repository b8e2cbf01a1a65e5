--- Plots of correlations, compared with R, and of missing values.
local ml = require "manilius"
local common = require "spec.plot.common"
local leaf_order = require "manilius.plot.layout.leaf_order"
local wanted = dofile "spec/fixtures/linear/diagnostics.lua"

local plot = ml.plot
local near, near_all, refuses, layers = common.near, common.near_all, common.refuses, common.layers
local cars = ml.read_csv "examples/data/mtcars.csv"
local air = ml.read_csv "examples/data/airquality.csv"

-- The correlation of two columns by name.
local function cell(fig, a, b)
   local panel, at = fig.panels[1], {}
   for _, tick in ipairs(panel.x_ticks) do at[tick[2]] = tick[1] end
   for _, tick in ipairs(panel.y_ticks) do
      if tick[2] == a then return layers(fig, "heat")[1].values[tick[1]][at[b]] end
   end
end

describe("plot.correlation", function()
   it("agrees with R, including ranks and missing values", function()
      local spearman = plot.correlation(cars, { method = "spearman" })
      near(wanted.spearman_cars.mpg_hp, cell(spearman, "mpg", "hp"), 1e-12)
      near(wanted.spearman_cars.wt_carb, cell(spearman, "carb", "wt"), 1e-12)
      local pearson = plot.correlation(air:select { "ozone", "solar_r", "wind", "temp" })
      near(wanted.pearson_air.ozone_solar, cell(pearson, "ozone", "solar_r"), 1e-12)
      near(wanted.pearson_air.solar_wind, cell(pearson, "wind", "solar_r"), 1e-12)
      near(wanted.pearson_air.wind_temp, cell(pearson, "wind", "temp"), 1e-12)
      assert.equal(1, cell(pearson, "wind", "wind"))
   end)

   it("orders columns like R's hclust", function()
      local fig = plot.correlation(cars, { order = "cluster" })
      local r = ml.zeros(11, 11)
      local given = plot.correlation(cars)
      for i, a in ipairs(given.panels[1].x_ticks) do
         for j, b in ipairs(given.panels[1].x_ticks) do r:set(i, j, cell(given, a[2], b[2])) end
      end
      local order, heights = leaf_order(r)
      table.sort(heights)
      near_all(wanted.order_cars.height, heights, 1e-9)
      table.sort(order)
      assert.same({ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, order)
      near(cell(given, "mpg", "qsec"), cell(fig, "qsec", "mpg"), 1e-15)
      assert.matches("columns of labels omitted: model", fig.caption)
   end)

   it("leaves cells of constant columns blank", function()
      local fig = plot.correlation { { 1, 2, 5 }, { 1, 3, 6 }, { 1, 5, 4 } }
      local value = cell(fig, "x1", "x2")
      assert.is_true(value ~= value)
      near(-0.6546536707079772, cell(fig, "x2", "x3"), 1e-12)
   end)

   it("refuses invalid arguments", function()
      refuses("_spec%.lua:%d+: plot%.correlation: X must have at least two numeric columns, got 1", function()
         plot.correlation(cars:select { "model", "mpg" })
      end)
      refuses("method must be one of pearson, spearman, got 'kendall'", function()
         plot.correlation(cars, { method = "kendall" })
      end)
      refuses("X must be", function() plot.correlation {} end)
   end)
end)

describe("plot.missing", function()
   it("marks every missing value", function()
      local fig = plot.missing(air)
      local map = layers(fig, "regions")[1].values
      assert.equal(6, #map)
      for i = 1, 153 do
         assert.equal(air.ozone[i] ~= air.ozone[i] and 1 or 0, map[6][i])
         assert.equal(air.solar_r[i] ~= air.solar_r[i] and 1 or 0, map[5][i])
      end
      assert.same({ 6, "ozone (24%)" }, fig.panels[1].y_ticks[6])
      assert.equal("44 of 918 values missing, in 2 of 6 columns.", fig.caption)
   end)

   it("shows the fraction of missing values in cells of many rows", function()
      local titanic = ml.read_csv "examples/data/titanic.csv"
      local fig = plot.missing(titanic, { order = "share" })
      assert.matches("^cabin", fig.panels[1].y_ticks[11][2])
      local heat = layers(fig, "heat")[1]
      local first = math.floor(1309 / 200)
      near(titanic.cabin:ismissing():slice(1, first):sum() / first, heat.values[11][1], 1e-15)
      assert.equal("No missing values.", plot.missing { { 1, 2 }, { 3, 4 } }.caption)
      local one = plot.missing(ml.Matrix { { 1, 0 / 0 }, { 3, 4 } })
      assert.equal("1 of 4 values missing, in 1 of 2 columns.", one.caption)
   end)

   it("refuses invalid arguments and options", function()
      refuses("plot%.missing: X must be", function() plot.missing {} end)
      refuses("plot%.missing: X must be", function() plot.missing(nil) end)
      refuses("order must be one of given, share", function() plot.missing(air, { order = "size" }) end)
   end)
end)

describe("ml.help", function()
   it("covers every diagnostic plot", function()
      for _, name in ipairs { "confusion", "roc", "precision_recall", "calibration", "decision", "residuals",
         "coefficients", "importance", "coef_path", "learning_curve", "validation_curve", "cv", "trace", "pca", "scree",
         "elbow", "silhouette", "correlation", "missing" } do
         local about = plot.help[name]
         assert.equal(name, about.name)
         assert.is_true(#about.brief > 30 and about.options.title ~= nil and #about.args >= 1, name)
         for option, text in pairs(about.options) do assert.is_true(#text > 5, option) end
      end
      refuses("plot has no 'confusoin'; did you mean 'confusion'%?", function() return plot.confusoin end)
   end)

   it("has options for title, caption and size", function()
      local fig = plot.missing(air, { title = "Holes", caption = "none", width = 500, height = 300 })
      assert.same({ "Holes", "none", 500, 300 }, { fig.title, fig.caption, fig.width, fig.height })
   end)
end)
