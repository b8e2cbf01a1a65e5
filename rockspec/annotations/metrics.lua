---@meta _
-- luacheck: ignore
-- Functions of ml.metrics.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---metrics for predictions, probabilities, clusterings and rankings
---@class manilius.metrics
local metrics = {}

---Share of the rows with the correct label (for tags: all tags correct).
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.accuracy(y, predicted, options) end

---r2 adjusted for the number of features.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- features: columns of the model; must be given
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, features?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.adjusted_r2(y, predicted, options) end

---Adjusted mutual information: 1 for equal partitions, 0 expected by chance.
---
---- average: mean of the two entropies: 'arithmetic' (default), 'geometric', 'min' or 'max'
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { average?: "arithmetic"|"geometric"|"min"|"max", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.ami(y, labels, options) end

---Adjusted Rand index: 1 for equal partitions, 0 expected by chance.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.ari(y, labels, options) end

---Area under the precision-recall curve, as a sum of steps.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: the positive class; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.average_precision(y, scores, options) end

---Mean recall over the classes of y.
---
---- adjusted: true: shifted so that chance has 0, and perfection 1
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { adjusted?: boolean, weights?: manilius.Numbers }
---@return number
function metrics.balanced_accuracy(y, predicted, options) end

---Brier score: mean squared error of the probabilities.
---
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param probabilities any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.brier(y, probabilities, options) end

---Predicted and observed frequencies of a class, in bins of the prediction.
---
---Gives: a Frame
---
---- bins: number of bins, default 5; empty bins are omitted
---- labels: labels in column order; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- positive: the positive class; default: the second of two
---- strategy: 'uniform': of equal width (default), 'quantile': of equal numbers of rows
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param probabilities any
---@param options? { bins?: integer, labels?: manilius.Label[], level?: number, positive?: manilius.Label, strategy?: "uniform"|"quantile"|any, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.calibration_curve(y, probabilities, options) end

---Ratio of between-cluster to within-cluster dispersion; higher is better.
---
---- weights: sample weights >= 0, one for each row
---@param X manilius.X
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.calinski_harabasz(X, labels, options) end

---Degree to which each class lies in one cluster only, 0 to 1.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.completeness(y, labels, options) end

---Counts of rows by true label (rows of the matrix) and predicted label (columns).
---
---Gives: { labels = list, counts = Matrix }; :normalized(by), :get(true, predicted), prints as a table
---
---- labels: labels to include, in this order; default: all that occur, ascending
---- normalize: shares instead of counts: of each 'true' label, of each 'pred'icted one, of 'all' rows
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { labels?: manilius.Label[], normalize?: "true"|"pred"|"all"|boolean, weights?: manilius.Numbers }
---@return any
function metrics.confusion_matrix(y, predicted, options) end

---Share of neighbors in X that are neighbors in the embedding; 1 is perfect.
---
---- k: neighbors, default 5; less than half the rows
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---@param X manilius.X
---@param points any
---@param options? { k?: any, metric?: "euclidean"|"manhattan"|"cosine"|"precomputed" }
---@return number
function metrics.continuity(X, points, options) end

---Share of absolute error explained, relative to predicting the median.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_absolute(y, predicted, options) end

---Share of pinball loss explained, relative to predicting the alpha-quantile.
---
---- alpha: the quantile, 0 to 1; default 0.5
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { alpha?: any, average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_pinball(y, predicted, options) end

---Share of Tweedie deviance explained, relative to predicting the mean.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- power: as in tweedie_deviance
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, power?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.d2_tweedie(y, predicted, options) end

---Mean similarity of each cluster to its most similar one; lower is better.
---
---- weights: sample weights >= 0, one for each row
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

---Error rate with its confidence interval; also error_interval(errors, rows).
---
---Gives: { error =, low =, high =, level =, n =, method = }
---
---- level: confidence, default 0.95
---- method: 'wilson' (default) or 'normal': error +- z sqrt(error (1 - error) / n)
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { level?: number, method?: "wilson"|"normal", weights?: manilius.Numbers }
---@return any
function metrics.error_interval(y, predicted, options) end

---Explained variance: like r2, but ignores a constant error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.explained_variance(y, predicted, options) end

---Harmonic mean of precision and recall.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.f1(y, predicted, options) end

---Weighted harmonic mean of precision and recall; recall has weight beta^2.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- beta: how much more recall counts than precision; must be given
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, beta?: any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.fbeta(y, predicted, options) end

---Geometric mean of the precision and recall of pairs of rows.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.fowlkes_mallows(y, labels, options) end

---False positive rate: share of the rows of other classes predicted as the class.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.fpr(y, predicted, options) end

---Mean gamma deviance, for y > 0 and p > 0.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.gamma_deviance(y, predicted, options) end

---Hamming loss: share of the labels (or single tags) that are wrong.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.hamming(y, predicted, options) end

---Mean hinge loss of decision scores.
---
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.hinge_loss(y, scores, options) end

---Degree to which each cluster contains one class only, 0 to 1.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.homogeneity(y, labels, options) end

---Jaccard index of the rows of a class and the rows predicted as it.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.jaccard(y, predicted, options) end

---Cohen's kappa: agreement beyond chance, 1 at best.
---
---- disagreement: how much two labels differ: 'none' (default: all alike), 'linear' or 'quadratic' in their
---distance in the list of labels
---- labels: labels to include, in this order; default: all that occur, ascending
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { disagreement?: "none"|"linear"|"quadratic"|any, labels?: manilius.Label[], weights?: manilius.Numbers }
---@return number
function metrics.kappa(y, predicted, options) end

---Mean negative log probability of the true class (cross-entropy), in nats.
---
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: of one column: the class that it is about; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param probabilities any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return number
function metrics.log_loss(y, probabilities, options) end

---Mean absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
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

---Mean absolute percentage error, as a fraction: 0.1 is 10%.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.mape(y, predicted, options) end

---Largest absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.max_error(y, predicted, options) end

---Matthews correlation coefficient, -1 to 1; 0 if y or predicted is constant.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.mcc(y, predicted, options) end

---McNemar's test that two classifiers have equal error rates on the same rows.
---
---Gives: { p_value =, statistic =, only_first_wrong =, only_second_wrong =, exact = }
---
---- correction: Edwards' continuity correction of chi-square, default true
---- exact: binomial instead of chi-square; default: below 25 rows that count
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param first integer
---@param second any
---@param options? { correction?: boolean, exact?: any, weights?: manilius.Numbers }
---@return any
function metrics.mcnemar(y, first, second, options) end

---Median absolute error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.median_ae(y, predicted, options) end

---Mean squared error.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.mse(y, predicted, options) end

---Mean squared difference of log(1 + value).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.msle(y, predicted, options) end

---Mutual information of the partitions, in nats.
---
---- weights: sample weights >= 0, one for each row
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

---Normalized mutual information: divided by the mean entropy.
---
---- average: mean of the two entropies: 'arithmetic' (default), 'geometric', 'min' or 'max'
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { average?: "arithmetic"|"geometric"|"min"|"max", weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.nmi(y, labels, options) end

---Mean pinball (quantile) loss, minimized by the alpha-quantile of y.
---
---- alpha: the quantile, 0 to 1; default 0.5
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { alpha?: any, average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.pinball(y, predicted, options) end

---Mean Poisson deviance, for counts y >= 0 and p > 0.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.poisson_deviance(y, predicted, options) end

---Recall and precision at each threshold, from inf down.
---
---Gives: a Frame
---
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: the positive class; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.pr_curve(y, scores, options) end

---Share of the rows predicted as a class that belong to it.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
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

---Coefficient of determination: 1 is perfect, 0 is predicting the mean of y.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights, or
---'variance' (by the spread of each target)
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|"variance"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.r2(y, predicted, options) end

---Rand index: share of the pairs of rows on which both partitions agree.
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { weights?: manilius.Numbers }
---@return number
function metrics.rand(y, labels, options) end

---Share of the rows of a class that are predicted as it (sensitivity).
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
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

---Table of common regression metrics.
---
---Gives: { r2 =, explained_variance =, rmse =, mae =, median_ae =, max_error =, mape =, bias =, support = }, a
---Vector each for several targets; prints as a table
---
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { weights?: manilius.Numbers }
---@return any
function metrics.regression_report(y, predicted, options) end

---Table of precision, recall, F1 and support per class, and the accuracy.
---
---Gives: { labels = list, classes = { [label] = { precision =, recall =, f1 =, support = } }, macro =, weighted
---=, accuracy =, low =, high =, level = }; prints as a table; :frame()
---
---- digits: decimals when printed, default 3
---- labels: labels to include, in this order; default: all that occur, ascending
---- level: confidence of the interval of the accuracy, default 0.95
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero, 0 (default) to 1
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { digits?: any, labels?: manilius.Label[], level?: number, weights?: manilius.Numbers, zero_division?: any }
---@return any
function metrics.report(y, predicted, options) end

---Root mean squared error (of each target).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.rmse(y, predicted, options) end

---Root of msle (of each target).
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.rmsle(y, predicted, options) end

---Area under the ROC curve.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels in column order; default: all that occur in y, ascending
---- max_fpr: partial area up to this false positive rate, standardized to 0.5 by chance and 1 at best
---- multi_class: 'ovr': each class against the rest (default), 'ovo': all pairs of classes
---- positive: the positive class; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], max_fpr?: boolean, multi_class?: "ovr"|"ovo", positive?: manilius.Label, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.roc_auc(y, scores, options) end

---Pointwise bootstrap confidence band of the ROC curve.
---
---Gives: a Frame: fpr, low, high
---
---- curves: resampled curves, default 400
---- labels: labels in column order; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- points: false positive rates from 0 to 1, default 101
---- positive: the positive class; default: the second of two
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
---- labels: labels in column order; default: all that occur in y, ascending
---- positive: the positive class; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { corners?: boolean, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers }
---@return manilius.Frame
function metrics.roc_curve(y, scores, options) end

---Area under the ROC curve with its confidence interval (DeLong).
---
---Gives: { auc =, low =, high =, std_error =, level = }
---
---- labels: labels in column order; default: all that occur in y, ascending
---- level: confidence of the interval, default 0.95
---- positive: the positive class; default: the second of two
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { labels?: manilius.Label[], level?: number, positive?: manilius.Label, weights?: manilius.Numbers }
---@return any
function metrics.roc_interval(y, scores, options) end

---Mean silhouette, -1 to 1: separation from the nearest other cluster.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- sample: number of rows to sample at random; default: all
---- seed: seed of the sample; default 0
---- weights: sample weights >= 0, one for each row
---@param X manilius.X
---@param labels any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", sample?: any, seed?: integer, weights?: manilius.Numbers }
---@return number
function metrics.silhouette(X, labels, options) end

---The silhouette of every row, a Vector.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- weights: sample weights >= 0, one for each row
---@param X manilius.X
---@param labels any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", weights?: manilius.Numbers }
---@return number
function metrics.silhouette_samples(X, labels, options) end

---Share of the rows of other classes that are not predicted as the class.
---
---- average: average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all
---decisions), or 'none' (a Vector and the list of labels)
---- labels: labels to include, in this order; default: all that occur, ascending
---- positive: the positive label; default: the second of two in ascending order
---- weights: sample weights >= 0, one for each row
---- zero_division: value for a division by zero: 0 (default), 1, or nan, which averages ignore
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "macro"|"weighted"|"micro"|"none"|any, labels?: manilius.Label[], positive?: manilius.Label, weights?: manilius.Numbers, zero_division?: any }
---@return number|manilius.Vector
function metrics.specificity(y, predicted, options) end

---Kruskal stress of an embedding: 0 is perfect, 0.1 fair, 0.2 poor.
---
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---- normalized: false: the plain sum of (d - e)^2 over pairs; default true
---- weights: sample weights >= 0, one for each row
---@param X manilius.X
---@param points any
---@param options? { metric?: "euclidean"|"manhattan"|"cosine"|"precomputed", normalized?: boolean, weights?: manilius.Numbers }
---@return number
function metrics.stress(X, points, options) end

---Share of the rows whose true class is among the k highest scores.
---
---- k: how many count as hit, default 2
---- labels: labels in column order; default: all that occur in y, ascending
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param scores any
---@param options? { k?: any, labels?: manilius.Label[], weights?: manilius.Numbers }
---@return number
function metrics.top_k_accuracy(y, scores, options) end

---Share of neighbors in the embedding that are neighbors in X; 1 is perfect.
---
---- k: neighbors, default 5; less than half the rows
---- metric: 'euclidean' (default), 'manhattan', 'cosine', or 'precomputed': X holds distances
---@param X manilius.X
---@param points any
---@param options? { k?: any, metric?: "euclidean"|"manhattan"|"cosine"|"precomputed" }
---@return number
function metrics.trustworthiness(X, points, options) end

---Mean Tweedie deviance; the variance is proportional to mean^power.
---
---- average: of several targets: 'uniform' (default), 'none' (a Vector), or a list of their weights
---- power: <= 0 or >= 1; default 0, the squared error; 1 Poisson, 2 gamma
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param predicted manilius.Y
---@param options? { average?: "uniform"|"none"|any, power?: any, weights?: manilius.Numbers }
---@return number|manilius.Vector
function metrics.tweedie_deviance(y, predicted, options) end

---Harmonic mean of homogeneity and completeness.
---
---- beta: how much more completeness counts, default 1
---- weights: sample weights >= 0, one for each row
---@param y manilius.Y
---@param labels any
---@param options? { beta?: any, weights?: manilius.Numbers }
---@return number
function metrics.v_measure(y, labels, options) end
