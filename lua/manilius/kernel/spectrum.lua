--- The spectrum kernel of strings: the products of their counts of substrings of one length.
-- Leslie, Eskin and Noble (2002), "The spectrum kernel: a string kernel for SVM protein classification".

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { help = { args = { "strings", "[others]", "[options]" },
   brief = "Kernel matrix of strings: inner products of their substring counts.",
   options = { length = "length of the substrings, in bytes (default 3)",
      normalize = "scale each vector of counts to length 1, so that the diagonal is 1 (default true)" },
   returns = "Matrix, strings x strings or strings x others, for kernel = \"precomputed\"",
   notes = "Strings shorter than the length have no substrings: their rows are 0.",
   example = 'print(ml.kernel.spectrum({ "abcabc", "abcd", "xyz" }, nil, { length = 2 }))' } }

local function check_strings(what, list)
   if type(list) ~= "table" or #list == 0 then
      error(("kernel.spectrum: %s must be a list of strings, got %s"):format(what, type(list) == "table"
         and "an empty table" or rows.kind(list)), 0)
   end
   for i, one in ipairs(list) do
      if type(one) ~= "string" then
         error(("kernel.spectrum: %s must be a list of strings, got %s at position %d"):format(what, rows.kind(one), i),
            0)
      end
   end
end

local KNOWN = { "length", "normalize" }

local function check_options(options)
   options = options == nil and {} or options
   if type(options) ~= "table" then
      error("kernel.spectrum: options must be a table, got " .. rows.kind(options), 0)
   end
   for name in pairs(options) do
      if not text.contains(KNOWN, name) then
         error(("kernel.spectrum has no option '%s'%s"):format(tostring(name), text.hint(name, KNOWN)), 0)
      end
   end
   local length, normalize = options.length, options.normalize
   if length == nil then length = 3 end
   if normalize == nil then normalize = true end
   if type(length) ~= "number" or length % 1 ~= 0 or length < 1 or length > 1 << 20 then
      error("kernel.spectrum: length must be a whole number >= 1, got " .. tostring(length), 0)
   end
   if type(normalize) ~= "boolean" then
      error("kernel.spectrum: normalize must be true or false, got " .. rows.kind(normalize), 0)
   end
   return math.tointeger(length), normalize
end

-- Counts of the substrings of each string, as entries of a sparse matrix. `column`: their columns, which grows.
local function entries_of(strings, length, column)
   local entries = {}
   for i, one in ipairs(strings) do
      local counts, order = {}, {}
      for from = 1, #one - length + 1 do
         local part = one:sub(from, from + length - 1)
         if not counts[part] then order[#order + 1] = part end
         counts[part] = (counts[part] or 0) + 1
      end
      for _, part in ipairs(order) do
         if not column[part] then column.n, column[part] = column.n + 1, column.n + 1 end
         entries[#entries + 1] = { i, column[part], counts[part] }
      end
   end
   return entries
end

--- spectrum(strings [, others [, options]])
function M.matrix(strings, others, options)
   local length, normalize = check_options(options)
   check_strings("strings", strings)
   if others ~= nil then check_strings("others", others) end
   local column = { n = 0 }
   local a = entries_of(strings, length, column)
   local b = others and entries_of(others, length, column)
   local cols = math.max(column.n, 1)
   local k = require "manilius.kernel"[normalize and "Cosine" or "Linear"] {}
   local function sparse(list, entries) return core.Sparse { rows = #list, cols = cols, entries = entries } end
   return k:matrix(sparse(strings, a), b and sparse(others, b))
end

return M
