---@meta _
-- luacheck: ignore
-- ml.SGDRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SGDRegressor.Params
---@field loss? "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes; default "squared_error"; one of squared_error, huber, epsilon_insensitive, squared_epsilon_insensitive
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; also sets the step size of 'optimal'; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # minimum decrease of the objective that counts as an improvement; default 0.001; a number >= 0
---@field n_iter_no_change? integer # stop after this many rounds without improvement; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # shuffle the rows before each round; default true; true or false
---@field epsilon? number # threshold of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # step size at step t: optimal 1 / (alpha (t0 + t)), t0 by Bottou's heuristic; constant eta0; invscaling eta0 / t^power_t; adaptive eta0, divided by 5 after n_iter_no_change rounds without improvement; pa1, pa2: passive-aggressive; default "invscaling"; one of optimal, constant, invscaling, adaptive, pa1, pa2
---@field eta0? number # initial step size; C of pa1 and pa2; default 0.01; a number > 0
---@field power_t? number # exponent of invscaling: eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the coefficients from this step on; 0: no average; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # stop by the score on held-out rows instead of the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for early_stopping; default 0.1; a number > 0 and < 1
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by stochastic gradient descent, for large or streamed data.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
---
---Losses with r = y - z: squared_error r^2 / 2; huber r^2 / 2, linear beyond epsilon; epsilon_insensitive max(0,
---|r| - epsilon), or its square. Scale the columns first. Row weights scale the step of a row (of pa1 and pa2 its
---C): weight 2 is not the row twice. Results equal those of scikit-learn, except for sparse X, which gives the
---same as dense X. 
---@class manilius.SGDRegressor: manilius.Regressor
---@field loss "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none
---@field alpha number # strength of the penalty; also sets the step size of 'optimal'
---@field l1_ratio number # share of the L1 norm in elasticnet
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of rounds over the rows
---@field tol number # minimum decrease of the objective that counts as an improvement
---@field n_iter_no_change integer # stop after this many rounds without improvement
---@field shuffle boolean # shuffle the rows before each round
---@field epsilon number # threshold of huber and the epsilon-insensitive losses, in units of y
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # step size at step t: optimal 1 / (alpha (t0 + t)), t0 by Bottou's heuristic; constant eta0; invscaling eta0 / t^power_t; adaptive eta0, divided by 5 after n_iter_no_change rounds without improvement; pa1, pa2: passive-aggressive
---@field eta0 number # initial step size; C of pa1 and pa2
---@field power_t number # exponent of invscaling: eta0 / t^power_t
---@field average integer # average the coefficients from this step on; 0: no average
---@field early_stopping boolean # stop by the score on held-out rows instead of the objective
---@field validation_fraction number # share of the rows held out for early_stopping
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field t number # learned: 1 + number of steps
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local SGDRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.SGDRegressor
function SGDRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.SGDRegressor
function SGDRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.SGDRegressor.Params
---@return manilius.SGDRegressor
function SGDRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function SGDRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression by stochastic gradient descent, for large or streamed data.
---@param params? manilius.SGDRegressor.Params
---@return manilius.SGDRegressor
function ml.SGDRegressor(params) end
