---@meta _
-- luacheck: ignore
-- ml.Matrix: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A dense matrix of float64 numbers.
---
---Created from a table of rows, a Vector (one column), a Frame of numbers or another Matrix (a copy). X[i] is row
---i, a view that shares memory; X[i][j] reads and writes. X.rows, X.cols and #X (rows) give its size. Arithmetic
---works with numbers and Vectors (as rows); X * Y is the matrix product. Missing values are nan. axis: "rows"
---gives one value per row, "cols" one per column, nil one for the whole matrix.
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

---Elementwise sum; also +. other: a number, a Vector (a row) or a Matrix.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:add(other) end

---Are all values neither 0 nor nan?
---@return boolean
function Matrix:all() end

---Is any value neither 0 nor nan?
---@return boolean
function Matrix:any() end

---Index of the maximum: row and column, or one index per row or column.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
---@return number
function Matrix:argmax(axis) end

---Index of the minimum: row and column, or one index per row or column.
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

---Round up to integers.
---@return manilius.Matrix
function Matrix:ceil() end

---Limit values to [low, high]; nil means no bound.
---@param low number?
---@param high number?
---@return manilius.Matrix
function Matrix:clip(low, high) end

---Column j as a Vector (a view).
---@param j integer
---@return manilius.Vector
function Matrix:col(j) end

---A deep copy.
---@return manilius.Matrix
function Matrix:copy() end

---Cosines.
---@return manilius.Matrix
function Matrix:cos() end

---Hyperbolic cosines.
---@return manilius.Matrix
function Matrix:cosh() end

---Cumulative sums along "rows" or "cols".
---@param axis "rows"|"cols"
---@return manilius.Matrix
function Matrix:cumsum(axis) end

---The main diagonal (a view).
---@return manilius.Vector
function Matrix:diag() end

---Elementwise quotient; also /.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:div(other) end

---Sum of elementwise products; both must have the same shape.
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

---Exponentials.
---@return manilius.Matrix
function Matrix:exp() end

---exp(x) - 1, accurate near 0.
---@return manilius.Matrix
function Matrix:expm1() end

---Set all elements in place; returns X.
---@param value any
---@return manilius.Matrix
function Matrix:fill(value) end

---The values row by row as a Vector (a copy).
---@return manilius.Vector
function Matrix:flatten() end

---Round down to integers.
---@return manilius.Matrix
function Matrix:floor() end

---1 where greater than or equal to other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:ge(other) end

---The element in row i and column j.
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

---1 where less than or equal to other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:le(other) end

---Natural logarithms.
---@return manilius.Matrix
function Matrix:log() end

---Logarithms to base 10.
---@return manilius.Matrix
function Matrix:log10() end

---log(1 + x), accurate near 0.
---@return manilius.Matrix
function Matrix:log1p() end

---Logarithms to base 2.
---@return manilius.Matrix
function Matrix:log2() end

---1 where less than other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:lt(other) end

---Apply f to each value.
---@param f fun(x: number): number
---@return manilius.Matrix
function Matrix:map(f) end

---Maximum.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:max(axis) end

---Elementwise maximum.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:maximum(other) end

---Mean.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:mean(axis) end

---Median.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:median(axis) end

---Minimum.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:min(axis) end

---Elementwise minimum.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:minimum(other) end

---Elementwise product; * between two matrices is the matrix product.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:mul(other) end

---1 where not equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:ne(other) end

---Vector p-norm of all values: p = 1, 2 (default) or math.huge.
---@param p? number
---@return number
function Matrix:norm(p) end

---Elementwise power; also ^.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:pow(other) end

---Quantile for q in [0, 1]; without an axis q may be a list.
---@param q number|number[]
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:quantile(q, axis) end

---1 / value.
---@return manilius.Matrix
function Matrix:reciprocal() end

---A copy with another shape, filled row by row.
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Matrix:reshape(rows, cols) end

---Round to the nearest integers.
---@return manilius.Matrix
function Matrix:round() end

---Row i as a Vector (a view).
---@param i integer
---@return manilius.Vector
function Matrix:row(i) end

---The columns with these indices, in this order.
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Matrix:select(cols) end

---Set the element in row i and column j; returns nothing.
---@param i integer
---@param j integer
---@param value any
---@return any
function Matrix:set(i, j, value) end

---1 / (1 + exp(-x)).
---@return manilius.Matrix
function Matrix:sigmoid() end

---Signs: -1, 0 or 1.
---@return manilius.Matrix
function Matrix:sign() end

---Sines.
---@return manilius.Matrix
function Matrix:sin() end

---Hyperbolic sines.
---@return manilius.Matrix
function Matrix:sinh() end

---A submatrix (a view); defaults are the first and last row or column.
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

---Standard deviation: the square root of var.
---@param axis? "rows"|"cols"
---@param ddof? number
---@return number|manilius.Vector
function Matrix:std(axis, ddof) end

---Elementwise difference; also -.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Matrix
function Matrix:sub(other) end

---Sum.
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Matrix:sum(axis) end

---The transpose of X (a view).
---@return manilius.Matrix
function Matrix:t() end

---The rows with these indices, in this order; may repeat.
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

---Sum of the main diagonal.
---@return number
function Matrix:trace() end

---Variance with divisor n - ddof; ddof is 1 by default, 0 for a population.
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

---A dense matrix of float64 numbers.
---@param from any
---@param ... any
---@return manilius.Matrix
function ml.Matrix(from, ...) end
