--- A host whose allocator is not thread-safe: Lua code in the middle of a parallel operation has exclusive access.
local host = require "spec.lua.host"

local script = [[
local ml = require "manilius"
local core = require "manilius.core"
ml.threads(2)
local X, y = ml.normal(300, 6, 1), {}
for i = 1, 300 do y[i] = X:get(i, 1) - 2 * X:get(i, 2) + i % 3 end
local alphas = {}
for i = 1, 400 do alphas[i] = i / 10 end

local inside, calls, run_jobs = false, 0, core.run_jobs
function core.run_jobs(...)
   inside = true
   local results = run_jobs(...)
   inside = false
   return results
end

function busy()
   if not inside then return end
   inside, calls = false, calls + 1
   local rows = {}
   for i = 1, 3000 do rows[i] = { tostring(i), i } end
   if calls % 4 == 0 then ml.cross_validate(ml.Ridge {}, X, y, { cv = 4 }) end  -- its threads allocate too
   collectgarbage "step"
   inside = true
end

return function()
   local search = ml.GridSearch { ml.Ridge {}, { alpha = alphas }, cv = 5, scoring = "mse" }
   for _ = 1, 5 do search:fit(X, y) end
   print("calls", calls)
end
]]

describe("an allocator that is not thread-safe", function()
   it("is called by one thread at a time", function()
      local program, path = host.compile("allocator_host", host.lua_flags()), host.file(script)
      local ok, text = host.run(("timeout 100 %s %s"):format(program, path))
      os.remove(program)
      os.remove(path)
      assert(ok, text)
      assert.is_true(tonumber(text:match "calls%s(%d+)") > 3, text)
      assert.equal("0", text:match "clashes (%d+)")
   end)
end)
