---@meta _
-- luacheck: ignore
-- The module: local ml = require "manilius".
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius
---@field dist manilius.dist # probability distributions: densities, quantiles, samples, fits and priors
---@field memory manilius.memory # memory used by matrices, frames and models, and its limit
---@field metrics manilius.metrics # metrics for predictions, probabilities, clusterings and rankings
---@field plot manilius.plot # figures of data, models and scores
---@field special manilius.special # special functions, sigmoid functions and statistical distributions
local ml = {}

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

---The numbers a, a + step, ..., up to b; range(n) gives 1 to n.
---
---Gives: Vector
---@param a any
---@param b any
---@param step? any
---@return manilius.Vector
function ml.range(a, b, step) end

---n evenly spaced numbers from a to b, both included.
---
---Gives: Vector
---@param a any
---@param b any
---@param n integer
---@return manilius.Vector
function ml.linspace(a, b, n) end

---Uniform random numbers in [0, 1), reproducible by seed.
---
---Gives: Matrix; a Vector if cols is nil
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@param seed? integer
---@return manilius.Matrix|manilius.Vector
function ml.random(rows, cols, seed) end

---Standard normal random numbers, reproducible by seed.
---
---Gives: Matrix; a Vector if cols is nil
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@param seed? integer
---@return manilius.Matrix|manilius.Vector
function ml.normal(rows, cols, seed) end

---A random permutation of the numbers 1 to n.
---
---Gives: Vector
---@param n integer
---@param seed? integer
---@return manilius.Vector
function ml.permutation(n, seed) end

---Concatenate matrices horizontally; a Vector is a column.
---
---Gives: Matrix
---@param X manilius.X
---@param Y manilius.X
---@param ... any
---@return manilius.Matrix
function ml.hcat(X, Y, ...) end

---Concatenate matrices vertically; a Vector is a row.
---
---Gives: Matrix
---@param X manilius.X
---@param Y manilius.X
---@param ... any
---@return manilius.Matrix
function ml.vcat(X, Y, ...) end

---Read a CSV file in chunks: for chunk in ml.csv_chunks(path) do.
---
---Gives: an iterator over Frames
---
---- columns: list of columns to read; default all
---- comment: character that starts a comment, or false; default false
---- decimal: decimal separator; default "."
---- delimiter: character between fields, or false for none; default: detected
---- header: first line holds column names: true (default), false or "auto"
---- keep_blanks: true: keep spaces around fields; default false
---- na: list of strings that mean missing
---- quote: quote character, or false for none; default "
---- rows: rows per chunk; default 100000
---- skip: number of lines to skip at the start; default 0
---- strict: true (default): rows of the wrong length are errors; false: pad with missing values or drop extra
---fields
---- types: { column = "number" or "factor" }; other columns are detected
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: any, types?: any }
---@return fun(): manilius.Frame
function ml.csv_chunks(path, options) end

---Format a matrix as the bytes of a .npy file.
---
---Gives: string
---@param X manilius.X
---@return any
function ml.format_npy(X) end

---Format X and y as text in svmlight (libsvm) format.
---
---Gives: string
---
---- base: index of the first column in the file, 0 or 1; default: detected when reading, 1 when writing
---- lengths: rows of each query, to write qid fields
---@param X manilius.X
---@param y manilius.Y
---@param options? { base?: any, lengths?: any }
---@return any
function ml.format_svmlight(X, y, options) end

---Parse CSV text.
---
---Gives: Frame
---
---- columns: list of columns to read; default all
---- comment: character that starts a comment, or false; default false
---- decimal: decimal separator; default "."
---- delimiter: character between fields, or false for none; default: detected
---- header: first line holds column names: true (default), false or "auto"
---- keep_blanks: true: keep spaces around fields; default false
---- na: list of strings that mean missing
---- quote: quote character, or false for none; default "
---- rows: maximum number of rows to read; default all
---- skip: number of lines to skip at the start; default 0
---- strict: true (default): rows of the wrong length are errors; false: pad with missing values or drop extra
---fields
---- types: { column = "number" or "factor" }; other columns are detected
---@param text string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: any, types?: any }
---@return manilius.Frame
function ml.parse_csv(text, options) end

---Parse JSON Lines text of flat objects.
---
---Gives: Frame
---@param text string
---@return manilius.Frame
function ml.parse_jsonl(text) end

---Parse the bytes of a .npy file.
---
---Gives: Matrix
---@param bytes string
---@return manilius.Matrix
function ml.parse_npy(bytes) end

---Parse the bytes of a .npz file.
---
---Gives: table of Matrix by name
---@param bytes string
---@return table
function ml.parse_npz(bytes) end

---Parse text in svmlight (libsvm) format.
---
---Gives: Sparse X, Vector of labels, and Vector of rows per query if the file has queries
---
---- base: index of the first column in the file, 0 or 1; default: detected when reading, 1 when writing
---- cols: number of columns; default: the highest index found
---@param text string
---@param options? { base?: any, cols?: any }
---@return manilius.Sparse
function ml.parse_svmlight(text, options) end

---Read a CSV file, plain or gzip; types and delimiter are detected.
---
---Gives: Frame
---
---- columns: list of columns to read; default all
---- comment: character that starts a comment, or false; default false
---- decimal: decimal separator; default "."
---- delimiter: character between fields, or false for none; default: detected
---- header: first line holds column names: true (default), false or "auto"
---- keep_blanks: true: keep spaces around fields; default false
---- na: list of strings that mean missing
---- quote: quote character, or false for none; default "
---- rows: maximum number of rows to read; default all
---- skip: number of lines to skip at the start; default 0
---- strict: true (default): rows of the wrong length are errors; false: pad with missing values or drop extra
---fields
---- types: { column = "number" or "factor" }; other columns are detected
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: any, types?: any }
---@return manilius.Frame
function ml.read_csv(path, options) end

---Read a JSON Lines file of flat objects.
---
---Gives: Frame
---@param path string
---@return manilius.Frame
function ml.read_jsonl(path) end

---Read a NumPy .npy file of numbers.
---
---Gives: Matrix; a 1-d array becomes one column
---@param path string
---@return manilius.Matrix
function ml.read_npy(path) end

---Read the matrices of a NumPy .npz file.
---
---Gives: table of Matrix by name
---@param path string
---@return table
function ml.read_npz(path) end

---Read a file in svmlight (libsvm) format.
---
---Gives: Sparse X, Vector of labels, and Vector of rows per query if the file has queries
---
---- base: index of the first column in the file, 0 or 1; default: detected when reading, 1 when writing
---- cols: number of columns; default: the highest index found
---@param path string
---@param options? { base?: any, cols?: any }
---@return manilius.Sparse
function ml.read_svmlight(path, options) end

---Read a tab-separated file.
---
---Gives: Frame
---
---- columns: list of columns to read; default all
---- comment: character that starts a comment, or false; default false
---- decimal: decimal separator; default "."
---- delimiter: character between fields; default tab
---- header: first line holds column names: true (default), false or "auto"
---- keep_blanks: true: keep spaces around fields; default false
---- na: list of strings that mean missing
---- quote: quote character, or false for none; default "
---- rows: maximum number of rows to read; default all
---- skip: number of lines to skip at the start; default 0
---- strict: true (default): rows of the wrong length are errors; false: pad with missing values or drop extra
---fields
---- types: { column = "number" or "factor" }; other columns are detected
---@param path string
---@param options? { columns?: any, comment?: any, decimal?: any, delimiter?: any, header?: any, keep_blanks?: boolean, na?: any, quote?: any, rows?: any, skip?: any, strict?: any, types?: any }
---@return manilius.Frame
function ml.read_tsv(path, options) end

---Write a NumPy .npy file.
---@param path string
---@param X manilius.X
---@return any
function ml.write_npy(path, X) end

---Write a file in svmlight (libsvm) format.
---
---- base: index of the first column in the file, 0 or 1; default: detected when reading, 1 when writing
---- lengths: rows of each query, to write qid fields
---@param path string
---@param X manilius.X
---@param y manilius.Y
---@param options? { base?: any, lengths?: any }
---@return any
function ml.write_svmlight(path, X, y, options) end

---Read all rows of a database cursor with fetch and getcolnames (LuaSQL).
---
---Gives: Frame; NULL is missing
---
---- types: { column = "number" or "factor" }; other columns are detected
---@param cursor any
---@param options? { types?: any }
---@return manilius.Frame
function ml.from_cursor(cursor, options) end

---Write a model or a table of values to a file; also model:save(path).
---@param model manilius.Estimator
---@param path string
---@return any
function ml.save(model, path) end

---Load a model or table from a file or a string; never runs code from it.
---
---Gives: the model or table
---@param source any
---@return any
function ml.load(source) end

---Serialize a model or a table of values for load; also model:dump().
---
---Gives: string
---@param model manilius.Estimator
---@return any
function ml.dump(model) end

---Define your own estimator class; returns its constructor.
---@type any
ml.Estimator = nil

---Split X and y at random into training and test rows.
---
---Gives: X_train, X_test, y_train, y_test, training row numbers, test row numbers
---
---- groups: one label per row; no group is in both parts
---- seed: seed of the shuffle; default 0
---- shuffle: false: keep the order, training rows first
---- stratify: true: preserve the class proportions of y; or a list of labels
---- test: fraction or number of test rows; default 0.25
---- train: fraction or number of training rows; default: all other rows
---@param X manilius.X
---@param y manilius.Y
---@param options? { groups?: manilius.Y, seed?: integer, shuffle?: boolean, stratify?: any, test?: any, train?: any }
---@return any
function ml.train_test_split(X, y, options) end

---Cross-validation: fit on the training rows and score on the test rows of folds.
---
---Gives: an object that prints as a table: mean, sd, interval (by score name), fit_seconds, scores (Frame with
---one row per fold), models
---
---- cv: number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as
---KFold { seed = 1 }, or a list of { train =, test = }
---- groups: one label per row; rows with the same label stay in the same fold; for rankers also the queries
---- interval: interval of the mean: "t" (default) or "corrected" for overlapping training sets (Nadeau & Bengio,
---2003)
---- lengths: for rankers: number of rows of each query; folds hold whole queries
---- on_iter: function(state) called with done and total fits; may return "stop" (keep the finished folds) or
---"cancel"
---- path: "lua": run the fits sequentially in Lua instead of the core; the results are the same
---- return_models: true: keep the fitted models
---- return_train: true: also score the training rows
---- scoring: name from metrics.scorers, function(y, predicted), scorer, or a list or table of them; default:
---accuracy for labels, else r2
---- threads: number of threads, 0 for all cores; default: the value of ml.threads
---- weights: sample weights, used in fits and scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, interval?: "t"|"corrected", lengths?: any, on_iter?: function, path?: any, return_models?: boolean, return_train?: boolean, scoring?: string|function|table, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.cross_validate(model, X, y, options) end

---Out-of-fold predictions for each row.
---
---Gives: output of the method: Factor, Vector or Matrix; predict_proba has columns in label order
---
---- cv: number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as
---KFold { seed = 1 }, or a list of { train =, test = }
---- groups: one label per row; rows with the same label stay in the same fold; for rankers also the queries
---- lengths: for rankers: number of rows of each query; folds hold whole queries
---- method: "predict" (default), "predict_proba", "decision_function", ...
---- path: "lua": run the fits sequentially in Lua instead of the core; the results are the same
---- threads: number of threads, 0 for all cores; default: the value of ml.threads
---- weights: sample weights, used in fits and scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, lengths?: any, method?: "predict"|"predict_proba"|"decision_function"|any, path?: any, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.cross_val_predict(model, X, y, options) end

---Training and test scores for increasing numbers of training rows.
---
---Gives: Frame: train_rows, train_mean, train_sd, test_mean, test_sd
---
---- cv: number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as
---KFold { seed = 1 }, or a list of { train =, test = }
---- groups: one label per row; rows with the same label stay in the same fold; for rankers also the queries
---- path: "lua": run the fits sequentially in Lua instead of the core; the results are the same
---- scoring: one score; name from metrics.scorers, function(y, predicted), scorer, or a list or table of them;
---default: accuracy for labels, else r2
---- seed: shuffle the training rows with this seed before taking the first of them
---- sizes: fractions (floats) or numbers (integers) of training rows; default { 0.1, 0.325, 0.55, 0.775, 1.0 }
---- threads: number of threads, 0 for all cores; default: the value of ml.threads
---- weights: sample weights, used in fits and scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, path?: any, scoring?: string|function|table, seed?: integer, sizes?: any, threads?: integer, weights?: manilius.Numbers }
---@return manilius.Frame
function ml.learning_curve(model, X, y, options) end

---Training and test scores for different values of one parameter.
---
---Gives: Frame: value, train_mean, train_sd, test_mean, test_sd
---
---- cv: number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as
---KFold { seed = 1 }, or a list of { train =, test = }
---- groups: one label per row; rows with the same label stay in the same fold; for rankers also the queries
---- lengths: for rankers: number of rows of each query; folds hold whole queries
---- param: name of the parameter, "step__name" inside compositions
---- path: "lua": run the fits sequentially in Lua instead of the core; the results are the same
---- scoring: one score; name from metrics.scorers, function(y, predicted), scorer, or a list or table of them;
---default: accuracy for labels, else r2
---- threads: number of threads, 0 for all cores; default: the value of ml.threads
---- values: list of values of the parameter
---- weights: sample weights, used in fits and scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, lengths?: any, param?: string, path?: any, scoring?: string|function|table, threads?: integer, values?: any, weights?: manilius.Numbers }
---@return manilius.Frame
function ml.validation_curve(model, X, y, options) end

---Compare models on the same folds: scores with intervals and paired tests.
---
---Gives: an object that prints as a table: table, tests (Frames), results (by name), models (best first), best,
---reference, errors, notes; :plot { metric = } draws the scores by fold
---
---- baseline: name of the model that the others are tested against; default: all pairs, shown for the best
---- cv: number of folds, a splitter, or a list of splits; default 5
---- error: 'report' (default): show the error of a failed model in its row; 'raise': raise it
---- groups: one label per row; rows with the same label stay in the same fold
---- interval: interval of the mean over folds: 'corrected' (default) or 't'
---- on_iter: function(state) called with done and total fits; may return "stop" (compare the models with all
---folds finished) or "cancel"
---- path: "lua": run the fits sequentially in Lua instead of the core; the results are the same
---- scoring: score or list of scores, as in cross_validate; the first determines the order
---- seed: shuffle the folds with this seed; requires cv to be a number
---- threads: number of threads, 0 for all cores; default: the value of ml.threads
---- weights: sample weights, used in fits and scores
---@param models any
---@param X manilius.X
---@param y manilius.Y
---@param options? { baseline?: any, cv?: integer|table, error?: "report"|"raise", groups?: manilius.Y, interval?: "corrected"|"t", on_iter?: function, path?: any, scoring?: string|function|table, seed?: integer, threads?: integer, weights?: manilius.Numbers }
---@return any
function ml.compare(models, X, y, options) end

---Decrease of the score of a fitted model when one column is shuffled.
---
---Gives: an object that prints as a table: features, importance, sd, values (features x repeats), score, table
---(Frame, most important first); :plot { top = 20 }
---
---- repeats: number of shuffles of each column; default 10
---- scoring: one score; default: accuracy or r2
---- seed: seed of the shuffles; default 0
---- weights: sample weights of the score
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { repeats?: any, scoring?: string|function|table, seed?: integer, weights?: manilius.Numbers }
---@return any
function ml.permutation_importance(model, X, y, options) end

---Mean prediction of a fitted model as a function of one column.
---
---Gives: an object that prints as a table: column, values (Vector, or labels of a factor), average (Vector),
---individual (Matrix, rows x values), response (name); plot it with ml.plot.partial_dependence
---
---- grid: maximum number of values, default 50: all distinct values, or an even grid between the 5% and 95%
---quantiles
---- target: class (default: the second of two), or number of the target if there are several
---- values: values or levels to use instead of the grid
---- weights: sample weights of the mean
---@param model manilius.Estimator
---@param X manilius.X
---@param column any
---@param options? { grid?: any, target?: any, values?: any, weights?: manilius.Numbers }
---@return any
function ml.partial_dependence(model, X, column, options) end

---HTML page with scores, curves, importances and warnings for a model.
---
---Gives: an object with html, title, scores, judged_by, warnings, importance and save(path); prints a summary
---
---- cv: number of folds, a splitter or a list of splits; default 5 shuffled folds
---- date: text shown instead of today's date
---- groups: one label for each row; rows with the same label stay in the same fold
---- importance: true (default): compute permutation importances
---- learning_curve: true: plot scores against the number of training rows; default false
---- pictures: true (default): draw the plots
---- scoring: one score or a list of scores; default: the usual scores of the task
---- seed: seed of folds and shuffles; default 0
---- target: name of the target, shown on the page
---- test: { X, y }: held-out rows on which the fitted model is scored instead of cross-validation
---- threads: number of fits to run in parallel; default: all cores
---- title: title of the page
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, date?: any, groups?: manilius.Y, importance?: boolean, learning_curve?: boolean, pictures?: boolean, scoring?: string|function|table, seed?: integer, target?: any, test?: any, threads?: integer, title?: any }
---@return any
function ml.report(model, X, y, options) end

---Print help: an overview, or help on a name or a value.
---@param subject? any
---@return any
function ml.help(subject) end

---Show version, CPU kernels, LAPACK, cores and threads of this build.
---
---Gives: table: version, lua, product (kernels in use), wanted (kernels requested by MANILIUS_CPU but not
---supported by this CPU), lapack, cores, threads; prints as a list
---@return table
function ml.about() end

---Search names, descriptions and synonyms for words and print the best matches.
---
---Gives: list of { name =, brief =, score = }, best first
---@param words any
---@return any
function ml.find(words) end

---Check that an estimator satisfies the estimator contract.
---
---Gives: a report that prints; it has failures, :assert(), and is a list of { demand, result, message }
---
---- does: kind of an estimator written in Lua: "classify", "regress", "cluster" or "transform"
---- takes: supported inputs besides numbers: { "weights", "sparse", "missing", ... }
---@param model manilius.Estimator
---@param options? { does?: "classify"|"regress"|"cluster"|"transform", takes?: any }
---@return any
function ml.check(model, options) end

---Stands for nil as a parameter value, because Lua tables cannot store nil.
---@type any
ml.unset = nil

---Get or set the number of threads; 0: all available cores, 1: no threads.
---
---Gives: the number of threads; it does not affect results
---@param n? integer
---@return integer
function ml.threads(n) end

---Turn the progress bar for operations longer than a second on or off.
---
---Gives: whether the bar is on; without an argument nothing changes
---@param on? any
---@return any
function ml.progress(on) end
