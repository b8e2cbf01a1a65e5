---@meta _
-- luacheck: ignore
-- Functions of ml.plot.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---figures of data, models and scores
---@class manilius.plot
local plot = {}

---Create a custom figure from panels and layers.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path), :text()
---@param settings any
---@return any
function plot.Figure(settings) end

---Bars: bar(labels, values), values a Vector, or a Matrix or Frame with a column for each bar of a group;
---bar(factor) counts; or bar(frame, { x = 'name', y = 'name' }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- high: upper ends of whiskers, as values
---- horizontal: true: bars lie
---- low: lower ends of whiskers, as values
---- names: a name for each bar of a group
---- title: above the plot
---- width: in pixels, default 640
---- x: with a Frame: name of the column of labels
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y: with a Frame: name of the column of values
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param labels any
---@param values any
---@param options? { caption?: any, height?: any, high?: any, horizontal?: boolean, low?: any, names?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.bar(labels, values, options) end

---Quartiles, whiskers and outliers: box(x, { class = labels }), box(frame, { x = 'name', class = 'name' }), or
---box(frame), a box for each column of numbers.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- class: labels (a Factor, a list, or the name of a column): a box for each
---- height: in pixels, default 440
---- horizontal: true: boxes lie
---- title: above the plot
---- width: in pixels, default 640
---- x: with a Frame: name of a column
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param x any
---@param options? { caption?: any, class?: any, height?: any, horizontal?: boolean, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.box(x, options) end

---Calibration curves: observed frequencies against predicted probabilities.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- bins: number of bins, default 10; empty bins are omitted
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in column order; default: all that occur in y, ascending
---- level: confidence level of the intervals; default 0.95
---- positive: the positive class; default: the second of two, otherwise each class against the rest
---- strategy: 'uniform' (default): bins of equal width; 'quantile': bins of equal counts
---- title: above the plot
---- weights: sample weights >= 0, one for each row; disables the intervals
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { bins?: integer, caption?: any, height?: any, labels?: manilius.Label[], level?: number, positive?: manilius.Label, strategy?: "uniform"|"quantile", title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.calibration(model, X, y, options) end

---Regularization path: coefficients against the strength of the penalty.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- alphas: values of the parameter; default: 50 from 1e-3 to 1e5 (C: 1e-4 to 100)
---- caption: below the plot
---- height: in pixels, default 440
---- names: with a Matrix: names of its columns
---- param: name of the parameter; default: alpha or C, also of the last step of a pipeline
---- target: target or class if there are several; default 1
---- title: above the plot
---- top: number of coefficients with a name and a color, largest first; default 8
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: any, caption?: any, height?: any, names?: any, param?: string, target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.coef_path(model, X, y, options) end

---Bar plot of the coefficients of a linear model, with intervals if available.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- label: label of the axis; default 'coefficient'
---- level: confidence level of the intervals; default 0.95
---- sort: false: keep the order of the columns
---- target: target or class if there are several; default: all
---- title: above the plot
---- top: maximum number of bars, largest first; default 20
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, label?: any, level?: number, sort?: boolean, target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.coefficients(model, options) end

---Confusion matrix: counts and percentages of the true class.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- labels: classes to show, in this order; default: all that occur
---- normalize: percentages of each 'true' class (default), of each 'pred'icted class, or of 'all' rows
---- title: above the plot
---- weights: sample weights >= 0, one for each row
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, labels?: manilius.Label[], normalize?: "true"|"pred"|"all"|boolean, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.confusion(model, X, y, options) end

---Contours: contour(Matrix, { x =, y = }) or contour(f, { x_range =, y_range = }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- color_label: name and unit of the values
---- equal: true: a unit of x is as long as one of y
---- fill: true: values as colors below
---- height: in pixels, default 440
---- levels: their number (default 8) or a list of values
---- palette: 'sequential' (default), 'blues' or 'diverging' (white in the middle)
---- points: of a function: points along each axis, default 60
---- title: above the plot
---- width: in pixels, default 640
---- x: where the columns lie (centers, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }; needed with a function
---- y: where the rows lie (centers, or one more edges); default 1, 2, ...
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }; needed with a function
---@param z any
---@param options? { caption?: any, color_label?: any, equal?: boolean, fill?: boolean, height?: any, levels?: any, palette?: "sequential"|"blues"|"diverging", points?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.contour(z, options) end

---Correlation matrix of the numeric columns, using pairwise complete rows.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- method: 'pearson' (default), or 'spearman': of ranks
---- order: 'given' (default), or 'cluster': correlated columns next to each other
---- title: above the plot
---- width: in pixels, default 640
---@param X manilius.X
---@param options? { caption?: any, height?: any, method?: "pearson"|"spearman", order?: "given"|"cluster", title?: any, width?: any }
---@return any
function plot.correlation(X, options) end

---Box plot of cross-validation scores of several models.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cv: number of folds, way to split, or list of splits; default 5
---- groups: as in ml.cross_validate
---- height: in pixels, default 440
---- metric: which of the scores; default: the first
---- scoring: of models: as in ml.cross_validate
---- threads: as in ml.cross_validate
---- title: above the plot
---- weights: as in ml.cross_validate
---- width: in pixels, default 640
---@param results any
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, cv?: integer|table, groups?: manilius.Y, height?: any, metric?: any, scoring?: string|function|table, threads?: integer, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.cv(results, X, y, options) end

---Decision regions of a classifier or clustering in the plane of two features.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- features: two columns of X by number or name; default { 1, 2 }
---- height: in pixels, default 440
---- others: where the model has more: these are held at their 'mean' (default) or 'median', labels at the most
---frequent
---- refit: true: draw a clone that is fitted on the two features alone
---- resolution: points of the grid each way, default 150
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, features?: any, height?: any, others?: "mean"|"median", refit?: boolean, resolution?: any, title?: any, width?: any }
---@return any
function plot.decision(model, X, y, options) end

---The density of values, estimated with a Gaussian kernel: density(x) or density(frame, { x = 'name' }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- bandwidth: h; default by Silverman's rule, for each class
---- caption: below the plot
---- class: labels (a Factor, a list, or the name of a column): one for each class
---- height: in pixels, default 440
---- title: above the plot
---- width: in pixels, default 640
---- x: with a Frame: name of a column
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param x any
---@param options? { bandwidth?: any, caption?: any, class?: any, height?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.density(x, options) end

---Elbow plot: inertia against the number of clusters.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- k: list of numbers of clusters; default 1 to 10
---- seed: seed of KMeans; default 0
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param options? { caption?: any, height?: any, k?: any, seed?: integer, title?: any, width?: any }
---@return any
function plot.elbow(model, X, options) end

---Several figures as the panels of one.
---
---Gives: a figure
---@param figures any
---@return any
function plot.figure(figures) end

---Regression curve of one feature with data and intervals.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- interval: 'confidence' (of the mean; default), 'prediction' (of a new point), 'both' or 'none'
---- level: coverage of the intervals; default 0.95
---- title: above the plot
---- width: in pixels, default 640
---- x_label: label of the x axis; default: the name of the column
---- y_label: label of the y axis
---@param models any
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, interval?: "confidence"|"prediction"|"both"|"none", level?: number, title?: any, width?: any, x_label?: any, y_label?: any }
---@return any
function plot.fit(models, X, y, options) end

---Heat map of a Matrix or a Frame of numbers, first row on top.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cell_text: true, a table of rows of texts, or function(value, row, column); default true up to 150 cells
---- color_label: name and unit of the values
---- columns: names of the columns
---- equal: true: cells are square
---- height: in pixels, default 440
---- high: value of the last color
---- low: value of the first color
---- palette: 'sequential' (default), 'blues' or 'diverging' (white in the middle)
---- rows: names of the rows
---- title: above the plot
---- width: in pixels, default 640
---- x: where the columns lie (centers, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y: where the rows lie (centers, or one more edges); default 1, 2, ...; when given, y goes up
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param z any
---@param options? { caption?: any, cell_text?: any, color_label?: any, columns?: any, equal?: boolean, height?: any, high?: any, low?: any, palette?: "sequential"|"blues"|"diverging", rows?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.heatmap(z, options) end

---How often values fall into bins: histogram(x) or histogram(frame, { x = 'name' }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- bins: their number or a list of edges; default: the larger of Sturges' and Freedman and Diaconis' rules, at
---most 200
---- caption: below the plot
---- class: labels (a Factor, a list, or the name of a column): one for each class
---- density: true: areas sum to 1, for each class
---- height: in pixels, default 440
---- title: above the plot
---- width: in pixels, default 640
---- x: with a Frame: name of a column
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param x any
---@param options? { bins?: integer, caption?: any, class?: any, density?: boolean, height?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.histogram(x, options) end

---Bar plot of feature importances with error bars, largest first.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- high: upper ends of the error bars
---- low: lower ends of the error bars
---- sort: false: keep the given order
---- title: above the plot
---- top: maximum number of bars, largest first; default 20
---- width: in pixels, default 640
---@param names string[]
---@param values any
---@param options? { caption?: any, height?: any, high?: any, low?: any, sort?: boolean, title?: any, top?: any, width?: any }
---@return any
function plot.importance(names, values, options) end

---Learning curve: training and test scores against the number of rows.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cv: number of folds, way to split, or list of splits; default 5
---- groups: as in ml.cross_validate
---- height: in pixels, default 440
---- scoring: one score, by name or as a scorer; default accuracy or r2
---- seed: shuffle the training rows with this seed
---- sizes: shares or numbers of the train rows, as in ml.learning_curve
---- threads: as in ml.cross_validate
---- title: above the plot
---- weights: as in ml.cross_validate
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, cv?: integer|table, groups?: manilius.Y, height?: any, scoring?: string|function|table, seed?: integer, sizes?: any, threads?: integer, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.learning_curve(model, X, y, options) end

---Lines: line(y), line(x, y), y a Vector, or a Matrix or Frame with a column for each line; or line(frame, { x =
---'name', y = { 'name', ... } }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- dash: 'solid', 'dashed', 'dotted', 'dashdot' or 'longdash'; default by series
---- height: in pixels, default 440
---- high: upper ends of a band
---- low: lower ends of a band
---- markers: true: a mark at each point
---- names: a name for each line
---- steps: true: a value holds until the next x
---- title: above the plot
---- width: in pixels, default 640
---- x: with a Frame: name of a column
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y: with a Frame: name of a column, or a list of them
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---@param x any
---@param y manilius.Y
---@param options? { caption?: any, dash?: "solid"|"dashed"|"dotted"|"dashdot"|"longdash", height?: any, high?: any, low?: any, markers?: boolean, names?: any, steps?: boolean, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.line(x, y, options) end

---Training and validation loss of boosting, or out-of-bag error of a forest.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- log: true for a logarithmic axis
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, log?: boolean, title?: any, width?: any }
---@return any
function plot.loss(model, options) end

---Map of missing values by column and row, with shares.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- order: 'given' (default), or 'share': the most missing first
---- title: above the plot
---- width: in pixels, default 640
---@param X manilius.X
---@param options? { caption?: any, height?: any, order?: "given"|"share", title?: any, width?: any }
---@return any
function plot.missing(X, options) end

---Partial dependence and individual conditional expectation (ICE) curves.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- columns: names or numbers; default: the four most important, or the first four
---- curves: maximum number of curves of single rows; default 50
---- grid: maximum number of values per column; default 50
---- height: in pixels, default 440
---- target: class (default: the second of two), or number of the target if there are several
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param column any
---@param options? { caption?: any, columns?: any, curves?: any, grid?: any, height?: any, target?: any, title?: any, width?: any }
---@return any
function plot.partial_dependence(model, X, column, options) end

---Biplot: rows and loadings on two principal components.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- arrows: number of loadings to draw, longest first; default 12
---- caption: below the plot
---- components: two components; default { 1, 2 }
---- height: in pixels, default 440
---- labels: labels of the rows
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param labels any
---@param options? { arrows?: any, caption?: any, components?: any, height?: any, labels?: manilius.Label[], title?: any, width?: any }
---@return any
function plot.pca(model, X, labels, options) end

---Precision-recall curves with average precision (AP).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in column order; default: all that occur in y, ascending
---- positive: the positive class; default: the second of two, otherwise each class against the rest
---- title: above the plot
---- weights: sample weights >= 0, one for each row
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, labels?: manilius.Label[], positive?: manilius.Label, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.precision_recall(model, X, y, options) end

---Residual diagnostics: residuals against fitted values, normal Q-Q, and others.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- extreme: number of extreme rows to label; default 3
---- height: in pixels, default 440
---- labels: names of the rows; default: row numbers
---- target: column of y if there are several; default 1
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, extreme?: any, height?: any, labels?: manilius.Label[], target?: any, title?: any, width?: any }
---@return any
function plot.residuals(model, X, y, options) end

---ROC curves with AUC, confidence intervals and bootstrap bands.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- band: false: omit the band
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in column order; default: all that occur in y, ascending
---- level: confidence level of the intervals; default 0.95
---- positive: the positive class; default: the second of two, otherwise each class against the rest
---- seed: seed of the bootstrap; default 0
---- title: above the plot
---- weights: sample weights >= 0, one for each row; disables the intervals
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { band?: boolean, caption?: any, height?: any, labels?: manilius.Label[], level?: number, positive?: manilius.Label, seed?: integer, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.roc(model, X, y, options) end

---Points: scatter(x, y [, z]), or scatter(frame, { x = 'name', y = 'name' }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- class: labels (a Factor, a list, or the name of a column), shown by color and shape
---- color_label: name and unit of value
---- density: true: how many points there are in each cell, false: points; default: true above 100,000 points
---without a class
---- equal: true: a unit of x is as long as one of y
---- height: in pixels, default 440
---- labels: a text at each point
---- opacity: 0 to 1
---- palette: of value: 'sequential' (default), 'blues' or 'diverging'
---- size: of the points, default by their number
---- title: above the plot
---- value: numbers, or the name of a column: points colored by a palette
---- width: in pixels, default 640
---- x: with a Frame: name of a column
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y: with a Frame: name of a column
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }
---- z: with a Frame: name of a column, for a view in three dimensions
---- z_label: name and unit of the z axis
---@param x any
---@param y manilius.Y
---@param z any
---@param options? { caption?: any, class?: any, color_label?: any, density?: boolean, equal?: boolean, height?: any, labels?: manilius.Label[], opacity?: any, palette?: "sequential"|"blues"|"diverging", size?: any, title?: any, value?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any, z?: any, z_label?: any }
---@return any
function plot.scatter(x, y, z, options) end

---Scree plot: explained variance of each principal component and cumulatively.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- share: share of the variance to mark; default 0.9
---- title: above the plot
---- top: maximum number of components; default 30
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, share?: any, title?: any, top?: any, width?: any }
---@return any
function plot.scree(model, options) end

---SHAP values of the columns, most important columns first.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- kind: 'beeswarm' (default), or 'bar': means of absolute values
---- target: class (default: the second of two), or number of the target if there are several
---- title: above the plot
---- top: maximum number of columns; default 15
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param options? { caption?: any, height?: any, kind?: "beeswarm"|"bar", target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.shap(model, X, options) end

---Silhouette plot: the silhouette of each row, by cluster.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- metric: 'euclidean' (default), 'manhattan', 'cosine'
---- sample: maximum number of rows, sampled at random; default 10000
---- seed: seed of the sample; default 0
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param options? { caption?: any, height?: any, metric?: "euclidean"|"manhattan"|"cosine", sample?: any, seed?: integer, title?: any, width?: any }
---@return any
function plot.silhouette(model, X, options) end

---Surface in 3-D: surface(Matrix) or surface(f, { x_range =, y_range = }).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- color_label: name and unit of the values
---- height: in pixels, default 440
---- palette: 'sequential' (default), 'blues' or 'diverging' (white in the middle)
---- points: of a function: points along each axis, default 60
---- title: above the plot
---- width: in pixels, default 640
---- x: where the columns lie (centers, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }; needed with a function
---- y: where the rows lie (centers, or one more edges); default 1, 2, ...
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }; needed with a function
---- z_label: name and unit of the z axis
---@param z any
---@param options? { caption?: any, color_label?: any, height?: any, palette?: "sequential"|"blues"|"diverging", points?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any, z_label?: any }
---@return any
function plot.surface(z, options) end

---Objective of a fitted model against the iteration.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- label: label of the axis; default 'objective'
---- log: logarithmic axis; default: if the values span two decades
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, label?: any, log?: any, title?: any, width?: any }
---@return any
function plot.trace(model, options) end

---Diagram of a decision tree.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- depth: maximum depth that is drawn; default 3
---- height: in pixels, default 440
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, depth?: any, height?: any, title?: any, width?: any }
---@return any
function plot.tree(model, options) end

---Validation curve: training and test scores against one parameter.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cv: number of folds, way to split, or list of splits; default 5
---- groups: as in ml.cross_validate
---- height: in pixels, default 440
---- param: name of the parameter, 'step__name' within pipelines
---- scoring: one score, by name or as a scorer; default accuracy or r2
---- threads: as in ml.cross_validate
---- title: above the plot
---- values: list of its values
---- weights: as in ml.cross_validate
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, cv?: integer|table, groups?: manilius.Y, height?: any, param?: string, scoring?: string|function|table, threads?: integer, title?: any, values?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.validation_curve(model, X, y, options) end
