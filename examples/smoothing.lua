-- Local regression: the stopping distance of cars by their speed, with confidence bands.

local ml = require "manilius"

local cars = ml.read_csv "examples/data/cars.csv" -- mph and feet, Ezekiel (1930)
local X, y = cars:select "speed", cars.distance

local line = ml.LinearRegression {}:fit(X, y)
local loess = ml.Loess { span = 0.75, degree = 2 }:fit(X, y)
local robust = ml.Loess { span = 0.75, degree = 2, family = "symmetric" }:fit(X, y)

print(("trace of the smoother matrix %.2f, residual standard error %.2f feet"):format(loess.trace_hat, loess.sigma))
print "speed  line  loess  robust   95% confidence of loess"
local speeds = ml.Frame { speed = { 5, 10, 15, 20, 25 } }
local straight, curve, steady = line:predict(speeds), loess:predict(speeds), robust:predict(speeds)
local band = loess:intervals(speeds, { kind = "confidence" })
for i, speed in ipairs(speeds.speed:totable()) do
   print(("%5d %5.1f %6.1f %7.1f   %5.1f to %5.1f"):format(speed, straight[i], curve[i], steady[i], band.low[i],
      band.high[i]))
end

ml.plot.fit({ { "line", line }, { "loess", loess } }, X, y, { y_label = "stopping distance, feet",
   x_label = "speed, mph" }):show()
