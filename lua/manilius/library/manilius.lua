---@meta _
-- luacheck: ignore
-- The module: local ml = require "manilius".
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius
---@field dist manilius.dist # probability distributions: densities, tails, quantiles, samples, information, fits, priors
---@field memory manilius.memory # the bytes that matrices, frames and models hold, and a limit for them
---@field metrics manilius.metrics # how good predictions, probabilities, clusterings and rankings are
---@field plot manilius.plot # figures of data, models and scores
---@field special manilius.special # special functions, squashing functions and the distributions of statistics
local ml = {}

---Lasso whose penalty is smaller for weights that a first fit found large.
---@param params? manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function ml.AdaptiveLasso(params) end

---Trees that learn a stream, each row once, and are changed for others when the stream has changed.
---@param params? manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function ml.AdaptiveRandomForestClassifier(params) end

---Linear regression that finds by the evidence which columns matter, and leaves the others out.
---@param params? manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ml.ARDRegression(params) end

---Linear regression with Laplace priors of the weights, by Gibbs sampling: the lasso with intervals.
---@param params? manilius.BayesianLasso.Params
---@return manilius.BayesianLasso
function ml.BayesianLasso(params) end

---Ridge regression that chooses its penalty and the noise by their evidence.
---@param params? manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function ml.BayesianRidge(params) end

---1 where a value is above a threshold, 0 elsewhere.
---@param params? manilius.Binarizer.Params
---@return manilius.Binarizer
function ml.Binarizer(params) end

---C4.5 (J48): questions by gain ratio, a branch for each level, missing values in parts, pessimistic pruning.
---@param params? manilius.C45Classifier.Params
---@return manilius.C45Classifier
function ml.C45Classifier(params) end

---Questions about one column at a time, down to a leaf that says the class.
---@param params? manilius.DecisionTreeClassifier.Params
---@return manilius.DecisionTreeClassifier
function ml.DecisionTreeClassifier(params) end

---Questions about one column at a time, down to a leaf that gives the value.
---@param params? manilius.DecisionTreeRegressor.Params
---@return manilius.DecisionTreeRegressor
function ml.DecisionTreeRegressor(params) end

---Linear least squares with both an L1 and an L2 penalty.
---@param params? manilius.ElasticNet.Params
---@return manilius.ElasticNet
function ml.ElasticNet(params) end

---Elastic net, its penalty and share of the L1 norm chosen by cross-validation.
---@param params? manilius.ElasticNetCV.Params
---@return manilius.ElasticNetCV
function ml.ElasticNetCV(params) end

---The mean of many trees whose cuts are drawn at random.
---@param params? manilius.ExtraTreesClassifier.Params
---@return manilius.ExtraTreesClassifier
function ml.ExtraTreesClassifier(params) end

---The mean of many trees whose cuts are drawn at random.
---@param params? manilius.ExtraTreesRegressor.Params
---@return manilius.ExtraTreesRegressor
function ml.ExtraTreesRegressor(params) end

---Positive amounts with a logarithmic link and an L2 penalty, L1, or both.
---@param params? manilius.GammaRegressor.Params
---@return manilius.GammaRegressor
function ml.GammaRegressor(params) end

---Naive Bayes with normal features.
---@param params? manilius.GaussianNB.Params
---@return manilius.GaussianNB
function ml.GaussianNB(params) end

---Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.
---@param params? manilius.GLM.Params
---@return manilius.GLM
function ml.GLM(params) end

---Small exact trees, each fitted to what the loss of those before it says is missing, for classes.
---@param params? manilius.GradientBoostingClassifier.Params
---@return manilius.GradientBoostingClassifier
function ml.GradientBoostingClassifier(params) end

---Small exact trees, each fitted to what the loss of those before it says is missing, for reals.
---@param params? manilius.GradientBoostingRegressor.Params
---@return manilius.GradientBoostingRegressor
function ml.GradientBoostingRegressor(params) end

---Linear least squares whose penalty makes the weights of whole groups of columns 0.
---@param params? manilius.GroupLasso.Params
---@return manilius.GroupLasso
function ml.GroupLasso(params) end

---Boosted trees on binned columns, for classes: the usual first choice for tables.
---@param params? manilius.HistGradientBoostingClassifier.Params
---@return manilius.HistGradientBoostingClassifier
function ml.HistGradientBoostingClassifier(params) end

---Boosted trees that put the rows of each query in order: LambdaMART.
---@param params? manilius.HistGradientBoostingRanker.Params
---@return manilius.HistGradientBoostingRanker
function ml.HistGradientBoostingRanker(params) end

---Boosted trees on binned columns, for reals: the usual first choice for tables.
---@param params? manilius.HistGradientBoostingRegressor.Params
---@return manilius.HistGradientBoostingRegressor
function ml.HistGradientBoostingRegressor(params) end

---Linear regression for few large weights among many near 0, by Gibbs sampling, with intervals.
---@param params? manilius.HorseshoeRegression.Params
---@return manilius.HorseshoeRegression
function ml.HorseshoeRegression(params) end

---A branch for each level of the column that tells most of the class, down to leaves of one class.
---@param params? manilius.ID3Classifier.Params
---@return manilius.ID3Classifier
function ml.ID3Classifier(params) end

---The monotone function of one column that lies nearest to y.
---@param params? manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function ml.IsotonicRegression(params) end

---Numbers into bins.
---@param params? manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function ml.KBinsDiscretizer(params) end

---Bayesian regression on all columns and all products of two, which finds the few that matter.
---@param params? manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function ml.KernelInteractionRegression(params) end

---Clusters around means, by Lloyd's algorithm with a k-means++ start.
---@param params? manilius.KMeans.Params
---@return manilius.KMeans
function ml.KMeans(params) end

---The classes of the nearest rows vote.
---@param params? manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function ml.KNeighborsClassifier(params) end

---The mean of y over the nearest rows.
---@param params? manilius.KNeighborsRegressor.Params
---@return manilius.KNeighborsRegressor
function ml.KNeighborsRegressor(params) end

---Least angle regression: columns join one at a time, the most correlated first.
---@param params? manilius.Lars.Params
---@return manilius.Lars
function ml.Lars(params) end

---Linear least squares with an L1 penalty, which makes weights exactly 0.
---@param params? manilius.Lasso.Params
---@return manilius.Lasso
function ml.Lasso(params) end

---Lasso, its penalty chosen by cross-validation.
---@param params? manilius.LassoCV.Params
---@return manilius.LassoCV
function ml.LassoCV(params) end

---Lasso by least angle regression: all minima down to alpha, to rounding.
---@param params? manilius.LassoLars.Params
---@return manilius.LassoLars
function ml.LassoLars(params) end

---Classifier of normal classes with one covariance, and the projection that sets them apart best.
---@param params? manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function ml.LinearDiscriminantAnalysis(params) end

---Linear classifier of any loss, penalty and solver that go together.
---@param params? manilius.LinearModelClassifier.Params
---@return manilius.LinearModelClassifier
function ml.LinearModelClassifier(params) end

---Linear regression of any loss, penalty and solver that go together.
---@param params? manilius.LinearModelRegressor.Params
---@return manilius.LinearModelRegressor
function ml.LinearModelRegressor(params) end

---Ordinary least squares, with the inference of a statistics package.
---@param params? manilius.LinearRegression.Params
---@return manilius.LinearRegression
function ml.LinearRegression(params) end

---A tree with a linear model in each leaf.
---@param params? manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function ml.LinearTreeRegressor(params) end

---Linear classifier with probabilities, for two classes or many, with an L2 penalty, L1, both, or none.
---@param params? manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function ml.LogisticRegression(params) end

---Logistic regression, its penalty chosen by cross-validation.
---@param params? manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function ml.LogisticRegressionCV(params) end

---Multivariate adaptive regression splines: sums of products of hinges, chosen by the data.
---@param params? manilius.MARS.Params
---@return manilius.MARS
function ml.MARS(params) end

---Each column divided by its largest magnitude.
---@param params? manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function ml.MaxAbsScaler(params) end

---Each column to a given range, 0 to 1 by default.
---@param params? manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function ml.MinMaxScaler(params) end

---Linear regressions among which gates share out the rows by where they lie; hierarchical, too.
---@param params? manilius.MixtureOfExperts.Params
---@return manilius.MixtureOfExperts
function ml.MixtureOfExperts(params) end

---Several linear regressions at once, when it is not known which row follows which.
---@param params? manilius.MixtureOfRegressions.Params
---@return manilius.MixtureOfRegressions
function ml.MixtureOfRegressions(params) end

---The mean of many trees that are cut without a look at y, and learn rows one by one as well as all at once.
---@param params? manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function ml.MondrianForestClassifier(params) end

---Regression by many trees that are cut without a look at y, learn rows one by one, and know how sure they are.
---@param params? manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function ml.MondrianForestRegressor(params) end

---Elastic net of several targets that choose their columns together.
---@param params? manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function ml.MultiTaskElasticNet(params) end

---Lasso of several targets that choose their columns together.
---@param params? manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function ml.MultiTaskLasso(params) end

---The class with the nearest mean (or median) wins.
---@param params? manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function ml.NearestCentroid(params) end

---Each row to length 1.
---@param params? manilius.Normalizer.Params
---@return manilius.Normalizer
function ml.Normalizer(params) end

---A column of 0 and 1 for each category.
---@param params? manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function ml.OneHotEncoder(params) end

---Categories as the numbers 1, 2, ...
---@param params? manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function ml.OrdinalEncoder(params) end

---Linear classifier whose every step puts one row right, and goes no further: for rows that keep coming.
---@param params? manilius.PassiveAggressiveClassifier.Params
---@return manilius.PassiveAggressiveClassifier
function ml.PassiveAggressiveClassifier(params) end

---Linear regression whose every step puts one row right, and goes no further: for rows that keep coming.
---@param params? manilius.PassiveAggressiveRegressor.Params
---@return manilius.PassiveAggressiveRegressor
function ml.PassiveAggressiveRegressor(params) end

---Principal components: the directions of largest variance.
---@param params? manilius.PCA.Params
---@return manilius.PCA
function ml.PCA(params) end

---Linear classifier that learns from its mistakes, one row at a time.
---@param params? manilius.Perceptron.Params
---@return manilius.Perceptron
function ml.Perceptron(params) end

---Counts with a logarithmic link and an L2 penalty, L1, or both.
---@param params? manilius.PoissonRegressor.Params
---@return manilius.PoissonRegressor
function ml.PoissonRegressor(params) end

---All products of features up to a degree.
---@param params? manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function ml.PolynomialFeatures(params) end

---Each column made as normal as a power can make it.
---@param params? manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function ml.PowerTransformer(params) end

---Classifier of normal classes, each with a covariance of its own.
---@param params? manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function ml.QuadraticDiscriminantAnalysis(params) end

---Linear regression for a quantile of y, such as the median.
---@param params? manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function ml.QuantileRegressor(params) end

---Each column to a uniform or normal distribution, by its ranks.
---@param params? manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function ml.QuantileTransformer(params) end

---The mean of many trees, each on rows and columns drawn at random.
---@param params? manilius.RandomForestClassifier.Params
---@return manilius.RandomForestClassifier
function ml.RandomForestClassifier(params) end

---The mean of many trees, each on rows and columns drawn at random.
---@param params? manilius.RandomForestRegressor.Params
---@return manilius.RandomForestRegressor
function ml.RandomForestRegressor(params) end

---Linear least squares with an L2 penalty.
---@param params? manilius.Ridge.Params
---@return manilius.Ridge
function ml.Ridge(params) end

---Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.
---@param params? manilius.RidgeCV.Params
---@return manilius.RidgeCV
function ml.RidgeCV(params) end

---Linear regression that outliers in y do not pull along.
---@param params? manilius.RobustRegression.Params
---@return manilius.RobustRegression
function ml.RobustRegression(params) end

---Each column to median 0 and interquartile range 1.
---@param params? manilius.RobustScaler.Params
---@return manilius.RobustScaler
function ml.RobustScaler(params) end

---Lasso that finds the noise together with the weights, so that its penalty need not be tuned.
---@param params? manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ml.ScaledLasso(params) end

---A column whose line breaks at places that are estimated, or jumps there.
---@param params? manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function ml.SegmentedRegression(params) end

---The columns that tell most about y, each by itself.
---@param params? manilius.SelectKBest.Params
---@return manilius.SelectKBest
function ml.SelectKBest(params) end

---Linear classifier by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---@param params? manilius.SGDClassifier.Params
---@return manilius.SGDClassifier
function ml.SGDClassifier(params) end

---Linear regression by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---@param params? manilius.SGDRegressor.Params
---@return manilius.SGDRegressor
function ml.SGDRegressor(params) end

---Missing values replaced by the mean, median, most frequent or a constant value of their column.
---@param params? manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function ml.SimpleImputer(params) end

---Each column to mean 0 and standard deviation 1.
---@param params? manilius.StandardScaler.Params
---@return manilius.StandardScaler
function ml.StandardScaler(params) end

---A linear regression for each value of a column, which lean on those of neighbouring values.
---@param params? manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function ml.StratifiedRegression(params) end

---Linear regression by the median of the fits to small subsets of rows: outliers in X and y do little.
---@param params? manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function ml.TheilSenRegressor(params) end

---Amounts whose variance is a power of their mean, with an L2 penalty, L1, or both.
---@param params? manilius.TweedieRegressor.Params
---@return manilius.TweedieRegressor
function ml.TweedieRegressor(params) end

---Leaves out columns that hardly vary.
---@param params? manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function ml.VarianceThreshold(params) end

---Numbers in rows and columns.
---@param from any
---@param ... any
---@return manilius.Matrix
function ml.Matrix(from, ...) end

---Numbers in a line.
---@param from any
---@param ... any
---@return manilius.Vector
function ml.Vector(from, ...) end

---Labels (texts, numbers, booleans) with their levels.
---@param from any
---@param ... any
---@return manilius.Factor
function ml.Factor(from, ...) end

---@class manilius.Sparse.Maker
---@overload fun(from: any): manilius.Sparse
local SparseMaker = {}

---The values of a Matrix that are not 0.
---@param X manilius.X
---@return any
function SparseMaker.from(X) end

ml.Sparse = SparseMaker

---A matrix of zeros.
---
---Gives: Matrix
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function ml.zeros(rows, cols) end

---A matrix of ones.
---
---Gives: Matrix
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function ml.ones(rows, cols) end

---A matrix of one value.
---
---Gives: Matrix
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@param value any
---@return manilius.Matrix
function ml.full(rows, cols, value) end

---The identity matrix.
---
---Gives: Matrix, n x n
---@param n integer
---@return manilius.Matrix
function ml.eye(n) end

---The numbers a, a + step, ... up to b; range(n) is 1 to n.
---
---Gives: Vector
---@param a any
---@param b any
---@param step? any
---@return manilius.Vector
function ml.range(a, b, step) end

---n numbers from a to b in equal steps, both ends included.
---
---Gives: Vector
---@param a any
---@param b any
---@param n integer
---@return manilius.Vector
function ml.linspace(a, b, n) end

---Uniform random numbers in [0, 1), the same for the same seed.
---
---Gives: Matrix; a Vector where cols is nil
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@param seed? integer
---@return manilius.Matrix|manilius.Vector
function ml.random(rows, cols, seed) end

---Standard normal random numbers, the same for the same seed.
---
---Gives: Matrix; a Vector where cols is nil
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@param seed? integer
---@return manilius.Matrix|manilius.Vector
function ml.normal(rows, cols, seed) end

---The numbers 1 to n in random order.
---
---Gives: Vector
---@param n integer
---@param seed? integer
---@return manilius.Vector
function ml.permutation(n, seed) end

---Matrices side by side; a Vector is a column.
---
---Gives: Matrix
---@param X manilius.X
---@param Y manilius.X
---@param ... any
---@return manilius.Matrix
function ml.hcat(X, Y, ...) end

---Matrices one below the other; a Vector is a row.
---
---Gives: Matrix
---@param X manilius.X
---@param Y manilius.X
---@param ... any
---@return manilius.Matrix
function ml.vcat(X, Y, ...) end

---@class manilius.Frame.Maker
---@overload fun(from: any): manilius.Frame
local FrameMaker = {}

---A frame of the columns of a matrix, called x1, x2, ... or names.
---@param X manilius.X
---@param names? string[]
---@return any
function FrameMaker.from(X, names) end

---A frame of rows by names; what a row lacks is missing.
---@param rows integer|manilius.Numbers
---@param names? string[]
---@return any
function FrameMaker.from_rows(rows, names) end

---Is this a frame?
---@param value any
---@return any
function FrameMaker.is(value) end

ml.Frame = FrameMaker

---Read a CSV file piece by piece: for piece in ml.csv_chunks(path) do.
---
---Gives: an iterator over Frames
---
---- columns: list of the columns that are wanted
---- comment: character that begins a comment, or false; default false
---- decimal: the decimal point; default "."
---- delimiter: character between fields, or false; found out when not given
---- header: is the first line the names? true (default), false or "auto"
---- keep_blanks: true: blanks around fields belong to them
---- na: list of texts that mean missing
---- quote: character around fields, or false; default "
---- rows: rows of a piece; default 100000
---- skip: lines to leave out at the start
---- strict: false: fields that a line lacks are missing, extra ones are dropped; true (default): both are errors
---- types: { column = "number" or "factor" }: not guessed for these
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: boolean, types?: any }
---@return fun(): manilius.Frame
function ml.csv_chunks(path, options) end

---The bytes of a .npy file.
---
---Gives: text
---@param X manilius.X
---@return string
function ml.format_npy(X) end

---Sparse rows with labels as text.
---
---Gives: text
---
---- base: number of the first column in the text, 0 or 1; found out when reading, 1 when writing
---- lengths: when writing: rows of each query
---@param X manilius.X
---@param y manilius.Y
---@param options? { base?: any, lengths?: any }
---@return string
function ml.format_svmlight(X, y, options) end

---A CSV text as a frame.
---
---Gives: Frame
---
---- columns: list of the columns that are wanted
---- comment: character that begins a comment, or false; default false
---- decimal: the decimal point; default "."
---- delimiter: character between fields, or false; found out when not given
---- header: is the first line the names? true (default), false or "auto"
---- keep_blanks: true: blanks around fields belong to them
---- na: list of texts that mean missing
---- quote: character around fields, or false; default "
---- rows: most rows to read
---- skip: lines to leave out at the start
---- strict: false: fields that a line lacks are missing, extra ones are dropped; true (default): both are errors
---- types: { column = "number" or "factor" }: not guessed for these
---@param text string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: boolean, types?: any }
---@return manilius.Frame
function ml.parse_csv(text, options) end

---A flat JSON object on each line, as a frame.
---
---Gives: Frame
---@param text string
---@return manilius.Frame
function ml.parse_jsonl(text) end

---The bytes of a .npy file.
---
---Gives: Matrix
---@param bytes string
---@return manilius.Matrix
function ml.parse_npy(bytes) end

---The bytes of a .npz file.
---
---Gives: table of Matrix by name
---@param bytes string
---@return table
function ml.parse_npz(bytes) end

---Sparse rows with labels in a text.
---
---Gives: Sparse, Vector of labels, and Vector of the rows of each query where there are some
---
---- base: number of the first column in the text, 0 or 1; found out when reading, 1 when writing
---- cols: number of columns, where the last ones may be empty
---@param text string
---@param options? { base?: any, cols?: any }
---@return manilius.Sparse
function ml.parse_svmlight(text, options) end

---Read a CSV file (also gzip): types, delimiter and missing values are found out.
---
---Gives: Frame
---
---- columns: list of the columns that are wanted
---- comment: character that begins a comment, or false; default false
---- decimal: the decimal point; default "."
---- delimiter: character between fields, or false; found out when not given
---- header: is the first line the names? true (default), false or "auto"
---- keep_blanks: true: blanks around fields belong to them
---- na: list of texts that mean missing
---- quote: character around fields, or false; default "
---- rows: most rows to read
---- skip: lines to leave out at the start
---- strict: false: fields that a line lacks are missing, extra ones are dropped; true (default): both are errors
---- types: { column = "number" or "factor" }: not guessed for these
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: boolean, types?: any }
---@return manilius.Frame
function ml.read_csv(path, options) end

---Read a file with a flat JSON object on each line.
---
---Gives: Frame
---@param path string
---@return manilius.Frame
function ml.read_jsonl(path) end

---Read a NumPy .npy file of numbers.
---
---Gives: Matrix; a vector is one column
---@param path string
---@return manilius.Matrix
function ml.read_npy(path) end

---Read the matrices of a NumPy .npz file.
---
---Gives: table of Matrix by name
---@param path string
---@return table
function ml.read_npz(path) end

---Read sparse rows with labels: svmlight, libsvm.
---
---Gives: Sparse, Vector of labels, and Vector of the rows of each query where there are some
---
---- base: number of the first column in the text, 0 or 1; found out when reading, 1 when writing
---- cols: number of columns, where the last ones may be empty
---@param path string
---@param options? { base?: any, cols?: any }
---@return manilius.Sparse
function ml.read_svmlight(path, options) end

---Read a table with tabs between fields.
---
---Gives: Frame
---
---- columns: list of the columns that are wanted
---- comment: character that begins a comment, or false; default false
---- decimal: the decimal point; default "."
---- delimiter: default a tab
---- header: is the first line the names? true (default), false or "auto"
---- keep_blanks: true: blanks around fields belong to them
---- na: list of texts that mean missing
---- quote: character around fields, or false; default "
---- rows: most rows to read
---- skip: lines to leave out at the start
---- strict: false: fields that a line lacks are missing, extra ones are dropped; true (default): both are errors
---- types: { column = "number" or "factor" }: not guessed for these
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: boolean, types?: any }
---@return manilius.Frame
function ml.read_tsv(path, options) end

---Write a NumPy .npy file.
---@param path string
---@param X manilius.X
---@return any
function ml.write_npy(path, X) end

---Write sparse rows with labels.
---
---- base: number of the first column in the text, 0 or 1; found out when reading, 1 when writing
---- lengths: when writing: rows of each query
---@param path string
---@param X manilius.X
---@param y manilius.Y
---@param options? { base?: any, lengths?: any }
---@return any
function ml.write_svmlight(path, X, y, options) end

---All rows of a database cursor (LuaSQL, or anything with fetch and getcolnames).
---
---Gives: Frame; NULL is missing
---
---- types: { column = "number" or "factor" }
---@param cursor any
---@param options? { types?: any }
---@return manilius.Frame
function ml.from_cursor(cursor, options) end

---Write a model, or a table of values, to a file; also model:save(path).
---@param model manilius.Estimator
---@param path string
---@return any
function ml.save(model, path) end

---Read what save or dump has written. Makes values only: it never runs code.
---
---Gives: the model or the table; source is a path, or the bytes of dump
---@param source any
---@return any
function ml.load(source) end

---A model, or a table of values, as bytes for load; also model:dump().
---
---Gives: text
---@param model manilius.Estimator
---@return string
function ml.dump(model) end

---Steps one after the other: each transforms X for the next, the last one predicts.
---@param params? manilius.Pipeline.Params
---@return manilius.Pipeline
function ml.Pipeline(params) end

---Several transformers of the same X; their results stand side by side.
---@param params? manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function ml.FeatureUnion(params) end

---A transformer for each group of columns; the results stand side by side.
---@param params? manilius.ColumnTransformer.Params
---@return manilius.ColumnTransformer
function ml.ColumnTransformer(params) end

---A regressor that is fitted to a transformed y; its predictions are transformed back.
---@param params? manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function ml.TransformedTarget(params) end

---Several classifiers, and the label that most of them give, or their mean probabilities.
---@param params? manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function ml.VotingClassifier(params) end

---Several regressors, and the weighted mean of what they predict.
---@param params? manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function ml.VotingRegressor(params) end

---A classifier of what other classifiers say of rows that they were not fitted to.
---@param params? manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function ml.StackingClassifier(params) end

---A regressor of what other regressors predict for rows that they were not fitted to.
---@param params? manilius.StackingRegressor.Params
---@return manilius.StackingRegressor
function ml.StackingRegressor(params) end

---The mean of many classifiers, each fitted to rows and columns drawn at random.
---@param params? manilius.BaggingClassifier.Params
---@return manilius.BaggingClassifier
function ml.BaggingClassifier(params) end

---The mean of many regressors, each fitted to rows and columns drawn at random.
---@param params? manilius.BaggingRegressor.Params
---@return manilius.BaggingRegressor
function ml.BaggingRegressor(params) end

---Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).
---@param params? manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function ml.AdaBoostClassifier(params) end

---Regressors one after the other, each on rows weighed by the errors of those before (AdaBoost.R2).
---@param params? manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function ml.AdaBoostRegressor(params) end

---Gradient boosting that begins with the probabilities of another classifier.
---@param params? manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function ml.BoostedClassifier(params) end

---Gradient boosting that begins with the predictions of another regressor.
---@param params? manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function ml.BoostedRegressor(params) end

---A regressor of the rows that agree with each other, by consensus of random samples: outliers are left out.
---@param params? manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function ml.RANSACRegressor(params) end

---A model of a formula, as in R: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
---@param params? manilius.FormulaModel.Params
---@return manilius.FormulaModel
function ml.FormulaModel(params) end

---A class of your own that keeps the contract of all estimators; gives its constructor.
---@type any
ml.Estimator = nil

---k folds of rows, each tested once.
---@param params? manilius.KFold.Params
---@return manilius.KFold
function ml.KFold(params) end

---k folds, each with the classes of y in proportion.
---@param params? manilius.StratifiedKFold.Params
---@return manilius.StratifiedKFold
function ml.StratifiedKFold(params) end

---k folds of whole groups: no group is in train and test at once.
---@param params? manilius.GroupKFold.Params
---@return manilius.GroupKFold
function ml.GroupKFold(params) end

---Each row tested alone.
---@param params? manilius.LeaveOneOut.Params
---@return manilius.LeaveOneOut
function ml.LeaveOneOut(params) end

---Each set of p rows tested.
---@param params? manilius.LeavePOut.Params
---@return manilius.LeavePOut
function ml.LeavePOut(params) end

---KFold several times, shuffled anew each time.
---@param params? manilius.RepeatedKFold.Params
---@return manilius.RepeatedKFold
function ml.RepeatedKFold(params) end

---StratifiedKFold several times, shuffled anew each time.
---@param params? manilius.RepeatedStratifiedKFold.Params
---@return manilius.RepeatedStratifiedKFold
function ml.RepeatedStratifiedKFold(params) end

---Random train and test rows, n times over.
---@param params? manilius.ShuffleSplit.Params
---@return manilius.ShuffleSplit
function ml.ShuffleSplit(params) end

---Random train and test rows with the classes of y in proportion, n times over.
---@param params? manilius.StratifiedShuffleSplit.Params
---@return manilius.StratifiedShuffleSplit
function ml.StratifiedShuffleSplit(params) end

---Random groups for train and test, n times over; shares are of the groups.
---@param params? manilius.GroupShuffleSplit.Params
---@return manilius.GroupShuffleSplit
function ml.GroupShuffleSplit(params) end

---Tests that follow their train rows in time: the train rows grow from split to split.
---@param params? manilius.TimeSeriesSplit.Params
---@return manilius.TimeSeriesSplit
function ml.TimeSeriesSplit(params) end

---Divide X and y once, at random.
---
---Gives: X for training, X for testing, y for training, y for testing, and the rows of both
---
---- groups: a label for each row: no group is in both parts
---- seed: of the random order; default 0
---- shuffle: false: the first rows train
---- stratify: true: the classes of y in proportion; or a list of labels
---- test: share (0.25) or number of test rows
---- train: share or number of train rows; default: the rest
---@param X manilius.X
---@param y manilius.Y
---@param options? { groups?: manilius.Y, seed?: integer, shuffle?: boolean, stratify?: any, test?: any, train?: any }
---@return any
function ml.train_test_split(X, y, options) end

---Fit on the train rows and score on the test rows of each fold.
---
---Gives: an object that prints as a table: mean, sd, interval (by name of the score), fit_seconds, scores (Frame,
---one row a fold), models
---
---- cv: number of folds (default 5; stratified for a classifier, whole groups where groups are given), a way to
---split such as KFold { seed = 1 }, or a list of { train =, test = }
---- groups: a label for each row, for ways that keep groups together; of a model that ranks rows also its queries
---- interval: "t" (default): of the mean over folds; "corrected": allows for train rows in common (Nadeau &
---Bengio, 2003)
---- lengths: rows of each query of a model that ranks: folds hold whole queries, fits and scores are told of them
---- on_iter: function(state) with done and total fits, which may return "stop" (the folds so far count) or
---"cancel"
---- path: "lua": run the fits one by one in Lua rather than in the core; the result is the same
---- return_models: true: keep the fitted models
---- return_train: true: scores on the train rows, too
---- scoring: a name out of metrics.scorers, a function(y, predicted), a scorer, or a list or table of them;
---default accuracy or r2
---- threads: threads for the fits, 0 for all cores; default as ml.threads says
---- weights: of the rows, in fits and in scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, interval?: "t"|"corrected", lengths?: any, on_iter?: function, path?: any, return_models?: boolean, return_train?: boolean, scoring?: string|function|table, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.cross_validate(model, X, y, options) end

---Predictions for each row by the model of the fold that did not see it.
---
---Gives: what the method gives: Factor, Vector or Matrix; the columns of predict_proba follow the labels of y
---
---- cv: number of folds (default 5; stratified for a classifier, whole groups where groups are given), a way to
---split such as KFold { seed = 1 }, or a list of { train =, test = }
---- groups: a label for each row, for ways that keep groups together; of a model that ranks rows also its queries
---- lengths: rows of each query of a model that ranks: folds hold whole queries, fits and scores are told of them
---- method: "predict" (default), "predict_proba", "decision_function", ...
---- path: "lua": run the fits one by one in Lua rather than in the core; the result is the same
---- threads: threads for the fits, 0 for all cores; default as ml.threads says
---- weights: of the rows, in fits and in scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, lengths?: any, method?: "predict"|"predict_proba"|"decision_function"|any, path?: any, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.cross_val_predict(model, X, y, options) end

---Scores of models that were given more and more rows.
---
---Gives: Frame: train_rows, train_mean, train_sd, test_mean, test_sd
---
---- cv: number of folds (default 5; stratified for a classifier, whole groups where groups are given), a way to
---split such as KFold { seed = 1 }, or a list of { train =, test = }
---- groups: a label for each row, for ways that keep groups together; of a model that ranks rows also its queries
---- path: "lua": run the fits one by one in Lua rather than in the core; the result is the same
---- scoring: one score; a name out of metrics.scorers, a function(y, predicted), a scorer, or a list or table of
---them; default accuracy or r2
---- seed: shuffles the train rows before the first of them are taken
---- sizes: shares of the train rows, or numbers of them; default { 0.1, 0.325, 0.55, 0.775, 1.0 }
---- threads: threads for the fits, 0 for all cores; default as ml.threads says
---- weights: of the rows, in fits and in scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, path?: any, scoring?: string|function|table, seed?: integer, sizes?: any, threads?: integer, weights?: manilius.Numbers }
---@return manilius.Frame
function ml.learning_curve(model, X, y, options) end

---Scores of models that differ in one setting.
---
---Gives: Frame: value, train_mean, train_sd, test_mean, test_sd
---
---- cv: number of folds (default 5; stratified for a classifier, whole groups where groups are given), a way to
---split such as KFold { seed = 1 }, or a list of { train =, test = }
---- groups: a label for each row, for ways that keep groups together; of a model that ranks rows also its queries
---- lengths: rows of each query of a model that ranks: folds hold whole queries, fits and scores are told of them
---- param: its name, "step__name" inside of compositions
---- path: "lua": run the fits one by one in Lua rather than in the core; the result is the same
---- scoring: one score; a name out of metrics.scorers, a function(y, predicted), a scorer, or a list or table of
---them; default accuracy or r2
---- threads: threads for the fits, 0 for all cores; default as ml.threads says
---- values: a list of its values
---- weights: of the rows, in fits and in scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, lengths?: any, param?: string, path?: any, scoring?: string|function|table, threads?: integer, values?: any, weights?: manilius.Numbers }
---@return manilius.Frame
function ml.validation_curve(model, X, y, options) end

---The best of all combinations of settings, by cross-validation.
---@param params? manilius.GridSearch.Params
---@return manilius.GridSearch
function ml.GridSearch(params) end

---The best of n random settings, by cross-validation.
---@param params? manilius.RandomSearch.Params
---@return manilius.RandomSearch
function ml.RandomSearch(params) end

---Successive halving: all combinations on few rows, the best of them on more and more.
---@param params? manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function ml.HalvingGridSearch(params) end

---Several models on the same folds: a table of scores with intervals, and paired tests of differences.
---
---Gives: an object that prints as a table: table, tests (Frames), results (by name), models (best first), best,
---reference, errors, notes; :plot{ metric = } draws the scores by fold
---
---- baseline: name of the model that the others are tested against; default: all pairs, shown for the best
---- cv: number of folds, way to split, or list of splits; default 5
---- error: 'report' (default): a model that fails has its error in its row; 'raise'
---- groups: rows of one group stay on one side
---- interval: of the mean over folds: 'corrected' (default) or 't'
---- on_iter: function(state) with done and total fits, which may return "stop" (models that have all their folds
---are compared) or "cancel"
---- path: "lua": run the fits one by one in Lua rather than in the core; the result is the same
---- scoring: a score or a list of them, as in cross_validate; the first decides the order
---- seed: shuffles the folds when cv is a number
---- threads: for fits side by side; default all
---- weights: of the rows, in fits and in scores
---@param models any
---@param X manilius.X
---@param y manilius.Y
---@param options? { baseline?: any, cv?: integer|table, error?: "report"|"raise", groups?: manilius.Y, interval?: "corrected"|"t", on_iter?: function, path?: any, scoring?: string|function|table, seed?: integer, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.compare(models, X, y, options) end

---How much the score of a fitted model falls when one column is shuffled.
---
---Gives: an object that prints as a table: features, importance, sd, values (features x repeats), score, table
---(Frame, most important first); :plot{ top = 20 }
---
---- repeats: shuffles of each column, default 10
---- scoring: one score; default accuracy or r2
---- seed: of the shuffles, default 0
---- weights: of the rows in the score
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { repeats?: any, scoring?: string|function|table, seed?: integer, weights?: manilius.Numbers }
---@return any
function ml.permutation_importance(model, X, y, options) end

---What a fitted model predicts on average, and row by row, when one column is set to a value in every row.
---
---Gives: an object that prints as a table: column, values (Vector, or labels of a factor), average (Vector),
---individual (Matrix, rows x values), response (what is averaged); ml.plot.partial_dependence draws it
---
---- grid: at most so many values, default 50: the distinct ones, or equal steps from the 5% to the 95% quantile
---- target: which class (of two the second) or, of several targets, which one
---- values: the values, or levels, in place of a grid
---- weights: of the rows in the average
---@param model manilius.Estimator
---@param X manilius.X
---@param column any
---@param options? { grid?: any, target?: any, values?: any, weights?: manilius.Numbers }
---@return any
function ml.partial_dependence(model, X, column, options) end

---One HTML page on a model and its data: warnings, held-out scores, curves, importances, parameters.
---
---Gives: an object with html, title, scores, judged_by, warnings, importance; :save "report.html"; prints as a
---summary
---
---- cv: number of folds, way to split or list of splits; default 5, shuffled
---- date: text in place of the date of today
---- groups: rows of one group stay on one side
---- importance: permutation importances, default true
---- learning_curve: scores with more and more rows, default false
---- pictures: default true
---- scoring: scores to show; default: the usual ones of the task
---- seed: of folds and shuffles, default 0
---- target: the name of what is predicted
---- test: { X, y }: rows kept apart, judged by the fitted model in place of cv
---- threads: for fits side by side; default all
---- title: of the page
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, date?: any, groups?: manilius.Y, importance?: boolean, learning_curve?: boolean, pictures?: boolean, scoring?: string|function|table, seed?: integer, target?: any, test?: any, threads?: integer, title?: any }
---@return any
function ml.report(model, X, y, options) end

---Print help: about all there is, about a name, or about a value.
---@param subject? any
---@return any
function ml.help(subject) end

---What this build is and runs on.
---
---Gives: table: version, lua, product (kernels in use), lapack, cores, threads; prints as a list
---@return table
function ml.about() end

---Search for words in names, descriptions, settings, and what things are called elsewhere; prints the closest.
---
---Gives: the list of { name =, brief =, score = }, best first
---@param words any
---@return any
function ml.find(words) end

---Does an estimator keep the contract? The demands that every estimator of this library is held to.
---
---Gives: a report that prints, with failures, :assert(), and a list of { demand, result, message }
---
---- does: for an estimator in Lua: "classify", "regress", "cluster" or "transform"
---- takes: what it takes beside numbers: { "weights", "sparse", "missing", ... }
---@param model manilius.Estimator
---@param options? { does?: "classify"|"regress"|"cluster"|"transform", takes?: any }
---@return any
function ml.check(model, options) end

---Stands for nil in a table of settings, which cannot hold one.
---@type any
ml.unset = nil

---How many threads work on one operation; with n, from now on: 0 for the cores this process may use, 1 for none.
---
---Gives: the number of threads; results do not depend on it
---@param n? integer
---@return integer
function ml.threads(n) end

---A bar on stderr for all that takes more than a second.
---
---Gives: is it on? Asked without an argument, nothing changes
---@param on? any
---@return any
function ml.progress(on) end
