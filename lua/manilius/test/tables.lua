--- Tests of tables of counts.

local core = require "manilius.core"
local parts = require "manilius.test.parts"
local rows = require "manilius.rows"

local tests = core.tests
local M = {}

-- The numbers of a table of counts: a Matrix, rows of numbers, or a Frame such as that of crosstab, whose first column
-- names the rows.
local function counts_of(who, value)
   if rows.is_frame(value) then
      local places = {}
      for j = 2, #value.columns do places[j - 1] = j end
      if rows.kind(value.columns[1]) == "Vector" and not value.columns[1].whole then table.insert(places, 1, 1) end
      value = rows.plain(rows.columns(value, places))
   end
   local matrix = rows.kind(value) == "Matrix" and value or core.Matrix(value)
   for i = 1, matrix.rows do
      for j = 1, matrix.cols do
         if not (matrix[i][j] >= 0 and matrix[i][j] < math.huge) then
            parts.fail(who, "counts must be finite and >= 0, got %s in row %d, column %d", tostring(matrix[i][j]), i, j)
         end
      end
   end
   return matrix
end

local function need_no_empty_margin(who, counts)
   for _, axis in ipairs { "rows", "cols" } do
      local sums = counts:sum(axis)
      if sums:min() == 0 then
         parts.fail(who, "every row and column must have a count > 0; one of the %s is empty", axis == "rows" and "rows"
            or "columns")
      end
   end
end

-- Counts against probabilities, by default equal ones.
local function chi2_fit(counts, p)
   counts = parts.sample("chi2", "counts", counts, 2)
   if counts:min() < 0 then parts.fail("chi2", "counts must be >= 0, got %g", counts:min()) end
   p = p == nil and core.Vector(#counts, 1 / #counts) or parts.sample("chi2", "p", p, 2)
   if #p ~= #counts then parts.fail("chi2", "p must have one value per count, %d, got %d", #counts, #p) end
   if p:min() <= 0 or math.abs(p:sum() - 1) > 1e-8 then
      parts.fail("chi2", "p must be positive and have the sum 1, got the sum %.10g", p:sum())
   end
   return parts.result("chi2", tests.chi2_fit(counts, p), { method = "Chi-squared test for given probabilities",
      symbol = "X-squared", more = { { "expected", p * counts:sum() } } })
end

--- Pearson's chi-squared tests of independence, and of given probabilities.
function M.chi2(counts, options)
   if parts.is_sample(counts) then
      local given = {}
      for name, value in pairs(options or {}) do given[name] = value end
      local p = given.p
      given.p = nil
      parts.options("chi2", given, { "p" })
      return chi2_fit(counts, p)
   end
   options = parts.options("chi2", options, { "corrected" })
   counts = counts_of("chi2", counts)
   if counts.rows < 2 or counts.cols < 2 then
      parts.fail("chi2", "the table must have at least 2 rows and 2 columns, got %d x %d", counts.rows, counts.cols)
   end
   need_no_empty_margin("chi2", counts)
   local test, expected = tests.chi2(counts, options)
   local yates = counts.rows == 2 and counts.cols == 2 and options.corrected ~= false
   return parts.result("chi2", test, { method = "Pearson's chi-squared test"
      .. (yates and " with Yates' continuity correction" or ""), symbol = "X-squared",
      more = { { "expected", expected } } })
end

--- Fisher's exact test of a 2 x 2 table.
function M.fisher(counts, options)
   options = parts.options("fisher", options, { "alternative", "level" })
   counts = counts_of("fisher", counts)
   if counts.rows ~= 2 or counts.cols ~= 2 then
      parts.fail("fisher", "the table must be 2 x 2, got %d x %d; use chi2", counts.rows, counts.cols)
   end
   if counts:ne(counts:round()):any() then parts.fail("fisher", "counts must be whole numbers") end
   local test = tests.fisher(counts, options)
   test.statistic = test.estimate or 0 / 0
   return parts.result("fisher", test, { method = "Fisher's exact test", symbol = "odds ratio",
      parameter = "odds ratio", mu = 1 }, options)
end

return M
