--- Option tables, checked against the help that documents them; an error for an unknown name suggests the nearest one.

local text = require "manilius.text"

local M = {}

--- The options, or an empty table; errors are raised for the caller at `level`.
-- who: name of the function, for messages
-- known: valid options: name -> description
function M.check(who, options, known, level)
   if options == nil then return {} end
   if type(options) ~= "table" then
      error(("%s: options must be a table, got %s"):format(who, type(options)), level + 1)
   end
   for name in next, options do
      if known[name] == nil then
         local names = text.sorted_keys(known)
         local near = text.near(name, names)
         error(("%s has no option '%s'%s"):format(who, tostring(name),
            near ~= "" and near or "; there are " .. table.concat(names, ", ")), level + 1)
      end
   end
   return options
end

local function fail(who, name, wanted, value)
   error(("%s: %s must be %s, got %s"):format(who, name, wanted, type(value) == "number" and text.number(value)
      or require "manilius.estimator".value_text(value)), 0)
end

--- The option `name` of the table o, a number from low to high; nil: the default.
function M.number(who, o, name, default, low, high)
   local value = o[name]
   if value == nil then return default end
   if type(value) ~= "number" or not (value >= low and value <= high) then
      fail(who, name, ("a number from %s to %s"):format(text.number(low), text.number(high)), value)
   end
   return value + 0.0
end

--- The same for a whole number from low to high (nil: unlimited).
function M.whole(who, o, name, default, low, high)
   local value = o[name]
   if value == nil then return default end
   local whole = type(value) == "number" and math.tointeger(value)
   if not whole or whole < low or high and whole > high then
      fail(who, name, high and ("a whole number from %d to %d"):format(low, high)
         or ("a whole number of at least %d"):format(low), value)
   end
   return whole
end

--- The same for one of a list of names; nil: the first.
function M.choice(who, o, name, list)
   local value = o[name]
   if value == nil then return list[1] end
   if type(value) ~= "string" or not text.contains(list, value) then
      error(("%s: %s must be one of %s, got %s%s"):format(who, name, table.concat(list, ", "),
         require "manilius.estimator".value_text(value), type(value) == "string" and text.near(value, list) or ""), 0)
   end
   return value
end

local function value_text(value)
   if type(value) == "table" and #value == 2 and type(value[1]) == "number" then
      return ("%s to %s"):format(text.number(value[1]), text.number(value[2]))
   end
   return require "manilius.estimator".value_text(value)
end

local function show(self)
   local names, lines, width = text.sorted_keys(self), {}, 0
   for _, name in ipairs(names) do width = math.max(width, #name) end
   for i, name in ipairs(names) do
      lines[i] = ("%-" .. width .. "s  %s"):format(name, value_text(self[name]))
   end
   return table.concat(lines, "\n")
end

local printable = { __name = "named", __plain = true, __tostring = show }

--- Make a table of values by name printable.
function M.printable(values)
   return setmetatable(values, printable)
end

--- Make a table of values by name printable; reading an unknown name raises an error that suggests the nearest one.
-- what: what the values are, for messages
function M.named(values, what)
   return setmetatable(values, {
      __name = "named",
      __plain = true, -- for archives
      __tostring = show,
      __index = function(self, key)
         if type(key) ~= "string" then return nil end
         error(("there is no %s '%s'%s"):format(what, key, text.hint(key, text.sorted_keys(self))), 2)
      end,
   })
end

return M
