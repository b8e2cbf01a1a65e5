--- The landscape of a search over two numeric parameters whose values are scattered, as those of BayesSearch and
-- RandomSearch: the measured scores over the mean of a Gaussian process.

local core = require "manilius.core"
local proposal = require "manilius.optimize.proposal"

local N_MAP, MIN_POINTS, MARGIN = 50, 6, 0.04

-- The values of a parameter from 0 to 1, on a logarithmic scale if `log`, with the positions of a grid on its axis.
local function axis_of(values, log)
   local scaled = log and values:log() or values
   local low, high = scaled:min(), scaled:max()
   local margin = MARGIN * (high - low)
   low, high = low - margin, high + margin
   local grid = core.linspace(low, high, N_MAP)
   return { unit = (scaled - low) / (high - low), places = log and grid:exp() or grid,
      range = { log and math.exp(low) or low, log and math.exp(high) or high } }
end

-- The mean of a Gaussian process of the scores on the grid, y by x; nil if it cannot be fitted.
local function map_of(x, y, scores)
   if #scores < MIN_POINTS or scores:max() == scores:min() then return nil end
   local space = { width = 2, matrix = function(_, positions) return positions end }
   local measured = core.hcat(x.unit:as_column(), y.unit:as_column())
   local model = proposal.surrogate(space, { seed = 0 }, measured, scores:totable())
   if not model then return nil end
   local steps, across = core.linspace(0, 1, N_MAP), core.range(0, N_MAP * N_MAP - 1)
   local row = (across / N_MAP):floor()
   local at = core.hcat(steps:take(across - row * N_MAP + 1):as_column(), steps:take(row + 1):as_column())
   return (proposal.posterior(space, model, at)):copy():reshape(N_MAP, N_MAP)
end

--- The panel. x, y, scores: Vectors of finite numbers; o: x_name, y_name, x_log, y_log, label, greater, and map = false
-- for no Gaussian process, if other parameters vary.
return function(x, y, scores, o)
   local across, up = axis_of(x, o.x_log), axis_of(y, o.y_log)
   local map, layers = o.map and map_of(across, up, scores) or nil, {}
   local low, high = scores:min(), scores:max()
   if map then
      low, high = math.min(low, map:min()), math.max(high, map:max())
      layers[1] = { kind = "heat", x = across.places, y = up.places, z = map, low = low, high = high }
      layers[2] = { kind = "points", x = x, y = y, color = "black", size = 0.7 }
   else
      layers[1] = { kind = "points", x = x, y = y, value = scores, size = 1.2, low = low, high = high }
   end
   local best = o.greater and scores:argmax() or scores:argmin()
   layers[#layers + 1] = { kind = "points", x = { x[best] }, y = { y[best] }, color = "red", size = 1.5 }
   return { x = o.x_name, y = o.y_name, x_log = o.x_log, y_log = o.y_log, x_range = across.range, y_range = up.range,
      color_label = o.label, legend = false, layers = layers }, map ~= nil
end
