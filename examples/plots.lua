-- Plots: every kind of plot with real data, printed as text and saved as pictures in build/demo.
--
-- Run from the checkout: make all, then lua5.4 examples/plots.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"
local plot = ml.plot

os.execute "mkdir -p build/demo"

local penguins = ml.read_csv "examples/data/penguins.csv"
local air = ml.read_csv "examples/data/airquality.csv"
local quakes = ml.read_csv "examples/data/quakes.csv"
local geyser = ml.read_csv "examples/data/faithful.csv"
local cars = ml.read_csv "examples/data/mtcars.csv"

-- Points, colored by class or by value, in two and three dimensions.
local scatter = plot.scatter(penguins, { x = "bill_length_mm", y = "body_mass_g", class = "species",
   x_label = "bill length (mm)", y_label = "body mass (g)", title = "Penguins of the Palmer archipelago" })
local map = plot.scatter(quakes, { x = "long", y = "lat", value = "depth", color_label = "depth (km)",
   x_label = "longitude (degrees)", y_label = "latitude (degrees)", title = "Earthquakes off Fiji" })
local depths = plot.scatter(penguins, { x = "bill_length_mm", y = "bill_depth_mm", z = "flipper_length_mm",
   class = "species", title = "Three measures of penguins" })

-- Lines: the moving average of the temperature over eleven days, with a band of one standard deviation.
local means, low, high = {}, {}, {}
for day = 1, air.rows do
   local window = air.temp:slice(math.max(1, day - 5), math.min(air.rows, day + 5))
   local mean, sd = window:mean(), window:std()
   means[day], low[day], high[day] = mean, mean - sd, mean + sd
end
local line = plot.line(means, { low = low, high = high, x_label = "day from 1 May 1973", y_label = "temperature (F)",
   title = "New York: mean of eleven days, and one standard deviation" })

-- Distributions.
local histogram = plot.histogram(geyser, { x = "waiting", x_label = "waiting time (minutes)", title = "Old Faithful" })
local density = plot.density(penguins, { x = "body_mass_g", class = "species", x_label = "body mass (g)" })
local box = plot.box(air, { x = "ozone", class = "month", y_label = "ozone (ppb)", title = "Ozone by month" })

-- Bars: means with standard errors.
local names, mpg_mean, from, to = {}, {}, {}, {}
for i, cylinders in ipairs { 4, 6, 8 } do
   local mpg = cars.mpg:take(cars.cyl:eq(cylinders):nonzero())
   local standard_error = mpg:std() / math.sqrt(#mpg)
   names[i], mpg_mean[i] = cylinders .. " cylinders", mpg:mean()
   from[i], to[i] = mpg_mean[i] - standard_error, mpg_mean[i] + standard_error
end
local bar = plot.bar(names, mpg_mean, { low = from, high = to, y_label = "miles per gallon",
   title = "Cars of 1974: mean and its standard error" })

-- Values on a grid.
local measured = cars:select { "mpg", "disp", "hp", "drat", "wt", "qsec" }
local Z = ml.Matrix(ml.StandardScaler {}:fit(measured):transform(measured))
local heat = plot.heatmap(Z:t() * Z * (1 / measured.rows), { rows = measured.names, columns = measured.names, low = -1,
   high = 1, palette = "diverging", cell_text = function(r) return ("%.2f"):format(r) end, color_label = "correlation",
   title = "Measures of cars" })
local function peaks(x, y)
   return 3 * (1 - x) ^ 2 * math.exp(-x ^ 2 - (y + 1) ^ 2) - 10 * (x / 5 - x ^ 3 - y ^ 5) * math.exp(-x ^ 2 - y ^ 2)
      - math.exp(-(x + 1) ^ 2 - y ^ 2) / 3
end
local area = { x_range = { -3, 3 }, y_range = { -3, 3 }, title = "Three peaks" }
local contour, surface = plot.contour(peaks, area), plot.surface(peaks, area)

-- Several panels: each pair of columns, the same plot for each island, violins.
local pair_plot = plot.pairs(penguins, { class = "species", columns = { "bill_length_mm", "bill_depth_mm",
   "flipper_length_mm", "body_mass_g" } })
local facets = plot.facets(penguins, { by = "island", x = "bill_length_mm", y = "bill_depth_mm", class = "species" })
local violin = plot.violin(penguins, { x = "body_mass_g", class = "species", x_label = "body mass (g)" })

for name, fig in pairs { scatter = scatter, map = map, depths = depths, line = line, histogram = histogram,
   density = density, box = box, bar = bar, heatmap = heat, contour = contour, surface = surface,
   pairs = pair_plot, facets = facets, violin = violin } do
   fig:save("build/demo/" .. name .. ".svg")
end
local all = plot.figure { scatter, line, box, contour, columns = 2, title = "Four plots in one figure" }
all:save "build/demo/plots.png"
all:save "build/demo/plots.html"
all:script "build/demo/plots.gp" -- `gnuplot build/demo/plots.gp` writes build/demo/plots.svg

print(scatter:text())
print()
print(heat:text())
print()
print(all)
print "Pictures are in build/demo: plots.html shows four of them."
