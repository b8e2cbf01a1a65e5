--- Plots for model selection: learning and validation curves, comparison of models, convergence.

local bins = require "manilius.plot.layout.bins"
local boxes = require "manilius.draw.boxes"
local core = require "manilius.core"
local curves = require "manilius.select.curves"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local validate = require "manilius.select.validate"

local fail, text = parts.fail, parts.text

-- --- learning and validation curves ---

-- The name of the score: as requested, else that with which the curve was computed.
local function score_name(frame, o)
   return type(o.scoring) == "string" and o.scoring or rows.origin(frame).scoring or "score"
end

local function title_of(what, frame)
   local model = rows.origin(frame).model
   return model and ("%s of %s"):format(what, model) or what
end

local function has_intervals(frame) return parts.place(frame.names, "test_low") ~= nil end

-- The limits of the band of a curve: of the intervals, if the Frame has them, else one standard deviation.
local function band_of(frame, what, mean, score)
   if has_intervals(frame) then return frame[what .. "_low"]:totable(), frame[what .. "_high"]:totable() end
   local sd, low, high = frame[what .. "_sd"], {}, {}
   for i = 1, #sd do
      low[i], high[i] = scorers.within_limits(score, mean[i], mean[i] - sd[i], mean[i] + sd[i])
   end
   return low, high
end

local function add_curve(layers, x, frame, what, name, color, score)
   local mean = frame[what .. "_mean"]
   local low, high = band_of(frame, what, mean, score)
   if core.Vector(low):isfinite():sum() == #low then
      layers[#layers + 1] = { kind = "band", x = x, low = low, high = high, color = color }
   end
   layers[#layers + 1] = { kind = "line", x = x, y = mean, name = name, color = color, markers = true }
end

local COLUMNS = { "train_mean", "train_sd", "test_mean", "test_sd" }

-- A curve computed before, or nil.
local function as_curve(who, value, first)
   if not rows.is_frame(value) then return nil end
   for _, name in ipairs { first, table.unpack(COLUMNS) } do
      if not parts.place(value.names, name) then
         fail("the Frame must be a result of ml.%s, but it has no column '%s'", who, name)
      end
   end
   return value
end

local function curve_figure(frame, x, panel, title)
   panel.layers, panel.legend = {}, true
   add_curve(panel.layers, x, frame, "train", "train", 2, panel.y)
   add_curve(panel.layers, x, frame, "test", "test", 1, panel.y)
   local band = has_intervals(frame) and "95% intervals of the mean" or "one standard deviation over folds"
   return { title = title, caption = "bands: " .. band, panels = { panel } }
end

-- The options of these names.
local function pick_options(o, names)
   local out = {}
   for _, name in ipairs(names) do out[name] = o[name] end
   return out
end

local CV = { "cv", "scoring", "groups", "weights", "threads" }

local function learning_curve(first, X, y, o)
   local frame = as_curve("learning_curve", first, "train_rows")
   if not frame then
      local options = pick_options(o, CV)
      options.sizes, options.seed, options.interval = o.sizes, o.seed, o.interval
      frame = curves.learning_curve(inputs.model(first), X, y, options)
   end
   return curve_figure(frame, frame.train_rows, { x = "training rows", y = score_name(frame, o) },
      title_of("Learning curve", frame))
end

-- The positions of the values on the x axis, which is logarithmic for numbers that span decades, and their order.
-- Values other than numbers get a tick each.
local function value_axis(values, panel)
   if rows.kind(values) == "Vector" then
      local is_finite = values:isfinite():sum() == #values
      panel.x_log = is_finite and values:min() > 0 and values:max() / values:min() >= 50
      return values, values:argsort()
   end
   panel.x_ticks = {}
   for i = 1, #values do panel.x_ticks[i] = { i, tostring(values[i]) } end
   panel.x_range = { 0.5, #values + 0.5 }
   return core.range(1, #values), core.range(1, #values)
end

local function validation_curve(first, X, y, o)
   local frame = as_curve("validation_curve", first, "value")
   if not frame then
      local options = pick_options(o, CV)
      options.param, options.values, options.interval = o.param, o.values, o.interval
      frame = curves.validation_curve(inputs.model(first), X, y, options)
   end
   local param = o.param or rows.origin(frame).param
   local panel = { x = param and (param:match "__([^_].*)$" or param) or "value", y = score_name(frame, o) }
   local x, order = value_axis(frame.value, panel)
   local sorted = rows.take(frame, order)
   return curve_figure(sorted, x:take(order), panel, title_of("Validation curve", frame))
end

-- --- comparison of models ---

local function is_result(value)
   if type(value) ~= "table" then return false end
   return rows.is_frame(rawget(value, "scores")) and type(rawget(value, "metrics")) == "table"
end

-- Is it a result of ml.compare?
local function is_comparison(value)
   if type(value) ~= "table" then return false end
   return type(rawget(value, "results")) == "table" and type(rawget(value, "models")) == "table"
      and type(rawget(value, "metrics")) == "table"
end

-- Named results, from one result, results by name, or models to be cross-validated.
local function results_of(first, X, y, o)
   if is_result(first) then return { { name = first.model, value = first } } end
   if is_comparison(first) then
      local list = {}
      for _, name in ipairs(first.models) do
         if first.results[name] then list[#list + 1] = { name = name, value = first.results[name] } end
      end
      return list
   end
   local models = inputs.models(first)
   if models then
      for _, one in ipairs(models) do one.value = validate.cross_validate(one.value, X, y, pick_options(o, CV)) end
      return models
   end
   local list = inputs.named(first)
   for _, one in ipairs(list or {}) do
      if not is_result(one.value) then list = nil end
   end
   if not list then
      fail("results must be results of cross_validate by name, { ridge = result, ... }, or models with X and y, got %s",
         text(first))
   end
   return list
end

local function common_metric(list, o)
   local metrics = list[1].value.metrics
   local name = o.metric or metrics[1]
   for _, one in ipairs(list) do
      if not parts.place(one.value.metrics, name) then
         fail("%s has no score %s%s", one.name, text(name), parts.hint(name, one.value.metrics))
      end
   end
   return name
end

-- n evenly spaced positions around `at`, so that equal points do not overlap.
local function spread(at, n)
   local out = {}
   for i = 1, n do out[i] = at + 0.25 * ((i - 0.5) / n - 0.5) end
   return out
end

-- Whiskers and quartiles of a box; outliers are omitted, because all points are drawn.
local function box_numbers(values)
   local box = {}
   boxes.set({ at = 1, values = values }, box, function() end)
   return box.quartiles
end

local function cv(first, X, y, o)
   local list = results_of(first, X, y, o)
   local metric = common_metric(list, o)
   local layers, ticks, folds = {}, {}, nil
   for i, one in ipairs(list) do
      local at = #list + 1 - i
      local values = one.value.scores[metric]
      folds = (folds == nil or folds == #values) and #values or 0
      ticks[i] = { at, one.name }
      layers[#layers + 1] = { kind = "box", at = at, quartiles = box_numbers(values), horizontal = true, color = 1 }
      layers[#layers + 1] = { kind = "points", x = values, y = spread(at, #values), color = "black", shape = "circle",
         size = 0.5 }
   end
   return { title = "Cross-validated " .. metric,
      caption = folds > 0 and ("one point for each of %d folds"):format(folds) or "one point for each fold",
      height = math.max(240, 130 + 55 * #list),
      panels = { { x = metric, y_ticks = ticks, y_range = { 0.4, #list + 0.6 }, layers = layers } } }
end

-- --- convergence ---

local function trace_of(value)
   if not estimator.is(value) then
      local numbers = parts.numbers("trace", value)
      return rows.kind(numbers) == "Matrix" and numbers:flatten() or numbers
   end
   local last = inputs.last(inputs.model(value))
   local trace = estimator.learned(last, "trace")
   if trace == nil then fail("model must be a fitted iterative model, but %s has no trace", estimator.name(last)) end
   if #trace == 0 then
      fail("model must have at least one iteration, but the trace of %s is empty", estimator.name(last))
   end
   return trace, #require "manilius.warnings".unconverged(last) == 0
end

local function traces_of(first)
   local models = inputs.models(first)
   if models then return models end
   local list = inputs.named(first)
   return list or { { value = first } }
end

-- Do the values span two decades?
local function wants_log(traces)
   local low, high = math.huge, -math.huge
   for _, trace in ipairs(traces) do low, high = math.min(low, trace:min()), math.max(high, trace:max()) end
   return low > 0 and high / low >= 100
end

local function trace(first, o)
   local list, layers, traces, stopped = traces_of(first), {}, {}, {}
   local negate = parts.flag(o, "negate", false)
   local label = o.label or (negate and "minus the objective" or "objective")
   for i, one in ipairs(list) do
      local converged
      traces[i], converged = trace_of(one.value)
      if negate then traces[i] = -traces[i] end
      if converged == false then stopped[#stopped + 1] = one.name end
      layers[i] = { kind = "line", x = core.range(1, #traces[i]), y = traces[i], color = i, markers = #traces[i] <= 50,
         name = #list > 1 and one.name or nil }
   end
   local log = parts.flag(o, "log", wants_log(traces))
   return { title = label:gsub("^%l", string.upper) .. (#list == 1 and list[1].name and " of " .. list[1].name or ""),
      caption = #stopped > 0 and "not converged: " .. table.concat(stopped, ", ") or nil,
      panels = { { x = "iteration", y = label, y_log = log, legend = #list > 1, layers = layers } } }
end

-- --- permutation tests ---

local function permutation_test(test, o)
   local scores = type(test) == "table" and rawget(test, "scores")
   if rows.kind(scores) ~= "Vector" or rawget(test, "p_value") == nil then
      fail("test must be a result of ml.permutation_test_score, got %s", text(test))
   end
   local edges = bins.edges(o, scores)
   local centers, widths = {}, {}
   for i = 1, #edges - 1 do centers[i], widths[i] = (edges[i] + edges[i + 1]) / 2, edges[i + 1] - edges[i] end
   local low, high = math.min(edges[1], test.score), math.max(edges[#edges], test.score)
   return { title = "Permutation test of " .. test.model,
      caption = ("line: the score of the data, %.4g; p = %.3g of %d permutations"):format(test.score, test.p_value,
         test.n),
      panels = { { x = test.scoring .. " with y permuted", y = "permutations",
         x_range = { low - 0.04 * (high - low), high + 0.04 * (high - low) }, layers = {
            { kind = "bars", x = centers, y = bins.counts(scores, edges), width = widths, color = 1, opacity = 0.8 },
            { kind = "rule", at_x = test.score, color = "red", width = 2 } } } } }
end

-- --- definitions ---

local CV_OPTIONS = { cv = "number of folds, a splitter or a list of splits; default 5",
   scoring = "a score by name, or a scorer; default accuracy or r2",
   groups = "as in ml.cross_validate", weights = "as in ml.cross_validate",
   threads = "as in ml.cross_validate" }

local INTERVAL = 'bands are intervals of the mean: "t", "corrected" or "bootstrap", as in ml.learning_curve; default: '
   .. "one standard deviation over folds"

local function with(more)
   for name, help in pairs(CV_OPTIONS) do more[name] = more[name] or help end
   return more
end

return function(module)
   define(module, "learning_curve", { args = { "model", "X", "y" }, data_args = 1, fn = learning_curve,
      brief = "Learning curve: training and test scores against the number of rows.",
      notes = "Also accepts the Frame of ml.learning_curve.",
      options = with { interval = INTERVAL, sizes = "fractions or numbers of training rows, as in ml.learning_curve",
         seed = "seed to shuffle the training rows; default: no shuffle" } })
   define(module, "validation_curve", { args = { "model", "X", "y" }, data_args = 1, fn = validation_curve,
      brief = "Validation curve: training and test scores against one parameter.",
      notes = "Also accepts the Frame of ml.validation_curve.",
      options = with { interval = INTERVAL, param = "name of the parameter; 'step__name' within pipelines",
         values = "list of its values" } })
   define(module, "cv", { args = { "results", "X", "y" }, data_args = 1, fn = cv,
      brief = "Box plot of cross-validation scores of several models.",
      notes = "Accepts results of ml.cross_validate by name, { ridge = a, ols = b } or { { 'ols', b }, ... }, a "
         .. "result of ml.compare, or models with X and y.",
      options = with { metric = "name of the score to draw; default: the first",
         scoring = "for models: as in ml.cross_validate" } })
   define(module, "permutation_test", { args = { "test" }, fn = permutation_test,
      brief = "Histogram of the scores of a permutation test, with the score of the data.",
      notes = "Accepts a result of ml.permutation_test_score.",
      options = { bins = "number of bins, or a list of edges; default by the rule of Freedman and Diaconis" } })
   define(module, "trace", { args = { "model" }, fn = trace,
      brief = "Objective of a fitted model against the iteration.",
      notes = "Accepts a fitted iterative model, several by name, or a list of values. With negate the log likelihood "
         .. "of a mixture, and the lower bound of a variational one, rise.",
      options = { log = "logarithmic axis; default: if the values span two decades",
         negate = "true: minus the objective, which rises; default false",
         label = "label of the axis, and the title; default 'objective'" } })
end
