--- Fits of ml.dist: the likelihood is stationary at the estimate, and posteriors are prior times likelihood.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local near, refuses = support.near, support.refuses

local D = ml.dist

-- f is stationary in each parameter at `at`: its derivative is small relative to its curvature times the step.
local function stationary(f, at, what)
   for name, value in pairs(at) do
      local h = 1e-4 * math.max(math.abs(value), 0.1)
      local function moved(by)
         local other = {}
         for key, one in pairs(at) do other[key] = key == name and one + by or one end
         return f(other)
      end
      local middle, up, down = f(at), moved(h), moved(-h)
      local slope, curve = (up - down) / (2 * h), (up - 2 * middle + down) / (h * h)
      assert(curve < 0, what .. ": no maximum in " .. name)
      assert(math.abs(slope / curve) < 1e-3 * h + 1e-7, ("%s: %s is off by %g"):format(what, name, slope / curve))
   end
end

describe("maximum likelihood", function()
   for name, case in pairs {
      beta = { { a = 0.4, b = 3 }, { a = 200, b = 50 }, { a = 1, b = 1 } },
      student_t = { { df = 3, location = 5, scale = 0.1 }, { df = 1.2, location = -1, scale = 30 } },
      von_mises = { { mean = 2, concentration = 0.8 }, { mean = -1, concentration = 200 } },
      gamma = { { shape = 0.3, scale = 10 }, { shape = 50, scale = 0.1 } },
   } do
      it("is stationary, also with weights: " .. name, function()
         for k, parameters in ipairs(case) do
            local x = D[name](parameters):sample(300, k)
            local w = ml.range(1, 300) / 100
            for _, weights in ipairs { ml.Vector(300, 1), w } do
               local d, at = D.fit(name, x, { weights = weights }), {}
               for key in pairs(parameters) do at[key] = d[key] end
               stationary(function(p) return D[name](p):log_density(x):dot(weights) end, at, name)
            end
         end
      end)
   end

   it("accepts known parameters", function()
      local x = ml.Vector { 1, 2, 4, 3.5, 9 }
      assert.same({ 2, math.sqrt((x - 2):square():mean()) }, { D.fit("normal", x, { known = { mean = 2 } }).mean,
         D.fit("normal", x, { known = { mean = 2 } }).sd })
      near(3.9, D.fit("normal", x, { known = { sd = 1 } }).mean, 1e-15)
      near(3.9 / 2, D.fit("gamma", x, { known = { shape = 2 } }).scale, 1e-15)
      near(0.3, D.fit("binomial", { 2, 0, 3, 1 }, { known = { n = 5 } }).p, 1e-15)
      local t = D.fit("student_t", x, { known = { df = 2.5 } })
      assert.equal(2.5, t.df)
      stationary(function(p)
         return D.student_t { df = 2.5, location = p.location, scale = p.scale }:log_density(x):sum()
      end, { location = t.location, scale = t.scale }, "student_t")
   end)

   it("finds the concentration of nearly equal angles", function()
      local d = D.fit("von_mises", D.von_mises { mean = 3, concentration = 1e7 }:sample(20000, 1))
      assert.near(3, d.mean, 1e-5)
      assert.near(1, d.concentration / 1e7, 0.05)
   end)

   it("reports invalid data and arguments", function()
      refuses("known = { n = ... } must be given", function() D.fit("binomial", { 1, 2 }) end)
      refuses("no heavier tails than the normal", function() D.fit("student_t", { -1, 0, 1, -0.5, 0.5 }) end)
      refuses("beta: values must differ and lie between 0 and 1", function() D.fit("beta", { 0, 0.5 }) end)
      refuses("gamma: values must be > 0 and differ", function() D.fit("gamma", { 0, 1 }) end)
      refuses("beta: values must differ", function() D.fit("beta", { 0.5, 0.5 }) end)
      refuses("von_mises: values must differ", function() D.fit("von_mises", { 1, 1, 1 }) end)
      refuses("values must be finite", function() D.fit("normal", { 1, 0 / 0 }) end)
      refuses("some values are outside the support of binomial", function()
         D.fit("binomial", { 1, 2.5 }, { known = { n = 5 } })
      end)
      refuses("known: 'sdd' is not one of mean, sd", function() D.fit("normal", { 1, 2 }, { known = { sdd = 1 } }) end)
      refuses("poisson has no parameter that can be fixed", function()
         D.fit("poisson", { 1, 2 }, { known = { mean = 1 } })
      end)
   end)
end)

-- The conjugate pairs: values, known parameters, the prior, and the argument of its log density.
local pairs_of = {
   { "bernoulli", { 1, 0, 1, 1 }, {}, "beta", { a = 2, b = 3 }, { "p" }, function(p) return p.p end },
   { "binomial", { 1, 0, 4, 3 }, { n = 6 }, "beta", { a = 2, b = 3 }, { "p" }, function(p) return p.p end },
   { "poisson", { 1, 0, 4, 3 }, {}, "gamma", { shape = 3, scale = 0.5 }, { "mean" }, function(p) return p.mean end },
   { "exponential", { 1, 0.2, 4, 3 }, {}, "gamma", { shape = 3, scale = 0.5 }, { "rate" },
      function(p) return p.rate end },
   { "gamma", { 1, 0.2, 4, 3 }, { shape = 2.5 }, "gamma", { shape = 3, scale = 0.5 }, { "scale" },
      function(p) return 1 / p.scale end },
   { "normal", { 1, -2, 4, 3 }, { mean = 1 }, "gamma", { shape = 3, scale = 0.5 }, { "sd" },
      function(p) return p.sd ^ -2 end },
   { "normal", { 1, -2, 4, 3 }, { sd = 2 }, "normal", { mean = 3, sd = 0.5 }, { "mean" },
      function(p) return p.mean end },
   { "von_mises", { 1, -2, 0.5, 1 }, { concentration = 3 }, "von_mises", { mean = 2, concentration = 2 }, { "mean" },
      function(p) return p.mean end },
}

describe("conjugate priors", function()
   for _, case in ipairs(pairs_of) do
      local name, values, known, family, prior, free, quantity = table.unpack(case)
      it(("of %s: the posterior is prior times likelihood, and its mode is given (%s)"):format(name, family), function()
         local x, w = ml.Vector(values), ml.Vector { 1, 2, 0.5, 1 }
         local d, posterior = D.fit(name, x, { prior = prior, known = next(known) and known, weights = w })
         local before = D[family](prior)
         local function both(p)
            local all = {}
            for key, value in pairs(known) do all[key] = value end
            for key, value in pairs(p) do all[key] = value end
            return D[name](all):log_density(x):dot(w) + before:log_density(quantity(all))
         end
         local at, constant = {}, nil
         for _, key in ipairs(free) do at[key] = d[key] end
         stationary(both, at, name)
         for _, factor in ipairs { 0.7, 0.9, 1, 1.2 } do
            local other = {}
            for key, value in pairs(at) do other[key] = value * factor end
            local ratio = both(other) - posterior:log_density(quantity(other))
            near(constant or ratio, ratio, 1e-12)
            constant = constant or ratio
         end
         local again = D.fit(name, x, { prior = before, known = next(known) and known, weights = w })
         assert.equal(tostring(d), tostring(again))
      end)
   end

   it("of the normal: mean and precision jointly, in one update or two", function()
      local prior = { mean = 1, count = 2, shape = 3, scale = 0.25 }
      local x = ml.Vector { 4, 1, 2.5, 7, 3 }
      local d, after = D.fit("normal", x, { prior = prior })
      stationary(function(p)
         local precision = p.precision
         return D.normal { mean = p.mean, sd = precision ^ -0.5 }:log_density(x):sum()
            + D.gamma { shape = 3, scale = 0.25 }:log_density(precision)
            + D.normal { mean = 1, sd = (2 * precision) ^ -0.5 }:log_density(p.mean)
      end, { mean = d.mean, precision = d.sd ^ -2 }, "normal")
      local _, half = D.fit("normal", x:slice(1, 2), { prior = prior })
      local _, whole = D.fit("normal", x:slice(3, 5), { prior = half })
      for key, value in pairs(after) do near(value, whole[key], 1e-13, key) end
   end)

   it("of the multivariate normal: in one update or two, equal to the normal for one variable", function()
      local prior = { mean = { 1, 0 }, count = 2, df = 4, scale = { { 2, 0.5 }, { 0.5, 1 } } }
      local X = ml.Matrix { { 1, 2 }, { 3, 1 }, { 2, 2 }, { 0, 5 }, { 4, 4 } }
      local _, after = D.fit("multivariate_normal", X, { prior = prior })
      local _, half = D.fit("multivariate_normal", X:slice(1, 2), { prior = prior })
      local d, whole = D.fit("multivariate_normal", X:slice(3, 5), { prior = half })
      assert.near(0, (after.scale - whole.scale):abs():max(), 1e-12)
      near(after.df, whole.df, 0)
      assert.near(0, (d.covariance - after.scale / (after.df - 2)):abs():max(), 1e-12)
      local one = D.fit("normal", X:col(1), { prior = { mean = 1, count = 2, shape = 2, scale = 0.5 } })
      local same = D.fit("multivariate_normal", X:col(1):reshape(5, 1), { prior = { mean = { 1 }, count = 2, df = 4,
         scale = { { 4 } } } })
      near(one.sd ^ 2, same.covariance:get(1, 1), 1e-13)
      near(one.mean, same.mean[1], 1e-13)
   end)

   it("of the multinomial", function()
      local d, after = D.fit("multinomial", { { 1, 2, 0 }, { 0, 3, 0 } }, { prior = { alpha = { 1, 2, 1 } } })
      assert.same({ 2, 7, 1 }, after.alpha:totable())
      assert.same({ 1 / 7, 6 / 7, 0 }, d.p:totable())
      assert.equal(3, d.n)
   end)

   it("report invalid arguments", function()
      refuses("laplace has no conjugate prior; supported are bernoulli", function()
         D.fit("laplace", { 1, 2 }, { prior = { a = 1 } })
      end)
      refuses("dist.fit: prior: dist.beta: b must be given", function()
         D.fit("bernoulli", { 1 }, { prior = { a = 1 } })
      end)
      refuses("prior must be a table of parameters of beta, or such a distribution, got normal", function()
         D.fit("bernoulli", { 1 }, { prior = D.normal {} })
      end)
      refuses("prior: count must be a number > 0, got %-1", function()
         D.fit("normal", { 1, 2 }, { prior = { mean = 0, count = -1, shape = 1, scale = 1 } })
      end)
      refuses("prior has no 'cuont'; did you mean 'count'", function()
         D.fit("normal", { 1, 2 }, { prior = { mean = 0, cuont = 1, shape = 1, scale = 1 } })
      end)
      refuses("only if its shape is known",
         function() D.fit("gamma", { 1, 2 }, { prior = { shape = 1, scale = 1 } }) end)
      refuses("scale must be positive definite", function()
         D.fit("multivariate_normal", { { 1, 2 }, { 2, 4 } }, { prior = { mean = { 0, 0 }, count = 1, df = 3,
            scale = { { 1, 2 }, { 2, 1 } } } })
      end)
      refuses("alpha must have 2 values", function()
         D.fit("multinomial", { { 1, 2 } }, { prior = { alpha = { 1, 2, 3 } } })
      end)
   end)
end)
