--- Plots of Gaussian processes: predictions along one column, functions of kernels, the likelihood of hyperparameters.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local draw_layers = require "manilius.draw.layers"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

local N_LINE, N_SURFACE = 200, 25 -- points of a line, and along each side of a surface

local function has(model, method)
   local ok, found = pcall(function() return model[method] end)
   return ok and type(found) == "function"
end

local function process_of(model, method)
   model = inputs.model(model)
   local last = inputs.last(model)
   if not has(last, method) then
      fail("model must be a Gaussian process with the method %s, got %s", method, estimator.name(last))
   end
   return last
end

-- --- predictions ---

-- The column of X to draw, by number or name, and its name.
local function column_of(X, given)
   local names = rows.is_frame(X) and X.names
   local j = given or 1
   if names and type(j) == "string" then
      for i, name in ipairs(names) do
         if name == given then j = i end
      end
   end
   local count = names and #names or X.cols
   if math.type(j) ~= "integer" or j < 1 or j > count then
      fail("column must be a column of X, by number from 1 to %d%s, got %s", count, names and " or by name" or "",
         parts.text(given))
   end
   return j, names and names[j] or count == 1 and "x" or ("x%d"):format(j)
end

-- Rows along column j, the others at their means, as X has them.
local function along(X, j, points)
   local M = rows.is_frame(X) and X:matrix() or X
   local low, high = M:col(j):min(), M:col(j):max()
   local margin = (high - low) * 0.1
   if margin == 0 then margin = 1 end
   local at = core.linspace(low - margin, high + margin, points)
   local columns = {}
   for c = 1, M.cols do columns[c] = c == j and at or core.Vector(points, M:col(c):mean()) end
   local grid = core.Matrix(points, M.cols)
   for c = 1, M.cols do
      for i = 1, points do grid:set(i, c, columns[c][i]) end
   end
   return at, rows.is_frame(X) and rows.frame(X.names, columns) or grid
end

local function add_samples(layers, model, at, grid, o)
   local count = parts.whole(o, "samples", 0, 0)
   if count == 0 then return end
   if not has(model, "sample_y") then
      fail("samples must be 0, because %s has no sample_y", estimator.name(model))
   end
   local drawn = model:sample_y(grid, { n = count, seed = o.seed or 0 })
   for k = 1, drawn.cols do
      layers[#layers + 1] = { kind = "line", x = at, y = drawn:col(k), color = "grey", width = 0.8,
         name = k == 1 and "samples" or nil }
   end
end

local function inducing_inputs(model)
   local ok, found = pcall(function() return model.inducing_inputs end)
   return ok and found or nil
end

local function gp(model, X, y, o)
   model = process_of(model, "intervals")
   if X == nil then fail("X must be the rows to draw, got nil") end
   if not rows.is_frame(X) then X = draw_layers.matrix("X", X) end
   local level = parts.number(o, "level", 0.95, 0, 1)
   local j, name = column_of(X, o.column)
   local at, grid = along(X, j, parts.whole(o, "points", N_LINE, 2))
   local inner, outer = model:intervals(grid, { level = level, kind = "confidence" }),
      model:intervals(grid, { level = level, kind = "prediction" })
   local layers = {
      { kind = "band", x = at, low = outer.low, high = outer.high, color = 1, name = "observation" },
      { kind = "band", x = at, low = inner.low, high = inner.high, color = 1, name = "function" } }
   add_samples(layers, model, at, grid, o)
   layers[#layers + 1] = { kind = "line", x = at, y = inner.fit, color = 1, width = 2, name = "mean" }
   local data = rows.is_frame(X) and X:matrix() or X
   if y ~= nil then
      layers[#layers + 1] = { kind = "points", x = data:col(j), y = y, color = "black", size = 0.7, name = "rows" }
   end
   local inducing = inducing_inputs(model)
   if inducing then
      layers[#layers + 1] = { kind = "points", x = inducing:col(j), y = core.Vector(inducing.rows, outer.low:min()),
         color = "red", size = 0.8, name = "inducing inputs" }
   end
   local others = data.cols > 1 and "; other columns at their means" or ""
   return { title = estimator.name(model), caption = ("mean and %g%% intervals of the function and of a new "
      .. "observation%s"):format(100 * level, others),
      panels = { { x = name, y = "y", legend = true, layers = layers } } }
end

-- --- kernels ---

local function kernel_list(kernels)
   if rows.kind(kernels) == "Kernel" then return { kernels } end
   if type(kernels) ~= "table" or #kernels == 0 then
      fail("kernels must be a kernel or a list of them, got %s", parts.text(kernels))
   end
   for i, kernel in ipairs(kernels) do
      if rows.kind(kernel) ~= "Kernel" then fail("kernels[%d] must be a kernel, got %s", i, parts.text(kernel)) end
   end
   return kernels
end

local function gp_samples(kernels, o)
   local low, high = parts.number(o, "from", 0, -1e300, 1e300), parts.number(o, "to", 10, -1e300, 1e300)
   if low >= high then fail("from must be below to, got %g and %g", low, high) end
   local at, panels = core.linspace(low, high, N_LINE), {}
   for i, kernel in ipairs(kernel_list(kernels)) do
      local model = core.constructors.GaussianProcessRegressor { kernel = kernel }
      local drawn = model:sample_prior(at:as_column(), { n = parts.whole(o, "samples", 4, 1), seed = o.seed or 0 })
      local layers = {}
      for k = 1, drawn.cols do layers[k] = { kind = "line", x = at, y = drawn:col(k), color = k } end
      panels[i] = { title = tostring(kernel), x = "x", y = "f(x)", legend = false, layers = layers }
   end
   local columns = math.min(#panels, 3)
   return { title = "Functions drawn from Gaussian processes", columns = columns,
      width = columns > 1 and 420 * columns or nil, height = 340 * math.ceil(#panels / columns), panels = panels }
end

-- --- likelihood ---

-- The two hyperparameters to draw, by number or name among those that are free.
local function two_of(kernel, given)
   local names, out = kernel.theta_names, {}
   if #names < 2 then fail("model must have two free hyperparameters, got %d", #names) end
   for i, one in ipairs(given or { 1, 2 }) do
      local found = math.type(one) == "integer" and names[one] and one
      for j = 1, #names do
         if names[j] == one then found = j end
      end
      out[i] = found or fail("params must be two of %s, got %s",
         table.concat(table.move(names, 1, #names, 1, {}), ", "), parts.text(one))
   end
   if #out ~= 2 or out[1] == out[2] then fail("params must be two different hyperparameters, got %d", #out) end
   return out, names
end

local function gp_likelihood(model, o)
   model = process_of(model, "log_marginal_likelihood")
   local kernel = estimator.learned(model, "fitted_kernel")
   if kernel == nil then fail("model must be fitted, and have a fitted_kernel") end
   local pair, names = two_of(kernel, o.params)
   local width, theta = parts.number(o, "decades", 1, 0.01, 10) * math.log(10), kernel.theta
   local axes = {}
   for i = 1, 2 do axes[i] = core.linspace(theta[pair[i]] - width, theta[pair[i]] + width, N_SURFACE) end
   local z, best = core.Matrix(N_SURFACE, N_SURFACE), -math.huge
   for b = 1, N_SURFACE do
      for a = 1, N_SURFACE do
         local at = theta:copy()
         at[pair[1]], at[pair[2]] = axes[1][a], axes[2][b]
         local value = model:log_marginal_likelihood({ theta = at }).value
         z:set(b, a, value)
         if value == value and value > best then best = value end
      end
   end
   for b = 1, N_SURFACE do -- what is less likely by e^20 has the same color
      for a = 1, N_SURFACE do
         local value = z:get(b, a)
         z:set(b, a, value == value and math.max(value, best - 20) or best - 20)
      end
   end
   return { title = "Log marginal likelihood of " .. estimator.name(model),
      caption = "point: the fit; the other hyperparameters as in the fit; values are cut off 20 below the largest",
      panels = { { x = names[pair[1]], y = names[pair[2]], x_log = true, y_log = true, legend = false,
         color_label = "log p(y)", layers = { { kind = "heat", x = axes[1]:exp(), y = axes[2]:exp(), z = z },
            { kind = "points", x = { math.exp(theta[pair[1]]) }, y = { math.exp(theta[pair[2]]) }, color = "red",
               size = 1.4 } } } } }
end

return function(module)
   define(module, "gp", { args = { "model", "X", "y" }, fn = gp,
      brief = "Predictions of a Gaussian process along one column, with intervals, samples and inducing inputs.",
      notes = "X and y are the rows to draw, usually those of the fit; y may be left out. The other columns of X are "
         .. "held at their means. The inner band is of the function, the outer one of a new observation.",
      options = { level = "probability of the intervals; default 0.95", samples = "number of functions drawn from the "
         .. "posterior; default 0", seed = "seed of the samples; default 0",
         column = "column of X by number or name; default 1", points = "number of points of the line; default 200" } })
   define(module, "gp_samples", { args = { "kernels" }, fn = gp_samples,
      brief = "Functions drawn from the priors of kernels, side by side.",
      notes = "Kernels of one column; White noise is left out.",
      options = { samples = "functions for each kernel; default 4", seed = "seed of the samples; default 0",
         from = "least x; default 0", to = "largest x; default 10" } })
   define(module, "gp_likelihood", { args = { "model" }, fn = gp_likelihood,
      brief = "Log marginal likelihood of a Gaussian process over two hyperparameters.",
      notes = "Several maxima show that restarts may find another explanation of the data: a short length with little "
         .. "noise, or a long one with more.",
      options = { params = "two free hyperparameters, by number or name (fitted_kernel.theta_names); default 1 and 2",
         decades = "range on each side of the fit in powers of ten; default 1" } })
end
