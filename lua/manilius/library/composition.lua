---@meta _
-- luacheck: ignore
-- Composition.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Pipeline.Params
---@field [any] any

---Steps one after the other: each transforms X for the next, the last one predicts.
---
---Steps are called by their class in lower case, numbered where it comes twice, unless { name, step } names them;
---"passthrough" does nothing. pipe.pca and pipe[2] are steps; pca__n_components is a setting within one, in
---set_params and in searches; pca__weights = w among the options of fit goes to that step. Fitting works on
---copies: a failed fit leaves the pipeline as it was.
---@class manilius.Pipeline: manilius.Model
---@field classes any # learned: labels, those of the last step
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field [any] any
local Pipeline = {}

---The same settings, not fitted.
---@return manilius.Pipeline
function Pipeline:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Pipeline:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Pipeline
function Pipeline:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Pipeline:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function Pipeline:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Pipeline
function Pipeline:save(path) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function Pipeline:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Pipeline.Params
---@return manilius.Pipeline
function Pipeline:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:transform(X) end

---@class manilius.FeatureUnion.Params
---@field prefix? boolean # put the name of its part and "__" before the name of each column; default true
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this; default 0.3
---@field [integer] any

---Several transformers of the same X; their results stand side by side.
---@class manilius.FeatureUnion: manilius.Model
---@field prefix? boolean # put the name of its part and "__" before the name of each column
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local FeatureUnion = {}

---The same settings, not fitted.
---@return manilius.FeatureUnion
function FeatureUnion:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FeatureUnion
function FeatureUnion:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FeatureUnion:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FeatureUnion:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function FeatureUnion:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FeatureUnion
function FeatureUnion:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function FeatureUnion:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function FeatureUnion:transform(X) end

---@class manilius.ColumnTransformer.Params
---@field prefix? boolean # put the name of its part and "__" before the name of each column; default true
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this; default 0.3
---@field [integer] any

---A transformer for each group of columns; the results stand side by side.
---
---columns are names, positions, "numeric", "factor", or a function of X that gives one of these. A part may be
---"passthrough" or "drop". remainder, "drop" unless given, is what is done with all columns that no part takes.
---@class manilius.ColumnTransformer: manilius.Model
---@field prefix? boolean # put the name of its part and "__" before the name of each column
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local ColumnTransformer = {}

---The same settings, not fitted.
---@return manilius.ColumnTransformer
function ColumnTransformer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ColumnTransformer
function ColumnTransformer:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function ColumnTransformer:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function ColumnTransformer:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function ColumnTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ColumnTransformer
function ColumnTransformer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ColumnTransformer.Params
---@return manilius.ColumnTransformer
function ColumnTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function ColumnTransformer:transform(X) end

---@class manilius.TransformedTarget.Params
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector; default nil
---@field inverse? any # the way back, where func is a function; default nil
---@field regressor? any # what predicts the transformed y; default nil
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer; default nil
---@field [integer] any

---A regressor that is fitted to a transformed y; its predictions are transformed back.
---@class manilius.TransformedTarget: manilius.Model
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector
---@field inverse? any # the way back, where func is a function
---@field regressor? any # what predicts the transformed y
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local TransformedTarget = {}

---The same settings, not fitted.
---@return manilius.TransformedTarget
function TransformedTarget:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TransformedTarget
function TransformedTarget:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function TransformedTarget:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TransformedTarget
function TransformedTarget:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function TransformedTarget:set_params(values) end

---@class manilius.VotingClassifier.Params
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities; default "hard"
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several classifiers, and the label that most of them give, or their mean probabilities.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member says: probabilities where voting is soft, else the place of its label in classes.
---@class manilius.VotingClassifier: manilius.Model
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingClassifier = {}

---The same settings, not fitted.
---@return manilius.VotingClassifier
function VotingClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingClassifier
function VotingClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingClassifier:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function VotingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingClassifier
function VotingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function VotingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingClassifier:transform(X) end

---@class manilius.VotingRegressor.Params
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several regressors, and the weighted mean of what they predict.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member predicts.
---@class manilius.VotingRegressor: manilius.Model
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingRegressor = {}

---The same settings, not fitted.
---@return manilius.VotingRegressor
function VotingRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingRegressor
function VotingRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingRegressor:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function VotingRegressor:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingRegressor
function VotingRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function VotingRegressor:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingRegressor:transform(X) end

---@class manilius.StackingClassifier.Params
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # the final model sees the columns of X, too; default false
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has; default "auto"
---@field [integer] any

---A classifier of what other classifiers say of rows that they were not fitted to.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. final_estimator
---(default LogisticRegression {}) is a part of that name. Of two classes the probability of the second is used.
---transform gives what the final model sees.
---@class manilius.StackingClassifier: manilius.Model
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # the final model sees the columns of X, too
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field final_estimator any # learned: the model of what the members say, fitted
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field stack_methods any # learned: list: the method whose answers the final model sees, of each member
---@field [any] any
local StackingClassifier = {}

---The same settings, not fitted.
---@return manilius.StackingClassifier
function StackingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function StackingClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingClassifier
function StackingClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingClassifier:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function StackingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StackingClassifier
function StackingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function StackingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingClassifier:transform(X) end

---@class manilius.StackingRegressor.Params
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # the final model sees the columns of X, too; default false
---@field [integer] any

---A regressor of what other regressors predict for rows that they were not fitted to.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. final_estimator
---(default RidgeCV {}) is a part of that name. transform gives what the final model sees.
---@class manilius.StackingRegressor: manilius.Model
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # the final model sees the columns of X, too
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field final_estimator any # learned: the model of what the members say, fitted
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field stack_methods any # learned: list: the method whose answers the final model sees, of each member
---@field [any] any
local StackingRegressor = {}

---The same settings, not fitted.
---@return manilius.StackingRegressor
function StackingRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingRegressor
function StackingRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingRegressor:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function StackingRegressor:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StackingRegressor
function StackingRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StackingRegressor.Params
---@return manilius.StackingRegressor
function StackingRegressor:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingRegressor:transform(X) end

---@class manilius.BaggingClassifier.Params
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once; default true
---@field bootstrap_features? boolean # columns are drawn with replacement; default false
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number; default 1
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 10
---@field oob? boolean # score each row by the models that did not draw it; default false
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---The mean of many classifiers, each fitted to rows and columns drawn at random.
---
---Models of the core are fitted side by side in threads; a base of your own needs fit and predict only. Each
---model has its own seed where the base has one. estimator__max_depth is a setting of the base, in set_params and
---in searches. Weights (where the base takes them) go with the rows that are drawn. on_iter may return "stop":
---the models so far remain. The base is DecisionTreeClassifier {} unless given. A sample of one class only is
---drawn anew.
---@class manilius.BaggingClassifier: manilius.Model
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once
---@field bootstrap_features? boolean # columns are drawn with replacement
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field oob? boolean # score each row by the models that did not draw it
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the fitted models
---@field estimators_features any # learned: list: the columns of each
---@field estimators_samples any # learned: list: the rows that each was fitted to, drawn anew when asked for; they count rows of weight above 0
---@field feature_importances any # learned: mean of those of the models, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field oob_prediction manilius.Matrix # learned: Matrix rows x answers: means over the models that did not draw the row, nan where all did
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingClassifier = {}

---The same settings, not fitted.
---@return manilius.BaggingClassifier
function BaggingClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingClassifier
function BaggingClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BaggingClassifier
function BaggingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BaggingClassifier.Params
---@return manilius.BaggingClassifier
function BaggingClassifier:set_params(values) end

---@class manilius.BaggingRegressor.Params
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once; default true
---@field bootstrap_features? boolean # columns are drawn with replacement; default false
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number; default 1
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 10
---@field oob? boolean # score each row by the models that did not draw it; default false
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---The mean of many regressors, each fitted to rows and columns drawn at random.
---
---Models of the core are fitted side by side in threads; a base of your own needs fit and predict only. Each
---model has its own seed where the base has one. estimator__max_depth is a setting of the base, in set_params and
---in searches. Weights (where the base takes them) go with the rows that are drawn. on_iter may return "stop":
---the models so far remain. The base is DecisionTreeRegressor {} unless given.
---@class manilius.BaggingRegressor: manilius.Model
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once
---@field bootstrap_features? boolean # columns are drawn with replacement
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field oob? boolean # score each row by the models that did not draw it
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimators any # learned: list of the fitted models
---@field estimators_features any # learned: list: the columns of each
---@field estimators_samples any # learned: list: the rows that each was fitted to, drawn anew when asked for; they count rows of weight above 0
---@field feature_importances any # learned: mean of those of the models, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field oob_prediction manilius.Matrix # learned: Matrix rows x answers: means over the models that did not draw the row, nan where all did
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingRegressor = {}

---The same settings, not fitted.
---@return manilius.BaggingRegressor
function BaggingRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingRegressor
function BaggingRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BaggingRegressor
function BaggingRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BaggingRegressor.Params
---@return manilius.BaggingRegressor
function BaggingRegressor:set_params(values) end

---@class manilius.AdaBoostClassifier.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).
---
---The base is fitted with weights where it takes them (one of your own says so by takes = { "weights" }), else to
---rows drawn in proportion to the weights. Boosting ends early where a model is perfect, or no better than
---chance. staged_predict(X) gives the predictions after each model as a list, staged_score(X, y) their scores as
---a Vector. on_iter has the error of the model as objective, and may return "stop". The base is
---DecisionTreeClassifier { max_depth = 1 } unless given. staged_decision_function(X) is a list, too.
---@class manilius.AdaBoostClassifier: manilius.Model
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field classes any # learned: labels, ascending
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostClassifier = {}

---The same settings, not fitted.
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function AdaBoostClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:set_params(values) end

---@class manilius.AdaBoostRegressor.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d); default "linear"
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Regressors one after the other, each on rows weighed by the errors of those before (AdaBoost.R2).
---
---The base is fitted with weights where it takes them (one of your own says so by takes = { "weights" }), else to
---rows drawn in proportion to the weights. Boosting ends early where a model is perfect, or no better than
---chance. staged_predict(X) gives the predictions after each model as a list, staged_score(X, y) their scores as
---a Vector. on_iter has the error of the model as objective, and may return "stop". The base is
---DecisionTreeRegressor { max_depth = 3 } unless given. (scikit-learn always draws rows.)
---@class manilius.AdaBoostRegressor: manilius.Model
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d)
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostRegressor = {}

---The same settings, not fitted.
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:set_params(values) end

---@class manilius.BoostedClassifier.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves; default nil
---@field init? any # what is fitted first; with predict_proba where it is a classifier; default nil
---@field [integer] any

---Gradient boosting that begins with the probabilities of another classifier.
---
---fit fits clones, to be found as model.init and model.boosting; fields of the boosting are those of this model
---too. Rows that the boosting holds out are known to init, which scikit-learn fits without them. With warm_start
---init stays as it is. staged(X) gives predictions, of classes decisions, after each round. Rows that another
---model has judged already can be given to a boosting estimator of the core itself: fit(X, y, { init_score = ...
---}), which then learns and predicts what is to be added.
---@class manilius.BoostedClassifier: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves
---@field init? any # what is fitted first; with predict_proba where it is a classifier
---@field classes any # learned: labels, ascending
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local BoostedClassifier = {}

---The same settings, not fitted.
---@return manilius.BoostedClassifier
function BoostedClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function BoostedClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedClassifier
function BoostedClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BoostedClassifier
function BoostedClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function BoostedClassifier:set_params(values) end

---@class manilius.BoostedRegressor.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves; default nil
---@field init? any # what is fitted first; with predict_proba where it is a classifier; default nil
---@field [integer] any

---Gradient boosting that begins with the predictions of another regressor.
---
---fit fits clones, to be found as model.init and model.boosting; fields of the boosting are those of this model
---too. Rows that the boosting holds out are known to init, which scikit-learn fits without them. With warm_start
---init stays as it is. staged(X) gives predictions, of classes decisions, after each round. Rows that another
---model has judged already can be given to a boosting estimator of the core itself: fit(X, y, { init_score = ...
---}), which then learns and predicts what is to be added.
---@class manilius.BoostedRegressor: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves
---@field init? any # what is fitted first; with predict_proba where it is a classifier
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local BoostedRegressor = {}

---The same settings, not fitted.
---@return manilius.BoostedRegressor
function BoostedRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedRegressor
function BoostedRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BoostedRegressor
function BoostedRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function BoostedRegressor:set_params(values) end

---@class manilius.RANSACRegressor.Params
---@field estimator? any # the base; may stand first, without a name; default nil
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units; default "absolute_error"
---@field max_skips? any # most samples that may have fewer inliers than the best; nil: no limit; default nil
---@field max_trials? number # most samples; fewer once stop_probability is reached; default 100
---@field min_samples? any # rows of a sample: a whole number, or a share below 1; nil: one more than columns, for LinearRegression only; default nil
---@field residual_threshold? any # largest loss of an inlier; nil: the median distance of y from its median; default nil
---@field seed? integer # names the random stream: same seed, same result; default 0
---@field stop_n_inliers? any # end when there are so many inliers; nil: do not; default nil
---@field stop_probability? number # end when a sample without outliers has been drawn with this probability, given the share of inliers; default 0.99
---@field stop_score? any # end when R2 on the inliers is at least this; nil: do not; default nil
---@field [integer] any

---A regressor of the rows that agree with each other, by consensus of random samples: outliers are left out.
---
---As in scikit-learn, but for functions as settings (is_data_valid, is_model_valid, a loss), which no archive
---could hold. The base is LinearRegression {} unless given. Weights go to the fits of the base, where it takes
---them; they do not change how rows are drawn or counted. Fields of best are those of this model too: model.coef.
---on_iter has the number of inliers as objective, and may return "stop".
---@class manilius.RANSACRegressor: manilius.Model
---@field estimator? any # the base; may stand first, without a name
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units
---@field max_skips? any # most samples that may have fewer inliers than the best; nil: no limit
---@field max_trials? number # most samples; fewer once stop_probability is reached
---@field min_samples? any # rows of a sample: a whole number, or a share below 1; nil: one more than columns, for LinearRegression only
---@field residual_threshold? any # largest loss of an inlier; nil: the median distance of y from its median
---@field seed? integer # names the random stream: same seed, same result
---@field stop_n_inliers? any # end when there are so many inliers; nil: do not
---@field stop_probability? number # end when a sample without outliers has been drawn with this probability, given the share of inliers
---@field stop_score? any # end when R2 on the inliers is at least this; nil: do not
---@field best any # learned: the base, fitted to the inliers
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field inlier_mask manilius.Vector # learned: Vector: 1 for each row that is an inlier, else 0; rows of weight 0 are left out
---@field n_features any # learned: columns of X
---@field n_skips_no_inliers any # learned: samples with fewer inliers than the best so far
---@field n_trials any # learned: samples that were drawn
---@field threshold any # learned: residual_threshold, or what stood for it
---@field [any] any
local RANSACRegressor = {}

---The same settings, not fitted.
---@return manilius.RANSACRegressor
function RANSACRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RANSACRegressor
function RANSACRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RANSACRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RANSACRegressor
function RANSACRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function RANSACRegressor:set_params(values) end

---@class manilius.FormulaModel.Params
---@field formula? any # a text; default nil
---@field model? any # an estimator that is not fitted; default nil
---@field [integer] any

---A model of a formula, as in R: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
---
---fit(frame) takes what is predicted from the left side; a y that is given goes before it. On the right: a + b,
---a:b, a * b, a / b, (a + b)^2, - a, . for all other columns, - 1 for no constant; variables are columns (`in
---backticks` where they are no words), factor(x), poly(x, degree), poly(x, degree, raw = TRUE), I(arithmetic),
---log(x) and other functions of numbers; offset(log(time)) goes to models that have a parameter offset. Factors
---are coded as in R, by treatment contrasts. Predictions are on the scale of the left side. Missing values are
---refused, not dropped. The fields and operations of the model are those of this one.
---@class manilius.FormulaModel: manilius.Model
---@field formula? any # a text
---@field model? any # an estimator that is not fitted
---@field design any # learned: what the rows of the fit decided: levels of factors, polynomials
---@field terms any # learned: the columns of the design, a name for each coefficient
---@field [any] any
local FormulaModel = {}

---The same settings, not fitted.
---@return manilius.FormulaModel
function FormulaModel:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function FormulaModel:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FormulaModel:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FormulaModel
function FormulaModel:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FormulaModel.Params
---@return manilius.FormulaModel
function FormulaModel:set_params(values) end
