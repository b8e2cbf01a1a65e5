--- How diagnostic plots are defined: data that may be left out, options that all have, errors that name the call.
-- @module manilius.plot.define

local estimator = require "manilius.estimator"
local parts = require "manilius.metrics_parts"

local COMMON = {
   title = "of the figure; default: what it shows",
   caption = "the text below the figure; default: what its parts mean",
   width = "in pixels of the picture",
   height = "in pixels of the picture",
}

-- A table of options rather than data: without elements, and no model.
local function is_options(value)
   return type(value) == "table" and getmetatable(value) == nil and value[1] == nil and not estimator.is(value)
end

-- Arguments where the last ones may be left out: options go to place n + 1.
local function arranged(given, least, n)
   local last = given.n
   if last > least and last <= n and is_options(given[last]) then
      given[n + 1], given[last] = given[last], nil
   end
   return table.unpack(given, 1, n + 1)
end

local function figure(spec, o)
   for name in pairs(COMMON) do
      if o[name] ~= nil then spec[name] = o[name] end
   end
   return require "manilius.plot.figure".Figure(spec)
end

--- Add the plot `name` to `module` and to its help.
-- @param about { args = { "model", "X", "y" }, least = how many must be there (default: all), brief =, options =,
--   source =, fn = function(args..., options) -> what Figure takes }
return function(module, name, about)
   local inner = { who = module.who, help = module.help }
   local n, least, draw = #about.args, about.least or #about.args, about.fn
   local options = {}
   for _, list in ipairs { COMMON, about.options or {} } do
      for option, text in pairs(list) do options[option] = text end
   end
   about.options, about.returns = options, "a figure: :show(), :save(\"x.svg\"), :script(), :svg()"
   about.fn = function(...) return figure(draw(...), (select(n + 1, ...))) end
   parts.define(inner, name, about)
   local call, who = inner[name], module.who .. "." .. name
   module[name] = function(...)
      local given = table.pack(...)
      if given.n > n + 1 then
         error(("%s: takes at most %d arguments and a table of options, got %d arguments"):format(who, n, given.n), 2)
      end
      return call(arranged(given, least, n))
   end
end
