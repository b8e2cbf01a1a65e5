---@meta _
-- luacheck: ignore
-- ml.Vector: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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

---The quantile q, from 0 to 1, interpolated linearly; for a list of them a Vector.
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

---The standard deviation: the root of var.
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

---The variance: squared deviations over n - ddof; ddof is 1 (of a sample) when left out, 0 for a population.
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

---Numbers in a line.
---@param from any
---@param ... any
---@return manilius.Vector
function ml.Vector(from, ...) end
