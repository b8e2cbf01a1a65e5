--- Run before the specs: fits that do not converge on purpose say so only to the specs that ask. With ThreadSanitizer,
-- busted cannot load the module; its specs run programs that do.
local busted = require "busted"

local ok, ml = pcall(require, "manilius")
if ok then ml.warnings "off" end

-- busted keeps 10 kB for each test that has passed, which every collection of garbage would traverse.
busted.subscribe({ "test", "end" }, function(element, _, status)
   if status == "success" then
      element.env, element.run, element.trace.traceback = nil, nil, nil
   end
   return nil, true
end)
