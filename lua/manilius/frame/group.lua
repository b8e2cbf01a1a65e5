--- Frames by groups of rows with the same keys. A missing key is a key of its own, after all others.
local core = require "manilius.core"
local base = require "manilius.frame"

local step, call = core.frame, base.call

--- What a column can be summarized by; the last ones need numbers.
local SUMMARIES = { "size", "count", "nunique", "first", "last", "min", "max", "sum", "mean", "var", "std", "q25",
   "median", "q75" }
local NEED_NUMBERS = { sum = true, mean = true, var = true, std = true, q25 = true, median = true, q75 = true }

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
   for i, name in ipairs(names) do columns[i] = f.columns[base.need(f, name, who, level + 1)] end
   return columns
end

local function groups_of(f, names, who, level)
   local rows, count = call(who, level + 1, step.group, key_columns(f, names, who, level + 1))
   return setmetatable({ frame = f, names = names, rows = rows, count = count }, group_meta)
end

--- The groups of rows that have the same values in these columns, ascending: f:group{ "city", "year" }.
local function group(f, ...)
   local names = base.names_of("group", 2, ...)
   if #names == 0 then error("group: a column expected, got none", 2) end
   return (groups_of(f, names, "group", 2))
end

-- The keys of each group as columns: those of its first row.
local function keys_of(g)
   local columns = {}
   for i, name in ipairs(g.names) do
      columns[i] = g.frame.columns[base.place(g.frame, name)]
   end
   return step.take(columns, step.first_rows(g.rows))
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
   if NEED_NUMBERS[what] and base.kind(column) == "Factor" then
      error(("aggregate: %s needs numbers, '%s' is a Factor"):format(what, name), level + 1)
   end
end

-- The rows of group i, for i = 1, 2, ...
local function members_of(g)
   local rows, starts = step.group_rows(g.rows)
   return function(i) return rows:slice(starts[i], starts[i + 1] - 1) end
end

-- One value a group: a function sees the values of a group as a column of their own.
local function by_function(g, column, f, name, level)
   local members, list = members_of(g), { n = g.count }
   for i = 1, g.count do list[i] = f(column:take(members(i))) end
   return (base.column(list, g.count, "aggregate", name, level + 1))
end

-- { age = "mean", n = { "income", "sum" } } as a list of new name, old name, summary, in the order of the new names.
local function plan_of(g, summaries, level)
   local plan = {}
   if type(summaries) ~= "table" then
      error(("aggregate: a table { name = summary } expected, got %s"):format(base.kind(summaries)), level + 1)
   end
   for name, what in pairs(summaries) do
      if type(name) ~= "string" then
         error(("aggregate: a table { name = summary } expected, got %s as a name"):format(base.kind(name)), level + 1)
      end
      local from = name
      if type(what) == "table" then from, what = what[1], what[2] end
      local at = base.need(g.frame, from, "aggregate", level + 1)
      check_summary(what, from, g.frame.columns[at], level + 1)
      plan[#plan + 1] = { name = name, at = at, what = what }
   end
   table.sort(plan, function(a, b)
      if a.at ~= b.at then return a.at < b.at end
      return a.name < b.name
   end)
   return plan
end

local function place_in(list, wanted)
   for i, one in ipairs(list) do
      if one == wanted then return i end
   end
end

-- All summaries of one column at once: its values are gathered by groups once.
local function summarize(g, plan, level)
   local whats, of_column = {}, {}
   for _, p in ipairs(plan) do
      if type(p.what) == "string" then
         local list = whats[p.at] or {}
         whats[p.at] = list
         p.place = place_in(list, p.what)
         p.again = p.place ~= nil
         if not p.again then
            p.place = #list + 1
            list[p.place] = p.what
         end
      end
   end
   for at, list in pairs(whats) do
      of_column[at] = call("aggregate", level + 1, step.summarize, g.frame.columns[at], g.rows, list)
   end
   for _, p in ipairs(plan) do
      local column = p.place and of_column[p.at][p.place]
      if p.again then column = column:take(core.range(g.count)) end -- asked for twice: not shared
      p.column = column or by_function(g, g.frame.columns[p.at], p.what, p.name, level + 1)
   end
end

--- One row for each group: its keys, then the summaries, in the order of the columns they come from.
-- @tparam table summaries { age = "mean", oldest = { "age", "max" }, spread = { "age", function(v) ... end } }: size
-- (rows), and of the values that are present count, nunique, first, last, min, max, sum, mean, var, std (n - 1), q25,
-- median, q75, or a function of the group's column
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
   columns[#columns + 1] = step.group_sizes(g.rows)
   return (base.build(names, columns, "size", 2))
end

--- for key, part in groups:each() do ... end: the keys of a group by name, and the frame of its rows.
function group_meta.each(g)
   local keys = base.new(g.names, keys_of(g))
   local members, i = members_of(g), 0
   return function()
      i = i + 1
      if i > g.count then return nil end
      return keys:row(i), g.frame:take(members(i))
   end
end

group_meta.__len = function(g) return g.count end

group_meta.__tostring = function(g)
   return ("%d groups of %d rows by %s"):format(g.count, base.rows(g.frame), table.concat(g.names, ", "))
end

--- How often each value of a column occurs: a frame of the value and `count`, the most frequent first, equal ones in
-- their order; missing ones, if any, come last.
local function value_counts(f, name)
   local g = groups_of(f, { name }, "value_counts", 2)
   local count, key = g.count, keys_of(g)[1]
   local counts = step.group_sizes(g.rows)
   local order_by = counts:copy()
   if count > 0 and step.count_missing(key) > 0 then order_by[count] = 0 / 0 end -- the last group, and so the last row
   local rows = step.order({ order_by }, { true })
   local other = name == "count" and "n" or "count"
   return base.new({ name, other }, step.take({ key, counts }, rows))
end

local function name_of(label)
   if label == nil or label ~= label then return "missing" end
   return tostring(label)
end

--- How often values of two columns meet: a row for each value of `a`, a column for each value of `b`, called by it.
local function crosstab(f, a, b)
   local by_a, by_b = groups_of(f, { a }, "crosstab", 2), groups_of(f, { b }, "crosstab", 2)
   local rows, cols = keys_of(by_a)[1], keys_of(by_b)[1]
   local names, columns = { a }, { rows }
   for j, column in ipairs(step.crosstab(by_a.rows, by_b.rows)) do
      names[j + 1], columns[j + 1] = name_of(cols[j]), column
   end
   return (base.build(names, columns, "crosstab", 2))
end

return { group = group, value_counts = value_counts, crosstab = crosstab }
