-- Data larger than memory: write a CSV file, then fit least squares and stochastic gradient descent to it in chunks.
-- A few megabytes of memory suffice for any number of rows.
--
--    lua5.4 examples/large.lua                              300 000 rows (18 MB) in build/demo/large.csv
--    ROWS=10000000 CSV=/tmp/x.csv lua5.4 examples/large.lua  ten million rows (600 MB); at most 21 MB are resident

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local rows, path = math.tointeger(os.getenv "ROWS" or 300000), os.getenv "CSV" or "build/demo/large.csv"
local CHUNK = 10000
local true_coef, intercept, noise_sd = ml.Vector { 2, -1, 0.5, 0, 3 }, 10, 1.5

-- Columns of different scale and mean. Each chunk has its own seed.
local function make_rows(first, count)
   local Z = ml.normal(count, 6, first)
   local X = Z:select { 1, 2, 3, 4, 5 } * 4 + ml.Vector { 0, 5, -5, 50, 1 }
   return X, X * true_coef + intercept + Z:col(6) * noise_sd
end

local file = assert(io.open(path, "w"))
for first = 1, rows, CHUNK do
   local X, y = make_rows(first, math.min(CHUNK, rows - first + 1))
   local frame = ml.Frame { { "a", X:col(1):copy() }, { "b", X:col(2):copy() }, { "c", X:col(3):copy() },
      { "d", X:col(4):copy() }, { "e", X:col(5):copy() }, { "y", y } }
   local rounded = {}
   for j, name in ipairs(frame.names) do rounded[j] = { name, (frame[name] * 1e5):round() / 1e5 } end
   file:write(ml.Frame(rounded):to_csv { header = first == 1 })
   if first % 10 == 1 then collectgarbage() end
end
file:close()

local function chunks()
   return ml.csv_chunks(path, { rows = CHUNK })
end

collectgarbage()
ml.memory.peak(true)
local before = ml.memory.live()

-- The first pass fits least squares, which is exact, and the scales of the columns.
local exact, scaler = ml.LinearRegression {}, ml.StandardScaler {}
for chunk in chunks() do
   local X, y = chunk:drop "y", chunk.y
   exact:partial_fit(X, y)
   scaler:partial_fit(X)
   collectgarbage()
end

-- The second pass fits gradient descent, which needs only one row at a time.
local descent = ml.SGDRegressor { eta0 = 0.01, average = 1, seed = 1 }
for chunk in chunks() do
   descent:partial_fit(scaler:transform(chunk:drop "y"), chunk.y)
   collectgarbage()
end

print(exact:summary().coefficients)
print(("%d rows in chunks of %d: peak memory %.1f MB"):format(exact.n, CHUNK,
   (ml.memory.peak() - before) / 2 ^ 20))
local slopes = descent.coef / scaler.scale
print(("largest error of a coefficient: %.4f by least squares, %.4f by one pass of gradient descent"):format(
   (exact.coef - true_coef):abs():max(), (slopes - true_coef):abs():max()))
os.remove(path)
