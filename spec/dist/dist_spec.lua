local ml = require "manilius"
local support = dofile "spec/support.lua"
local cases = dofile "spec/fixtures/dist/dist.lua"

-- The approximate accuracy of scipy's tails; spec/stats/special_spec.lua tests ours to more digits.
local tolerance = 1e-12

describe("ml.dist", function()
   for at, case in ipairs(cases) do
      it(("agrees with scipy: %s, case %d"):format(case.name, at), function()
         local d = ml.dist[case.name](case.parameters)
         for _, what in ipairs { "log_density", "cdf", "sf" } do
            for i, x in ipairs(case.x) do
               local wanted, got = case[what][i], d[what](d, x)
               if wanted == got then goto next end
               support.near(wanted, got, tolerance, what .. " at " .. x, 1e-290)
               ::next::
            end
         end
         for _, what in ipairs { "quantile", "isf" } do
            for i, p in ipairs(case.p) do
               support.near(case[what][i], d[what](d, p), tolerance, what .. " at " .. p, 1e-290)
            end
         end
         support.near(case.mean, d:expectation(), tolerance, "mean")
         support.near(case.variance, d:variance(), tolerance, "variance")
         support.near(case.entropy, d:entropy(), 1e-11, "entropy")
         for i, value in ipairs(d:cdf(ml.Vector(case.x)):totable()) do assert.equal(d:cdf(case.x[i]), value) end
      end)

      it(("samples have its moments and depend on the seed only: %s, case %d"):format(case.name, at), function()
         local d = ml.dist[case.name](case.parameters)
         local x = d:sample(20000, 3)
         local error_of_mean = math.sqrt(d:variance() / 20000)
         assert(math.abs(x:sum() / 20000 - d:expectation()) < 5 * error_of_mean)
         assert.same(x:totable(), d:sample(20000, 3):totable())
         assert.not_same(x:totable(), d:sample(20000, 4):totable())
         local below = x:le(d:quantile(0.3)):sum() / 20000
         assert(math.abs(below - d:cdf(d:quantile(0.3))) < 5 * 0.0033)
      end)
   end

   -- E_p (log p - log q), summed over a fine grid of quantiles of p.
   local function divergence(p, q)
      local n = 20000
      local u = ml.Vector((ml.range(n) * (1 / n) - 0.5 / n):totable())
      local x = p:quantile(u)
      return (p:log_density(x) - q:log_density(x)):sum() / n
   end

   it("computes the divergence of two distributions of a family", function()
      for _, pair in ipairs {
         { ml.dist.normal { mean = 1, sd = 2 }, ml.dist.normal { mean = 0, sd = 3 } },
         { ml.dist.exponential { rate = 2 }, ml.dist.exponential { rate = 3 } },
         { ml.dist.laplace { location = 1, scale = 2 }, ml.dist.laplace { location = 0, scale = 3 } },
         { ml.dist.gamma { shape = 3, scale = 2 }, ml.dist.gamma { shape = 2, scale = 3 } },
         { ml.dist.beta { a = 3, b = 2 }, ml.dist.beta { a = 2, b = 4 } },
         { ml.dist.bernoulli { p = 0.3 }, ml.dist.bernoulli { p = 0.6 } },
         { ml.dist.binomial { n = 9, p = 0.3 }, ml.dist.binomial { n = 9, p = 0.6 } },
         { ml.dist.poisson { mean = 3 }, ml.dist.poisson { mean = 5 } },
         { ml.dist.student_t { df = 6 }, ml.dist.student_t { df = 8, location = 1, scale = 2 } },
         { ml.dist.von_mises { concentration = 2 }, ml.dist.von_mises { mean = 1, concentration = 3 } },
      } do
         local p, q = pair[1], pair[2]
         assert.near(divergence(p, q), p:kl(q), 2e-3)
         assert.near(0, p:kl(p), 1e-15)
         assert.near(p:entropy() + p:kl(q), p:cross_entropy(q), 1e-15)
      end
      support.refuses("both distributions must be of the same family, got normal and laplace", function()
         ml.dist.normal {}:kl(ml.dist.laplace {})
      end)
   end)

   it("fits by maximum likelihood, with weights", function()
      local x, w = { 0.5, 1.25, 2, 0.75, 3.5, 4 }, { 1, 2, 1, 3, 1, 2 }
      local long = {}
      for i = 1, #x do for _ = 1, w[i] do long[#long + 1] = x[i] end end
      for name, parameters in pairs {
         normal = { "mean", "sd" }, exponential = { "rate" }, gamma = { "shape", "scale" },
         laplace = { "location", "scale" }, poisson = { "mean" },
      } do
         local values = name == "poisson" and { 0, 1, 2, 5, 3, 4 } or x
         if name == "poisson" then
            long = {}
            for i = 1, #x do for _ = 1, w[i] do long[#long + 1] = values[i] end end
         end
         local one, other = ml.dist.fit(name, values, { weights = w }), ml.dist.fit(name, long)
         local best = other:log_density(long):sum()
         local given = {}
         for _, p in ipairs(parameters) do
            support.near(other[p], one[p], 1e-13, name .. " " .. p)
            given[p] = other[p]
         end
         for _, p in ipairs(parameters) do -- neighboring parameters are less likely
            for _, factor in ipairs { 0.999, 1.001 } do
               local near = {}
               for key, value in pairs(given) do near[key] = key == p and value * factor or value end
               assert(ml.dist[name](near):log_density(long):sum() <= best + 1e-12, name .. " " .. p)
            end
         end
         if name == "poisson" then
            long = {}
            for i = 1, #x do for _ = 1, w[i] do long[#long + 1] = x[i] end end
         end
      end
      assert.near(0.25, ml.dist.fit("bernoulli", { 0, 0, 1, 0 }).p, 1e-15)
   end)

   it("refuses invalid parameters", function()
      support.refuses("dist.normal: sd must be a number > 0, got %-1", function() ml.dist.normal { sd = -1 } end)
      support.refuses("dist.normal has no parameter 'maen'; did you mean 'mean'", function()
         ml.dist.normal { maen = 1 }
      end)
      support.refuses("dist.beta: a must be given", function() ml.dist.beta {} end)
      support.refuses("dist.binomial: n must be a whole number", function() ml.dist.binomial { n = 2.5, p = 0.5 } end)
      support.refuses("dist has no 'norma'; did you mean 'normal'", function() return ml.dist.norma end)
      support.refuses("dist.fit: no such distribution 'bata'; did you mean 'beta'", function()
         ml.dist.fit("bata", { 0.5 })
      end)
      support.refuses("which must be", function() ml.dist.fit("normal", { 1, 1 }) end)
      support.refuses("some values are outside the support of bernoulli",
         function() ml.dist.fit("bernoulli", { 0, 0.5, 1 }) end)
      assert.is_true(ml.dist.normal {}:cdf(0 / 0) ~= ml.dist.normal {}:cdf(0 / 0))
      assert.equal(-math.huge, ml.dist.poisson { mean = 2 }:log_density(1.5))
   end)
end)
