--- Two frames as one, by keys.
local core = require "manilius.core"
local base = require "manilius.frame"

local step, call = core.frame, base.call
local KINDS = { "inner", "left", "right", "outer" }
local OPTIONS = { "on", "left_on", "right_on", "how", "suffixes" }

local function common_names(f, g)
   local names = {}
   for _, name in ipairs(f.names) do
      if base.place(g, name) then names[#names + 1] = name end
   end
   return names
end

-- The names of the keys on both sides.
local function keys_of(f, g, options, level)
   local left, right = options.left_on or options.on, options.right_on or options.on
   if (options.left_on == nil) ~= (options.right_on == nil) then
      error("join: left_on and right_on go together", level + 1)
   end
   if left == nil then
      left = common_names(f, g)
      right = left
      if #left == 0 then error("join: the frames have no column name in common; give on", level + 1) end
   end
   left, right = base.names_of("join", level + 1, left), base.names_of("join", level + 1, right)
   if #left == 0 or #left ~= #right then
      error(("join: there must be as many keys on the right as on the left, %d, got %d"):format(#left, #right),
         level + 1)
   end
   return left, right
end

local function columns_of(f, names, level)
   local columns = {}
   for i, name in ipairs(names) do columns[i] = f.columns[base.need(f, name, "join", level + 1)] end
   return columns
end

local function check_kinds(left, right, left_names, right_names, level)
   for i, column in ipairs(left) do
      if base.kind(column) ~= base.kind(right[i]) then
         error(("join: key '%s' is a %s, '%s' on the right is a %s"):format(left_names[i], base.kind(column),
            right_names[i], base.kind(right[i])), level + 1)
      end
   end
end

local function kind_of(options, level)
   local how = options.how or "inner"
   for _, kind in ipairs(KINDS) do
      if how == kind then return how end
   end
   local near = type(how) == "string" and core.nearest(how, KINDS)
   error(("join: how must be one of %s, got '%s'%s"):format(table.concat(KINDS, ", "), tostring(how),
      near and ("; did you mean '%s'?"):format(near) or ""), level + 1)
end

local function suffixes_of(options, level)
   local suffixes = options.suffixes or { "_x", "_y" }
   if type(suffixes) ~= "table" or type(suffixes[1]) ~= "string" or type(suffixes[2]) ~= "string" then
      error("join: suffixes must be two texts", level + 1)
   end
   return suffixes
end

-- Names of a side: those that the other side has too, and that are not a key of both, get a suffix.
local function renamed(names, other, shared, suffix)
   local out, taken = {}, {}
   for _, name in ipairs(other) do taken[name] = true end
   for i, name in ipairs(names) do
      out[i] = taken[name] and not shared[name] and name .. suffix or name
   end
   return out
end

-- A key of both sides, from whichever has it.
local function either(left, right, left_rows, right_rows)
   local rows = step.coalesce_rows(left_rows, right_rows, #left)
   return step.take({ step.concat { left, right } }, rows)[1]
end

-- The right columns that are no key of both, and their names.
local function rest_of(g, shared)
   local names, columns = {}, {}
   for i, name in ipairs(g.names) do
      if not shared[name] then names[#names + 1], columns[#columns + 1] = name, g.columns[i] end
   end
   return names, columns
end

--- The rows of f and g whose keys are equal, every one with every one; a missing key equals a missing key.
-- The columns are those of f, then those of g; a key that is called the same on both sides is there once, other names
-- that both have get a suffix. Rows stand in the order of f (inner, left), of g (right), or of the keys (outer).
-- @tparam Frame g
-- @tparam table|nil options on: a name or names (all that both have); or left_on and right_on; how: "inner" (default),
-- "left", "right", "outer": rows that find no partner are kept, with missing values; suffixes ({ "_x", "_y" })
local function join(f, g, options)
   if not base.is(g) then error("join: a Frame expected, got " .. base.kind(g), 2) end
   options = base.option_of("join", 2, options, OPTIONS)
   local how, suffixes = kind_of(options, 2), suffixes_of(options, 2)
   local left_names, right_names = keys_of(f, g, options, 2)
   local left, right = columns_of(f, left_names, 2), columns_of(g, right_names, 2)
   check_kinds(left, right, left_names, right_names, 2)
   local left_rows, right_rows = call("join", 2, step.join, left, right, how)

   local shared = {}
   for i, name in ipairs(left_names) do
      if right_names[i] == name then shared[name] = i end
   end
   local names, columns = {}, call("join", 2, step.take, f.columns, left_rows, true)
   for i, name in ipairs(f.names) do
      local key = shared[name]
      if key and (how == "right" or how == "outer") then
         columns[i] = either(left[key], right[key], left_rows, right_rows)
      end
   end
   local rest, rest_columns = rest_of(g, shared)
   table.move(renamed(f.names, rest, shared, suffixes[1]), 1, #f.names, 1, names)
   table.move(renamed(rest, f.names, shared, suffixes[2]), 1, #rest, #names + 1, names)
   local taken = call("join", 2, step.take, rest_columns, right_rows, true)
   table.move(taken, 1, #taken, #columns + 1, columns)
   return (base.build(names, columns, "join", 2))
end

return { join = join }
