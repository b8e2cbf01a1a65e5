local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses_exactly

local function values(column)
   local list = {}
   for i, value in pairs(column) do list[i] = value == value and value or "nan" end
   return list
end

local function people()
   return ml.Frame {
      { "name", { "Ada", "Bo", "Cy", "Di" } },
      { "age", { 36, 0 / 0, 19, 36 } },
      { "city", { "Oslo", "Bergen", nil, "Oslo" } },
   }
end

describe("Frame", function()
   -- A sanitizer build cannot be loaded by a plain interpreter.
   local it_unsanitized = os.getenv "MANILIUS_SANITIZER" and pending or it

   it_unsanitized("may be loaded before the module", function()
      local pipe = assert(io.popen([[timeout 10 lua5.4 -e 'require "manilius.frame"
         print(require "manilius".Frame { { "a", { 5 } } }.a[1])' 2>&1]]))
      assert.equal("5\n", pipe:read "a")
      pipe:close()
   end)

   it("is constructed from pairs, names and columns, a keyed table, or rows", function()
      local f = ml.Frame { { "b", { 1, 2 } }, { "a", { "x", "y" } } }
      assert.same({ "b", "a" }, f.names)
      assert.equal(f, ml.Frame { names = { "b", "a" }, columns = { { 1, 2 }, ml.Factor { "x", "y" } } })
      assert.same({ "a", "b" }, ml.Frame { b = { 1, 2 }, a = { "x", "y" } }.names)
      assert.equal(f, ml.Frame { { b = 1, a = "x" }, { b = 2, a = "y" } }:select("b", "a"))
      assert.equal(f, ml.Frame.from_rows({ { b = 1, a = "x" }, { b = 2, a = "y" } }, { "b", "a" }))
      local m = ml.Frame.from(ml.Matrix { { 1, 2 }, { 3, 4 } }, { "p", "q" })
      assert.same({ 2, 4 }, values(m.q))
      assert.same({ "x1", "x2" }, ml.Frame.from { { 1, 2 } }.names)
      assert.equal(0, ml.Frame({}).rows)
   end)

   it("converts nil to missing (nan in numbers) and detects whole numbers", function()
      local f = ml.Frame {
         { "a", { 1, nil, 3, n = 4 } }, { "b", { "x", nil, true, n = 4 } }, { "c", { 1, 2, 3, 4.5 } },
      }
      assert.same({ 1, "nan", 3, "nan" }, values(f.a))
      assert.equal("integer", math.type(f.a[3]))
      assert.equal(nil, f.b[2])
      assert.equal(true, f.b[3])
      assert.is_false(f.c.whole)
   end)

   it("has a shape and columns by name", function()
      local f = people()
      assert.equal(4, f.rows)
      assert.equal(4, #f)
      assert.equal(3, f.cols)
      assert.same({ "Ada", "Bo", "Cy", "Di" }, values(f.name))
      assert.equal(f.age, f["age"])
      assert.equal(f.age, f:col "age")
      local order = {}
      for name in pairs(f) do order[#order + 1] = name end
      assert.same({ "name", "age", "city" }, order)
   end)

   it("sets, adds and drops columns in place", function()
      local f = people()
      f.age = { 1, 2, 3, 4 }
      f.year = 2020
      f.name = nil
      assert.same({ "age", "city", "year" }, f.names)
      assert.same({ 2020, 2020, 2020, 2020 }, values(f.year))
      assert.same({ 1, 2, 3, 4 }, values(f.age))
   end)

   it("reads columns with names of methods by col", function()
      local f = ml.Frame { { "group", { "I", "II" } }, { "rows", { 7, 8 } } }
      assert.equal("function", type(f.group))
      assert.same({ "I", "II" }, values(f:col "group"))
      assert.equal(2, f.rows)
      assert.same({ 9, 9 }, values(f:with { rows = 9 }:col "rows"))
   end)

   it("selects, drops, renames, adds and copies columns", function()
      local f = people()
      assert.same({ "city", "name" }, f:select("city", "name").names)
      assert.same({ "city" }, f:select { "city" }.names)
      assert.same({ "name" }, f:drop { "age", "city" }.names)
      assert.same({ "name", "years", "city" }, f:rename { age = "years" }.names)
      assert.same({ "name", "age", "city", "a", "b" }, f:with { b = 1, a = "x" }.names)
      assert.same({ "name", "age", "city" }, f.names)
      local copy = f:copy()
      copy.age[1] = 99
      assert.equal(36, f.age[1])
      assert.same({ "name", "age", "city", "z" }, f:hcat(ml.Frame { z = { 1, 2, 3, 4 } }).names)
   end)

   it("selects rows by index, range and condition", function()
      local f = people()
      assert.same({ "Cy", "Ada", "Cy" }, values(f:take({ 3, 1, 3 }).name))
      assert.same({ "Bo", "Cy" }, values(f:slice(2, 3).name))
      assert.same({ "Ada", "Bo" }, values(f:head(2).name))
      assert.same({ "Di" }, values(f:tail(1).name))
      assert.equal(4, f:head(9).rows)
      assert.equal(0, f:slice(2, 1).rows)
      assert.same({ "Ada", "Di" }, values(f:filter(f.city:eq "Oslo").name))
      assert.same({ "Ada", "Di" }, values(f:filter(function(row) return row.age > 30 end).name))
      assert.same({ "Bo" }, values(f:filter({ false, true, false, false }).name))
      assert.same({ "Ada", "Di" }, values(f:dropna().name))
      assert.same({ "Ada", "Bo", "Di" }, values(f:dropna("city").name))
   end)

   it("refuses arguments that it would ignore", function()
      local f = ml.Frame { a = { 1, 2, 3 }, b = { 3, 1, 2 } }
      refuses("crosstab: takes the names of two columns and no options", f.crosstab, f, "a", "b", { normalize = true })
      refuses('describe: takes no arguments; f:select { "a", "b" }:describe() describes some columns', f.describe, f,
         "a")
      refuses("head: takes one argument, the number of rows; f:slice(first, last) takes a range", f.head, f, 2, 3)
      refuses("tail: takes one argument, the number of rows; f:slice(first, last) takes a range", f.tail, f, 2, 3)
      refuses("head: the number of rows must be a whole number >= 0, got the string '3'", f.head, f, "3")
      refuses("corr: method must be pearson, spearman or kendall, got 'spearmann'; did you mean 'spearman'?", f.corr, f,
         { method = "spearmann" })
   end)

   it("says how to compare a column in a filter", function()
      local f = ml.Frame { age = { 20, 30, 40 } }
      support.refuses("Vector cannot be compared with <, <=, > or >=; v:lt%(x%)", function() return f.age > 30 end)
      support.refuses("v:ge%(x%) compare each element", function() return 30 <= f.age end)
      support.refuses("got boolean; f.x == 1 compares the whole column, f.x:eq%(1%) each value",
         function() return f:filter(f.age == 30) end)
   end)

   it("does not share memory with the frame that rows were taken from", function()
      local f = ml.Frame { a = { 1, 2, 3 } }
      local g = f:head(2)
      g.a[1] = 9
      assert.equal(1, f.a[1])
   end)

   it("fills missing values", function()
      local f = people():fillna { age = 30, city = "unknown" }
      assert.same({ 36, 30, 19, 36 }, values(f.age))
      assert.same({ "Oslo", "Bergen", "unknown", "Oslo" }, values(f.city))
      assert.same({ "Bergen", "Oslo", "unknown" }, f.city.levels)
      assert.same({ 36, 0, 19, 36 }, values(people():fillna(0).age))
   end)

   it("splits into X and y", function()
      local iris = ml.read_csv "examples/data/iris.csv"
      local X, y = iris:split "species"
      assert.equal(4, X.cols)
      assert.same({ "setosa", "versicolor", "virginica" }, y.levels)
      local _, two = iris:split { "petal_length", "petal_width" }
      assert.same({ "petal_length", "petal_width" }, two.names)
      assert.equal(1.4, X:matrix():get(1, 3))
   end)

   it("concatenates frames by column name and merges levels", function()
      local f = ml.Frame { { "a", { 1, 2 } }, { "b", { "x", "z" } } }
      local g = ml.Frame { { "b", { "y" } }, { "a", { 3 } } }
      local both = f:vcat(g)
      assert.same({ 1, 2, 3 }, values(both.a))
      assert.is_true(both.a.whole)
      assert.same({ "x", "z", "y" }, values(both.b))
      assert.same({ "x", "y", "z" }, both.b.levels)
   end)

   it("iterates over rows", function()
      local seen = {}
      for i, row in people():each() do seen[i] = row.name .. tostring(row.city) end
      assert.same({ "AdaOslo", "BoBergen", "Cynil", "DiOslo" }, seen)
      assert.same({ name = "Cy", age = 19 }, people():row(3))
   end)

   it("sorts stably by several keys, missing values last", function()
      local f = people()
      assert.same({ "Cy", "Ada", "Di", "Bo" }, values(f:sort("age").name))
      assert.same({ "Ada", "Di", "Cy", "Bo" }, values(f:sort("age", { descending = true }).name))
      assert.same({ "Bo", "Ada", "Di", "Cy" }, values(f:sort("city").name))
      assert.same({ "Cy", "Di", "Ada", "Bo" }, values(f:sort({ "age", "name" }, { descending = { false, true } }).name))
   end)

   it("equals a frame with the same names and values", function()
      assert.equal(people(), people())
      assert.not_equal(people(), people():rename { age = "years" })
      assert.not_equal(people(), people():head(3))
      assert.not_equal(people(), people():with { age = 1 })
   end)

   it("prints within a width", function()
      local titanic = ml.read_csv "examples/data/titanic.csv"
      for _, width in ipairs { 20, 40, 80, 200 } do
         for line in titanic:format({ width = width }):gmatch "[^\n]+" do
            if not line:find "^Frame:" then assert.is_true(utf8.len(line) <= width, line) end
         end
      end
      assert.equal(table.concat({
         "Frame: 4 rows, 3 columns",
         "   name       age  city",
         "   factor  number  factor",
         "             1 NA  1 NA",
         "1  Ada         36  Oslo",
         "2  Bo          NA  Bergen",
         "3  Cy          19  NA",
         "4  Di          36  Oslo",
      }, "\n"), tostring(people()))
      assert.matches("%.%.%. 1299 more rows\n%.%.%. 5 more columns: parch, ticket, fare, cabin, embarked$",
         titanic:format { width = 80 })
   end)

   it("prints long labels if the screen is wide enough", function()
      local long = ("x"):rep(40)
      local text = ml.Frame { { "label", { long, "b" } }, { "value", { 1, 2 } } }:format { width = 80 }
      assert.matches(long, text, 1, true)
      text = ml.Frame { { "a", { long, "b" } }, { "b", { long, "b" } } }:format { width = 80 }
      assert.matches("1  " .. ("x"):rep(35) .. "%.%.  " .. ("x"):rep(35) .. "%.%.\n", text)
      text = ml.Frame { { "a", { long, "b" } }, { "b", { long, "b" } }, { "c", { long, "b" } } }:format { width = 80 }
      assert.matches("1  " .. ("x"):rep(28) .. "%.%.  " .. ("x"):rep(28) .. "%.%.\n", text)
   end)

   it("supports frames without rows or columns", function()
      local empty = ml.parse_csv "a,b\n"
      assert.same({ 0, 2 }, { empty.rows, empty.cols })
      for _, f in ipairs { empty:sort { "a", "b" }, empty:filter(ml.Vector(0)), empty:head(), empty:dropna(),
         empty:group("a"):aggregate { b = "mean" }, empty:vcat(empty) } do
         assert.equal(empty, f)
      end
      assert.equal(2, empty:describe().rows)
      assert.equal("a,b\n", empty:to_csv())
      assert.same({ 1, 2 }, values(empty:drop("b"):join(ml.Frame { a = { 2, 1 } }, { how = "outer" }).a))
      assert.equal("Frame: 0 rows, 0 columns", tostring(empty:drop("a", "b")))
   end)

   it("groups by the values of columns, missing values last", function()
      local f = people()
      local groups = f:group "city"
      assert.equal(3, #groups)
      assert.same({ 1, 2, 1 }, values(groups:size():col "size"))
      local seen = {}
      for key, part in groups:each() do seen[#seen + 1] = tostring(key.city) .. part.rows end
      assert.same({ "Bergen1", "Oslo2", "nil1" }, seen)
      local function concatenate(v) return table.concat(v:totable(), "+") end
      local g = groups:aggregate { age = "max", names = { "name", concatenate }, again = { "age", "max" } }
      assert.same({ "city", "names", "again", "age" }, g.names)
      assert.same({ "Bo", "Ada+Di", "Cy" }, values(g.names and g:col "names"))
      assert.same({ "nan", 36, 19 }, values(g.age))
      assert.same({ 2, 1, 1 }, values(f:value_counts("city"):col "count"))
      refuses("Groups has no 'agregate'; did you mean 'aggregate'?", function() return groups:agregate {} end)
      refuses("aggregate: mean requires numbers, 'name' is a Factor",
         function() return groups:aggregate { name = "mean" } end)
      refuses("aggregate: there is no column 'agee'; did you mean 'age'?",
         function() return groups:aggregate { agee = "mean" } end)
   end)

   it("joins by keys with different names, and reports invalid arguments", function()
      local f, g = ml.Frame { id = { 1, 2 }, v = { 5, 6 } }, ml.Frame { key = { 2, 3 }, v = { 7, 8 } }
      local both = f:join(g, { left_on = "id", right_on = "key", how = "outer", suffixes = { "", "_right" } })
      assert.same({ "id", "v", "key", "v_right" }, both.names)
      assert.same({ 1, 2, "nan" }, values(both.id))
      assert.same({ "nan", 2, 3 }, values(both.key))
      refuses("join: how must be one of inner, left, right, outer, got 'outter'; did you mean 'outer'?",
         function() return f:join(g, { on = "v", how = "outter" }) end)
      refuses("join: key 'v' is a Vector, 'v' on the right is a Factor",
         function() return f:join(ml.Frame { v = { "x" } }) end)
      refuses("join: the frames have no column name in common; give on, or left_on and right_on",
         function() return f:join(ml.Frame { w = { 1 } }) end)
      local many = ml.Frame { a = ml.Vector(100000, 1) }
      refuses("join: the result has more than 2147483647 rows: keys repeat in both frames",
         function() return many:join(many) end)
   end)

   it("reports errors and suggests names", function()
      local f = people()
      refuses("Frame has no column or method 'agee'; did you mean 'age'?", function() return f.agee end)
      refuses("Frame has no column or method 'selct'; did you mean 'select'?", function() return f:selct "age" end)
      refuses("Frame has no column or method 'zzzzzz'; there are name, age, city", function() return f.zzzzzz end)
      refuses("Frame: columns are indexed by name, got 3; use f:row(3) for a row", function() return f[3] end)
      refuses("select: there is no column 'cty'; did you mean 'city'?", function() return f:select { "cty" } end)
      refuses("Frame: column 'age' must have 4 values like the others, got 2; set field n of a list that ends with "
         .. "missing values",
         function() f.age = { 1, 2 } end)
      refuses("Frame: 'group' is a reserved name; use f:with{ group = column }",
         function() f.group = 1 end)
      refuses("Frame: two columns are named 'a'", ml.Frame, { { "a", { 1 } }, { "a", { 2 } } })
      refuses("Frame: column 'a': element 2 is a table, not a number, string or boolean",
         ml.Frame, { { "a", { 1, {} } } })
      refuses("take: row at position 2 must be a whole number from 1 to 4, got 5",
         function() return f:take { 1, 5 } end)
      refuses("filter: the mask must have one value per row, 4, got 1",
         function() return f:filter { true } end)
      refuses("filter: a mask must be 0 or 1 (false or true) in every row; it is neither in row 1",
         function() return f:filter(f.age) end)
      refuses("matrix: all columns must be numeric, 'name' is a Factor; drop or encode it",
         function() return f:matrix() end)
      refuses("sort has no option 'desending'; did you mean 'descending'?",
         function() return f:sort("age", { desending = true }) end)
      refuses("fillna: the value for the numeric column 'age' must be a number, got string",
         function() return f:fillna { age = "x" } end)
      refuses("vcat: column 'a': part 2 has labels, part 1 has numbers",
         function() return ml.Frame { a = { 1 } }:vcat(ml.Frame { a = { "x" } }) end)
   end)

   it("raises errors at the line of the caller", function()
      local f = people()
      local line = debug.getinfo(1, "l").currentline
      local calls = {
         function() f:take { 9 } end,
         function() f:select "x" end,
         function() return f.nothing_like_it end,
         function() f.city = { 1 } end,
      }
      for i, call in ipairs(calls) do
         local _, text = pcall(call)
         assert.matches(("frame_spec.lua:%d: "):format(line + 1 + i), text, 1, true)
      end
   end)

   it("frees all memory", function()
      collectgarbage()
      collectgarbage()
      local live = core.memory.live()
      do
         local f = ml.read_csv "examples/data/titanic.csv"
         local g = f:sort("age"):filter(f.survived):dropna("cabin"):fillna { age = 1 }
         assert.is_true(g.rows > 0 and core.memory.live() > live)
      end
      collectgarbage()
      collectgarbage()
      assert.equal(live, core.memory.live())
   end)
end)
