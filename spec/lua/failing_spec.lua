--- A host whose allocator fails (failing_host.c, failing.lua): every failure raises an error, leaves existing values
-- unchanged and leaks nothing, also while a state is opened.
--
--    MANILIUS_EXHAUSTIVE=1    fail at each call of the allocator (make check-faults) instead of one in 97
--    MANILIUS_COUNT=1         print the number of failures
local exhaustive = require "spec.support".exhaustive
local host = require "spec.lua.host"

describe("a host whose allocator fails", function()
   it("gets an error and leaks nothing; nor does an aggressive collector free anything in use", function()
      local step = os.getenv "MANILIUS_EXHAUSTIVE" and 1 or 97
      local program = host.compile("failing_host", host.lua_flags())
      local ok, text = host.run(("STEP=%d timeout 500 %s spec/lua/failing.lua %d"):format(step, program, step))
      os.remove(program)
      assert(ok, text)
      assert.equal("0", text:match "left (%d+)")
      local failed, collected = tonumber(text:match "points (%d+)"), tonumber(text:match "collections (%d+)")
      assert.is_true(failed > 30000 / step and collected > 5000 / step, text)
      if os.getenv "MANILIUS_COUNT" then
         io.stderr:write(("%d calls of an allocator failed, %d collections were forced\n"):format(failed, collected))
      end
   end)

   it("can repeat a first call that failed", function()
      local program = host.compile("failing_host", host.lua_flags())
      local points = exhaustive and 1000 or 12
      local ok, text = host.run(("POINTS=%d timeout 500 %s spec/lua/first_calls.lua 1000000"):format(points, program))
      os.remove(program)
      assert(ok, text)
      assert.is_true(tonumber(text:match "first calls (%d+)") > 8 * points, text)
   end)
end)
