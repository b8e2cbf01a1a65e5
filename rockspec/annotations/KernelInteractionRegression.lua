---@meta _
-- luacheck: ignore
-- ml.KernelInteractionRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KernelInteractionRegression.Params
---@field max_iter? integer # most rounds; each brings one or two columns in; default 100; a whole number >= 1
---@field tol? number # done when no column lowers the objective by more; default 0.001; a number >= 0
---@field sparsity? number # evidence that a column must bring: the larger, the fewer matter; default 1; a number > 0
---@field squares? boolean # squares of columns, too; default false; true or false

---Bayesian regression on all columns and all products of two, which finds the few that matter.
---
----log p(y | kappa, eta_1, eta_2, sigma), the constant term integrated out and sigma at its best, + sum_j log(1 +
---sparsity n log(1 + p) v_j) + log(omega)^2 / 8, at its least; v_j: what column j and its products are expected
---to add to the variance of y, over that of the noise; omega: eta_2 sigma / eta_1^2
---
---y = intercept + sum_j b_j x_j + sum_{i<j} b_ij x_i x_j + noise, all x about their means (center). Over standard
---deviations of the columns, b_j has the prior variance eta_1^2 kappa_j^2, and b_ij eta_2^2 kappa_i^2 kappa_j^2.
---Time and memory of a round are linear in the number of columns, O(n^2 p + n^3), for the products enter through
---a kernel. Where the paper draws from the posterior of the hyperparameters, this takes its best point: sigma,
---std and intervals are for these kappa, and do not know that others might do. With sparsity 1 about one data set
---of pure noise in five shows a column; with 2 hardly any does, and weaker effects are missed. Products of
---columns that have no effect of their own are looked for, too, but show only when they are strong. coef has the
---main effects, at the means of the other columns; predict is not X coef + intercept, for it has the products.
---Weights count rows, each at most 1e9: beyond, rounding would be left of the answer.
---@class manilius.KernelInteractionRegression: manilius.Regressor
---@field max_iter integer # most rounds; each brings one or two columns in
---@field tol number # done when no column lowers the objective by more
---@field sparsity number # evidence that a column must bring: the larger, the fewer matter
---@field squares boolean # squares of columns, too
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field kappa manilius.Vector # learned: how much a column matters: the largest is 1, and most are 0, features
---@field eta_1 number # learned: prior standard deviation of main effects, for a column of kappa 1
---@field eta_2 number # learned: prior standard deviation of interactions, for columns of kappa 1
---@field sigma number # learned: standard deviation of the noise
---@field relevant manilius.Vector # learned: columns whose kappa is not 0, relevant < features
---@field center manilius.Vector # learned: means of the columns, about which effects are meant, features
---@field scale manilius.Vector # learned: standard deviations of the columns; 0 of constant ones, features
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KernelInteractionRegression = {}

---The same settings, not fitted.
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:set_params(values) end

---the strongest effects of single columns, a unit of the column, at the means of the others. Gives a Frame, the
---strongest (by standard deviations of the column) first: term, column, estimate, std, low and high: posterior
---mean, standard deviation and central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:main_effects(options) end

---the strongest effects of products of two columns (about their means), among those of the largest kappa. Gives a
---Frame, the strongest (by standard deviations of the columns) first: term ("a:b", "a^2" where there are
---squares), first and second (columns), estimate, std, low and high: posterior mean, standard deviation and
---central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:interactions(options) end

---the effect of the product of two columns about their means; 0 of a column whose kappa is 0. Gives estimate and
---std, its posterior mean and standard deviation
---@param options? { first?: integer, second?: integer }
---@return table<string, any>
function KernelInteractionRegression:interaction(options) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function KernelInteractionRegression:predict_interval(X, options) end

---@class manilius
local ml = {}

---Bayesian regression on all columns and all products of two, which finds the few that matter.
---@param params? manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function ml.KernelInteractionRegression(params) end
