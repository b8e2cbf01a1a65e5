local core = require "manilius.core"
local ml = require "manilius"
local special = require "manilius.special"
local support = require "spec.support"
local wanted = require "spec.fixtures.mixture.bayesian_gaussian"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local function iris() return (ml.read_csv("examples/data/iris.csv"):split "species"):matrix() end

local function flat(X)
   local list = {}
   for _, row in ipairs(X:totable()) do table.move(row, 1, #row, #list + 1, list) end
   return list
end

local function never_increases(model)
   for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
end

-- The rows divided into k equal parts.
local function parts(n, k)
   local rows = {}
   for i = 1, n do
      rows[i] = {}
      for c = 1, k do rows[i][c] = (i - 1) * k // n == c - 1 and 1 or 0 end
   end
   return core.Matrix(rows)
end

describe("BayesianGaussianMixture", function()
   it("agrees with scikit-learn after thirty iterations from the same labels", function()
      local X = iris()
      for _, kind in ipairs { "full", "tied", "diag", "spherical" } do
         for _, prior in ipairs { "dirichlet_process", "dirichlet_distribution" } do
            local name = kind .. "_" .. prior
            local model, other = ml.BayesianGaussianMixture { n_components = 4, covariance_type = kind, tol = 0,
               max_iter = 30, mean_precision_prior = 0.7, weight_concentration_prior_type = prior,
               weight_concentration_prior = 0.3, responsibilities_init = parts(150, 4) }:fit(X), wanted[name]
            local covariances = kind == "spherical" and model.covariances:col(1):totable() or flat(model.covariances)
            near_all(other.weights, model.weights, 1e-8, name)
            near_rows(other.means, model.means, 1e-8, name)
            near_all(other.covariances, covariances, 1e-7, name)
            near_all(other.mean_precision, model.mean_precision, 1e-8, name)
            near_all(other.degrees, model.degrees_of_freedom, 1e-8, name)
            near_all(other.concentration, flat(model.weight_concentration), 1e-8, name)
            near_all(other.scores, model:score_samples(X:slice(1, 3)), 1e-8, name)
            near_rows(other.proba, model:predict_proba(X:slice(71, 73)), 1e-7, name, 1e-6)
            never_increases(model)
         end
      end
   end)

   it("has the log evidence of one normal distribution as its lower bound", function()
      -- Murphy, Conjugate Bayesian analysis of the Gaussian distribution (2007), equation 266.
      local X = ml.read_csv("examples/data/faithful.csv"):matrix()
      local n, p, beta, nu = X.rows, 2, 1.5, 4
      local model = ml.BayesianGaussianMixture { reg_covar = 0, mean_precision_prior = beta, mean_prior = { 3, 70 },
         degrees_of_freedom_prior = nu, covariance_prior = { { 2, 1 }, { 1, 100 } },
         weight_concentration_prior_type = "dirichlet_distribution" }:fit(X)
      local function log_gamma(v) return special.lgamma(v / 2) + special.lgamma((v - 1) / 2) end
      local scale = model:covariance() * model.degrees_of_freedom[1]
      local det = scale:get(1, 1) * scale:get(2, 2) - scale:get(1, 2) ^ 2
      local evidence = -n * p / 2 * math.log(math.pi) + log_gamma(nu + n) - log_gamma(nu)
         + nu / 2 * math.log(199) - (nu + n) / 2 * math.log(det) + p / 2 * math.log(beta / (beta + n))
      near(evidence, model.lower_bound, 1e-11)
   end)

   it("finds two eruptions with more components than needed", function()
      local X = ml.read_csv("examples/data/faithful.csv"):matrix()
      for _, prior in ipairs { "dirichlet_process", "dirichlet_distribution" } do
         local model = ml.BayesianGaussianMixture { n_components = 6, weight_concentration_prior = 1e-3, max_iter = 999,
            tol = 1e-9, weight_concentration_prior_type = prior }:fit(X)
         local large = 0
         for _, w in ipairs(model.weights) do large = large + (w > 0.01 and 1 or 0) end
         assert.equal(2, large)
         never_increases(model)
         near(1, model.weights:sum(), 1e-12)
      end
   end)

   it("draws samples, saves and loads", function()
      local X = iris()
      local model = ml.BayesianGaussianMixture { n_components = 3 }:fit(X)
      local drawn = model:sample { n = 5, seed = 2 }
      assert.equal(5, drawn.X.rows)
      local again = ml.load(model:dump())
      assert.equal(model:score_samples(X)[3], again:score_samples(X)[3])
   end)

   it("handles degenerate data and refuses wrong priors", function()
      assert.is_true(ml.BayesianGaussianMixture { n_components = 2 }:fit { { 1, 2 }, { 1, 2 }, { 1, 2 } }.fitted)
      local X = { { 1, 2 }, { 3, 5 }, { 2, 2 } }
      local function fails(message, settings)
         refuses(message, function() ml.BayesianGaussianMixture(settings):fit(X) end)
      end
      fails("degrees_of_freedom_prior must be > features %- 1 = 1, got 0.5", { degrees_of_freedom_prior = 0.5 })
      fails("mean_prior must have 2 values, got 1", { mean_prior = { 1 } })
      fails("covariance_prior must be 2 x 2, got 1 x 2", { covariance_prior = { { 1, 2 } } })
      for _, prior in ipairs { { { 1, 2 }, { 2, 1 } }, { { -1, 0 }, { 0, 1 } }, { { 1, 0.5 }, { 0.1, 1 } } } do
         fails("covariance_prior must be symmetric and positive definite", { covariance_prior = prior })
      end
      fails("covariance_prior must be > 0", { covariance_prior = { { 1, 0 } }, covariance_type = "diag" })
      fails("n_components must be at most the number of rows, 3, got 4", { n_components = 4 })
      -- The covariance of X is singular, and so is that of a component without rows. Each adds reg_covar.
      local two = { { 0, 1 }, { 0, 1 }, { 2, 3 }, { 2, 3 }, { 2, 3 } }
      for _, kind in ipairs { "full", "tied", "diag", "spherical" } do
         never_increases(ml.BayesianGaussianMixture { n_components = 3, covariance_type = kind }:fit(two))
      end
      refuses("increase reg_covar, or set covariance_prior", function()
         ml.BayesianGaussianMixture { n_components = 3, reg_covar = 0 }:fit(two)
      end)
      local given = { n_components = 3, covariance_prior = { { 1, 0 }, { 0, 1 } } }
      assert.is_true(ml.BayesianGaussianMixture(given):fit(two).fitted)
      refuses("covariance_prior = nil requires at least 2 rows", function()
         ml.BayesianGaussianMixture {}:fit { { 1, 2 } }
      end)
   end)
end)
