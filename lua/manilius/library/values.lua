---@meta _
-- luacheck: ignore
-- Values.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---Numbers in rows and columns.
---
---Made from a table of rows, a Vector (one column), a Frame of numbers or another Matrix (a copy). X[i] is row i,
---a view that shares memory; X[i][j] reads and writes. X.rows, X.cols and #X (rows) tell its size. Arithmetic
---with numbers and Vectors (as rows), X * Y is the matrix product, -X. Missing values are nan. Axes: "rows" gives
---a value for each row, "cols" for each column, none for the whole.
---@class manilius.Matrix
---@operator add(any): manilius.Matrix
---@operator sub(any): manilius.Matrix
---@operator mul(any): any
---@operator div(any): manilius.Matrix
---@operator pow(any): manilius.Matrix
---@operator unm: manilius.Matrix
---@field cols integer # number of columns
---@field rows integer # number of rows
---@field [integer] manilius.Vector
local Matrix = {}

---Absolute values.
---@return manilius.Matrix
function Matrix:abs() end

---Inverse cosines.
---@return manilius.Matrix
function Matrix:acos() end

---Sum, element by element; also +. other: a number, Vector (as a row) or Matrix.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:add(other) end

---Are all values neither 0 nor nan?
---@return boolean
function Matrix:all() end

---Is a value neither 0 nor nan?
---@return boolean
function Matrix:any() end

---Place of the greatest.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
---@return number
function Matrix:argmax(axis) end

---Place of the least: row and column, or one for each row or column.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
---@return number
function Matrix:argmin(axis) end

---Inverse sines.
---@return manilius.Matrix
function Matrix:asin() end

---Inverse tangents.
---@return manilius.Matrix
function Matrix:atan() end

---Up to a whole number.
---@return manilius.Matrix
function Matrix:ceil() end

---Values below low become low, above high high; nil: no bound.
---@param low number?
---@param high number?
---@return manilius.Matrix
function Matrix:clip(low, high) end

---Column j, a view as a Vector.
---@param j integer
---@return manilius.Vector
function Matrix:col(j) end

---A copy that shares nothing.
---@return manilius.Matrix
function Matrix:copy() end

---Cosines.
---@return manilius.Matrix
function Matrix:cos() end

---Hyperbolic cosines.
---@return manilius.Matrix
function Matrix:cosh() end

---Sums up to each place, along "rows" or "cols".
---@param axis "rows"|"cols"
---@return manilius.Matrix
function Matrix:cumsum(axis) end

---The main diagonal, a view.
---@return manilius.Vector
function Matrix:diag() end

---Quotient; also /.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:div(other) end

---The sum of the products of two of one shape.
---@param other number|manilius.Vector|manilius.Matrix
---@return number
function Matrix:dot(other) end

---1 where equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:eq(other) end

---The error function.
---@return manilius.Matrix
function Matrix:erf() end

---e to the power of each value.
---@return manilius.Matrix
function Matrix:exp() end

---exp(x) - 1, precise near 0.
---@return manilius.Matrix
function Matrix:expm1() end

---Put a number everywhere; gives X.
---@param value any
---@return manilius.Matrix
function Matrix:fill(value) end

---The values row by row as a Vector, a copy.
---@return manilius.Vector
function Matrix:flatten() end

---Down to a whole number.
---@return manilius.Matrix
function Matrix:floor() end

---1 where greater or equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:ge(other) end

---The number in row i and column j.
---@param i integer
---@param j integer
---@return number
function Matrix:get(i, j) end

---1 where greater than other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:gt(other) end

---1 where neither nan nor infinite, else 0.
---@return manilius.Matrix
function Matrix:isfinite() end

---1 where nan, else 0.
---@return manilius.Matrix
function Matrix:isnan() end

---1 where less or equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:le(other) end

---Natural logarithms.
---@return manilius.Matrix
function Matrix:log() end

---Logarithms to base 10.
---@return manilius.Matrix
function Matrix:log10() end

---log(1 + x), precise near 0.
---@return manilius.Matrix
function Matrix:log1p() end

---Logarithms to base 2.
---@return manilius.Matrix
function Matrix:log2() end

---1 where less, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:lt(other) end

---f(value) for each value.
---@param f fun(x: number): number
---@return manilius.Matrix
function Matrix:map(f) end

---The greatest.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:max(axis) end

---The greater of the two.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:maximum(other) end

---The mean.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:mean(axis) end

---The median.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:median(axis) end

---The least.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:min(axis) end

---The smaller of the two, element by element.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:minimum(other) end

---Product element by element; * is that with a number, and the matrix product of two matrices.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:mul(other) end

---1 where not equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:ne(other) end

---The Euclidean norm of all values; p: 1, 2 or math.huge.
---@param p? number
---@return number
function Matrix:norm(p) end

---Power; also ^.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:pow(other) end

---Quantiles between 0 and 1.
---@param q number|number[]
---@param axis? "rows"|"cols"
---@return manilius.Vector
function Matrix:quantile(q, axis) end

---1 / value.
---@return manilius.Matrix
function Matrix:reciprocal() end

---The values row by row in another shape, a copy.
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Matrix:reshape(rows, cols) end

---To the nearest whole number.
---@return manilius.Matrix
function Matrix:round() end

---Row i, a view as a Vector.
---@param i integer
---@return manilius.Vector
function Matrix:row(i) end

---These columns, in this order.
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Matrix:select(cols) end

---Put a number into row i and column j; gives nothing.
---@param i integer
---@param j integer
---@param value any
---@return any
function Matrix:set(i, j, value) end

---1 / (1 + exp(-x)).
---@return manilius.Matrix
function Matrix:sigmoid() end

----1, 0 or 1.
---@return manilius.Matrix
function Matrix:sign() end

---Sines.
---@return manilius.Matrix
function Matrix:sin() end

---Hyperbolic sines.
---@return manilius.Matrix
function Matrix:sinh() end

---A part, as a view; what is left out is the first or last.
---@param row? integer
---@param last_row? integer
---@param col? integer
---@param last_col? integer
---@return manilius.Matrix
function Matrix:slice(row, last_row, col, last_col) end

---Square roots.
---@return manilius.Matrix
function Matrix:sqrt() end

---Squares.
---@return manilius.Matrix
function Matrix:square() end

---The standard deviation.
---@param axis? "rows"|"cols"
---@param ddof? number
---@return number|manilius.Vector
function Matrix:std(axis, ddof) end

---Difference; also -.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:sub(other) end

---The sum.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:sum(axis) end

---X transposed, a view.
---@return manilius.Matrix
function Matrix:t() end

---These rows, in this order; they may repeat.
---@param rows integer|manilius.Numbers
---@return manilius.Matrix
function Matrix:take(rows) end

---Tangents.
---@return manilius.Matrix
function Matrix:tan() end

---Hyperbolic tangents.
---@return manilius.Matrix
function Matrix:tanh() end

---A table of rows, each a table of numbers.
---@return table
function Matrix:totable() end

---The sum of the main diagonal.
---@return number
function Matrix:trace() end

---The variance: squared deviations over n - ddof.
---@param axis? "rows"|"cols"
---@param ddof? number
---@return number|manilius.Vector
function Matrix:var(axis, ddof) end

---yes where the value is neither 0 nor nan, else no.
---@param yes any
---@param no any
---@return manilius.Matrix
function Matrix:where(yes, no) end

---Numbers in a line.
---
---v[i] reads and writes; #v or v.size is its length. v.whole: its numbers are whole, and come as integers.
---Arithmetic is element by element. Missing values are nan.
---@class manilius.Vector
---@operator add(any): manilius.Vector
---@operator sub(any): manilius.Vector
---@operator mul(any): any
---@operator div(any): manilius.Vector
---@operator pow(any): manilius.Vector
---@operator unm: manilius.Vector
---@field size integer # number of elements
---@field whole boolean # are all numbers whole?
---@field [integer] number
local Vector = {}

---Absolute values.
---@return manilius.Vector
function Vector:abs() end

---Inverse cosines.
---@return manilius.Vector
function Vector:acos() end

---Sum, element by element; also +. other: a number, Vector (as a row) or Matrix.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:add(other) end

---Are all values neither 0 nor nan?
---@return boolean
function Vector:all() end

---Is a value neither 0 nor nan?
---@return boolean
function Vector:any() end

---Place of the greatest.
---@return number
function Vector:argmax() end

---Place of the least.
---@return number
function Vector:argmin() end

---Places, so that v:take(v:argsort()) is v:sort().
---@param order? "ascending"|"descending"
---@return manilius.Vector
function Vector:argsort(order) end

---A Matrix of one column, a view.
---@return manilius.Matrix
function Vector:as_column() end

---A Matrix of one row, a view.
---@return manilius.Matrix
function Vector:as_row() end

---Inverse sines.
---@return manilius.Vector
function Vector:asin() end

---Inverse tangents.
---@return manilius.Vector
function Vector:atan() end

---Up to a whole number.
---@return manilius.Vector
function Vector:ceil() end

---Values below low become low, above high high; nil: no bound.
---@param low number?
---@param high number?
---@return manilius.Vector
function Vector:clip(low, high) end

---A copy that shares nothing.
---@return manilius.Vector
function Vector:copy() end

---Cosines.
---@return manilius.Vector
function Vector:cos() end

---Hyperbolic cosines.
---@return manilius.Vector
function Vector:cosh() end

---Sums up to each place.
---@return manilius.Vector
function Vector:cumsum() end

---Quotient; also /.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:div(other) end

---The sum of the products of two of one shape.
---@param other number|manilius.Vector|manilius.Matrix
---@return number
function Vector:dot(other) end

---1 where equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:eq(other) end

---The error function.
---@return manilius.Vector
function Vector:erf() end

---e to the power of each value.
---@return manilius.Vector
function Vector:exp() end

---exp(x) - 1, precise near 0.
---@return manilius.Vector
function Vector:expm1() end

---Put a number everywhere; gives v.
---@param value any
---@return manilius.Vector
function Vector:fill(value) end

---Down to a whole number.
---@return manilius.Vector
function Vector:floor() end

---1 where greater or equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:ge(other) end

---Element i.
---@param i integer
---@return number
function Vector:get(i) end

---1 where greater than other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:gt(other) end

---1 where neither nan nor infinite, else 0.
---@return manilius.Vector
function Vector:isfinite() end

---1 where nan, else 0.
---@return manilius.Vector
function Vector:isnan() end

---1 where less or equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:le(other) end

---Natural logarithms.
---@return manilius.Vector
function Vector:log() end

---Logarithms to base 10.
---@return manilius.Vector
function Vector:log10() end

---log(1 + x), precise near 0.
---@return manilius.Vector
function Vector:log1p() end

---Logarithms to base 2.
---@return manilius.Vector
function Vector:log2() end

---1 where less, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:lt(other) end

---f(value) for each value.
---@param f fun(x: number): number
---@return manilius.Vector
function Vector:map(f) end

---The greatest.
---@return number
function Vector:max() end

---The greater of the two.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:maximum(other) end

---The mean.
---@return number
function Vector:mean() end

---The median.
---@return number
function Vector:median() end

---The least.
---@return number
function Vector:min() end

---The smaller of the two, element by element.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:minimum(other) end

---Product element by element; * is that with a number, and the matrix product of two matrices.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:mul(other) end

---1 where not equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:ne(other) end

---The places where v is neither 0 nor nan, for take.
---@return manilius.Vector
function Vector:nonzero() end

---The Euclidean norm of all values; p: 1, 2 or math.huge.
---@param p? number
---@return number
function Vector:norm(p) end

---Power; also ^.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:pow(other) end

---A quantile, or several for a list.
---@param q number|number[]
---@return manilius.Vector
function Vector:quantile(q) end

---1 / value.
---@return manilius.Vector
function Vector:reciprocal() end

---A Matrix filled row by row.
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Vector:reshape(rows, cols) end

---To the nearest whole number.
---@return manilius.Vector
function Vector:round() end

---Put a number at place i; gives nothing.
---@param i integer
---@param value any
---@return any
function Vector:set(i, value) end

---1 / (1 + exp(-x)).
---@return manilius.Vector
function Vector:sigmoid() end

----1, 0 or 1.
---@return manilius.Vector
function Vector:sign() end

---Sines.
---@return manilius.Vector
function Vector:sin() end

---Hyperbolic sines.
---@return manilius.Vector
function Vector:sinh() end

---A part, as a view.
---@param first? integer
---@param last? integer
---@return manilius.Vector
function Vector:slice(first, last) end

---A copy in ascending (or "descending") order; nan last.
---@param order? "ascending"|"descending"
---@return manilius.Vector
function Vector:sort(order) end

---Square roots.
---@return manilius.Vector
function Vector:sqrt() end

---Squares.
---@return manilius.Vector
function Vector:square() end

---The standard deviation.
---@param ddof? number
---@return number
function Vector:std(ddof) end

---Difference; also -.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:sub(other) end

---The sum.
---@return number
function Vector:sum() end

---These elements, in this order.
---@param places manilius.Numbers
---@return manilius.Vector
function Vector:take(places) end

---Tangents.
---@return manilius.Vector
function Vector:tan() end

---Hyperbolic tangents.
---@return manilius.Vector
function Vector:tanh() end

---A table of numbers.
---@return table
function Vector:totable() end

---Distinct values in ascending order, and how often each occurs.
---@return manilius.Vector
---@return manilius.Vector
function Vector:unique() end

---The variance: squared deviations over n - ddof.
---@param ddof? number
---@return number
function Vector:var(ddof) end

---yes where the value is neither 0 nor nan, else no.
---@param yes any
---@param no any
---@return manilius.Vector
function Vector:where(yes, no) end

---Labels (texts, numbers, booleans) with their levels.
---
---f[i] is the label as it came, nil where missing; #f or f.size is its length, f.levels the list of levels in
---ascending order. Give n where missing labels end the list.
---@class manilius.Factor
---@field levels manilius.Label[] # list of levels, ascending
---@field size integer # number of elements
---@field [integer] manilius.Label
local Factor = {}

---Vector of places in f.levels, nan where missing.
---@return manilius.Vector
function Factor:codes() end

---Vector of the number of elements at each level, and the number of missing ones.
---@return manilius.Vector
---@return number
function Factor:counts() end

---Only the levels that occur.
---@return manilius.Factor
function Factor:drop_levels() end

---Vector of 1 where the element is this label, else 0.
---@param label manilius.Label
---@return manilius.Vector
function Factor:eq(label) end

---Vector of 1 where missing, else 0.
---@return manilius.Vector
function Factor:ismissing() end

---Other labels: { old = new }; levels of one new name become one.
---@param map table<any, any>
---@return manilius.Factor
function Factor:recode(map) end

---A part, as a copy.
---@param first? integer
---@param last? integer
---@return manilius.Factor
function Factor:slice(first, last) end

---These elements, in this order, with the same levels.
---@param places manilius.Numbers
---@return manilius.Factor
function Factor:take(places) end

---A table of labels, nil where missing.
---@return table
function Factor:totable() end

---A matrix of which only the values that are not 0 are held, by rows.
---
---Values of one place are added. Estimators that take sparse X say so. S.rows, S.cols, S.nnz; S * v and S * X are
---products.
---@class manilius.Sparse
---@operator mul(any): any
---@field cols integer # number of columns
---@field nnz integer # number of values that are held
---@field rows integer # number of rows
local Sparse = {}

---The number in row i and column j.
---@param i integer
---@param j integer
---@return number
function Sparse:get(i, j) end

---Row i: a table of columns, a table of their values.
---@param i integer
---@return table
---@return table
function Sparse:row(i) end

---Rows first to last, a copy.
---@param first? integer
---@param last? integer
---@return manilius.Sparse
function Sparse:slice(first, last) end

---The sum of all values, of each row ("rows") or column ("cols").
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Sparse:sum(axis) end

---S transposed.
---@return manilius.Sparse
function Sparse:t() end

---These rows, in this order.
---@param rows integer|manilius.Numbers
---@return manilius.Sparse
function Sparse:take(rows) end

---All of it as a Matrix.
---@return manilius.Matrix
function Sparse:todense() end
