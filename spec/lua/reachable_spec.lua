--- No function that a script can reach ends the process, whatever it is given. The calls are in reachable.lua.
local exhaustive = require "spec.support".exhaustive
local run = require "spec.lua.child"

describe("every function of manilius.core", function()
   it("survives wrong arguments of all kinds", function()
      local text = run(([[
         local reachable = require "spec.lua.reachable"
         reachable.call(reachable.functions(require "manilius.core", "core"), %d, 1 << 26)]]):format(
         exhaustive and 1000 or 16))
      assert.is_string(text)
   end)
end)
