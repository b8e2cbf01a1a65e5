---@meta _
-- luacheck: ignore
-- ml.Frame: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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

---@class manilius
local ml = {}

---@class manilius.Frame.Maker
---@overload fun(from: any): manilius.Frame
local FrameMaker = {}

---A frame of the columns of a matrix, called x1, x2, ... or names.
---@param X manilius.X
---@param names? string[]
---@return any
function FrameMaker.from(X, names) end

---A frame of rows by names; what a row lacks is missing.
---@param rows integer|manilius.Numbers
---@param names? string[]
---@return any
function FrameMaker.from_rows(rows, names) end

---Is this a frame?
---@param value any
---@return any
function FrameMaker.is(value) end

ml.Frame = FrameMaker
