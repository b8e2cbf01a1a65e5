---@meta _
-- luacheck: ignore
-- ml.KernelInteractionRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KernelInteractionRegression.Params
---@field max_iter? integer # maximum number of rounds, each of which adds one or two columns; default 100; a whole number >= 1
---@field tol? number # stop when no column lowers the objective by more than this; default 0.001; a number >= 0
---@field sparsity? number # penalty on the number of relevant columns; default 1; a number > 0
---@field squares? boolean # include the squares of columns; default false; true or false

---Sparse Bayesian regression on all columns and all products of two columns.
---
----log p(y | kappa, eta_1, eta_2, sigma) + sum_j log(1 + sparsity n log(1 + p) v_j) + log(omega)^2 / 8, intercept
---integrated out, minimized over sigma; v_j: expected variance of the effects of column j relative to the noise;
---omega = eta_2 sigma / eta_1^2
---
---y = intercept + sum_j b_j x_j + sum_{i<j} b_ij x_i x_j + noise with centered x. For columns scaled to unit
---variance, b_j has prior variance eta_1^2 kappa_j^2 and b_ij has eta_2^2 kappa_i^2 kappa_j^2. A round takes
---O(n^2 p + n^3) time, linear in the number of columns. Hyperparameters are point estimates: sigma, std and
---intervals ignore their uncertainty. coef holds the main effects only; predict includes the products. Weights
---count rows and must be at most 1e9.
---@class manilius.KernelInteractionRegression: manilius.Regressor
---@field max_iter integer # maximum number of rounds, each of which adds one or two columns
---@field tol number # stop when no column lowers the objective by more than this
---@field sparsity number # penalty on the number of relevant columns
---@field squares boolean # include the squares of columns
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field kappa manilius.Vector # learned: relevance of each column: the largest is 1, and most are 0, features
---@field eta_1 number # learned: prior standard deviation of main effects of a column with kappa 1
---@field eta_2 number # learned: prior standard deviation of interactions of columns with kappa 1
---@field sigma number # learned: standard deviation of the noise
---@field relevant manilius.Vector # learned: columns with nonzero kappa, relevant < features
---@field center manilius.Vector # learned: means of the columns, at which effects are defined, features
---@field scale manilius.Vector # learned: standard deviations of the columns; 0 for constant ones, features
---@field n number # learned: sum of the sample weights; the number of rows without weights
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KernelInteractionRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:set_params(values) end

---strongest main effects, per unit of the column, at the means of the others. Gives Frame, ordered by magnitude
---per standard deviation of the column: term, column, estimate, std, low and high: posterior mean, standard
---deviation and central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:main_effects(options) end

---strongest products of two centered columns, among those with the largest kappa. Gives Frame, ordered by
---magnitude per standard deviations of the columns: term ("a:b"; "a^2" for squares), first and second (columns),
---estimate, std, low and high: posterior mean, standard deviation and central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:interactions(options) end

---effect of the product of two centered columns; 0 if a kappa is 0. Gives estimate and std: posterior mean and
---standard deviation
---@param options? { first?: integer, second?: integer }
---@return table<string, any>
function KernelInteractionRegression:interaction(options) end

---means, standard deviations and central intervals of the predictive distribution. Gives mean (rows), std (rows),
---low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function KernelInteractionRegression:predict_interval(X, options) end

---@class manilius
local ml = {}

---Sparse Bayesian regression on all columns and all products of two columns.
---@param params? manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function ml.KernelInteractionRegression(params) end
