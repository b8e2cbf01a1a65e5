--- ml.dist.fit: fit the parameters of a distribution by maximum likelihood or maximum a posteriori.

local core = require "manilius.core"
local multi = require "manilius.dist.multivariate"
local options_of = require "manilius.options"
local prior_of = require "manilius.dist.prior"
local rows = require "manilius.rows"
local text = require "manilius.text"

local function fail(message, ...)
   error(("dist.fit: " .. message):format(...), 0)
end

-- Weights as a Vector, or nil.
local function check_weights(weights, n)
   if weights == nil then return nil end
   local ok, w = rows.try(core.Vector, weights)
   if not ok or type(weights) == "number" then fail("weights must be numbers, got %s", rows.kind(weights)) end
   if #w ~= n then fail("weights must have one number per value, %d, got %d", n, #w) end
   if w:gt(0):sum() < n or w:isfinite():sum() < n then fail("weights must be finite and > 0") end
   return w
end

local function check_values(x, make, what)
   local ok, values = rows.try(make, x)
   if x == nil or type(x) == "number" or not ok then fail("x must be %s, got %s", what, rows.kind(x)) end
   local count = rows.kind(values) == "Matrix" and values.rows or #values
   if count == 0 then fail("x must have at least one value, got none") end
   if values:isfinite():sum() < (rows.kind(values) == "Matrix" and values.rows * values.cols or count) then
      fail("values must be finite")
   end
   return values, count
end

-- The known parameters, by name and by index.
local function check_known(definition, given, univariate)
   local by_name, by_index, names = given or {}, {}, {}
   if type(by_name) ~= "table" then fail("known must be a table of parameters, got %s", type(given)) end
   for i, p in ipairs(definition.parameters) do
      local value = by_name[p.name]
      if p.known then names[#names + 1] = p.name end
      if p.known == "must" and value == nil then
         fail("%s: known = { %s = ... } must be given", definition.name, p.name)
      end
      if value ~= nil and p.known then
         if type(value) ~= "number" or not univariate.is_in(p, value) then
            fail("known: %s must be %s, got %s", p.name, univariate.wanted(p), text.number(value))
         end
         by_index[i] = value + 0.0
      end
   end
   for name in pairs(by_name) do
      local found = false
      for _, one in ipairs(names) do found = found or one == name end
      if not found then
         fail("known: %s", #names == 0 and definition.name .. " has no parameter that can be fixed"
            or ("'%s' is not one of %s"):format(tostring(name), table.concat(names, ", ")))
      end
   end
   return by_name, by_index
end

local function need_prior(name)
   local update = rawget(prior_of, name)
   if not update then
      fail("%s has no conjugate prior; supported are %s", name, table.concat(text.sorted_keys(prior_of), ", "))
   end
   return update
end

-- Create the distribution from its estimated parameters, which must be valid and give each value a positive density.
local function make_distribution(univariate, definition, values, x)
   for i, p in ipairs(definition.parameters) do
      if not univariate.is_in(p, values[i]) then
         fail("the estimate for %s has %s = %s, which must be %s", definition.name, p.name, text.number(values[i]),
            univariate.wanted(p))
      end
   end
   local d = univariate.make(definition.name, values)
   if d:log_density(x):gt(-math.huge):sum() < #x then
      fail("some values are outside the support of %s", definition.name)
   end
   return d
end

local function fit_one(univariate, name, x, o)
   local definition = univariate.described[name]
   x = check_values(x, core.Vector, "numbers: a Vector or a list")
   local n = #x
   local weights = check_weights(o.weights, n)
   local known, known_at = check_known(definition, o.known, univariate)
   if o.prior == nil then
      return make_distribution(univariate, definition, core.dist_fit(name, x, weights, known_at), x)
   end
   local values, posterior = need_prior(name)(x, weights or core.Vector(n, 1), known, o.prior)
   for i = 1, #values do values[i] = values[i] + 0.0 end
   return make_distribution(univariate, definition, values, x), posterior
end

local function fit_several(name, x, o)
   local X, n = check_values(x, core.Matrix, "a matrix with one row per value")
   local weights = check_weights(o.weights, n)
   if o.known ~= nil then fail("known: %s has no parameter that can be fixed", name) end
   local found, posterior = multi.max_likelihood(name, X, weights), nil
   if o.prior ~= nil then found, posterior = need_prior(name)(X, weights or core.Vector(n, 1), found, o.prior) end
   local ok, d = rows.try(multi.construct, name, found)
   if not ok then
      fail("cannot fit %s to the values: %s", name, (tostring(d):gsub("^dist%.[%w_]+: ", "", 1)))
   end
   if posterior == nil then return d end
   return d, posterior
end

return function(univariate)
   local names = text.sorted_keys(univariate.described)
   for _, name in ipairs(text.sorted_keys(multi.families)) do names[#names + 1] = name end

   local function fit(name, x, options)
      local o = options_of.check("dist.fit", options, { weights = true, known = true, prior = true }, 3)
      if type(name) ~= "string" then fail("name must be a string, got %s", rows.kind(name)) end
      if multi.families[name] then return fit_several(name, x, o) end
      if not univariate.described[name] then
         fail("no such distribution '%s'%s", tostring(name), text.hint(tostring(name), names))
      end
      return fit_one(univariate, name, x, o)
   end

   return {
      fit = function(name, x, options) return rows.rethrow(1, pcall(fit, name, x, options)) end,
      help = {
         name = "fit", args = { "name", "x" },
         brief = "Fit a distribution by maximum likelihood, or by MAP with a conjugate prior.",
         notes = "name is one of " .. table.concat(names, ", ") .. ".",
         returns = "a distribution; with a prior also the posterior: a distribution of the prior's family, or a "
            .. "table like the prior",
         options = {
            weights = "one number > 0 per value; nil: 1",
            known = "parameters that are fixed: n of binomial (it must be known), mean or sd of normal, "
               .. "shape of gamma, df of student_t, concentration of von_mises",
            prior = "parameters of the conjugate prior: beta { a, b } for bernoulli and binomial; gamma "
               .. "{ shape, scale } for the mean of poisson, the rate of exponential, 1 / scale of gamma with known "
               .. "shape, and 1 / sd^2 of normal with known mean; normal { mean, sd } for the mean of normal with "
               .. "known "
               .. "sd; normal-gamma { mean, count, shape, scale } for normal; normal-Wishart { mean, count, df, "
               .. "scale } "
               .. "for multivariate_normal; dirichlet { alpha } for multinomial; von_mises { mean, concentration } for "
               .. "the mean of von_mises with known concentration. The mode is that of these quantities",
         },
         source = "Bernardo & Smith, Bayesian Theory (1994), appendix A; Minka, Estimating a Dirichlet distribution "
            .. "(2000); Kent, Tyler & Vardi, Commun. Statist. Simul. 23 (1994)",
         example = "print(ml.dist.fit('gamma', { 0.5, 1.2, 2.1, 0.7, 3.3 }))\n"
            .. "print(ml.dist.fit('poisson', { 2, 0, 3, 1 }, { prior = { shape = 2, scale = 1 } }))",
      },
   }
end
