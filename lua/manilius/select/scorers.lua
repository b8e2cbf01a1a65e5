--- Scorers for cross-validation and search.
--
-- A scorer is { name, fn = function(y, output, options) -> number, needs = "predict" | "proba" | "decision" | "x" |
-- "density", greater = true if higher is better }. options holds `classes` (labels in the order of the columns of
-- `output`), `weights` and `lengths` (rows of each query). A scorer that needs "x" is called with X instead of y and
-- with the predicted clusters, one that needs "density" with the log densities. Values are not negated: a mean squared
-- error is positive, and lower is better. `given` is fn if it comes from the user, `given_positive` the positive class.

local core = require "manilius.core"
local rows = require "manilius.rows"

local M = {}

local function by_name(who, name, level)
   local all = require("manilius.metrics").scorers
   local found = all[name]
   if found then
      return { name = name, fn = found.fn, needs = found.needs or "predict", greater = found.greater,
         positive = found.positive }
   end
   local names = {}
   for one in pairs(all) do names[#names + 1] = one end
   table.sort(names)
   local near = core.nearest(tostring(name), names)
   error(("%s: there is no score '%s'; %s"):format(who, tostring(name), near and ("did you mean '%s'?"):format(near)
      or "known scores are " .. table.concat(names, ", ")), level + 1)
end

local NEEDS = { predict = true, proba = true, decision = true, x = true, density = true }

local function from_table(who, name, value, level)
   if type(value.fn) ~= "function" or (value.needs and not NEEDS[value.needs]) then
      error(("%s: the scorer '%s' must be { fn = function(y, output, options), needs = \"predict\", "
         .. "\"proba\", \"decision\", \"x\" or \"density\", greater = true or false }"):format(who, name), level + 1)
   end
   return { name = name, fn = value.fn, needs = value.needs or "predict", greater = value.greater ~= false,
      given = value.fn }
end

-- The scorer with this positive class. Scores of decisions are those of the second class, so they change their sign for
-- the first.
local function with_positive(scorer, positive)
   if not scorer.positive then return scorer end
   local inner = scorer.fn
   local function fn(y, output, options)
      local classes = options and options.classes
      if classes and #classes == 2 and scorer.needs == "decision" and classes[1] == positive then output = -output end
      local given = { positive = positive }
      for name, value in pairs(options or {}) do given[name] = value end
      return (inner(y, output, given))
   end
   return { name = scorer.name, fn = fn, needs = scorer.needs, greater = scorer.greater, given_positive = positive,
      given = scorer.given }
end

--- The positive class of scores of one class: that which scoring gives, else the second of two labels of y. nil: no
-- score of the list has one.
function M.positive_class(list, y)
   for _, scorer in ipairs(list) do
      if scorer.given_positive ~= nil then return scorer.given_positive end
      if scorer.positive and rows.kind(y) == "Factor" and #y.levels == 2 then return y.levels[2] end
   end
   return nil
end

-- Several scores may share a positive class; those of all classes ignore it. At least one must use it.
local function all_with_positive(who, list, positive, level)
   local out, uses, names = {}, false, {}
   for i, scorer in ipairs(list) do
      out[i], names[i] = with_positive(scorer, positive), ("'%s'"):format(scorer.name)
      uses = uses or scorer.positive
   end
   if not uses then
      error(("%s: positive is for scores of one class, such as precision, recall, f1 and roc_auc, got %s"):format(who,
         table.concat(names, ", ")), level + 1)
   end
   return out
end

local function resolve_one(who, name, value, level)
   if type(value) == "string" then
      local made = by_name(who, value, level + 1)
      if type(name) == "string" then made.name = name end
      return made
   end
   if type(value) == "table" and type(value[1]) == "string" and value.positive ~= nil and #value == 1 then
      return all_with_positive(who, { resolve_one(who, name, value[1], level + 1) }, value.positive, level + 1)[1]
   end
   name = type(name) == "string" and name or "score"
   if type(value) == "function" then return { name = name, fn = value, needs = "predict", greater = true,
      given = value } end
   if type(value) == "table" then return (from_table(who, name, value, level + 1)) end
   error(("%s: scoring must be a name, a function or a table of them, got %s"):format(who, type(value)), level + 1)
end

--- The smallest and largest possible value of a score: losses are >= 0, other scores <= 1, and classification scores
-- are >= 0 except for chance-corrected ones. Unknown scores: -inf, inf.
function M.limits(name)
   local known = require("manilius.metrics").scorers[name]
   if not known or known.kind == "cluster" or known.kind == "density" then return -math.huge, math.huge end
   if not known.greater then return 0, math.huge end
   local beyond_chance = name == "mcc" or name:find "^kappa"
   return (known.kind == "classify" or known.kind == "rank") and (beyond_chance and -1 or 0) or -math.huge, 1
end

--- An interval clipped to the limits of the score, which Student's t ignores. The interval always contains the value,
-- even if a user-defined score exceeds the limits of the built-in score of that name.
function M.within_limits(name, value, low, high)
   local min, max = M.limits(name)
   if low ~= low then return low, high end
   return math.max(low, math.min(min, value)), math.min(high, math.max(max, value))
end

--- The list of scorers for a name, a list of names, a function(y, predicted, options) for which higher is better, a
-- scorer, or a table of them by name. `positive` in a list sets the positive class of its scores; a list may contain
-- { "f1", positive = label }. nil: `default`.
function M.resolve(who, scoring, default, level)
   level = (level or 1) + 1
   if scoring == nil then scoring = default end
   if type(scoring) ~= "table" or scoring.fn then return { resolve_one(who, nil, scoring, level) } end
   local list, names = {}, {}
   for i, value in ipairs(scoring) do list[i] = resolve_one(who, nil, value, level) end
   for name in pairs(scoring) do
      if type(name) == "string" and name ~= "positive" then names[#names + 1] = name end
   end
   table.sort(names)
   for _, name in ipairs(names) do list[#list + 1] = resolve_one(who, name, scoring[name], level) end
   if #list == 0 then error(who .. ": scoring must name at least one score", level) end
   if scoring.positive ~= nil then return (all_with_positive(who, list, scoring.positive, level)) end
   return list
end

return M
