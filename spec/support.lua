--- What several specs share: comparisons with a tolerance, errors, and real data.
local ml = require "manilius"

local M = {}

--- MANILIUS_EXHAUSTIVE=1 (make check, make check-faults): run everything; else slow checks are left out or sampled.
-- spec/README.md lists them.
M.exhaustive = os.getenv "MANILIUS_EXHAUSTIVE" ~= nil

--- The `it` of a slow test: local slow = support.slow(it).
function M.slow(it)
   return M.exhaustive and it or function() end
end

--- Numbers drawn from 0 <= x < 1, as a function that gives the next one. They depend on `text` alone, so that each run
-- draws the same, and each estimator other ones (splitmix64, seeded with a hash of the text).
function M.draws(text)
   local state = 0
   for i = 1, #text do state = (state ~ text:byte(i)) * 0x100000001B3 end
   return function()
      state = state + 0x9E3779B97F4A7C15
      local x = (state ~ state >> 30) * 0xBF58476D1CE4E5B9
      x = (x ~ x >> 27) * 0x94D049BB133111EB
      return ((x ~ x >> 31) >> 11) * 2.0 ^ -53
   end
end

--- `count` of the numbers 1..n (all, if there are no more), ascending: one drawn from each of as many equal stretches.
function M.sample(text, n, count)
   local list, draw = {}, M.draws(text)
   for i = 1, math.min(n, count) do
      list[i] = n <= count and i or math.floor((i - 1 + draw()) * n / count) + 1
   end
   return list
end

--- Relative to the wanted value, absolute below `floor` (default 1e-300).
function M.near(wanted, got, tolerance, what, floor)
   local scale = math.max(math.abs(wanted), floor or 1e-300)
   assert(math.abs(wanted - got) <= tolerance * scale,
      ("%s: wanted %.17g, got %.17g"):format(what or "value", wanted, got))
end

--- All of a list or Vector.
function M.near_all(wanted, got, tolerance, what, floor)
   assert(#wanted == #got, ("%s: wanted %d values, got %d"):format(what or "values", #wanted, #got))
   for i = 1, #wanted do M.near(wanted[i], got[i], tolerance, ("%s[%d]"):format(what or "value", i), floor) end
end

--- All of a list of rows or Matrix.
function M.near_rows(wanted, got, tolerance, what, floor)
   assert(#wanted == #got, ("%s: wanted %d rows, got %d"):format(what or "rows", #wanted, #got))
   for i = 1, #wanted do M.near_all(wanted[i], got[i], tolerance, ("%s[%d]"):format(what or "row", i), floor) end
end

--- The call with these arguments must raise an error whose message matches.
function M.refuses(pattern, call, ...)
   local ok, message = pcall(call, ...)
   assert(not ok, "was not refused: " .. pattern)
   assert(tostring(message):find(pattern), ("wanted %q, got %q"):format(pattern, tostring(message)))
end

--- The call with these arguments must raise this message, after the position in a Lua file if there is one.
function M.refuses_exactly(message, call, ...)
   local ok, got = pcall(call, ...)
   assert(not ok, "was not refused: " .. message)
   got = tostring(got):gsub("^[^:]*%.lua:%d+: ", "")
   assert(got == message, ("wanted %q, got %q"):format(message, got))
end

--- X and y of a file of examples/data.
function M.data(name, target)
   return ml.read_csv("examples/data/" .. name .. ".csv"):split(target)
end

--- A classifier of frames with numbers and labels, both with missing values.
function M.classifier_of_frames()
   return ml.Pipeline {
      ml.ColumnTransformer {
         { "numbers", ml.Pipeline { ml.SimpleImputer {}, ml.StandardScaler {} }, "numeric" },
         { "labels", ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} }, "factor" },
      },
      ml.LogisticRegression {},
   }
end

--- The bytes of a file.
function M.read_file(path)
   local file = assert(io.open(path, "rb"))
   local bytes = file:read "a"
   file:close()
   return bytes
end

--- The columns of diabetes centered and scaled by round numbers near their means and standard deviations, as in the
-- fixtures of linear models; the target divided by 100.
function M.scaled_diabetes()
   local X, y = M.data("diabetes", "progression")
   local middle, scale = { 48, 1.5, 26, 94, 189, 115, 50, 4, 4.6, 91 }, { 13, .5, 4, 14, 35, 30, 13, 1.3, .5, 11 }
   X = X:matrix():copy()
   for i = 1, X.rows do
      for j = 1, 10 do X:set(i, j, (X:get(i, j) - middle[j]) / scale[j]) end
   end
   return X, y / 100
end

--- The largest violation of the optimality conditions of the lasso or elastic net, relative to alpha.
function M.worst_condition(x, target, alpha, l1_ratio, b, c)
   local r = target - x * b - c
   local g = x:t() * r / x.rows - b * (alpha * (1 - l1_ratio))
   local worst, l1 = math.abs(r:mean()) / alpha, alpha * l1_ratio
   for j = 1, #b do
      local off = b[j] == 0 and math.max(math.abs(g[j]) - l1, 0) or math.abs(g[j] - (b[j] > 0 and l1 or -l1))
      worst = math.max(worst, off / alpha)
   end
   return worst
end

--- The same archive for 1, 2 and 5 threads.
function M.same_for_any_threads(fit)
   local memory = require "manilius.core".memory
   local dumps = {}
   for _, threads in ipairs { 1, 2, 5 } do
      memory.threads(threads)
      dumps[#dumps + 1] = fit():dump()
   end
   memory.threads(0)
   assert(dumps[1] == dumps[2] and dumps[1] == dumps[3], "the result depends on the number of threads")
end

return M
