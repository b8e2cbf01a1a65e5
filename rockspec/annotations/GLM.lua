---@meta _
-- luacheck: ignore
-- ml.GLM: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GLM.Params
---@field family? "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y given X; default "gaussian"; one of gaussian, binomial, poisson, gamma, inverse_gaussian, tweedie, negative_binomial
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # link function; auto: the default of the family; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # strength of the penalty on the coefficients; 0: none; default 0; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which sets coefficients to exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... if unnamed) that is added to the linear predictor with coefficient 1, such as the log of the exposure; nil: none; default nil; a string or nil
---@field trials? string # of binomial: name of a column of X with the number of trials, y being the proportion of successes; nil: one trial per row; default nil; a string or nil
---@field power? number # of tweedie: the variance is mean^power. 0: gaussian, 1: poisson, between 1 and 2: compound Poisson-gamma (zeros and positive values), 2: gamma, 3: inverse gaussian; default 1.5; a number >= 0
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated by maximum likelihood; default nil; a number > 0 or nil
---@field link_power? number # of link power: mean^link_power is linear in X; default 1; a finite number
---@field quasi? boolean # estimate the dispersion of binomial, poisson and negative_binomial too; default false; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need: a matrix of columns x columns; default true; true or false
---@field max_iter? integer # maximum number of iterations; default 100; a whole number >= 1
---@field tol? number # stop when the length of a step, relative to the square root of the objective, is at most this; default 1e-09; a number >= 0

---Generalized linear models with standard errors, tests and diagnostics.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---Default links are those of R; log for tweedie and negative_binomial. With family binomial, y holds numbers from
---0 to 1, labels of two classes (the second is the success) or two columns of counts, successes and failures;
---predict returns the probability of success. With alpha > 0 or collinear columns there are no standard errors.
---Sparse X with more than 500 columns needs alpha > 0 and inference = false to avoid a matrix of columns x
---columns.
---@class manilius.GLM: manilius.Regressor
---@field family "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y given X
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # link function; auto: the default of the family
---@field alpha number # strength of the penalty on the coefficients; 0: none
---@field l1_ratio number # share of the L1 norm in the penalty, which sets coefficients to exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field offset? string # name of a column of X (x1, x2, ... if unnamed) that is added to the linear predictor with coefficient 1, such as the log of the exposure; nil: none
---@field trials? string # of binomial: name of a column of X with the number of trials, y being the proportion of successes; nil: one trial per row
---@field power number # of tweedie: the variance is mean^power. 0: gaussian, 1: poisson, between 1 and 2: compound Poisson-gamma (zeros and positive values), 2: gamma, 3: inverse gaussian
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated by maximum likelihood
---@field link_power number # of link power: mean^link_power is linear in X
---@field quasi boolean # estimate the dispersion of binomial, poisson and negative_binomial too
---@field inference boolean # keep what summary, intervals and diagnostics need: a matrix of columns x columns
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when the length of a step, relative to the square root of the objective, is at most this
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field deviance number # learned: twice the difference in log-likelihood to a perfect fit
---@field n number # learned: sum of the sample weights; without weights the number of rows
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of nonzero coefficients
---@field null_deviance number # learned: deviance of the model with only an intercept (and the offset)
---@field pearson_chi2 number # learned: sum of squared Pearson residuals
---@field dispersion number # learned: pearson_chi2 / df_residual for families with a dispersion parameter, else 1
---@field df_residual number # learned: n minus the number of coefficients
---@field df_null number # learned: n minus 1, or n without an intercept
---@field theta_estimate number # learned: theta of negative_binomial; nan for other families
---@field loglik number # learned: log-likelihood; nan for tweedie and quasi
---@field aic number # learned: -2 loglik + 2 parameters, as R's glm counts them
---@field bic number # learned: -2 loglik + log(n) parameters
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GLM = {}

---An unfitted copy with the same parameters.
---@return manilius.GLM
function GLM:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GLM
function GLM:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.GLM
function GLM:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.GLM.Params
---@return manilius.GLM
function GLM:set_params(values) end

---coefficients with standard errors, z or t and p-values, and goodness of fit, as printed by R. Gives
---coefficients (Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, null_deviance,
---df_residual, df_null, pearson_chi2, loglik, aic, bic, n; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function GLM:summary(options) end

---confidence interval of the mean at each row of X, computed on the scale of the link. Gives Frame: fit, low,
---high, std_error (of the mean), link (the linear predictor)
---@param X manilius.X
---@param options? { level?: number, kind?: "confidence" }
---@return manilius.Frame
function GLM:intervals(X, options) end

---residuals, leverage and influence of the fitted rows. Gives Frame: fitted, link, response, pearson, deviance,
---leverage, standardized (deviance), cooks_distance
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function GLM:diagnostics(X, y) end

---@class manilius
local ml = {}

---Generalized linear models with standard errors, tests and diagnostics.
---@param params? manilius.GLM.Params
---@return manilius.GLM
function ml.GLM(params) end
