--- Shared code of the metrics: definition and help, argument checks, averages.
--
-- Errors are raised without a position and without the name of the metric; `define` adds both.

local core = require "manilius.core"
local rows = require "manilius.rows"

local core_metrics = core.metrics
local kind = rows.kind
local M = {}

function M.fail(form, ...)
   error(form:format(...), 0)
end

local fail = M.fail

--- A value for a message.
function M.text(value)
   if type(value) == "string" then return "'" .. value .. "'" end
   if type(value) == "number" or type(value) == "boolean" or value == nil then return tostring(value) end
   return kind(value)
end

local text = M.text

local MAX_LISTED = 10

--- The values of a list for a message; of a long list the first ones.
function M.texts(list)
   local out = {}
   for i = 1, math.min(#list, MAX_LISTED) do out[i] = text(list[i]) end
   if #list > MAX_LISTED then out[#out + 1] = ("... (%d more)"):format(#list - MAX_LISTED) end
   return table.concat(out, ", ")
end

--- "; did you mean 'x'?", or the list of names.
function M.hint(name, names)
   local near = type(name) == "string" and core.nearest(name, names)
   if near then return ("; did you mean '%s'?"):format(near) end
   return #names > 0 and "; there are " .. table.concat(names, ", ") or ""
end

M.sorted_keys = require "manilius.text".sorted_keys

-- --- definitions ---

-- The message without the position and argument number that functions of the core prepend.
local function bare(message)
   message = message:gsub("^[^\n:]*:%d+: ", "", 1):gsub("^%[string [^\n]-%]:%d+: ", "", 1)
   return (message:gsub("^bad argument #%d+ to '[^']*' %((.*)%)$", "%1"))
end

M.bare = bare

local function finish(who, ok, ...)
   if ok then return ... end
   local message = ...
   if type(message) == "string" then message = who .. ": " .. bare(message) end
   error(message, 2) -- the metric calls this as a tail call, so that level 2 is its caller
end

M.finish = finish

local NONE = {}

local function check_options(about, options)
   if options == nil then return NONE end
   if type(options) ~= "table" then fail("options must be a table, got %s", kind(options)) end
   for name in pairs(options) do
      if about.options[name] == nil then
         fail("there is no option %s%s", text(name), M.hint(name, M.sorted_keys(about.options)))
      end
   end
   return options
end

M.check_options = check_options

--- Add the metric `name` to `module` and to its help.
-- about: { args = { "y", ... }, brief =, options = { name = text }, fn = function(args..., options),
--   formula =, returns =, source = }
function M.define(module, name, about)
   local who, n, fn = "metrics." .. name, #about.args, about.fn
   about.name = name
   about.options = about.options or {}
   module.help[name] = about
   if n == 2 then
      module[name] = function(a, b, options)
         return finish(who, pcall(function() return fn(a, b, check_options(about, options)) end))
      end
      return
   end
   module[name] = function(...)
      local given = table.pack(...)
      return finish(who, pcall(function()
         given[n + 1] = check_options(about, given[n + 1])
         return fn(table.unpack(given, 1, n + 1))
      end))
   end
end

--- A table of results that prints as a line per value, in the order of the names.
function M.result(names, values)
   return setmetatable(values, { __tostring = function(self)
      local width, lines = 0, {}
      for _, name in ipairs(names) do width = math.max(width, #name) end
      for i, name in ipairs(names) do
         local value = self[name]
         local shown = math.type(value) == "float" and ("%.6g"):format(value) or tostring(value)
         lines[i] = ("%-" .. width .. "s  %s"):format(name, shown)
      end
      return table.concat(lines, "\n")
   end })
end

--- Help texts of common options.
M.WEIGHTS = "sample weights >= 0, one for each row"
M.POSITIVE = "the positive label; default: the second of two in ascending order"
M.LABELS = "list of labels to include, in this order; default: all that occur, ascending"
M.CLASSES = "list of labels in column order; default: all that occur in y, ascending"
M.AVERAGE = "average over classes: 'macro' (unweighted mean), 'weighted' (by rows of y), 'micro' (over all decisions), "
   .. "or 'none' (a Vector and the list of labels)"
M.AVERAGE_OR_SAMPLES = M.AVERAGE .. "; for several tags also 'samples': mean over rows of the measure of their tags"
M.ZERO = "value for a division by zero: 0 (default), 1, or nan, which averages ignore"

--- The option zero_division.
function M.zero_division(options)
   local value = options.zero_division
   if value == nil then return 0.0 end
   if type(value) ~= "number" or (value ~= 0 and value ~= 1 and value == value) then
      fail("zero_division must be 0, 1 or nan, got %s", text(value))
   end
   return value + 0.0
end

--- The option `name`, which must be one of `choices`; `default` if it is not given.
function M.choice(options, name, choices, default)
   local value = options[name]
   if value == nil then return default end
   for _, one in ipairs(choices) do
      if one == value then return value end
   end
   local near = type(value) == "string" and core.nearest(value, choices)
   fail("%s must be one of %s, got %s%s", name, table.concat(choices, ", "), text(value),
      near and ("; did you mean '%s'?"):format(near) or "")
end

function M.number(options, name, default, low, high)
   local value = options[name]
   if value == nil then return default end
   if type(value) ~= "number" or not (value >= low and value <= high) then
      fail("%s must be a number from %g to %g, got %s", name, low, high, text(value))
   end
   return value
end

function M.whole(options, name, default, low)
   local value = options[name]
   if value == nil then return default end
   local whole = math.tointeger(value)
   if type(value) ~= "number" or not whole or whole < low then
      fail("%s must be a whole number >= %d, got %s", name, low, text(value))
   end
   return whole
end

function M.flag(options, name, default)
   local value = options[name]
   if value == nil then return default end
   if type(value) ~= "boolean" then fail("%s must be true or false, got %s", name, text(value)) end
   return value
end

-- --- arguments ---

local function only_column(what, frame)
   if #frame.columns ~= 1 then fail("%s must be one column, got a Frame of %d", what, #frame.columns) end
   return frame.columns[1]
end

local function check_not_empty(what, n)
   if n == 0 then fail("%s must have at least one row, got none", what) end
end

local function converted(what, make, value)
   local ok, result = pcall(make, value)
   if not ok then
      if type(result) ~= "string" then error(result, 0) end
      fail("%s: %s", what, bare(result))
   end
   return result
end

--- Labels as a Factor without missing ones.
function M.labels(what, value)
   local k = kind(value)
   if k == "Frame" then return M.labels(what, only_column(what, value)) end
   if k == "table" and (type(value[1]) == "table" or kind(value[1]) == "Vector") then
      value, k = converted(what, core.Matrix, value), "Matrix"
   end
   if k == "Matrix" then
      if value.cols ~= 1 and value.rows ~= 1 then
         fail("%s must be one column of labels, got a Matrix %d x %d", what, value.rows, value.cols)
      end
      value, k = value:flatten(), "Vector"
   end
   if k ~= "Factor" then
      if k ~= "Vector" and k ~= "table" then
         fail("%s must be a Factor, a Vector or a list of labels, got %s", what, text(value))
      end
      value = k == "Vector" and core_metrics.whole_labels(value) or converted(what, core.Factor, value)
   end
   check_not_empty(what, #value)
   local missing = core_metrics.first_missing(value)
   if missing then fail("%s must have a label in every row, got none in row %d", what, missing) end
   return value
end

local MAX_FRACTIONAL_LABELS = 20

local function is_fraction(label)
   return math.type(label) == "float" and label % 1 ~= 0
end

local function fail_numbers(what, value)
   fail("%s must be class labels, got numbers such as %s; for numbers use metrics.regression_report, r2, rmse or mae",
      what, text(value))
end

--- The labels y and predicted as Factors. Numbers with fractions are refused if they are not labels: predicted has
-- one that y has not, or y has many.
function M.class_labels(y, predicted)
   y, predicted = M.labels("y", y), M.labels("predicted", predicted)
   M.same_length("y", #y, "predicted", #predicted)
   local known, fractions, last = {}, 0, nil
   for _, label in ipairs(y.levels) do
      known[label] = true
      if is_fraction(label) then fractions, last = fractions + 1, label end
   end
   if fractions > MAX_FRACTIONAL_LABELS then fail_numbers("y", last) end
   for _, label in ipairs(predicted.levels) do
      if is_fraction(label) and not known[label] then fail_numbers("predicted", label) end
   end
   return y, predicted
end

local function from_frame(what, frame)
   for i, column in ipairs(frame.columns) do
      if kind(column) ~= "Vector" then fail("%s must be numbers, got labels in column '%s'", what, frame.names[i]) end
   end
   return core.hcat(table.unpack(frame.columns))
end

--- Numbers as a Vector or a Matrix, without nan (nor infinity, unless allowed); rows, columns.
function M.numbers(what, value, allow_infinity)
   local k = kind(value)
   if k == "table" then
      local nested = type(value[1]) == "table" or kind(value[1]) == "Vector"
      value = converted(what, nested and core.Matrix or core.Vector, value)
   elseif k == "Frame" then
      value = from_frame(what, value)
   elseif k ~= "Vector" and k ~= "Matrix" then
      fail("%s must be a Vector, a Matrix or a table of numbers, got %s", what, text(value))
   end
   local is_matrix = kind(value) == "Matrix"
   local n, cols = is_matrix and value.rows or #value, is_matrix and value.cols or 1
   check_not_empty(what, n)
   local row, col, bad = core_metrics.first_nonfinite(value, allow_infinity or false)
   if row then
      local place = cols > 1 and ("row %d, column %d"):format(row, col) or ("row %d"):format(row)
      fail("%s must be %s, got %s in %s", what, allow_infinity and "numbers" or "finite",
         bad ~= bad and "nan" or tostring(bad), place)
   end
   return value, n, cols
end

function M.same_length(what, n, other, m)
   if n ~= m then fail("%s and %s must have the same length, got %d and %d", what, other, n, m) end
end

-- Does a row have several values?
local function has_columns(value)
   local k = kind(value)
   if k == "Matrix" then return value.cols > 1 and value.rows > 1 end
   if k == "Frame" then return #value.columns > 1 end
   local first = k == "table" and value[1]
   return (type(first) == "table" or kind(first) == "Vector") and #first > 1
end

local function columns_of(value)
   local k = kind(value)
   if k == "Frame" then return value.columns end
   if k == "table" then value = core.Matrix(value) end
   local columns = {}
   for j = 1, value.cols do columns[j] = value:col(j):copy() end
   return columns
end

-- Are all columns 0 or 1?
local function are_tags(value)
   for _, column in ipairs(columns_of(value)) do
      if kind(column) ~= "Vector" or column:mul(column - 1):abs():sum() ~= 0 then return false end
   end
   return true
end

--- The columns of y and predicted as lists, if both have several columns and some are not of 0 and 1; otherwise nil.
function M.label_columns(y, predicted)
   if not has_columns(y) or not has_columns(predicted) or are_tags(y) and are_tags(predicted) then return nil end
   y, predicted = columns_of(y), columns_of(predicted)
   if #y ~= #predicted then
      fail("y and predicted must have the same number of columns, got %d and %d", #y, #predicted)
   end
   return y, predicted
end

--- A matrix of 0 and 1.
function M.tag_matrix(what, value)
   value = M.numbers(what, value)
   if value:mul(value - 1):abs():sum() ~= 0 then
      fail("%s must be one column of labels, or a matrix of 0 and 1 with a column per tag", what)
   end
   return value
end

--- y and predicted as Matrices of 0 and 1 with a column per tag, if they have several columns; otherwise nil.
function M.tags(y, predicted)
   local y_is_matrix, predicted_is_matrix = has_columns(y), has_columns(predicted)
   if not y_is_matrix and not predicted_is_matrix then return nil end
   if y_is_matrix ~= predicted_is_matrix then
      fail("%s must be one column of labels like %s, got several", y_is_matrix and "y" or "predicted",
         y_is_matrix and "predicted" or "y")
   end
   y, predicted = M.tag_matrix("y", y), M.tag_matrix("predicted", predicted)
   M.same_length("y", y.rows, "predicted", predicted.rows)
   if y.cols ~= predicted.cols then
      fail("y and predicted must have the same number of columns (tags), got %d and %d", y.cols, predicted.cols)
   end
   return y, predicted
end

--- The option weights as a Vector of n values, or nil.
function M.weights(options, n)
   if options.weights == nil then return nil end
   local w, size, cols = M.numbers("weights", options.weights)
   if size ~= n or cols ~= 1 then fail("weights must have one value per row, %d, got %d", n, size * cols) end
   if kind(w) == "Matrix" then w = w:flatten() end
   local min = w:min()
   if min < 0 then fail("weights must be >= 0, got %g in row %d", min, w:argmin()) end
   if w:sum() == 0 then fail("weights must not all be 0") end
   return w
end

--- The weighted mean of a list or Vector, ignoring nan; nan if no value remains.
function M.mean(values, weights)
   local sum, total = 0, 0
   for i = 1, #values do
      local w = weights and weights[i] or 1
      if values[i] == values[i] and w > 0 then
         sum = sum + w * values[i]
         total = total + w
      end
   end
   return sum / total
end

-- --- classes ---

--- The labels that occur in a Factor, ascending.
function M.present(f)
   local counts, out = f:counts(), {}
   for i, label in ipairs(f.levels) do
      if counts[i] > 0 then out[#out + 1] = label end
   end
   return out
end

--- The option labels as a list, or nil.
function M.label_list(options)
   local given = options.labels
   if given == nil then return nil end
   local list, seen = {}, {}
   for i = 1, kind(given) == "table" and #given or kind(given) == "Factor" and #given
      or kind(given) == "Vector" and #given or fail("labels must be a list, got %s", text(given)) do
      local label = given[i]
      if label == nil or seen[label] then fail("labels must be distinct, got %s twice", text(label)) end
      seen[label] = true
      list[i] = label
   end
   if #list == 0 then fail("labels must have at least one label, got none") end
   return list
end

--- The index of a label in a list, or nil.
function M.place(list, label)
   for i, one in ipairs(list) do
      if one == label then return i end
   end
end

--- The positive class: the option positive, or the second of two classes; otherwise nil.
function M.positive(options, classes)
   local wanted = options.positive
   if wanted == nil then return #classes == 2 and classes[2] or nil end
   if #classes >= 2 and not M.place(classes, wanted) then
      fail("positive must be one of the labels %s, got %s", M.texts(classes), text(wanted))
   end
   return wanted
end

return M
