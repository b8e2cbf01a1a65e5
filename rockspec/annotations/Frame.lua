---@meta _
-- luacheck: ignore
-- ml.Frame: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A table of named columns: Vectors of numbers, Factors of labels.
---
---f.age reads a column, f.age = list sets or adds one, f.age = nil drops it. f.names is the list of names, f.rows
---(or #f) and f.cols give the size. If a column has the name of a method, use f:col "group". Missing values are
---nan in a Vector and nil in a Factor. Methods return new frames.
---@class manilius.Frame
---@field cols integer # number of columns
---@field columns (manilius.Vector|manilius.Factor)[] # the columns, in order
---@field names string[] # names of the columns, in order
---@field rows integer # number of rows
---@field [string] any
local Frame = {}

---Summarize groups: { column = "mean" }, { new = { column, "max" } }.
---@param summaries any
---@return manilius.Frame
function Frame:aggregate(summaries) end

---The column with this name.
---@param name string|string[]
---@return manilius.Vector|manilius.Factor
function Frame:col(name) end

---A deep copy.
---@return manilius.Frame
function Frame:copy() end

---Contingency table of two columns.
---@param a any
---@param b any
---@return manilius.Frame
function Frame:crosstab(a, b) end

---Summarize each column: type, missing values, mean, quartiles, levels.
---@return manilius.Frame
function Frame:describe() end

---All columns except the given ones.
---@param name string|string[]
---@param ... any
---@return manilius.Frame
function Frame:drop(name, ...) end

---Drop rows with missing values in the given columns (default all).
---@param column? any
---@param ... any
---@return manilius.Frame
function Frame:dropna(column, ...) end

---Iterate over rows: for i, row in f:each() do ... end.
---@return any
function Frame:each() end

---Replace missing values: { column = value }, or one value for all.
---@param value any
---@return manilius.Frame
function Frame:fillna(value) end

---Rows that satisfy a function of the row, or where a Vector is 1.
---@param condition any
---@return manilius.Frame
function Frame:filter(condition) end

---The frame as text. Options: width, rows, digits, wrap.
---@param options? table
---@return string
function Frame:format(options) end

---Group rows by equal values; see Frame.aggregate and Frame.size.
---@param column any
---@param ... any
---@return table
function Frame:group(column, ...) end

---Concatenate frames horizontally.
---@param frame manilius.Frame
---@param ... any
---@return manilius.Frame
function Frame:hcat(frame, ...) end

---The first n rows (default 5).
---@param n? integer
---@return manilius.Frame
function Frame:head(n) end

---Join on equal keys; options: on, left_on, right_on, how, suffixes.
---@param frame manilius.Frame
---@param options? table
---@return manilius.Frame
function Frame:join(frame, options) end

---Convert numeric columns to a Matrix.
---@return manilius.Matrix
function Frame:matrix() end

---Rename columns: { old = "new" }.
---@param map table<any, any>
---@return manilius.Frame
function Frame:rename(map) end

---Row i as a table of values by column name.
---@param i integer
---@return table
function Frame:row(i) end

---The given columns, in this order; names may be a list.
---@param name string|string[]
---@param ... any
---@return manilius.Frame
function Frame:select(name, ...) end

---The number of rows of each group.
---@return manilius.Frame
function Frame:size() end

---Rows first to last.
---@param first? integer
---@param last? integer
---@return manilius.Frame
function Frame:slice(first, last) end

---Sort rows by one or more columns; missing values last.
---@param columns any
---@param options? table
---@return manilius.Frame
function Frame:sort(columns, options) end

---Split into X and y: y is the target column, or a Frame for a list of names.
---@param target any
---@return manilius.Frame
---@return manilius.Vector|manilius.Factor|manilius.Frame
function Frame:split(target) end

---The last n rows (default 5).
---@param n? integer
---@return manilius.Frame
function Frame:tail(n) end

---The rows with these indices, in this order; may repeat.
---@param rows integer|manilius.Numbers
---@return manilius.Frame
function Frame:take(rows) end

---The frame as CSV text; options as for write_csv.
---@param options? table
---@return string
function Frame:to_csv(options) end

---Counts of distinct values, most frequent first.
---@param column any
---@return manilius.Frame
function Frame:value_counts(column) end

---Concatenate frames vertically, matching columns by name.
---@param frame manilius.Frame
---@param ... any
---@return manilius.Frame
function Frame:vcat(frame, ...) end

---Set or add columns: { name = column }.
---@param columns any
---@return manilius.Frame
function Frame:with(columns) end

---Write a CSV file. Options: delimiter, na, header, quote_all. Returns f.
---@param path string
---@param options? table
---@return any
function Frame:write_csv(path, options) end

---@class manilius
local ml = {}

---@class manilius.Frame.Maker
---@overload fun(from: any): manilius.Frame
local FrameMaker = {}

---A frame from a matrix; column names default to x1, x2, ...
---@param X manilius.X
---@param names? string[]
---@return any
function FrameMaker.from(X, names) end

---A frame from a list of rows, tables by column name; absent values are missing.
---@param rows integer|manilius.Numbers
---@param names? string[]
---@return any
function FrameMaker.from_rows(rows, names) end

---Is the value a Frame?
---@param value any
---@return any
function FrameMaker.is(value) end

ml.Frame = FrameMaker
