--- Files with a token a line and blank lines between sentences, as those of CoNLL shared tasks.

local base = require "manilius.frame"
local core = require "manilius.core"
local rows = require "manilius.rows"
local check_options = require "manilius.options".check

local M = { help = {} }

local OPTIONS = {
   columns = "names of the columns, a list; default column1, column2, ...",
   delimiter = 'text between fields, as "\\t"; default: any number of spaces and tabs',
   comment = 'lines that begin with this text are skipped, as "#" in CoNLL-U; default: none',
}

local function names_of(who, options, count, level)
   local names = {}
   for j = 1, count do names[j] = options.columns and options.columns[j] or "column" .. j end
   if options.columns and #options.columns ~= count then
      error(("%s: columns must have a name for each of the %d columns, got %d"):format(who, count, #options.columns),
         level + 1)
   end
   return names
end

local function read(who, place, text, options, level)
   local values, lengths = rows.rethrow(level, pcall(core.conll_columns, text, who .. ": " .. place, options.delimiter,
      options.comment))
   local columns = {}
   for j, name in ipairs(names_of(who, options, #values, level + 1)) do columns[j] = { name, values[j] } end
   return base.Frame(columns), lengths
end

local function checked(who, options, level)
   local o = check_options(who, options, OPTIONS, level + 1)
   for _, name in ipairs { "delimiter", "comment" } do
      if o[name] ~= nil and (type(o[name]) ~= "string" or o[name] == "") then
         error(("%s: %s must be a string that is not empty, got %s"):format(who, name, base.kind(o[name])), level + 1)
      end
   end
   if o.columns ~= nil and type(o.columns) ~= "table" then
      error(("%s: columns must be a list of names, got %s"):format(who, base.kind(o.columns)), level + 1)
   end
   return o
end

--- A Frame of Factors, and the Vector of the numbers of tokens of the sentences.
function M.read_conll(path, options)
   if type(path) ~= "string" then
      error(("read_conll: path must be a string, got %s"):format(base.kind(path)), 2)
   end
   local o = checked("read_conll", options, 2)
   local file, message = io.open(path, "rb")
   if not file then error(("read_conll: %s"):format(message), 2) end
   local text = file:read "a"
   file:close()
   if not text then error(("read_conll: %s cannot be read"):format(path), 2) end
   return read("read_conll", path, text, o, 2)
end

function M.parse_conll(text, options)
   if type(text) ~= "string" then error(("parse_conll: text must be a string, got %s"):format(base.kind(text)), 2) end
   return read("parse_conll", "text", text, checked("parse_conll", options, 2), 2)
end

local EXAMPLE = [[
local frame, lengths = ml.parse_conll("the DET\ndog NOUN\n\nit PRON\n", { columns = { "form", "tag" } })
print(frame)
print(lengths)]]

M.help.read_conll = { name = "read_conll", args = { "path" }, options = OPTIONS, example = [[
local path = os.tmpname()
local file = io.open(path, "w")
file:write "the DET\ndog NOUN\n\nit PRON\n"
file:close()
local frame, lengths = ml.read_conll(path, { columns = { "form", "tag" } })
print(lengths)
os.remove(path)]], brief = "Read a file of sentences: a token a line, blank lines between sentences (CoNLL).",
   returns = "Frame of Factors, and the Vector of the tokens of each sentence for the option lengths",
   notes = "Requires the io library; in a sandbox without it, pass the contents to parse_conll." }
M.help.parse_conll = { name = "parse_conll", args = { "text" }, options = OPTIONS, example = EXAMPLE,
   brief = "Parse text of sentences: a token a line, blank lines between sentences (CoNLL).",
   returns = M.help.read_conll.returns }

return M
