---@meta _
-- luacheck: ignore
-- The estimators of preprocess: settings, learned values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Binarizer.Params
---@field threshold? number # values above it become 1, the others 0; default 0; a finite number

---1 where a value is above a threshold, 0 elsewhere.
---
---z = 1 if x > threshold else 0
---
---Needs no fit. A value equal to the threshold becomes 0.
---@class manilius.Binarizer: manilius.Model
---@field threshold number # values above it become 1, the others 0
local Binarizer = {}

---The same settings, not fitted.
---@return manilius.Binarizer
function Binarizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Binarizer
function Binarizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Binarizer:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function Binarizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Binarizer
function Binarizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Binarizer.Params
---@return manilius.Binarizer
function Binarizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Binarizer:transform(X) end

---@class manilius.KBinsDiscretizer.Params
---@field n_bins? integer # bins of each column; default 5; a whole number from 2 to 65536
---@field strategy? "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean; default "quantile"; one of uniform, quantile, kmeans
---@field encode? "onehot"|"ordinal" # a column for each bin, or the number of the bin; default "onehot"; one of onehot, ordinal

---Numbers into bins.
---
---z = k where edge_k <= x < edge_k+1
---
---Ordinal bins count from 1 (scikit-learn: from 0), and one-hot columns are dense. Bins narrower than 1e-8 of the
---range are left out, so a column may have fewer. Quantiles are type 2 of Hyndman & Fan, as in scikit-learn.
---inverse_transform gives the middle of the bin.
---@class manilius.KBinsDiscretizer: manilius.Model
---@field n_bins integer # bins of each column
---@field strategy "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean
---@field encode "onehot"|"ordinal" # a column for each bin, or the number of the bin
---@field bin_edges manilius.Matrix # learned: edges of the bins; NaN behind the last, features x edges
---@field bins manilius.Vector # learned: number of bins of each column, features
local KBinsDiscretizer = {}

---The same settings, not fitted.
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KBinsDiscretizer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function KBinsDiscretizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:transform(X) end

---@class manilius.MaxAbsScaler.Params
---@field clip? boolean # keep values that are larger than what fit saw within -1 to 1; default false; true or false

---Each column divided by its largest magnitude.
---
---z = x / max |x|
---
---Missing values are passed over by fit and stay missing.
---@class manilius.MaxAbsScaler: manilius.Model
---@field clip boolean # keep values that are larger than what fit saw within -1 to 1
---@field max_abs manilius.Vector # learned: largest magnitude of each column, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a column of zeros, features
local MaxAbsScaler = {}

---The same settings, not fitted.
---@return manilius.MaxAbsScaler
function MaxAbsScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MaxAbsScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MaxAbsScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MaxAbsScaler
function MaxAbsScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function MaxAbsScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:transform(X) end

---@class manilius.MinMaxScaler.Params
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }; default nil; finite numbers or nil
---@field clip? boolean # keep values that lie outside of what fit saw within the range; default false; true or false

---Each column to a given range, 0 to 1 by default.
---
---z = low + (x - data_min) / (data_max - data_min) * (high - low)
---
---Missing values are passed over by fit and stay missing. A constant column goes to the lower end. A column
---without any value has NaN for its ends. Weights only say which rows count: rows of weight 0 do not.
---@class manilius.MinMaxScaler: manilius.Model
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }
---@field clip boolean # keep values that lie outside of what fit saw within the range
---@field data_min manilius.Vector # learned: least value of each column, features
---@field data_max manilius.Vector # learned: largest value of each column, features
---@field data_range manilius.Vector # learned: data_max - data_min, features
---@field scale manilius.Vector # learned: by how much a column grows, features
local MinMaxScaler = {}

---The same settings, not fitted.
---@return manilius.MinMaxScaler
function MinMaxScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MinMaxScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MinMaxScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MinMaxScaler
function MinMaxScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function MinMaxScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:transform(X) end

---@class manilius.Normalizer.Params
---@field norm? "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude; default "l2"; one of l1, l2, max

---Each row to length 1.
---
---z = x / |x|
---
---Needs no fit. A row of zeros stays as it is. Rows of any magnitude are handled without overflow.
---@class manilius.Normalizer: manilius.Model
---@field norm "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude
local Normalizer = {}

---The same settings, not fitted.
---@return manilius.Normalizer
function Normalizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Normalizer
function Normalizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Normalizer:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function Normalizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Normalizer
function Normalizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Normalizer.Params
---@return manilius.Normalizer
function Normalizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Normalizer:transform(X) end

---@class manilius.OneHotEncoder.Params
---@field drop? "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1; default "none"; one of none, first, if_binary
---@field handle_unknown? "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones; default "error"; one of error, ignore, infrequent_if_exist
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most columns that one column may become; the rarest categories share one; default nil; a whole number from 1 to 2147483647 or nil
---@field sparse_output? boolean # give a Sparse instead of a Matrix; default false; true or false

---A column of 0 and 1 for each category.
---
---z_jk = 1 if x_j is category k else 0
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values. A missing value is a category of its own where fit meets one. The result is dense unless sparse_output
---is set (scikit-learn: sparse). Nothing is grouped where max_categories holds anyway (scikit-learn then calls
---the rarest category infrequent). inverse_transform gives a missing value for infrequent and unknown categories.
---@class manilius.OneHotEncoder: manilius.Model
---@field drop "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1
---@field handle_unknown "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most columns that one column may become; the rarest categories share one
---@field sparse_output boolean # give a Sparse instead of a Matrix
---@field categories manilius.Label[][] # learned: categories of each column, features
local OneHotEncoder = {}

---The same settings, not fitted.
---@return manilius.OneHotEncoder
function OneHotEncoder:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneHotEncoder
function OneHotEncoder:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneHotEncoder:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OneHotEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OneHotEncoder
function OneHotEncoder:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function OneHotEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:transform(X) end

---@class manilius.OrdinalEncoder.Params
---@field handle_unknown? "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value; default "error"; one of error, use_encoded_value
---@field unknown_value? number # the code of unknown categories; nil: missing; default nil; a finite number or nil
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing; default nil; a finite number or nil
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most codes of a column; the rarest categories share the last; default nil; a whole number from 1 to 2147483647 or nil

---Categories as the numbers 1, 2, ...
---
---z = k where x is category k
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values in ascending order. Codes count from 1, so that encoder.categories[j][code] is the category
---(scikit-learn counts from 0). Missing values are never infrequent.
---@class manilius.OrdinalEncoder: manilius.Model
---@field handle_unknown "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value
---@field unknown_value? number # the code of unknown categories; nil: missing
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most codes of a column; the rarest categories share the last
---@field categories manilius.Label[][] # learned: categories of each column, features
local OrdinalEncoder = {}

---The same settings, not fitted.
---@return manilius.OrdinalEncoder
function OrdinalEncoder:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OrdinalEncoder
function OrdinalEncoder:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OrdinalEncoder:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OrdinalEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OrdinalEncoder
function OrdinalEncoder:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function OrdinalEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:transform(X) end

---@class manilius.PolynomialFeatures.Params
---@field degree? integer # highest degree of a term; default 2; a whole number from 0 to 1000
---@field min_degree? integer # lowest degree of a term, but for the bias; default 0; a whole number from 0 to 1000
---@field interaction_only? boolean # no feature more than once in a term; default false; true or false
---@field include_bias? boolean # begin with a column of ones; default true; true or false

---All products of features up to a degree.
---
---1, x1, ..., xp, x1^2, x1 x2, ..., xp^2, ...
---
---Terms are ordered by degree, then by their features, as in scikit-learn; scikit-learn's degree = (a, b) is
---min_degree = a, degree = b. p features of degree d give (p + d) choose d terms.
---@class manilius.PolynomialFeatures: manilius.Model
---@field degree integer # highest degree of a term
---@field min_degree integer # lowest degree of a term, but for the bias
---@field interaction_only boolean # no feature more than once in a term
---@field include_bias boolean # begin with a column of ones
---@field n_output_features integer # learned: number of terms
local PolynomialFeatures = {}

---The same settings, not fitted.
---@return manilius.PolynomialFeatures
function PolynomialFeatures:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialFeatures
function PolynomialFeatures:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialFeatures:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function PolynomialFeatures:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PolynomialFeatures
function PolynomialFeatures:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function PolynomialFeatures:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PolynomialFeatures:transform(X) end

---@class manilius.PowerTransformer.Params
---@field method? "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0; default "yeo-johnson"; one of yeo-johnson, box-cox
---@field standardize? boolean # to mean 0 and standard deviation 1 afterwards; default true; true or false

---Each column made as normal as a power can make it.
---
---l maximises -n/2 log var f(x; l) + (l - 1) sum log f'(x; 2)
---
---A constant column keeps the power 1. Missing values are passed over by fit and stay missing. Exported to Lua,
---the powers agree within 4 units in the last place before they are standardized.
---@class manilius.PowerTransformer: manilius.Model
---@field method "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0
---@field standardize boolean # to mean 0 and standard deviation 1 afterwards
---@field lambdas manilius.Vector # learned: the power of each column, features
---@field mean manilius.Vector # learned: subtracted afterwards, features
---@field scale manilius.Vector # learned: divided by afterwards, features
local PowerTransformer = {}

---The same settings, not fitted.
---@return manilius.PowerTransformer
function PowerTransformer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PowerTransformer
function PowerTransformer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PowerTransformer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function PowerTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PowerTransformer
function PowerTransformer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function PowerTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:transform(X) end

---@class manilius.QuantileTransformer.Params
---@field n_quantiles? integer # entries of the table of quantiles; at most as many as rows; default 1000; a whole number from 2 to 1000000
---@field output_distribution? "uniform"|"normal" # what the columns become; default "uniform"; one of uniform, normal

---Each column to a uniform or normal distribution, by its ranks.
---
---z = F(x), or the normal quantile of F(x), F the distribution function of the column
---
---All rows count (scikit-learn draws 10000 of them). Values beyond those of fit go to the ends. Missing values
---are passed over by fit and stay missing. Weights are frequencies.
---@class manilius.QuantileTransformer: manilius.Model
---@field n_quantiles integer # entries of the table of quantiles; at most as many as rows
---@field output_distribution "uniform"|"normal" # what the columns become
---@field quantiles manilius.Matrix # learned: quantiles of each column, from 0 to 1, features x levels
local QuantileTransformer = {}

---The same settings, not fitted.
---@return manilius.QuantileTransformer
function QuantileTransformer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileTransformer
function QuantileTransformer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function QuantileTransformer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function QuantileTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileTransformer
function QuantileTransformer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function QuantileTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:transform(X) end

---@class manilius.RobustScaler.Params
---@field with_centering? boolean # subtract the median; default true; true or false
---@field with_scaling? boolean # divide by the range between the quantiles; default true; true or false
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }; default nil; numbers from 0 to 100 or nil
---@field unit_variance? boolean # make the scale that of the standard deviation of normal data; default false; true or false

---Each column to median 0 and interquartile range 1.
---
---z = (x - median) / (Q75 - Q25)
---
---Quantiles are interpolated between order statistics, as in NumPy and R's default. Weights are frequencies:
---weight 2 is the row twice. Missing values are passed over by fit and stay missing.
---@class manilius.RobustScaler: manilius.Model
---@field with_centering boolean # subtract the median
---@field with_scaling boolean # divide by the range between the quantiles
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }
---@field unit_variance boolean # make the scale that of the standard deviation of normal data
---@field center manilius.Vector # learned: median of each column; NaN for one without values, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 where the quantiles are equal, features
local RobustScaler = {}

---The same settings, not fitted.
---@return manilius.RobustScaler
function RobustScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustScaler
function RobustScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RobustScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function RobustScaler:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustScaler
function RobustScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustScaler.Params
---@return manilius.RobustScaler
function RobustScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:transform(X) end

---@class manilius.SelectKBest.Params
---@field score_func? "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts; default "f_classif"; one of f_classif, f_regression, chi2
---@field k? integer # how many columns to keep; all when there are fewer; default 10; a whole number from 1 to 2147483647

---The columns that tell most about y, each by itself.
---
---keep the k columns of highest F or chi-squared
---
---Among equal scores the first column is kept (scikit-learn: the last). Weights are frequencies.
---@class manilius.SelectKBest: manilius.Model
---@field score_func "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts
---@field k integer # how many columns to keep; all when there are fewer
---@field scores manilius.Vector # learned: score of each column; NaN where it has none, features
---@field pvalues manilius.Vector # learned: chance of such a score when the column says nothing about y, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
local SelectKBest = {}

---The same settings, not fitted.
---@return manilius.SelectKBest
function SelectKBest:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SelectKBest
function SelectKBest:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SelectKBest:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function SelectKBest:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SelectKBest
function SelectKBest:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SelectKBest.Params
---@return manilius.SelectKBest
function SelectKBest:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:transform(X) end

---@class manilius.SimpleImputer.Params
---@field strategy? "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant; default "mean"; one of mean, median, most_frequent, constant
---@field fill_value? number # the constant of numeric columns; default 0; a finite number
---@field fill_level? string # the constant level of factor columns; nil: missing_value; default nil; a string or nil
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN; default nil; a finite number or nil
---@field add_indicator? boolean # add a column of 0 and 1 for each that had missing values in fit; default false; true or false
---@field keep_empty_features? boolean # fill a column that has no values in fit with the constant, instead of refusing it; default false; true or false

---Missing values replaced by the mean, median, most frequent or a constant value of their column.
---
---z = x if x is there, else the statistic of its column
---
---A factor column stays a factor, so that an encoder may follow; a level that fit did not see becomes missing in
---it. Weights are frequencies. Among equally frequent values the smallest is taken. scikit-learn drops a column
---without values; here that is an error, or the constant with keep_empty_features.
---@class manilius.SimpleImputer: manilius.Model
---@field strategy "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant
---@field fill_value number # the constant of numeric columns
---@field fill_level? string # the constant level of factor columns; nil: missing_value
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN
---@field add_indicator boolean # add a column of 0 and 1 for each that had missing values in fit
---@field keep_empty_features boolean # fill a column that has no values in fit with the constant, instead of refusing it
---@field statistics manilius.Vector # learned: what is put in; NaN for a factor column, features
---@field fill_code manilius.Vector # learned: position of the level that is put in; -1 for numbers, features
---@field indicator_features manilius.Vector # learned: columns that have an indicator, indicators < features
local SimpleImputer = {}

---The same settings, not fitted.
---@return manilius.SimpleImputer
function SimpleImputer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SimpleImputer
function SimpleImputer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SimpleImputer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function SimpleImputer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SimpleImputer
function SimpleImputer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function SimpleImputer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:transform(X) end

---@class manilius.StandardScaler.Params
---@field with_mean? boolean # subtract the mean; default true; true or false
---@field with_std? boolean # divide by the standard deviation; default true; true or false

---Each column to mean 0 and standard deviation 1.
---
---z = (x - mean) / scale
---
---The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. Missing
---values are passed over by fit and stay missing. A column whose values are all equal becomes 0. Columns of any
---magnitude are scaled without overflow, even where their variance has none as a double.
---@class manilius.StandardScaler: manilius.Model
---@field with_mean boolean # subtract the mean
---@field with_std boolean # divide by the standard deviation
---@field mean manilius.Vector # learned: mean of each column, features
---@field var manilius.Vector # learned: variance of each column (divided by the sum of weights), features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a constant one, features
---@field count manilius.Vector # learned: weight of the values that were there, features
local StandardScaler = {}

---The same settings, not fitted.
---@return manilius.StandardScaler
function StandardScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StandardScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function StandardScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StandardScaler
function StandardScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StandardScaler.Params
---@return manilius.StandardScaler
function StandardScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:transform(X) end

---@class manilius.VarianceThreshold.Params
---@field threshold? number # columns of at most this variance are left out; default 0; a number >= 0

---Leaves out columns that hardly vary.
---
---keep j where var(x_j) > threshold
---
---The variance divides by the sum of the weights; missing values are passed over. inverse_transform puts 0 for
---what was left out.
---@class manilius.VarianceThreshold: manilius.Model
---@field threshold number # columns of at most this variance are left out
---@field variances manilius.Vector # learned: variance of each column, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
local VarianceThreshold = {}

---The same settings, not fitted.
---@return manilius.VarianceThreshold
function VarianceThreshold:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VarianceThreshold
function VarianceThreshold:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VarianceThreshold:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function VarianceThreshold:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VarianceThreshold
function VarianceThreshold:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function VarianceThreshold:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:transform(X) end
