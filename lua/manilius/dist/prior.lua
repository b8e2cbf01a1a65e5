--- Conjugate priors of ml.dist: posterior distributions and their modes.
--
-- Each entry takes the values (a Vector, or a Matrix with one row each), their weights (a Vector), the known parameters
-- (multivariate: the maximum likelihood estimates), and the prior. It returns the parameters at the mode of the
-- posterior, and the posterior: a distribution, or a table like the prior.
-- Bernardo & Smith, Bayesian Theory (1994), appendix A.

local rows = require "manilius.rows"
local text = require "manilius.text"

local function fail(message, ...)
   error(("dist.fit: " .. message):format(...), 0)
end

-- The prior as a distribution; it may be given as a table of parameters.
local function prior_of(family, prior)
   local dist = require "manilius.dist"
   if type(prior) == "table" and getmetatable(prior) == nil then
      local ok, found = rows.try(dist[family], prior)
      if ok then return found end
      fail("prior: %s", (tostring(found):gsub("^[^\n:]*:%d+: ", "", 1)))
   end
   if tostring(prior):match "^([%w_]+){" == family then return prior end
   fail("prior must be a table of parameters of %s, or such a distribution, got %s", family,
      type(prior) == "table" and tostring(prior) or type(prior))
end

-- Check a table of required numbers, which must be > 0, or finite if listed in `free`.
local function numbers_of(prior, names, free)
   if type(prior) ~= "table" or getmetatable(prior) ~= nil then
      fail("prior must be a table with %s, got %s", table.concat(names, ", "), type(prior))
   end
   for key in pairs(prior) do
      local hint = text.hint(tostring(key), names)
      local known = false
      for _, name in ipairs(names) do known = known or name == key end
      if not known then fail("prior has no '%s'%s", tostring(key), hint) end
   end
   for _, name in ipairs(names) do
      local value = prior[name]
      if type(value) ~= "number" or not (value > (free[name] and -math.huge or 0) and value < math.huge) then
         fail("prior: %s must be a %s, got %s", name, free[name] and "finite number" or "number > 0",
            type(value) == "number" and text.number(value) or type(value))
      end
   end
   return prior
end

local function beta_mode(a, b)
   if a > 1 and b > 1 then return (a - 1) / (a + b - 2) end
   if a <= 1 and b > 1 then return 0 end
   if a > 1 then return 1 end
   fail("the posterior, beta{ a = %s, b = %s }, has no unique mode", text.number(a), text.number(b))
end

local function gamma_mode(g)
   return math.max(g.shape - 1, 0) * g.scale
end

local function proportion(successes, failures, prior)
   local before = prior_of("beta", prior)
   local after = require "manilius.dist".beta { a = before.a + successes, b = before.b + failures }
   return beta_mode(after.a, after.b), after
end

-- Posterior of a rate; `shape` and `rate` are the increments from the data.
local function rate_after(prior, shape, rate)
   local before = prior_of("gamma", prior)
   return require "manilius.dist".gamma { shape = before.shape + shape, scale = 1 / (1 / before.scale + rate) }
end

local M = {}

function M.bernoulli(x, w, _, prior)
   local p, after = proportion(x:dot(w), (1 - x):dot(w), prior)
   return { p }, after
end

function M.binomial(x, w, known, prior)
   local p, after = proportion(x:dot(w), (known.n - x):dot(w), prior)
   return { known.n, p }, after
end

function M.poisson(x, w, _, prior)
   local after = rate_after(prior, x:dot(w), w:sum())
   return { gamma_mode(after) }, after
end

function M.exponential(x, w, _, prior)
   local after = rate_after(prior, w:sum(), x:dot(w))
   return { gamma_mode(after) }, after
end

function M.gamma(x, w, known, prior)
   if not known.shape then fail("gamma has a conjugate prior (gamma, for 1 / scale) only if its shape is known") end
   local after = rate_after(prior, known.shape * w:sum(), x:dot(w))
   return { known.shape, 1 / gamma_mode(after) }, after
end

-- Normal-gamma prior of the mean and of the precision 1 / sd^2 of a value. The precision of the mean is `count` times
-- that of a value.
local function normal_gamma(x, w, prior)
   numbers_of(prior, { "mean", "count", "shape", "scale" }, { mean = true })
   local n = w:sum()
   local mean = x:dot(w) / n
   local count = prior.count + n
   local squares = (x - mean):square():dot(w) + prior.count * n / count * (mean - prior.mean) ^ 2
   local after = { mean = (prior.count * prior.mean + n * mean) / count, count = count, shape = prior.shape + n / 2,
      scale = 1 / (1 / prior.scale + squares / 2) }
   if after.shape <= 0.5 then fail("the posterior has no mode: its shape must be above 1/2, got %s", after.shape) end
   return { after.mean, ((after.shape - 0.5) * after.scale) ^ -0.5 }, after
end

function M.normal(x, w, known, prior)
   if known.mean and known.sd then fail("mean and sd are both known: there is nothing to fit") end
   if known.mean then
      local after = rate_after(prior, w:sum() / 2, (x - known.mean):square():dot(w) / 2)
      return { known.mean, gamma_mode(after) ^ -0.5 }, after
   end
   if not known.sd then return normal_gamma(x, w, prior) end
   local before = prior_of("normal", prior)
   local prior_precision, data_precision = before.sd ^ -2, w:sum() * known.sd ^ -2
   local mean = (prior_precision * before.mean + known.sd ^ -2 * x:dot(w)) / (prior_precision + data_precision)
   local after = require "manilius.dist".normal { mean = mean, sd = (prior_precision + data_precision) ^ -0.5 }
   return { mean, known.sd }, after
end

function M.von_mises(x, w, known, prior)
   local k = known.concentration
   if not k then
      fail("von_mises has a conjugate prior (von_mises, for its mean) only if its concentration is known")
   end
   local before = prior_of("von_mises", prior)
   local c = before.concentration * math.cos(before.mean) + k * x:cos():dot(w)
   local s = before.concentration * math.sin(before.mean) + k * x:sin():dot(w)
   local mean = math.atan(s, c)
   return { mean, k }, require "manilius.dist".von_mises { mean = mean, concentration = math.sqrt(c * c + s * s) }
end

-- --- multivariate: parameters by name ---

function M.multinomial(X, w, estimate, prior)
   local before = prior_of("dirichlet", prior).alpha
   if #before ~= X.cols then
      fail("prior: alpha must have %d values, one for each outcome, got %d", X.cols, #before)
   end
   local after = before + w * X
   local above = (after - 1):maximum(0)
   if above:sum() == 0 then fail("the posterior has no mode: no alpha is above 1") end
   return { n = estimate.n, p = above / above:sum() }, require "manilius.dist".dirichlet { alpha = after }
end

-- A prior of mean and precision, the inverse of the covariance: normal and Wishart. `scale` is the sum of squares of
-- `df` prior observations.
local function normal_wishart(prior, size)
   local names = { "mean", "count", "df", "scale" }
   if type(prior) ~= "table" then
      fail("prior must be a table with %s, got %s", table.concat(names, ", "), type(prior))
   end
   numbers_of({ count = prior.count, df = prior.df }, { "count", "df" }, {})
   for key in pairs(prior) do
      local known = false
      for _, name in ipairs(names) do known = known or name == key end
      if not known then fail("prior has no '%s'%s", tostring(key), text.hint(tostring(key), names)) end
   end
   if prior.df <= size - 1 then
      fail("prior: df must be > %d, the number of variables - 1, got %s", size - 1, text.number(prior.df))
   end
   local ok, shape = rows.try(require "manilius.dist".multivariate_normal,
      { mean = prior.mean, covariance = prior.scale })
   if not ok then
      fail("prior: %s", (tostring(shape):gsub("^.-dist%.multivariate_normal: ", "", 1):gsub("^covariance", "scale")))
   end
   if #shape.mean ~= size then fail("prior: mean must have %d values, got %d", size, #shape.mean) end
   return shape.mean, shape.covariance
end

function M.multivariate_normal(X, w, estimate, prior)
   local mean, scale = normal_wishart(prior, X.cols)
   local n, size = w:sum(), X.cols
   local count, difference = prior.count + n, estimate.mean - mean
   local outer = difference:reshape(size, 1) * difference:reshape(1, size)
   local squares = estimate.covariance * n + outer * (prior.count * n / count)
   local after = { mean = (mean * prior.count + estimate.mean * n) / count, count = count, df = prior.df + n,
      scale = scale + squares }
   if after.df <= size then
      fail("the posterior has no mode: its df must be above %d, got %s", size, text.number(after.df))
   end
   return { mean = after.mean, covariance = after.scale / (after.df - size) }, after
end

return M
