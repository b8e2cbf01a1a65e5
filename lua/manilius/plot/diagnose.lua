--- The definition of diagnostic plots. Unlike in manilius.plot.define, their first argument may be a table of models by
-- name.

local define = require "manilius.plot.define"
local estimator = require "manilius.estimator"

-- Is it a table of options? Those have no list elements and are not models.
local function is_options(value)
   return type(value) == "table" and getmetatable(value) == nil and value[1] == nil and not estimator.is(value)
end

-- The arguments, with an empty table of options appended if there is none. The first `data_args` are never options.
local function with_options(data_args, given)
   if not (given.n > data_args and is_options(given[given.n])) then
      given.n = given.n + 1
      given[given.n] = {}
   end
   return table.unpack(given, 1, given.n)
end

-- Captions are joined from parts, and followed by the notes of the figure; make them a sentence.
local function sentence(text)
   return text and text:gsub("^%l", string.upper) .. "."
end

--- Add the plot `name` to `module` and to its help.
-- @param about as in manilius.plot.define, but fn = function(args..., options) returns the settings of a Figure, and
--   `data_args` is the number of leading arguments that are never options (default: all)
return function(module, name, about)
   local inner, draw, n = { help = module.help }, about.fn, #about.args
   local data_args = about.data_args or n
   about.fn = function(o, ...)
      local given = table.pack(...)
      given[n + 1] = o
      local spec = draw(table.unpack(given, 1, n + 1))
      spec.caption = sentence(spec.caption)
      for option in pairs(define.COMMON) do
         if o[option] ~= nil then spec[option] = o[option] end
      end
      return require "manilius.draw.figure".Figure(spec)
   end
   define.define(inner, name, about)
   local call = inner[name]
   module[name] = function(...) return call(with_options(data_args, table.pack(...))) end
end
