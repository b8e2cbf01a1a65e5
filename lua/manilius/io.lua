--- Readers and writers of tables. Those of the core are called by the user directly, so that errors carry his line.
local core = require "manilius.core"
local base = require "manilius.frame"
local check_options = require "manilius.options".check

local M = { help = {} }
for name, f in pairs(core.io) do M[name] = f end

-- --- help ---

local CSV = {
   header = 'is the first line the names? true (default), false or "auto"',
   delimiter = "character between fields, or false; found out when not given",
   quote = 'character around fields, or false; default "',
   comment = "character that begins a comment, or false; default false",
   decimal = 'the decimal point; default "."',
   keep_blanks = "true: blanks around fields belong to them",
   strict = "false: fields that a line lacks are missing, extra ones are dropped; true (default): both are errors",
   na = "list of texts that mean missing",
   types = '{ column = "number" or "factor" }: not guessed for these',
   columns = "list of the columns that are wanted",
   skip = "lines to leave out at the start",
   rows = "most rows to read",
}

local function csv_options(changes)
   local out = {}
   for name, line in pairs(CSV) do out[name] = changes[name] or line end
   return out
end

local FILE = "Needs the io library: where a sandbox took it away, files are refused, and texts taken."

local function about(name, args, brief, returns, example, options)
   M.help[name] = { args = args, brief = brief, returns = returns, example = example, options = options or {},
      notes = args[1] == "path" and FILE or nil }
end

about("read_csv", { "path" }, "Read a CSV file (also gzip): types, delimiter and missing values are found out.",
   "Frame", 'print(ml.read_csv("examples/data/iris.csv", { rows = 3 }))', CSV)
about("read_tsv", { "path" }, "Read a table with tabs between fields.", "Frame", [[
local path = os.tmpname()
ml.parse_csv "a,b\n1,x\n":write_csv(path, { delimiter = "\t" })
print(ml.read_tsv(path))
os.remove(path)]], csv_options { delimiter = "default a tab" })
about("parse_csv", { "text" }, "A CSV text as a frame.", "Frame",
   [[print(ml.parse_csv "age,city\n31,Oslo\n45,Rome\n")]], CSV)
about("csv_chunks", { "path" }, "Read a CSV file piece by piece: for piece in ml.csv_chunks(path) do.",
   "an iterator over Frames", [[
for piece in ml.csv_chunks("examples/data/iris.csv", { rows = 100 }) do print(#piece) end]],
   csv_options { rows = "rows of a piece; default 100000" })
about("read_jsonl", { "path" }, "Read a file with a flat JSON object on each line.", "Frame", [[
local path = os.tmpname()
local file = io.open(path, "w")
file:write('{"age": 31, "city": "Oslo"}\n')
file:close()
print(ml.read_jsonl(path))
os.remove(path)]])
about("parse_jsonl", { "text" }, "A flat JSON object on each line, as a frame.", "Frame",
   [[print(ml.parse_jsonl '{"age": 31, "city": "Oslo"}')]])
about("read_npy", { "path" }, "Read a NumPy .npy file of numbers.", "Matrix; a vector is one column", [[
local path = os.tmpname()
ml.write_npy(path, { { 1, 2 }, { 3, 4 } })
print(ml.read_npy(path))
os.remove(path)]])
about("parse_npy", { "bytes" }, "The bytes of a .npy file.", "Matrix",
   "print(ml.parse_npy(ml.format_npy { { 1, 2 } }))")
about("write_npy", { "path", "X" }, "Write a NumPy .npy file.", nil, M.help.read_npy.example)
about("format_npy", { "X" }, "The bytes of a .npy file.", "text", "print(#ml.format_npy { { 1, 2 } })")
about("read_npz", { "path" }, "Read the matrices of a NumPy .npz file.", "table of Matrix by name",
   'print(pcall(ml.read_npz, "none.npz"))')
about("parse_npz", { "bytes" }, "The bytes of a .npz file.", "table of Matrix by name",
   'print(pcall(ml.parse_npz, ""))')

local SVMLIGHT = { base = "number of the first column in the text, 0 or 1; found out when reading, 1 when writing",
   cols = "number of columns, where the last ones may be empty", lengths = "when writing: rows of each query" }
local LABELLED = "Sparse, Vector of labels, and Vector of the rows of each query where there are some"

about("read_svmlight", { "path" }, "Read sparse rows with labels: svmlight, libsvm.", LABELLED, [[
local path = os.tmpname()
ml.write_svmlight(path, ml.Sparse.from { { 0, 5 }, { 1, 0 } }, { 1, -1 })
print(ml.read_svmlight(path))
os.remove(path)]], { base = SVMLIGHT.base, cols = SVMLIGHT.cols })
about("parse_svmlight", { "text" }, "Sparse rows with labels in a text.", LABELLED,
   [[print(ml.parse_svmlight "1 2:5\n-1 1:1\n")]], { base = SVMLIGHT.base, cols = SVMLIGHT.cols })
about("write_svmlight", { "path", "X", "y" }, "Write sparse rows with labels.", nil,
   M.help.read_svmlight.example, { base = SVMLIGHT.base, lengths = SVMLIGHT.lengths })
about("format_svmlight", { "X", "y" }, "Sparse rows with labels as text.", "text",
   "print(ml.format_svmlight(ml.Sparse.from { { 0, 5 }, { 1, 0 } }, { 1, -1 }))",
   { base = SVMLIGHT.base, lengths = SVMLIGHT.lengths })
about("from_cursor", { "cursor" }, "All rows of a database cursor (LuaSQL, or anything with fetch and getcolnames).",
   "Frame; NULL is missing", [[
local rows = { { 31, "Oslo" }, { 45, "Rome" } }
local cursor = { getcolnames = function() return { "age", "city" } end,
   fetch = function() return table.remove(rows, 1) end }
print(ml.from_cursor(cursor))]], { types = '{ column = "number" or "factor" }' })

-- --- databases ---

-- What databases call their columns of numbers.
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
         error(("from_cursor: cursor:fetch must give a table or nil, got %s"):format(base.kind(row)), level + 1)
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
      error("from_cursor: cursor:getcolnames must give a table, got " .. base.kind(list), level + 1)
   end
   return table.move(list, 1, #list, 1, {})
end

--- All rows of a cursor of LuaSQL, or of anything with fetch(row, "n") and getcolnames(): a Frame.
-- Numbers stay numbers, texts and booleans become labels, NULL is missing. Texts in a column that the database calls
-- one of numbers (getcoltypes) become numbers, for some drivers give all values as texts.
-- @tparam table|nil options types: { column = "number" | "factor" }
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
