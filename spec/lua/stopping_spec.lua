--- A fit ends quickly whenever it is cancelled.
--
--    MANILIUS_EXHAUSTIVE=1    every estimator rather than 24, every shape rather than 3, more rows, cancelled at more
--                             moments (make check-faults)
--    MANILIUS_ONLY=Ridge      one estimator, and no shapes
--    MANILIUS_COUNT=1         print the duration of each fit and its longest delay after being cancelled
local core = require "manilius.core"
local ml = require "manilius"
local check, data = require "manilius.check", require "manilius.check.data"
local support = require "spec.support"

local exhaustive, count, only = support.exhaustive, os.getenv "MANILIUS_COUNT", os.getenv "MANILIUS_ONLY"
local max_delay = os.getenv "MANILIUS_SANITIZER" and 1 or 0.1
local rows = exhaustive and 200000 or 20000
local fractions = exhaustive and { 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99 } or { 0.2, 0.7 }
local long_fit = exhaustive and 1.2 or 0.3 -- seconds; longer fits are cancelled then, and count as this long

-- Texts with their numbers, so that they and their words are distinct.
local function numbered(texts)
   local list = texts:totable()
   for i, text in ipairs(list) do list[i] = ("%s number%d %s"):format(text, i, text) end
   return ml.Factor(list)
end

-- Repeats 1000 rows with a little noise; no more rows than the estimator accepts.
local function large(class)
   local most = data.has_param(class, "max_rows")
   local n = most and math.min(rows, most.default) or rows
   local base = data.make(class, { rows = 1000, cols = 20, plain = true })
   local positions = {}
   for i = 1, n do positions[i] = (i * 7919) % 1000 + 1 end
   if class.takes.records then return base.X:take(positions) end
   if class.takes.texts then return numbered(base.X.text:take(positions)) end
   local X = base.X:take(positions) + ml.normal(n, base.X.cols, 5) * 0.01
   if class.takes.non_negative then X = X:abs() end
   return X, data.take(base.y, positions)
end

-- Parameters with which an iterative fit does not end.
local function endless(class)
   local settings = {}
   for name, value in pairs { max_iter = 1000000, n_init = 1000000, tol = 0 } do
      local p = data.has_param(class, name)
      if p then settings[name] = p.low == value and p.open_low and 1e-300 or math.min(value, p.high or value) end
   end
   return settings
end

-- Fits for at most `seconds`. Returns how long that took, and the delay of cancelling; 0 when the fit had ended.
local function fit_for(model, X, y, seconds)
   local begin = core.seconds()
   local job = model:fit_async(X, y)
   local ended = job:wait(seconds)
   local cancelled = core.seconds()
   job:cancel()
   return cancelled - begin, ended and 0 or core.seconds() - cancelled
end

-- One of three fits cancelled after `seconds` must end soon, because the machine may be busy with something else.
-- Returns its duration and its delay.
local function check_delay(model, X, y, seconds)
   local duration, delay
   for _ = 1, 3 do
      duration, delay = fit_for(model, X, y, seconds)
      if delay <= max_delay then break end
   end
   assert(delay <= max_delay, ("it ended %.0f ms after it was cancelled, %.0f ms after its start"):format(delay * 1e3,
      seconds * 1e3))
   return duration, delay
end

-- Cancels the fit at each moment. Returns its duration and the longest delay.
local function check_delays(model, X, y)
   local length, worst = check_delay(model, X, y, long_fit)
   for i, fraction in ipairs(fractions) do
      -- A long fit has just been cancelled late.
      if exhaustive or i < #fractions or length < long_fit then
         local _, delay = check_delay(model, X, y, fraction * length)
         worst = math.max(worst, delay)
      end
   end
   return length, worst
end

-- All of the list, or `n` drawn from it.
local function drawn(what, list, n)
   local out = {}
   for k, i in ipairs(support.sample(what, #list, exhaustive and #list or n)) do out[k] = list[i] end
   return out
end

describe("a cancelled fit ends quickly:", function()
   for _, name in ipairs(only and { only } or drawn("stopping", core.class_names(), 24)) do
      it(name, function()
         local class, new = check.core_class(name)
         if class.takes.square then return end
         local X, y = large(class)
         local length, worst = check_delays(new(endless(class)), X, y)
         if count then
            io.stderr:write(("%-24s %s %.2f s, ends after %.0f ms\n"):format(name, length < long_fit and "takes" or
               "takes more than", length, worst * 1e3))
         end
      end)
   end
end)

-- Shapes in which a single step takes long: a column sorted by one thread, a path with many knots.
local n_rows, n_cols = 1000000, 50000
if os.getenv "MANILIUS_SANITIZER" then n_rows, n_cols = n_rows // 20, n_cols // 20 end
local shapes = {
   { "QuantileTransformer", rows = n_rows, cols = 2 },
   { "PowerTransformer", rows = n_rows // 2, cols = 2 },
   { "RobustScaler", rows = n_rows, cols = 2 },
   { "KBinsDiscretizer", rows = n_rows, cols = 2, settings = { strategy = "kmeans" } },
   { "LassoLars", rows = 50, cols = n_cols, settings = { alpha = 1e-4 } },
   { "Lars", rows = 50, cols = n_cols },
   { "TheilSenRegressor", rows = n_rows // 50, cols = 20, settings = { max_subpopulation = 2 * n_rows } },
   { "MARS", rows = n_rows // 5, cols = 20 },
   { "RandomForestRegressor", rows = 1000, cols = 3, settings = { n_estimators = 2, max_samples = 2 ^ 28 } },
}

describe("a cancelled fit ends quickly for any shape of X:", function()
   for _, shape in ipairs(only and {} or drawn("shapes", shapes, 3)) do
      local name = shape[1]
      it(("%s of %d rows and %d columns"):format(name, shape.rows, shape.cols), function()
         local X = ml.normal(shape.rows, shape.cols, 1)
         local y = shape.cols > 2 and X:col(1) - X:col(2) or nil
         check_delays(ml[name](shape.settings or {}), X, y)
      end)
   end
end)
