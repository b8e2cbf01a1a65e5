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

---A class of your own that keeps the contract of all estimators; gives its constructor.
---@type any
ml.Estimator = nil

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
---default accuracy (of labels) or r2
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
---them; default accuracy (of labels) or r2
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
---them; default accuracy (of labels) or r2
---- threads: threads for the fits, 0 for all cores; default as ml.threads says
---- values: a list of its values
---- weights: of the rows, in fits and in scores
---@param model manilius.Estimator
---@param X manilius.X
---@param y manilius.Y
---@param options? { cv?: integer|table, groups?: manilius.Y, lengths?: any, param?: string, path?: any, scoring?: string|function|table, threads?: integer, values?: any, weights?: manilius.Numbers }
---@return manilius.Frame
function ml.validation_curve(model, X, y, options) end

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
---Gives: table: version, lua, product (kernels in use), wanted (those that MANILIUS_CPU asks for in vain),
---lapack, cores, threads; prints as a list
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
