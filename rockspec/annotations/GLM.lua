---@meta _
-- luacheck: ignore
-- ml.GLM: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GLM.Params
---@field family? "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y; default "gaussian"; one of gaussian, binomial, poisson, gamma, inverse_gaussian, tweedie, negative_binomial
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the weights; default 0; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row; default nil; a string or nil
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 1.5; a number >= 0
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated; default nil; a number > 0 or nil
---@field link_power? number # of link power: mean^link_power is linear in X; default 1; a finite number
---@field quasi? boolean # estimate the dispersion of binomial, poisson and negative_binomial too; default false; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---Links by default are the canonical ones, as in R: identity, logit, log, inverse (gamma), inverse_squared; log
---for tweedie and negative_binomial. An offset is a column of X that is named, so that predict has it too; its
---coefficient is 1. y of family binomial: numbers from 0 to 1; or labels of two classes (text, booleans, a
---Factor), the second of which, model.classes[2], is the success, as for R's glm; or a Matrix of two columns, the
---numbers of successes and of failures (cbind(successes, failures) ~ ... in a formula). predict gives the
---probability of a success; for labels there is LogisticRegression. score, cross_validate and searches compare
---labels of y with the likelier one (accuracy where nothing is said; roc_auc, log_loss and the like take the
---probability), numbers with the prediction (r2), and two columns as shares that weigh by their trials (r2).
---Weights count rows, in degrees of freedom too, and are no trials: R's weights of binomial proportions are the
---column `trials` here, or two columns of y. Standard errors use the expected information; tests are z where the
---dispersion is known, t where it is estimated (R's way; statsmodels uses z). With alpha > 0 estimates are biased
---on purpose: then there are no standard errors. Where columns determine each other the shortest coefficients are
---given, in units of the columns' spread, without standard errors. w_i in the objective is the weight times the
---trials. X may be sparse and is never made dense: up to 500 columns the equations of a step are solved by a
---matrix of columns x columns; more of them, with alpha > 0, by conjugate gradients, or with an L1 penalty by
---coordinate descent on the columns, without such a matrix. inference = true needs the matrix whatever the number
---of columns: set it to false where there are thousands. Exported to Lua, predictions with link probit, cloglog,
---power or inverse_squared agree within 4 units in the last place.
---@class manilius.GLM: manilius.Regressor
---@field family "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated
---@field link_power number # of link power: mean^link_power is linear in X
---@field quasi boolean # estimate the dispersion of binomial, poisson and negative_binomial too
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field null_deviance number # learned: deviance of the constant (and the offset) alone
---@field pearson_chi2 number # learned: sum of squared Pearson residuals
---@field dispersion number # learned: pearson_chi2 / df_residual where the family has one, else 1
---@field df_residual number # learned: n less the number of coefficients
---@field df_null number # learned: n less 1, or n without an intercept
---@field theta_estimate number # learned: theta of negative_binomial; nan for other families
---@field loglik number # learned: log-likelihood; nan for tweedie and quasi
---@field aic number # learned: -2 loglik + 2 parameters, as R's glm counts them
---@field bic number # learned: -2 loglik + log(n) parameters
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GLM = {}

---The same settings, not fitted.
---@return manilius.GLM
function GLM:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GLM
function GLM:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GLM
function GLM:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GLM.Params
---@return manilius.GLM
function GLM:set_params(values) end

---coefficients with standard errors, z or t and p, and how good the fit is, as R prints it. Gives coefficients
---(Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, null_deviance, df_residual,
---df_null, pearson_chi2, loglik, aic, bic, n; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function GLM:summary(options) end

---confidence interval of the mean at each row of X, made on the scale of the link. Gives Frame: fit, low, high,
---std_error (of the mean), link (the linear predictor)
---@param X manilius.X
---@param options? { level?: number, kind?: "confidence" }
---@return manilius.Frame
function GLM:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted. Gives Frame: fitted, link, response, pearson,
---deviance, leverage, standardized (deviance), cooks_distance
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function GLM:diagnostics(X, y) end

---@class manilius
local ml = {}

---Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.
---@param params? manilius.GLM.Params
---@return manilius.GLM
function ml.GLM(params) end
