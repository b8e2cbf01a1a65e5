--- Learning from a file in chunks: memory does not grow with the number of rows.

local ml = require "manilius"
local support = dofile "spec/support.lua"

local truth = ml.Vector { 2, -1, 0.5, 0, 3 }

local function write(path, rows, piece)
   local file = assert(io.open(path, "w"))
   for first = 1, rows, piece do
      local Z = ml.normal(piece, 6, first)
      local X = Z:select { 1, 2, 3, 4, 5 }
      local columns = { { "y", X * truth + 10 + Z:col(6) } }
      for j = 1, 5 do columns[j + 1] = { "x" .. j, X:col(j):copy() } end
      file:write(ml.Frame(columns):to_csv { header = first == 1 })
   end
   file:close()
end

-- Models of all rows, and the peak number of bytes allocated while they learned.
local function learn(path, piece)
   collectgarbage()
   collectgarbage()
   ml.memory.peak(true)
   local before = ml.memory.live()
   local exact, ridge = ml.LinearRegression {}, ml.Ridge { alpha = 1 }
   local descent = ml.SGDRegressor { eta0 = 0.01, average = 1, seed = 1 }
   for frame in ml.csv_chunks(path, { rows = piece }) do
      local X, y = frame:drop "y", frame.y
      exact:partial_fit(X, y)
      ridge:partial_fit(X, y)
      descent:partial_fit(X, y)
      collectgarbage()
   end
   return { exact = exact, ridge = ridge, descent = descent }, ml.memory.peak() - before
end

describe("a file read in chunks", function()
   local path = os.tmpname()
   teardown(function() os.remove(path) end)

   it("needs memory for one chunk only and agrees with fit on all rows", function()
      write(path, 4000, 2000)
      local _, few = learn(path, 2000)
      write(path, 40000, 2000)
      local found, many = learn(path, 2000)
      assert(many < 1.1 * few, ("%d bytes for 40000 rows, %d for 4000"):format(many, few))
      assert(many < 2 ^ 21, many)
      local whole = ml.read_csv(path)
      local X, y = whole:drop "y", whole.y
      local model = ml.LinearRegression {}:fit(X, y)
      support.near_all(model.coef, found.exact.coef, 1e-12, "least squares", 1)
      support.near_all(model:summary().coefficients.std_error, found.exact:summary().coefficients.std_error, 1e-12)
      support.near_all(ml.Ridge { alpha = 1 }:fit(X, y).coef, found.ridge.coef, 1e-12, "ridge", 1)
      assert.equal(40000, found.exact.n)
      -- one pass of averaged SGD is about as close to the truth as the best estimate
      assert((found.descent.coef - truth):abs():max() < 0.05)
      assert((found.exact.coef - truth):abs():max() < 0.025)
   end)
end)
