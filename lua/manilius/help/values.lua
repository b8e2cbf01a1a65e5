--- Help for what the core defines: matrices, vectors, factors, sparse matrices, and the functions that make them.
--
-- A method is one line, or goes on in lines with more indentation: use | what it gives | example, where X, v, f, S are
-- the value of the class's setup.
-- @module manilius.help.values

local M = { help = {} }

-- What is said of a method of Matrix and of Vector whose arguments differ; @name stands for it.
local said = {
   var = "The variance: squared deviations over n - ddof; ddof is 1 (of a sample) when left out, 0 for a population.",
   std = "The standard deviation: the root of var.",
   quantile = "The quantile q, from 0 to 1, interpolated linearly; for a list of them a Vector.",
}

local function methods(lines)
   local out = {}
   for line in lines:gsub("\n      +", " "):gmatch "[^\n]+" do
      local use, brief, example = line:match "^%s*(.-)%s*|%s*(.-)%s*|%s*(.-)%s*$"
      out[use:match "^[%w_]+"] = { use = use, brief = brief:gsub("@(%w+)", said),
         example = ("print(%s)"):format(example) }
   end
   return out
end

M.methods_of = methods

-- What Matrix and Vector share; # stands for the variable.
local shared = [=[
   add(other) | Sum, element by element; also +. other: a number, Vector (as a row) or Matrix. | #:add(1)
   sub(other) | Difference; also -. | #:sub(1)
   mul(other) | Product element by element; * is that with a number, and the matrix product of two matrices. | #:mul(2)
   div(other) | Quotient; also /. | #:div(2)
   pow(other) | Power; also ^. | #:pow(2)
   gt(other) | 1 where greater than other, else 0. | #:gt(1)
   ge(other) | 1 where greater or equal, else 0. | #:ge(1)
   lt(other) | 1 where less, else 0. | #:lt(1)
   le(other) | 1 where less or equal, else 0. | #:le(1)
   eq(other) | 1 where equal, else 0. | #:eq(1)
   ne(other) | 1 where not equal, else 0. | #:ne(1)
   minimum(other) | The smaller of the two, element by element. | #:minimum(2)
   maximum(other) | The greater of the two. | #:maximum(2)
   abs() | Absolute values. | #:abs()
   sign() | -1, 0 or 1. | #:sign()
   sqrt() | Square roots. | #:sqrt()
   square() | Squares. | #:square()
   reciprocal() | 1 / value. | #:reciprocal()
   floor() | Down to a whole number. | #:floor()
   ceil() | Up to a whole number. | #:ceil()
   round() | To the nearest whole number. | #:round()
   isnan() | 1 where nan, else 0. | #:isnan()
   isfinite() | 1 where neither nan nor infinite, else 0. | #:isfinite()
   exp() | e to the power of each value. | #:exp()
   expm1() | exp(x) - 1, precise near 0. | #:expm1()
   log() | Natural logarithms. | #:log()
   log1p() | log(1 + x), precise near 0. | #:log1p()
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
   clip(low, high) | Values below low become low, above high high; nil: no bound. | #:clip(1, 2)
   where(yes, no) | yes where the value is neither 0 nor nan, else no. | #:gt(1):where(#, 0)
   map(f) | f(value) for each value. | #:map(function(x) return x * x end)
   dot(other) | The sum of the products of two of one shape. | #:dot(#)
   norm([p]) | The Euclidean norm of all values; p: 1, 2 or math.huge. | #:norm()
   any() | Is a value neither 0 nor nan? | #:any()
   all() | Are all values neither 0 nor nan? | #:all()
]=]

M.help.Matrix = {
   use = "Matrix { { 1, 2 }, { 3, 4 } }",
   brief = "Numbers in rows and columns.",
   notes = "Made from a table of rows, a Vector (one column), a Frame of numbers or another Matrix (a copy). X[i] is "
      .. "row i, a view that shares memory; X[i][j] reads and writes. X.rows, X.cols and #X (rows) tell its size. "
      .. "Arithmetic with numbers and Vectors (as rows), X * Y is the matrix product, -X. Missing values are nan. "
      .. "Axes: \"rows\" gives a value for each row, \"cols\" for each column, none for the whole.",
   setup = "local X = ml.Matrix { { 1, 2, 3 }, { 4, 5, 6 } }",
   example = [[
local X = ml.Matrix { { 1, 2, 3 }, { 4, 5, 6 } }
print(X * X:t(), X[2][3], X:mean "cols")]],
   properties = { rows = "number of rows", cols = "number of columns" },
   methods = methods(shared:gsub("#", "X") .. [=[
   get(i, j) | The number in row i and column j. | X:get(1, 2)
   set(i, j, value) | Put a number into row i and column j; gives nothing. | X:set(1, 2, 7)
   fill(value) | Put a number everywhere; gives X. | X:fill(0)
   row(i) | Row i, a view as a Vector. | X:row(2)
   col(j) | Column j, a view as a Vector. | X:col(2)
   diag() | The main diagonal, a view. | X:diag()
   t() | X transposed, a view. | X:t()
   slice([row, last_row [, col, last_col]]) | A part, as a view; what is left out is the first or last.
      | X:slice(1, 2, 2, 3)
   copy() | A copy that shares nothing. | X:copy()
   reshape(rows, cols) | The values row by row in another shape, a copy. | X:reshape(3, 2)
   flatten() | The values row by row as a Vector, a copy. | X:flatten()
   take(rows) | These rows, in this order; they may repeat. | X:take { 2, 1, 2 }
   select(cols) | These columns, in this order. | X:select { 3, 1 }
   totable() | A table of rows, each a table of numbers. | #X:totable()
   sum([axis]) | The sum. | X:sum "cols"
   mean([axis]) | The mean. | X:mean "cols"
   min([axis]) | The least. | X:min "rows"
   max([axis]) | The greatest. | X:max "rows"
   var([axis [, ddof]]) | @var | X:var "cols"
   std([axis [, ddof]]) | @std | X:std "cols"
   quantile(q [, axis]) | @quantile With an axis, q is one number. | X:quantile(0.5, "cols")
   median([axis]) | The median. | X:median "cols"
   cumsum(axis) | Sums up to each place, along "rows" or "cols". | X:cumsum "rows"
   trace() | The sum of the main diagonal. | X:slice(1, 2, 1, 2):trace()
   argmin([axis]) | Place of the least: row and column, or one for each row or column. | X:argmin "rows"
   argmax([axis]) | Place of the greatest. | X:argmax "rows"
]=]),
}

M.help.Vector = {
   use = "Vector { 1, 2, 3 } or Vector(n [, value])",
   brief = "Numbers in a line.",
   notes = "v[i] reads and writes; #v or v.size is its length. v.whole: its numbers are whole, and come as integers. "
      .. "Arithmetic is element by element. Missing values are nan.",
   setup = "local v = ml.Vector { 3, 1, 2 }",
   example = [[
local v = ml.Vector { 3, 1, 2 }
print(v * 2 + 1, v:sort(), v:mean())]],
   properties = { size = "number of elements", whole = "are all numbers whole?" },
   methods = methods(shared:gsub("#", "v") .. [=[
   get(i) | Element i. | v:get(1)
   set(i, value) | Put a number at place i; gives nothing. | v:set(1, 7)
   fill(value) | Put a number everywhere; gives v. | v:fill(0)
   slice([first [, last]]) | A part, as a view. | v:slice(2, 3)
   as_column() | A Matrix of one column, a view. | v:as_column()
   as_row() | A Matrix of one row, a view. | v:as_row()
   copy() | A copy that shares nothing. | v:copy()
   reshape(rows, cols) | A Matrix filled row by row. | v:reshape(1, 3)
   take(places) | These elements, in this order. | v:take { 3, 1 }
   totable() | A table of numbers. | #v:totable()
   sum() | The sum. | v:sum()
   mean() | The mean. | v:mean()
   min() | The least. | v:min()
   max() | The greatest. | v:max()
   var([ddof]) | @var | v:var(0)
   std([ddof]) | @std | v:std()
   quantile(q) | @quantile | v:quantile { 0.25, 0.75 }
   median() | The median. | v:median()
   argmin() | Place of the least. | v:argmin()
   argmax() | Place of the greatest. | v:argmax()
   cumsum() | Sums up to each place. | v:cumsum()
   sort([order]) | A copy in ascending (or "descending") order; nan last. | v:sort "descending"
   argsort([order]) | Places, so that v:take(v:argsort()) is v:sort(). | v:argsort()
   unique() | Distinct values in ascending order, and how often each occurs. | v:unique()
   nonzero() | The places where v is neither 0 nor nan, for take. | v:gt(1):nonzero()
]=]),
}

M.help.Factor = {
   use = 'Factor { "a", "b", nil, "a", n = 4 } or Factor { ..., levels = { ... } }',
   brief = "Labels (texts, numbers, booleans) with their levels.",
   notes = "f[i] is the label as it came, nil where missing; #f or f.size is its length, f.levels the list of levels "
      .. "in ascending order. Give n where missing labels end the list.",
   setup = 'local f = ml.Factor { "pear", "apple", "pear" }',
   example = [[
local f = ml.Factor { "pear", "apple", nil, "pear", n = 4 }
print(f, f[1], f:counts())]],
   properties = { size = "number of elements", levels = "list of levels, ascending" },
   methods = methods [=[
   codes() | Vector of places in f.levels, nan where missing. | f:codes()
   counts() | Vector of the number of elements at each level, and the number of missing ones. | f:counts()
   eq(label) | Vector of 1 where the element is this label, else 0. | f:eq "pear"
   ismissing() | Vector of 1 where missing, else 0. | f:ismissing()
   take(places) | These elements, in this order, with the same levels. | f:take { 3, 2 }
   slice([first [, last]]) | A part, as a copy. | f:slice(1, 2)
   recode(map) | Other labels: { old = new }; levels of one new name become one. | f:recode { pear = "fruit" }
   drop_levels() | Only the levels that occur. | f:slice(1, 1):drop_levels()
   totable() | A table of labels, nil where missing. | #f:totable()
]=],
}

M.help.Sparse = {
   use = "Sparse { rows =, cols =, entries = { { i, j, value }, ... } } or Sparse.from(X)",
   brief = "A matrix of which only the values that are not 0 are held, by rows.",
   notes = "Values of one place are added. Estimators that take sparse X say so. S.rows, S.cols, S.nnz; S * v and S "
      .. "* X are products.",
   setup = "local S = ml.Sparse { rows = 2, cols = 3, entries = { { 1, 3, 5 }, { 2, 1, 4 } } }",
   example = [[
local S = ml.Sparse { rows = 2, cols = 3, entries = { { 1, 3, 5 }, { 2, 1, 4 } } }
print(S, S:todense())]],
   properties = { rows = "number of rows", cols = "number of columns", nnz = "number of values that are held" },
   methods = methods [=[
   get(i, j) | The number in row i and column j. | S:get(1, 3)
   row(i) | Row i: a table of columns, a table of their values. | #S:row(1)
   todense() | All of it as a Matrix. | S:todense()
   t() | S transposed. | S:t()
   take(rows) | These rows, in this order. | S:take { 2, 2 }
   slice([first [, last]]) | Rows first to last, a copy. | S:slice(1, 1)
   sum([axis]) | The sum of all values, of each row ("rows") or column ("cols"). | S:sum "cols"
]=],
   functions = { from = { use = "Sparse.from(X)", brief = "The values of a Matrix that are not 0.",
      example = "print(ml.Sparse.from { { 0, 1 }, { 2, 0 } })" } },
}

local function maker(name, args, brief, returns, example)
   M.help[name] = { args = args, brief = brief, returns = returns, example = ("print(ml.%s)"):format(example) }
end

maker("zeros", { "rows", "cols" }, "A matrix of zeros.", "Matrix", "zeros(2, 3)")
maker("ones", { "rows", "cols" }, "A matrix of ones.", "Matrix", "ones(2, 3)")
maker("full", { "rows", "cols", "value" }, "A matrix of one value.", "Matrix", "full(2, 3, 7)")
maker("eye", { "n" }, "The identity matrix.", "Matrix, n x n", "eye(3)")
maker("range", { "a", "b", "[step]" }, "The numbers a, a + step, ... up to b; range(n) is 1 to n.", "Vector",
   "range(2, 10, 2)")
maker("linspace", { "a", "b", "n" }, "n numbers from a to b in equal steps, both ends included.", "Vector",
   "linspace(0, 1, 5)")
maker("random", { "rows", "cols", "[seed]" }, "Uniform random numbers in [0, 1), the same for the same seed.",
   "Matrix; a Vector where cols is nil", "random(2, 3, 42)")
maker("normal", { "rows", "cols", "[seed]" }, "Standard normal random numbers, the same for the same seed.",
   "Matrix; a Vector where cols is nil", "normal(5, nil, 42)")
maker("permutation", { "n", "[seed]" }, "The numbers 1 to n in random order.", "Vector", "permutation(5, 42)")
maker("hcat", { "X", "Y", "..." }, "Matrices side by side; a Vector is a column.", "Matrix",
   "hcat(ml.eye(2), ml.Vector { 5, 6 })")
maker("vcat", { "X", "Y", "..." }, "Matrices one below the other; a Vector is a row.", "Matrix",
   "vcat(ml.eye(2), ml.Vector { 5, 6 })")

M.help.unset = {
   use = "{ setting = ml.unset }",
   brief = "Stands for nil in a table of settings, which cannot hold one.",
   notes = "Taken by constructors, by set_params, and in the lists of a search; refused where the setting cannot be "
      .. "nil. Tables of results show it as nil.",
   example = [[
local model = ml.RidgeCV { alphas = { 1, 2 } }
print(model, model:set_params { alphas = ml.unset })]],
}

M.help.threads = {
   args = { "[n]" },
   brief = "How many threads work on one operation; with n, from now on: 0 for the cores this process may use, 1 for "
      .. "none.",
   returns = "the number of threads; results do not depend on it",
   example = "print(ml.threads())",
}

return M
