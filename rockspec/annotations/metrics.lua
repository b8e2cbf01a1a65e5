---@meta _
-- luacheck: ignore
-- Functions of ml.metrics.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
