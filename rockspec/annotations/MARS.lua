---@meta _
-- luacheck: ignore
-- ml.MARS: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MARS.Params
---@field degree? integer # maximum number of columns in a term; 1 means no interactions; default 1; a whole number >= 1
---@field nk? integer # maximum number of terms in the forward pass, intercept included, counted in pairs; nil means 2 * columns + 1, at least 21 and at most 201; default nil; a whole number >= 1 or nil
---@field penalty? number # GCV penalty per knot; 0 penalizes terms only, -1 nothing; nil means 2, or 3 if degree > 1; default nil; a number >= -1 or nil
---@field thresh? number # the forward pass ends when R2 increases by less than this, or exceeds 1 minus this; 0 disables both; default 0.001; a number from 0 to 1
---@field minspan? integer # minimum number of rows between knots; 0 uses equation 43 of Friedman; -k means at most k evenly spaced knots per column; default 0; a whole number from -1000000000 to 1000000000
---@field endspan? integer # number of rows before the first and after the last knot; 0 uses equation 45 of Friedman; default 0; a whole number from 0 to 1000000000
---@field adjust_endspan? number # in interaction terms, endspan is increased by this factor times endspan; default 2; a number from 0 to 1000000
---@field fast_k? integer # maximum number of parent terms tried in each step of the forward pass; 0 means all; default 20; a whole number >= 0
---@field fast_beta? number # aging of parents: ranks gained in each step in which a parent is not tried; default 1; a number from 0 to 1000000000
---@field newvar_penalty? number # the gain of a column that is not yet in the model is divided by 1 + this; default 0; a number from 0 to 1000000000
---@field linpreds? manilius.Numbers # indices of columns that enter linearly, without knots; nil means none; default nil; numbers >= 1 or nil
---@field auto_linpreds? boolean # if no knot improves the fit, add x itself instead of a hinge at its minimum; default true; true or false
---@field scale_y? boolean # with several targets, standardize each for the forward pass; default false; true or false
---@field pmethod? "backward"|"none" # backward: prune to the minimum GCV; none: keep all terms; default "backward"; one of backward, none
---@field nprune? integer # maximum number of terms after pruning, intercept included; nil means no limit; default nil; a whole number >= 1 or nil

---Multivariate adaptive regression splines: sums of products of hinge functions.
---
---GCV = RSS / (n (1 - C / n)^2), C = terms + penalty (terms - 1) / 2, over subsets of the terms found by a greedy
---search for the minimum RSS
---
---Names, defaults and terms are those of R's earth, with underscores. summary() prints the equation, evimp() the
---importance of the columns. Differences: sample weights also count rows for the spans between knots; a collinear
---linear term is detected by its share of variance, independent of the units of X; terms that cannot become
---parents are not counted in fast_k. Encode factor columns first, with ml.OneHotEncoder{ drop = 'first' } or a
---formula.
---@class manilius.MARS: manilius.Regressor
---@field degree integer # maximum number of columns in a term; 1 means no interactions
---@field nk? integer # maximum number of terms in the forward pass, intercept included, counted in pairs; nil means 2 * columns + 1, at least 21 and at most 201
---@field penalty? number # GCV penalty per knot; 0 penalizes terms only, -1 nothing; nil means 2, or 3 if degree > 1
---@field thresh number # the forward pass ends when R2 increases by less than this, or exceeds 1 minus this; 0 disables both
---@field minspan integer # minimum number of rows between knots; 0 uses equation 43 of Friedman; -k means at most k evenly spaced knots per column
---@field endspan integer # number of rows before the first and after the last knot; 0 uses equation 45 of Friedman
---@field adjust_endspan number # in interaction terms, endspan is increased by this factor times endspan
---@field fast_k integer # maximum number of parent terms tried in each step of the forward pass; 0 means all
---@field fast_beta number # aging of parents: ranks gained in each step in which a parent is not tried
---@field newvar_penalty number # the gain of a column that is not yet in the model is divided by 1 + this
---@field linpreds? manilius.Numbers # indices of columns that enter linearly, without knots; nil means none
---@field auto_linpreds boolean # if no knot improves the fit, add x itself instead of a hinge at its minimum
---@field scale_y boolean # with several targets, standardize each for the forward pass
---@field pmethod "backward"|"none" # backward: prune to the minimum GCV; none: keep all terms
---@field nprune? integer # maximum number of terms after pruning, intercept included; nil means no limit
---@field dirs manilius.Matrix # learned: factor of each column in each term of the forward pass: 1 max(0, x - cut), -1 max(0, cut - x), 2 x, 0 absent, forward x features
---@field cuts manilius.Matrix # learned: knots of these factors, forward x features
---@field selected_terms manilius.Vector # learned: terms of the model, the intercept first, terms < forward
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients of selected_terms, targets x terms
---@field prune_terms manilius.Matrix # learned: best subsets of 1, 2, ... terms found by pruning, one per row: 1 for each of its terms, forward x forward
---@field rss_per_subset manilius.Vector # learned: residual sum of squares of the subsets in prune_terms, forward
---@field gcv_per_subset manilius.Vector # learned: GCV of these subsets; infinite if there are more parameters than rows, forward
---@field rss number # learned: residual sum of squares, over all targets
---@field rsq number # learned: R2 on the training data
---@field gcv number # learned: generalized cross validation: an estimate of rss / n on new rows
---@field grsq number # learned: R2 computed with GCV instead of rss
local MARS = {}

---An unfitted copy with the same parameters.
---@return manilius.MARS
function MARS:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MARS
function MARS:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MARS
function MARS:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MARS.Params
---@return manilius.MARS
function MARS:set_params(values) end

---the equation, with h(x) = max(0, x); terms sorted by degree, columns and knots. Gives terms (texts), coef
---(targets x terms), text
---@return table<string, any>
function MARS:summary() end

---importance of the columns, from the subsets of the backward pass that contain them. Gives Frame sorted by
---nsubsets: feature, column, nsubsets (subsets that contain it), gcv and rss (square root of their decrease,
---scaled to a maximum of 100)
---@return manilius.Frame
function MARS:evimp() end

---@class manilius
local ml = {}

---Multivariate adaptive regression splines: sums of products of hinge functions.
---@param params? manilius.MARS.Params
---@return manilius.MARS
function ml.MARS(params) end
