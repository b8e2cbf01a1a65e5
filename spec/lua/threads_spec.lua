--- Threads: concurrent fits in several Lua states, one model used by many threads, fits in the background.
-- `make check-tsan` runs these with the thread sanitizer to find data races.
local host = require "spec.lua.host"

-- Returns a checksum of the strings in `dumps`.
local digest = [[
local sum = 0
for _, bytes in ipairs(dumps) do
   for i = 1, #bytes do sum = (sum * 31 + bytes:byte(i)) % 2^40 end
end
return ("%d dumps, %d"):format(#dumps, sum)]]

local fits = [[
local ml = require "manilius"
ml.threads(2)
local X, y, dumps = ml.normal(400, 4, 1), {}, {}
for i = 1, X.rows do y[i] = i % 3 == 0 and "a" or "b" end
for seed = 1, 3 do
   dumps[#dumps + 1] = ml.KMeans { n_clusters = 5, seed = seed }:fit(X):dump()
   dumps[#dumps + 1] = ml.LogisticRegression { C = seed }:fit(X, y):dump()
   dumps[#dumps + 1] = tostring(ml.KNeighborsClassifier { n_neighbors = seed }:fit(X, y):predict(X))
end
local search = ml.GridSearch { ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} },
   { logisticregression__C = { 0.1, 1 } }, cv = 3, on_iter = function() collectgarbage "step" end }:fit(X, y)
dumps[#dumps + 1] = search.best:dump()
]]

local every = [[
local ml = require "manilius"
ml.threads(2)
ml.warnings "off"
local dumps = {}
for _, _, new, p in require "spec.lua.every" { rows = 1500, max_iter = 3 } do
   local model = new():fit(p.X, p.y)
   dumps[#dumps + 1] = model:dump()
   for _, action in ipairs { "predict", "predict_proba", "decision_function", "transform", "score_samples" } do
      if model:can(action) then dumps[#dumps + 1] = tostring(model[action](model, p.X)) end
   end
end
]]

local jobs = [[
local ml = require "manilius"
ml.threads(2)
local X, dumps, running = ml.normal(500, 4, 1), {}, {}
for seed = 1, 4 do running[seed] = ml.KMeans { n_clusters = 6, seed = seed }:fit_async(X) end
local endless = ml.KMeans { n_clusters = 6, n_init = 1000000, max_iter = 1000000, tol = 0 }
local given_up, dropped = endless:fit_async(X), endless:clone():fit_async(X)
for _ = 1, 100 do
   for seed = 1, 4 do
      local _ = running[seed]:done(), tostring(running[seed]), running[seed].progress.done
   end
   X[1] = 0.5
end
given_up:cancel()
dropped = nil
collectgarbage()
for seed = 1, 4 do dumps[seed] = running[seed]:wait():dump() end
local closed = endless:fit_async(X) -- ended by lua_close
local unused = closed.progress, dropped
]]

describe("threads:", function()
   local program

   setup(function() program = host.compile("threads_host", host.lua_flags()) end)
   teardown(function() os.remove(program) end)

   -- Run the script in n states concurrently; all results must be equal.
   local function same_results(n, script)
      local path = host.file(script .. digest)
      local ok, text = host.run(("timeout 900 %s %d %s"):format(program, n, path))
      os.remove(path)
      assert(ok, text)
      local first, count = text:match "^[^\n]+", 0
      for line in text:gmatch "[^\n]+" do
         assert.equal(first, line)
         count = count + 1
      end
      assert.equal(n, count)
      assert.matches("^%d+ dumps, %d+$", first)
   end

   it("four Lua states fit, predict and search concurrently", function() same_results(4, fits) end)

   it("two Lua states fit every estimator concurrently", function() same_results(2, every) end)

   it("jobs of two Lua states are polled, cancelled, collected and closed concurrently", function()
      same_results(2, jobs)
   end)

   it("eight threads use one model", function()
      local objects = (os.getenv "MANILIUS_BUILD" or "build") .. "/obj"
      local others = "-not -path '*/lua/*' -not -path '*/host/*'"
      local share = host.compile("share_host",
         ("$(find %s -mindepth 2 -name '*.o' %s) -lz -lm -lpthread -ldl"):format(objects, others))
      local ok, text = host.run("timeout 900 " .. share)
      os.remove(share)
      assert(ok, text)
      assert.not_matches("differs", text)
      local tried = 0
      for count in text:gmatch "%w+ (%d+)\n" do tried = tried + tonumber(count) end
      assert.is_true(tried > 20, text)
      assert.matches("\nheld 0\n", text)
   end)
end)
