--- Metrics of prediction intervals and sets, and of the calibration of probabilities.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

local function column(what, value, allow_infinity)
   local v, n, cols = parts.numbers(what, value, allow_infinity)
   if cols ~= 1 then fail("%s must be one column, got %d", what, cols) end
   return core.Matrix(v):flatten(), n
end

local function mean(values, o)
   local w = parts.weights(o, #values)
   return w and values:dot(w) / w:sum() or values:mean()
end

-- --- intervals ---

local function ends(low, high, n)
   local first, m = column("low", low, true)
   local last, k = column("high", high, true)
   parts.same_length("low", m, "high", k)
   if n then parts.same_length("y", n, "low", m) end
   local crossed = first:gt(last):nonzero()
   if #crossed > 0 then
      local row = crossed[1]
      fail("low must be at most high, got %g and %g in row %d", first[row], last[row], row)
   end
   return first, last
end

local function coverage(y, low, high, o)
   local truth, n = column("y", y)
   low, high = ends(low, high, n)
   return mean(low:le(truth):mul(high:ge(truth)), o)
end

local function interval_width(low, high, o)
   low, high = ends(low, high)
   return mean(high - low, o)
end

local function winkler(y, low, high, o)
   local truth, n = column("y", y)
   local level = parts.number(o, "level", 0.95, 0, 1)
   if level == 0 or level == 1 then fail("level must be above 0 and below 1, got %g", level) end
   low, high = ends(low, high, n)
   local outside = (low - truth):maximum(0) + (truth - high):maximum(0)
   return mean(high - low + outside * (2 / (1 - level)), o)
end

-- --- sets of labels ---

local function checked_sets(sets)
   local values = parts.numbers("sets", sets)
   if values:mul(values - 1):abs():sum() ~= 0 then fail "sets must be a Matrix of 0 and 1, a column for each class" end
   return core.Matrix(values)
end

local function set_coverage(y, sets, o)
   y, sets = parts.labels("y", y), checked_sets(sets)
   parts.same_length("y", #y, "sets", sets.rows)
   local classes, hit = parts.label_list(o) or parts.present(y), core.Vector(#y, 0)
   if #classes ~= sets.cols then
      fail("sets must have a column for each class, %s, got %d columns; if y lacks a class, give labels = all classes",
         parts.texts(classes), sets.cols)
   end
   for c, class in ipairs(classes) do hit = hit + y:eq(class):mul(sets:col(c)) end
   return mean(hit, o)
end

local function set_size(sets, o)
   sets = checked_sets(sets)
   return mean(sets:sum "rows", o)
end

-- --- calibration ---

-- Options of calibration_curve, and the curve of the probabilities of one class.
local function curve_of(M, y, p, o, more)
   local given = { weights = o.weights, labels = o.labels, positive = o.positive, bins = o.bins or 15,
      strategy = o.strategy }
   for name, value in pairs(more or {}) do given[name] = value end
   return M.calibration_curve(y, p, given)
end

-- The probability of the predicted class, and whether it is right.
local function confidence(y, p, o)
   local classes = parts.label_list(o) or parts.present(y)
   if #classes ~= p.cols then
      fail("probabilities must have a column for each class, %s, got %d columns", parts.texts(classes), p.cols)
   end
   parts.same_length("y", #y, "probabilities", p.rows)
   local best = p:argmax "rows"
   local right, most = core.Vector(#y, 0), core.Vector(#y, 0)
   for c, class in ipairs(classes) do
      local chosen = best:eq(c)
      right, most = right + chosen:mul(y:eq(class)), most + chosen:mul(p:col(c))
   end
   return right, most:minimum(1)
end

local function calibration_error(M)
   return function(y, p, o)
      local norm = parts.choice(o, "norm", { "l1", "l2", "max" }, "l1")
      local values, _, cols = parts.numbers("probabilities", p)
      local curve
      if cols > 2 and o.positive == nil then
         local right, most = confidence(parts.labels("y", y), values, o)
         curve = curve_of(M, right, most, o, { labels = { 0, 1 }, positive = 1 })
      else
         curve = curve_of(M, y, p, o)
      end
      local gap = (curve.predicted - curve.observed):abs()
      if norm == "max" then return gap:max() end
      local share = curve.count / curve.count:sum()
      return norm == "l1" and gap:dot(share) or math.sqrt((gap ^ 2):dot(share))
   end
end

local function brier_decomposition(M)
   return function(y, p, o)
      local curve = curve_of(M, y, p, o)
      local share = curve.count / curve.count:sum()
      local rate = curve.observed:dot(share)
      local out = { reliability = ((curve.predicted - curve.observed) ^ 2):dot(share),
         resolution = ((curve.observed - rate) ^ 2):dot(share), uncertainty = rate * (1 - rate),
         brier = M.brier(y, p, { weights = o.weights, labels = o.labels, positive = o.positive }) }
      out.within = out.brier - (out.reliability - out.resolution + out.uncertainty)
      return parts.result({ "brier", "reliability", "resolution", "uncertainty", "within" }, out)
   end
end

local function define_calibration(M)
   local options = { weights = parts.WEIGHTS, labels = parts.CLASSES, positive = "the class of the probabilities; "
      .. "default: the second of two", bins = "number of bins, default 15; empty bins are omitted",
      strategy = "'uniform': bins of equal width (default), 'quantile': of equal numbers of rows" }
   parts.define(M, "brier_decomposition", { args = { "y", "probabilities" }, options = options,
      brief = "Reliability, resolution and uncertainty: the parts of the Brier score of two classes.",
      formula = "brier = reliability - resolution + uncertainty + within", fn = brier_decomposition(M),
      returns = "{ brier =, reliability =, resolution =, uncertainty =, within = the variation within bins }",
      source = "Murphy (1973); Stephenson, Coelho & Jolliffe (2008)" })
   local more = { norm = "'l1': mean gap (default), 'l2': root mean square, 'max'" }
   for name, text in pairs(options) do more[name] = text end
   parts.define(M, "expected_calibration_error", { args = { "y", "probabilities" }, options = more,
      brief = "Mean gap of predicted and observed frequencies, in bins of the prediction.",
      formula = "sum over bins of (count / n) |mean p - frequency|; several classes: of the predicted class",
      fn = calibration_error(M), source = "Naeini, Cooper & Hauskrecht (2015); Guo et al. (2017)" })
end

return function(M)
   local function add(name, args, brief, formula, fn, options, source)
      options.weights = parts.WEIGHTS
      parts.define(M, name, { args = args, brief = brief, formula = formula, fn = fn, options = options,
         source = source })
   end
   add("coverage", { "y", "low", "high" }, "Fraction of the values that lie within their prediction intervals.",
      "mean of [low <= y <= high]", coverage, {})
   add("interval_width", { "low", "high" }, "Mean width of prediction intervals.", "mean of high - low", interval_width,
      {})
   add("winkler", { "y", "low", "high" }, "Winkler score of prediction intervals: width and a penalty for misses.",
      "mean of high - low + 2 / (1 - level) * distance of y from the interval", winkler,
      { level = "level of the intervals; default 0.95" }, "Winkler (1972); Gneiting & Raftery (2007)")
   add("set_coverage", { "y", "sets" }, "Fraction of the rows whose set of labels contains the true one.",
      "mean of [y in set]", set_coverage, { labels = parts.CLASSES })
   add("set_size", { "sets" }, "Mean number of labels in sets.", "mean over rows of the sum of 0 and 1", set_size, {})
   define_calibration(M)
end
