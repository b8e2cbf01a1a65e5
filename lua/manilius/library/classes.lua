---@meta _
-- luacheck: ignore
-- Matrices, frames, compositions, ways to split, searches.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---Rows by columns: a Matrix, a Frame, a sparse matrix, a table of rows, or one row by names.
---@alias manilius.X manilius.Matrix|manilius.Frame|manilius.Sparse|number[][]|table<string, any>

---What is to be predicted: numbers or labels, one for each row.
---@alias manilius.Y manilius.Vector|manilius.Factor|manilius.Matrix|manilius.Frame|any[]

---Numbers in a line.
---@alias manilius.Numbers manilius.Vector|number[]

---One label.
---@alias manilius.Label string|number|boolean

---What a transformer gives.
---@alias manilius.Columns manilius.Matrix|manilius.Frame|manilius.Sparse

---Anything with fit, and predict or transform.
---@alias manilius.Estimator table|userdata

---@class manilius.FitOptions
---@field weights? manilius.Numbers # a weight >= 0 for each row: it counts as that many equal rows
---@field lengths? manilius.Numbers # rows of each sequence
---@field target? manilius.X # a second X
---@field classes? manilius.Label[] # of partial_fit: all labels that will ever come
---@field on_iter? fun(done: integer, total: integer, objective: number): nil|"stop"|"cancel" # called after each round
---@field [string] any

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

---A table of named columns: Vectors of numbers, Factors of labels.
---
---f.age is a column, f.age = list sets or adds one, f.age = nil drops it; f.names is the list of names, f.rows
---and f.cols are the size, #f the rows. A column called like a method is reached by f:col "group". Missing: nan
---in a Vector, nil in a Factor. Methods give new frames.
---@class manilius.Frame
---@field cols integer # number of columns
---@field columns (manilius.Vector|manilius.Factor)[] # the columns, in order
---@field names string[] # names of the columns, in order
---@field rows integer # number of rows
---@field [string] any
local Frame = {}

---Of a group: a row for each, with its keys and { column = "mean" } or { new = { column, "max" } } or functions.
---@param summaries any
---@return manilius.Frame
function Frame:aggregate(summaries) end

---The column of that name.
---@param name string|string[]
---@return manilius.Vector|manilius.Factor
function Frame:col(name) end

---A copy that shares nothing.
---@return manilius.Frame
function Frame:copy() end

---How often values of two columns meet.
---@param a any
---@param b any
---@return manilius.Frame
function Frame:crosstab(a, b) end

---A frame about the columns: type, missing values, mean, quartiles, levels.
---@return manilius.Frame
function Frame:describe() end

---All columns but these.
---@param name string|string[]
---@param ... any
---@return manilius.Frame
function Frame:drop(name, ...) end

---The rows where none of these (or of all) is missing.
---@param column? any
---@param ... any
---@return manilius.Frame
function Frame:dropna(column, ...) end

---for i, row in f:each() do: each row as a table by names.
---@return any
function Frame:each() end

---Missing values replaced: { column = value }, or one value.
---@param value any
---@return manilius.Frame
function Frame:fillna(value) end

---The rows where it holds: a function of a row, or a Vector of 1 and 0.
---@param condition any
---@return manilius.Frame
function Frame:filter(condition) end

---The frame as text: { width, rows, digits, wrap }.
---@param options? table
---@return string
function Frame:format(options) end

---The groups of rows with the same values; see Frame.aggregate, Frame.size.
---@param column any
---@param ... any
---@return table
function Frame:group(column, ...) end

---Frames side by side.
---@param frame manilius.Frame
---@param ... any
---@return manilius.Frame
function Frame:hcat(frame, ...) end

---The first n rows, 5 unless given.
---@param n? integer
---@return manilius.Frame
function Frame:head(n) end

---Rows of two frames with equal keys. Options: on (a name or names; all that both have unless given), or left_on
---and right_on; how: "inner", "left", "right", "outer"; suffixes for other names that both have.
---@param frame manilius.Frame
---@param options? table
---@return manilius.Frame
function Frame:join(frame, options) end

---The columns as a Matrix; all must be numbers.
---@return manilius.Matrix
function Frame:matrix() end

---Other names: { old = "new" }.
---@param map table<any, any>
---@return manilius.Frame
function Frame:rename(map) end

---Row i as a table by names.
---@param i integer
---@return table
function Frame:row(i) end

---These columns, in this order; also as a list.
---@param name string|string[]
---@param ... any
---@return manilius.Frame
function Frame:select(name, ...) end

---Of a group: the number of rows of each.
---@return manilius.Frame
function Frame:size() end

---Rows first to last.
---@param first? integer
---@param last? integer
---@return manilius.Frame
function Frame:slice(first, last) end

---Rows in the order of a column or several; missing ones last.
---@param columns any
---@param options? table
---@return manilius.Frame
function Frame:sort(columns, options) end

---All other columns, and the column (or, for a list of names, the Frame) that is to be predicted.
---@param target any
---@return manilius.Frame
---@return manilius.Vector|manilius.Factor|manilius.Frame
function Frame:split(target) end

---The last n rows, 5 unless given.
---@param n? integer
---@return manilius.Frame
function Frame:tail(n) end

---These rows, in this order; they may repeat.
---@param rows integer|manilius.Numbers
---@return manilius.Frame
function Frame:take(rows) end

---The text that write_csv would write.
---@param options? table
---@return string
function Frame:to_csv(options) end

---How often each value occurs, the most frequent first.
---@param column any
---@return manilius.Frame
function Frame:value_counts(column) end

---Frames one below the other; columns are found by name.
---@param frame manilius.Frame
---@param ... any
---@return manilius.Frame
function Frame:vcat(frame, ...) end

---Columns set or added: { name = column }.
---@param columns any
---@return manilius.Frame
function Frame:with(columns) end

---Write a CSV file; { delimiter, na, header, quote_all }. Gives f.
---@param path string
---@param options? table
---@return any
function Frame:write_csv(path, options) end

---@class manilius.Pipeline.Params
---@field [any] any

---Steps one after the other: each transforms X for the next, the last one predicts.
---
---Steps are called by their class in lower case, numbered where it comes twice, unless { name, step } names them;
---"passthrough" does nothing. pipe.pca and pipe[2] are steps; pca__n_components is a setting within one, in
---set_params and in searches; pca__weights = w among the options of fit goes to that step. Fitting works on
---copies: a failed fit leaves the pipeline as it was.
---@class manilius.Pipeline
---@field classes any # learned: labels, those of the last step
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field [any] any
local Pipeline = {}

---Has it this method?
---@param name string
---@return boolean
function Pipeline:can(name) end

---The same settings, not fitted.
---@return manilius.Pipeline
function Pipeline:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Pipeline:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function Pipeline:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Pipeline:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Pipeline:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Pipeline
function Pipeline:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Pipeline:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Pipeline:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Pipeline:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function Pipeline:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Pipeline
function Pipeline:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Pipeline:score(X, y, options) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function Pipeline:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Pipeline.Params
---@return manilius.Pipeline
function Pipeline:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:transform(X) end

---@class manilius.FeatureUnion.Params
---@field prefix? boolean # put the name of its part and "__" before the name of each column; default true
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this; default 0.3
---@field [integer] any

---Several transformers of the same X; their results stand side by side.
---@class manilius.FeatureUnion
---@field prefix? boolean # put the name of its part and "__" before the name of each column
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local FeatureUnion = {}

---Has it this method?
---@param name string
---@return boolean
function FeatureUnion:can(name) end

---The same settings, not fitted.
---@return manilius.FeatureUnion
function FeatureUnion:clone() end

---The model as bytes, for ml.load.
---@return string
function FeatureUnion:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function FeatureUnion:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function FeatureUnion:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FeatureUnion
function FeatureUnion:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function FeatureUnion:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FeatureUnion:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FeatureUnion:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function FeatureUnion:get_params() end

---Names of the columns that transform gives.
---@return string[]
function FeatureUnion:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FeatureUnion
function FeatureUnion:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function FeatureUnion:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function FeatureUnion:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function FeatureUnion:transform(X) end

---@class manilius.ColumnTransformer.Params
---@field prefix? boolean # put the name of its part and "__" before the name of each column; default true
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this; default 0.3
---@field [integer] any

---A transformer for each group of columns; the results stand side by side.
---
---columns are names, positions, "numeric", "factor", or a function of X that gives one of these. A part may be
---"passthrough" or "drop". remainder, "drop" unless given, is what is done with all columns that no part takes.
---@class manilius.ColumnTransformer
---@field prefix? boolean # put the name of its part and "__" before the name of each column
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local ColumnTransformer = {}

---Has it this method?
---@param name string
---@return boolean
function ColumnTransformer:can(name) end

---The same settings, not fitted.
---@return manilius.ColumnTransformer
function ColumnTransformer:clone() end

---The model as bytes, for ml.load.
---@return string
function ColumnTransformer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ColumnTransformer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ColumnTransformer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ColumnTransformer
function ColumnTransformer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ColumnTransformer:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function ColumnTransformer:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function ColumnTransformer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ColumnTransformer:get_params() end

---Names of the columns that transform gives.
---@return string[]
function ColumnTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ColumnTransformer
function ColumnTransformer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ColumnTransformer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ColumnTransformer.Params
---@return manilius.ColumnTransformer
function ColumnTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function ColumnTransformer:transform(X) end

---@class manilius.TransformedTarget.Params
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector; default nil
---@field inverse? any # the way back, where func is a function; default nil
---@field regressor? any # what predicts the transformed y; default nil
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer; default nil
---@field [integer] any

---A regressor that is fitted to a transformed y; its predictions are transformed back.
---@class manilius.TransformedTarget
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector
---@field inverse? any # the way back, where func is a function
---@field regressor? any # what predicts the transformed y
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local TransformedTarget = {}

---Has it this method?
---@param name string
---@return boolean
function TransformedTarget:can(name) end

---The same settings, not fitted.
---@return manilius.TransformedTarget
function TransformedTarget:clone() end

---The model as bytes, for ml.load.
---@return string
function TransformedTarget:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function TransformedTarget:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function TransformedTarget:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TransformedTarget
function TransformedTarget:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function TransformedTarget:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function TransformedTarget:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function TransformedTarget:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TransformedTarget
function TransformedTarget:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function TransformedTarget:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function TransformedTarget:set_params(values) end

---@class manilius.VotingClassifier.Params
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities; default "hard"
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several classifiers, and the label that most of them give, or their mean probabilities.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member says: probabilities where voting is soft, else the place of its label in classes.
---@class manilius.VotingClassifier
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function VotingClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.VotingClassifier
function VotingClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function VotingClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function VotingClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function VotingClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingClassifier
function VotingClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function VotingClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingClassifier:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function VotingClassifier:get_params() end

---Names of the columns that transform gives.
---@return string[]
function VotingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingClassifier
function VotingClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function VotingClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function VotingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingClassifier:transform(X) end

---@class manilius.VotingRegressor.Params
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several regressors, and the weighted mean of what they predict.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member predicts.
---@class manilius.VotingRegressor
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function VotingRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.VotingRegressor
function VotingRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function VotingRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function VotingRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function VotingRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingRegressor
function VotingRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function VotingRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingRegressor:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function VotingRegressor:get_params() end

---Names of the columns that transform gives.
---@return string[]
function VotingRegressor:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingRegressor
function VotingRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function VotingRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function VotingRegressor:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingRegressor:transform(X) end

---@class manilius.StackingClassifier.Params
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # the final model sees the columns of X, too; default false
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has; default "auto"
---@field [integer] any

---A classifier of what other classifiers say of rows that they were not fitted to.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. final_estimator
---(default LogisticRegression {}) is a part of that name. Of two classes the probability of the second is used.
---transform gives what the final model sees.
---@class manilius.StackingClassifier
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # the final model sees the columns of X, too
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field final_estimator any # learned: the model of what the members say, fitted
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field stack_methods any # learned: list: the method whose answers the final model sees, of each member
---@field [any] any
local StackingClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function StackingClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.StackingClassifier
function StackingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function StackingClassifier:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function StackingClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function StackingClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function StackingClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingClassifier
function StackingClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function StackingClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingClassifier:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function StackingClassifier:get_params() end

---Names of the columns that transform gives.
---@return string[]
function StackingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StackingClassifier
function StackingClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function StackingClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function StackingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingClassifier:transform(X) end

---@class manilius.StackingRegressor.Params
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # the final model sees the columns of X, too; default false
---@field [integer] any

---A regressor of what other regressors predict for rows that they were not fitted to.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. final_estimator
---(default RidgeCV {}) is a part of that name. transform gives what the final model sees.
---@class manilius.StackingRegressor
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # the final model sees the columns of X, too
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field final_estimator any # learned: the model of what the members say, fitted
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field stack_methods any # learned: list: the method whose answers the final model sees, of each member
---@field [any] any
local StackingRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function StackingRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.StackingRegressor
function StackingRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function StackingRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function StackingRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function StackingRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingRegressor
function StackingRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function StackingRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingRegressor:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function StackingRegressor:get_params() end

---Names of the columns that transform gives.
---@return string[]
function StackingRegressor:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StackingRegressor
function StackingRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function StackingRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StackingRegressor.Params
---@return manilius.StackingRegressor
function StackingRegressor:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingRegressor:transform(X) end

---@class manilius.BaggingClassifier.Params
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once; default true
---@field bootstrap_features? boolean # columns are drawn with replacement; default false
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number; default 1
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 10
---@field oob? boolean # score each row by the models that did not draw it; default false
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---The mean of many classifiers, each fitted to rows and columns drawn at random.
---
---Models of the core are fitted side by side in threads; a base of your own needs fit and predict only. Each
---model has its own seed where the base has one. estimator__max_depth is a setting of the base, in set_params and
---in searches. Weights (where the base takes them) go with the rows that are drawn. on_iter may return "stop":
---the models so far remain. The base is DecisionTreeClassifier {} unless given. A sample of one class only is
---drawn anew.
---@class manilius.BaggingClassifier
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once
---@field bootstrap_features? boolean # columns are drawn with replacement
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field oob? boolean # score each row by the models that did not draw it
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the fitted models
---@field estimators_features any # learned: list: the columns of each
---@field estimators_samples any # learned: list: the rows that each was fitted to, drawn anew when asked for; they count rows of weight above 0
---@field feature_importances any # learned: mean of those of the models, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field oob_prediction manilius.Matrix # learned: Matrix rows x answers: means over the models that did not draw the row, nan where all did
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function BaggingClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.BaggingClassifier
function BaggingClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function BaggingClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function BaggingClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function BaggingClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingClassifier
function BaggingClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function BaggingClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingClassifier:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function BaggingClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BaggingClassifier
function BaggingClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function BaggingClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BaggingClassifier.Params
---@return manilius.BaggingClassifier
function BaggingClassifier:set_params(values) end

---@class manilius.BaggingRegressor.Params
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once; default true
---@field bootstrap_features? boolean # columns are drawn with replacement; default false
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number; default 1
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 10
---@field oob? boolean # score each row by the models that did not draw it; default false
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---The mean of many regressors, each fitted to rows and columns drawn at random.
---
---Models of the core are fitted side by side in threads; a base of your own needs fit and predict only. Each
---model has its own seed where the base has one. estimator__max_depth is a setting of the base, in set_params and
---in searches. Weights (where the base takes them) go with the rows that are drawn. on_iter may return "stop":
---the models so far remain. The base is DecisionTreeRegressor {} unless given.
---@class manilius.BaggingRegressor
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once
---@field bootstrap_features? boolean # columns are drawn with replacement
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field oob? boolean # score each row by the models that did not draw it
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimators any # learned: list of the fitted models
---@field estimators_features any # learned: list: the columns of each
---@field estimators_samples any # learned: list: the rows that each was fitted to, drawn anew when asked for; they count rows of weight above 0
---@field feature_importances any # learned: mean of those of the models, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field oob_prediction manilius.Matrix # learned: Matrix rows x answers: means over the models that did not draw the row, nan where all did
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function BaggingRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.BaggingRegressor
function BaggingRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function BaggingRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function BaggingRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function BaggingRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingRegressor
function BaggingRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function BaggingRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingRegressor:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function BaggingRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BaggingRegressor
function BaggingRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function BaggingRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BaggingRegressor.Params
---@return manilius.BaggingRegressor
function BaggingRegressor:set_params(values) end

---@class manilius.AdaBoostClassifier.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).
---
---The base is fitted with weights where it takes them (one of your own says so by takes = { "weights" }), else to
---rows drawn in proportion to the weights. Boosting ends early where a model is perfect, or no better than
---chance. staged_predict(X) gives the predictions after each model as a list, staged_score(X, y) their scores as
---a Vector. on_iter has the error of the model as objective, and may return "stop". The base is
---DecisionTreeClassifier { max_depth = 1 } unless given. staged_decision_function(X) is a list, too.
---@class manilius.AdaBoostClassifier
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field classes any # learned: labels, ascending
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function AdaBoostClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function AdaBoostClassifier:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function AdaBoostClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function AdaBoostClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function AdaBoostClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function AdaBoostClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostClassifier:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function AdaBoostClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function AdaBoostClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:set_params(values) end

---@class manilius.AdaBoostRegressor.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d); default "linear"
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Regressors one after the other, each on rows weighed by the errors of those before (AdaBoost.R2).
---
---The base is fitted with weights where it takes them (one of your own says so by takes = { "weights" }), else to
---rows drawn in proportion to the weights. Boosting ends early where a model is perfect, or no better than
---chance. staged_predict(X) gives the predictions after each model as a list, staged_score(X, y) their scores as
---a Vector. on_iter has the error of the model as objective, and may return "stop". The base is
---DecisionTreeRegressor { max_depth = 3 } unless given. (scikit-learn always draws rows.)
---@class manilius.AdaBoostRegressor
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d)
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function AdaBoostRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function AdaBoostRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function AdaBoostRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function AdaBoostRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function AdaBoostRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostRegressor:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function AdaBoostRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function AdaBoostRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:set_params(values) end

---@class manilius.FormulaModel.Params
---@field formula? any # a text; default nil
---@field model? any # an estimator that is not fitted; default nil
---@field [integer] any

---A model of a formula, as in R: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
---
---fit(frame) takes what is predicted from the left side; a y that is given goes before it. On the right: a + b,
---a:b, a * b, a / b, (a + b)^2, - a, . for all other columns, - 1 for no constant; variables are columns (`in
---backticks` where they are no words), factor(x), poly(x, degree), poly(x, degree, raw = TRUE), I(arithmetic),
---log(x) and other functions of numbers. Factors are coded as in R, by treatment contrasts. Predictions are on
---the scale of the left side. Missing values are refused, not dropped. The fields and operations of the model are
---those of this one.
---@class manilius.FormulaModel
---@field formula? any # a text
---@field model? any # an estimator that is not fitted
---@field design any # learned: what the rows of the fit decided: levels of factors, polynomials
---@field terms any # learned: the columns of the design, a name for each coefficient
---@field [any] any
local FormulaModel = {}

---Has it this method?
---@param name string
---@return boolean
function FormulaModel:can(name) end

---The same settings, not fitted.
---@return manilius.FormulaModel
function FormulaModel:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function FormulaModel:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function FormulaModel:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function FormulaModel:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function FormulaModel:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function FormulaModel:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FormulaModel:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function FormulaModel:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FormulaModel
function FormulaModel:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function FormulaModel:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FormulaModel.Params
---@return manilius.FormulaModel
function FormulaModel:set_params(values) end

---@class manilius.KFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of rows, each tested once.
---@class manilius.KFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local KFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function KFold:split(X, y, groups) end

---@class manilius.StratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds, each with the classes of y in proportion.
---@class manilius.StratifiedKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local StratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function StratifiedKFold:split(X, y, groups) end

---@class manilius.GroupKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of whole groups: no group is in train and test at once.
---@class manilius.GroupKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local GroupKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupKFold:split(X, y, groups) end

---@class manilius.LeaveOneOut.Params
---@field [any] any

---Each row tested alone.
---@class manilius.LeaveOneOut
local LeaveOneOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeaveOneOut:split(X, y, groups) end

---@class manilius.LeavePOut.Params
---@field p? integer # rows that are tested together; default 2
---@field [integer] any

---Each set of p rows tested.
---@class manilius.LeavePOut
---@field p? integer # rows that are tested together
local LeavePOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeavePOut:split(X, y, groups) end

---@class manilius.RepeatedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # how often, each time in another order; default 10
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---KFold several times, shuffled anew each time.
---@class manilius.RepeatedKFold
---@field k? integer # number of folds
---@field repeats? integer # how often, each time in another order
---@field seed? integer # of the random numbers
local RepeatedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedKFold:split(X, y, groups) end

---@class manilius.RepeatedStratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # how often, each time in another order; default 10
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---StratifiedKFold several times, shuffled anew each time.
---@class manilius.RepeatedStratifiedKFold
---@field k? integer # number of folds
---@field repeats? integer # how often, each time in another order
---@field seed? integer # of the random numbers
local RepeatedStratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedStratifiedKFold:split(X, y, groups) end

---@class manilius.ShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.1
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random train and test rows, n times over.
---@class manilius.ShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local ShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function ShuffleSplit:split(X, y, groups) end

---@class manilius.StratifiedShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.1
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random train and test rows with the classes of y in proportion, n times over.
---@class manilius.StratifiedShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local StratifiedShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return any
function StratifiedShuffleSplit:split(X, y, groups) end

---@class manilius.GroupShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.2
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random groups for train and test, n times over; shares are of the groups.
---@class manilius.GroupShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local GroupShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupShuffleSplit:split(X, y, groups) end

---@class manilius.TimeSeriesSplit.Params
---@field k? integer # number of folds; default 5
---@field gap? integer # rows left out between train and test; default 0
---@field test_size? integer # rows of a test; nil: n / (k + 1); default nil
---@field max_train? integer # most train rows; nil: all before the test; default nil
---@field [integer] any

---Tests that follow their train rows in time: the train rows grow from split to split.
---@class manilius.TimeSeriesSplit
---@field k? integer # number of folds
---@field gap? integer # rows left out between train and test
---@field test_size? integer # rows of a test; nil: n / (k + 1)
---@field max_train? integer # most train rows; nil: all before the test
local TimeSeriesSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function TimeSeriesSplit:split(X, y, groups) end

---@class manilius.GridSearch.Params
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits; default 5
---@field grid? any # { setting = { value, ... }, ... }, or a list of such; step__setting within compositions; ml.unset stands for nil; default nil
---@field model? any # the estimator whose settings are searched; may stand first, without a name; default nil
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"; default nil
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same; default nil
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several; default true
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2; default nil
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says; default nil
---@field [integer] any

---The best of all combinations of settings, by cross-validation.
---@class manilius.GridSearch
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits
---@field grid? any # { setting = { value, ... }, ... }, or a list of such; step__setting within compositions; ml.unset stands for nil
---@field model? any # the estimator whose settings are searched; may stand first, without a name
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says
---@field best any # learned: the model with the best settings, fitted on all rows
---@field best_index any # learned: its row in results
---@field best_params any # learned: its settings by name
---@field best_score any # learned: its mean score over the folds
---@field classes any # learned: labels, those of best
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field greater any # learned: is more better?
---@field judge any # learned: name of the score that decided
---@field n_features any # learned: columns of X
---@field results manilius.Frame # learned: Frame: a row for each candidate with its settings, mean_score, sd_score, rank, the score of each fold
---@field [any] any
local GridSearch = {}

---Has it this method?
---@param name string
---@return boolean
function GridSearch:can(name) end

---The same settings, not fitted.
---@return manilius.GridSearch
function GridSearch:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function GridSearch:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function GridSearch:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function GridSearch:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function GridSearch:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GridSearch
function GridSearch:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function GridSearch:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function GridSearch:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function GridSearch:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function GridSearch:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function GridSearch:inverse_transform(X) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function GridSearch:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function GridSearch:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function GridSearch:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GridSearch
function GridSearch:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function GridSearch:score(X, y, options) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function GridSearch:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GridSearch.Params
---@return manilius.GridSearch
function GridSearch:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function GridSearch:transform(X) end

---@class manilius.RandomSearch.Params
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits; default 5
---@field grid? any # { setting = what its values are drawn from }: a list, { "uniform", from, to }, { "loguniform", from, to }, { "integer", from, to }, or a function of a random stream; default nil
---@field model? any # the estimator whose settings are searched; may stand first, without a name; default nil
---@field n? number # number of candidates, from 1; default 10
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"; default nil
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same; default nil
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several; default true
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2; default nil
---@field seed? integer # of the random numbers; default 0
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says; default nil
---@field [integer] any

---The best of n random settings, by cross-validation.
---@class manilius.RandomSearch
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits
---@field grid? any # { setting = what its values are drawn from }: a list, { "uniform", from, to }, { "loguniform", from, to }, { "integer", from, to }, or a function of a random stream
---@field model? any # the estimator whose settings are searched; may stand first, without a name
---@field n? number # number of candidates, from 1
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2
---@field seed? integer # of the random numbers
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says
---@field best any # learned: the model with the best settings, fitted on all rows
---@field best_index any # learned: its row in results
---@field best_params any # learned: its settings by name
---@field best_score any # learned: its mean score over the folds
---@field classes any # learned: labels, those of best
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field greater any # learned: is more better?
---@field judge any # learned: name of the score that decided
---@field n_features any # learned: columns of X
---@field results manilius.Frame # learned: Frame: a row for each candidate with its settings, mean_score, sd_score, rank, the score of each fold
---@field [any] any
local RandomSearch = {}

---Has it this method?
---@param name string
---@return boolean
function RandomSearch:can(name) end

---The same settings, not fitted.
---@return manilius.RandomSearch
function RandomSearch:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function RandomSearch:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function RandomSearch:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RandomSearch:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RandomSearch:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RandomSearch
function RandomSearch:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RandomSearch:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RandomSearch:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RandomSearch:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RandomSearch:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function RandomSearch:inverse_transform(X) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RandomSearch:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function RandomSearch:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function RandomSearch:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RandomSearch
function RandomSearch:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RandomSearch:score(X, y, options) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function RandomSearch:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RandomSearch.Params
---@return manilius.RandomSearch
function RandomSearch:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function RandomSearch:transform(X) end

---@class manilius.HalvingGridSearch.Params
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits; default 5
---@field factor? number # 1/factor of the candidates go on, with factor times the rows; above 1; default 3
---@field grid? any # { setting = { value, ... }, ... }, or a list of such; default nil
---@field min_rows? any # least rows of a round; nil: 20; default nil
---@field model? any # the estimator whose settings are searched; may stand first, without a name; default nil
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"; default nil
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same; default nil
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several; default true
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2; default nil
---@field seed? integer # of the random rows; default 0
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says; default nil
---@field [integer] any

---Successive halving: all combinations on few rows, the best of them on more and more.
---@class manilius.HalvingGridSearch
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits
---@field factor? number # 1/factor of the candidates go on, with factor times the rows; above 1
---@field grid? any # { setting = { value, ... }, ... }, or a list of such
---@field min_rows? any # least rows of a round; nil: 20
---@field model? any # the estimator whose settings are searched; may stand first, without a name
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2
---@field seed? integer # of the random rows
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says
---@field best any # learned: the model with the best settings, fitted on all rows
---@field best_index any # learned: its row in results
---@field best_params any # learned: its settings by name
---@field best_score any # learned: its mean score over the folds
---@field classes any # learned: labels, those of best
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field greater any # learned: is more better?
---@field judge any # learned: name of the score that decided
---@field n_features any # learned: columns of X
---@field results manilius.Frame # learned: Frame: a row for each candidate with its settings, mean_score, sd_score, rank, the score of each fold
---@field [any] any
local HalvingGridSearch = {}

---Has it this method?
---@param name string
---@return boolean
function HalvingGridSearch:can(name) end

---The same settings, not fitted.
---@return manilius.HalvingGridSearch
function HalvingGridSearch:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HalvingGridSearch:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function HalvingGridSearch:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function HalvingGridSearch:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function HalvingGridSearch:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HalvingGridSearch
function HalvingGridSearch:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function HalvingGridSearch:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function HalvingGridSearch:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function HalvingGridSearch:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:inverse_transform(X) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HalvingGridSearch
function HalvingGridSearch:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function HalvingGridSearch:score(X, y, options) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function HalvingGridSearch:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function HalvingGridSearch:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:transform(X) end
