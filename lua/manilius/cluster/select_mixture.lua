--- ml.select_mixture: mixtures for several numbers of components and covariance types, compared by a criterion.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"
local warnings = require "manilius.warnings"

local fail = parts.fail
local M = { help = {} }

local WHO, NAN = "select_mixture", 0 / 0
local TYPES = { "EII", "VII", "EEI", "VEI", "EVI", "VVI", "EEE", "VEE", "EVE", "VVE", "EEV", "VEV", "EVV", "VVV" }
local CRITERIA = { "bic", "icl", "aic" }

-- --- the result ---

local Selection = { __name = "MixtureSelection" }
Selection.__index = Selection

-- The best fits: "VVV,2 2322.19", or only the number of components.
local function top(self)
   local list = {}
   for t, kind in ipairs(self.types) do
      for i, k in ipairs(self.components) do
         local value = self.table[kind][i]
         if value == value then list[#list + 1] = { value = value, order = #list + t, name = self.typed
            and ("%s, %d"):format(kind, k) or tostring(k) } end
      end
   end
   table.sort(list, function(a, b) return a.value < b.value or (a.value == b.value and a.order < b.order) end)
   return list
end

function Selection.__tostring(self)
   local lines = { { "components" } }
   for i, k in ipairs(self.components) do lines[i + 1] = { tostring(k) } end
   for _, kind in ipairs(self.types) do
      table.insert(lines[1], self.typed and kind or self.criterion)
      for i, value in ipairs(text.numbers(self.table[kind]:totable(), 6, "-")) do
         table.insert(lines[i + 1], value)
      end
   end
   local best = {}
   for i, one in ipairs(top(self)) do
      if i <= 3 then best[i] = ("%s (%s)"):format(one.name, text.number(one.value, 8)) end
   end
   return ("%s of %s, lower is better\n%s\nbest: %s"):format(self.criterion, estimator.name(self.model),
      text.aligned(lines), table.concat(best, "; "))
end

-- --- the comparison ---

local function has_types(model)
   local params = model:get_params()
   return params.covariance_type ~= nil
end

local function check_counts(given, n)
   if type(given) ~= "table" or #given == 0 then
      fail("components must be a list of numbers of components, got %s", parts.text(given))
   end
   for i, k in ipairs(given) do
      if math.type(k) ~= "integer" or k < 1 or k > n then
         fail("components must be whole numbers from 1 to the number of rows, %d, got %s in place %d", n,
            parts.text(k), i)
      end
   end
   return given
end

-- The criterion of a fit, and the fit; NaN if its likelihood is not bounded.
local function measure(model, X, settings, criterion, fit_options)
   local ok, fitted = pcall(function() return model:clone():set_params(settings):fit(X, nil, fit_options) end)
   if ok then return fitted[criterion], fitted end
   if type(fitted) == "string" and fitted:find("singular", 1, true) then return NAN end
   error(fitted, 0)
end

local function select_mixture(model, X, o)
   local known = estimator.is(model) and pcall(function() return model:get_params().n_components end)
   if not known or model:get_params().n_components == nil then
      fail("model must be a mixture with n_components, such as ml.GaussianMixture {}, got %s", parts.text(model))
   end
   X = rows.x(WHO, X, 0)
   local n = rows.count(X)
   local criterion = parts.choice(o, "criterion", CRITERIA, "bic")
   local components = check_counts(o.components or core.range(1, math.min(9, n)):totable(), n)
   local typed = has_types(model)
   local types = typed and (o.types or TYPES) or { "all" }
   local shown <close> = progress.task(WHO, #types * #components)
   local result, best, done = { criterion = criterion, components = components, types = types, typed = typed }, nil, 0
   local columns = { core.Vector(components) }
   for t, kind in ipairs(types) do
      local values = {}
      for i, k in ipairs(components) do
         shown:at(done)
         done = done + 1
         local settings = { n_components = k, covariance_type = typed and kind or nil }
         local value, fitted = measure(model, X, settings, criterion, o.weights and { weights = o.weights } or nil)
         values[i] = value
         if value == value and (not best or value < best) then
            best, result.model, result.n_components = value, fitted, k
            result.covariance_type = typed and kind or nil
         end
      end
      columns[t + 1] = core.Vector(values)
   end
   if not best then fail("no mixture could be fitted: every covariance is singular; increase reg_covar") end
   result.value = best
   result.table = rows.frame({ "components", table.unpack(types) }, columns)
   return setmetatable(result, Selection)
end

M.help.select_mixture = {
   name = WHO, args = { "model", "X" },
   brief = "Choose the number of components and the covariance type of a mixture.",
   returns = "an object that prints as a table: table (Frame: components, and a column for each type), model (the best "
      .. "one, fitted), n_components, covariance_type, value",
   options = {
      components = "list of numbers of components; default 1 to 9",
      types = "list of covariance types; default: the fourteen of mclust",
      criterion = "'bic' (default), 'icl', which prefers separated components, or 'aic'",
      weights = "sample weights",
   },
   notes = "Lower is better; mclust shows minus these values. Fits whose covariance is singular are shown as -. Other "
      .. "settings are those of the model: reduce its tol, and increase n_init to escape local optima.",
   source = "Fraley & Raftery, J. American Statistical Association 97 (2002)",
   example = [[
local X = ml.read_csv "examples/data/faithful.csv"
local model = ml.GaussianMixture { tol = 1e-6, max_iter = 1000 }
print(ml.select_mixture(model, X, { components = { 1, 2, 3 }, types = { "EEE", "VVV" } }))]],
}

--- Mixtures of several sizes and types, compared by a criterion; see M.help.
function M.select_mixture(model, X, options)
   options = options_of.check(WHO, options, M.help.select_mixture.options, 2)
   return parts.finish(WHO, warnings.once(select_mixture, model, X, options))
end

return M
