--- Help for matrices, vectors, factors, sparse matrices, and the functions that create them.
--
-- Each method is one line, use | brief | example, continued in lines with more indentation. In the examples X, v, f and
-- S are defined by the setup of the class.

local M = { help = {} }

-- Briefs shared by methods of Matrix and Vector whose arguments differ; "@name" refers to them.
local shared_briefs = {
   var = "Variance with divisor n - ddof; ddof is 1 by default, 0 for a population.",
   std = "Standard deviation: the square root of var.",
   quantile = "Quantile for q in [0, 1], linearly interpolated; a list of q gives a Vector.",
}

local function methods(lines)
   local out = {}
   for line in lines:gsub("\n      +", " "):gmatch "[^\n]+" do
      local use, brief, example = line:match "^%s*(.-)%s*|%s*(.-)%s*|%s*(.-)%s*$"
      out[use:match "^[%w_]+"] = { use = use, brief = brief:gsub("@(%w+)", shared_briefs),
         example = ("print(%s)"):format(example) }
   end
   return out
end

M.methods_of = methods

-- Methods of both Matrix and Vector; # stands for the variable.
local shared_methods = [=[
   add(other) | Elementwise sum; also +. other: a number, a Vector (a row) or a Matrix. | #:add(1)
   sub(other) | Elementwise difference; also -. | #:sub(1)
   mul(other) | Elementwise product; * between two matrices is the matrix product. | #:mul(2)
   div(other) | Elementwise quotient; also /. | #:div(2)
   pow(other) | Elementwise power; also ^. | #:pow(2)
   gt(other) | 1 where greater than other, else 0. | #:gt(1)
   ge(other) | 1 where greater than or equal to other, else 0. | #:ge(1)
   lt(other) | 1 where less than other, else 0. | #:lt(1)
   le(other) | 1 where less than or equal to other, else 0. | #:le(1)
   eq(other) | 1 where equal, else 0. | #:eq(1)
   ne(other) | 1 where not equal, else 0. | #:ne(1)
   minimum(other) | Elementwise minimum. | #:minimum(2)
   maximum(other) | Elementwise maximum. | #:maximum(2)
   abs() | Absolute values. | #:abs()
   sign() | Signs: -1, 0 or 1. | #:sign()
   sqrt() | Square roots. | #:sqrt()
   square() | Squares. | #:square()
   reciprocal() | 1 / value. | #:reciprocal()
   floor() | Round down to integers. | #:floor()
   ceil() | Round up to integers. | #:ceil()
   round() | Round to the nearest integers. | #:round()
   isnan() | 1 where nan, else 0. | #:isnan()
   isfinite() | 1 where neither nan nor infinite, else 0. | #:isfinite()
   exp() | Exponentials. | #:exp()
   expm1() | exp(x) - 1, accurate near 0. | #:expm1()
   log() | Natural logarithms. | #:log()
   log1p() | log(1 + x), accurate near 0. | #:log1p()
   log2() | Logarithms to base 2. | #:log2()
   log10() | Logarithms to base 10. | #:log10()
   sin() | Sines. | #:sin()
   cos() | Cosines. | #:cos()
   tan() | Tangents. | #:tan()
   asin() | Inverse sines. | #:div(10):asin()
   acos() | Inverse cosines. | #:div(10):acos()
   atan() | Inverse tangents. | #:atan()
   sinh() | Hyperbolic sines. | #:sinh()
   cosh() | Hyperbolic cosines. | #:cosh()
   tanh() | Hyperbolic tangents. | #:tanh()
   sigmoid() | 1 / (1 + exp(-x)). | #:sigmoid()
   erf() | The error function. | #:erf()
   clip(low, high) | Limit values to [low, high]; nil: no bound. | #:clip(1, 2)
   where(yes, no) | yes where the value is neither 0 nor nan, else no. | #:gt(1):where(#, 0)
   map(f) | Apply f to each value. | #:map(function(x) return x * x end)
   dot(other) | Sum of elementwise products; both must have the same shape. | #:dot(#)
   norm([p]) | Vector p-norm of all values: p = 1, 2 (default) or math.huge. | #:norm()
   any() | Is any value neither 0 nor nan? | #:any()
   all() | Are all values neither 0 nor nan? | #:all()
]=]

M.help.Matrix = {
   use = "Matrix { { 1, 2 }, { 3, 4 } }",
   brief = "A dense matrix of float64 numbers.",
   notes = "Created from a table of rows, a Vector (one column), a Frame of numbers or another Matrix (a copy). X[i] "
      .. "is "
      .. "row i, a view that shares memory; X[i][j] reads and writes. X.rows, X.cols and #X (rows) give its size. "
      .. "Arithmetic works with numbers and Vectors (as rows); X * Y is the matrix product. Missing values are nan. "
      .. "axis: \"rows\" gives one value per row, \"cols\" one per column, nil one for the whole matrix.",
   setup = "local X = ml.Matrix { { 1, 2, 3 }, { 4, 5, 6 } }",
   example = [[
local X = ml.Matrix { { 1, 2, 3 }, { 4, 5, 6 } }
print(X * X:t(), X[2][3], X:mean "cols")]],
   properties = { rows = "number of rows", cols = "number of columns",
      names = "names of the columns, such as the classes of predict_proba, or nil; kept by slice and take of rows" },
   methods = methods(shared_methods:gsub("#", "X") .. [=[
   get(i, j) | The element in row i and column j. | X:get(1, 2)
   set(i, j, value) | Set the element in row i and column j; returns nothing. | X:set(1, 2, 7)
   fill(value) | Set all elements in place; returns X. | X:fill(0)
   row(i) | Row i as a Vector (a view). | X:row(2)
   col(j) | Column j, an index or a name if the columns have names, as a Vector (a view). | X:col(2)
   diag() | The main diagonal (a view). | X:diag()
   t() | The transpose of X (a view). | X:t()
   slice([row, last_row [, col, last_col]]) | A submatrix (a view); defaults are the first and last row or column.
      | X:slice(1, 2, 2, 3)
   copy() | A deep copy. | X:copy()
   reshape(rows, cols) | A copy with another shape, filled row by row. | X:reshape(3, 2)
   flatten() | The values row by row as a Vector (a copy). | X:flatten()
   take(rows) | The rows with these indices, in this order; may repeat. | X:take { 2, 1, 2 }
   select(cols) | The columns with these indices, in this order. | X:select { 3, 1 }
   totable() | A table of rows, each a table of numbers. | #X:totable()
   sum([axis]) | Sum. | X:sum "cols"
   mean([axis]) | Mean. | X:mean "cols"
   min([axis]) | Minimum. | X:min "rows"
   max([axis]) | Maximum. | X:max "rows"
   var([axis [, ddof]]) | @var | X:var "cols"
   std([axis [, ddof]]) | @std | X:std "cols"
   quantile(q [, axis]) | Quantile for q in [0, 1]; without an axis q may be a list.
      | X:quantile(0.5, "cols")
   median([axis]) | Median. | X:median "cols"
   cumsum(axis) | Cumulative sums along "rows" or "cols". | X:cumsum "rows"
   solve(B) | The solution Z of X * Z = B for a square X; B is a Vector or a Matrix.
      | X:slice(1, 2, 1, 2):solve { 1, 2 }
   inverse() | The inverse of a square matrix. | X:slice(1, 2, 1, 2):inverse()
   pinv([tolerance]) | The Moore-Penrose inverse; singular values up to tolerance times the largest count as 0.
      | X:pinv()
   svd() | Singular value decomposition: U, s, V with X = U diag(s) V', of economy size. | X:svd()
   cov([ddof]) | Covariance matrix of the columns, with divisor n - ddof; ddof is 1 by default. | X:cov()
   corr([method]) | Correlation matrix of the columns: "pearson" (default), "spearman" or "kendall". | X:corr()
   trace() | Sum of the main diagonal. | X:slice(1, 2, 1, 2):trace()
   argmin([axis]) | Index of the minimum: row and column, or one index per row or column. | X:argmin "rows"
   argmax([axis]) | Index of the maximum: row and column, or one index per row or column. | X:argmax "rows"
]=]),
}

M.help.Vector = {
   use = "Vector { 1, 2, 3 } or Vector(n [, value])",
   brief = "A vector of float64 numbers.",
   notes = "v[i] reads and writes; #v or v.size is its length. If v.whole is true, elements are read as Lua integers. "
      .. "Arithmetic is elementwise. Missing values are nan.",
   setup = "local v = ml.Vector { 3, 1, 2 }",
   example = [[
local v = ml.Vector { 3, 1, 2 }
print(v * 2 + 1, v:sort(), v:mean())]],
   properties = { size = "number of elements", whole = "true if the numbers are integers" },
   methods = methods(shared_methods:gsub("#", "v") .. [=[
   get(i) | Element i. | v:get(1)
   set(i, value) | Set element i; returns nothing. | v:set(1, 7)
   fill(value) | Set all elements in place; returns v. | v:fill(0)
   slice([first [, last]]) | Elements first to last (a view). | v:slice(2, 3)
   as_column() | A Matrix with one column (a view). | v:as_column()
   as_row() | A Matrix with one row (a view). | v:as_row()
   copy() | A deep copy. | v:copy()
   reshape(rows, cols) | A Matrix filled row by row. | v:reshape(1, 3)
   take(indices) | The elements with these indices, in this order; may repeat. | v:take { 3, 1 }
   totable() | A table of numbers. | #v:totable()
   sum() | Sum. | v:sum()
   mean() | Mean. | v:mean()
   min() | Minimum. | v:min()
   max() | Maximum. | v:max()
   var([ddof]) | @var | v:var(0)
   std([ddof]) | @std | v:std()
   quantile(q) | @quantile | v:quantile { 0.25, 0.75 }
   median() | Median. | v:median()
   argmin() | Index of the minimum. | v:argmin()
   argmax() | Index of the maximum. | v:argmax()
   cumsum() | Cumulative sums. | v:cumsum()
   sort([order]) | A sorted copy, ascending or "descending"; nan last. | v:sort "descending"
   argsort([order]) | Indices that sort v: v:take(v:argsort()) is v:sort(). | v:argsort()
   unique() | Distinct values in ascending order, and their counts. | v:unique()
   nonzero() | Indices of elements that are neither 0 nor nan. | v:gt(1):nonzero()
]=]),
}

M.help.Factor = {
   use = 'Factor { "a", "b", nil, "a", n = 4 } or Factor { ..., levels = { ... } }',
   brief = "A vector of labels (strings, numbers or booleans) with their levels.",
   notes = "f[i] is the original label, nil if missing; #f or f.size is the length, f.levels the list of levels "
      .. "in ascending order. Set n if the list ends with missing labels.",
   setup = 'local f = ml.Factor { "pear", "apple", "pear" }',
   example = [[
local f = ml.Factor { "pear", "apple", nil, "pear", n = 4 }
print(f, f[1], f:counts())]],
   properties = { size = "number of elements", levels = "list of levels, ascending" },
   methods = methods [=[
   codes() | Vector of indices into f.levels, nan where missing. | f:codes()
   counts() | Vector of counts per level, and the number of missing elements. | f:counts()
   eq(other) | Vector: 1 where elements equal a label, or those of a Factor, Vector or list, else 0. | f:eq "pear"
   ne(other) | Vector: 1 where elements differ from a label, or those of a Factor, Vector or list, else 0. | f:ne "pear"
   ismissing() | Vector: 1 where missing, else 0. | f:ismissing()
   take(indices) | The elements with these indices, with the same levels. | f:take { 3, 2 }
   slice([first [, last]]) | Elements first to last (a copy). | f:slice(1, 2)
   recode(map) | Rename levels: { old = new }; equal new names are merged. | f:recode { pear = "fruit" }
   drop_levels() | Drop levels that do not occur. | f:slice(1, 1):drop_levels()
   totable() | A table of labels, nil where missing. | #f:totable()
]=],
}

M.help.Sparse = {
   use = "Sparse { rows =, cols =, entries = { { i, j, value }, ... } } or Sparse.from(X)",
   brief = "A sparse matrix in CSR format: only nonzero values are stored.",
   notes = "Duplicate entries are summed. The help of an estimator says whether it supports sparse X. S.rows, S.cols "
      .. "and S.nnz give the size; S * v and S * X are matrix products.",
   setup = "local S = ml.Sparse { rows = 2, cols = 3, entries = { { 1, 3, 5 }, { 2, 1, 4 } } }",
   example = [[
local S = ml.Sparse { rows = 2, cols = 3, entries = { { 1, 3, 5 }, { 2, 1, 4 } } }
print(S, S:todense())]],
   properties = { rows = "number of rows", cols = "number of columns", nnz = "number of stored values" },
   methods = methods [=[
   get(i, j) | The element in row i and column j. | S:get(1, 3)
   row(i) | Row i: a table of column indices and a table of values. | #S:row(1)
   todense() | Convert to a dense Matrix. | S:todense()
   t() | The transpose of S. | S:t()
   take(rows) | The rows with these indices, in this order; may repeat. | S:take { 2, 2 }
   slice([first [, last]]) | Rows first to last (a copy). | S:slice(1, 1)
   sum([axis]) | Sum of all values, or of each row ("rows") or column ("cols"). | S:sum "cols"
]=],
   functions = { from = { use = "Sparse.from(X)", brief = "Convert a Matrix to a Sparse.",
      example = "print(ml.Sparse.from { { 0, 1 }, { 2, 0 } })" } },
}

local function maker(name, args, brief, returns, example)
   M.help[name] = { args = args, brief = brief, returns = returns, example = ("print(ml.%s)"):format(example) }
end

maker("zeros", { "rows", "cols" }, "A matrix of zeros.", "Matrix", "zeros(2, 3)")
maker("ones", { "rows", "cols" }, "A matrix of ones.", "Matrix", "ones(2, 3)")
maker("full", { "rows", "cols", "value" }, "A matrix of one value.", "Matrix", "full(2, 3, 7)")
maker("eye", { "n" }, "The identity matrix.", "Matrix, n x n", "eye(3)")
maker("range", { "a", "b", "[step]" }, "The numbers a, a + step, ..., up to b; range(n) gives 1 to n.", "Vector",
   "range(2, 10, 2)")
maker("linspace", { "a", "b", "n" }, "n evenly spaced numbers from a to b, both included.", "Vector",
   "linspace(0, 1, 5)")
maker("random", { "rows", "cols", "[seed]" }, "Uniform random numbers in [0, 1), reproducible by seed.",
   "Matrix; a Vector if cols is nil", "random(2, 3, 42)")
maker("normal", { "rows", "cols", "[seed]" }, "Standard normal random numbers, reproducible by seed.",
   "Matrix; a Vector if cols is nil", "normal(5, nil, 42)")
maker("permutation", { "n", "[seed]" }, "A random permutation of the numbers 1 to n.", "Vector", "permutation(5, 42)")
maker("hcat", { "X", "Y", "..." }, "Concatenate matrices horizontally; a Vector is a column.", "Matrix",
   "hcat(ml.eye(2), ml.Vector { 5, 6 })")
maker("vcat", { "X", "Y", "..." }, "Concatenate matrices vertically; a Vector is a row.", "Matrix",
   "vcat(ml.eye(2), ml.Vector { 5, 6 })")

M.help.unset = {
   use = "{ setting = ml.unset }",
   brief = "Stands for nil as a parameter value, because Lua tables cannot store nil.",
   notes = "Accepted by constructors, by set_params and in the value lists of a search, if the parameter may be nil. "
      .. "Result tables show it as nil.",
   example = [[
local model = ml.RidgeCV { alphas = { 1, 2 } }
print(model, model:set_params { alphas = ml.unset })]],
}

M.help.threads = {
   args = { "[n]" },
   brief = "Get or set the number of threads; 0: all available cores, 1: no threads.",
   returns = "the number of threads; it does not affect results",
   example = "print(ml.threads())",
}

return M
