---@meta _
-- luacheck: ignore
-- ml.Matrix: settings, values, methods.
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

---The quantile q, from 0 to 1, interpolated linearly; for a list of them a Vector. With an axis, q is one number.
---@param q number|number[]
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
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

---The standard deviation: the root of var.
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

---The variance: squared deviations over n - ddof; ddof is 1 (of a sample) when left out, 0 for a population.
---@param axis? "rows"|"cols"
---@param ddof? number
---@return number|manilius.Vector
function Matrix:var(axis, ddof) end

---yes where the value is neither 0 nor nan, else no.
---@param yes any
---@param no any
---@return manilius.Matrix
function Matrix:where(yes, no) end

---@class manilius
local ml = {}

---Numbers in rows and columns.
---@param from any
---@param ... any
---@return manilius.Matrix
function ml.Matrix(from, ...) end
