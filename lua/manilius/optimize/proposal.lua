--- The next point of Bayesian optimization, from the points measured so far.
--
-- A proposal depends on the seed and on the measured points only, so that a run that continues an earlier one gives the
-- same points as an uninterrupted one.

local acquisition = require "manilius.optimize.acquisition"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local whole = require "manilius.select.splitters".whole

local M = {}

local MAX_ALL = 2000 -- finite spaces of at most this many points are searched completely
local N_RANDOM = 600
local N_NEAR = 24 -- points around each of the N_TOP best ones, for each of the STEPS
local N_TOP = 5
local STEPS = { 0.2, 0.05, 0.015, 0.004, 0.001 }

M.DEFAULTS = { seed = 0, acquisition = "ei", kappa = 1.96 }

--- The settings n_initial, acquisition, kappa, seed and kernel, checked and with their defaults.
function M.settings(who, space, given)
   local s = { n_initial = given.n_initial, kernel = given.kernel }
   for name, value in pairs(M.DEFAULTS) do s[name] = given[name] == nil and value or given[name] end
   if s.n_initial == nil then s.n_initial = math.min(math.max(5, 2 * #space), 20) end
   whole(who, "n_initial", s.n_initial, 1)
   whole(who, "seed", s.seed, 0)
   if s.acquisition ~= "ei" and s.acquisition ~= "lcb" then
      error(("%s: acquisition must be \"ei\" or \"lcb\", got %s"):format(who, estimator.value_text(s.acquisition)), 0)
   end
   if type(s.kappa) ~= "number" or not (s.kappa >= 0 and s.kappa < math.huge) then
      error(("%s: kappa must be a number >= 0, got %s"):format(who, estimator.value_text(s.kappa)), 0)
   end
   return s
end

-- --- the surrogate ---

local function default_kernel(width)
   local kernel, lengths = require "manilius.kernel", {}
   for j = 1, width do lengths[j] = 0.5 end
   return kernel.Constant { bounds = { 0.01, 1000 } }
      * kernel.Matern { nu = 2.5, length = lengths, bounds = { 0.02, 20 } }
      + kernel.White { noise = 1e-4, bounds = { 1e-8, 1 } }
end

-- The values as a Vector: failed evaluations have the worst of the others. nil if fewer than two are numbers.
local function filled(values)
   local worst, count, list = -math.huge, 0, {}
   for _, value in ipairs(values) do
      if value == value then worst, count = math.max(worst, value), count + 1 end
   end
   for i, value in ipairs(values) do list[i] = value == value and value or worst end
   return count >= 2 and core.Vector(list) or nil
end

--- The Gaussian process of the measured positions; nil if there are too few, or if it cannot be fitted.
-- @param values a number for each position, nan for failed evaluations
function M.surrogate(space, settings, positions, values)
   local y = filled(values)
   if not y then return nil end
   local model = core.constructors.GaussianProcessRegressor { kernel = settings.kernel or default_kernel(space.width),
      normalize_y = true, max_iter = 100, seed = settings.seed }
   local old = require "manilius.warnings".warnings "off"
   local ok, fitted = pcall(model.fit, model, space:matrix(positions), y)
   require "manilius.warnings".warnings(old)
   if ok then return fitted end
   if settings.kernel then error(fitted, 0) end
   rows.recoverable_error(fitted)
   return nil
end

--- Mean and standard deviation of the function at positions.
function M.posterior(space, model, positions)
   local out = model:intervals(space:matrix(positions), { kind = "confidence" })
   return out.fit, out.std_error
end

-- --- the maximum of the acquisition ---

-- A function that appends positions that are not in `seen` to a list, each once.
local function collector(space, seen)
   local known = setmetatable({}, { __index = seen })
   return function(list, position)
      local key = space:key(position)
      if not known[key] then
         known[key] = true
         list[#list + 1] = position
      end
   end
end

-- The acquisition at positions. best: the lowest posterior mean of the measured ones, which noise does not bias.
local function acquisition_at(space, settings, model, best, positions)
   local mean, sd = M.posterior(space, model, positions)
   if settings.acquisition == "lcb" then return acquisition.lower_confidence_bound(mean, sd, settings.kappa) end
   return acquisition.log_expected_improvement(mean, sd, best)
end

-- The N_TOP best { position, acquisition } of `top` and of the positions.
local function merged(top, positions, values)
   for i, position in ipairs(positions) do top[#top + 1] = { position, values[i], #top } end
   table.sort(top, function(a, b)
      if a[2] ~= b[2] then return a[2] > b[2] end
      return a[3] < b[3]
   end)
   local kept = {}
   for i = 1, math.min(N_TOP, #top) do kept[i] = { top[i][1], top[i][2], i } end
   return kept
end

local function first_positions(space, add, rng)
   local list = {}
   if space.size <= MAX_ALL then
      for _, position in ipairs(space:all()) do add(list, position) end
      return list
   end
   for _ = 1, N_RANDOM do add(list, space:draw(rng)) end
   return list
end

local function maximize(space, settings, model, positions, seen)
   local rng, add = core.rng(settings.seed, #positions + 1), collector(space, seen)
   local best = M.posterior(space, model, positions):min()
   local list = first_positions(space, add, rng)
   if #list == 0 then return nil end
   local top = merged({}, list, acquisition_at(space, settings, model, best, list))
   if space.size <= MAX_ALL then return top[1][1] end
   local measured = model:predict(space:matrix(positions)):argmin()
   for i, step in ipairs(STEPS) do
      local near = {}
      for _, one in ipairs(top) do
         for _ = 1, N_NEAR do add(near, space:near(one[1], step, rng)) end
      end
      for _ = 1, i <= 3 and N_NEAR or 0 do add(near, space:near(positions[measured], step, rng)) end
      if #near > 0 then top = merged(top, near, acquisition_at(space, settings, model, best, near)) end
   end
   return top[1][1]
end

-- --- proposals ---

-- The next position of the quasi-random sequence that is not measured yet; nil if there is none.
local function next_quasi_random(space, settings, count, seen)
   for attempt = 0, 99 do
      local position = space:quasi_random(count + 1 + attempt * 1000003, settings.seed)
      if not seen[space:key(position)] then return position end
   end
   if space.size > MAX_ALL then return space:draw(core.rng(settings.seed, count + 1)) end
   for _, position in ipairs(space:all()) do
      if not seen[space:key(position)] then return position end
   end
end

--- The next position; nil if all positions are measured.
function M.next(space, settings, positions, values)
   local seen = {}
   for _, position in ipairs(positions) do seen[space:key(position)] = true end
   local model = #positions >= settings.n_initial and M.surrogate(space, settings, positions, values)
   if model then return maximize(space, settings, model, positions, seen) end
   return next_quasi_random(space, settings, #positions, seen)
end

return M
