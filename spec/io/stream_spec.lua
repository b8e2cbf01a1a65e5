-- Learning from a file in chunks: the same model, with the memory of one chunk.
local ml = require "manilius"
local support = require "spec.support"

local BLOCK, TIMES, CHUNK, COLUMNS = 2000, 100, 5000, 10

-- Write 200000 rows of 10 columns and y, 16 MB as numbers: 2000 rows repeated a hundred times. Returns these rows.
local function make_file(path)
   local X = ml.normal(BLOCK, COLUMNS, 1)
   local y = X * ml.normal(COLUMNS, 1, 2):col(1) + ml.normal(BLOCK, 1, 3):col(1) + 5
   local columns = { { "y", y } }
   for j = 1, COLUMNS do columns[j + 1] = { "x" .. j, X:col(j) } end
   ml.Frame(columns):write_csv(path)
   local file = assert(io.open(path, "rb"))
   local head, rows = file:read "L", file:read "a"
   file:close()
   file = assert(io.open(path, "wb"))
   file:write(head)
   for _ = 1, TIMES do file:write(rows) end
   file:close()
   return X, y
end

describe("a CSV file of 200000 rows, read in chunks", function()
   local path = os.tmpname()
   local X, y = make_file(path)

   -- Peak memory of a pass in MB. Chunks stay until the collector runs, which is after 16 MB for any size of file;
   -- `tidy` runs it after each chunk.
   local function pass(learn, tidy)
      collectgarbage()
      local before = ml.memory.live()
      ml.memory.peak(true)
      for chunk in ml.csv_chunks(path, { rows = CHUNK }) do
         learn(chunk:split "y")
         if tidy then collectgarbage() end
      end
      return (ml.memory.peak() - before) / 2 ^ 20
   end

   teardown(function() os.remove(path) end)

   it("fits least squares to all rows in less than 3 MB", function()
      local model, scaler = ml.LinearRegression {}, ml.StandardScaler {}
      local peak = pass(function(part, target)
         model:partial_fit(part, target)
         scaler:partial_fit(part)
      end, true)
      assert(peak < 3, ("%.1f MB"):format(peak))
      assert.equal(BLOCK * TIMES, model.n)
      local weights = ml.Vector(BLOCK, TIMES)
      local whole = ml.LinearRegression { weights_type = "frequency" }:fit(X, y, { weights = weights })
      support.near_all(whole.coef, model.coef, 1e-10, "coef")
      support.near_all(whole:summary().coefficients:col "std_error", model:summary().coefficients:col "std_error", 1e-9,
         "standard error")
      support.near_all(ml.StandardScaler {}:fit(X).mean, scaler.mean, 1e-10, "mean", 1)
   end)

   it("can be used for stochastic gradient descent in less than 3 MB", function()
      local model = ml.SGDRegressor { average = 1, eta0 = 0.02, seed = 1 }
      local peak = pass(function(part, target) model:partial_fit(part, target) end, true)
      assert(peak < 3, ("%.1f MB"):format(peak))
      assert.equal(BLOCK * TIMES + 1, model.t)
      assert.equal(BLOCK * TIMES / CHUNK, #model.trace)
      local whole = ml.LinearRegression {}:fit(X, y)
      support.near_all(whole.coef, model.coef, 0.03, "coef", 1)
   end)

   it("can be used for k-means in less than 20 MB without calling the collector", function()
      local model = ml.KMeans { n_clusters = 5, seed = 1 }
      local peak = pass(function(part) model:partial_fit(part) end)
      assert(peak < 20, ("%.1f MB"):format(peak))
      assert.equal(BLOCK * TIMES, model.counts:sum())
   end)
end)

describe("a CSV text with very long lines", function()
   local long = ("word, "):rep(1 << 18) -- 1.5 MB

   it("has its delimiter detected from rows that extend beyond the sample", function()
      local rows = { "a;b" }
      for i = 1, 14 do rows[i + 1] = ('%d;"%s\n%d"'):format(i, long, i) end
      local frame = ml.parse_csv(table.concat(rows, "\n"))
      assert.same({ "a", "b" }, frame.names)
      assert.equal(14, frame.rows)
      assert.equal(long .. "\n7", frame.b[7])
   end)

   it("is refused at its first NUL, before the rest of the line is read", function()
      support.refuses("text:1:6: expected text, got a NUL byte", function()
         ml.parse_csv("first\0" .. long)
      end)
   end)
end)
