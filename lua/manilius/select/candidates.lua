--- The candidates of a search: all combinations of a grid, or random draws.

local core = require "manilius.core"
local estimator = require "manilius.estimator"

local sorted_keys = require "manilius.text".sorted_keys

local M = {}

--- Raise an error unless the grid is { name = { value, ... }, ... }.
function M.check(who, grid)
   if type(grid) ~= "table" then
      error(("%s: grid must be { name = { value, ... }, ... }, got %s"):format(who, estimator.value_text(grid)), 0)
   end
   for name, values in pairs(grid) do
      if type(name) ~= "string" then
         error(("%s: grid must be { name = { value, ... }, ... }, got a key of type %s"):format(who, type(name)), 0)
      end
      if type(values) ~= "table" or estimator.is(values) or #values == 0 then
         error(("%s: the values of %s must be a non-empty list, got %s"):format(who, name,
            estimator.value_text(values)), 0)
      end
   end
end

-- All combinations; parameters are sorted by name, and the last one varies fastest.
local function expand(who, grid, out)
   M.check(who, grid)
   local names = sorted_keys(grid)
   local at = {}
   for i in ipairs(names) do at[i] = 1 end
   while true do
      local candidate = {}
      for i, name in ipairs(names) do candidate[name] = grid[name][at[i]] end
      out[#out + 1] = candidate
      local i = #names
      while i >= 1 and at[i] == #grid[names[i]] do
         at[i] = 1
         i = i - 1
      end
      if i == 0 then return end
      at[i] = at[i] + 1
   end
end

--- The candidates of a grid, or of a list of grids.
function M.from_grid(who, grid)
   if type(grid) ~= "table" or next(grid) == nil then
      error(("%s: grid must be { name = { value, ... }, ... }, got %s"):format(who,
         type(grid) == "table" and "an empty table" or type(grid)), 0)
   end
   local out = {}
   if #grid == 0 then
      expand(who, grid, out)
   else
      for _, one in ipairs(grid) do expand(who, one, out) end
   end
   return out
end

-- Check the range { kind, from, to } of a distribution; `positive`: 0 < from.
local function check_range(who, name, spec, positive)
   local a, b = spec[2], spec[3]
   local fits = type(a) == "number" and type(b) == "number" and a < b and (not positive or a > 0)
   if not fits then
      error(("%s: %s must be { \"%s\", from, to } with %sfrom < to"):format(who, name, spec[1],
         positive and "0 < " or ""), 0)
   end
   return a, b
end

local function check_integers(who, name, spec)
   local a, b = check_range(who, name, spec)
   if math.type(a) ~= "integer" or math.type(b) ~= "integer" then
      error(("%s: %s must be { \"integer\", from, to } of whole numbers"):format(who, name), 0)
   end
   return a, b
end

local ranges = {
   uniform = check_range,
   loguniform = function(who, name, spec) return check_range(who, name, spec, true) end,
   integer = check_integers,
}

-- { "unifrom", 0, 1 } is a misspelled distribution; { "scale", 0.1, 1 } is a list of three values.
local function refuse_misspelled(who, name, spec)
   if #spec ~= 3 or type(spec[1]) ~= "string" or type(spec[2]) ~= "number" or type(spec[3]) ~= "number" then return end
   local near = core.nearest(spec[1], { "uniform", "loguniform", "integer" })
   if not near then return end
   error(("%s: %s has no distribution %q; did you mean %q?"):format(who, name, spec[1], near), 0)
end

--- Read the distribution of a parameter: { kind = "uniform", "loguniform" or "integer", low =, high = },
-- { kind = "list", values = } or { kind = "function", draw = function(rng) }.
function M.distribution(who, name, spec)
   if type(spec) == "function" then return { kind = "function", draw = spec } end
   if type(spec) ~= "table" or #spec == 0 then
      error(("%s: %s must be a function(rng), a list, or { \"uniform\", \"loguniform\" or \"integer\", from, to }, got "
         .. "%s"):format(who, name, estimator.value_text(spec)), 0)
   end
   if ranges[spec[1]] and #spec == 3 and type(spec[2]) == "number" then
      local low, high = ranges[spec[1]](who, name, spec)
      return { kind = spec[1], low = low, high = high }
   end
   refuse_misspelled(who, name, spec)
   return { kind = "list", values = spec }
end

local draws = {
   uniform = function(d, rng) return rng:uniform(d.low, d.high) end,
   loguniform = function(d, rng) return math.exp(rng:uniform(math.log(d.low), math.log(d.high))) end,
   integer = function(d, rng) return rng:integer(d.low, d.high) end,
   list = function(d, rng) return d.values[rng:integer(1, #d.values)] end,
   ["function"] = function(d, rng) return d.draw(rng) end,
}

local function draw(who, name, spec, rng)
   local d = M.distribution(who, name, spec)
   return draws[d.kind](d, rng)
end

--- n random candidates of a grid of distributions. Candidate i depends on the seed and on first + i only.
function M.from_random(who, grid, n, seed, first)
   local out = {}
   if type(grid) ~= "table" or next(grid) == nil or #grid > 0 then
      error(who .. ": grid must be a table { name = distribution, ... }", 0)
   end
   local names = sorted_keys(grid)
   for i = 1, n do
      local rng = core.rng(seed, (first or 0) + i)
      out[i] = {}
      for _, name in ipairs(names) do out[i][name] = draw(who, name, grid[name], rng) end
   end
   return out
end

return M
