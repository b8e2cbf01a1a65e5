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

-- Where each test is defined, busted takes a traceback. The standard one looks for the name of each function in all
-- modules that are loaded, which takes longer than most tests.
local standard = debug.traceback

local function quick_traceback(level)
   local lines, info = { "\nstack traceback:" }, debug.getinfo(level, "Sln")
   while info do
      local place = info.currentline > 0 and ("%s:%d"):format(info.short_src, info.currentline) or info.short_src
      local name = info.name and ("%s '%s'"):format(info.namewhat, info.name)
      lines[#lines + 1] = ("\t%s: in %s"):format(place, name or ("function <%s:%d>"):format(info.short_src,
         info.linedefined))
      level = level + 1
      info = debug.getinfo(level, "Sln")
   end
   return table.concat(lines, "\n")
end

function debug.traceback(message, level, ...) -- luacheck: ignore
   if message == "" and math.type(level) then return quick_traceback(level + 1) end
   return standard(message, level, ...)
end
