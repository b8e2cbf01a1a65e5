--- Residual plots of regressors.
--
-- Least squares on the training rows: the four plots of R's plot.lm, with leverage and Cook's distance. Other
-- regressors and other rows: plots that do not need leverage.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local metrics = require "manilius.metrics"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

local FRACTION, ROUNDS, DELTA = 2 / 3, 3, 0.01 -- as in R's lowess()

-- --- parts of panels ---

-- A LOWESS curve through points; nil for too few points.
local function smooth(x, y)
   if #x < 4 or x:max() == x:min() then return nil end
   local at, fitted = core.lowess(x, y, FRACTION, ROUNDS, DELTA)
   return { kind = "line", x = at, y = fitted, color = "red" }
end

-- The positions of the `count` largest values.
local function largest(values, count)
   local order, out = (-values):argsort(), {}
   for k = 1, math.min(count, #order) do out[k] = math.tointeger(order[k]) end
   return out
end

-- Add the points, with labels for the rows that have the largest values of `extreme`.
local function scatter(layers, x, y, extreme, o, row_of)
   layers[#layers + 1] = { kind = "points", x = x, y = y, color = 1, shape = "open circle" }
   local at = largest(extreme, parts.whole(o, "extreme", 3, 0))
   if #at == 0 then return end
   local labels, places = {}, core.Vector(at)
   for i, place in ipairs(at) do
      local row = row_of and math.tointeger(row_of[place]) or place
      labels[i] = o.labels and tostring(o.labels[row]) or tostring(row)
   end
   layers[#layers + 1] = { kind = "points", x = x:take(places), y = y:take(places), color = 1, shape = "circle",
      labels = labels }
end

-- The theoretical normal quantile of each value, and slope and intercept of the line through the quartiles.
local function normal_quantiles(values)
   local n, place = #values, {}
   local a = n <= 10 and 3 / 8 or 1 / 2
   for rank, i in ipairs(values:argsort():totable()) do
      place[math.tointeger(i)] = core.special.normal_quantile((rank - a) / (n + 1 - 2 * a))
   end
   local low, high = values:quantile(0.25), values:quantile(0.75)
   local q = core.special.normal_quantile(0.75)
   local slope = (high - low) / (2 * q)
   return core.Vector(place), slope, low + slope * q
end

local function quantile_panel(standardized, what, o, row_of)
   local x, slope, intercept = normal_quantiles(standardized)
   local layers = { { kind = "rule", slope = slope, intercept = intercept, dash = "dotted", color = "grey" } }
   scatter(layers, x, standardized, standardized:abs(), o, row_of)
   return { title = "Normal Q-Q", x = "theoretical quantiles", y = what, layers = layers }
end

local function fitted_panel(fitted, residual, o, row_of)
   local layers = { { kind = "rule", at_y = 0, dash = "dotted", color = "grey" } }
   scatter(layers, fitted, residual, residual:abs(), o, row_of)
   layers[#layers + 1] = smooth(fitted, residual)
   return { title = "Residuals vs fitted", x = "fitted", y = "residual", layers = layers }
end

-- --- least squares ---

local function scale_panel(d, o, row_of)
   local root = d.standardized:abs():sqrt()
   local layers = {}
   scatter(layers, d.fitted, root, root, o, row_of)
   layers[#layers + 1] = smooth(d.fitted, root)
   return { title = "Scale-location", x = "fitted", y = "sqrt(|standardized residual|)",
      y_range = { 0, 1.08 * root:max() }, layers = layers }
end

-- The contour of Cook's distance r^2 h / ((1 - h) p) = level, for |r| <= max_r and h <= right; nil if there is none.
local function cook_contour(level, parameters, right, max_r)
   local left = parameters * level / (parameters * level + max_r * max_r)
   if left >= right then return nil end
   local h, r = {}, {}
   for i = 0, 200 do
      h[i + 1] = left + (right - left) * i / 200
      r[i + 1] = math.sqrt(level * parameters * (1 - h[i + 1]) / h[i + 1])
   end
   return core.Vector(h), core.Vector(r)
end

-- Add the contours of Cook's distance on both sides of 0, labeled at the right edge. Returns the levels drawn.
local function add_contours(layers, parameters, right, max_r)
   local drawn = {}
   for _, level in ipairs { 0.5, 1 } do
      local h, r = cook_contour(level, parameters, right, max_r)
      for _, side in ipairs(h and { 1, -1 } or {}) do
         layers[#layers + 1] = { kind = "line", x = h, y = side * r, color = "grey", dash = "dashed", width = 1 }
         layers[#layers + 1] = { kind = "text", x = 1.04 * right, y = side * r[#r], text = ("%g"):format(level),
            color = "grey" }
      end
      if h then drawn[#drawn + 1] = ("%g"):format(level) end
   end
   return drawn
end

local function leverage_panel(d, parameters, o, row_of)
   local right, max_r = math.min(1.06 * d.leverage:max(), 0.999), 1.15 * d.standardized:abs():max()
   local layers = { { kind = "rule", at_y = 0, dash = "dotted", color = "grey" } }
   local drawn = add_contours(layers, parameters, right, max_r)
   scatter(layers, d.leverage, d.standardized, d.cooks_distance, o, row_of)
   layers[#layers + 1] = smooth(d.leverage, d.standardized)
   return { title = "Residuals vs leverage", x = "leverage", y = "standardized residual", x_range = { 0, 1.08 * right },
      y_range = { -max_r, max_r }, layers = layers }, drawn
end

-- Omit the rows of leverage 1, which are always fitted exactly and have no standardized residual. Returns the
-- diagnostics, the positions of their rows, and the number of rows omitted.
local function omit_full_leverage(d)
   local places = d.standardized:isfinite():nonzero()
   local out = {}
   for name, column in pairs(d) do out[name] = column:take(places) end
   return out, places, #d.standardized - #places
end

local function least_squares(model, diagnostics, o)
   local columns = {}
   for name, column in pairs(diagnostics.rows) do columns[name] = column end
   local d, row_of, omitted = omit_full_leverage(columns)
   if #d.standardized < 2 then fail("X must have more rows, because the model fits all points exactly") end
   local last = inputs.last(model)
   local summary = last:summary { target = o.target }
   local parameters = summary.n - summary.df
   local leverage, contours = leverage_panel(d, parameters, o, row_of)
   local caption = ("R2 %.3f, residual standard error %.4g on %g degrees of freedom; curves: LOWESS"):format(summary.r2,
      summary.sigma, summary.df)
   if #contours > 0 then caption = caption .. "; dashed: Cook's distance " .. table.concat(contours, " and ") end
   if omitted > 0 then
      caption = caption .. ("; %d row%s of leverage 1 omitted"):format(omitted, omitted == 1 and "" or "s")
   end
   return {
      title = "Residuals of " .. inputs.title(last), caption = caption,
      columns = 2, width = 900, height = 720,
      panels = { fitted_panel(d.fitted, d.residual, o, row_of), quantile_panel(d.standardized, "standardized residual",
         o, row_of), scale_panel(d, o, row_of), leverage },
   }
end

-- --- any regressor ---

local function predicted_panel(y, fitted, o)
   local layers = { { kind = "rule", slope = 1, intercept = 0, dash = "dotted", color = "grey" } }
   scatter(layers, fitted, y, (y - fitted):abs(), o)
   return { title = "Actual vs predicted", x = "predicted", y = "actual", layers = layers }
end

-- The number of bins follows Freedman and Diaconis, and is from 5 to 40.
local function histogram_panel(residual)
   local low, high = residual:min(), residual:max()
   local width = 2 * (residual:quantile(0.75) - residual:quantile(0.25)) / #residual ^ (1 / 3)
   local bins = width > 0 and math.ceil((high - low) / width) or 5
   bins = math.max(5, math.min(40, bins))
   local step = high > low and (high - low) / bins or 1
   local at, counts = {}, {}
   for b = 1, bins do at[b], counts[b] = low + (b - 0.5) * step, 0 end
   for i = 1, #residual do
      local b = math.min(math.floor((residual[i] - low) / step) + 1, bins)
      counts[b] = counts[b] + 1
   end
   return { title = "Distribution of the residuals", x = "residual", y = "rows",
      layers = { { kind = "bars", x = at, y = counts, width = step, color = 1 },
         { kind = "rule", at_x = 0, dash = "dotted", color = "grey" } } }
end

local function general(name, y, fitted, o)
   local residual = y - fitted
   local sd = #residual > 1 and residual:std(nil, 1) or 0
   if sd <= 0 then fail("the residuals must vary, but all are %g", residual[1]) end
   return {
      title = name and "Residuals of " .. name or "Residuals",
      caption = ("R2 %.3f, root mean squared error %.4g on %d rows; curve: LOWESS"):format(metrics.r2(y, fitted),
         metrics.rmse(y, fitted), #y),
      columns = 2, width = 900, height = 720,
      panels = { fitted_panel(fitted, residual, o), quantile_panel((residual - residual:mean()) / sd,
         "residual / standard deviation", o), predicted_panel(y, fitted, o), histogram_panel(residual) },
   }
end

-- --- the choice ---

-- The diagnostics of least squares on its training rows, else nil. Rows are taken for the training rows if there are as
-- many and the mean of their residuals is 0. A fit with weights has none, because the weights are not known here.
local function training_diagnostics(model, X, y, o)
   local last = inputs.last(model)
   if estimator.name(last) ~= "LinearRegression" or not last.inference then return nil end
   if not last.fitted or last.n ~= rows.count(X) then return nil end
   local ok, found = rows.try(last.diagnostics, last, inputs.prepared(model, X), y, { target = o.target })
   if not ok and found:find("weights must be given", 1, true) then return nil end
   if not ok then error(found, 0) end
   local residual = found.rows.residual
   local is_fit = not last.fit_intercept or math.abs(residual:mean()) <= 1e-6 * residual:abs():mean()
   return is_fit and found or nil
end

local function residuals(first, second, third, o)
   local target = parts.whole(o, "target", 1, 1)
   if o.labels ~= nil and type(o.labels) ~= "table" and rows.kind(o.labels) ~= "Factor" then
      fail("labels must be a list with a name for each row, got %s", parts.text(o.labels))
   end
   if not estimator.is(first) then
      local y, n = inputs.target("y", first, target)
      local fitted, m = inputs.target("predicted", second, target)
      parts.same_length("y", n, "predicted", m)
      return general(nil, y, fitted, o)
   end
   local model = inputs.model(first)
   inputs.need(model, "regress", "use ml.plot.confusion or ml.plot.roc for classifiers")
   local X, y = inputs.data(second, third, model)
   if y == nil then fail("y must be given after X, got nil") end
   local diagnostics = training_diagnostics(model, X, y, o)
   if diagnostics then return least_squares(model, diagnostics, o) end
   return general(inputs.title(model), inputs.target("y", y, target), (inputs.target("predictions",
      model:predict(X), target)), o)
end

return function(module)
   define(module, "residuals", { args = { "model", "X", "y" }, data_args = 2, fn = residuals,
      brief = "Residual diagnostics: residuals against fitted values, normal Q-Q, and others.",
      notes = "LinearRegression on its training rows has scale-location and leverage plots with Cook's distance; "
         .. "other models and rows have a plot of actual against predicted values and a histogram. Also accepts y and "
         .. "predictions. Curves are LOWESS.",
      options = { target = "column of y if there are several; default 1",
         extreme = "number of extreme rows to label; default 3",
         labels = "names of the rows; default: row numbers" },
      source = "Cook & Weisberg (1982); LOWESS: Cleveland (1979)" })
end
