-- Linear models: the effect of a car's weight and power on its mileage, with confidence intervals.

local ml = require "manilius"

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "hp" }, cars.mpg

local ols = ml.LinearRegression {}:fit(X, y)
print(ols:summary())

print "A car of 3000 lbs and 110 hp, with a 95% prediction interval:"
print(ols:intervals(ml.Frame { { "wt", { 3 } }, { "hp", { 110 } } }))

print "The most influential rows:"
local rows = ols:diagnostics(X, y).rows
print(rows:with { model = cars.model }:select { "model", "residual", "leverage", "cooks_distance" }
   :sort("cooks_distance", { descending = true }):head(3))

print "Ridge, as the penalty grows (columns scaled first):"
local scaled = ml.StandardScaler {}:fit_transform(X)
for _, alpha in ipairs { 0, 1, 10, 100 } do
   local ridge = ml.Ridge { alpha = alpha }:fit(scaled, y)
   print(("alpha %5g   wt %6.3f   hp %6.3f"):format(alpha, ridge.coef[1], ridge.coef[2]))
end

print "\nAutomatic or manual gearbox? Logistic regression:"
local gearbox = ml.LogisticRegression {}:fit(X, cars.am)
print(gearbox)
print(("training accuracy: %.3f"):format(gearbox:score(X, cars.am)))
