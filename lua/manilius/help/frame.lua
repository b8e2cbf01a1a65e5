--- Help for frames, their methods and those of groups; see manilius.help.values for the format.

local methods_of = require "manilius.help.values".methods_of

local M = { help = {} }

M.help.Frame = {
   use = [[
Frame { { "age", { 31, 45 } }, { "city", { "Oslo", "Rome" } } }
ml.Frame { age = { 31, 45 }, city = { "Oslo", "Rome" } }
ml.Frame { { age = 31, city = "Oslo" }, { age = 45, city = "Rome" } }
ml.Frame { names = { "age", "city" }, columns = { ages, cities } }]],
   brief = "A table of named columns: Vectors of numbers, Factors of labels.",
   notes = "f.age reads a column, f.age = list sets or adds one, f.age = nil drops it. f.names is the list of names, "
      .. "f.rows (or #f) and f.cols give the size. If a column has the name of a method, use f:col \"group\". "
      .. "Missing values are nan in a Vector and nil in a Factor. Methods return new frames.",
   setup = 'local f = ml.Frame { { "age", { 31, 45, 23 } }, { "city", { "Oslo", "Rome", "Oslo" } } }',
   example = [[
local f = ml.Frame { { "age", { 31, 45, 23 } }, { "city", { "Oslo", "Rome", "Oslo" } } }
f.old = f.age:gt(40)
print(f, f.age:mean(), f:group "city":aggregate { age = "mean" })]],
   properties = { rows = "number of rows", cols = "number of columns", names = "names of the columns, in order",
      columns = "the columns, in order",
      types = "list of the types of the columns: number, whole (whole numbers) or factor" },
   methods = methods_of [=[
   col(name) | The column with this name. | f:col "age"
   select(name, ...) | The given columns, in this order; names may be a list. | f:select("city", "age")
   drop(name, ...) | All columns except the given ones. | f:drop "city"
   rename(map) | Rename columns: { old = "new" }. | f:rename { age = "years" }
   with(columns) | Set or add columns: { name = column }. | f:with { id = { 1, 2, 3 } }
   hcat(frame, ...) | Concatenate frames horizontally. | f:select "age":hcat(f:select "city")
   vcat(frame, ...) | Concatenate frames vertically, matching columns by name. | f:vcat(f)
   copy() | A deep copy. | f:copy()
   split(target) | Split into X and y: y is the target column, or a Frame for a list of names. | f:split "city"
   matrix() | Convert numeric columns to a Matrix. | f:select "age":matrix()
   sort(columns [, { descending = true }]) | Sort rows by one or more columns; missing values last. | f:sort "age"
   filter(condition) | Rows that satisfy a function of the row, or where a Vector is 1.
      | f:filter(function(row) return row.age > 30 end)
   take(rows) | The rows with these indices, in this order; may repeat. | f:take { 3, 1 }
   slice([first [, last]]) | Rows first to last. | f:slice(2, 3)
   head([n]) | The first n rows (default 5). | f:head(2)
   tail([n]) | The last n rows (default 5). | f:tail(2)
   dropna([column, ...]) | Drop rows with missing values in the given columns (default all). | f:dropna()
   fillna(value) | Replace missing values: { column = value }, or one value for all. | f:fillna { age = 30 }
   each() | Iterate over rows: for i, row in f:each() do ... end. | f:each()
   row(i) | Row i as a table of values by column name. | f:row(2).city
   group(column, ...) | Group rows by equal values; see Frame.aggregate and Frame.size. | f:group "city"
   value_counts(column) | Counts of distinct values, most frequent first. | f:value_counts "city"
   crosstab(a, b) | Contingency table of two columns. | f:crosstab("city", "age")
   join(frame [, options]) | Join on equal keys; options: on, left_on, right_on, how, suffixes.
      | f:join(ml.Frame { city = { "Oslo" }, land = { "Norway" } }, { on = "city", how = "left" })
   describe() | Summarize each column: type, missing values, mean, quartiles, levels. | f:describe()
   corr([options]) | Correlations of the numeric columns; method = "pearson" (default), "spearman" or "kendall".
      | f:corr { method = "spearman" }
   melt(id [, options]) | Wide to long: stack columns. Options: columns (default all others), variable, value.
      | f:melt("city", { columns = { "age" } })
   pivot(rows, columns, values [, options]) | Long to wide. Option aggregate: a summary for cells with several rows.
      | f:pivot("age", "city", "age", { aggregate = "size" })
   drop_duplicates([column, ...]) | Drop rows that repeat the values of the given columns (default all).
      | f:drop_duplicates "city"
   sample(n [, options]) | n random rows, or a fraction below 1 of them. Options: replace, seed.
      | f:sample(2, { seed = 1 })
   format([options]) | The frame as text. Options: width, rows, digits, wrap. | f:format { rows = 2 }
   write_csv(path [, options]) | Write a CSV file. Options: delimiter, na, header, quote_all. Returns f.
      | f:to_csv { na = "?" }
   to_csv([options]) | The frame as CSV text; options as for write_csv. | f:to_csv()
   write_jsonl(path) | Write a JSON Lines file: an object per row; missing values are null. Returns f. | f:to_jsonl()
   to_jsonl() | The frame as JSON Lines text. | f:to_jsonl()
   aggregate(summaries) | Summarize groups: { column = "mean" }, { new = { column, "max" } }.
      | f:group "city":aggregate { age = "mean" }
   size() | The number of rows of each group. | f:group "city":size()
]=],
   functions = {
      from = { use = "Frame.from(X [, names])", brief = "A frame from a matrix; column names default to x1, x2, ...",
         example = 'print(ml.Frame.from({ { 1, 2 }, { 3, 4 } }, { "a", "b" }))' },
      from_rows = { use = "Frame.from_rows(rows [, names])", brief = "A frame from a list of rows, tables by column "
         .. "name; absent values are "
         .. "missing.",
         example = 'print(ml.Frame.from_rows { { age = 31, city = "Oslo" }, { age = 45 } })' },
      is = { use = "Frame.is(value)", brief = "Is the value a Frame?", example = "print(ml.Frame.is(ml.eye(2)))" },
   },
}

return M
