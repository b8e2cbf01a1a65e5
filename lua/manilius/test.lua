--- Hypothesis tests: ml.test.t(x, y), ml.test.chi2(counts), ...
--
-- Each returns a table of the statistic, p, df, estimate and its confidence interval (low, high), as far as the test
-- has them; printed, it reads like R's. `ml.test.help.t` is the help of a test.

local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { help = {} }

local X, Y = '{ 2.1, 3.4, 1.9, 5.0, 4.2 }', '{ 1.0, 2.2, 1.7, 2.9, 0.4 }'

local OPTIONS = { alternative = '"two-sided" (default), "less" or "greater"',
   level = "level of the confidence interval, default 0.95",
   mu = "the value under the hypothesis, default 0",
   exact = "exact p-value; nil: for small samples without ties",
   corrected = "continuity correction of the approximate p-value, default true",
   equal_var = "assume equal variances (Student's test), default false",
   paired = "test the differences x - y, default false" }

local function define(name, args, brief, options, notes, example)
   local params = {}
   for i, option in ipairs(options) do params[i] = { name = option, brief = OPTIONS[option] } end
   M.help[name] = { name = name, args = args, brief = brief, notes = notes, params = #params > 0 and params or nil,
      returns = "a table of method, statistic, p, and where the test has them df, estimate, low, high; prints as in R",
      example = ("print(ml.test.%s(%s))"):format(name, example) }
end

define("t", { "x", "[y]", "[options]" }, "t tests: of one sample, of two (Welch's or Student's), or paired.",
   { "mu", "alternative", "level", "equal_var", "paired" }, nil, X .. ", " .. Y)
define("welch", { "x", "y", "[options]" }, "Welch's t test of two samples with unequal variances.",
   { "mu", "alternative", "level" }, nil, X .. ", " .. Y)
define("wilcoxon", { "x", "[y]", "[options]" }, "Wilcoxon's signed rank test of one sample or of paired samples.",
   { "mu", "alternative", "level", "exact", "corrected" },
   "The estimate is the median of the means of all pairs (Hodges & Lehmann). Values equal to mu are left out.",
   X .. ", " .. Y)
define("mann_whitney", { "x", "y", "[options]" }, "Mann and Whitney's U test: Wilcoxon's rank sum test of two samples.",
   { "mu", "alternative", "level", "exact", "corrected" },
   "The estimate is the median of the differences x_i - y_j (Hodges & Lehmann).", X .. ", " .. Y)
define("kruskal", { "x", "[groups]" }, "Kruskal and Wallis' rank sum test of several groups.", {},
   "x is a list of samples, or a Vector of values with a list or Factor of groups.", ("{ %s, %s }"):format(X, Y))
define("shapiro", { "x" }, "Shapiro and Wilk's test of normality, for 3 to 5000 values.", {},
   "Royston, Applied Statistics 44 (1995).", X)
define("ks", { "x", "y", "[options]" }, "Kolmogorov and Smirnov's test of a sample and a distribution, or of two.",
   { "alternative", "exact" }, "y is a sample, a distribution of ml.dist, or a distribution function. Its parameters "
   .. "must not be estimated from x. Ties of two samples are taken into account.", X .. ", ml.dist.normal { mean = 3 }")
define("chi2", { "counts", "[options]" }, "Pearson's chi-squared tests: of independence, or of given probabilities.",
   { "corrected" }, "A Matrix, rows of numbers or a Frame of crosstab is a table; a list of counts is compared with "
   .. "the option p, by default equal probabilities. corrected is the correction of Yates for 2 x 2 tables. The "
   .. "result has the expected counts.", "{ { 12, 5 }, { 7, 9 } }")
define("fisher", { "counts", "[options]" }, "Fisher's exact test of a 2 x 2 table of counts.",
   { "alternative", "level" },
   "The estimate is the conditional maximum likelihood estimate of the odds ratio, as in R.",
   "{ { 12, 5 }, { 7, 9 } }")
define("pearson", { "x", "y", "[options]" }, "Pearson's correlation, with a t test and Fisher's interval.",
   { "alternative", "level" }, nil, X .. ", " .. Y)
define("spearman", { "x", "y", "[options]" }, "Spearman's rank correlation, with an approximate t test.",
   { "alternative" }, nil, X .. ", " .. Y)
define("kendall", { "x", "y", "[options]" }, "Kendall's tau-b, exact for up to 50 pairs without ties.",
   { "alternative", "exact" }, nil, X .. ", " .. Y)

for _, family in ipairs { require "manilius.test.samples", (require "manilius.test.tables") } do
   for name, test in pairs(family) do
      M[name] = function(...) return (rows.rethrow(2, pcall(test, ...))) end
   end
end

local function show() return require "manilius.help".module_text("test", M.help) end

setmetatable(M.help, { __tostring = show })

return setmetatable(M, {
   __index = function(_, name)
      error(("test has no '%s'%s"):format(tostring(name), text.hint(tostring(name), text.sorted_keys(M.help))), 2)
   end,
   __tostring = show,
})
