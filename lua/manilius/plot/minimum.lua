--- Plots of Bayesian optimization: the best value so far, and the Gaussian process over one or two dimensions.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local results_of = require "manilius.select.search_results"
local rows = require "manilius.rows"
local words = require "manilius.text"

local fail, text = parts.fail, parts.text

local N_LINE, N_MAP = 200, 50 -- points of a dimension in lines and maps

-- --- the values measured ---

local function trace_panel(values, best, x, y)
   local count = core.range(1, #values)
   return { x = x, y = y, legend = true, layers = {
      { kind = "line", x = count, y = best, steps = true, name = "best so far", color = 1, width = 2 },
      { kind = "points", x = count, y = values, name = "measured", color = "grey" } } }
end

-- The scores of a fitted search by candidate.
local function search_figure(search)
   local results, several = search.results, "mean_score_" .. search.judge
   local scores = results[words.contains(results.names, several) and several or "mean_score"]
   local best, so_far = core.Vector(#scores), 0 / 0
   for i = 1, #scores do
      if results_of.is_better(scores[i], so_far, search.greater) then so_far = scores[i] end
      best[i] = so_far
   end
   return { title = "Candidates of " .. estimator.name(search),
      panels = { trace_panel(scores, best, "candidate", search.judge) } }
end

-- --- the Gaussian process ---

-- The values of a dimension to draw: at most `most`, with their places on the axis and ticks for lists.
local function axis_of(d, most)
   local out = { name = d.name, values = {}, places = {}, log = d.kind == "loguniform" or nil }
   if d.kind == "list" then
      out.ticks, out.range = {}, { 0.5, #d.values + 0.5 }
      for k, value in ipairs(d.values) do
         out.values[k], out.places[k] = value, k
         out.ticks[k] = { k, type(value) == "string" and value or text(value) }
      end
      return out
   end
   local count = d.kind == "integer" and math.min(most, d.high - d.low + 1) or most
   for k = 1, count do
      local u = (k - 1) / (count - 1)
      local value = d.low + u * (d.high - d.low)
      if d.kind == "loguniform" then value = d.low * (d.high / d.low) ^ u end
      value = math.min(math.max(value, d.low), d.high)
      out.values[k] = d.kind == "integer" and math.floor(value + 0.5) or value
      out.places[k] = out.values[k]
   end
   return out
end

-- The places of the measured values of dimension j.
local function measured_places(found, j)
   local places = {}
   for i, position in ipairs(found.positions) do places[i] = position[j] end
   return places
end

-- The best point with other values of some dimensions.
local function best_with(found, values)
   local point = {}
   for _, d in ipairs(found.space) do
      local value = values[d.name]
      if value == nil then value = found.x[d.name] end
      point[d.name] = value
   end
   return point
end

local function line_panel(found, j)
   local axis, points = axis_of(found.space[j], N_LINE), {}
   for k, value in ipairs(axis.values) do points[k] = best_with(found, { [axis.name] = value }) end
   local out = found:predict(points)
   local low, high = out.mean - out.std_error * 2, out.mean + out.std_error * 2
   local places = measured_places(found, j)
   return { x = axis.name, y = "value", x_log = axis.log, x_ticks = axis.ticks, x_range = axis.range, legend = false,
      layers = { { kind = "band", x = axis.places, low = low, high = high, color = 1 },
         { kind = "line", x = axis.places, y = out.mean, color = 1, markers = axis.ticks ~= nil or nil },
         { kind = "points", x = places, y = found.trace.value, color = "grey" },
         { kind = "rule", at_x = places[found.index], color = "red", dash = "dashed" } } }
end

local function map_panel(found, j1, j2)
   local x, y, points = axis_of(found.space[j1], N_MAP), axis_of(found.space[j2], N_MAP), {}
   for _, v in ipairs(y.values) do
      for _, u in ipairs(x.values) do points[#points + 1] = best_with(found, { [x.name] = u, [y.name] = v }) end
   end
   local mean = found:predict(points).mean:reshape(#y.values, #x.values)
   local xs, ys = measured_places(found, j1), measured_places(found, j2)
   return { x = x.name, y = y.name, color_label = "mean", x_log = x.log, y_log = y.log, x_ticks = x.ticks,
      y_ticks = y.ticks, legend = false, layers = { { kind = "heat", x = x.places, y = y.places, z = mean },
         { kind = "points", x = xs, y = ys, color = "black", size = 0.7 },
         { kind = "points", x = { xs[found.index] }, y = { ys[found.index] }, color = "red", size = 1.4 } } }
end

-- The dimensions to draw: as given, else the first two with several values.
local function chosen(found, o)
   local names, places, out = {}, {}, {}
   for j, d in ipairs(found.space) do
      names[j], places[d.name] = d.name, j
      if #out < 2 and not (d.kind == "list" and #d.values == 1) then out[#out + 1] = j end
   end
   if o.params == nil then return out end
   local list = type(o.params) == "table" and o.params or { o.params }
   if #list < 1 or #list > 2 then fail("params must be one or two names, got %d", #list) end
   out = {}
   for i, name in ipairs(list) do
      out[i] = places[name]
         or fail("params must be of the space, got %s%s", text(name), parts.hint(name, names))
   end
   return out
end

local function minimum(found, o)
   if estimator.is(found) and estimator.learned(found, "best_score") and estimator.learned(found, "judge") then
      return search_figure(found)
   end
   if type(found) ~= "table" or not rows.is_frame(rawget(found, "trace")) or not rawget(found, "space") then
      fail("result must be a result of ml.minimize or a fitted search, got %s",
         estimator.got(found))
   end
   local panels = { trace_panel(found.trace.value, found.trace.best, "evaluation", "value") }
   local shown = chosen(found, o)
   local has_model = found.model ~= nil and #shown > 0
   if has_model then
      panels[2] = #shown == 1 and line_panel(found, shown[1]) or map_panel(found, shown[1], shown[2])
   end
   local others = #shown < #found.space and ", the other parameters at the best point" or ""
   local caption = has_model and (#shown == 1 and "right: Gaussian process, mean and two standard errors"
      or "right: mean of the Gaussian process; red: the best point") .. others or nil
   return { title = "Minimization", caption = caption, columns = #panels, width = #panels > 1 and 960 or nil,
      panels = panels }
end

return function(module)
   define(module, "minimum", { args = { "result" }, fn = minimum,
      brief = "Bayesian optimization: the best value so far, and the Gaussian process over one or two parameters.",
      notes = "Accepts a result of ml.minimize, or a fitted BayesSearch or RandomSearch, whose scores are drawn by "
         .. "candidate. Points are the values measured.",
      options = { params = "one or two names of parameters; default: the first two with several values" } })
end
