---@meta _
-- luacheck: ignore
-- Modules of functions.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---probability distributions: densities, tails, quantiles, samples, information, fits
---@class manilius.dist
local dist = {}

---Bernoulli: one trial, 1 or 0; parameters: p (probability of 1).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.bernoulli(parameters) end

---Beta: proportions; parameters: a (first shape), b (second shape).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.beta(parameters) end

---Binomial: successes among n trials; parameters: n (trials), p (probability of a success).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.binomial(parameters) end

---Exponential: waiting times without memory; parameters: rate (events in a unit of time, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.exponential(parameters) end

---The distribution of a family under which the values are likeliest (maximum likelihood): bernoulli, exponential,
---gamma, laplace, normal, poisson.
---
---Gives: a distribution
---
---- weights: how often each value counts, > 0; nil: once
---@param name string|string[]
---@param x any
---@param options table
---@param options? { weights?: manilius.Numbers }
---@return any
function dist.fit(name, x, options, options) end

---Gamma: sums of waiting times; parameters: shape (its shape), scale (mean / shape, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.gamma(parameters) end

---Laplace (double exponential); parameters: location (its median, 0 unless given), scale (mean distance from the
---median, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.laplace(parameters) end

---Normal (Gaussian); parameters: mean (its mean, 0 unless given), sd (its standard deviation, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.normal(parameters) end

---Poisson: events in a stretch of time; parameters: mean (events to be expected).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.poisson(parameters) end

---Student's t: like the normal, with heavier tails; parameters: df (degrees of freedom), location (its median, 0
---unless given), scale (1: as in tables, 1 unless given).
---
---Gives: a distribution d with d:log_density(x), d:density(x), d:cdf(x), d:sf(x) (the upper tail), d:quantile(p),
---d:isf(q) (of a number, or of a Vector for each element), d:sample(n, seed), d:expectation(), d:variance(),
---d:entropy(), d:kl(other), d:cross_entropy(other); its parameters are fields
---@param parameters any
---@return any
function dist.student_t(parameters) end

---the bytes that matrices, frames and models hold, and a limit for them
---@class manilius.memory
local memory = {}

---The most bytes that may be held; beyond it calls raise "not enough memory" and leave all as it was. 0: no limit.
---
---Gives: the limit before the call
---@param bytes? string
---@return any
function memory.limit(bytes) end

---Bytes that are held now.
---
---Gives: a whole number
---@return any
function memory.live() end

---Most bytes that were held since the last reset.
---
---Gives: a whole number; true for reset begins anew
---@param reset? any
---@return any
function memory.peak(reset) end

---how good predictions, probabilities, clusterings and rankings are
---@class manilius.metrics
local metrics = {}

---Share of the rows whose predicted label is the true one (of tags: all of them).
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.accuracy(y, predicted, options) end

---r2 less what as many useless features would have brought.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- features: columns of the model; must be given
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, features?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.adjusted_r2(y, predicted, options) end

---Mutual information beyond chance: 1 for equal partitions, 0 in the mean by chance.
---
---- average: mean of the two entropies: 'arithmetic' (default), 'geometric', 'min' or 'max'
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { average?: "arithmetic"|"geometric"|"min"|"max", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.ami(y, labels, options) end

---Rand index beyond chance: 1 for equal partitions, 0 in the mean by chance.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.ari(y, labels, options) end

---Area under the precision-recall curve, as a sum of steps.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: the class that should score high; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.average_precision(y, scores, options) end

---Mean over the classes of y of their recall.
---
---- adjusted: true: shifted so that chance has 0, and perfection 1
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { adjusted?: boolean, weights?: manilius.Numbers }
---@return number
function metrics.balanced_accuracy(y, predicted, options) end

---Mean squared distance of the probabilities from the truth, halved for two classes: 0 .. 1, else 0 .. 2.
---
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param probabilities any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.brier(y, probabilities, options) end

---Predicted and observed shares of a class, in bins of the prediction, with the Wilson interval of what was
---observed.
---
---Gives: a Frame
---
---- bins: how many, default 5; empty ones are left out
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- positive: the class that should score high; default: the second of two
---- strategy: 'uniform': of equal width (default), 'quantile': of equal numbers of rows
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param probabilities any
---@param options? { bins?: integer, labels?: manilius.Label[], level?: number, positive?: manilius.Label, strategy?: "uniform"|"quantile"|any, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.calibration_curve(y, probabilities, options) end

---Dispersion between clusters over that within: higher is better.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param X manilius.X
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.calinski_harabasz(X, labels, options) end

---How far classes lie in one cluster only.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.completeness(y, labels, options) end

---Counts of rows by true label (rows of the matrix) and predicted label (columns).
---
---Gives: { labels = list, counts = Matrix }; :normalized(by), :get(true, predicted), prints as a table
---
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- normalize: shares instead of counts: of each 'true' label, of each 'pred'icted one, of 'all' rows
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { labels?: manilius.Label[], normalize?: "true"|"pred"|"all"|boolean, weights?: manilius.Numbers }
---@return any
function metrics.confusion_matrix(y, predicted, options) end

---Are neighbours in X neighbours in the picture? 1: all of them.
---
---- k: neighbours, default 5; less than half the rows
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---@param X manilius.X
---@param points any
---@param options? { k?: any, metric?: "euclidean"|"manhattan"|"cosine"|"precomputed" }
---@return number
function metrics.continuity(X, points, options) end

---Share of the mean absolute error that is explained, beside predicting the median.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_absolute(y, predicted, options) end

---Share of the pinball loss that is explained, beside predicting the alpha-quantile.
---
---- alpha: the quantile, 0 to 1; default 0.5
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { alpha?: any, average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_pinball(y, predicted, options) end

---Share of the Tweedie deviance that is explained, beside predicting the mean.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- power: as in tweedie_deviance
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, power?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_tweedie(y, predicted, options) end

---Mean likeness of each cluster to the one most like it: lower is better.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param X manilius.X
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.davies_bouldin(X, labels, options) end

---Discounted cumulative gain: sum of gain / log2(1 + rank).
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- gain: 'linear' (default) or 'exponential': 2^relevance - 1
---- k: ranks that count, default all
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- ties: of equal scores: 'mean' over their orders (default), or 'first': in the order given
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, gain?: "linear"|"exponential", k?: any, lengths?: any, ties?: "mean"|"first", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.dcg(relevance, scores, options) end

---Sample error with its confidence interval; also error_interval(errors, rows).
---
---Gives: { error =, low =, high =, level =, n =, method = }
---
---- level: confidence, default 0.95
---- method: 'wilson' (default) or 'normal': error +- z sqrt(error (1 - error) / n)
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { level?: number, method?: "wilson"|"normal", weights?: manilius.Numbers }
---@return any
function metrics.error_interval(y, predicted, options) end

---As r2, but a constant error is forgiven.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.explained_variance(y, predicted, options) end

---Harmonic mean of precision and recall.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.f1(y, predicted, options) end

---Harmonic mean of precision and recall, recall weighing beta^2 times as much.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- beta: how much more recall counts than precision; must be given
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, beta?: any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.fbeta(y, predicted, options) end

---Geometric mean of the precision and recall of pairs of rows.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.fowlkes_mallows(y, labels, options) end

---Share of the rows of other classes that are predicted to be of the class.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.fpr(y, predicted, options) end

---Mean gamma deviance, for y > 0 and p > 0.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.gamma_deviance(y, predicted, options) end

---Share of the predicted labels (of tags: of each) that are not the true ones: the sample error.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.hamming(y, predicted, options) end

---Mean hinge loss of decision scores.
---
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.hinge_loss(y, scores, options) end

---How far clusters hold rows of one class only.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.homogeneity(y, labels, options) end

---Rows of a class both in truth and by prediction, as a share of those of either.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.jaccard(y, predicted, options) end

---Cohen's kappa: agreement beyond chance, 1 at best.
---
---- disagreement: how much two labels differ: 'none' (default: all alike), 'linear' or 'quadratic' in their
---distance in the list of labels
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { disagreement?: "none"|"linear"|"quadratic"|any, labels?: manilius.Label[], weights?: manilius.Numbers }
---@return number
function metrics.kappa(y, predicted, options) end

---Mean negative log probability of the true class (cross-entropy), in nats.
---
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param probabilities any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.log_loss(y, probabilities, options) end

---Mean absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.mae(y, predicted, options) end

---Mean average precision; an item is relevant when its relevance is > 0.
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- empty: the value of a query without relevant items: 0 (default), 1, or nan, which means leave out
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, empty?: any, lengths?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.map(relevance, scores, options) end

---Mean absolute error relative to y: 0.1 is ten per cent.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.mape(y, predicted, options) end

---Largest absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.max_error(y, predicted, options) end

---Matthews' correlation of y and predicted, from -1 to 1; 0 where either does not vary.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.mcc(y, predicted, options) end

---McNemar's test that two classifiers err equally often on the same rows.
---
---Gives: { p_value =, statistic =, only_first_wrong =, only_second_wrong =, exact = }
---
---- correction: Edwards' continuity correction of chi-square, default true
---- exact: binomial instead of chi-square; default: below 25 rows that count
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param first integer
---@param second any
---@param options? { correction?: boolean, exact?: any, weights?: manilius.Numbers }
---@return any
function metrics.mcnemar(y, first, second, options) end

---Median absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.median_ae(y, predicted, options) end

---Mean squared error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.mse(y, predicted, options) end

---Mean squared difference of log(1 + value).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.msle(y, predicted, options) end

---What the partitions tell of each other, in nats.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.mutual_information(y, labels, options) end

---Discounted cumulative gain as a share of the best possible.
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- empty: the value of a query without relevant items: 0 (default), 1, or nan, which means leave out
---- gain: 'linear' (default) or 'exponential': 2^relevance - 1
---- k: ranks that count, default all
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- ties: of equal scores: 'mean' over their orders (default), or 'first': in the order given
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, empty?: any, gain?: "linear"|"exponential", k?: any, lengths?: any, ties?: "mean"|"first", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.ndcg(relevance, scores, options) end

---Mutual information as a share of the mean entropy.
---
---- average: mean of the two entropies: 'arithmetic' (default), 'geometric', 'min' or 'max'
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { average?: "arithmetic"|"geometric"|"min"|"max", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.nmi(y, labels, options) end

---Mean quantile loss: least where predicted is the alpha-quantile of y.
---
---- alpha: the quantile, 0 to 1; default 0.5
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { alpha?: any, average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.pinball(y, predicted, options) end

---Mean Poisson deviance, for counts y >= 0 and p > 0.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.poisson_deviance(y, predicted, options) end

---Recall and precision at each threshold, from inf down.
---
---Gives: a Frame
---
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: the class that should score high; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.pr_curve(y, scores, options) end

---Share of the rows predicted to be of a class that are of it.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.precision(y, predicted, options) end

---Share of the first k items that are relevant (> 0); ties by their mean.
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- k: how many items are looked at; must be given
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, k?: any, lengths?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.precision_at_k(relevance, scores, options) end

---Share of the spread of y that is explained; 0 is the mean of y, 1 all.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.r2(y, predicted, options) end

---Share of the pairs of rows that both partitions put together, or both apart.
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.rand(y, labels, options) end

---Share of the rows of a class that are predicted to be of it (sensitivity).
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.recall(y, predicted, options) end

---Share of the relevant items (> 0) that are among the first k; ties by their mean.
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- empty: the value of a query without relevant items: 0 (default), 1, or nan, which means leave out
---- k: how many items are looked at; must be given
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, empty?: any, k?: any, lengths?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.recall_at_k(relevance, scores, options) end

---1 / rank of the first relevant item (> 0); among equal scores it comes last.
---
---- average: 'mean' over queries (default) or 'none' (a Vector)
---- empty: the value of a query without relevant items: 0 (default), 1, or nan, which means leave out
---- lengths: sizes of the queries, where relevance and scores are Vectors; default: one query
---- weights: a weight >= 0 for each query
---@param relevance any
---@param scores any
---@param options? { average?: "mean"|"none"|any, empty?: any, lengths?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.reciprocal_rank(relevance, scores, options) end

---The usual measures of predicted numbers in one table.
---
---Gives: { r2 =, explained_variance =, rmse =, mae =, median_ae =, max_error =, mape =, bias =, support = }, a
---Vector each for several targets; prints as a table
---
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return any
function metrics.regression_report(y, predicted, options) end

---Precision, recall, F1 and support of every class, their means, and the accuracy with its interval.
---
---Gives: { labels = list, classes = { [label] = { precision =, recall =, f1 =, support = } }, macro =, weighted
---=, accuracy =, low =, high =, level = }; prints as a table; :frame()
---
---- digits: decimals when printed, default 3
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- level: confidence of the interval of the accuracy, default 0.95
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by, 0 (default) to 1
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { digits?: any, labels?: manilius.Label[], level?: number, weights?: manilius.Numbers, zero_division?: any }
---@return any
function metrics.report(y, predicted, options) end

---Root of the mean squared error (of each target).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.rmse(y, predicted, options) end

---Root of msle (of each target).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.rmsle(y, predicted, options) end

---Area under the ROC curve: the chance that a row of the class scores above one of another, ties half.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- max_fpr: only the part up to this false positive rate, standardised to 0.5 by chance and 1 at best
---- multi_class: 'ovr': each class against the rest (default), 'ovo': all pairs of classes
---- positive: the class that should score high; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], max_fpr?: boolean, multi_class?: "ovr"|"ovo", positive?: manilius.Label, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.roc_auc(y, scores, options) end

---Where the ROC curve could as well lie: pointwise intervals of its true positive rate at false positive rates,
---from curves of resampled rows.
---
---Gives: a Frame: fpr, low, high
---
---- curves: resampled curves, default 400
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- points: false positive rates from 0 to 1, default 101
---- positive: the class that should score high; default: the second of two
---- seed: of the draws, default 0
---@param y manilius.Y
---@param scores any
---@param options? { curves?: any, labels?: manilius.Label[], level?: number, points?: boolean, positive?: manilius.Label, seed?: integer }
---@return manilius.Frame
function metrics.roc_band(y, scores, options) end

---True and false positive rates at each threshold, from inf down.
---
---Gives: a Frame
---
---- corners: leave out points on straight lines, default true
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- positive: the class that should score high; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { corners?: boolean, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.roc_curve(y, scores, options) end

---Area under the ROC curve with its confidence interval. Needs two rows of the class and two of others.
---
---Gives: { auc =, low =, high =, std_error =, level = }
---
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- positive: the class that should score high; default: the second of two
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], level?: number, positive?: manilius.Label, weights?: manilius.Numbers }
---@return any
function metrics.roc_interval(y, scores, options) end

---Mean silhouette, -1 to 1: how much nearer rows are to their cluster than to the next.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- sample: judge by so many rows, drawn at random; default all
---- seed: of the draw, default 0
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param X manilius.X
---@param labels any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", sample?: any, seed?: integer, weights?: manilius.Numbers }
---@return number
function metrics.silhouette(X, labels, options) end

---The silhouette of every row, a Vector.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param X manilius.X
---@param labels any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", weights?: manilius.Numbers }
---@return number
function metrics.silhouette_samples(X, labels, options) end

---Share of the rows of other classes that are predicted to be so.
---
---- average: of more than two classes: 'macro' (plain mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), 'none' (a Vector, and the list of labels)
---- labels: labels to take into account, in this order; default: all that occur, ascending
---- positive: the label that is looked for; default: the second of two in ascending order
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---- zero_division: the value where nothing is there to divide by: 0 (default), 1, or nan, which averages leave out
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.specificity(y, predicted, options) end

---How far distances between the points are from those in X: 0 is perfect, 0.1 fair, 0.2 poor.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- normalized: false: the plain sum of (d - e)^2 over pairs; default true
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param X manilius.X
---@param points any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", normalized?: boolean, weights?: manilius.Numbers }
---@return number
function metrics.stress(X, points, options) end

---Share of the rows whose true class is among the k highest scores; of equal scores the first is higher.
---
---- k: how many count as hit, default 2
---- labels: labels in the order of the columns; default: all that occur in y, ascending
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param scores any
---@param options? { k?: any, labels?: manilius.Label[], weights?: manilius.Numbers }
---@return number
function metrics.top_k_accuracy(y, scores, options) end

---Are neighbours in the picture neighbours in X? 1: all of them.
---
---- k: neighbours, default 5; less than half the rows
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---@param X manilius.X
---@param points any
---@param options? { k?: any, metric?: "euclidean"|"manhattan"|"cosine"|"precomputed" }
---@return number
function metrics.trustworthiness(X, points, options) end

---Mean Tweedie deviance: variance grows as the mean to this power.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- power: <= 0 or >= 1; default 0, the squared error; 1 Poisson, 2 gamma
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, power?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.tweedie_deviance(y, predicted, options) end

---Harmonic mean of homogeneity and completeness.
---
---- beta: how much more completeness counts, default 1
---- weights: a weight >= 0 for each row: it counts as that many equal rows
---@param y manilius.Y
---@param labels any
---@param options? { beta?: any, weights?: manilius.Numbers }
---@return number
function metrics.v_measure(y, labels, options) end

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
---@param options? { caption?: any, columns?: any, curves?: any, grid?: any, height?: any, target?: any, title?: any, width?: any }
---@return any
function plot.partial_dependence(model, X, options) end

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

---special functions and the distributions of statistics
---@class manilius.special
local special = {}

---Beta: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_cdf(x, a, b) end

---Regularised incomplete beta function I_x(a, b).
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param b any
---@param x any
---@return number|manilius.Vector
function special.beta_i(a, b, x) end

---X with beta_i(a, b, x) = p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param b any
---@param p number
---@return number|manilius.Vector
function special.beta_i_inverse(a, b, p) end

---Its complement 1 - I_x(a, b).
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param b any
---@param x any
---@return number|manilius.Vector
function special.beta_ic(a, b, x) end

---X with beta_ic(a, b, x) = q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param b any
---@param q number|number[]
---@return number|manilius.Vector
function special.beta_ic_inverse(a, b, q) end

---Beta: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_isf(q, a, b) end

---Beta: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logcdf(x, a, b) end

---Beta: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logpdf(x, a, b) end

---Beta: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_logsf(x, a, b) end

---Beta: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_pdf(x, a, b) end

---Beta: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_quantile(p, a, b) end

---Beta: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param a any
---@param b any
---@return number|manilius.Vector
function special.beta_sf(x, a, b) end

---Binomial: probability of at most k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_cdf(k, n, p) end

---Binomial: log probability of exactly k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_logpmf(k, n, p) end

---Binomial: probability of exactly k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_pmf(k, n, p) end

---Binomial: probability of more than k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param n integer
---@param p number
---@return number|manilius.Vector
function special.binomial_sf(k, n, p) end

---Chi-square: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_cdf(x, df) end

---Chi-square: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@param df any
---@return number|manilius.Vector
function special.chi2_isf(q, df) end

---Chi-square: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logcdf(x, df) end

---Chi-square: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logpdf(x, df) end

---Chi-square: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_logsf(x, df) end

---Chi-square: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_pdf(x, df) end

---Chi-square: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@param df any
---@return number|manilius.Vector
function special.chi2_quantile(p, df) end

---Chi-square: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.chi2_sf(x, df) end

---Derivative of lgamma.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.digamma(x) end

---F: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_cdf(x, d1, d2) end

---F: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_isf(q, d1, d2) end

---F: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logcdf(x, d1, d2) end

---F: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logpdf(x, d1, d2) end

---F: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_logsf(x, d1, d2) end

---F: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_pdf(x, d1, d2) end

---F: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_quantile(p, d1, d2) end

---F: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param d1 any
---@param d2 any
---@return number|manilius.Vector
function special.f_sf(x, d1, d2) end

---Gamma function.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.gamma(x) end

---Gamma: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_cdf(x, shape, scale) end

---Gamma: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_isf(q, shape, scale) end

---Gamma: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logcdf(x, shape, scale) end

---Gamma: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logpdf(x, shape, scale) end

---Gamma: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_logsf(x, shape, scale) end

---Regularised lower incomplete gamma function.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param x any
---@return number|manilius.Vector
function special.gamma_p(a, x) end

---X with gamma_p(a, x) = p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param p number
---@return number|manilius.Vector
function special.gamma_p_inverse(a, p) end

---Gamma: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_pdf(x, shape, scale) end

---Regularised upper incomplete gamma function.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param x any
---@return number|manilius.Vector
function special.gamma_q(a, x) end

---X with gamma_q(a, x) = q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param q number|number[]
---@return number|manilius.Vector
function special.gamma_q_inverse(a, q) end

---Gamma: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_quantile(p, shape, scale) end

---Gamma: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param shape any
---@param scale any
---@return number|manilius.Vector
function special.gamma_sf(x, shape, scale) end

---Log of the beta function.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param a any
---@param b any
---@return number|manilius.Vector
function special.lbeta(a, b) end

---Log |gamma(x)|.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.lgamma(x) end

---Standard normal: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_cdf(x) end

---Standard normal: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@return number|manilius.Vector
function special.normal_isf(q) end

---Standard normal: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logcdf(x) end

---Standard normal: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logpdf(x) end

---Standard normal: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_logsf(x) end

---Standard normal: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_pdf(x) end

---Standard normal: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@return number|manilius.Vector
function special.normal_quantile(p) end

---Standard normal: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.normal_sf(x) end

---Poisson: probability of at most k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_cdf(k, mean) end

---Poisson: log probability of exactly k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_logpmf(k, mean) end

---Poisson: probability of exactly k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_pmf(k, mean) end

---Poisson: probability of more than k.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param k integer
---@param mean any
---@return number|manilius.Vector
function special.poisson_sf(k, mean) end

---Student's t: lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_cdf(x, df) end

---Student's t: point with upper tail probability q.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param q number|number[]
---@param df any
---@return number|manilius.Vector
function special.t_isf(q, df) end

---Student's t: log lower tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logcdf(x, df) end

---Student's t: log density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logpdf(x, df) end

---Student's t: log upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_logsf(x, df) end

---Student's t: density.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_pdf(x, df) end

---Student's t: point with lower tail probability p.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param p number
---@param df any
---@return number|manilius.Vector
function special.t_quantile(p, df) end

---Student's t: upper tail probability.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@param df any
---@return number|manilius.Vector
function special.t_sf(x, df) end

---Second derivative of lgamma.
---
---Gives: a number, or a Vector where the first argument is one; nan outside the domain
---@param x any
---@return number|manilius.Vector
function special.trigamma(x) end
