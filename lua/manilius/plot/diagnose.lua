--- How diagnostic plots are defined: as the others are, but their first argument may be a table of models by name.
-- @module manilius.plot.diagnose

local define = require "manilius.plot.define"
local estimator = require "manilius.estimator"

-- A table of options rather than data: without elements, and no model.
local function is_options(value)
   return type(value) == "table" and getmetatable(value) == nil and value[1] == nil and not estimator.is(value)
end

-- The arguments with a table of options behind them. The first `least` are data whatever they look like.
local function with_options(least, given)
   if not (given.n > least and is_options(given[given.n])) then
      given.n = given.n + 1
      given[given.n] = {}
   end
   return table.unpack(given, 1, given.n)
end

-- Captions are put together from parts; what the engine has to say comes behind them.
local function sentence(text)
   return text and text:gsub("^%l", string.upper) .. "."
end

--- Add the plot `name` to `module` and to its help.
-- @param about as in manilius.plot.define, but fn = function(args..., options) gives what Figure takes, and `least`
--   says how many arguments must be there (default: all)
return function(module, name, about)
   local inner, draw, n = { help = module.help }, about.fn, #about.args
   local least = about.least or n
   about.fn = function(o, ...)
      local given = table.pack(...)
      given[n + 1] = o
      local spec = draw(table.unpack(given, 1, n + 1))
      spec.caption = sentence(spec.caption)
      for option in pairs(define.COMMON) do
         if o[option] ~= nil then spec[option] = o[option] end
      end
      return require "manilius.plot.figure".Figure(spec)
   end
   define.define(inner, name, about)
   local call = inner[name]
   module[name] = function(...) return call(with_options(least, table.pack(...))) end
end
