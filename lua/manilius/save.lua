--- Saving and loading of built-in models, compositions, searches, and estimators made by ml.Estimator.
--
-- An archive (src/archive/archive.h) holds one value called "model". Besides the values of the core (numbers, strings,
-- matrices, vectors, factors, models), it has groups:
--
--    table    "type" = "table";  group "list": its elements 1..n in order;  group "fields": values by name
--    unset    "type" = "unset"
--    object   "class" = name of its class, then like a table; a Frame has class "Frame"
--
-- Loading never runs code from a file. An object of an unknown class is an error, so a module that defines estimators
-- must be required before its models are loaded.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = { help = {
   save = { args = { "model", "path" }, brief = "Write a model or a table of values to a file; also "
      .. "model:save(path).",
      example = [[
local path = os.tmpname()
ml.save(ml.Ridge { alpha = 2 }, path)
print(ml.load(path))
os.remove(path)]] },
   load = { args = { "source" }, brief = "Load a model or table from a file or a string; never runs code from it.",
      notes = "source is a path, or a string returned by dump.", returns = "the model or table",
      example = "print(ml.load(ml.dump { mean = 2, model = ml.Ridge {} }).model)" },
   dump = { args = { "model" }, brief = "Serialize a model or a table of values for load; also model:dump().",
      returns = "string", example = "print(#ml.dump(ml.Ridge {}))" },
} }

local MAGIC, CHUNK = "\x89MNL\r\n\x1a\n", 1 << 20

-- --- writing ---

local write

local function write_parts(writer, value, place)
   local n = #value
   writer:group "list"
   for i = 1, n do write(writer, "", value[i], ("%s[%d]"):format(place, i)) end
   writer:close()
   local names = {}
   for key in next, value do
      if type(key) == "string" then
         names[#names + 1] = key
      elseif math.type(key) ~= "integer" or key < 1 or key > n then
         error(("%s cannot be saved: it has the key %s; keys must be strings, or 1, 2, ... without gaps"):format(place,
            tostring(key)), 0)
      end
   end
   table.sort(names)
   writer:group "fields"
   for _, name in ipairs(names) do write(writer, name, value[name], place .. "." .. name) end
   writer:close()
end

local function write_object(writer, name, class, value, place)
   writer:group(name)
   writer:value("class", class)
   write_parts(writer, value, place)
   writer:close()
end

function write(writer, name, value, place)
   local kind = type(value)
   if value == core.unset then
      writer:group(name)
      writer:value("type", "unset")
      return writer:close()
   end
   if kind == "number" or kind == "string" or kind == "boolean" or kind == "userdata" then
      return writer:value(name, value)
   end
   if kind ~= "table" then error(("%s cannot be saved: it is a %s"):format(place, kind), 0) end
   if rows.is_frame(value) then
      return write_object(writer, name, "Frame", { names = value.names, columns = value.columns }, place)
   end
   local class = estimator.class_of(value)
   if class then
      return write_object(writer, name, class.name, class.saved and class.saved(value) or value, class.name)
   end
   local meta = getmetatable(value)
   if meta ~= nil and not (type(meta) == "table" and rawget(meta, "__plain")) then
      error(("%s cannot be saved: it is an object of a class that is not registered; make it with ml.Estimator")
         :format(place), 0)
   end
   writer:group(name)
   writer:value("type", "table")
   write_parts(writer, value, place)
   writer:close()
end

--- Can an archive store this value? Functions and objects of unregistered classes cannot be stored.
function M.is_plain(value)
   local kind = type(value)
   if kind ~= "table" or value == core.unset then return kind ~= "function" and kind ~= "thread" end
   if rows.is_frame(value) or estimator.class_of(value) then return true end
   local meta = getmetatable(value)
   if meta ~= nil and not (type(meta) == "table" and rawget(meta, "__plain")) then return false end
   local n = #value
   for key, one in next, value do
      local fits = type(key) == "string" or math.type(key) == "integer" and key >= 1 and key <= n
      if not fits or not M.is_plain(one) then return false end
   end
   return true
end

local function bytes_of(model)
   local writer = core.archive_writer()
   write(writer, "model", model, estimator.is(model) and estimator.name(model) or "the value")
   return writer:finish()
end

--- A model or a table of values as a string of bytes.
function M.dump(model, level)
   if level ~= nil and math.type(level) ~= "integer" then
      error(("dump: expected one argument, got a second one, %s; to write a file use save(model, path)"):format(
         rows.kind(level)), 2)
   end
   return (rows.rethrow((level or 1) + 1, pcall(bytes_of, model)))
end

local function need_io(what, level)
   if not io or not io.open then
      error(("%s needs the io library, which is not available; use dump() and load(bytes)"):format(what), level + 1)
   end
end

--- Write a model to a file.
function M.save(model, path, level)
   level = (math.type(level) == "integer" and level or 1) + 1
   if type(path) ~= "string" then error("save: path must be a string, got " .. type(path), level) end
   need_io("save", level)
   local bytes = rows.rethrow(level, pcall(bytes_of, model))
   rows.rethrow(level, pcall(core.write_bytes, path, bytes))
end

-- --- reading ---

local read

local function damaged(label, what)
   error(("%s: %s"):format(label, what), 0)
end

local function part_of(label, tree, name)
   for i, one in ipairs(tree.names) do
      if one == name and type(tree.values[i]) == "table" and tree.values[i].names then return tree.values[i] end
   end
   damaged(label, ("a table without its group '%s'"):format(name))
end

local function read_parts(label, tree)
   local out = {}
   local list, fields = part_of(label, tree, "list"), part_of(label, tree, "fields")
   for i, value in ipairs(list.values) do out[i] = read(label, value) end
   for i, name in ipairs(fields.names) do
      if name == "" then damaged(label, "a field without a name") end
      out[name] = read(label, fields.values[i])
   end
   return out
end

local function restore_frame(label, fields)
   local names, columns = fields.names, fields.columns
   if type(names) ~= "table" or type(columns) ~= "table" or #names ~= #columns then
      damaged(label, "a Frame with different numbers of names and columns")
   end
   for j, column in ipairs(columns) do
      local kind = rows.kind(column)
      if type(names[j]) ~= "string" or (kind ~= "Vector" and kind ~= "Factor") or #column ~= #columns[1] then
         damaged(label, "a Frame with invalid columns")
      end
   end
   return rows.frame(names, columns)
end

-- Check the learned fields that every fitted composition of this library relies on.
local function need_learned(label, class, made)
   local function need(condition, what)
      if not condition then damaged(label, ("a fitted %s %s"):format(class.name, what)) end
   end
   local width, classes = rawget(made, "n_features"), rawget(made, "classes")
   need(width == nil or math.type(width) == "integer" and width >= 0, "whose n_features is not a column count")
   need(not class.classifies or type(classes) == "table" and #classes >= 2, "without classes")
end

local function restore_object(label, name, fields)
   if name == "Frame" then return restore_frame(label, fields) end
   require "manilius.classes"
   local class = estimator.class_named(name)
   if not class then
      damaged(label, ("unknown class '%s'; require the module that defines it first"):format(tostring(name)))
   end
   local ok, self = rows.try(function()
      if class.restored then fields = class.restored(fields) end
      local made = setmetatable(fields, class.meta)
      if class.check then class.check(made) end
      return made
   end)
   if not ok then damaged(label, tostring(self)) end
   if class.ours and rawget(self, "fitted") then need_learned(label, class, self) end
   estimator.show_lists(self)
   return self
end

function read(label, value)
   if type(value) ~= "table" then return value end
   for i, name in ipairs(value.names) do
      if name == "class" and type(value.values[i]) == "string" then
         return restore_object(label, value.values[i], read_parts(label, value))
      end
      if name == "type" and value.values[i] == "table" then return read_parts(label, value) end
      if name == "type" and value.values[i] == "unset" then return core.unset end
   end
   damaged(label, "a group that is neither a table nor an object")
end

local function read_file(path)
   local file, reason = io.open(path, "rb")
   if not file then error(reason, 0) end
   local chunks, chunk, failed = {}, file:read(CHUNK)
   while chunk do -- in chunks: a device may be endless, and a file that starts otherwise is not an archive
      chunks[#chunks + 1] = chunk
      if chunks[1]:sub(1, #MAGIC) ~= MAGIC then break end
      chunk, failed = file:read(CHUNK)
   end
   file:close()
   if failed then error(("%s: %s"):format(path, failed), 0) end
   return table.concat(chunks)
end

--- Read a model from a file, or from the bytes of dump().
function M.load(source)
   if type(source) ~= "string" then
      error("load: source must be a path or the bytes of dump, got " .. type(source), 2)
   end
   local bytes, label = source, "archive"
   if source:sub(1, #MAGIC) ~= MAGIC then
      need_io("load", 2)
      local ok, found = pcall(read_file, source)
      if not ok then error(found, 2) end
      bytes, label = found, source
   end
   local ok, value = pcall(core.archive_read, bytes, label)
   if ok then ok, value = pcall(read, label, value) end
   if not ok then error(type(value) == "string" and value:gsub("^[^\n:]*%.lua:%d+: ", "", 1) or value, 2) end
   return value
end

return M
