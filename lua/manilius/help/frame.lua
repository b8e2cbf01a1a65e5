--- Help for frames, their methods and those of groups; see help_values for the form.
-- @module manilius.help.frame

local methods_of = require "manilius.help.values".methods_of

local M = { help = {} }

M.help.Frame = {
   use = [[
Frame { { "age", { 31, 45 } }, { "city", { "Oslo", "Rome" } } }
ml.Frame { age = { 31, 45 }, city = { "Oslo", "Rome" } }
ml.Frame { { age = 31, city = "Oslo" }, { age = 45, city = "Rome" } }
ml.Frame { names = { "age", "city" }, columns = { ages, cities } }]],
   brief = "A table of named columns: Vectors of numbers, Factors of labels.",
   notes = "f.age is a column, f.age = list sets or adds one, f.age = nil drops it; f.names is the list of names, "
      .. "f.rows and f.cols are the size, #f the rows. A column called like a method is reached by f:col \"group\". "
      .. "Missing: nan in a Vector, nil in a Factor. Methods give new frames.",
   setup = 'local f = ml.Frame { { "age", { 31, 45, 23 } }, { "city", { "Oslo", "Rome", "Oslo" } } }',
   example = [[
local f = ml.Frame { { "age", { 31, 45, 23 } }, { "city", { "Oslo", "Rome", "Oslo" } } }
f.old = f.age:gt(40)
print(f, f.age:mean(), f:group "city":aggregate { age = "mean" })]],
   properties = { rows = "number of rows", cols = "number of columns", names = "names of the columns, in order",
      columns = "the columns, in order" },
   methods = methods_of [=[
   col(name) | The column of that name. | f:col "age"
   select(name, ...) | These columns, in this order; also as a list. | f:select("city", "age")
   drop(name, ...) | All columns but these. | f:drop "city"
   rename(map) | Other names: { old = "new" }. | f:rename { age = "years" }
   with(columns) | Columns set or added: { name = column }. | f:with { id = { 1, 2, 3 } }
   hcat(frame, ...) | Frames side by side. | f:select "age":hcat(f:select "city")
   vcat(frame, ...) | Frames one below the other; columns are found by name. | f:vcat(f)
   copy() | A copy that shares nothing. | f:copy()
   split(target) | All other columns, and the column (or, for a list of names, the Frame) that is to be
      predicted. | f:split "city"
   matrix() | The columns as a Matrix; all must be numbers. | f:select "age":matrix()
   sort(columns [, { descending = true }]) | Rows in the order of a column or several; missing ones last. | f:sort "age"
   filter(condition) | The rows where it holds: a function of a row, or a Vector of 1 and 0.
      | f:filter(function(row) return row.age > 30 end)
   take(rows) | These rows, in this order; they may repeat. | f:take { 3, 1 }
   slice([first [, last]]) | Rows first to last. | f:slice(2, 3)
   head([n]) | The first n rows, 5 unless given. | f:head(2)
   tail([n]) | The last n rows, 5 unless given. | f:tail(2)
   dropna([column, ...]) | The rows where none of these (or of all) is missing. | f:dropna()
   fillna(value) | Missing values replaced: { column = value }, or one value. | f:fillna { age = 30 }
   each() | for i, row in f:each() do: each row as a table by names. | f:each()
   row(i) | Row i as a table by names. | f:row(2).city
   group(column, ...) | The groups of rows with the same values; see Frame.aggregate, Frame.size. | f:group "city"
   value_counts(column) | How often each value occurs, the most frequent first. | f:value_counts "city"
   crosstab(a, b) | How often values of two columns meet. | f:crosstab("city", "age")
   join(frame [, options]) | Rows of two frames with equal keys. Options: on (a name or names; all that both have unless
      given), or left_on and right_on; how: "inner", "left", "right", "outer"; suffixes for other names that both have.
      | f:join(ml.Frame { city = { "Oslo" }, land = { "Norway" } }, { on = "city", how = "left" })
   describe() | A frame about the columns: type, missing values, mean, quartiles, levels. | f:describe()
   format([options]) | The frame as text: { width, rows, digits, wrap }. | f:format { rows = 2 }
   write_csv(path [, options]) | Write a CSV file; { delimiter, na, header, quote_all }. Gives f.
      | f:to_csv { na = "?" }
   to_csv([options]) | The text that write_csv would write. | f:to_csv()
   aggregate(summaries) | Of a group: a row for each, with its keys and { column = "mean" } or
      { new = { column, "max" } } or functions. | f:group "city":aggregate { age = "mean" }
   size() | Of a group: the number of rows of each. | f:group "city":size()
]=],
   functions = {
      from = { use = "Frame.from(X [, names])", brief = "A frame of the columns of a matrix, called x1, x2, ... or "
         .. "names.",
         example = 'print(ml.Frame.from({ { 1, 2 }, { 3, 4 } }, { "a", "b" }))' },
      from_rows = { use = "Frame.from_rows(rows [, names])", brief = "A frame of rows by names; what a row lacks is "
         .. "missing.",
         example = 'print(ml.Frame.from_rows { { age = 31, city = "Oslo" }, { age = 45 } })' },
      is = { use = "Frame.is(value)", brief = "Is this a frame?", example = "print(ml.Frame.is(ml.eye(2)))" },
   },
}

return M
