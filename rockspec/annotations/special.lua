---@meta _
-- luacheck: ignore
-- Functions of ml.special.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---special functions, sigmoid functions and statistical distributions
---@class manilius.special
local special = {}

---Arc tangent.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.arctan(x) end

---Arc tangent: its derivative 1 / (1 + x^2).
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.arctan_slope(x) end

---Beta: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_cdf(x, a, b) end

---Regularized incomplete beta function I_x(a, b).
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param b any
---@param x any
---@return number|manilius.Vector
function special.beta_i(a, b, x) end

---X with beta_i(a, b, x) = p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param b any
---@param p number
---@return number|manilius.Vector
function special.beta_i_inverse(a, b, p) end

---Its complement 1 - I_x(a, b).
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param b any
---@param x any
---@return number|manilius.Vector
function special.beta_ic(a, b, x) end

---X with beta_ic(a, b, x) = q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param b any
---@param q number|number[]
---@return number|manilius.Vector
function special.beta_ic_inverse(a, b, q) end

---Beta: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_isf(q, a, b) end

---Beta: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logcdf(x, a, b) end

---Beta: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logpdf(x, a, b) end

---Beta: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logsf(x, a, b) end

---Beta: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_pdf(x, a, b) end

---Beta: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_quantile(p, a, b) end

---Beta: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_sf(x, a, b) end

---Binomial: probability of at most k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_cdf(k, n, p) end

---Binomial: log probability of exactly k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_logpmf(k, n, p) end

---Binomial: probability of exactly k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_pmf(k, n, p) end

---Binomial: probability of more than k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_sf(k, n, p) end

---Chi-square: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_cdf(x, df) end

---Chi-square: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@param df any
---@return number|manilius.Vector
function special.chi2_isf(q, df) end

---Chi-square: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logcdf(x, df) end

---Chi-square: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logpdf(x, df) end

---Chi-square: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logsf(x, df) end

---Chi-square: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_pdf(x, df) end

---Chi-square: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@param df any
---@return number|manilius.Vector
function special.chi2_quantile(p, df) end

---Chi-square: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_sf(x, df) end

---Derivative of lgamma.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.digamma(x) end

---F: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_cdf(x, d1, d2) end

---F: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_isf(q, d1, d2) end

---F: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logcdf(x, d1, d2) end

---F: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logpdf(x, d1, d2) end

---F: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logsf(x, d1, d2) end

---F: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_pdf(x, d1, d2) end

---F: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_quantile(p, d1, d2) end

---F: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_sf(x, d1, d2) end

---Gamma function.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.gamma(x) end

---Gamma: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_cdf(x, shape, scale) end

---Gamma: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_isf(q, shape, scale) end

---Gamma: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logcdf(x, shape, scale) end

---Gamma: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logpdf(x, shape, scale) end

---Gamma: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logsf(x, shape, scale) end

---Regularized lower incomplete gamma function.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param x any
---@return number|manilius.Vector
function special.gamma_p(a, x) end

---X with gamma_p(a, x) = p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param p number
---@return number|manilius.Vector
function special.gamma_p_inverse(a, p) end

---Gamma: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_pdf(x, shape, scale) end

---Regularized upper incomplete gamma function.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param x any
---@return number|manilius.Vector
function special.gamma_q(a, x) end

---X with gamma_q(a, x) = q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param q number|number[]
---@return number|manilius.Vector
function special.gamma_q_inverse(a, q) end

---Gamma: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_quantile(p, shape, scale) end

---Gamma: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_sf(x, shape, scale) end

---Generalized logistic function (1 + e^-x)^-a.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@return number|manilius.Vector
function special.generalised_logistic(x, a) end

---Generalized logistic function: its derivative with respect to x.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param a any
---@return number|manilius.Vector
function special.generalised_logistic_slope(x, a) end

---Log of the beta function.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param a any
---@param b any
---@return number|manilius.Vector
function special.lbeta(a, b) end

---Log |gamma(x)|.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.lgamma(x) end

---Logistic function 1 / (1 + e^-x).
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.logistic(x) end

---Logistic function: its derivative.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.logistic_slope(x) end

---Standard normal: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_cdf(x) end

---Standard normal: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@return number|manilius.Vector
function special.normal_isf(q) end

---Standard normal: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logcdf(x) end

---Standard normal: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logpdf(x) end

---Standard normal: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logsf(x) end

---Standard normal: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_pdf(x) end

---Standard normal: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@return number|manilius.Vector
function special.normal_quantile(p) end

---Standard normal: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_sf(x) end

---Poisson: probability of at most k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_cdf(k, mean) end

---Poisson: log probability of exactly k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_logpmf(k, mean) end

---Poisson: probability of exactly k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_pmf(k, mean) end

---Poisson: probability of more than k.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_sf(k, mean) end

---Student's t: lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_cdf(x, df) end

---Student's t: point with upper tail probability q.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param q number|number[]
---@param df any
---@return number|manilius.Vector
function special.t_isf(q, df) end

---Student's t: log lower tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logcdf(x, df) end

---Student's t: log density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logpdf(x, df) end

---Student's t: log upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logsf(x, df) end

---Student's t: density.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_pdf(x, df) end

---Student's t: point with lower tail probability p.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param p number
---@param df any
---@return number|manilius.Vector
function special.t_quantile(p, df) end

---Student's t: upper tail probability.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_sf(x, df) end

---Hyperbolic tangent.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.tanh(x) end

---Hyperbolic tangent: its derivative 1 - tanh^2.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.tanh_slope(x) end

---Second derivative of lgamma.
---
---Gives: a number, or a Vector if the first argument is a Vector; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.trigamma(x) end
