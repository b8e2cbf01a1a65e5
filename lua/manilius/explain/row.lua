--- The row that an explanation is about, given as a number, by name, as a list or as an X of one row.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"

local M = {}

local FORMS = "a row number of X, a row of numbers, values by name, or an X of one row"

local function is_factor(column) return rows.kind(column) == "Factor" end

-- The row as an object with columns: a Matrix or a Frame.
local function as_x(who, columns, names, given)
   local kind = rows.kind(given)
   if kind == "Frame" or kind == "Matrix" then return given end
   if kind == "Vector" then return given:reshape(1, #given) end
   if kind == "table" and #given == 0 and next(given) ~= nil then
      local factors = {}
      for j, column in ipairs(columns) do factors[j] = is_factor(column) end
      return rows.from_named(who, given, names, factors)
   end
   if kind == "table" and type(given[1]) == "number" then return core.Matrix { given } end
   if kind == "table" and type(given[1]) == "table" then return core.Matrix(given) end
   response_of.fail(who, "row must be %s, got %s", FORMS, estimator.value_text(given))
end

--- The values of a row as a list of columns of one value each, with the kinds of the columns of X.
-- X is given by its columns and their names.
function M.read(who, columns, names, given)
   local n = #columns[1]
   if math.type(given) == "integer" then
      if given < 1 or given > n then response_of.fail(who, "row must be from 1 to %d, got %d", n, given) end
      return response_of.repeated(columns, core.Vector { given })
   end
   local X = as_x(who, columns, names, given)
   if rows.count(X) ~= 1 or rows.width(X) ~= #columns then
      response_of.fail(who, "row must have one row and %d columns as X, got %d x %d", #columns, rows.count(X),
         rows.width(X))
   end
   local own, own_names = rows.split_columns(who, X, names)
   for j, name in ipairs(names) do
      if own_names[j] ~= name then
         response_of.fail(who, "column %d of row must be '%s' as in X, got '%s'", j, name, own_names[j])
      end
      if is_factor(columns[j]) ~= is_factor(own[j]) then
         response_of.fail(who, "column '%s' of row must be %s as in X, got %s", name, is_factor(columns[j])
            and "a factor" or "numeric", rows.kind(own[j]))
      end
   end
   return own
end

return M
