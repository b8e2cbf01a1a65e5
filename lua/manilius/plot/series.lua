--- Plots of series: forecasts with intervals. Plots of codes: error rates against the channel.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

-- --- forecasts ---

local LEVELS = { 0.95, 0.8, 0.5 }

local function call_forecast(last, X, options)
   if rows.kind(last) == "Model" then return last:forecast(X, options) end
   return last:forecast(options)
end

-- The last `shown` rows of column j, numbered from 1 - shown to 0, so that the forecast begins at 1.
local function history(X, j, shown)
   local n = math.min(shown, X.rows)
   local x, y = {}, {}
   for i = 1, n do x[i], y[i] = i - n + X.rows, X[X.rows - n + i][j] end
   return x, y
end

local function forecast(model, X, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   local ok, method = pcall(function() return last.forecast end)
   if not ok or type(method) ~= "function" then
      fail("model must have the method forecast, got %s", estimator.name(last))
   end
   local frame = rows.is_frame(X)
   local names = frame and X.names
   X = frame and X:matrix() or core.Matrix(X)
   local steps, column, shown = o.steps or 20, o.column or 1, o.rows or 5 * (o.steps or 20)
   if math.type(column) ~= "integer" or column < 1 or column > X.cols then
      fail("column must be from 1 to %d, got %s", X.cols, parts.text(column))
   end
   local x = {}
   for i = 1, steps do x[i] = X.rows + i end
   local transform = o.transform or function(value) return value end
   local function values(of)
      local list = {}
      for i = 1, steps do
         local row = of[i]
         list[i] = transform(type(row) == "number" and row or row[column])
      end
      return list
   end
   local layers, result = {}, nil
   for i, level in ipairs(LEVELS) do
      result = call_forecast(last, X, { steps = steps, level = level })
      layers[i] = { kind = "band", x = x, low = values(result.low), high = values(result.high), color = 1,
         opacity = 0.12 + 0.1 * i }
   end
   local past_x, past_y = history(X, column, shown)
   for i = 1, #past_y do past_y[i] = transform(past_y[i]) end
   layers[#layers + 1] = { kind = "line", x = past_x, y = past_y, color = "black", name = "observed" }
   layers[#layers + 1] = { kind = "line", x = x, y = values(result.mean), color = 1, name = "forecast" }
   return { title = "Forecast of " .. inputs.title(model), caption = "bands: 50%, 80% and 95% intervals",
      panels = { { x = o.x_label or "row", y = o.y_label or names and names[column] or "value", layers = layers } } }
end

-- --- error rates ---

local function error_rates(results, o)
   local list, layers, name = results, {}, o.rate or "fer"
   if rows.is_frame(results) then list = { [""] = results } end
   if name ~= "ber" and name ~= "fer" then fail("rate must be ber or fer, got %s", parts.text(name)) end
   if type(list) ~= "table" or next(list) == nil then
      fail("results must be what code:simulate returns, or a table of such Frames by name, got %s", rows.kind(results))
   end
   local names, axis = {}, nil
   for key in next, list do names[#names + 1] = key end
   table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
   for c, key in ipairs(names) do
      local one = list[key]
      if not rows.is_frame(one) or not pcall(function() return one.word_errors, one[name], one[name .. "_low"] end) then
         fail("results must be Frames of code:simulate, got %s", rows.kind(one))
      end
      axis = one.names[1]
      local x, y = one[axis], one[name]
      for i = 1, #x do
         layers[#layers + 1] = { kind = "segments", x1 = { x[i] }, y1 = { one[name .. "_low"][i] }, x2 = { x[i] },
            y2 = { one[name .. "_high"][i] }, color = c }
      end
      layers[#layers + 1] = { kind = "line", x = x, y = y, name = key ~= "" and tostring(key) or nil, color = c,
         markers = true }
   end
   return { title = name == "fer" and "Word error rate" or "Bit error rate",
      caption = name == "fer" and "bars: 95% Wilson intervals" or "bars: 95% intervals, from the spread over words",
      panels = { { x = axis == "ebn0" and "Eb/N0 (dB)" or "level of the channel",
         y = name == "fer" and "word error rate" or "bit error rate", y_log = true, layers = layers } } }
end

return function(module)
   define(module, "forecast", { args = { "model", "X" }, fn = forecast,
      brief = "The last rows of a series and their forecast, with bands of 50%, 80% and 95%.",
      notes = "model: with the method forecast, such as ARIMA, StructuralTimeSeries, ARModel, KalmanFilter.",
      options = { steps = "rows to forecast; default 20", column = "column of X; default 1",
         rows = "rows of X to show; default 5 steps",
         x_label = "label of the x axis", y_label = "label of the y axis; default: the name of the column",
         transform = "function applied to all values, such as math.exp after a fit of logarithms" } })
   define(module, "error_rates", { args = { "results" }, fn = error_rates,
      brief = "Error rates of codes against the channel, from LDPCCode:simulate.",
      notes = "results: a Frame, or a table of Frames by name.",
      options = { rate = "fer (default): of words, with intervals; ber: of bits" } })
end
