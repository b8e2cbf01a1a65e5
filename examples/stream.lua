-- Streaming: learn from a file larger than memory in chunks. At most one chunk is in use at a time.

local ml = require "manilius"

local PATH, ROWS = "examples/data/california_housing.csv", 2000
local COLUMNS = { "longitude", "latitude", "housing_median_age", "total_rooms", "population", "households",
   "median_income" }

-- Iterates over X, y of each chunk. Every fifth row belongs to "test", the others to "train". Prices are in units of
-- 100000 dollars.
local function chunks(part)
   return coroutine.wrap(function()
      for chunk in ml.csv_chunks(PATH, { rows = ROWS }) do
         local rows = {}
         for i = 1, #chunk do
            if (i % 5 == 0) == (part == "test") then rows[#rows + 1] = i end
         end
         chunk = chunk:take(rows)
         coroutine.yield(chunk:select(COLUMNS), chunk.median_house_value / 1e5)
      end
   end)
end

ml.memory.peak(true)
local before = ml.memory.live()

-- The first pass computes the mean and standard deviation of each column and fits least squares, which needs one pass.
local scaler, exact = ml.StandardScaler {}, ml.LinearRegression {}
for X, y in chunks "train" do
   scaler:partial_fit(X)
   exact:partial_fit(X, y)
end

-- Stochastic gradient descent needs several passes. The Huber loss limits the influence of a few expensive houses.
local robust = ml.SGDRegressor { loss = "huber", epsilon = 0.5, eta0 = 0.05, average = 1, seed = 1 }
for _ = 1, 5 do
   for X, y in chunks "train" do robust:partial_fit(scaler:transform(X), y) end
end
print(("%d steps; peak memory %.1f MB"):format(robust.t - 1, (ml.memory.peak() - before) / 2 ^ 20))
print(exact:summary())

-- The result is a model like any other. It can be saved, and continues learning after it is loaded.
local restored = ml.load(robust:dump())
for X, y in chunks "train" do restored:partial_fit(scaler:transform(X), y) end
print(restored)

local errors, rows = { exact = 0, robust = 0 }, 0
for X, y in chunks "test" do
   errors.exact = errors.exact + (exact:predict(X) - y):abs():sum()
   errors.robust = errors.robust + (restored:predict(scaler:transform(X)) - y):abs():sum()
   rows = rows + #y
end
print(("mean absolute error on %d test rows, in dollars: %.0f by least squares, %.0f by gradient descent"):format(rows,
   1e5 * errors.exact / rows, 1e5 * errors.robust / rows))
