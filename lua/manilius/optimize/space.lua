--- Spaces of parameters for Bayesian optimization: points as rows of numbers for a Gaussian process.
--
-- A position is a list of one number for each dimension: the value, or the place of the value in its list. In rows,
-- numbers are scaled to [0, 1] and lists are one-hot. Integers and lists enter the rows at the values that are
-- measured (Garrido-Merchan & Hernandez-Lobato, Neurocomputing 380, 2020).

local candidates = require "manilius.select.candidates"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local text = require "manilius.text"

local M = {}

local Space = {}
Space.__index = Space

-- --- dimensions ---

-- A value of [low, high] as a number of [0, 1], and back.
local function scaled(d, value)
   if d.kind == "loguniform" then return math.log(value / d.low) / math.log(d.high / d.low) end
   return (value - d.low) / (d.high - d.low)
end

local function unscaled(d, u)
   u = math.min(math.max(u, 0), 1)
   if d.kind == "integer" then return d.low + math.floor(u * (d.high - d.low) + 0.5) end
   local value = d.low + u * (d.high - d.low)
   if d.kind == "loguniform" then value = d.low * math.exp(u * math.log(d.high / d.low)) end
   return math.min(math.max(value, d.low), d.high)
end

-- The value of a dimension for u, uniform on [0, 1): all integers and all values of lists have the same probability.
local function at(d, u)
   if d.kind == "list" then return 1 + math.min(math.floor(u * #d.values), #d.values - 1) end
   if d.kind ~= "integer" then return unscaled(d, u) end
   return d.low + math.min(math.floor(u * (d.high - d.low + 1)), d.high - d.low)
end

local function size_of(d)
   if d.kind == "list" then return #d.values end
   return d.kind == "integer" and d.high - d.low + 1.0 or math.huge
end

local function list_of(who, grid)
   local list = {}
   if type(grid) ~= "table" or next(grid) == nil then
      error(("%s: space must be { name = distribution, ... } or a list of distributions, got %s"):format(who,
         type(grid) == "table" and "an empty table" or estimator.value_text(grid)), 0)
   end
   if #grid == 0 then
      for _, name in ipairs(text.sorted_keys(grid)) do list[#list + 1] = { name, grid[name] } end
      return list
   end
   for j, spec in ipairs(grid) do
      list[j] = { type(spec) == "table" and rawget(spec, "name") or ("x%d"):format(j), spec }
   end
   return list
end

--- Read a space: { name = distribution, ... }, or a list of distributions, whose names are x1, x2, ... or their field
-- `name`. Distributions are those of RandomSearch without functions.
function M.new(who, grid)
   local space, seen = setmetatable({ who = who, size = 1, width = 0 }, Space), {}
   for j, named in ipairs(list_of(who, grid)) do
      local name, spec = named[1], named[2]
      if type(name) ~= "string" or seen[name] then
         error(("%s: names of the space must be different strings, got %s"):format(who, estimator.value_text(name)), 0)
      end
      local d = candidates.distribution(who, name, spec)
      if d.kind == "function" then
         error(("%s: %s must be a list or { \"uniform\", \"loguniform\" or \"integer\", from, to }, got a "
            .. "function"):format(who, name), 0)
      end
      d.name, seen[name], space[j] = name, true, d
      space.size = space.size * size_of(d)
      space.width = space.width + (d.kind == "list" and #d.values or 1)
   end
   return space
end

-- --- points ---

--- The point { name = value, ... } of a position.
function Space:point(position)
   local point = {}
   for j, d in ipairs(self) do
      point[d.name] = position[j]
      if d.kind == "list" then point[d.name] = d.values[position[j]] end
   end
   return point
end

local function place_in(values, value)
   for i, one in ipairs(values) do
      if one == value and math.type(one) == math.type(value) then return i end
   end
   for i, one in ipairs(values) do
      if one == value then return i end
   end
end

local function position_of(who, d, value)
   if d.kind == "list" then
      return place_in(d.values, value)
         or error(("%s: %s must be a value of its list, got %s"):format(who, d.name, estimator.value_text(value)), 0)
   end
   local whole = d.kind ~= "integer" or math.tointeger(value)
   if type(value) ~= "number" or not (value >= d.low and value <= d.high) or not whole then
      error(("%s: %s must be %s from %s to %s, got %s"):format(who, d.name,
         d.kind == "integer" and "a whole number" or "a number", text.number(d.low), text.number(d.high),
         estimator.value_text(value)), 0)
   end
   return d.kind == "integer" and math.tointeger(value) or value
end

--- The position of a point; an error if it is not in the space.
function Space:position(point)
   if type(point) ~= "table" then
      error(("%s: a point must be a table { name = value, ... }, got %s"):format(self.who, type(point)), 0)
   end
   local position, count = {}, 0
   for j, d in ipairs(self) do position[j] = position_of(self.who, d, rawget(point, d.name)) end
   for _ in next, point do count = count + 1 end
   if count ~= #self then
      error(("%s: a point must have %s, got %d"):format(self.who, text.plural(#self, "value"), count), 0)
   end
   return position
end

--- A text that tells different positions apart.
function Space:key(position)
   local parts = {}
   for j in ipairs(self) do parts[j] = ("%.17g"):format(position[j]) end
   return table.concat(parts, " ")
end

--- The rows of positions for the Gaussian process.
function Space:matrix(positions)
   local list = {}
   for i, position in ipairs(positions) do
      local row = {}
      for j, d in ipairs(self) do
         if d.kind == "list" then
            for level = 1, #d.values do row[#row + 1] = level == position[j] and 1 or 0 end
         else
            row[#row + 1] = scaled(d, position[j])
         end
      end
      list[i] = row
   end
   return core.Matrix(list)
end

-- --- positions to try ---

function Space:draw(rng)
   local position = {}
   for j, d in ipairs(self) do position[j] = at(d, rng:uniform()) end
   return position
end

-- The positive root of x^(d + 1) = x + 1.
local function recurrence_base(d)
   local x = 2
   for _ = 1, 60 do x = (1 + x) ^ (1 / (d + 1)) end
   return x
end

--- Position i of a quasi-random sequence with a random shift: additive recurrence with the powers of 1 / x, where
-- x^(d + 1) = x + 1 (Roberts 2018).
function Space:quasi_random(i, seed)
   local rng, position, base = core.rng(seed, 0), {}, recurrence_base(#self)
   for j, d in ipairs(self) do position[j] = at(d, (rng:uniform() + i * base ^ -j) % 1) end
   return position
end

--- A position near another one: some dimensions moved by normal steps of this size on [0, 1], lists drawn again.
function Space:near(position, step, rng)
   local moved, forced = {}, rng:integer(1, #self)
   for j, d in ipairs(self) do
      moved[j] = position[j]
      if j == forced or rng:uniform() < 0.5 then
         if d.kind == "list" then
            if rng:uniform() < 0.3 then moved[j] = rng:integer(1, #d.values) end
         else
            local least = d.kind == "integer" and 0.7 / (d.high - d.low) or 0
            moved[j] = unscaled(d, scaled(d, position[j]) + math.max(step, least) * rng:normal())
         end
      end
   end
   return moved
end

--- All positions of a finite space, in order.
function Space:all()
   local list = { {} }
   for j, d in ipairs(self) do
      local longer = {}
      for _, before in ipairs(list) do
         for k = d.low or 1, d.high or #d.values do
            local position = table.move(before, 1, j - 1, 1, {})
            position[j] = k
            longer[#longer + 1] = position
         end
      end
      list = longer
   end
   return list
end

return M
