--- Tests of one, two or several samples.

local core = require "manilius.core"
local parts = require "manilius.test.parts"
local rows = require "manilius.rows"

local tests = core.tests
local M = {}

-- Read (x, options) or (x, y, options): y is nil if the second argument is not a sample.
local function arguments(y, options)
   if y ~= nil and not parts.is_sample(y) and options == nil and type(y) == "table" then return nil, y end
   return y, options
end

-- --- t tests ---

local T_OPTIONS = { "mu", "alternative", "level", "paired", "equal_var" }

local function need_variance(who, test)
   if not test.statistic or math.abs(test.statistic) == math.huge then
      parts.fail(who, "the values do not vary, so that the test is undefined")
   end
   return test
end

local function t_of_one(x, options, paired)
   local test = need_variance("t", tests.t(x, options))
   return parts.result("t", test, { method = paired and "Paired t-test" or "One-sample t-test", symbol = "t",
      parameter = paired and "mean of the differences" or "mean",
      estimates = { { paired and "mean of the differences" or "mean of x", test.estimate } } }, options)
end

--- Student's and Welch's t tests.
function M.t(x, y, options)
   y, options = arguments(y, options)
   options = parts.options("t", options, T_OPTIONS)
   if y == nil then return t_of_one(parts.sample("t", "x", x, 2), options) end
   if options.paired then
      x, y = parts.paired_samples("t", x, y, 2)
      return t_of_one(x - y, options, true)
   end
   x, y = parts.sample("t", "x", x, 2), parts.sample("t", "y", y, 2)
   local test = need_variance("t", tests.t_two(x, y, options))
   return parts.result("t", test, { method = options.equal_var and "Two-sample t-test" or "Welch two-sample t-test",
      symbol = "t", parameter = "difference of the means",
      estimates = { { "mean of x", x:mean() }, { "mean of y", y:mean() } } }, options)
end

--- Welch's t test of two samples.
function M.welch(x, y, options)
   options = parts.options("welch", options, { "mu", "alternative", "level" })
   x, y = parts.sample("welch", "x", x, 2), parts.sample("welch", "y", y, 2)
   local test = need_variance("welch", tests.t_two(x, y, options))
   return parts.result("welch", test, { method = "Welch two-sample t-test", symbol = "t",
      parameter = "difference of the means", estimates = { { "mean of x", x:mean() }, { "mean of y", y:mean() } } },
      options)
end

-- --- rank tests ---

local RANK_OPTIONS = { "mu", "alternative", "level", "exact", "corrected" }

local function exactness(test, options)
   if test.exact then return " exact test" end
   return options.corrected == false and " test, normal approximation" or " test with continuity correction"
end

--- Wilcoxon's signed rank test of x, or of the differences of paired samples.
function M.wilcoxon(x, y, options)
   y, options = arguments(y, options)
   options = parts.options("wilcoxon", options, RANK_OPTIONS)
   if y ~= nil then
      x, y = parts.paired_samples("wilcoxon", x, y, 1)
      x = x - y
   else
      x = parts.sample("wilcoxon", "x", x, 1)
   end
   local test = tests.signed_rank(x, options)
   return parts.result("wilcoxon", test, { method = "Wilcoxon signed rank" .. exactness(test, options), symbol = "V",
      parameter = "location", estimates = { { "(pseudo)median", test.estimate } } }, options)
end

--- Wilcoxon's rank sum test, of Mann and Whitney.
function M.mann_whitney(x, y, options)
   options = parts.options("mann_whitney", options, RANK_OPTIONS)
   x, y = parts.sample("mann_whitney", "x", x, 1), parts.sample("mann_whitney", "y", y, 1)
   local test = tests.rank_sum(x, y, options)
   return parts.result("mann_whitney", test, { method = "Mann-Whitney" .. exactness(test, options), symbol = "U",
      parameter = "location shift", estimates = { { "difference in location", test.estimate } } }, options)
end

-- The values and groups of a list of samples, or of values and labels.
local function grouped(who, x, groups)
   if groups ~= nil then
      groups = rows.kind(groups) == "Factor" and groups or core.Factor(groups)
      return parts.sample(who, "x", x, 2), groups:drop_levels()
   end
   if type(x) ~= "table" or rows.is_frame(x) then
      parts.fail(who, "expected a list of samples, or values and groups, got %s", rows.kind(x))
   end
   local values, of = {}, {}
   for g, sample in ipairs(x) do
      local v = parts.sample(who, "sample " .. g, sample, 1)
      for i = 1, #v do values[#values + 1], of[#of + 1] = v[i], g end
   end
   return core.Vector(values), core.Factor(of)
end

--- Kruskal and Wallis' rank sum test.
function M.kruskal(x, groups)
   x, groups = grouped("kruskal", x, groups)
   if #groups ~= #x then parts.fail("kruskal", "groups must have one label per value, %d, got %d", #x, #groups) end
   if #groups.levels < 2 then parts.fail("kruskal", "there must be at least 2 groups, got %d", #groups.levels) end
   if groups:ismissing():any() then parts.fail("kruskal", "groups must not have missing labels") end
   return parts.result("kruskal", tests.kruskal(x, groups), { method = "Kruskal-Wallis rank sum test", symbol = "H" })
end

-- --- distributions ---

--- Shapiro and Wilk's test of normality.
function M.shapiro(x)
   x = parts.sample("shapiro", "x", x, 3)
   if #x > 5000 then parts.fail("shapiro", "x must have at most 5000 values, got %d", #x) end
   return parts.result("shapiro", tests.shapiro(x:sort()), { method = "Shapiro-Wilk normality test", symbol = "W" })
end

local SIGNS = { ["two-sided"] = "the distribution functions differ", less = "the distribution function of x lies below",
   greater = "the distribution function of x lies above" }

-- The sorted values of a distribution function, which is a distribution of ml.dist or a function of a number.
local function values_of(x, distribution)
   if type(distribution) == "function" then
      local u = core.Vector(#x)
      for i = 1, #x do u[i] = distribution(x[i]) end
      return u:sort()
   end
   local ok, u = rows.try(function() return distribution:cdf(x) end)
   if not ok or rows.kind(u) ~= "Vector" then
      parts.fail("ks", "the second argument must be a sample, a distribution of ml.dist or a function, got %s",
         rows.kind(distribution))
   end
   return u:sort()
end

--- Kolmogorov and Smirnov's test of x against a distribution, or of two samples.
function M.ks(x, y, options)
   options = parts.options("ks", options, { "alternative", "exact" })
   x = parts.sample("ks", "x", x, 1)
   local two = parts.is_sample(y)
   local test = two and tests.ks_two(x, parts.sample("ks", "y", y, 1), options) or tests.ks(values_of(x, y), options)
   return parts.result("ks", test, { method = (two and "Two-sample" or "One-sample") .. " Kolmogorov-Smirnov test"
      .. (test.exact and ", exact" or ", asymptotic"), symbol = "D",
      alternative_text = SIGNS[options.alternative_name] }, options)
end

-- --- correlations ---

local SYMBOLS = { pearson = "t", spearman = "t" }
local TITLES = { pearson = "Pearson's product-moment correlation", spearman = "Spearman's rank correlation",
   kendall = "Kendall's rank correlation tau-b" }
local NAMES = { pearson = "correlation", spearman = "rho", kendall = "tau" }

for name, title in pairs(TITLES) do
   M[name] = function(x, y, options)
      options = parts.options(name, options, { "alternative", "level", name == "kendall" and "exact" or nil })
      x, y = parts.paired_samples(name, x, y, 3)
      local test = tests[name](x, y, options)
      return parts.result(name, test, { method = title .. (test.exact and ", exact test" or ""),
         symbol = SYMBOLS[name] or test.exact and "T" or "z", parameter = NAMES[name],
         estimates = { { NAMES[name], test.estimate } } }, options)
   end
end

return M
