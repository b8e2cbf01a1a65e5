--- Multivariate distributions and sigmoid functions.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/dist/dist.lua"
local near, near_all, refuses = support.near, support.near_all, support.refuses

local D = ml.dist

describe("divergences", function()
   for at, case in ipairs(fixture.divergences) do
      it(("agree with quadrature: %s, case %d"):format(case.name, at), function()
         local p, q = D[case.name](case.p), D[case.name](case.q)
         near(case.kl, p:kl(q), 2e-10)
         assert.near(0, p:kl(p), 1e-15)
      end)
   end

   it("are infinite if the support is not within that of the other", function()
      assert.equal(math.huge, D.binomial { n = 5, p = 0.5 }:kl(D.binomial { n = 4, p = 0.5 }))
      assert.equal(math.huge, D.multinomial { n = 2, p = { 0.5, 0.5 } }:kl(D.multinomial { n = 2, p = { 1, 0 } }))
   end)

   it("and entropies of huge counts take no longer than those of small counts", function()
      local wide = 0.5 * math.log(2 * math.pi * math.exp(1) * 1e14)
      near(wide, D.poisson { mean = 1e14 }:entropy(), 1e-12)
      wide = 0.5 * math.log(2 * math.pi * math.exp(1) * 2 ^ 50 * 0.21)
      near(wide, D.binomial { n = 2 ^ 50, p = 0.3 }:entropy(), 1e-12)
   end)
end)

describe("multivariate distributions", function()
   for _, case in ipairs(fixture.several) do
      local d = D[case.name](case.parameters)

      it("agree with scipy: " .. case.name, function()
         local found = d:log_density(case.x)
         for i, value in ipairs(case.log_density) do
            if value == -math.huge then
               assert.equal(value, found[i])
            else
               near(value, found[i], 1e-12)
               near(found[i], d:log_density(case.x[i]), 1e-14)
            end
            -- exp multiplies rounding by the size of its argument, up to 60 here.
            near(math.exp(found[i]), d:density(ml.Vector(case.x[i])), 1e-13)
         end
         near(case.entropy, d:entropy(), 1e-12)
         near_all(case.mean, d:expectation(), 1e-12, "mean")
         for i, row in ipairs(case.covariance) do near_all(row, d:variance():row(i), 1e-12, "covariance", 1) end
         local x = ml.Vector(case.x[1])
         x[1] = 0 / 0
         assert.is_true(d:log_density(x) ~= d:log_density(x))
      end)

      it("have samples with their moments that depend on the seed only: " .. case.name, function()
         local X = d:sample(20000, 3)
         assert.same(X:totable(), d:sample(20000, 3):totable())
         assert.not_same(X:totable(), d:sample(20000, 4):totable())
         local covariance, mean = d:variance(), X:mean "cols"
         local found = (X - mean):t() * (X - mean) / 20000
         for i = 1, X.cols do
            local sd = math.sqrt(covariance:get(i, i))
            assert(math.abs(mean[i] - d:expectation()[i]) <= 5 * sd / math.sqrt(20000))
            for j = 1, X.cols do
               local scale = sd * math.sqrt(covariance:get(j, j))
               assert(math.abs(found:get(i, j) - covariance:get(i, j)) <= 0.06 * scale)
            end
         end
         -- the mean of -log density is the entropy
         assert.near(d:entropy(), -d:log_density(X):mean(), 5 * d:log_density(X):std() / math.sqrt(20000))
      end)

      it("are recovered by fit, with weights as repeated rows: " .. case.name, function()
         local X = d:sample(200, 5)
         local weights = {}
         for i = 1, 200 do weights[i] = i % 3 + 1 end
         local rows = {}
         for i = 1, 200 do
            for _ = 1, weights[i] do rows[#rows + 1] = X:row(i):totable() end
         end
         local one, other = D.fit(case.name, X, { weights = weights }), D.fit(case.name, rows)
         local best = one:log_density(rows):sum()
         near(other:log_density(rows):sum(), best, 1e-12)
         assert(best >= d:log_density(rows):sum())
         near(0, one:kl(other), 1e-9, "divergence", 1)
      end)
   end

   it("have a divergence that agrees with samples and is 0 from themselves", function()
      for _, pair in ipairs {
         { D.multivariate_normal { mean = { 1, 2 }, covariance = { { 2, 0.5 }, { 0.5, 1 } } },
            D.multivariate_normal { mean = { 0, 2.5 }, covariance = { { 1, -0.3 }, { -0.3, 3 } } } },
         { D.dirichlet { alpha = { 1, 2, 3 } }, D.dirichlet { alpha = { 2, 2, 1 } } },
         { D.multinomial { n = 9, p = { 0.2, 0.3, 0.5 } }, D.multinomial { n = 9, p = { 0.4, 0.3, 0.3 } } },
      } do
         local p, q = pair[1], pair[2]
         local X = p:sample(40000, 1)
         local ratio = p:log_density(X) - q:log_density(X)
         assert.near(p:kl(q), ratio:mean(), 5 * ratio:std() / 200)
         assert.near(0, p:kl(p), 1e-14)
         assert.near(p:entropy() + p:kl(q), p:cross_entropy(q), 1e-14)
      end
   end)

   it("equal the univariate distributions for one variable or two shares", function()
      local one = D.multivariate_normal { mean = { 1.5 }, covariance = { { 0.09 } } }
      local normal = D.normal { mean = 1.5, sd = 0.3 }
      near(normal:log_density(2), one:log_density { 2 }, 1e-14)
      near(normal:kl(D.normal {}), one:kl(D.multivariate_normal { mean = { 0 }, covariance = { { 1 } } }), 1e-14)
      local beta = D.beta { a = 2, b = 5 }
      near(beta:entropy(), D.dirichlet { alpha = { 2, 5 } }:entropy(), 1e-13)
      local binomial = D.binomial { n = 7, p = 0.3 }
      near(binomial:entropy(), D.multinomial { n = 7, p = { 0.3, 0.7 } }:entropy(), 1e-13)
   end)

   it("sample shares with tiny alpha without underflow", function()
      local X = D.dirichlet { alpha = { 1e-3, 1e-3 } }:sample(2000, 1)
      assert.equal(2000, X:sum "rows":sub(1):abs():le(1e-12):sum())
      assert.near(0.5, X:mean "cols"[1], 0.06)
   end)

   it("report invalid arguments", function()
      refuses("dist.multivariate_normal: covariance must be positive definite", function()
         D.multivariate_normal { mean = { 0, 0 }, covariance = { { 1, 2 }, { 2, 1 } } }
      end)
      refuses("covariance must be symmetric", function()
         D.multivariate_normal { mean = { 0, 0 }, covariance = { { 1, 0.5 }, { 0, 1 } } }
      end)
      refuses("covariance must have 2 rows and columns, like mean, got 1 and 1", function()
         D.multivariate_normal { mean = { 0, 0 }, covariance = { { 1 } } }
      end)
      refuses("dist.dirichlet: alpha must be > 0, got %-1 at 2", function() D.dirichlet { alpha = { 1, -1 } } end)
      refuses("dist.dirichlet has no parameter 'alhpa'; did you mean 'alpha'", function() D.dirichlet { alhpa = 1 } end)
      refuses("p must sum to 1, got 0.9", function() D.multinomial { n = 2, p = { 0.5, 0.4 } } end)
      refuses("n must be a whole number", function() D.multinomial { n = 0.5, p = { 0.5, 0.5 } } end)
      refuses("x must have 2 values", function() D.dirichlet { alpha = { 1, 1 } }:log_density { 1, 0, 0 } end)
      refuses("shares must be > 0; column 1 of row 2 is not", function()
         D.fit("dirichlet", { { 0.5, 0.5 }, { 0, 1 } })
      end)
      refuses("rows must differ", function() D.fit("dirichlet", { { 0.5, 0.5 }, { 0.5, 0.5 } }) end)
      refuses("all rows must have the same sum, 3 as in row 1, got 4 in row 2", function()
         D.fit("multinomial", { { 1, 2 }, { 2, 2 } })
      end)
      refuses("cannot fit multivariate_normal to the values: covariance must be positive definite", function()
         D.fit("multivariate_normal", { { 1, 2 }, { 2, 4 } })
      end)
      refuses("covariance must be positive definite", function() -- positive definite by rounding only
         D.fit("multivariate_normal", { { 1, 2 }, { 2, 4 }, { 3, 6 } })
      end)
      refuses("kl: both distributions must be of the same family, got dirichlet and multinomial", function()
         D.dirichlet { alpha = { 1, 1 } }:kl(D.multinomial { n = 1, p = { 0.5, 0.5 } })
      end)
      refuses("has no 'covarance'; did you mean 'covariance'", function()
         return D.multivariate_normal { mean = { 0 }, covariance = { { 1 } } }.covarance
      end)
   end)
end)

describe("sigmoid functions", function()
   local squash = fixture.squash
   for name, values in pairs(squash) do
      if name ~= "x" and name ~= "a" then
         it("are accurate in both tails: " .. name, function()
            for i, x in ipairs(squash.x) do
               local f = ml.special[name]
               local got = name:find "^generalised" and f(x, squash.a) or not name:find "^generalised" and f(x)
               near(values[i], got, 1e-14, ("at %g"):format(x), 1e-300)
            end
         end)
      end
   end
end)
