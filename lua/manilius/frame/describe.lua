--- describe: a frame with a summary of each column of a frame.
local core = require "manilius.core"
local base = require "manilius.frame"
local text = require "manilius.text"

local core_frame, call = core.frame, base.call_core
local NUMBERS = { "mean", "std", "min", "q25", "median", "q75", "max" }

local function type_of(column)
   if base.kind(column) == "Factor" then return "factor" end
   return column.whole and "whole" or "number"
end

-- Statistics of a numeric column. `all_rows`: the group of all rows.
local function numeric_summary(column, all_rows)
   local values = {}
   for i, summary in ipairs(call("describe", 4, core_frame.summarize, column, all_rows, NUMBERS)) do
      values[NUMBERS[i]] = summary[1]
   end
   return values
end

-- The number of levels and the most frequent one; ties are broken by the lowest index.
local function factor_summary(column)
   local counts = column:counts()
   local top, freq = nil, 0
   for i, count in pairs(counts) do
      if count > freq then top, freq = i, count end
   end
   local levels = column.levels
   return { levels = #levels, top = top and tostring(levels[top]), freq = top and freq }
end

--- One row per column: type, counts of present and missing values; for numbers mean, standard deviation (divisor
-- n - 1) and quartiles; for factors the number of levels, the most frequent level and its count.
local function describe(f, extra)
   if extra ~= nil then
      error("describe: takes no arguments; f:select { \"a\", \"b\" }:describe() describes some columns", 2)
   end
   local rows = base.rows(f)
   local all_rows = core_frame.single_group(rows)
   local lists, has_numbers, has_labels = {}, false, false
   local function put(name, i, value)
      lists[name] = lists[name] or { n = #f.names }
      lists[name][i] = value
   end
   for i, column in ipairs(f.columns) do
      local missing = core_frame.count_missing(column)
      put("column", i, f.names[i])
      put("type", i, type_of(column))
      put("count", i, rows - missing)
      put("missing", i, missing)
      local is_number = base.kind(column) == "Vector"
      has_numbers, has_labels = has_numbers or is_number, has_labels or not is_number
      local summary = is_number and numeric_summary(column, all_rows) or factor_summary(column)
      for name, value in pairs(summary) do put(name, i, value) end
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

local METHODS = { "pearson", "spearman", "kendall" }
local is_method = { pearson = true, spearman = true, kendall = true }

--- The correlations of the numeric columns, a frame with a row and a column for each; missing values are left out by
-- pairs.
-- options: method = "pearson" (default), "spearman" or "kendall"
local function corr(f, options)
   local method = base.check_options("corr", 2, options, { "method" }).method or "pearson"
   if not is_method[method] then
      error(("corr: method must be pearson, spearman or kendall, got '%s'%s"):format(tostring(method),
         text.near(method, METHODS)), 2)
   end
   local names, columns = {}, {}
   for i, column in ipairs(f.columns) do
      if base.kind(column) == "Vector" then names[#names + 1], columns[#columns + 1] = f.names[i], column end
   end
   if #names == 0 then error("corr: there must be a numeric column, got none", 2) end
   local matrix = core.hcat(table.unpack(columns))
   local r = call("corr", 2, matrix.corr, matrix, method)
   local out_names, out = { "column" }, { core.Factor(names) }
   for j, name in ipairs(names) do
      out_names[j + 1], out[j + 1] = name == "column" and "column_" or name, r:col(j):copy()
   end
   return (base.build(out_names, out, "corr", 2))
end

return { describe = describe, corr = corr }
