--- Groups of rows with equal keys. Missing keys form a group of their own, after all others.
local core = require "manilius.core"
local base = require "manilius.frame"

local core_frame, call = core.frame, base.call_core

--- Summaries of a column, and those that require numbers.
local SUMMARIES = { "size", "count", "nunique", "first", "last", "min", "max", "sum", "mean", "var", "std", "q25",
   "median", "q75" }
local NUMERIC = { sum = true, mean = true, var = true, std = true, q25 = true, median = true, q75 = true }

local group_meta = { __name = "Groups" }
group_meta.__index = function(_, key)
   local method = rawget(group_meta, key)
   if method then return method end
   local near = type(key) == "string" and core.nearest(key, { "aggregate", "size", "each" })
   error(("Groups has no '%s'%s"):format(tostring(key), near and ("; did you mean '%s'?"):format(near)
      or "; there are aggregate, size, each"), 2)
end

local function key_columns(f, names, who, level)
   local columns = {}
   for i, name in ipairs(names) do columns[i] = f.columns[base.require_index(f, name, who, level + 1)] end
   return columns
end

local function groups_of(f, names, who, level)
   local rows, count = call(who, level + 1, core_frame.group, key_columns(f, names, who, level + 1))
   return setmetatable({ frame = f, names = names, rows = rows, count = count }, group_meta)
end

--- Group rows by the values of columns, in ascending order: f:group{ "city", "year" }.
local function group(f, ...)
   local names = base.name_list("group", 2, ...)
   if #names == 0 then error("group: expected at least one column name, got none", 2) end
   return (groups_of(f, names, "group", 2))
end

-- The key columns with one row per group.
local function keys_of(g)
   local columns = {}
   for i, name in ipairs(g.names) do
      columns[i] = g.frame.columns[base.index_of(g.frame, name)]
   end
   return core_frame.take(columns, core_frame.first_rows(g.rows))
end

local function check_summary(what, name, column, level)
   if type(what) == "function" then return end
   local known = false
   for _, one in ipairs(SUMMARIES) do known = known or one == what end
   if not known then
      local near = type(what) == "string" and core.nearest(what, SUMMARIES)
      error(("aggregate: the summary of '%s' must be one of %s or a function, got '%s'%s"):format(name,
         table.concat(SUMMARIES, ", "), tostring(what), near and ("; did you mean '%s'?"):format(near) or ""),
         level + 1)
   end
   if NUMERIC[what] and base.kind(column) == "Factor" then
      error(("aggregate: %s requires numbers, '%s' is a Factor"):format(what, name), level + 1)
   end
end

-- A function that returns the row indices of group i.
local function group_rows(g)
   local rows, starts = core_frame.group_rows(g.rows)
   return function(i) return rows:slice(starts[i], starts[i + 1] - 1) end
end

-- A summary by a user function, which is called with the values of each group as a column.
local function by_function(g, column, f, name, level)
   local rows_of, list = group_rows(g), { n = g.count }
   for i = 1, g.count do list[i] = f(column:take(rows_of(i))) end
   return (base.column(list, g.count, "aggregate", name, level + 1))
end

-- { age = "mean", n = { "income", "sum" } } as a list of { name =, at =, what = } in the order of the source columns.
local function plan_of(g, summaries, level)
   local plan = {}
   if type(summaries) ~= "table" then
      error(("aggregate: expected a table { name = summary }, got %s"):format(base.kind(summaries)), level + 1)
   end
   for name, what in pairs(summaries) do
      if type(name) ~= "string" then
         error(("aggregate: names of summaries must be strings, got %s"):format(base.kind(name)), level + 1)
      end
      local from = name
      if type(what) == "table" then from, what = what[1], what[2] end
      local at = base.require_index(g.frame, from, "aggregate", level + 1)
      check_summary(what, from, g.frame.columns[at], level + 1)
      plan[#plan + 1] = { name = name, at = at, what = what }
   end
   table.sort(plan, function(a, b)
      if a.at ~= b.at then return a.at < b.at end
      return a.name < b.name
   end)
   return plan
end

local function index_in(list, wanted)
   for i, one in ipairs(list) do
      if one == wanted then return i end
   end
end

-- Compute all summaries of a column in one pass.
local function summarize(g, plan, level)
   local requested, results = {}, {}
   for _, p in ipairs(plan) do
      if type(p.what) == "string" then
         local list = requested[p.at] or {}
         requested[p.at] = list
         p.index = index_in(list, p.what)
         p.is_repeated = p.index ~= nil
         if not p.is_repeated then
            p.index = #list + 1
            list[p.index] = p.what
         end
      end
   end
   for at, list in pairs(requested) do
      results[at] = call("aggregate", level + 1, core_frame.summarize, g.frame.columns[at], g.rows, list)
   end
   for _, p in ipairs(plan) do
      local column = p.index and results[p.at][p.index]
      if p.is_repeated then column = column:take(core.range(g.count)) end -- a copy: columns are not shared
      p.column = column or by_function(g, g.frame.columns[p.at], p.what, p.name, level + 1)
   end
end

--- One row per group: its keys, then the summaries in the order of their source columns.
-- summaries: { age = "mean", oldest = { "age", "max" }, spread = { "age", function(v) ... end } }. size is the number
-- of rows; count, nunique, first, last, min, max, sum, mean, var, std (divisor n - 1), q25, median and q75 ignore
-- missing values; a function gets the column of the group.
function group_meta.aggregate(g, summaries)
   local plan = plan_of(g, summaries, 2)
   local names, columns = table.move(g.names, 1, #g.names, 1, {}), keys_of(g)
   summarize(g, plan, 2)
   for _, p in ipairs(plan) do
      names[#names + 1], columns[#columns + 1] = p.name, p.column
   end
   return (base.build(names, columns, "aggregate", 2))
end

--- The number of rows of each group, in a column `size`.
function group_meta.size(g)
   local names, columns = table.move(g.names, 1, #g.names, 1, {}), keys_of(g)
   names[#names + 1] = "size"
   columns[#columns + 1] = core_frame.group_sizes(g.rows)
   return (base.build(names, columns, "size", 2))
end

--- for key, part in groups:each() do ... end: the keys of each group by name, and a frame of its rows.
function group_meta.each(g)
   local keys = base.new(g.names, keys_of(g))
   local rows_of, i = group_rows(g), 0
   return function()
      i = i + 1
      if i > g.count then return nil end
      return keys:row(i), g.frame:take(rows_of(i))
   end
end

group_meta.__len = function(g) return g.count end

group_meta.__tostring = function(g)
   return ("%d groups of %d rows by %s"):format(g.count, base.rows(g.frame), table.concat(g.names, ", "))
end

--- Counts of the values of a column: a frame of the value and `count`, by descending count, ties by ascending value;
-- missing values come last.
local function value_counts(f, name)
   if type(name) ~= "string" then
      error("value_counts: the column must be given by name, got " .. base.kind(name), 2)
   end
   local g = groups_of(f, { name }, "value_counts", 2)
   local count, key = g.count, keys_of(g)[1]
   local counts = core_frame.group_sizes(g.rows)
   local sort_key = counts:copy()
   if count > 0 and core_frame.count_missing(key) > 0 then sort_key[count] = 0 / 0 end -- missing values sort last
   local rows = core_frame.order({ sort_key }, { true })
   local other = name == "count" and "n" or "count"
   return base.new({ name, other }, core_frame.take({ key, counts }, rows))
end

local function name_of(label)
   if label == nil or label ~= label then return "missing" end
   return tostring(label)
end

--- The contingency table of two columns: a row for each value of `a`, a column named after each value of `b`.
local function crosstab(f, a, b, extra)
   if extra ~= nil then error("crosstab: takes the names of two columns and no options", 2) end
   local by_a, by_b = groups_of(f, { a }, "crosstab", 2), groups_of(f, { b }, "crosstab", 2)
   local rows, cols = keys_of(by_a)[1], keys_of(by_b)[1]
   local names, columns = { a }, { rows }
   for j, column in ipairs(core_frame.crosstab(by_a.rows, by_b.rows)) do
      names[j + 1], columns[j + 1] = name_of(cols[j]), column
   end
   return (base.build(names, columns, "crosstab", 2))
end

return { group = group, value_counts = value_counts, crosstab = crosstab }
