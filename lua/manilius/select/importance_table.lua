--- The result of permutation and drop-column importance: a value for each column or group of columns and each repeat or
-- fold, their means with intervals, printed and drawn.

local core = require "manilius.core"
local paired = require "manilius.select.paired"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local show = require "manilius.metrics.text"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = {}

local Importance = { __name = "PermutationImportance" }
Importance.__index = Importance

local MAX_SHOWN = 30
local WHEN = { permutation = "%s is shuffled", drop = "the model is fitted without %s" }

-- "one column is shuffled", "the model is fitted without one column or group".
local function when(self, article)
   return WHEN[self.method]:format(article .. (self.groups and "column or group" or "column"))
end

function Importance.__tostring(self)
   local over = self.folds and "folds" or self.method == "permutation" and "shuffles"
   local t, lines = self.table, { { "", "importance", "sd", "95% interval" .. (over and " over " .. over or "") } }
   local function number(value) return text.number(value, 3) end
   for i = 1, math.min(#t.feature, MAX_SHOWN) do
      lines[i + 1] = { show.label(t.feature[i]), ("%.4g"):format(t.importance[i]), number(t.sd[i]),
         ("%s to %s"):format(number(t.low[i]), number(t.high[i])) }
   end
   local more = #t.feature - MAX_SHOWN
   return ("%s %.4g; %s when %s, mean of %s\n%s%s"):format(self.scoring, self.score,
      self.greater and "decrease" or "increase", when(self, "one "), text.plural(self.repeats, self.folds and "fold"
      or "repeat"), text.aligned(lines, { [4] = true }), more > 0 and ("\n... %d more"):format(more) or "")
end

--- The title and caption of a plot, and the ends of the error bars in the order of the features; nil without several
-- repeats. Over folds they are the intervals, over repeats of one model one standard deviation.
function M.picture(self)
   local whiskers = self.repeats > 1
   local low, high = self.low, self.high
   if not self.folds then low, high = self.importance - self.sd, self.importance + self.sd end
   local caption = ("%s in %s when %s."):format(self.greater and "Decrease" or "Increase", self.scoring,
      when(self, "a "))
   if whiskers then
      caption = caption .. (self.folds and " Error bars: 95% intervals over the folds."
         or " Error bars: one standard deviation over the repeats.")
   end
   return self.method == "drop" and "Drop-column importance" or "Permutation importance", caption,
      whiskers and low or nil, whiskers and high or nil
end

--- Bar plot of the most important columns, with error bars.
-- @param options { top = 20 }
-- @return Figure
function Importance:plot(options)
   options = require("manilius.options").check("plot", options, { top = true }, 2)
   local title, caption, low, high = M.picture(self)
   local at = core.Vector(self.order)
   return (require("manilius.plot").importance(self.table.feature:totable(), self.table.importance, { top = options.top,
      sort = false, low = low and low:take(at), high = high and high:take(at), title = title, caption = caption }))
end

-- The positions of the features by importance, largest first; ties keep the order of the columns.
local function order_of(key)
   local order = {}
   for j = 1, #key do order[j] = j end
   table.sort(order, function(a, b)
      if key[a] ~= key[b] then return key[a] > key[b] end
      return a < b
   end)
   return order
end

-- The 95% interval of the mean of values: over the repeats, or over folds whose training rows overlap.
local function interval(self, values)
   if #values < 2 then return 0 / 0, 0 / 0 end
   if self.folds then
      local zeros = {}
      for f = 1, #values do zeros[f] = 0 end
      local test = paired.test(values, zeros, paired.test_share(self.folds))
      if test.df >= 1 and test.sd == 0 then return test.difference, test.difference end
      return test.low, test.high
   end
   return validate.interval_of(values, {}, false)
end

--- Make the result of `self`: features, values (features x repeats), score, scoring, greater, method ("permutation" or
-- "drop"), seed, groups (name -> list of columns, or nil), folds (list of splits, if a column of values is that of a
-- fold).
function M.finish(self)
   local mean, sd, low, high = {}, {}, {}, {}
   for j = 1, #self.features do
      local values = self.values:row(j):totable()
      mean[j], sd[j] = validate.mean_sd(values)
      low[j], high[j] = interval(self, values)
   end
   self.repeats, self.order = self.values.cols, order_of(mean)
   self.importance, self.sd = core.Vector(mean), core.Vector(sd)
   self.low, self.high = core.Vector(low), core.Vector(high)
   local at = core.Vector(self.order)
   self.table = rows.frame({ "feature", "importance", "sd", "low", "high" }, { core.Factor(self.features):take(at),
      self.importance:take(at), self.sd:take(at), self.low:take(at), self.high:take(at) })
   return setmetatable(self, Importance)
end

--- Is it such a result?
function M.is(value)
   local meta = getmetatable(value)
   return type(meta) == "table" and meta.__name == Importance.__name -- also of a module loaded twice
end

-- --- columns and groups of columns ---

local function read_group(who, names, name, given)
   if type(name) ~= "string" then
      response_of.fail(who, "groups must be lists of columns by name, got the key %s", tostring(name))
   end
   if type(given) ~= "table" or #given == 0 then
      response_of.fail(who, "group '%s' must be a list of columns, got %s", name, type(given) == "table"
         and "an empty list" or require("manilius.metrics.parts").text(given))
   end
   local places, seen = {}, {}
   for i = 1, #given do
      local j = response_of.column_index(who, names, given[i])
      if seen[j] then
         response_of.fail(who, "group '%s' must have different columns, got '%s' twice", name, names[j])
      end
      places[i], seen[j] = j, true
   end
   table.sort(places)
   return { name = name, places = places }
end

--- The columns to measure together: a list of { name, places }, ordered by their first columns. Columns in no group are
-- measured alone.
-- groups: name -> list of columns, or nil
function M.parts(who, names, groups)
   if groups ~= nil and (type(groups) ~= "table" or next(groups) == nil) then
      response_of.fail(who, "groups must be lists of columns by name, as { size = { 1, 2 } }, got %s",
         type(groups) == "table" and "an empty table" or require("manilius.metrics.parts").text(groups))
   end
   local list, used, taken = {}, {}, {}
   for name, given in pairs(groups or {}) do
      local group = read_group(who, names, name, given)
      list[#list + 1], taken[name] = group, true
      for _, j in ipairs(group.places) do used[j] = true end
   end
   for j, name in ipairs(names) do
      if not used[j] then
         if taken[name] then response_of.fail(who, "group '%s' must not have the name of a column outside it", name) end
         list[#list + 1] = { name = name, places = { j } }
      end
   end
   table.sort(list, function(a, b)
      if a.places[1] ~= b.places[1] then return a.places[1] < b.places[1] end
      return a.name < b.name
   end)
   return list
end

--- The names of the parts, and the columns of each group by name; nil without groups.
function M.described(parts, names, groups)
   local features, columns = {}, {}
   for i, part in ipairs(parts) do
      features[i] = part.name
      if groups and groups[part.name] then
         local list = {}
         for k, j in ipairs(part.places) do list[k] = names[j] end
         columns[part.name] = list
      end
   end
   return features, groups and columns or nil
end

return M
