local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses_exactly

local function values(column)
   local list = {}
   for i = 1, #column do
      local value = column[i]
      if value == nil then value = "none" elseif value ~= value then value = "nan" end
      list[i] = value
   end
   return list
end

-- Call body with the path of a temporary file, which is removed afterwards.
local function with_file(ending, body)
   local name = os.tmpname()
   local path = name .. ending
   local ok, message = pcall(body, path)
   os.remove(name)
   os.remove(path)
   if not ok then error(message, 0) end
end

local function write(path, text)
   local file = assert(io.open(path, "wb"))
   file:write(text)
   file:close()
end

describe("read_csv", function()
   it("detects types, missing values and names", function()
      local f = ml.parse_csv 'age,city,ok\n31,"Os""lo, N",true\nNA,,false\n2.5,Bergen,NA\n'
      assert.same({ "age", "city", "ok" }, f.names)
      assert.same({ 31, "nan", 2.5 }, values(f.age))
      assert.same({ 'Os"lo, N', "none", "Bergen" }, values(f.city))
      assert.same({ true, false, "none" }, values(f.ok))
      assert.is_true(ml.parse_csv("n\n1\n2\n").n.whole)
   end)

   it("accepts its options", function()
      assert.same({ "column_1", "column_2" }, ml.parse_csv("1;2\n3;4\n", { header = false }).names)
      assert.same({ "x" }, ml.parse_csv("#\nx\n1\n", { skip = 1 }).names)
      assert.equal(1.5, ml.parse_csv("x;y\n1,5;2\n", { delimiter = ";", decimal = "," }).x[1])
      assert.same({ "nan", 3 }, values(ml.parse_csv("x\n-99\n3\n", { na = { "-99" } }).x))
      assert.same({ "b", "a" }, ml.parse_csv("a,b\n1,2\n", { columns = { "b", "a" } }).names)
      assert.same({ "01", "2" }, values(ml.parse_csv("z\n01\n2\n", { types = { z = "factor" } }).z))
      assert.equal(2, ml.parse_csv("a\n1\n2\n3\n", { rows = 2 }).rows)
      assert.same({ "b" }, values(ml.parse_csv("a\n'b'\n", { quote = "'" }).a))
      assert.equal(1, ml.parse_csv("a\n#b\n1\n", { comment = "#" }).rows)
      assert.equal(2, ml.parse_csv("a,b\n1\n", { strict = false }).cols)
      assert.same({ " b" }, values(ml.parse_csv("a\n b\n", { keep_blanks = true }).a))
   end)

   it("reads the files of examples/data", function()
      for name, shape in pairs { iris = { 150, 5 }, titanic = { 1309, 11 }, california_housing = { 20640, 10 },
         mayer = { 27, 6 } } do
         local f = ml.read_csv("examples/data/" .. name .. ".csv")
         assert.same(shape, { f.rows, f.cols }, name)
      end
      assert.equal(263, core.frame.count_missing(ml.read_csv("examples/data/titanic.csv").age))
   end)

   it("reports file, line and column, and invalid options", function()
      with_file(".csv", function(path)
         write(path, "a,b\n1,2\n3,x\n")
         refuses(path .. ':3:3: expected a number, got "x"', ml.read_csv, path, { types = { b = "number" } })
      end)
      refuses("/nowhere/x.csv: No such file or directory", ml.read_csv, "/nowhere/x.csv")
      refuses("text:2:4: row has 3 fields, the header has 2", ml.parse_csv, "a,b\n1,2,3\n")
      refuses("read_csv has no option 'delimter'; did you mean 'delimiter'?", ml.read_csv, "x", { delimter = "," })
      refuses("parse_csv: header must be true, false or 'auto', got 1", ml.parse_csv, "", { header = 1 })
      refuses("parse_csv: delimiter must be a string of one character, got ';;'", ml.parse_csv, "",
         { delimiter = ";;" })
      refuses("parse_csv: rows must be a whole number from 1, got 0", ml.parse_csv, "", { rows = 0 })
      refuses("parse_csv: b must be 'number' or 'factor', got 'int'", ml.parse_csv, "", { types = { b = "int" } })
      refuses("parse_csv: na must be a list of strings, got 3", ml.parse_csv, "", { na = 3 })
      refuses("read_csv: path must be a string, got nil", ml.read_csv)
      refuses("read_csv: options must be a table, got string", ml.read_csv, "x", ",")
   end)

   it("reports the line of the caller", function()
      local line = debug.getinfo(1, "l").currentline + 1
      local _, text = pcall(function() local f = ml.parse_csv "a\n1,2\n" return f end)
      assert.matches(("io_spec.lua:%d: text:2:"):format(line), text, 1, true)
   end)

   -- The column a of a CSV text, and the warning.
   local function read(text, options)
      local warned, before = {}, ml.warnings()
      ml.warnings(function(message) warned[#warned + 1] = message end)
      local ok, frame = pcall(ml.parse_csv, text, options)
      ml.warnings(before)
      assert(ok, frame)
      assert.is_true(#warned <= 1)
      return frame.a, warned[1]
   end

   it("keeps empty lines of a table with one column as missing values", function()
      local a = ml.parse_csv("a\n1\n\n3\n").a
      assert.equal(3, #a)
      assert.is_true(a[2] ~= a[2])
      assert.equal(3, #ml.parse_csv("a\r\n1\r\n\r\n3\r\n").a)
      assert.same({ "x", "y", n = 3 }, { read("a\nx\n\ny\n")[1], read("a\nx\n\ny\n")[3], n = 3 })
      assert.equal(2, #ml.parse_csv("a\n1\n3\n\n\n").a) -- not at the end
      assert.equal(2, #ml.parse_csv("a,b\n1,2\n\n3,4\n").a) -- nor with two columns
      local lines = {}
      for i = 1, 200000 do lines[i] = i % 3 == 0 and "" or tostring(i) end
      local long = ml.parse_csv("a\n" .. table.concat(lines, "\n") .. "\n").a
      assert.equal(200000, #long)
      assert.equal(199999, long[199999])
   end)

   it("warns about a field that makes a numeric column a factor", function()
      local SECOND = "; types = { [name] = 'factor' } confirms this, 'number' makes it an error"
      local a, warning = read "a\n1\n0x10\n3\n"
      assert.equal("0x10", a[2])
      assert.equal("text:3:1: \"0x10\" is not a number, so column 'a' is read as labels" .. SECOND, warning)
      local lines = { "b,a" }
      for i = 1, 300 do lines[i + 1] = ("%d,%d"):format(i, i) end
      lines[251] = "250,1 000"
      assert.matches('^text:251:5: "1 000" is not a number, so column \'a\'',
         select(2, read(table.concat(lines, "\n"))))
      assert.matches('^text:2:1: "%?" is not a number', select(2, read "a\n?\n1\n2\n?\n?\n3\n4\n"))
   end)

   it("does not warn about columns of texts, forced kinds and missing values", function()
      for _, text in ipairs { "a\nx\n1\ny\n2\nz\n3\n4\n", "a\nx\ny\n", "a\ntrue\nfalse\n", "a\n1\nNA\n2\n" } do
         assert.is_nil(select(2, read(text)))
      end
      assert.is_nil(select(2, read("a\n1\n0x10\n3\n", { types = { a = "factor" } })))
      assert.is_nil(select(2, read("a\n1\n?\n3\n", { na = { "?" } })))
   end)

   it("warns once about a file read in chunks", function()
      with_file(".csv", function(path)
         local file = assert(io.open(path, "w"))
         file:write "a,b\n1,1\n2,2\n3,3\n4,x4\n5,5\n"
         file:close()
         local warned, before = {}, ml.warnings()
         ml.warnings(function(message) warned[#warned + 1] = message end)
         for chunk in ml.csv_chunks(path, { rows = 2 }) do assert.equal("number", type(chunk.a[1])) end
         ml.warnings(before)
         assert.equal(1, #warned)
         assert.is_true(warned[1]:find(path .. ':5:3: "x4" is not a number', 1, true) ~= nil)
      end)
   end)

   it("reads numbers beyond the range of doubles as infinite", function()
      local a, warning = read "a\n1\n1e400\n-1e400\n"
      assert.same({ 1, math.huge, -math.huge }, a:totable())
      assert.matches("^text: column 'a' has numbers beyond 1.8e308", warning)
   end)

   it("warns about integers that a double cannot represent", function()
      local a, warning = read "a\n9007199254740993\n"
      assert.equal(2 ^ 53, a[1])
      assert.matches("^text: column 'a' has integers beyond 2%^53", warning)
      assert.equal("9007199254740993", ml.parse_csv("id\n9007199254740993\n", { types = { id = "factor" } }).id[1])
   end)
end)

describe("write_csv", function()
   local penguins = ml.read_csv "examples/data/penguins.csv"

   it("writes files that are read back unchanged, plain and compressed", function()
      assert.equal(penguins, ml.parse_csv(penguins:to_csv()))
      for _, ending in ipairs { ".csv", ".csv.gz", ".tsv" } do
         with_file(ending, function(path)
            local tab = ending == ".tsv"
            assert.equal(penguins, penguins:write_csv(path, { delimiter = tab and "\t" or "," }))
            assert.equal(penguins, (tab and ml.read_tsv or ml.read_csv)(path))
         end)
      end
   end)

   it("preserves every double", function()
      local x = ml.Vector { 0.1, 1 / 3, 1e-308, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789 }
      assert.equal(x, ml.parse_csv(ml.Frame({ { "x", x } }):to_csv()).x)
   end)

   it("accepts its options", function()
      local f = ml.Frame { { "a", { 1, nil, n = 2 } }, { "b", { "x", "NA" } } }
      assert.equal('a;b\n1;x\nNA;"NA"\n', f:to_csv { delimiter = ";", na = "NA" })
      assert.equal('1,"x"\n,"NA"\n', f:to_csv { header = false, quote_all = true })
      assert.equal("a\n1\n2\n", ml.Frame({ { "a", ml.Matrix({ { 1, 9 }, { 2, 9 } }):col(1) } }):to_csv())
      refuses("to_csv has no option 'sep'; did you mean 'delimiter'?", f.to_csv, f, { sep = ";" })
      refuses("to_csv: Frame expected, got table", f.to_csv, {})
   end)

   it("preserves a byte order mark that is part of a text", function()
      local mark = "\xef\xbb\xbf"
      local f = ml.parse_csv(" " .. mark .. ",b\n1,2\n")
      assert.same({ mark, "b" }, f.names)
      assert.equal('"' .. mark .. '",b\n1,2\n', f:to_csv())
      assert.equal(f, ml.parse_csv(f:to_csv()))
   end)
end)

describe("a large file", function()
   it("gives the same Frame as its bytes, although parsed pages are released", function()
      local lines, place = { "id,place,size,late" }, { "Tycho", '"Sinus\nMedii"', "Plato, the dark", "" }
      place[3] = '"' .. place[3] .. '"'
      for i = 1, 60000 do -- 2 MB, in several chunks; `late` has text only near the end
         lines[#lines + 1] = ("%d,%s,%.12f,%s"):format(i, place[i % 4 + 1], i / 7, i == 59000 and "word" or i % 10)
      end
      local text = table.concat(lines, "\n") .. "\n"
      local wanted, count = ml.parse_csv(text), 0
      with_file(".csv", function(path)
         write(path, text)
         local got, tags = ml.read_csv(path), {}
         for _, name in ipairs(wanted.names) do assert.same(values(wanted[name]), values(got[name])) end
         for piece in ml.csv_chunks(path, { rows = 7000, columns = { "place" } }) do
            count = count + piece.rows
            tags[#tags + 1] = piece.place[1]
         end
         assert.equal(60000, count)
         for c, tag in ipairs(tags) do assert.equal(wanted.place[(c - 1) * 7000 + 1], tag) end
      end)
      assert.equal("word", wanted.late[59000])
   end)
end)

describe("csv_chunks", function()
   it("reads a file in chunks", function()
      local sizes, all = {}, nil
      for piece in ml.csv_chunks("examples/data/titanic.csv", { rows = 500 }) do
         sizes[#sizes + 1] = piece.rows
         all = all and all:vcat(piece) or piece
      end
      assert.same({ 500, 500, 309 }, sizes)
      assert.equal(ml.read_csv "examples/data/titanic.csv", all)
   end)

   it("closes the file when the loop is left", function()
      collectgarbage()
      local live = core.memory.live()
      local rows = 0
      for piece in ml.csv_chunks("examples/data/titanic.csv", { rows = 10 }) do
         rows = rows + piece.rows
         if rows == 20 then break end
      end
      collectgarbage()
      assert.equal(live, core.memory.live())
   end)
end)

describe("A number beyond the largest double", function()
   local function warnings_of(f, ...)
      local heard = {}
      local old = ml.warnings(function(text) heard[#heard + 1] = text end)
      local result = f(...)
      ml.warnings(old)
      return result, table.concat(heard, "\n")
   end

   it("reads as inf with a warning, in every position and spelling", function()
      local long = ("9"):rep(400)
      for _, number in ipairs { "1e400", "-1e400", "1e999999999999", long, long .. ".", "'1e400'" } do
         local frame, text = warnings_of(ml.parse_csv, ("a,b\n1,2\n%s,3\n"):format(number:gsub("'", '"')))
         assert.equal(math.huge, math.abs(frame.a[2]), number)
         assert.matches("column 'a' has numbers beyond 1.8e308, the largest one, which were read as inf", text, 1, true)
      end
      for _, number in ipairs { "inf", "-Infinity", "1e308", "1.7976931348623157e308" } do
         local frame, text = warnings_of(ml.parse_csv, ("a,b\n1,2\n%s,3\n"):format(number))
         assert.equal("", text)
         assert.equal(number:lower():find "inf" ~= nil, math.abs(frame.a[2]) == math.huge)
      end
      local frame, text = warnings_of(ml.parse_csv, "a,b\n1,2\n1e400,3\n", { types = { a = "factor" } })
      assert.equal("", text)
      assert.equal("1e400", frame.a[2])
      local _, json = warnings_of(ml.parse_jsonl, '{"a":1}\n{"a":-1e400}\n')
      assert.matches("column 'a' has numbers beyond 1.8e308", json, 1, true)
   end)

   it("is an error in svmlight, where columns have no names", function()
      refuses('text:1:5: expected a number below 1.8e308, got "1e400"', ml.parse_svmlight, "1 1:1e400\n")
      refuses('text:1:1: expected a label below 1.8e308, got "-1e400"', ml.parse_svmlight, "-1e400 1:1\n")
      assert.matches("inf", tostring((ml.parse_svmlight "1 1:inf\n")))
   end)
end)

describe("NPY, NPZ and svmlight", function()
   it("preserve matrices", function()
      local X = ml.normal(7, 3, 5)
      assert.equal(X, ml.parse_npy(ml.format_npy(X)))
      with_file(".npy", function(path)
         ml.write_npy(path, X)
         assert.equal(X, ml.read_npy(path))
      end)
      refuses("/nowhere/x.npz: No such file or directory", ml.read_npz, "/nowhere/x.npz")
      refuses("bytes: not an .npz file: the directory at the end of a ZIP file is missing", ml.parse_npz, "PK")
   end)

   it("of an empty array bounds its rows, since memory does not", function()
      local bytes = ml.format_npy(ml.zeros(10000007, 0))
      assert.equal(10000007, ml.parse_npy(bytes).rows)
      local message = "a matrix without values can have at most 16777216 rows and columns, got %d x 0"
      for _, rows in ipairs { "16777217", "1000000000", "4611686018427387904" } do -- the header keeps its length
         local long = bytes:gsub("10000007", rows):gsub((" "):rep(#rows - 8), "", 1)
         refuses(message:format(rows), ml.parse_npy, long)
      end
      refuses(message:format(3000000000), ml.zeros, 3000000000, 0)
   end)

   it("preserve sparse rows, labels and queries", function()
      local text = "1 qid:1 1:2 3:4\n-1 qid:1\n0.5 qid:2 2:0.5\n"
      local X, y, lengths = ml.parse_svmlight(text)
      assert.same({ 3, 3 }, { X.rows, X.cols })
      assert.same({ 1, -1, 0.5 }, values(y))
      assert.same({ 2, 1 }, values(lengths))
      assert.equal(text, ml.format_svmlight(X, y, { lengths = lengths }))
      assert.equal(5, (ml.parse_svmlight("1 0:1\n", { cols = 5 })).cols)
      refuses("parse_svmlight: base must be 0 or 1, got 2", ml.parse_svmlight, "", { base = 2 })
      refuses("format_svmlight: X must be a Sparse, got table", ml.format_svmlight, {})
   end)
end)

describe("read_jsonl", function()
   it("reads flat objects", function()
      local f = ml.parse_jsonl('{"a": 1, "b": "x\\u00e9\\ud83d\\ude00\\n"}\n\n' ..
         ' {"b":null,"c":true, "a":2.5}\r\n{"c":false}')
      assert.same({ "a", "b", "c" }, f.names)
      assert.same({ 1, 2.5, "nan" }, values(f.a))
      assert.same({ "xé😀\n", "none", "none" }, values(f.b))
      assert.same({ "none", true, false }, values(f.c))
      assert.is_true(ml.parse_jsonl('{"n":1}\n{"n":-2}').n.whole)
      assert.same({ "x", 1, 2.5 }, values(ml.parse_jsonl('{"m":"x"}\n{"m":1}\n{"m":2.5}').m))
      assert.equal(0, ml.parse_jsonl("").rows)
      with_file(".jsonl", function(path)
         write(path, '{"a":1}\n')
         assert.equal(1, ml.read_jsonl(path).a[1])
      end)
   end)

   it("reports line and column of errors", function()
      for text, message in pairs {
         ['{"a":1,}'] = "1:8: expected a key in quotes",
         ['{"a":1}\n{"a":[1]}'] = "2:6: expected a number, text, true, false or null, got an object or array",
         ["[1]"] = '1:1: a row must be an object, { "key": value, ... }',
         ['{"a":1} x'] = "1:9: unexpected text after the object",
         ['{"a":NaN}'] = "1:6: expected a number, text, true, false or null",
         ['{"a":"x'] = "1:8: a string has no closing quote",
         ['{"a":"\\q"}'] = "1:7: invalid escape in a string",
         ['{"a":"\\ud83d"}'] = "1:7: invalid escape in a string",
         ['{"a":1,"a":2}'] = "1:8: duplicate key",
         ['{"a":\n1}'] = "1:6: expected a value, got the end of the line",
         ['{"a" 1}'] = "1:6: expected ':' after a key",
         ['{"a":1 "b":2}'] = "1:8: expected ',' or '}'",
      } do
         refuses("text:" .. message, ml.parse_jsonl, text)
      end
   end)
end)

describe("from_cursor", function()
   local function cursor(names, rows, types)
      local i = 0
      return {
         getcolnames = function() return names end,
         getcoltypes = types and function() return types end,
         fetch = function(_, row, mode)
            assert.equal("n", mode)
            i = i + 1
            if not rows[i] then return nil end
            for j = 1, #names do row[j] = rows[i][j] end
            return row
         end,
      }
   end

   it("reads all rows", function()
      local f = ml.from_cursor(cursor({ "id", "city" }, { { 1, "Oslo" }, { 2, nil }, { 3, "Bergen" } }))
      assert.same({ 1, 2, 3 }, values(f.id))
      assert.same({ "Oslo", "none", "Bergen" }, values(f.city))
   end)

   it("converts texts to numbers only in columns of a numeric type", function()
      local rows = { { "1", "2" }, { "3", nil } }
      local f = ml.from_cursor(cursor({ "a", "b" }, rows, { "INTEGER", "varchar(9)" }))
      assert.same({ 1, 3 }, values(f.a))
      assert.same({ "2", "none" }, values(f.b))
      assert.same({ 2, "nan" }, values(ml.from_cursor(cursor({ "a", "b" }, rows), { types = { b = "number" } }).b))
      assert.same({ "1" }, values(ml.from_cursor(cursor({ "a" }, { { 1 } }), { types = { a = "factor" } }).a))
      refuses("from_cursor: row 1 of 'a' must be a number, got 'x'",
         ml.from_cursor, cursor({ "a" }, { { "x" } }), { types = { a = "number" } })
      refuses("from_cursor: there is no column 'ag'; did you mean 'age'?",
         ml.from_cursor, cursor({ "age" }, {}), { types = { ag = "number" } })
   end)
end)

describe("the memory of Frames", function()
   local function collect()
      collectgarbage()
      collectgarbage()
   end

   -- Fail each allocation in turn: every failure raises an error and nothing leaks.
   local function check_failures(min_failures, body)
      body()
      collect()
      local live, done = core.memory.live(), false
      for n = 0, 5000 do
         core.memory.fail_after(n)
         local ok, message = pcall(function() body() end) -- the result is discarded
         core.memory.fail_after(-1)
         if not ok then assert.matches("not enough memory", message) end
         collect()
         assert.equal(live, core.memory.live())
         done = ok
         if ok then
            assert.is_true(n >= min_failures, n)
            break
         end
      end
      assert.is_true(done)
   end

   local titanic = ml.read_csv "examples/data/titanic.csv"
   local ports = ml.Frame { { "embarked", { "C", "Q", "S" } }, { "port", { "Cherbourg", "Queenstown", "Cobh" } } }

   it("does not leak when any single allocation fails", function()
      check_failures(10, function() return ml.read_csv "examples/data/penguins.csv" end)
      check_failures(1, function() return ml.parse_jsonl '{"a":"x","b":1}\n{"a":"y"}\n' end)
      check_failures(10, function() return titanic:join(ports, { on = "embarked", how = "outer" }) end)
      check_failures(1, function() return titanic:group("sex", "pclass"):aggregate { age = "median", fare = "sum" } end)
      check_failures(1, function() return titanic:sort { "age", "name" } end)
      check_failures(1, function() return titanic:to_csv() end)
      check_failures(1, function() return titanic:describe() end)
      local n = 0
      check_failures(1, function()
         for piece in ml.csv_chunks("examples/data/penguins.csv", { rows = 100 }) do n = n + piece.rows end
      end)
      assert.is_true(n > 0)
   end)
end)
