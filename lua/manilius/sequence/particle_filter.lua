--- ParticleFilter: bootstrap particle filter of functions of the user, which work on all particles at once.
--
-- Particles move by transition and are weighted by the density of the observation. When their effective number falls
-- below a threshold they are drawn again, systematically. The product of the mean weights estimates the likelihood
-- without bias (Gordon, Salmond & Smith 1993; Kitagawa 1996).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local base = require "manilius.ensemble.base"
local progress = require "manilius.progress"
local results = require "manilius.results"
local settings = require "manilius.sequence.settings"

local WHO = "ParticleFilter"
local checks = settings.checks(WHO)

local MAX_SEED = (1 << 53) - 1

-- --- settings ---

local function check(self)
   checks.functions(self, { "transition", "log_density" })
   base.check_whole(self, "n_particles", 2)
   base.check_whole(self, "seed", 0)
   for _, name in ipairs { "n_states", "n_noise" } do
      if self[name] ~= nil then base.check_whole(self, name, 1) end
   end
   if type(self.threshold) ~= "number" or not (self.threshold >= 0 and self.threshold <= 1) then
      checks.fail("threshold must be from 0 to 1, got %s", estimator.value_text(self.threshold))
   end
   if self.initial ~= nil then
      checks.functions(self, { "initial" })
      if self.n_states == nil then checks.fail "n_states must be given with initial" end
      if self.initial_mean ~= nil or self.initial_cov ~= nil then
         checks.fail "either initial or initial_mean and initial_cov must be given, got both"
      end
   else
      local d = #checks.vector(self, "initial_mean")
      checks.covariance(self, "initial_cov", d)
      if self.n_states ~= nil and self.n_states ~= d then
         checks.fail("n_states is %d, but initial_mean has %d values; leave out n_states", self.n_states, d)
      end
   end
end

-- --- particles ---

-- The result of a function of the user as a Matrix of n x d.
local function particles_of(name, value, n, d)
   local ok, matrix = pcall(core.Matrix, value)
   if value == nil or not ok then
      checks.fail("%s must return a Matrix of particles, got %s", name, estimator.value_text(value))
   end
   if matrix.rows ~= n or matrix.cols ~= d then
      checks.fail("%s must return a Matrix of %d particles x %d states, got %d x %d", name, n, d, matrix.rows,
         matrix.cols)
   end
   if not matrix:isfinite():all() then checks.fail("%s must return finite states", name) end
   return matrix
end

-- State of a run: its random numbers depend on the seed and the row only.
local function start(self)
   local n, d = self.n_particles, self.n_states or #core.Vector(self.initial_mean)
   local s = { model = self, n = n, d = d, n_noise = self.n_noise or d, rng = core.rng(self.seed, 1), loglike = 0 }
   local noise = core.normal(n, d, s.rng:integer(0, MAX_SEED))
   if self.initial then
      s.particles = particles_of("initial", self.initial(noise), n, d)
   else
      local U, size = core.Matrix(self.initial_cov):svd()
      s.particles = noise * U:mul(size:sqrt()):t() + core.Vector(self.initial_mean)
   end
   s.log_weight = core.Vector(n, -math.log(n))
   return s
end

local function is_missing(y)
   for j = 1, #y do
      if y[j] == y[j] then return false end
   end
   return true
end

-- Weigh the particles by the observation y of row t. Returns log p(y | rows before).
local function observe(s, y, t)
   local log_weight = s.log_weight
   if not is_missing(y) then
      local density = s.model.log_density(s.particles, y, t)
      local ok, vector = pcall(core.Vector, density)
      if density == nil or not ok or #vector ~= s.n then
         checks.fail("log_density must return a Vector of %d log densities, got %s", s.n,
            ok and density ~= nil and ("%d"):format(#vector) or estimator.value_text(density))
      end
      if vector:isnan():any() then checks.fail("log_density returned nan for row %d", t) end
      log_weight = log_weight + vector
   end
   local weight, mean, cov, log_sum, ess = core.weigh_particles(s.particles, log_weight)
   if log_sum == -math.huge then
      checks.fail("row %d has probability 0 under all particles; use more particles, or a density with heavier tails",
         t)
   end
   s.log_weight = log_weight - log_sum
   return log_sum, { weight = weight, mean = mean, cov = cov, ess = ess }
end

-- Draw particles again if few of them have most of the weight, then move all.
local function advance(s, row, t)
   local u = s.rng:uniform()
   if row.ess < s.model.threshold * s.n then
      s.particles = s.particles:take(core.systematic_draw(row.weight, u))
      s.log_weight = core.Vector(s.n, -math.log(s.n))
   end
   local noise = core.normal(s.n, s.n_noise, s.rng:integer(0, MAX_SEED))
   s.particles = particles_of("transition", s.model.transition(s.particles, noise, t), s.n, s.d)
end

-- Filter the rows of X; visit(t, row, loglike) sees each. Returns the state after the last row.
local function run(self, X, visit, on_iter)
   local s = start(self)
   local report = on_iter and progress.caller(WHO, on_iter)
   for t = 1, X.rows do
      local loglike, row = observe(s, X[t], t)
      s.loglike = s.loglike + loglike
      visit(t, row, loglike)
      advance(s, row, t)
      local answer = report and report(t, X.rows)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   return s
end

-- --- methods ---

local function filter(self, X)
   X = checks.X(self, X)
   local n, d = X.rows, self.n_states or #core.Vector(self.initial_mean)
   local mean, cov, ess = core.Matrix(n, d), core.Matrix(n * d, d), core.Vector(n)
   run(self, X, function(t, row)
      for j = 1, d do
         mean:set(t, j, row.mean[j])
         for i = 1, d do cov:set((t - 1) * d + i, j, row.cov[i][j]) end
      end
      ess[t] = row.ess
   end)
   return results { mean = mean, covariance = cov, ess = ess, _order = { "mean", "covariance", "ess" } }
end

local function score_samples(self, X)
   X = checks.X(self, X)
   local out = core.Vector(X.rows)
   run(self, X, function(t, _, loglike) out[t] = loglike end)
   return out
end

local function fit(self, X, _, options)
   X = checks.X({}, X)
   local s = run(self, X, function() end, options and options.on_iter)
   self.loglike, self.n_features = s.loglike, X.cols
   self.particles, self.log_weights = s.particles, s.log_weight
   return self
end

local M = {}

M.ParticleFilter = estimator.class {
   name = WHO,
   ours = true,
   reports_progress = true,
   params = { transition = estimator.NONE, log_density = estimator.NONE, initial = estimator.NONE,
      initial_mean = estimator.NONE, initial_cov = estimator.NONE, n_states = estimator.NONE, n_noise = estimator.NONE,
      n_particles = 1000, threshold = 0.5, seed = 0 },
   learned = { loglike = "estimated log likelihood of the rows of fit", n_features = "number of columns of X",
      particles = "Matrix: particles after the last row of fit, n_particles x states",
      log_weights = "Vector: logarithms of their weights" },
   check = check,
   help = {
      use = "ParticleFilter { transition = f, log_density = g, initial_mean = m, initial_cov = P, n_particles = 1000 }",
      brief = "Particle filter: states of any distribution, by weighted samples.",
      objective = "x[t+1] = f(x[t], noise, t); y[t] ~ exp g(x[t], y[t], t)",
      params = {
         transition = "f(particles, noise, t): the next states. particles is a Matrix of n_particles x states, noise "
            .. "one of standard normal numbers",
         log_density = "g(particles, y, t): log densities of y, row t of X, a Vector with a value for each particle; "
            .. "values of y that are missing are nan",
         initial = "f(noise): the first states, in place of initial_mean and initial_cov",
         initial_mean = "mean of the first state",
         initial_cov = "covariance of the first state",
         n_states = "number of states; nil: that of initial_mean",
         n_noise = "columns of noise; nil: n_states",
         n_particles = "number of particles",
         threshold = "draw particles again when their effective number is below this fraction of n_particles",
         seed = "random seed; the same seed gives the same result",
      },
      methods = {
         filter = { use = "filter(X)", brief = "States given the rows up to their own.",
            notes = "Returns mean (rows x states), covariance (rows times states x states), and ess, the effective "
               .. "number of particles at each row." },
      },
      notes = "The functions work on all particles at once: write them with arithmetic of matrices. The error falls "
         .. "with the square root of n_particles. score_samples estimates log p(row | rows before); rows that are "
         .. "missing altogether are skipped. Cannot be saved, since functions cannot.",
      source = "Gordon, Salmond & Smith, IEE Proc. F 140 (1993); Kitagawa, J. Comput. Graph. Stat. 5 (1996)",
      example = [[
local model = ml.ParticleFilter {
   transition = function(x, noise) return x * 0.9 + noise * 0.5 end,
   log_density = function(x, y) return (x:col(1) - y[1]):square() * -0.5 end,
   initial_mean = { 0 }, initial_cov = { { 1 } }, seed = 1,
}
print(model:fit({ { 0.5 }, { 0.1 }, { -0.4 } }).loglike, model:filter({ { 0.5 }, { 0.1 } }).mean)]],
   },
   fit = fit,
   transform = function(self, X) return filter(self, X).mean end,
   score_samples = score_samples,
   filter = checks.method("filter", filter),
}

return M
