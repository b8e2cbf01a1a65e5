---@meta _
-- luacheck: ignore
-- Functions of ml.plot.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---figures of data, models and scores
---@class manilius.plot
local plot = {}

---A figure of panels and layers of one's own; the top of manilius/plot/figure.lua tells all of them.
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

---Are probabilities what they say? Observed against predicted shares, and how often each was given.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- bins: how many, default 10; empty ones are left out
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in the order of the columns; default: all that occur in y, ascending
---- level: confidence of the intervals, default 0.95
---- positive: the class that is looked for; default: the second of two, of more each against the rest
---- strategy: 'uniform': of equal width (default), 'quantile': of equal numbers of rows
---- title: above the plot
---- weights: a weight >= 0 for each row: it counts as that many equal rows; then there are no intervals
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { bins?: integer, caption?: any, height?: any, labels?: manilius.Label[], level?: number, positive?: manilius.Label, strategy?: "uniform"|"quantile"|any, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.calibration(model, X, y, options) end

---How the weights of a linear model change with the strength of its penalty, by a refit for each.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- alphas: values of the parameter; default: 50 from 1e-3 to 1e5 (of C: 1e-4 to 100)
---- caption: below the plot
---- height: in pixels, default 440
---- names: with a Matrix: of its columns
---- param: the parameter; default: alpha or C, also of the last step of a pipeline
---- target: which target or class, when there are several; default 1
---- title: above the plot
---- top: how many have a name and a colour, the largest; default 8
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: any, caption?: any, height?: any, names?: any, param?: string, target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.coef_path(model, X, y, options) end

---The weights of a linear model as bars, the largest first; of LinearRegression with intervals.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- label: what the bars are called, default 'coefficient'
---- level: confidence of the intervals, default 0.95
---- sort: false: in the order of the columns
---- target: which target or class, when there are several; default: all
---- title: above the plot
---- top: how many are shown at most, the largest; default 20
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, label?: any, level?: number, sort?: boolean, target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.coefficients(model, options) end

---Which classes are taken for which: counts, and their share of the true class.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- labels: classes to show, in this order; default: all that occur
---- normalize: percentages of each 'true' class (default), of each 'pred'icted one, or of 'all' rows
---- title: above the plot
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, labels?: manilius.Label[], normalize?: "true"|"pred"|"all"|boolean, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.confusion(model, X, y, options) end

---Lines of equal value: contour(Matrix, { x =, y = }) or contour(f, { x_range =, y_range = }), f(x, y).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- color_label: name and unit of the values
---- equal: true: a unit of x is as long as one of y
---- fill: true: values as colours below
---- height: in pixels, default 440
---- levels: their number (default 8) or a list of values
---- palette: 'sequential' (default), 'blues' or 'diverging' (white in the middle)
---- points: of a function: points along each axis, default 60
---- title: above the plot
---- width: in pixels, default 640
---- x: where the columns lie (centres, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }; needed with a function
---- y: where the rows lie (centres, or one more edges); default 1, 2, ...
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }; needed with a function
---@param z any
---@param options? { caption?: any, color_label?: any, equal?: boolean, fill?: boolean, height?: any, levels?: any, palette?: "sequential"|"blues"|"diverging", points?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any }
---@return any
function plot.contour(z, options) end

---Correlations of all pairs of columns of numbers, of the rows where both are there.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- method: 'pearson' (default), or 'spearman': of ranks
---- order: 'given' (default), or 'cluster': columns that go together stand together
---- title: above the plot
---- width: in pixels, default 640
---@param X manilius.X
---@param options? { caption?: any, height?: any, method?: "pearson"|"spearman", order?: "given"|"cluster", title?: any, width?: any }
---@return any
function plot.correlation(X, options) end

---Models compared by their scores on the folds: a box each, and a point for each fold.
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

---The class that a model gives at every point of the plane of two features, and the rows of X on it.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- features: two columns of X by number or name, default { 1, 2 }
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

---Inertia by the number of clusters, and its sharpest bend.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- k: list of numbers of clusters; default 1 to 10
---- seed: of KMeans, default 0
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

---The curve that a regression draws through the points of one column, with its intervals; of several models, a
---panel for each.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- interval: 'confidence' (of the mean; default), 'prediction' (of a new point), 'both' or 'none'
---- level: coverage of the intervals, default 0.95
---- title: above the plot
---- width: in pixels, default 640
---- x_label: name and unit of the x axis; default: the name of the column
---- y_label: name and unit of y
---@param models any
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, interval?: "confidence"|"prediction"|"both"|"none", level?: number, title?: any, width?: any, x_label?: any, y_label?: any }
---@return any
function plot.fit(models, X, y, options) end

---A Matrix as coloured cells, its first row on top: heatmap(Matrix) or heatmap(Frame of numbers).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cell_text: true, a table of rows of texts, or function(value, row, column); default true up to 150 cells
---- color_label: name and unit of the values
---- columns: names of the columns
---- equal: true: cells are square
---- height: in pixels, default 440
---- high: value of the last colour
---- low: value of the first colour
---- palette: 'sequential' (default), 'blues' or 'diverging' (white in the middle)
---- rows: names of the rows
---- title: above the plot
---- width: in pixels, default 640
---- x: where the columns lie (centres, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }
---- y: where the rows lie (centres, or one more edges); default 1, 2, ...; when given, y goes up
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

---Importances as bars with whiskers, the largest first.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- high: upper ends of whiskers
---- low: lower ends of whiskers
---- sort: false: in the order given
---- title: above the plot
---- top: how many are shown at most, the largest; default 20
---- width: in pixels, default 640
---@param names string[]
---@param values any
---@param options? { caption?: any, height?: any, high?: any, low?: any, sort?: boolean, title?: any, top?: any, width?: any }
---@return any
function plot.importance(names, values, options) end

---Scores of a model that is given more and more rows, on these rows and on others.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- cv: number of folds, way to split, or list of splits; default 5
---- groups: as in ml.cross_validate
---- height: in pixels, default 440
---- scoring: one score, by name or as a scorer; default accuracy or r2
---- seed: shuffles the train rows first
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

---The loss of boosting after each round, on rows of fit and on rows held out, and where it is least; of a forest
---that was fitted with oob = true its error out of the bag by the number of trees.
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

---Where values are missing: a row of the map for each column, with its share.
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

---What a model predicts as one column changes: on average, and for single rows.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- columns: names or numbers; default: the four that weigh most in the model, or the first four
---- curves: thin lines of single rows, at most, default 50; 0: none
---- grid: at most so many values of each column, default 50
---- height: in pixels, default 440
---- target: which class (of two the second) or, of several targets, which one
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
---- arrows: how many loadings, the longest; default 12, 0: none
---- caption: below the plot
---- components: which two, default { 1, 2 }
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

---Precision against recall at every threshold, and the average precision (AP).
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in the order of the columns; default: all that occur in y, ascending
---- positive: the class that is looked for; default: the second of two, of more each against the rest
---- title: above the plot
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, height?: any, labels?: manilius.Label[], positive?: manilius.Label, title?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.precision_recall(model, X, y, options) end

---What a regression leaves over: residuals, normal quantiles, and what else R draws for lm.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- extreme: how many of the most extreme rows are named, default 3
---- height: in pixels, default 440
---- labels: names of the rows; default: their numbers
---- target: which column of y, when there are several; default 1
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, extreme?: any, height?: any, labels?: manilius.Label[], target?: any, title?: any, width?: any }
---@return any
function plot.residuals(model, X, y, options) end

---ROC: true against false positive rate at every threshold, the area (AUC), and how sure they are.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- band: false: without the band
---- caption: below the plot
---- height: in pixels, default 440
---- labels: with scores: the classes in the order of the columns; default: all that occur in y, ascending
---- level: confidence of the intervals, default 0.95
---- positive: the class that is looked for; default: the second of two, of more each against the rest
---- seed: of the bootstrap, default 0
---- title: above the plot
---- weights: a weight >= 0 for each row: it counts as that many equal rows; then there are no intervals
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
---- class: labels (a Factor, a list, or the name of a column): a colour and shape for each
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
---- value: numbers, or the name of a column: points coloured by a palette
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

---The share of the variance along each principal component, and of the first together.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- share: the share to be held, default 0.9
---- title: above the plot
---- top: how many components are shown, default 30
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, share?: any, title?: any, top?: any, width?: any }
---@return any
function plot.scree(model, options) end

---What each column adds to the predictions of rows (Shapley values), the columns that add most first.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- kind: 'beeswarm' (default), or 'bar': means of absolute values
---- target: which class (of two the second) or, of several targets, which one
---- title: above the plot
---- top: how many columns at most, default 15
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param options? { caption?: any, height?: any, kind?: "beeswarm"|"bar", target?: any, title?: any, top?: any, width?: any }
---@return any
function plot.shap(model, X, options) end

---The silhouette of every row by cluster: how much nearer it is to its own than to the next.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- metric: 'euclidean' (default), 'manhattan', 'cosine'
---- sample: judge by at most so many rows, drawn at random; default 10000
---- seed: of the draw, default 0
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param options? { caption?: any, height?: any, metric?: "euclidean"|"manhattan"|"cosine", sample?: any, seed?: integer, title?: any, width?: any }
---@return any
function plot.silhouette(model, X, options) end

---Values as heights, in 3-D: surface(Matrix) or surface(f, { x_range =, y_range = }), f(x, y).
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
---- x: where the columns lie (centres, or one more edges); default 1, 2, ...
---- x_label: name and unit of the x axis
---- x_log: true for a logarithmic axis
---- x_range: { from, to }; needed with a function
---- y: where the rows lie (centres, or one more edges); default 1, 2, ...
---- y_label: name and unit of the y axis
---- y_log: true for a logarithmic axis
---- y_range: { from, to }; needed with a function
---- z_label: name and unit of the z axis
---@param z any
---@param options? { caption?: any, color_label?: any, height?: any, palette?: "sequential"|"blues"|"diverging", points?: any, title?: any, width?: any, x?: any, x_label?: any, x_log?: boolean, x_range?: any, y?: any, y_label?: any, y_log?: boolean, y_range?: any, z_label?: any }
---@return any
function plot.surface(z, options) end

---The objective at each iteration.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- height: in pixels, default 440
---- label: what the values are, default 'objective'
---- log: logarithmic axis; default: where values span two decades
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, height?: any, label?: any, log?: any, title?: any, width?: any }
---@return any
function plot.trace(model, options) end

---A decision tree: questions, and the answers at its leaves.
---
---Gives: a figure: :show(), :save(path), :svg(), :script(path)
---
---- caption: below the plot
---- depth: how deep it is drawn, default 3
---- height: in pixels, default 440
---- title: above the plot
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param options? { caption?: any, depth?: any, height?: any, title?: any, width?: any }
---@return any
function plot.tree(model, options) end

---Scores of models that differ in one parameter, on train and on test rows.
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
---- values: a list of its values
---- weights: as in ml.cross_validate
---- width: in pixels, default 640
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { caption?: any, cv?: integer|table, groups?: manilius.Y, height?: any, param?: string, scoring?: string|function|table, threads?: integer, title?: any, values?: any, weights?: manilius.Numbers, width?: any }
---@return any
function plot.validation_curve(model, X, y, options) end
