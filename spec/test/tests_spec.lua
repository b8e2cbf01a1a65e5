local ml = require "manilius"
local support = require "spec.support"

local near, refuses = support.near, support.refuses
local expected = dofile "spec/fixtures/stats/tests.lua"
local test = ml.test

local ALTERNATIVES = { "two_sided", "less", "greater" }

local function compare(wanted, got, tolerance)
   near(wanted.statistic, got.statistic, tolerance)
   near(wanted.p, got.p, tolerance)
   if wanted.df then near(wanted.df, got.df, tolerance) end
   for _, side in ipairs { "low", "high" } do
      local bound = wanted[side]
      if bound and math.abs(bound) < 1e300 then near(bound, got[side], tolerance) end
      if bound and math.abs(bound) >= 1e300 then assert.equal(bound > 0 and math.huge or -math.huge, got[side]) end
   end
end

describe("ml.test agrees with scipy:", function()
   for i, pair in ipairs(expected.pairs) do
      it("samples " .. i, function()
         local x, y = pair.x, pair.y
         for _, name in ipairs(ALTERNATIVES) do
            local function options(more)
               more = more or {}
               more.alternative, more.level = name, 0.9
               return more
            end
            compare(pair.t[name], test.t(x, y, options()), 1e-11)
            compare(pair.t[name], test.welch(x, y, options()), 1e-11)
            compare(pair.pooled[name], test.t(x, y, options { equal_var = true }), 1e-11)
            compare(pair.one[name], test.t(x, options { mu = 0.4 }), 1e-11)
            compare(pair.rank_sum[name], test.mann_whitney(x, y, { alternative = name }), 1e-11)
            compare(pair.signed_rank[name], test.wilcoxon(ml.Vector(x) - 0.4, { alternative = name }), 1e-11)
            compare(pair.ks[name], test.ks(x, ml.dist.normal { mean = 0.3, sd = 2 }, { alternative = name }), 1e-9)
            if pair.ks_two[name] then
               compare(pair.ks_two[name], test.ks(x, y, { alternative = name }), 1e-10)
            end
         end
         compare(pair.shapiro, test.shapiro(x), 1e-7) -- normal quantiles of scipy have 9 digits here
         local third = {}
         for k = 1, 4 do third[k] = pair.x[k] + 1 end
         local kruskal = test.kruskal { x, y, third }
         compare(pair.kruskal, kruskal, 1e-11)
         assert.equal(2, kruskal.df)
      end)
   end

   for i, one in ipairs(expected.tables) do
      it("table " .. i, function()
         compare(one.yates, test.chi2(one.counts), 1e-11)
         local plain = test.chi2(one.counts, { corrected = false })
         compare(one.plain, plain, 1e-11)
         near(one.expected[1][2], plain.expected[1][2], 1e-14)
         if not one.fisher then return end
         for _, name in ipairs(ALTERNATIVES) do
            near(one.fisher[name], test.fisher(one.counts, { alternative = name }).p, 1e-11)
         end
         local fisher = test.fisher(one.counts, { level = 0.9 })
         for _, name in ipairs { "estimate", "low", "high" } do
            local value = one.fisher[name]
            if value < 1e300 then near(value, fisher[name], 1e-8) else assert.equal(math.huge, fisher[name]) end
         end
      end)
   end

   it("correlations", function()
      for _, set in ipairs(dofile "spec/fixtures/stats/correlation.lua".sets) do
         local pearson = test.pearson(set.x, set.y, { level = 0.9 })
         for _, name in ipairs { "estimate", "p", "low", "high" } do near(set.pearson[name], pearson[name], 1e-12) end
         for _, kind in ipairs { "spearman", "kendall" } do
            near(set[kind].estimate, test[kind](set.x, set.y).estimate, 1e-13)
            near(set[kind].p, test[kind](set.x, set.y).p, 1e-11)
            near(set[kind].greater, test[kind](set.x, set.y, { alternative = "greater" }).p, 1e-11)
            near(set[kind].less, test[kind](set.x, set.y, { alternative = "less" }).p, 1e-11)
         end
      end
   end)

   it("given probabilities, and large samples", function()
      local fit = test.chi2({ 18, 25, 9 }, { p = { 0.25, 0.5, 0.25 } })
      compare(expected.chisquare, fit, 1e-12)
      assert.near(13, fit.expected[1], 1e-12)
      near(1, test.chi2({ 5, 5, 5 }).p, 1e-15)
      local u = (ml.range(0, 1999) + 0.8) / 2020
      near(expected.large.one, test.ks(u, function(v) return v end).p, 1e-8)
      u = (ml.range(0, 2999) + 0.8) / 3040
      near(expected.large.above, test.ks(u, function(v) return v end).p, 1e-5)
      near(expected.large.small, test.ks((ml.range(0, 49) + 0.5) / 90, function(v) return v end).p, 1e-8)
   end)
end)

describe("ml.test", function()
   -- R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE), Hollander & Wolfe (1973), p. 29
   local x = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 }
   local y = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 }

   it("has the intervals of rank tests of R", function()
      local found = test.wilcoxon(x, y, { alternative = "greater" })
      assert.equal(40, found.statistic)
      assert.near(0.01953125, found.p, 1e-15)
      assert.near(0.46, found.estimate, 1e-9)
      assert.equal(math.huge, found.high)
      -- the interval of mann_whitney holds the shifts that the exact test does not reject
      local other = ml.Vector(y) + 0.01237
      local rank_sum = test.mann_whitney(x, other)
      for _, bound in ipairs { "low", "high" } do
         local inner = bound == "low" and 1e-6 or -1e-6
         assert.is_true(test.mann_whitney(x, other, { mu = rank_sum[bound] + inner }).p > 0.05)
         assert.is_true(test.mann_whitney(x, other, { mu = rank_sum[bound] - inner }).p <= 0.05)
      end
   end)

   it("tests differences of paired samples", function()
      local paired = test.t(x, y, { paired = true })
      local plain = test.t(ml.Vector(x) - ml.Vector(y))
      assert.equal(plain.p, paired.p)
      assert.equal("Paired t-test", paired.method)
      assert.equal(plain.estimate, paired.estimate)
   end)

   it("accepts groups, Frames and crosstabs", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local by_label = test.kruskal(cars.mpg, cars.cyl)
      assert.near(25.746, by_label.statistic, 5e-4) -- R: kruskal.test(mpg ~ cyl, mtcars)
      assert.near(8.7407, test.chi2(cars:crosstab("cyl", "am")).statistic, 5e-5) -- R: chisq.test(cyl, am)
   end)

   it("prints as R does", function()
      local text = tostring(test.t(x, y))
      assert.matches("^Welch two%-sample t%-test\n\nt = [%d.]+, df = [%d.]+, p%-value = [%d.]+\n", text)
      assert.matches("95%% confidence interval: ", text)
      assert.matches("odds ratio = ", tostring(test.fisher { { 3, 1 }, { 1, 3 } }))
      assert.matches("hypothesis tests", tostring(test))
   end)

   it("takes ties of two samples into account in ks", function()
      -- all orders of 3 + 3 values with ties, by enumeration: D = 1 only if the samples separate
      local found = test.ks({ 1, 1, 2 }, { 2, 3, 3 })
      assert.near(2 / 3, found.statistic, 1e-15)
      assert.near(0.6, found.p, 1e-12)
   end)

   it("refuses wrong samples, options and tables", function()
      refuses("t: x must be a Vector or a list of numbers, got nil", function() test.t() end)
      refuses("t: x must have at least 2 values, got 1", function() test.t { 1 } end)
      refuses("finite numbers, got nan at position 2", function() test.t { 1, 0 / 0 } end)
      refuses("t: the values do not vary", function() test.t { 1, 1, 1 } end)
      refuses("x and y must have the same size, got 9 and 3", function() test.pearson(x, { 1, 2, 3 }) end)
      refuses("there is no option 'alternativ'; did you mean 'alternative'", function()
         test.t(x, y, { alternativ = "less" })
      end)
      refuses("alternative must be \"two%-sided\"", function() test.t(x, y, { alternative = "more" }) end)
      refuses("one of the rows is empty", function() test.chi2 { { 0, 0 }, { 1, 2 } } end)
      refuses("the table must be 2 x 2, got 2 x 3; use chi2", function() test.fisher { { 1, 2, 3 }, { 4, 5, 6 } } end)
      refuses("have the sum 1", function() test.chi2({ 1, 2 }, { p = { 0.5, 0.6 } }) end)
      refuses("test has no 'tt'", function() return test.tt end)
      refuses("must be a sample, a distribution of ml.dist or a function", function() test.ks(x, true) end)
   end)
end)
