--- Bayesian optimization of a function: a Gaussian process of the values so far proposes the next point.

local proposal = require "manilius.optimize.proposal"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local spaces = require "manilius.optimize.space"
local text = require "manilius.text"
local validate = require "manilius.select.validate"
local whole = require "manilius.select.splitters".whole

local M = { help = {} }

local WHO = "minimize"

-- --- the result ---

local Minimum = { __name = "Minimum" }
Minimum.__index = Minimum

function Minimum.__tostring(self)
   local failed = self.failed > 0 and (", %d failed"):format(self.failed) or ""
   local lines = { ("minimum of %s%s%s: %s"):format(text.plural(self.n, "evaluation"), failed,
      self.stopped and ", " .. self.stopped or "", text.number(self.value, 6)) }
   for line in tostring(self.x):gmatch "[^\n]+" do lines[#lines + 1] = "  " .. line end
   return table.concat(lines, "\n")
end

--- Mean and standard error of the function at points by the Gaussian process.
-- @param points list of { name = value, ... }
-- @return Frame of mean and std_error
function Minimum:predict(points)
   return (rows.rethrow(2, pcall(function()
      if not self.model then error("Minimum:predict: there is no model, because too few points were measured", 0) end
      if type(points) ~= "table" or #points == 0 then
         error("Minimum:predict: points must be a list of { name = value, ... }, got "
            .. estimator.value_text(points), 0)
      end
      local positions = {}
      for i, point in ipairs(points) do positions[i] = self.space:position(point) end
      local mean, std_error = proposal.posterior(self.space, self.model, positions)
      return rows.frame({ "mean", "std_error" }, { mean, std_error })
   end)))
end

--- The best value so far, and the Gaussian process over one or two dimensions.
-- @return Figure
function Minimum:plot(options)
   return (require("manilius.plot").minimum(self, options or {}))
end

-- --- evaluations ---

local function new_state(space)
   return { space = space, positions = {}, values = {}, errors = {}, known = 0 }
end

local function record(state, position, value, message)
   local i = #state.positions + 1
   state.positions[i], state.values[i], state.errors[i] = position, value, message
   if value == value and not (state.best and state.values[state.best] <= value) then state.best = i end
end

-- Is it an error of Ctrl-C or of a fit that was cancelled?
local function is_interrupt(message)
   local line = type(message) == "string" and message or ""
   return line:find("interrupted", 1, true) ~= nil or line:find "^cancelled" ~= nil
end

-- Measure the function: the value, or nan and the reason why it failed.
local function measured(f, point)
   local ok, value = pcall(f, point)
   if not ok then
      if is_interrupt(value) then error(value, 0) end
      return 0 / 0, rows.recoverable_error(value)
   end
   if type(value) ~= "number" then
      error(("%s: f must return a number, got %s"):format(WHO, estimator.value_text(value)), 0)
   end
   if value ~= value or value == math.huge or value == -math.huge then
      return 0 / 0, ("f returned %s"):format(value ~= value and "nan" or value > 0 and "inf" or "-inf")
   end
   return value + 0.0
end

-- --- points given by the caller ---

local function add_known(state, x0, y0)
   if type(x0) ~= "table" or #x0 == 0 or type(x0[1]) ~= "table" then
      error(("%s: x0 must be a list of points { name = value, ... }, got %s"):format(WHO, estimator.value_text(x0)), 0)
   end
   local values = rows.kind(y0) == "Vector" and y0:totable() or y0
   if values ~= nil and (type(values) ~= "table" or #values ~= #x0) then
      error(("%s: y0 must be %s, one for each point of x0, got %s"):format(WHO, text.plural(#x0, "number"),
         type(values) == "table" and #values or estimator.value_text(values)), 0)
   end
   state.first = {}
   for i, point in ipairs(x0) do
      local position, value = state.space:position(point), values and values[i]
      if not values then
         state.first[i] = position
      elseif type(value) ~= "number" then
         error(("%s: y0[%d] must be a number, got %s"):format(WHO, i, estimator.value_text(value)), 0)
      else
         record(state, position, math.abs(value) < math.huge and value + 0.0 or 0 / 0)
      end
   end
   state.known = #state.positions
end

local function same_space(a, b)
   if #a ~= #b then return false end
   for j, d in ipairs(a) do
      local other = b[j]
      if d.name ~= other.name or d.kind ~= other.kind or d.low ~= other.low or d.high ~= other.high
         or d.kind == "list" and #d.values ~= #other.values then
         return false
      end
   end
   return true
end

local function continue(state, earlier)
   if getmetatable(earlier) ~= Minimum then
      error(("%s: resume must be a result of ml.minimize, got %s"):format(WHO, estimator.value_text(earlier)), 0)
   end
   if not same_space(earlier.space, state.space) then
      error(WHO .. ": resume must be a result of the same space", 0)
   end
   for i, position in ipairs(earlier.positions) do
      record(state, position, earlier.values[i], earlier.errors[i])
   end
   state.known, state.first = earlier.known, earlier.first
end

-- --- the run ---

-- The next position: the points x0 without values come first.
local function next_position(state, settings)
   local count = #state.positions - state.known
   if state.first and state.first[count + 1] then return state.first[count + 1] end
   return proposal.next(state.space, settings, state.positions, state.values)
end

-- Why no more evaluations are started, by the limits max_seconds since `begin` and patience; nil: go on. The points
-- before the Gaussian process are not counted as attempts to improve.
local function over_budget(state, settings, begin)
   if settings.max_seconds and core.seconds() - begin >= settings.max_seconds then return "time is up" end
   if not (settings.patience and state.best) then return nil end
   local initial = math.max(settings.n_initial, state.known + (state.first and #state.first or 0))
   if #state.positions - math.max(state.best, initial) >= settings.patience then return "no improvement" end
end

local function evaluate(f, state, settings, n, report)
   local task <close> = progress.task(WHO, n)
   local space, begin = state.space, core.seconds()
   while #state.positions - state.known < n do
      local limit = over_budget(state, settings, begin)
      if limit then return limit end
      local position = next_position(state, settings)
      if not position then return "all points are measured" end
      local value, message = measured(f, space:point(position))
      record(state, position, value, message)
      local done, best = #state.positions - state.known, state.best and state.values[state.best]
      task:at(done, 1, best)
      local request = report and report(done, n, best)
      if request and done < n then return request == "stop" and "stopped" or "cancelled" end
   end
end

-- Run until the end, or until Ctrl-C, which keeps what was measured.
local function run(f, state, settings, n, report)
   local ok, stopped = pcall(evaluate, f, state, settings, n, report)
   if ok then return stopped end
   if not is_interrupt(stopped) or not state.best then error(stopped, 0) end
   rows.warn(("%s: interrupted after %d of %s; continue with the option resume"):format(WHO,
      #state.positions - state.known, text.plural(n, "evaluation")))
   return "interrupted"
end

local function trace_of(state)
   local names, columns, count = {}, {}, #state.positions
   local function add(name, column) names[#names + 1], columns[#columns + 1] = name, column end
   local points, best, failed = {}, { }, 0
   for i, position in ipairs(state.positions) do
      points[i] = state.space:point(position)
      local value, before = state.values[i], i > 1 and best[i - 1] or 0 / 0
      best[i] = (before ~= before or value < before) and value or before
      failed = failed + (value == value and 0 or 1)
   end
   for _, d in ipairs(state.space) do
      local values = {}
      for i in ipairs(points) do values[i] = points[i][d.name] end
      add(d.name, validate.value_column(values, count))
   end
   add("value", core.Vector(state.values))
   add("best", core.Vector(best))
   if next(state.errors) then
      local list = { n = count }
      for i, message in pairs(state.errors) do list[i] = message end
      add("error", core.Factor(list))
   end
   return rows.frame(names, columns), failed
end

local function result_of(state, settings, stopped)
   if not state.best then
      error(("%s: all %s failed: %s"):format(WHO, text.plural(#state.positions, "evaluation"),
         state.errors[#state.positions] or "y0 has no finite value"), 0)
   end
   local trace, failed = trace_of(state)
   local best = state.positions[state.best]
   return setmetatable({ x = options_of.named(state.space:point(best), "parameter"), value = state.values[state.best],
      index = state.best, n = #state.positions - state.known, failed = failed, stopped = stopped, trace = trace,
      model = proposal.surrogate(state.space, settings, state.positions, state.values), space = state.space,
      positions = state.positions, values = state.values, errors = state.errors, known = state.known,
      first = state.first }, Minimum)
end

M.help.minimize = {
   args = { "f", "space" },
   brief = "Minimize an expensive function by Bayesian optimization with a Gaussian process.",
   formula = "EI(x) = E max(best - f(x), 0) = s (z Phi(z) + phi(z)), z = (best - m(x)) / s",
   options = { n = "number of evaluations, >= 1, with those of resume; default 30",
      n_initial = "number of quasi-random points before the Gaussian process; default 2 per dimension, 5 to 20",
      acquisition = '"ei" (expected improvement, default) or "lcb" (lower confidence bound m - kappa s)',
      kappa = "number of standard deviations of lcb, >= 0; default 1.96", seed = "seed of the points; default 0",
      kernel = "a kernel over the scaled columns; default Constant * Matern { nu = 2.5 } with a length for each "
         .. "column + White",
      x0 = "list of points { name = value, ... } to measure first", y0 = "known values of f at x0, which is then not "
         .. "called there",
      resume = "an earlier result for the same space, to be continued",
      max_seconds = "seconds after which no more evaluations are started, > 0; default: no limit",
      patience = "stop after this many evaluations in a row without a better value, not counting the initial points, "
         .. ">= 1; default: never",
      on_iter = 'function(state) called with done and total evaluations and the best value as objective; may return '
         .. '"stop" or "cancel", which keep what was measured' },
   returns = "an object that prints its result: x (table of values by name), value, index, n, failed, stopped, trace "
      .. "(Frame: values, value, best so far), model; :predict(points), :plot()",
   notes = "space is { name = distribution, ... } as for RandomSearch: { \"uniform\", from, to }, { \"loguniform\", "
      .. "from, to }, { \"integer\", from, to } or a list of values. In a list of distributions the names are x1, x2, "
      .. "... f takes a table of values. An evaluation that raises an error or returns nan counts as the worst value "
      .. "found. No point is measured twice.",
   source = "Jones, Schonlau & Welch, J. Global Optim. 13 (1998); Garrido-Merchan & Hernandez-Lobato (2020)",
   example = [[
local function f(p) return (p.x - 2) ^ 2 + (p.kind == "a" and 0 or 1) end
local found = ml.minimize(f, { x = { "uniform", -5, 5 }, kind = { "a", "b" } }, { n = 15 })
print(found, found.trace)]],
}

local function add_limits(settings, options)
   settings.max_seconds, settings.patience = options.max_seconds, options.patience
   if settings.patience ~= nil then whole(WHO, "patience", settings.patience, 1) end
   local seconds = settings.max_seconds
   if seconds ~= nil and not (type(seconds) == "number" and seconds > 0) then
      error(("%s: max_seconds must be a number > 0, got %s"):format(WHO, estimator.value_text(seconds)), 0)
   end
end

local function minimize(f, grid, options)
   if type(f) ~= "function" then error(("%s: f must be a function, got %s"):format(WHO, type(f)), 0) end
   local n = options.n == nil and 30 or options.n
   whole(WHO, "n", n, 1)
   local space = spaces.new(WHO, grid)
   local settings, state = proposal.settings(WHO, space, options), new_state(space)
   if options.y0 ~= nil and options.x0 == nil then error(WHO .. ": y0 requires x0, got nil", 0) end
   if options.resume ~= nil then
      if options.x0 ~= nil then error(WHO .. ": x0 must not be given with resume, which has its points", 0) end
      continue(state, options.resume)
   elseif options.x0 ~= nil then
      add_known(state, options.x0, options.y0)
   end
   add_limits(settings, options)
   local report = options.on_iter ~= nil and progress.caller(WHO, options.on_iter) or nil
   return result_of(state, settings, run(f, state, settings, n, report))
end

--- Minimize a function by Bayesian optimization.
function M.minimize(f, space, options)
   options = options_of.check(WHO, options, M.help.minimize.options, 2)
   return (rows.rethrow(2, pcall(minimize, f, space, options)))
end

return M
