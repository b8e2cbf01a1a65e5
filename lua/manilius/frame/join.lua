--- Joins of two frames by key columns.
local core = require "manilius.core"
local base = require "manilius.frame"

local core_frame, call = core.frame, base.call_core
local KINDS = { "inner", "left", "right", "outer" }
local OPTIONS = { "on", "left_on", "right_on", "how", "suffixes" }

local function common_names(f, g)
   local names = {}
   for _, name in ipairs(f.names) do
      if base.index_of(g, name) then names[#names + 1] = name end
   end
   return names
end

-- The names of the key columns in f and in g.
local function keys_of(f, g, options, level)
   local left, right = options.left_on or options.on, options.right_on or options.on
   if (options.left_on == nil) ~= (options.right_on == nil) then
      error("join: left_on and right_on must be given together", level + 1)
   end
   if left == nil then
      left = common_names(f, g)
      right = left
      if #left == 0 then
         error("join: the frames have no column name in common; give on, or left_on and right_on", level + 1)
      end
   end
   left, right = base.name_list("join", level + 1, left), base.name_list("join", level + 1, right)
   if #left == 0 or #left ~= #right then
      error(("join: left_on and right_on must have the same number of names, got %d and %d"):format(#left, #right),
         level + 1)
   end
   return left, right
end

local function columns_of(f, names, level)
   local columns = {}
   for i, name in ipairs(names) do columns[i] = f.columns[base.require_index(f, name, "join", level + 1)] end
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
      error("join: suffixes must be a list of two strings", level + 1)
   end
   return suffixes
end

-- Append a suffix to the names that also occur in `other`, except shared keys.
local function renamed(names, other, shared, suffix)
   local out, taken = {}, {}
   for _, name in ipairs(other) do taken[name] = true end
   for i, name in ipairs(names) do
      out[i] = taken[name] and not shared[name] and name .. suffix or name
   end
   return out
end

-- A shared key column: from the left frame, or from the right for rows without a match.
local function merge_key(left, right, left_rows, right_rows)
   local rows = core_frame.coalesce_rows(left_rows, right_rows, #left)
   return core_frame.take({ core_frame.concat { left, right } }, rows)[1]
end

-- The names and columns of the right frame except shared keys.
local function other_columns(g, shared)
   local names, columns = {}, {}
   for i, name in ipairs(g.names) do
      if not shared[name] then names[#names + 1], columns[#columns + 1] = name, g.columns[i] end
   end
   return names, columns
end

--- All pairs of rows of f and g with equal keys; missing keys are equal.
-- The columns are those of f, then those of g. A key with the same name in both occurs once; other common names get a
-- suffix. Rows are in the order of f (inner, left), of g (right) or of the keys (outer).
-- options: on (a name or list of names; default all common names) or left_on and right_on; how: "inner" (default), or
-- "left", "right" and "outer", which keep rows without a match; suffixes (default { "_x", "_y" })
local function join(f, g, options)
   if not base.is(g) then error("join: expected a Frame, got " .. base.kind(g), 2) end
   options = base.check_options("join", 2, options, OPTIONS)
   local how, suffixes = kind_of(options, 2), suffixes_of(options, 2)
   local left_names, right_names = keys_of(f, g, options, 2)
   local left, right = columns_of(f, left_names, 2), columns_of(g, right_names, 2)
   check_kinds(left, right, left_names, right_names, 2)
   local left_rows, right_rows = call("join", 2, core_frame.join, left, right, how)

   local shared = {}
   for i, name in ipairs(left_names) do
      if right_names[i] == name then shared[name] = i end
   end
   local names, columns = {}, call("join", 2, core_frame.take, f.columns, left_rows, true)
   for i, name in ipairs(f.names) do
      local key = shared[name]
      if key and (how == "right" or how == "outer") then
         columns[i] = merge_key(left[key], right[key], left_rows, right_rows)
      end
   end
   local rest, rest_columns = other_columns(g, shared)
   table.move(renamed(f.names, rest, shared, suffixes[1]), 1, #f.names, 1, names)
   table.move(renamed(rest, f.names, shared, suffixes[2]), 1, #rest, #names + 1, names)
   local taken = call("join", 2, core_frame.take, rest_columns, right_rows, true)
   table.move(taken, 1, #taken, #columns + 1, columns)
   return (base.build(names, columns, "join", 2))
end

return { join = join }
