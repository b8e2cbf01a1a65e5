---@meta _
-- luacheck: ignore
-- ml.Vector: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A vector of float64 numbers.
---
---v[i] reads and writes; #v or v.size is its length. If v.whole is true, elements are read as Lua integers.
---Arithmetic is elementwise. Missing values are nan.
---@class manilius.Vector
---@operator add(any): manilius.Vector
---@operator sub(any): manilius.Vector
---@operator mul(any): any
---@operator div(any): manilius.Vector
---@operator pow(any): manilius.Vector
---@operator unm: manilius.Vector
---@field size integer # number of elements
---@field whole boolean # true if the numbers are integers
---@field [integer] number
local Vector = {}

---Absolute values.
---@return manilius.Vector
function Vector:abs() end

---Inverse cosines.
---@return manilius.Vector
function Vector:acos() end

---Elementwise sum; also +. other: a number, a Vector (a row) or a Matrix.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:add(other) end

---Are all values neither 0 nor nan?
---@return boolean
function Vector:all() end

---Is any value neither 0 nor nan?
---@return boolean
function Vector:any() end

---Index of the maximum.
---@return number
function Vector:argmax() end

---Index of the minimum.
---@return number
function Vector:argmin() end

---Indices that sort v: v:take(v:argsort()) is v:sort().
---@param order? "ascending"|"descending"
---@return manilius.Vector
function Vector:argsort(order) end

---A Matrix with one column (a view).
---@return manilius.Matrix
function Vector:as_column() end

---A Matrix with one row (a view).
---@return manilius.Matrix
function Vector:as_row() end

---Inverse sines.
---@return manilius.Vector
function Vector:asin() end

---Inverse tangents.
---@return manilius.Vector
function Vector:atan() end

---Round up to integers.
---@return manilius.Vector
function Vector:ceil() end

---Limit values to [low, high]; nil means no bound.
---@param low number?
---@param high number?
---@return manilius.Vector
function Vector:clip(low, high) end

---A deep copy.
---@return manilius.Vector
function Vector:copy() end

---Cosines.
---@return manilius.Vector
function Vector:cos() end

---Hyperbolic cosines.
---@return manilius.Vector
function Vector:cosh() end

---Cumulative sums.
---@return manilius.Vector
function Vector:cumsum() end

---Elementwise quotient; also /.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:div(other) end

---Sum of elementwise products; both must have the same shape.
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

---Exponentials.
---@return manilius.Vector
function Vector:exp() end

---exp(x) - 1, accurate near 0.
---@return manilius.Vector
function Vector:expm1() end

---Set all elements in place; returns v.
---@param value any
---@return manilius.Vector
function Vector:fill(value) end

---Round down to integers.
---@return manilius.Vector
function Vector:floor() end

---1 where greater than or equal to other, else 0.
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

---1 where less than or equal to other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:le(other) end

---Natural logarithms.
---@return manilius.Vector
function Vector:log() end

---Logarithms to base 10.
---@return manilius.Vector
function Vector:log10() end

---log(1 + x), accurate near 0.
---@return manilius.Vector
function Vector:log1p() end

---Logarithms to base 2.
---@return manilius.Vector
function Vector:log2() end

---1 where less than other, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:lt(other) end

---Apply f to each value.
---@param f fun(x: number): number
---@return manilius.Vector
function Vector:map(f) end

---Maximum.
---@return number
function Vector:max() end

---Elementwise maximum.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:maximum(other) end

---Mean.
---@return number
function Vector:mean() end

---Median.
---@return number
function Vector:median() end

---Minimum.
---@return number
function Vector:min() end

---Elementwise minimum.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:minimum(other) end

---Elementwise product; * between two matrices is the matrix product.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:mul(other) end

---1 where not equal, else 0.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:ne(other) end

---Indices of elements that are neither 0 nor nan.
---@return manilius.Vector
function Vector:nonzero() end

---Vector p-norm of all values: p = 1, 2 (default) or math.huge.
---@param p? number
---@return number
function Vector:norm(p) end

---Elementwise power; also ^.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:pow(other) end

---Quantile for q in [0, 1], linearly interpolated; a list of q gives a Vector.
---@param q number|number[]
---@return number|manilius.Vector
function Vector:quantile(q) end

---1 / value.
---@return manilius.Vector
function Vector:reciprocal() end

---A Matrix filled row by row.
---@param rows integer|manilius.Numbers
---@param cols integer|manilius.Numbers
---@return manilius.Matrix
function Vector:reshape(rows, cols) end

---Round to the nearest integers.
---@return manilius.Vector
function Vector:round() end

---Set element i; returns nothing.
---@param i integer
---@param value any
---@return any
function Vector:set(i, value) end

---1 / (1 + exp(-x)).
---@return manilius.Vector
function Vector:sigmoid() end

---Signs: -1, 0 or 1.
---@return manilius.Vector
function Vector:sign() end

---Sines.
---@return manilius.Vector
function Vector:sin() end

---Hyperbolic sines.
---@return manilius.Vector
function Vector:sinh() end

---Elements first to last (a view).
---@param first? integer
---@param last? integer
---@return manilius.Vector
function Vector:slice(first, last) end

---A sorted copy, ascending or "descending"; nan last.
---@param order? "ascending"|"descending"
---@return manilius.Vector
function Vector:sort(order) end

---Square roots.
---@return manilius.Vector
function Vector:sqrt() end

---Squares.
---@return manilius.Vector
function Vector:square() end

---Standard deviation: the square root of var.
---@param ddof? number
---@return number
function Vector:std(ddof) end

---Elementwise difference; also -.
---@param other number|manilius.Vector|manilius.Matrix
---@return manilius.Vector
function Vector:sub(other) end

---Sum.
---@return number
function Vector:sum() end

---The elements with these indices, in this order; may repeat.
---@param indices any
---@return manilius.Vector
function Vector:take(indices) end

---Tangents.
---@return manilius.Vector
function Vector:tan() end

---Hyperbolic tangents.
---@return manilius.Vector
function Vector:tanh() end

---A table of numbers.
---@return table
function Vector:totable() end

---Distinct values in ascending order, and their counts.
---@return manilius.Vector
---@return manilius.Vector
function Vector:unique() end

---Variance with divisor n - ddof; ddof is 1 by default, 0 for a population.
---@param ddof? number
---@return number
function Vector:var(ddof) end

---yes where the value is neither 0 nor nan, else no.
---@param yes any
---@param no any
---@return manilius.Vector
function Vector:where(yes, no) end

---@class manilius
local ml = {}

---A vector of float64 numbers.
---@param from any
---@param ... any
---@return manilius.Vector
function ml.Vector(from, ...) end
