--- Plots of Markov chains: traces, posterior densities, intervals.

local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local kernel = require "manilius.plot.kernel"
local parts = require "manilius.metrics.parts"

local fail, text = parts.fail, parts.text

local MAX_PARAMETERS = 4

-- The draws of a model by name, { name, Vector }, and the chain of each draw.
local function draws_of(model)
   local last = inputs.last(model)
   if not estimator.can(last, "samples") then
      fail("model must be a model fitted by Markov chains, such as BayesianLasso, got %s", estimator.name(last))
   end
   local samples, list = last:samples(), {}
   local names = inputs.feature_names(model, samples.coef.cols)
   for j = 1, samples.coef.cols do list[j] = { names[j], samples.coef:col(j):copy() } end
   for _, name in ipairs { "intercept", "sigma2", "lambda", "tau" } do
      local has, values = pcall(function() return samples[name] end) -- results raise errors for other names
      if has and values then list[#list + 1] = { name, values } end
   end
   return list, samples.chain, samples.coef.cols
end

-- The draws of the chosen parameters; by default the coefficients that are farthest from 0 in standard deviations.
local function chosen(list, count, o)
   local out = {}
   if o.columns == nil then
      local order = table.move(list, 1, count, 1, {})
      local size = {}
      for _, one in ipairs(order) do
         local sd = one[2]:std()
         size[one] = sd > 0 and math.abs(one[2]:mean()) / sd or 0
      end
      local place = {}
      for i, one in ipairs(order) do place[one] = i end
      table.sort(order, function(a, b) return size[a] > size[b] or size[a] == size[b] and place[a] < place[b] end)
      return table.move(order, 1, math.min(MAX_PARAMETERS, #order), 1, out)
   end
   local names = {}
   for i, one in ipairs(list) do names[i] = one[1] end
   for i, name in ipairs(type(o.columns) == "table" and o.columns or { o.columns }) do
      local at = parts.place(names, name)
      if not at then
         fail("columns must be of %s, got %s%s", table.concat(names, ", "), text(name), parts.hint(name, names))
      end
      out[i] = list[at]
   end
   return out
end

-- The draws of each chain.
local function by_chain(values, chain)
   local out = {}
   for i = 1, #values do
      local c = math.tointeger(chain[i])
      out[c] = out[c] or {}
      table.insert(out[c], values[i])
   end
   local list = {}
   for _, draws in pairs(out) do list[#list + 1] = draws end
   return list
end

local function trace_panel(one, chain)
   local layers = {}
   for c, draws in ipairs(by_chain(one[2], chain)) do
      local at = {}
      for i = 1, #draws do at[i] = i end
      layers[c] = { kind = "line", x = at, y = draws, name = "chain " .. c, color = c, dash = "solid", width = 0.7 }
   end
   return { x = "draw", y = one[1], legend = false, layers = layers }
end

local function density_panel(one, level)
   local values = one[2]
   local low, high = values:quantile((1 - level) / 2), values:quantile((1 + level) / 2)
   local layers = {}
   if values:max() > values:min() then
      local grid, heights = kernel.density(values, kernel.silverman(values))
      local x, zeros, inside = {}, {}, {}
      for i, at in ipairs(grid) do
         if at >= low and at <= high then x[#x + 1], zeros[#zeros + 1], inside[#inside + 1] = at, 0, heights[i] end
      end
      layers[1] = { kind = "band", x = x, low = zeros, high = inside, color = 1, opacity = 0.35 }
      layers[2] = { kind = "line", x = grid, y = heights, color = 1 }
   end
   layers[#layers + 1] = { kind = "rule", at_x = values:mean(), color = "black", dash = "solid", width = 1 }
   return { x = one[1], y = "density", legend = false, layers = layers }
end

local function chains(model, o)
   model = inputs.model(model)
   local list, chain, count = draws_of(model)
   local level, panels = parts.number(o, "level", 0.95, 0, 1), {}
   for _, one in ipairs(chosen(list, count, o)) do
      panels[#panels + 1] = trace_panel(one, chain)
      panels[#panels + 1] = density_panel(one, level)
   end
   return { title = "Markov chains of " .. inputs.title(model), panels = panels, columns = 2, legend = true,
      width = 900, height = 110 + 190 * (#panels // 2), aligned = true,
      caption = ("shaded: %g%% interval; line: mean"):format(100 * level) }
end

local function posterior(model, o)
   model = inputs.model(model)
   local list, _, count = draws_of(model)
   local level = parts.number(o, "level", 0.95, 0, 1)
   local drawn = o.columns ~= nil and chosen(list, count, o) or table.move(list, 1, count, 1, {})
   local thin = { kind = "segments", color = 1, width = 1.4, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local thick = { kind = "segments", color = 1, width = 5, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local points = { kind = "points", color = "black", size = 0.8, x = {}, y = {} }
   local ticks = {}
   for i, one in ipairs(drawn) do
      for layer, share in pairs { [thin] = level, [thick] = 0.5 } do
         layer.x1[i], layer.y1[i] = one[2]:quantile((1 - share) / 2), i
         layer.x2[i], layer.y2[i] = one[2]:quantile((1 + share) / 2), i
      end
      points.x[i], points.y[i], ticks[i] = one[2]:median(), i, { i, one[1] }
   end
   return { title = "Posterior of " .. inputs.title(model), width = 640, height = math.max(300, 130 + 24 * #drawn),
      caption = ("points: medians; lines: %g%% intervals; thick: 50%% intervals"):format(100 * level),
      panels = { { x = "coefficient", y_ticks = ticks, y_range = { #drawn + 0.6, 0.4 }, legend = false,
         layers = { { kind = "rule", at_x = 0, color = "grey", dash = "dotted" }, thin, thick, points } } } }
end

return function(module)
   local COLUMNS = "names of features, or 'intercept', 'sigma2', 'lambda' or 'tau'; default: "
   define(module, "chains", { args = { "model" }, fn = chains,
      brief = "Markov chains: the trace and the posterior density of parameters.",
      notes = "For models with draws, such as BayesianLasso and HorseshoeRegression. Chains that agree and have no "
         .. "trend have converged; model:summary() returns the diagnostics as numbers.",
      options = { columns = COLUMNS .. "the 4 coefficients that are farthest from 0",
         level = "probability of the shaded interval; default 0.95" } })
   define(module, "posterior", { args = { "model" }, fn = posterior,
      brief = "Posterior intervals of the coefficients of a model fitted by Markov chains.",
      options = { columns = COLUMNS .. "all coefficients", level = "probability of the thin lines; default 0.95" } })
end
