-- Regression curves: a line, a log-linear model, a cubic polynomial and a local parabola fitted to the same points,
-- each with its 95% confidence band.
--
-- The data are miles per gallon against horsepower for 392 cars from 1970 to 1982.

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local cars = ml.read_csv "examples/data/auto_mpg.csv"
cars = cars:filter(cars.horsepower:isfinite())
local X, y = cars:select "horsepower", cars.mpg

-- The coefficient of each y in the local polynomial fit at `at`. Points are weighted by the tricube function of their
-- distance to `at`; only the nearest fraction `span` of them has a nonzero weight. The polynomials that are orthogonal
-- under these weights follow from their three-term recurrence. The fit is the sum of the projections on them.
local function fit_coefficients(x, at, degree, span)
   local u = x - at
   local bandwidth = u:abs():sort()[math.floor(span * #x)]
   local w = (1 - (u:abs() / bandwidth):minimum(1) ^ 3) ^ 3
   local previous, current = ml.Vector(#x, 0), ml.Vector(#x, 1)
   local previous_at, current_at, previous_norm, out = 0, 1, 1, ml.Vector(#x, 0)
   for _ = 0, degree do
      local weighted = w:mul(current)
      local norm = weighted:dot(current)
      out = out + weighted * (current_at / norm)
      local shift, back = weighted:mul(u):dot(current) / norm, norm / previous_norm
      previous, current = current, (u - shift):mul(current) - previous * back
      previous_at, current_at = current_at, -shift * current_at - back * previous_at
      previous_norm = norm
   end
   return out
end

-- Local regression: Cleveland & Devlin, J. Am. Stat. Assoc. 83 (1988). The fit is linear in y, which gives its standard
-- error: the fit at a point is L y with variance sigma^2 |L|^2.
local LocalPolynomial = ml.Estimator {
   name = "LocalPolynomial",
   does = "regress",
   params = { degree = 2, span = 0.75 },
   smoother = function(self, at)
      local out = {}
      for i = 1, #at do out[i] = fit_coefficients(self.x, at[i], self.degree, self.span) end
      return ml.Matrix(out)
   end,
   fit = function(self, F, target)
      self.x, self.y = F.columns[1], ml.Vector(target)
      local residual_matrix = ml.eye(#self.x) - self:smoother(self.x)
      local residual, square = residual_matrix * self.y, residual_matrix:t() * residual_matrix
      self.sigma = math.sqrt(residual:dot(residual) / square:trace())
      self.df = square:trace() ^ 2 / square:dot(square)
      return self
   end,
   predict = function(self, F) return self:smoother(F.columns[1]) * self.y end,
   intervals = function(self, F, options)
      local L = self:smoother(F.columns[1])
      local fit, se = L * self.y, L:square():sum "rows":sqrt() * self.sigma
      local half_width = se * ml.dist.student_t { df = self.df }:isf((1 - options.level) / 2)
      return ml.Frame { { "fit", fit }, { "low", fit - half_width }, { "high", fit + half_width }, { "std_error", se } }
   end,
}

local line = ml.LinearRegression {}:fit(X, y)
local log_linear = ml.GLM { family = "gamma", link = "log" }:fit(X, y)
local cubic = ml.LinearRegression { formula = "~ poly(horsepower, 3)" }:fit(X, y)
local local_parabola = LocalPolynomial {}:fit(X, y)
local models = { { "Least squares", line }, { "Log-linear (gamma, log link)", log_linear },
   { "Cubic polynomial", cubic }, { "Local parabola, span 0.75", local_parabola } }

local figure = ml.plot.fit(models, X, y, { x_label = "horsepower", y_label = "miles per gallon",
   title = "Four curves through the same points" })
figure:save "build/demo/curves.svg"
figure:save "build/demo/curves.png"

-- The confidence band of the line is narrow even where the line does not fit: it accounts for scatter, not for shape.
print "At 220 horsepower:"
local at = ml.Frame { { "horsepower", { 220 } } }
for _, one in ipairs(models) do
   local interval = one[2]:intervals(at, { kind = "confidence", level = 0.95 })
   print(("%-30s %6.2f  (%.2f to %.2f)"):format(one[1], interval.fit[1], interval.low[1], interval.high[1]))
end

-- The prediction interval contains 95 of 100 new points if the model is correct. This model is not
-- quite correct: the scatter decreases with horsepower, while least squares assumes that it is constant.
local next_car = ml.plot.fit(cubic, X, y, { interval = "both", x_label = "horsepower", y_label = "miles per gallon",
   title = "Cubic polynomial: the mean, and the next car" })
next_car:save "build/demo/next_car.png"
print()
print(next_car:text())
