---@meta _
-- luacheck: ignore
-- ml.PassiveAggressiveRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PassiveAggressiveRegressor.Params
---@field C? number # aggressiveness, the limit of a step; use small values for noisy rows; default 1; a number > 0
---@field loss? "epsilon_insensitive"|"squared_epsilon_insensitive" # epsilon_insensitive (PA-I) or squared_epsilon_insensitive (PA-II); default "epsilon_insensitive"; one of epsilon_insensitive, squared_epsilon_insensitive
---@field epsilon? number # errors up to this size cause no step, in units of y; default 0.1; a number >= 0
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # minimum decrease of the objective that counts as an improvement; default 0.001; a number >= 0
---@field n_iter_no_change? integer # stop after this many rounds without improvement; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # shuffle the rows before each round; default true; true or false
---@field average? integer # average the coefficients from this step on; 0: no average; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # stop by the score on held-out rows instead of the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for early_stopping; default 0.1; a number > 0 and < 1
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Online linear regression that corrects each row with the smallest step.
---
---min |b' - b|^2 / 2 + C max(0, |y - x b' - c'| - epsilon) at each row; or with the loss squared
---
---PA-I steps by min(C, l / |x|^2) for the loss l of a row, PA-II by l / (|x|^2 + 1 / (2 C)). The intercept moves
---by the same length, as in scikit-learn. Row weights multiply C. Scale the columns first. Equivalent:
---SGDRegressor { loss = 'epsilon_insensitive', learning_rate = 'pa1' or 'pa2', penalty = 'none', eta0 = C }.
---@class manilius.PassiveAggressiveRegressor: manilius.Regressor
---@field C number # aggressiveness, the limit of a step; use small values for noisy rows
---@field loss "epsilon_insensitive"|"squared_epsilon_insensitive" # epsilon_insensitive (PA-I) or squared_epsilon_insensitive (PA-II)
---@field epsilon number # errors up to this size cause no step, in units of y
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of rounds over the rows
---@field tol number # minimum decrease of the objective that counts as an improvement
---@field n_iter_no_change integer # stop after this many rounds without improvement
---@field shuffle boolean # shuffle the rows before each round
---@field average integer # average the coefficients from this step on; 0: no average
---@field early_stopping boolean # stop by the score on held-out rows instead of the objective
---@field validation_fraction number # share of the rows held out for early_stopping
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field t number # learned: 1 + number of steps
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local PassiveAggressiveRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.PassiveAggressiveRegressor.Params
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function PassiveAggressiveRegressor:summary(options) end

---@class manilius
local ml = {}

---Online linear regression that corrects each row with the smallest step.
---@param params? manilius.PassiveAggressiveRegressor.Params
---@return manilius.PassiveAggressiveRegressor
function ml.PassiveAggressiveRegressor(params) end
