---@meta _
-- luacheck: ignore
-- ml.MARS: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MARS.Params
---@field degree? integer # most columns in a product; 1: no interactions; default 1; a whole number >= 1
---@field nk? integer # most terms of the forward pass, the constant among them, counted as if they came in pairs; nil: 1 more than twice the columns, within 21 and 201; default nil; a whole number >= 1 or nil
---@field penalty? number # GCV's price of a knot; 0: of terms only, -1: none at all; nil: 2, or 3 with degree above 1; default nil; a number >= -1 or nil
---@field thresh? number # the forward pass ends when R2 grows by less, or is within this of 1; 0: neither ends it; default 0.001; a number from 0 to 1
---@field minspan? integer # rows from knot to knot; 0: by Friedman's equation 43; -k: at most k knots a column, evenly spaced; default 0; a whole number from -1000000000 to 1000000000
---@field endspan? integer # rows before the first and after the last knot; 0: by Friedman's equation 45; default 0; a whole number from 0 to 1000000000
---@field adjust_endspan? number # endspan grows by this many times itself where terms interact; default 2; a number from 0 to 1000000
---@field fast_k? integer # most parents that are tried at each step; 0: all; default 20; a whole number >= 0
---@field fast_beta? number # ranks that an untried parent goes up by at each step; default 1; a number from 0 to 1000000000
---@field newvar_penalty? number # what a column not yet in the model gains is divided by 1 + this; default 0; a number from 0 to 1000000000
---@field linpreds? manilius.Numbers # numbers of columns that enter without knots, if at all; nil: none; default nil; numbers >= 1 or nil
---@field auto_linpreds? boolean # where no knot is better than none, x itself enters rather than a hinge at its least value; default true; true or false
---@field scale_y? boolean # of several targets, the forward pass takes each in units of its standard deviation; default false; true or false
---@field pmethod? "backward"|"none" # backward: down to the least GCV; none: keep all terms; default "backward"; one of backward, none
---@field nprune? integer # most terms that are left, the constant among them; nil: no limit; default nil; a whole number >= 1 or nil

---Multivariate adaptive regression splines: sums of products of hinges, chosen by the data.
---
---GCV = RSS / (n (1 - C / n)^2), C = terms + penalty (terms - 1) / 2, over subsets of the terms that a greedy
---search for the least RSS has made
---
---Names, defaults and terms are those of R's earth, with underscores. summary() prints the equation, evimp()
---tells what columns matter. Differences: weights count rows, for the spans between knots too; a linear term is
---dropped as a copy of others by its share of variance, not in the units of X; terms that cannot become parents
---take no place among fast_k. Factor columns come as 0/1 columns, through ml.OneHotEncoder{ drop = 'first' } or a
---formula.
---@class manilius.MARS: manilius.Regressor
---@field degree integer # most columns in a product; 1: no interactions
---@field nk? integer # most terms of the forward pass, the constant among them, counted as if they came in pairs; nil: 1 more than twice the columns, within 21 and 201
---@field penalty? number # GCV's price of a knot; 0: of terms only, -1: none at all; nil: 2, or 3 with degree above 1
---@field thresh number # the forward pass ends when R2 grows by less, or is within this of 1; 0: neither ends it
---@field minspan integer # rows from knot to knot; 0: by Friedman's equation 43; -k: at most k knots a column, evenly spaced
---@field endspan integer # rows before the first and after the last knot; 0: by Friedman's equation 45
---@field adjust_endspan number # endspan grows by this many times itself where terms interact
---@field fast_k integer # most parents that are tried at each step; 0: all
---@field fast_beta number # ranks that an untried parent goes up by at each step
---@field newvar_penalty number # what a column not yet in the model gains is divided by 1 + this
---@field linpreds? manilius.Numbers # numbers of columns that enter without knots, if at all; nil: none
---@field auto_linpreds boolean # where no knot is better than none, x itself enters rather than a hinge at its least value
---@field scale_y boolean # of several targets, the forward pass takes each in units of its standard deviation
---@field pmethod "backward"|"none" # backward: down to the least GCV; none: keep all terms
---@field nprune? integer # most terms that are left, the constant among them; nil: no limit
---@field dirs manilius.Matrix # learned: each term of the forward pass: 1 max(0, x - cut), -1 max(0, cut - x), 2 x, 0 not there, forward x features
---@field cuts manilius.Matrix # learned: their knots, forward x features
---@field selected_terms manilius.Vector # learned: the terms of the model, the constant first, terms < forward
---@field coef manilius.Matrix|manilius.Vector # learned: what each of selected_terms is multiplied by, targets x terms
---@field prune_terms manilius.Matrix # learned: the best subsets of 1, 2, ... terms that pruning met, in the rows: 1 for each of their terms, forward x forward
---@field rss_per_subset manilius.Vector # learned: sum of squared residuals of the subsets in prune_terms, forward
---@field gcv_per_subset manilius.Vector # learned: GCV of these; infinite with more parameters than rows, forward
---@field rss number # learned: sum of squared residuals, over all targets
---@field rsq number # learned: share of the squares of y that is explained
---@field gcv number # learned: generalised cross validation: what rss / n would be on new rows, about
---@field grsq number # learned: rsq by gcv instead of rss
local MARS = {}

---The same settings, not fitted.
---@return manilius.MARS
function MARS:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MARS
function MARS:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MARS
function MARS:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MARS.Params
---@return manilius.MARS
function MARS:set_params(values) end

---the equation: h(x) is max(0, x), terms sorted by degree, columns and knots. Gives terms (texts), coef (targets
---x terms), text
---@return table<string, any>
function MARS:summary() end

---importance of the columns, by the subsets of the backward pass that have them. Gives a Frame sorted by
---nsubsets: feature, column, nsubsets (how many subsets have it), gcv and rss (what they fall by with it, the
---root, the largest 100)
---@return manilius.Frame
function MARS:evimp() end

---@class manilius
local ml = {}

---Multivariate adaptive regression splines: sums of products of hinges, chosen by the data.
---@param params? manilius.MARS.Params
---@return manilius.MARS
function ml.MARS(params) end
