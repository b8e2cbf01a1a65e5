--- Functions shared by the tests of ml.test: samples, options, results.

local core = require "manilius.core"
local results = require "manilius.results"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

--- Raise an error of the test `who`.
function M.fail(who, what, ...)
   error(("%s: " .. what):format(who, ...), 0)
end

--- Is the value a sample: a Vector, or a list of numbers?
function M.is_sample(value)
   local kind = rows.kind(value)
   return kind == "Vector" or kind == "table" and type(rawget(value, 1)) == "number"
end

--- A sample as a Vector of finite numbers.
-- min: the number of values that the test requires
function M.sample(who, name, value, min)
   if not M.is_sample(value) then
      M.fail(who, "%s must be a Vector or a list of numbers, got %s", name, rows.kind(value))
   end
   local v = rows.kind(value) == "Vector" and value or core.Vector(value)
   if #v < min then
      M.fail(who, "%s must have at least %s, got %d", name, text.plural(min, "value"), #v)
   end
   for i = 1, #v do
      if not text.is_finite(v[i]) then
         M.fail(who, "%s must hold finite numbers, got %s at position %d; drop missing values first", name,
            v[i] ~= v[i] and "nan" or tostring(v[i]), i)
      end
   end
   return v
end

--- Two samples of equal size.
function M.paired_samples(who, x, y, min)
   x, y = M.sample(who, "x", x, min), M.sample(who, "y", y, min)
   if #x ~= #y then M.fail(who, "x and y must have the same size, got %d and %d", #x, #y) end
   return x, y
end

local ALTERNATIVES = { ["two-sided"] = 0, two_sided = 0, less = 1, greater = 2 }

local function check_option(who, name, value)
   if name == "mu" and not text.is_finite(value) then M.fail(who, "mu must be a number, got %s", tostring(value)) end
   if name == "level" and not (type(value) == "number" and value > 0 and value < 1) then
      M.fail(who, "level must be between 0 and 1, got %s", tostring(value))
   end
   local is_flag = name == "exact" or name == "corrected" or name == "equal_var" or name == "paired"
   if is_flag and type(value) ~= "boolean" then
      M.fail(who, "%s must be true or false, got %s", name, tostring(value))
   end
   if name == "alternative" and not ALTERNATIVES[value] then
      M.fail(who, 'alternative must be "two-sided", "less" or "greater", got %s', tostring(value))
   end
end

--- The options of a test for the core. `known`: their names.
function M.options(who, options, known)
   if options ~= nil and (type(options) ~= "table" or rows.is_frame(options)) then
      M.fail(who, "options must be a table, got %s", rows.kind(options))
   end
   local out = {}
   for name, value in pairs(options or {}) do
      if not text.contains(known, name) then
         M.fail(who, "there is no option '%s'%s", tostring(name), text.hint(tostring(name), known))
      end
      check_option(who, name, value)
      out[name] = value
   end
   out.pooled, out.alternative_name = out.equal_var, (out.alternative or "two-sided"):gsub("_", "-")
   out.alternative, out.level = ALTERNATIVES[out.alternative or "two-sided"], out.level or 0.95
   return out
end

-- --- results ---

local function p_text(p)
   return p < 2.2e-16 and "p-value < 2.2e-16" or ("p-value = %.4g"):format(p)
end

local WORDS = { ["two-sided"] = "not equal to", less = "less than", greater = "greater than" }

local function result_text(test, about)
   local first = { ("%s = %.5g"):format(about.symbol, test.statistic) }
   if test.df then first[2] = ("df = %.5g"):format(test.df) end
   first[#first + 1] = p_text(test.p)
   local lines = { about.method, "", table.concat(first, ", ") }
   if about.parameter then
      lines[#lines + 1] = ("alternative: %s is %s %.6g"):format(about.parameter, WORDS[about.alternative],
         about.mu or 0)
   elseif about.alternative_text then
      lines[#lines + 1] = "alternative: " .. about.alternative_text
   end
   if test.low then
      lines[#lines + 1] = ("%.4g%% confidence interval: %.6g to %.6g"):format(100 * about.level, test.low, test.high)
   end
   for _, one in ipairs(about.estimates or {}) do lines[#lines + 1] = ("%s: %.6g"):format(one[1], one[2]) end
   return table.concat(lines, "\n")
end

local FIELDS = { "statistic", "df", "p", "estimate", "low", "high", "exact" }

--- The result of a test: a table of statistic, p, df, estimate, low, high, ..., which prints as in R.
-- test: the table from the core
-- about: method, symbol, estimates = list of { name, value }, parameter and alternative (for the text), more = fields
function M.result(who, test, about, options)
   if not test.statistic or not test.p then M.fail(who, "the values do not vary, so that the test is undefined") end
   about.level, about.mu = options and options.level, about.mu or options and options.mu
   about.alternative = options and options.alternative_name
   local values = { method = about.method, _order = { "method" } }
   local function add(name, value)
      if value == nil then return end
      values[name], values._order[#values._order + 1] = value, name
   end
   for _, name in ipairs(FIELDS) do add(name, test[name]) end
   if test.low then add("level", about.level) end
   if options and (about.parameter or about.alternative_text) then add("alternative", about.alternative) end
   for _, one in ipairs(about.more or {}) do add(one[1], one[2]) end
   add("text", result_text(test, about))
   return results(values)
end

return M
