--- Scores by name, for cross-validation and search.
--
-- A scorer is { name, fn = function(y, output, options) -> number, needs = "predict" | "proba" | "decision",
-- greater = is more better? }. options holds `classes` (labels in the order of the columns of `output`) and `weights`.
-- Values are the natural ones: a mean squared error is positive, and lower is better.
-- @module manilius.scorers

local core = require "manilius.core"
local rows = require "manilius.rows"

local M = {}

local function mean(values, weights)
   if not weights then return values:mean() end
   return values:dot(weights) / weights:sum()
end

local function as_factor(y)
   return rows.kind(y) == "Factor" and y or core.Factor(y)
end

local function hits(y, predicted)
   y, predicted = as_factor(y):totable(), as_factor(predicted):totable()
   local out = {}
   for i = 1, #predicted do out[i] = y[i] ~= nil and y[i] == predicted[i] and 1.0 or 0.0 end
   return core.Vector(out)
end

local function accuracy(y, predicted, options)
   return mean(hits(y, predicted), options.weights)
end

local function as_vector(y)
   return rows.kind(y) == "Matrix" and y:flatten() or rows.kind(y) == "Vector" and y or core.Vector(y)
end

local function mse(y, predicted, options)
   return mean((as_vector(y) - as_vector(predicted)):square(), rows.kind(y) == "Vector" and options.weights or nil)
end

local function r2(y, predicted, options)
   y = as_vector(y)
   local center = mean(y, options.weights)
   local total = mean((y - center):square(), options.weights)
   local rest = mse(y, predicted, options)
   if total == 0 then return rest == 0 and 1.0 or 0.0 end
   return 1 - rest / total
end

local function log_loss(y, proba, options)
   local place, out = {}, {}
   for c, label in ipairs(options.classes) do place[label] = c end
   y = as_factor(y)
   for i = 1, #y do
      local c = place[y[i]]
      out[i] = -math.log(math.max(c and proba:get(i, c) or 0, 2.0 ^ -52))
   end
   return mean(core.Vector(out), options.weights)
end

local plain = {
   accuracy = { fn = accuracy, needs = "predict", greater = true },
   r2 = { fn = r2, needs = "predict", greater = true },
   mse = { fn = mse, needs = "predict", greater = false },
   log_loss = { fn = log_loss, needs = "proba", greater = false },
}

--- All scorers by name: those of ml.metrics where it has some.
local function known()
   local ok, metrics = pcall(require, "manilius.metrics")
   if not ok and not tostring(metrics):find("module 'manilius.metrics' not found", 1, true) then error(metrics, 0) end
   return ok and metrics.scorers or plain
end

local function by_name(who, name, level)
   local all = known()
   local found = all[name]
   if found then return { name = name, fn = found.fn, needs = found.needs or "predict", greater = found.greater } end
   local names = {}
   for one in pairs(all) do names[#names + 1] = one end
   table.sort(names)
   local near = core.nearest and core.nearest(tostring(name), names)
   error(("%s: scoring must be one of %s, got '%s'%s"):format(who, table.concat(names, ", "), tostring(name),
      near and ("; did you mean '%s'?"):format(near) or ""), level + 1)
end

local NEEDS = { predict = true, proba = true, decision = true }

local function of_table(who, name, value, level)
   if type(value.fn) ~= "function" or (value.needs and not NEEDS[value.needs]) then
      error(("%s: the scorer '%s' must be { fn = function(y, output, options), needs = \"predict\", \"proba\" or "
         .. "\"decision\", greater = true or false }"):format(who, name), level + 1)
   end
   return { name = name, fn = value.fn, needs = value.needs or "predict", greater = value.greater ~= false }
end

local function one(who, name, value, level)
   if type(value) == "string" then
      local made = by_name(who, value, level + 1)
      if type(name) == "string" then made.name = name end
      return made
   end
   name = type(name) == "string" and name or "score"
   if type(value) == "function" then return { name = name, fn = value, needs = "predict", greater = true } end
   if type(value) == "table" then return of_table(who, name, value, level + 1) end
   error(("%s: scoring must be a name, a function or a table of them, got %s"):format(who, type(value)), level + 1)
end

--- A list of scorers: of a name, a list of names, a function(y, predicted, options) whose value is better when greater,
-- a scorer, or a table of them by name. nil: `default`.
function M.resolve(who, scoring, default, level)
   level = (level or 1) + 1
   if scoring == nil then scoring = default end
   if type(scoring) ~= "table" or scoring.fn then return { one(who, nil, scoring, level) } end
   local list, names = {}, {}
   for i, value in ipairs(scoring) do list[i] = one(who, nil, value, level) end
   for name in pairs(scoring) do
      if type(name) == "string" then names[#names + 1] = name end
   end
   table.sort(names)
   for _, name in ipairs(names) do list[#list + 1] = one(who, name, scoring[name], level) end
   if #list == 0 then error(who .. ": scoring must name at least one score", level) end
   return list
end

return M
