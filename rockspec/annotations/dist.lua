---@meta _
-- luacheck: ignore
-- Functions of ml.dist.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---probability distributions: densities, quantiles, samples, fits and priors
---@class manilius.dist
local dist = {}

---Bernoulli: one trial, 1 or 0.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.bernoulli(parameters) end

---Beta: proportions.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.beta(parameters) end

---Binomial: successes among n trials.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.binomial(parameters) end

---Dirichlet distribution of fractions that sum to 1.
---
---Gives: a distribution d with d:log_density(x), d:density(x) (x: a point or a matrix with one per row),
---d:sample(n, seed) (one row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.dirichlet(parameters) end

---Exponential: memoryless waiting times.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.exponential(parameters) end

---Fit a distribution by maximum likelihood, or by MAP with a conjugate prior.
---
---Gives: a distribution; with a prior also the posterior: a distribution of the prior's family, or a table like
---the prior
---
---- known: parameters that are fixed: n of binomial (it must be known), mean or sd of normal, shape of gamma, df
---of student_t, concentration of von_mises
---- prior: parameters of the conjugate prior: beta { a, b } for bernoulli and binomial; gamma { shape, scale }
---for the mean of poisson, the rate of exponential, 1 / scale of gamma with known shape, and 1 / sd^2 of normal
---with known mean; normal { mean, sd } for the mean of normal with known sd; normal-gamma { mean, count, shape,
---scale } for normal; normal-Wishart { mean, count, df, scale } for multivariate_normal; dirichlet { alpha } for
---multinomial; von_mises { mean, concentration } for the mean of von_mises with known concentration. The mode is
---that of these quantities
---- weights: one number > 0 per value; nil: 1
---@param name string|string[]
---@param x any
---@param options? { known?: any, prior?: any, weights?: manilius.Numbers }
---@return any
function dist.fit(name, x, options) end

---Gamma: sums of waiting times.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.gamma(parameters) end

---Laplace (double exponential).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.laplace(parameters) end

---Multinomial distribution of counts of outcomes.
---
---Gives: a distribution d with d:log_density(x), d:density(x) (x: a point or a matrix with one per row),
---d:sample(n, seed) (one row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.multinomial(parameters) end

---Multivariate normal distribution.
---
---Gives: a distribution d with d:log_density(x), d:density(x) (x: a point or a matrix with one per row),
---d:sample(n, seed) (one row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.multivariate_normal(parameters) end

---Normal (Gaussian).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.normal(parameters) end

---Poisson: number of events in a fixed interval.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.poisson(parameters) end

---Student's t: like the normal, with heavier tails.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.student_t(parameters) end

---Von Mises: angles, in radians.
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (upper tail), d:quantile(p),
---d:isf(q), d:sample(n, seed), d:expectation(), d:variance(), d:entropy(), d:kl(other), d:cross_entropy(other);
---x, p and q are numbers or Vectors; its parameters are fields
---@param parameters any
---@return any
function dist.von_mises(parameters) end
