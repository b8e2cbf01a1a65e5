---@meta _
-- luacheck: ignore
-- ml.TweedieRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TweedieRegressor.Params
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 0; a number >= 0
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the weights; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Amounts whose variance is a power of their mean, with an L2 penalty, L1, or both.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---As in scikit-learn; link auto: identity for power 0, log for the others. For standard errors, tests and other
---links: ml.GLM{ family = 'tweedie' }. X may be sparse and is never made dense: up to 500 columns the equations
---of a step are solved by a matrix of columns x columns; more of them, with alpha > 0, by conjugate gradients, or
---with an L1 penalty by coordinate descent on the columns, without such a matrix. Exported to Lua, predictions
---with link power or inverse_squared agree within 4 units in the last place.
---@class manilius.TweedieRegressor: manilius.Regressor
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TweedieRegressor = {}

---The same settings, not fitted.
---@return manilius.TweedieRegressor
function TweedieRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TweedieRegressor
function TweedieRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TweedieRegressor
function TweedieRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TweedieRegressor.Params
---@return manilius.TweedieRegressor
function TweedieRegressor:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function TweedieRegressor:summary(options) end

---@class manilius
local ml = {}

---Amounts whose variance is a power of their mean, with an L2 penalty, L1, or both.
---@param params? manilius.TweedieRegressor.Params
---@return manilius.TweedieRegressor
function ml.TweedieRegressor(params) end
