---@meta _
-- luacheck: ignore
-- Functions of ml.dist.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---probability distributions: densities, tails, quantiles, samples, information, fits
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

---Exponential: waiting times without memory; parameters: rate (events in a unit of time, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.exponential(parameters) end

---The distribution of a family under which the values are likeliest (maximum likelihood): bernoulli, exponential,
---gamma, laplace, normal, poisson.
---
---Gives: a distribution
---
---- weights: how often each value counts, > 0; nil: once
---@param name string|string[]
---@param x any
---@param options table
---@param options? { weights?: manilius.Numbers }
---@return any
function dist.fit(name, x, options, options) end

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
