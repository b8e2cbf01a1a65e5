---@meta _
-- luacheck: ignore
-- Functions of ml.dist.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---probability distributions: densities, tails, quantiles, samples, information, fits, priors
---@class manilius.dist
local dist = {}

---Bernoulli: one trial, 1 or 0; parameters: p (probability of 1).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.bernoulli(parameters) end

---Beta: proportions; parameters: a (first shape), b (second shape).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.beta(parameters) end

---Binomial: successes among n trials; parameters: n (trials), p (probability of a success).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.binomial(parameters) end

---Dirichlet: shares that sum to 1; parameters: alpha (a number > 0 for each share).
---
---Gives: a distribution d with d:log_density(x), d:density(x) (of a point, or of each row of a matrix),
---d:sample(n, seed) (a row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.dirichlet(parameters) end

---Exponential: waiting times without memory; parameters: rate (events in a unit of time, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.exponential(parameters) end

---The distribution of a family that values make likeliest; with a prior, the mode of the posterior, and the
---posterior: bernoulli, beta, binomial, exponential, gamma, laplace, normal, poisson, student_t, von_mises,
---dirichlet, multinomial, multivariate_normal.
---
---Gives: a distribution; with a prior also the posterior: a distribution of the prior's family, or a table like
---the prior
---
---- known: parameters that are not to be fitted: n of binomial (it must be known), mean or sd of normal, shape of
---gamma, df of student_t, concentration of von_mises
---- prior: parameters of the conjugate prior: beta { a, b } for bernoulli and binomial; gamma { shape, scale } of
---the mean of poisson, of the rate of exponential, of 1 / scale of gamma with a known shape, of 1 / sd^2 of
---normal with a known mean; normal { mean, sd } of the mean of normal with a known sd, else { mean, count, shape,
---scale }: 1 / sd^2 is gamma and the mean normal, as sure as `count` values make it; { mean, count, df, scale }
---of multivariate_normal likewise, the inverse covariance being Wishart with `scale` the sum of squares of `df`
---values; dirichlet { alpha } for multinomial; von_mises { mean, concentration } of the mean of von_mises with a
---known concentration. The mode is that of the quantities named here
---- weights: how often each value counts, > 0; nil: once
---@param name string|string[]
---@param x any
---@param options? { known?: any, prior?: any, weights?: manilius.Numbers }
---@return any
function dist.fit(name, x, options) end

---Gamma: sums of waiting times; parameters: shape (its shape), scale (mean / shape, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.gamma(parameters) end

---Laplace (double exponential); parameters: location (its median, 0 unless given), scale (mean distance from the
---median, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.laplace(parameters) end

---Multinomial: how often each of several outcomes came; parameters: n (trials), p (the probability of each
---outcome; they sum to 1).
---
---Gives: a distribution d with d:log_density(x), d:density(x) (of a point, or of each row of a matrix),
---d:sample(n, seed) (a row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.multinomial(parameters) end

---Normal distribution of several variables; parameters: mean (a number for each variable), covariance (a matrix,
---positive definite).
---
---Gives: a distribution d with d:log_density(x), d:density(x) (of a point, or of each row of a matrix),
---d:sample(n, seed) (a row each), d:expectation(), d:variance() (a matrix), d:entropy(), d:kl(other),
---d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.multivariate_normal(parameters) end

---Normal (Gaussian); parameters: mean (its mean, 0 unless given), sd (its standard deviation, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.normal(parameters) end

---Poisson: events in a stretch of time; parameters: mean (events to be expected).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.poisson(parameters) end

---Student's t: like the normal, with heavier tails; parameters: df (degrees of freedom), location (its median, 0
---unless given), scale (1: as in tables, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.student_t(parameters) end

---Von Mises: angles, in radians; parameters: mean (its mean direction, 0 unless given), concentration (how close
---angles lie to it; 0: not at all, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.von_mises(parameters) end
