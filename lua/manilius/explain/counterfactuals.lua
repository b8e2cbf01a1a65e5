--- Counterfactuals: the smallest changes of a row after which a fitted model gives another class, or a prediction
-- within a range (Wachter, Mittelstadt & Russell, Harvard Journal of Law & Technology 31, 2018).
--
-- The distance is theirs: the sum over the columns of |change| / median absolute deviation, and 1 for another level of
-- a factor. The search is genetic and starts from changes of single columns, as in GeCo (Schleich et al., VLDB 14,
-- 2021); see manilius.explain.change_search.

local core = require "manilius.core"
local response_of = require "manilius.explain.response"
local row_of = require "manilius.explain.row"
local rows = require "manilius.rows"
local search = require "manilius.explain.change_search"
local show = require "manilius.metrics.text"
local space_of = require "manilius.explain.change_space"
local target_of = require "manilius.explain.change_target"
local text = require "manilius.text"

local M = { help = {} }

local WHO, ANSWERS, MAX_SHOWN = "counterfactuals", 3, 40

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- --- the result ---

local Counterfactuals = { __name = "Counterfactuals" }
Counterfactuals.__index = Counterfactuals

local function value_text(value)
   return type(value) == "number" and ("%.6g"):format(value) or show.label(value)
end

function Counterfactuals.__tostring(self)
   local head = ("row: %s; target: %s"):format(value_text(self.predicted), self.wanted)
   if self.found == 0 then return head .. "\n" .. self.reason end
   local lines, t = { { "", "distance", self.response, "column", "change" } }, self.changes
   for i = 1, math.min(t.rows, MAX_SHOWN) do
      local answer = t.answer[i]
      local first = i == 1 or t.answer[i - 1] ~= answer
      lines[#lines + 1] = { first and ("%d"):format(answer) or "", first and ("%.4g"):format(self.distance[answer])
         or "", first and ("%.4g"):format(self.predictions[answer]) or "", show.label(t.column[i]),
         t.from[i] .. " -> " .. t.to[i] }
   end
   local few = self.found < self.asked and ("\nno %s that changes other columns"):format(
      self.found == 1 and "second answer" or "further answer") or ""
   return head .. "\n" .. text.aligned(lines, { [4] = true, [5] = true })
      .. (t.rows > MAX_SHOWN and ("\n... %d more changes"):format(t.rows - MAX_SHOWN) or "") .. few
end

--- Bar plot of the changes, in units of their cost: one color for each answer.
-- @return Figure
function Counterfactuals:plot()
   if self.found == 0 then error("counterfactuals: nothing to draw: " .. self.reason, 2) end
   local place, ticks, layers, t = {}, {}, {}, self.changes
   for i = 1, t.rows do
      if not place[t.column[i]] then
         ticks[#ticks + 1] = { #ticks + 1, ("%s = %s"):format(t.column[i], t.from[i]) }
         place[t.column[i]] = #ticks
      end
   end
   local width, low, high = 0.8 / self.found, math.min(0, t.change:min()), math.max(0, t.change:max())
   local margin = 0.2 * (high - low) -- for the labels of the bars
   for answer = 1, self.found do
      local at, size, labels = {}, {}, {}
      for i = 1, t.rows do
         if t.answer[i] == answer then
            at[#at + 1] = place[t.column[i]] + (answer - (self.found + 1) / 2) * width
            size[#size + 1], labels[#labels + 1] = t.change[i], t.to[i]
         end
      end
      layers[answer] = { kind = "bars", x = at, y = size, horizontal = true, width = 0.9 * width, color = answer,
         labels = labels, name = ("answer %d: %s %.3g"):format(answer, self.response, self.predictions[answer]) }
   end
   layers[#layers + 1] = { kind = "rule", at_x = 0, color = "black", dash = "solid", width = 1 }
   local panel = { x = "change, in units of its cost", x_range = { low < 0 and low - margin or 0,
      high > 0 and high + margin or 0 }, y_ticks = ticks, y_range = { #ticks + 0.6, 0.4 }, legend = true,
      legend_position = "below", layers = layers }
   return require("manilius.plot").Figure { title = "Counterfactuals", panels = { panel },
      height = math.max(280, 170 + 30 * t.rows), caption = ("Changes of a row for %s."):format(self.wanted) }
end

-- --- the search ---

-- Two different values as texts, with as many digits as tell them apart.
local function texts_of(from, to)
   local first, second, digits = value_text(from), value_text(to), 6
   while first == second and digits < 17 and type(from) == "number" do
      digits = digits + 1
      local form = ("%%.%dg"):format(digits)
      first, second = form:format(from), form:format(to)
   end
   return first, second
end

local function changes_of(space, answers)
   local answer, column, from, to, change = {}, {}, {}, {}, {}
   for a, entry in ipairs(answers) do
      for j = 1, #space.row do
         local value = entry.row:get(1, j)
         if value ~= space.row[j] then
            local k = #answer + 1
            answer[k], column[k] = a, space.names[j]
            from[k], to[k] = texts_of(space.given[j][1], space:value(entry.row, 1, j))
            change[k] = space:is_number(j) and (value - space.row[j]) / space.scale[j] or 1
         end
      end
   end
   return rows.frame({ "answer", "column", "from", "to", "change" }, { core.Vector(answer), core.Factor(column),
      core.Factor(from), core.Factor(to), core.Vector(change) })
end

local function column_of(answers, name)
   local out = {}
   for a, entry in ipairs(answers) do out[a] = entry[name] end
   return core.Vector(out)
end

local function counterfactuals(model, X, given, options)
   response_of.check_model(WHO, model)
   X = rows.x(WHO, X, 0)
   if rows.count(X) < 2 then
      fail("X must have at least two rows, got %d; give the training rows, which limit the changes", rows.count(X))
   end
   if given == nil then fail("row must be given: counterfactuals(model, X, row)") end
   local columns, names, assemble = response_of.columns(WHO, model, X)
   local row = row_of.read(WHO, columns, names, given)
   local n = response_of.whole(WHO, "n", options.n or ANSWERS, 1)
   local seed = response_of.whole(WHO, "seed", options.seed or 0, 0)
   local space = space_of.new(columns, names, row, options)
   local target = target_of.new(model, assemble(row), options)
   if target.measure(assemble(row))[1] == 1 then
      fail("row has %s already; choose another target", target.name)
   end
   local answers, about = search.run(space, columns, assemble, target, n, seed)
   local self = { wanted = target.name, predicted = target.predicted, response = target.response, asked = n,
      found = #answers, distance = column_of(answers, "cost"), predictions = column_of(answers, "shown"),
      evaluations = about.evaluations, complete = about.complete, features = names }
   if #answers == 0 then
      self.reason = ("no counterfactual found among %d rows%s: the nearest has a %s of %.4g; widen limits, or make "
         .. "fewer columns immutable"):format(about.evaluations, about.complete and ", which are all that are permitted"
         or "", target.response, about.nearest and about.nearest.shown or 0 / 0)
   else
      local list = {}
      for a, entry in ipairs(answers) do list[a] = entry.row end
      self.rows = assemble(space:decode(core.vcat(table.unpack(list))))
      self.changes = changes_of(space, answers)
   end
   return setmetatable(self, Counterfactuals)
end

M.help.counterfactuals = {
   name = WHO, args = { "model", "X", "row" },
   brief = "Smallest changes of a row that give another class or a prediction in a range.",
   formula = "min sum_j |x_j - row_j| / MAD_j + sum over factors [x_j ~= row_j], subject to f(x) in the target",
   returns = "an object that prints the changes: found (number of answers), rows (X of the changed rows), changes "
      .. "(Frame: answer, column, from, to, change), distance, predictions (Vectors), reason (why none was "
      .. "found); :plot()",
   options = {
      target = "desired class (default: the other of two); for regressors the range { from, to }, either of which may "
         .. "be infinite",
      min_probability = "minimum probability of the class; default: the class must be predicted",
      n = "maximum number of answers, which change different columns; default 3",
      immutable = "list of columns that must not change",
      limits = "by column: { from, to } or a list of levels; default: the range and the levels in X",
      integers = "list of columns of whole numbers; default: all columns of X that hold only these",
      scale = 'change that costs 1: "mad", the median absolute deviation in X (default), "std" or "range"',
      distance = '"l1" (default) adds the costs, "l2" is the square root of the sum of their squares',
      sparsity = "additional cost of each changed column; default 0",
      output = "number of the target, if there are several; default 1",
      seed = "seed of the search; default 0",
   },
   notes = "row is a row number of X, a row of numbers, values by name or an X of one row. An answer is left out if "
      .. "it changes all columns of a cheaper answer, or more than half of them and no others. Spaces of at most "
      .. "20,000 rows are searched completely, larger ones by a genetic search that can miss the nearest row. The "
      .. "standard deviation replaces a MAD of 0. A different prediction does not imply a different outcome.",
   source = "Wachter, Mittelstadt & Russell (2018); Schleich et al., VLDB 14 (2021)",
   example = [[
local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local model = ml.DecisionTreeClassifier { max_depth = 4 }:fit(X, y)
print(ml.counterfactuals(model, X, 1))]],
}

--- Smallest changes of a row after which the prediction of a fitted model meets a target; see M.help.
function M.counterfactuals(model, X, row, options)
   options = require("manilius.options").check(WHO, options, M.help.counterfactuals.options, 2)
   return (rows.rethrow(2, pcall(counterfactuals, model, X, row, options)))
end

return M
