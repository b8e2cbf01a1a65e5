--- Multivariate distributions: multivariate normal, Dirichlet and multinomial, computed in the core
-- (src/stats/multivariate.h).

local core = require "manilius.core"
local object = require "manilius.dist.object"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { help = {} }

-- distribution -> parameters for the core { name, vector, factor, trials }, hidden from the user.
local core_params = setmetatable({}, { __mode = "k" })
local methods = {}

-- The families; `params` documents the parameters.
local families = {
   multivariate_normal = { parameters = { "mean", "covariance" }, brief = "Multivariate normal distribution.",
      params = { { name = "mean", brief = "one number per variable" },
         { name = "covariance", brief = "positive definite matrix" } },
      example = "{ mean = { 1, 2 }, covariance = { { 2, 0.5 }, { 0.5, 1 } } }" },
   dirichlet = { parameters = { "alpha" }, brief = "Dirichlet distribution of fractions that sum to 1.",
      params = { { name = "alpha", brief = "one number > 0 per fraction" } }, example = "{ alpha = { 2, 3, 4 } }" },
   multinomial = { parameters = { "n", "p" }, brief = "Multinomial distribution of counts of outcomes.",
      params = { { name = "n", brief = "number of trials" },
         { name = "p", brief = "probabilities of the outcomes, which sum to 1" } },
      example = "{ n = 10, p = { 0.2, 0.3, 0.5 } }" },
}

local function value_of(d, name)
   local h = core_params[d]
   if name == "mean" or name == "alpha" or name == "p" then return h.vector:copy() end
   if name == "covariance" then return h.covariance:copy() end
   return h.trials
end

local function show(value)
   local kind = rows.kind(value)
   if kind == "Matrix" then return ("a matrix of %d x %d"):format(value.rows, value.cols) end
   if kind ~= "Vector" then return text.number(value) end
   local list = {}
   for k = 1, math.min(#value, 6) do list[k] = text.number(value[k]) end
   if #value > 6 then list[7] = "..." end
   return "{ " .. table.concat(list, ", ") .. " }"
end

local meta = object.meta { methods = methods, name_of = function(d) return core_params[d].name end,
   parameters_of = function(name) return families[name].parameters end, value_of = value_of, show = show }

-- --- parameters ---

local function fail(name, message, ...)
   error(("dist.%s: " .. message):format(name, ...), 0)
end

local function numbers(name, what, value, wanted)
   local ok, vector = rows.try(core.Vector, value)
   if value == nil or type(value) == "number" or not ok or #vector == 0 then
      fail(name, "%s must be %s, got %s", what, wanted, rows.kind(value))
   end
   if vector:isfinite():sum() < #vector then fail(name, "%s must be finite", what) end
   return vector:copy()
end

-- Raise an error for the first value of a vector that is invalid.
local function check_each(name, what, vector, is_valid, wanted)
   for i, value in ipairs(vector:totable()) do
      if not is_valid(value) then fail(name, "%s must be %s, got %s at %d", what, wanted, text.number(value), i) end
   end
end

-- Functions that check the given parameters and convert them for the core.
local convert = {}

function convert.multivariate_normal(given)
   local name = "multivariate_normal"
   local mean = numbers(name, "mean", given.mean, "one number per variable")
   local ok, covariance = rows.try(core.Matrix, given.covariance)
   if given.covariance == nil or not ok then
      fail(name, "covariance must be a matrix, got %s", rows.kind(given.covariance))
   end
   if covariance.rows ~= #mean or covariance.cols ~= #mean then
      fail(name, "covariance must have %d rows and columns, like mean, got %d and %d", #mean, covariance.rows,
         covariance.cols)
   end
   local scale = covariance:abs():max()
   if (covariance - covariance:t()):abs():max() > 1e-10 * scale then fail(name, "covariance must be symmetric") end
   local factor = core.multi_factor(covariance)
   if not factor then fail(name, "covariance must be positive definite") end
   return { vector = mean, covariance = covariance:copy(), factor = factor }
end

function convert.dirichlet(given)
   local alpha = numbers("dirichlet", "alpha", given.alpha, "one number > 0 per fraction")
   check_each("dirichlet", "alpha", alpha, function(a) return a > 0 end, "> 0")
   return { vector = alpha }
end

function convert.multinomial(given)
   local name = "multinomial"
   local p = numbers(name, "p", given.p, "one probability per outcome")
   check_each(name, "p", p, function(share) return share >= 0 end, ">= 0")
   if math.abs(p:sum() - 1) > 1e-9 then fail(name, "p must sum to 1, got %s", text.number(p:sum())) end
   local n = given.n
   if type(n) ~= "number" or not (n >= 0 and n <= 2 ^ 53 and n == math.floor(n)) then
      fail(name, "n must be a whole number from 0 to 2^53, got %s", type(n) == "number" and text.number(n) or type(n))
   end
   return { vector = p / p:sum(), trials = n }
end

local function make(name, values)
   values.name = name
   local d = setmetatable({}, meta)
   core_params[d] = values
   return d
end

local function construct(name, given)
   if type(given) ~= "table" then fail(name, "parameters must be a table, got %s", type(given)) end
   object.check_names(name, given, families[name].parameters, 0)
   return make(name, convert[name](given))
end

-- --- methods ---

-- Read one point (a list of numbers or a Vector) or a matrix of points; returns the matrix and whether it is one point.
local function points(d, x)
   local kind = rows.kind(x)
   local one = kind == "Vector" or kind == "table" and type(x[1]) == "number"
   local ok, X = rows.try(core.Matrix, one and { core.Vector(x) } or x)
   if not ok then error("x must be a point, or a matrix with one point per row, got " .. kind, 3) end
   local size = #core_params[d].vector
   if X.cols ~= size then
      error(("x must have %d values, one per variable, got %d"):format(size, X.cols), 3)
   end
   return X, one
end

--- The log of the density at a point (a number), or at the rows of a matrix (a Vector).
function methods.log_density(d, x)
   local X, one = points(d, x)
   local found = core.multi_log_density(core_params[d].name, core_params[d], X)
   if one then return found[1] end
   return found
end

function methods.density(d, x)
   local X, one = points(d, x)
   local found = core.multi_log_density(core_params[d].name, core_params[d], X):exp()
   if one then return found[1] end
   return found
end

function methods.sample(d, n, seed)
   return core.multi_sample(core_params[d].name, core_params[d], n or 1, seed or 0)
end

function methods.expectation(d)
   return (core.multi_moments(core_params[d].name, core_params[d]))
end

--- Variances and covariances: a matrix.
function methods.variance(d)
   local _, covariance = core.multi_moments(core_params[d].name, core_params[d])
   return covariance
end

function methods.entropy(d)
   return core.multi_information(core_params[d].name, core_params[d])
end

function methods.kl(d, other)
   local h, o = core_params[d], core_params[other]
   if not o then error(("kl: other must be a multivariate distribution, got %s"):format(type(other)), 2) end
   if h.name ~= o.name then
      error(("kl: both distributions must be of the same family, got %s and %s"):format(h.name, o.name), 2)
   end
   if #h.vector ~= #o.vector then
      error(("kl: both distributions must have the same number of variables, got %d and %d"):format(#h.vector,
         #o.vector), 2)
   end
   return core.multi_information(h.name, h, o)
end

function methods.cross_entropy(d, other)
   return methods.entropy(d) + methods.kl(d, other)
end

-- --- fits ---

--- The maximum likelihood estimates, as a table for the constructor.
function M.max_likelihood(name, X, weights)
   local vector, covariance, trials = core.multi_fit(name, X, weights)
   if name == "multivariate_normal" then return { mean = vector, covariance = covariance } end
   return name == "dirichlet" and { alpha = vector } or { n = trials, p = vector }
end

M.families, M.construct = families, construct

for name, family in pairs(families) do
   M[name] = function(given) return (rows.rethrow(2, pcall(construct, name, given))) end
   M.help[name] = {
      name = name, args = { "parameters" },
      brief = family.brief, params = family.params,
      returns = "a distribution d with d:log_density(x), d:density(x) (x: a point or a matrix with one per row), "
         .. "d:sample(n, seed) (one row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other), "
         .. "d:cross_entropy(other); its parameters are fields",
      example = ("local d = ml.dist.%s%s\nprint(d, d:entropy(), d:expectation())\nprint(d:sample(2, 1))"):format(name,
         family.example),
   }
end

return M
