--- Readers and writers of data files. Functions of the core are exposed directly, so that errors have the user's line.
local core = require "manilius.core"
local base = require "manilius.frame"
local check_options = require "manilius.options".check

local M = { help = {} }
for name, f in pairs(core.io) do M[name] = f end

--- Write matrices by name to a NumPy .npz file.
function M.write_npz(path, arrays)
   if base.kind(arrays) ~= "table" or arrays[1] ~= nil then
      error(("write_npz: arrays must be a table of matrices by name, got %s"):format(base.kind(arrays) == "table"
         and "a list" or base.kind(arrays)), 2)
   end
   local names = {}
   for name in pairs(arrays) do
      if type(name) ~= "string" or name:find "%z" then
         error(("write_npz: names must be strings, got %s"):format(base.kind(name)), 2)
      end
      names[#names + 1] = name
   end
   table.sort(names)
   if #names > 10000 then error(("write_npz: at most 10000 arrays are allowed, got %d"):format(#names), 2) end
   local matrices = {}
   for _, name in ipairs(names) do
      local value, rows = arrays[name], require "manilius.rows"
      if rows.kind(value) == "table" and type(value[1]) == "number" then value = core.Vector(value) end
      matrices[name] = rows.rethrow(2, pcall(core.Matrix, value))
   end
   base.call_core("write_npz", 2, core.io.write_npz, path, matrices, names)
end

-- --- help ---

local CSV = {
   header = 'first line holds column names: true (default), false or "auto"',
   delimiter = "character between fields, or false for none; default: detected",
   quote = 'quote character, or false for none; default "',
   comment = "character that starts a comment, or false; default false",
   decimal = 'decimal separator; default "."',
   keep_blanks = "true: keep spaces around fields; default false",
   strict = "true (default): rows of the wrong length are errors; false: pad with missing values or drop extra fields",
   na = "list of strings that mean missing",
   types = '{ column = "number" or "factor" }; other columns are detected',
   columns = "list of columns to read; default all",
   skip = "number of lines to skip at the start; default 0",
   rows = "maximum number of rows to read; default all",
}

local function csv_options(changes)
   local out = {}
   for name, line in pairs(CSV) do out[name] = changes[name] or line end
   return out
end

local FILE = "Requires the io library; in a sandbox without it, pass the contents to the parse_ or format_ function."

local TYPES = "A warning names the columns with integers beyond 2^53, which are rounded, with numbers beyond 1.8e308, "
   .. "which are read as inf, and with a value such as 0x10 that makes a column of numbers one of labels."

local function about(name, args, brief, returns, example, options)
   local notes = { name:find "[ct]sv" and TYPES or nil }
   if args[1] == "path" then notes[#notes + 1] = FILE end
   M.help[name] = { args = args, brief = brief, returns = returns, example = example, options = options or {},
      notes = #notes > 0 and table.concat(notes, " ") or nil }
end

about("read_csv", { "path" }, "Read a CSV file, plain or gzip; types and delimiter are detected.",
   "Frame", 'print(ml.read_csv("examples/data/iris.csv", { rows = 3 }))', CSV)
about("read_tsv", { "path" }, "Read a tab-separated file.", "Frame", [[
local path = os.tmpname()
ml.parse_csv "a,b\n1,x\n":write_csv(path, { delimiter = "\t" })
print(ml.read_tsv(path))
os.remove(path)]], csv_options { delimiter = "character between fields; default tab" })
about("parse_csv", { "text" }, "Parse CSV text.", "Frame",
   [[print(ml.parse_csv "age,city\n31,Oslo\n45,Rome\n")]], CSV)
about("csv_chunks", { "path" }, "Read a CSV file in chunks: for chunk in ml.csv_chunks(path) do.",
   "an iterator over Frames", [[
for chunk in ml.csv_chunks("examples/data/iris.csv", { rows = 100 }) do print(#chunk) end]],
   csv_options { rows = "rows per chunk; default 100000" })
about("read_jsonl", { "path" }, "Read a JSON Lines file of flat objects.", "Frame", [[
local path = os.tmpname()
local file = io.open(path, "w")
file:write('{"age": 31, "city": "Oslo"}\n')
file:close()
print(ml.read_jsonl(path))
os.remove(path)]])
about("parse_jsonl", { "text" }, "Parse JSON Lines text of flat objects.", "Frame",
   [[print(ml.parse_jsonl '{"age": 31, "city": "Oslo"}')]])
about("read_npy", { "path" }, "Read a NumPy .npy file of numbers.", "Matrix; a 1-d array becomes one column", [[
local path = os.tmpname()
ml.write_npy(path, { { 1, 2 }, { 3, 4 } })
print(ml.read_npy(path))
os.remove(path)]])
about("parse_npy", { "bytes" }, "Parse the bytes of a .npy file.", "Matrix",
   "print(ml.parse_npy(ml.format_npy { { 1, 2 } }))")
about("write_npy", { "path", "X" }, "Write a NumPy .npy file.", nil, M.help.read_npy.example)
about("format_npy", { "X" }, "Format a matrix as the bytes of a .npy file.", "string", "print(#ml.format_npy { { 1, "
   .. "2 } })")
about("read_npz", { "path" }, "Read the matrices of a NumPy .npz file.", "table of Matrix by name", [[
local path = os.tmpname()
ml.write_npz(path, { X = { { 1, 2 }, { 3, 4 } }, y = { 0, 1 } })
print(ml.read_npz(path).X)
os.remove(path)]])
about("write_npz", { "path", "arrays" }, "Write matrices, a table by name, to a NumPy .npz file, uncompressed.", nil,
   M.help.read_npz.example)
about("parse_npz", { "bytes" }, "Parse the bytes of a .npz file.", "table of Matrix by name",
   'print(pcall(ml.parse_npz, ""))')

local SVMLIGHT = { base = "index of the first column in the file, 0 or 1; default: detected when reading, 1 when "
   .. "writing",
   cols = "number of columns; default: the highest index found", lengths = "rows of each query, to write qid fields" }
local LABELLED = "Sparse X, Vector of labels, and Vector of rows per query if the file has queries"

about("read_svmlight", { "path" }, "Read a file in svmlight (libsvm) format.", LABELLED, [[
local path = os.tmpname()
ml.write_svmlight(path, ml.Sparse.from { { 0, 5 }, { 1, 0 } }, { 1, -1 })
print(ml.read_svmlight(path))
os.remove(path)]], { base = SVMLIGHT.base, cols = SVMLIGHT.cols })
about("parse_svmlight", { "text" }, "Parse text in svmlight (libsvm) format.", LABELLED,
   [[print(ml.parse_svmlight "1 2:5\n-1 1:1\n")]], { base = SVMLIGHT.base, cols = SVMLIGHT.cols })
about("write_svmlight", { "path", "X", "y" }, "Write a file in svmlight (libsvm) format.", nil,
   M.help.read_svmlight.example, { base = SVMLIGHT.base, lengths = SVMLIGHT.lengths })
about("format_svmlight", { "X", "y" }, "Format X and y as text in svmlight (libsvm) format.", "string",
   "print(ml.format_svmlight(ml.Sparse.from { { 0, 5 }, { 1, 0 } }, { 1, -1 }))",
   { base = SVMLIGHT.base, lengths = SVMLIGHT.lengths })
about("from_cursor", { "cursor" }, "Read all rows of a database cursor with fetch and getcolnames (LuaSQL).",
   "Frame; NULL is missing", [[
local rows = { { 31, "Oslo" }, { 45, "Rome" } }
local cursor = { getcolnames = function() return { "age", "city" } end,
   fetch = function() return table.remove(rows, 1) end }
print(ml.from_cursor(cursor))]], { types = '{ column = "number" or "factor" }; other columns are detected' })

local conll = require "manilius.conll"
for name, about_it in pairs(conll.help) do M[name], M.help[name] = conll[name], about_it end

-- --- databases ---

-- Parts of the names of numeric column types in databases.
local NUMBER_TYPES = { "int", "num", "dec", "float", "double", "real", "serial", "money" }

local function is_number_type(text)
   text = tostring(text):lower()
   for _, word in ipairs(NUMBER_TYPES) do
      if text:find(word, 1, true) then return true end
   end
   return false
end

local function fetch_all(cursor, cols, level)
   local values, rows = {}, 0
   for j = 1, cols do values[j] = {} end
   while true do
      local row = cursor:fetch({}, "n")
      if not row then break end
      if type(row) ~= "table" then
         error(("from_cursor: cursor:fetch must return a table or nil, got %s"):format(base.kind(row)), level + 1)
      end
      rows = rows + 1
      for j = 1, cols do values[j][rows] = row[j] end
   end
   return values, rows
end

local function to_numbers(list, rows, name, level)
   for i = 1, rows do
      local value = list[i]
      if type(value) == "string" then
         list[i] = tonumber(value) or error(("from_cursor: row %d of '%s' must be a number, got '%s'"):format(i, name,
            value), level + 1)
      end
   end
end

local function to_labels(list, rows)
   for i = 1, rows do
      if type(list[i]) == "number" then list[i] = tostring(list[i]) end
   end
end

local function check_types(types, names, level)
   for name, kind in pairs(types) do
      local known = false
      for _, one in ipairs(names) do known = known or one == name end
      if not known then
         error(("from_cursor: there is no column '%s'%s"):format(tostring(name), base.hint(name, names)), level + 1)
      end
      if kind ~= "number" and kind ~= "factor" then
         error(("from_cursor: the type of '%s' must be 'number' or 'factor', got '%s'"):format(name, tostring(kind)),
            level + 1)
      end
   end
end

local function names_of_cursor(cursor, level)
   local ok, methods = pcall(function() return cursor.fetch ~= nil and cursor.getcolnames ~= nil end)
   if not (ok and methods) then
      error("from_cursor: cursor must have the methods fetch and getcolnames, got " .. base.kind(cursor), level + 1)
   end
   local list = cursor:getcolnames()
   if type(list) ~= "table" then
      error("from_cursor: cursor:getcolnames must return a table, got " .. base.kind(list), level + 1)
   end
   return table.move(list, 1, #list, 1, {})
end

--- All rows of a cursor of LuaSQL, or of anything with fetch(row, "n") and getcolnames(): a Frame.
-- Numbers stay numbers, strings and booleans become labels, NULL is missing. Strings in a column whose database type
-- (getcoltypes) is numeric become numbers, because some drivers return all values as strings.
-- options: types: { column = "number" or "factor" }
function M.from_cursor(cursor, options)
   local types = check_options("from_cursor", options, M.help.from_cursor.options, 2).types or {}
   local names = names_of_cursor(cursor, 2)
   local has_types, database_types = pcall(function() return cursor:getcoltypes() end)
   check_types(types, names, 2)
   local values, rows = fetch_all(cursor, #names, 2)
   for j, name in ipairs(names) do
      local list = values[j]
      list.n = rows
      local kind = types[name] or (has_types and is_number_type(database_types[j]) and "number")
      if kind == "number" then
         to_numbers(list, rows, name, 2)
      elseif kind == "factor" then
         to_labels(list, rows)
      end
   end
   return (base.build(names, values, "from_cursor", 2))
end

return M
