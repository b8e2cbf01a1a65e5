---@meta _
-- luacheck: ignore
-- ml.TheilSenRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TheilSenRegressor.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_subpopulation? integer # most subsets; where there are more, they are drawn; default 10000; a whole number >= 1
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares; default nil; a whole number >= 1 or nil
---@field max_iter? integer # most rounds for the median; default 300; a whole number >= 1
---@field tol? number # stop when the median moves by no more than this share of the spread; default 0.001; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by the median of the fits to small subsets of rows: outliers in X and y do little.
---
---sum_s |b_s - b| over b, with b_s the least squares of subset s; b with the constant
---
---Subsets that determine fewer weights than others (two rows of the same x) are left out, as Theil and Sen do;
---scikit-learn gives them the weights of least norm. tol is a share of the mean distance of the subsets' weights
---from their median; scikit-learn's is in the units of the weights. Scale the columns first where their units
---differ. With many columns hardly any outliers are withstood: see breakdown.
---@class manilius.TheilSenRegressor: manilius.Regressor
---@field fit_intercept boolean # learn a constant term
---@field max_subpopulation integer # most subsets; where there are more, they are drawn
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares
---@field max_iter integer # most rounds for the median
---@field tol number # stop when the median moves by no more than this share of the spread
---@field seed integer # names the random stream: same seed, same result
---@field breakdown number # learned: share of the rows that may be anything without spoiling the fit
---@field n_subpopulation integer # learned: subsets that the median is of
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TheilSenRegressor = {}

---The same settings, not fitted.
---@return manilius.TheilSenRegressor
function TheilSenRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TheilSenRegressor
function TheilSenRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TheilSenRegressor
function TheilSenRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function TheilSenRegressor:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function TheilSenRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression by the median of the fits to small subsets of rows: outliers in X and y do little.
---@param params? manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function ml.TheilSenRegressor(params) end
