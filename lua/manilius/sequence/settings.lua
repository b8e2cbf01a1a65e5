--- Settings and arguments that the filters of nonlinear models share.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

--- Checks that name the class `who` in their errors.
function M.checks(who)
   local checks = {}

   function checks.fail(what, ...)
      error((who .. ": " .. what):format(...), 0)
   end

   function checks.functions(self, names)
      for _, name in ipairs(names) do
         local value = self[name]
         if type(value) ~= "function" then
            checks.fail("%s must be a function, got %s", name, estimator.value_text(value))
         end
      end
   end

   --- A setting as a matrix of n x n; n nil: square.
   function checks.covariance(self, name, n)
      local ok, matrix = pcall(core.Matrix, self[name])
      if self[name] == nil or not ok then
         checks.fail("%s must be a matrix, got %s", name, estimator.value_text(self[name]))
      end
      n = n or matrix.rows
      if matrix.rows ~= n or matrix.cols ~= n then
         checks.fail("%s must be %d x %d, got %d x %d", name, n, n, matrix.rows, matrix.cols)
      end
      return matrix
   end

   --- A setting as a Vector.
   function checks.vector(self, name)
      local ok, vector = pcall(core.Vector, self[name])
      if self[name] == nil or not ok then
         checks.fail("%s must be a list of numbers, got %s", name, estimator.value_text(self[name]))
      end
      return vector
   end

   --- X as a Matrix in time order, NaN where missing.
   function checks.X(self, X)
      local matrix = rows.is_frame(X) and X:matrix() or core.Matrix(X)
      local width = rawget(self, "n_features")
      if matrix.rows == 0 then checks.fail "X must have at least 1 row, got 0" end
      if width and matrix.cols ~= width then
         checks.fail("X must have %d columns, as in fit, got %d", width, matrix.cols)
      end
      return matrix
   end

   --- The values of a function of the user as a Vector of n numbers; n nil: any number.
   function checks.result(name, value, n)
      local ok, vector = pcall(core.Vector, type(value) == "number" and { value } or value)
      if not ok or value == nil then
         checks.fail("%s must return a list of numbers, got %s", name, estimator.value_text(value))
      end
      if n and #vector ~= n then checks.fail("%s must return %d values, got %d", name, n, #vector) end
      for i = 1, #vector do
         if vector[i] ~= vector[i] or vector[i] == math.huge or vector[i] == -math.huge then
            checks.fail("%s must return finite numbers, got %s in place %d", name, estimator.value_text(vector[i]), i)
         end
      end
      return vector
   end

   --- A method of a fitted model whose errors point at its caller.
   function checks.method(name, fn)
      return function(self, ...)
         estimator.need_fitted(self, name, 2)
         local arguments = table.pack(...)
         return (rows.rethrow(2, pcall(function() return fn(self, table.unpack(arguments, 1, arguments.n)) end)))
      end
   end

   return checks
end

return M
