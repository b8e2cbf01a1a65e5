--- A frame that tells of the columns of another.
local core = require "manilius.core"
local base = require "manilius.frame"

local step, call = core.frame, base.call
local NUMBERS = { "mean", "std", "min", "q25", "median", "q75", "max" }

local function type_of(column)
   if base.kind(column) == "Factor" then return "factor" end
   return column.whole and "whole" or "number"
end

-- All rows as one group.
local function numbers_of(column, one)
   local values = {}
   for i, summary in ipairs(call("describe", 4, step.summarize, column, one, NUMBERS)) do
      values[NUMBERS[i]] = summary[1]
   end
   return values
end

-- The most frequent level; among equals the first.
local function labels_of(column)
   local counts = column:counts()
   local top, freq = nil, 0
   for i, count in pairs(counts) do
      if count > freq then top, freq = i, count end
   end
   local levels = column.levels
   return { levels = #levels, top = top and tostring(levels[top]), freq = top and freq }
end

--- One row for each column: its type, how many values are there and how many are missing; of numbers mean, standard
-- deviation (n - 1) and quartiles; of factors the number of levels, the most frequent one and how often it occurs.
local function describe(f)
   local rows = base.rows(f)
   local one = step.single_group(rows)
   local lists, has_numbers, has_labels = {}, false, false
   local function put(name, i, value)
      lists[name] = lists[name] or { n = #f.names }
      lists[name][i] = value
   end
   for i, column in ipairs(f.columns) do
      local missing = step.count_missing(column)
      put("column", i, f.names[i])
      put("type", i, type_of(column))
      put("count", i, rows - missing)
      put("missing", i, missing)
      local is_number = base.kind(column) == "Vector"
      has_numbers, has_labels = has_numbers or is_number, has_labels or not is_number
      for name, value in pairs(is_number and numbers_of(column, one) or labels_of(column)) do put(name, i, value) end
   end
   local names, values = { "column", "type", "count", "missing" }, {}
   if has_numbers then table.move(NUMBERS, 1, #NUMBERS, #names + 1, names) end
   if has_labels then table.move({ "levels", "top", "freq" }, 1, 3, #names + 1, names) end
   for i, name in ipairs(names) do values[i] = lists[name] or {} end
   for i, name in ipairs(names) do
      local is_label = name == "column" or name == "type" or name == "top"
      values[i] = is_label and core.Factor(values[i]) or values[i]
   end
   local out = base.build(names, values, "describe", 2)
   rawset(out, base.STYLE, { plain = true, wrap = true, rows = math.huge, digits = 4 })
   return out
end

return { describe = describe }
