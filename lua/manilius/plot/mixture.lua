--- Plot of a Gaussian mixture: the rows and the ellipses of the components in the plane of two columns.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local plane = require "manilius.plot.plane"
local rows = require "manilius.rows"

local fail = parts.fail

local COVERAGE = { 0.5, 0.9 } -- of a component, by its ellipses
local STEPS = 120 -- points of an ellipse

-- The ellipse that contains a fraction of a normal distribution with this mean and covariance, in columns a and b.
local function ellipse(mean, covariance, a, b, share)
   local radius = math.sqrt(-2 * math.log(1 - share))
   local first = math.sqrt(covariance:get(a, a))
   local mixed = covariance:get(a, b) / first
   local second = math.sqrt(math.max(covariance:get(b, b) - mixed ^ 2, 0))
   local x, y = {}, {}
   for i = 0, STEPS do
      local angle = 2 * math.pi * i / STEPS
      x[i + 1] = mean[a] + radius * first * math.cos(angle)
      y[i + 1] = mean[b] + radius * (mixed * math.cos(angle) + second * math.sin(angle))
   end
   return x, y
end

-- The rows of each component, and those of noise in grey.
local function add_points(layers, label, x, y, k)
   for c = 0, k do
      local at = {}
      for i = 1, #label do
         if label[i] == c or (c == 0 and label[i] == -1) then at[#at + 1] = i end
      end
      if #at > 0 then
         layers[#layers + 1] = { kind = "points", x = x:take(at), y = y:take(at), color = c > 0 and c or "grey",
            opacity = 0.6, name = c > 0 and ("component %d"):format(c) or "noise" }
      end
   end
end

local function mixture(model, X, o)
   model = inputs.model(model)
   if not pcall(function() return model.means, model:covariance { component = 1 } end) then
      fail("model must be a fitted Gaussian mixture, got %s; for others see plot.scatter with class = model:predict(X)",
         parts.text(model))
   end
   X = inputs.data(X, nil, model)
   if rows.width(X) < 2 then fail("X must have at least two columns; see plot.model_density") end
   local a, b = plane.two_features(X, o.features)
   local x, y, layers = plane.numbers(X, a), plane.numbers(X, b), {}
   add_points(layers, model:predict(X), x, y, model.means.rows)
   for c = 1, model.means.rows do
      local covariance = model:covariance { component = c }
      for _, share in ipairs(COVERAGE) do
         local xs, ys = ellipse(model.means[c], covariance, a, b, share)
         layers[#layers + 1] = { kind = "line", x = core.Vector(xs), y = core.Vector(ys), color = c }
      end
   end
   local names = inputs.column_names(X)
   return { title = "Components of the mixture", caption = inputs.title(model)
      .. "; ellipses contain 50 and 90% of each component",
      panels = { { x = names[a], y = names[b], layers = layers } } }
end

return function(module)
   define(module, "mixture", { args = { "model", "X" }, data_args = 2, fn = mixture,
      brief = "Components of a Gaussian mixture as ellipses over the rows.",
      notes = "Rows have the color of their likeliest component; those of noise are grey.",
      source = "Fraley & Raftery, J. American Statistical Association 97 (2002)",
      options = { features = "two columns of X by number or name; default { 1, 2 }" } })
end
