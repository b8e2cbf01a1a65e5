--- ml.dist: probability distributions as values: densities, tails, quantiles, moments, information, samples, fits.
-- All numbers come from the core (src/stats/distribution.h). Those of several variables are in
-- manilius.dist.multivariate, fits with priors in manilius.dist_fit.

local core = require "manilius.core"
local object = require "manilius.dist.object"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { help = {} }

-- The name and parameters of each distribution (in the order of the core), hidden from the user.
local held = setmetatable({}, { __mode = "k" })
local described = {} -- name -> { name, brief, parameters }
local methods = {}

local function parameter_names(name)
   local names = {}
   for i, p in ipairs(described[name].parameters) do names[i] = p.name end
   return names
end

local function value_of(d, name)
   for i, p in ipairs(described[held[d].name].parameters) do
      if p.name == name then return held[d][i] end
   end
end

local meta = object.meta { methods = methods, name_of = function(d) return held[d].name end,
   parameters_of = parameter_names, value_of = value_of, show = text.number }

local function is_in(p, value)
   local low = p.open and value > p.low or not p.open and value >= p.low
   local high = p.open and value < p.high or not p.open and value <= p.high
   return low and high and (not p.whole or value == math.floor(value))
end

local function wanted(p)
   if p.whole then return ("a whole number from %s to %s"):format(text.number(p.low), text.number(p.high)) end
   if p.low == -math.huge then return "a finite number" end
   if p.high == math.huge then return "a number > " .. text.number(p.low) end
   return ("a number from %s to %s"):format(text.number(p.low), text.number(p.high))
end

local function make(name, values)
   values.name = name
   local d = setmetatable({}, meta)
   held[d] = values
   return d
end

local function construct(definition, given, level)
   local name, values = definition.name, {}
   if given ~= nil and (rows.kind(given) ~= "table" or getmetatable(given) == meta) then
      error(("dist.%s: parameters must be a table { %s = ... }, got %s"):format(name,
         table.concat(parameter_names(name), " = ..., "), held[given] and "a distribution" or rows.kind(given)),
         level + 1)
   end
   given = given or {}
   for i, p in ipairs(definition.parameters) do
      local value = given[p.name]
      if value == nil then value = p.initial end
      if value == nil then error(("dist.%s: %s must be given"):format(name, p.name), level + 1) end
      if type(value) ~= "number" or not is_in(p, value) then
         local got = type(value) == "number" and text.number(value) or type(value)
         error(("dist.%s: %s must be %s, got %s"):format(name, p.name, wanted(p), got), level + 1)
      end
      values[i] = value + 0.0
   end
   object.check_names(name, given, parameter_names(name), level + 1)
   return make(name, values)
end

for _, what in ipairs { "log_density", "density", "cdf", "sf", "quantile", "isf" } do
   methods[what] = function(d, x)
      if type(x) == "table" then x = core.Vector(x) end
      return core.dist_apply(held[d].name, held[d], what, x)
   end
end

for _, what in ipairs { "mean", "variance", "entropy" } do
   local function number(d) return core.dist_statistic(held[d].name, held[d], what) end
   methods[what == "mean" and "expectation" or what] = number
end

function methods.sample(d, n, seed)
   return core.dist_sample(held[d].name, held[d], n or 1, seed or 0)
end

local function check_kin(d, other, what)
   if not held[other] then error(("%s: other must be a distribution, got %s"):format(what, type(other)), 3) end
   if held[other].name ~= held[d].name then
      error(("%s: both distributions must be of the same family, got %s and %s"):format(what, held[d].name,
         held[other].name), 3)
   end
end

--- Kullback-Leibler divergence of d from `other`, in nats.
function methods.kl(d, other)
   check_kin(d, other, "kl")
   return core.dist_statistic(held[d].name, held[d], "kl", held[other])
end

--- Cross-entropy: the expectation of -log density of `other` under d.
function methods.cross_entropy(d, other)
   check_kin(d, other, "cross_entropy")
   return methods.entropy(d) + methods.kl(d, other)
end

local examples = {
   gamma = "{ shape = 2, scale = 0.5 }", beta = "{ a = 2, b = 3 }", student_t = "{ df = 4 }",
   bernoulli = "{ p = 0.3 }", binomial = "{ n = 10, p = 0.3 }", poisson = "{ mean = 2.5 }",
   von_mises = "{ mean = 0.5, concentration = 4 }",
   normal = "{ mean = 1, sd = 2 }", exponential = "{ rate = 2 }", laplace = "{ location = 0, scale = 1 }",
}

for _, definition in ipairs(core.dist_list()) do
   local name, params = definition.name, {}
   described[name] = definition
   M[name] = function(parameters) return construct(definition, parameters, 1) end
   for i, p in ipairs(definition.parameters) do
      params[i] = { name = p.name,
         brief = p.brief .. (p.initial and (" (default %s)"):format(text.number(p.initial)) or "") }
   end
   M.help[name] = {
      name = name, args = { "parameters" },
      brief = definition.brief:sub(1, 1):upper() .. definition.brief:sub(2) .. ".", params = params,
      returns = "a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), "
         .. "d:quantile(p), d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), "
         .. "d:cross_entropy(other); x, p and q are numbers or Vectors; its parameters are fields",
      example = ("local d = ml.dist.%s%s\nprint(d, d:cdf(0.5), d:quantile(0.9), d:sample(3, 1))"):format(name,
         examples[name]),
   }
end

local multi = require "manilius.dist.multivariate"
for name, help in pairs(multi.help) do
   M[name], M.help[name] = multi[name], help
end

local fits = require "manilius.dist.fit" { described = described, held = held, make = make, is_in = is_in,
   wanted = wanted, construct = construct }
M.fit, M.help.fit = fits.fit, fits.help

return setmetatable(M, {
   __index = function(_, name)
      error(("dist has no '%s'%s"):format(tostring(name), text.near(name, text.sorted_keys(M.help))), 2)
   end,
   __tostring = function() return require "manilius.help".module_text("dist", M.help) end,
})
