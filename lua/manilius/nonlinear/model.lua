--- The two kinds of models of NonlinearRegression, an expression and Lua functions, with the same methods:
--
--    fit(y, weights, settings)   estimates, inv(J'WJ), and how the search ended
--    fit_async(y, weights, settings, estimator, deliver)   of expressions only: the same in the background, a job
--    values(theta, derivatives)  predictions, and if asked for their derivatives, a Matrix rows x parameters

local core = require "manilius.core"
local expression = require "manilius.nonlinear.expression"
local rows = require "manilius.rows"

local M = {}

local function fail(what, ...)
   error(("NonlinearRegression: " .. what):format(...), 0)
end

-- --- expressions ---

--- The names of the columns of X: those of a Frame, otherwise x1, x2, ...; a single column is also x.
function M.column_names(X, learned)
   if rows.is_frame(X) then return X.names end
   if learned and #learned == rows.width(X) then return learned end
   local names = {}
   for j = 1, rows.width(X) do names[j] = "x" .. j end
   if #names == 1 then names[2] = "x" end
   return names
end

local function column(X, names, name)
   local index
   for j, one in ipairs(names) do index = index or one == name and j end
   if not index then fail("X must have the columns of the formula; missing: %s", name) end
   local values = rows.is_frame(X) and X.columns[index] or X:col(math.min(index, X.cols)):copy()
   if rows.kind(values) ~= "Vector" then fail("column '%s' must hold numbers, got labels", name) end
   if values:isnan():any() then fail("column '%s' has missing values; impute or drop them first", name) end
   if values:abs():eq(math.huge):any() then fail("column '%s' must be finite, got inf", name) end
   return values
end

local function of_expression(self, X)
   local names = M.column_names(X, rawget(self, "feature_names"))
   local compiled = expression.compile(self.formula, self.terms, names)
   local used = {}
   for i, name in ipairs(compiled.columns) do used[i] = column(X, names, name) end
   local data = #used > 0 and core.hcat(table.unpack(used)) or core.zeros(rows.count(X), 0)
   return {
      fit = function(y, weights, s)
         return core.nonlinear_fit(compiled.code, data, y, weights, s.start, s.lower, s.upper, s.tol, s.max_iter,
            s.on_iter)
      end,
      fit_async = function(y, weights, s, model, deliver)
         return core.nonlinear_fit_async(compiled.code, data, y, weights, s.start, s.lower, s.upper, s.tol, s.max_iter,
            model, deliver)
      end,
      values = function(theta) return core.expression_values(compiled.code, data, theta) end,
   }
end

-- --- functions ---

-- A function of a Vector of parameters that calls one of the user, of parameters by name and X.
local function by_name(names, func, X)
   return func and function(theta)
      local named = {}
      for i, name in ipairs(names) do named[name] = theta[i] end
      return func(named, X)
   end
end

-- What a user's function returned, as a Vector; Vector(3) would be three zeros.
local function as_vector(value, what)
   if rows.kind(value) == "Vector" then return value end
   local ok, vector = pcall(core.Vector, value)
   if ok and type(value) ~= "number" then return vector end
   fail("%s must be a Vector or a list of numbers, got %s", what, rows.kind(value))
end

-- The derivatives that a user's function returns by name, as a Matrix.
local function as_jacobian(names, func)
   return func and function(theta)
      local result = func(theta)
      if type(result) ~= "table" then
         fail("jacobian must return a table of Vectors by the names of the parameters, got %s", rows.kind(result))
      end
      local columns = {}
      for i, name in ipairs(names) do
         local one = result[name]
         if one == nil then fail("jacobian must return the derivative with respect to '%s', got nil", name) end
         local what = ("the derivative with respect to '%s'"):format(name)
         columns[i] = as_vector(one, what)
      end
      return core.hcat(table.unpack(columns))
   end
end

local function of_functions(self, X)
   local n = rows.count(X)
   local called = by_name(self.terms, self.model, X)
   local function model(theta) return as_vector(called(theta), "the result of the model") end
   local jacobian = as_jacobian(self.terms, by_name(self.terms, self.jacobian, X))
   return {
      fit = function(y, weights, s)
         return core.nonlinear_fit(model, jacobian, y, weights, s.start, s.lower, s.upper, s.tol, s.max_iter, s.on_iter)
      end,
      values = function(theta, derivatives)
         local values = model(theta)
         if #values ~= n then fail("the model must return a number for each of the %d rows, got %d", n, #values) end
         if not derivatives then return values end
         return values, jacobian and jacobian(theta) or core.nonlinear_derivatives(model, n, theta)
      end,
   }
end

--- The model of an estimator for the rows of X.
function M.of(self, X)
   if self.formula then return of_expression(self, X) end
   return of_functions(self, X)
end

return M
