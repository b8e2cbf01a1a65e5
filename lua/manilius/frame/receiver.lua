--- Frame methods that check what they are called on.

local M = {}

--- `method` with a check that its first argument is a Frame: a dot in place of the colon passes another value. A Frame
-- is a plain table, whose parts a script can overwrite.
function M.checked(name, method, meta, kind)
   return function(f, ...)
      if getmetatable(f) ~= meta then
         error(("%s: call it with a colon, as in frame:%s(...), got %s in place of the Frame"):format(name, name,
            kind(f)), 2)
      end
      if type(rawget(f, "names")) ~= "table" or type(rawget(f, "columns")) ~= "table" then
         error(name .. ": a Frame must have lists of names and columns; this one was overwritten", 2)
      end
      return method(f, ...)
   end
end

return M
