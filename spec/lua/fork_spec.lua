--- Fits in a process that was forked after fits with threads give the same bits.
local core = require "manilius.core"
local host = require "spec.lua.host"

local forking = [[
local ml = require "manilius"
ml.threads(2)
ml.warnings "off"
for name, _, new, problem in require "spec.lua.every" { rows = 2000, max_iter = 3 } do
   local bytes = new():fit(problem.X, problem.y):dump()
   if fork() == 0 then
      assert(new():fit(problem.X, problem.y):dump() == bytes, name)
      assert(new():fit_async(problem.X, problem.y):wait():dump() == bytes, name)
      os.exit(true)
   end
   assert(join(), name .. " in the child")
   assert(new():fit(problem.X, problem.y):dump() == bytes, name .. " in the parent")
   io.write(name, "\n")
end
]]

describe("a forked process", function()
   -- Another thread may hold the lock of the sanitizer's allocator during the fork; the child would wait forever.
   local skip_in_sanitizer = os.getenv "MANILIUS_SANITIZER" and pending or it

   skip_in_sanitizer("fits every estimator with threads, as its parent does", function()
      local program, path = host.compile("fork_host", host.lua_flags()), host.file(forking)
      local ok, text = host.run(("timeout 120 %s %s"):format(program, path))
      os.remove(program)
      os.remove(path)
      assert(ok, text)
      local names, done = core.class_names(), {}
      for name in text:gmatch "%w+" do done[#done + 1] = name end
      assert.same(names, done)
   end)
end)
