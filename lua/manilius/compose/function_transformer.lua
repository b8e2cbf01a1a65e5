--- FunctionTransformer with a Lua function.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local WHO = "FunctionTransformer"
local M = {}

-- Call a function, or the one of that name.
local function apply(func, X)
   if type(func) ~= "function" then return core.constructors.FunctionTransformer { func = func }:transform(X) end
   local out = func(X)
   local kind = rows.kind(out)
   if kind == "Vector" then out = out:as_column() end
   if kind ~= "Vector" and kind ~= "Matrix" and kind ~= "Frame" and kind ~= "Sparse" then
      error(("%s: func must return a Matrix, Vector, Sparse or Frame, got %s"):format(WHO, kind), 0)
   end
   if rows.count(out) ~= rows.count(X) then
      error(("%s: func must return as many rows as X, %d, got %d"):format(WHO, rows.count(X), rows.count(out)), 0)
   end
   return out
end

local function is_function(func)
   return func == nil or type(func) == "function" or type(func) == "string"
end

local definition = {
   name = "LuaFunctionTransformer",
   ours = true,
   does = "transform",
   params = { func = "identity", inverse_func = estimator.NONE, check_inverse = true },
   help = {
      use = "FunctionTransformer { func = function(X) ... end, inverse_func = }",
      brief = "Applies a Lua function to X.",
      notes = "FunctionTransformer makes it if func or inverse_func is a function. It runs in Lua and cannot be saved.",
      params = {
         func = "function from a Matrix or Frame to another one with as many rows; or a name",
         inverse_func = "its inverse, a function or a name; nil: none",
         check_inverse = "fit checks that inverse_func returns a Matrix X",
      },
      example = [[
local double = ml.FunctionTransformer { func = function(X) return 2 * X end }
print(double:fit_transform { { 1, 2 }, { 3, 4 } })]],
   },
   check = function(self)
      for _, name in ipairs { "func", "inverse_func" } do
         if not is_function(self[name]) then
            error(("%s: %s must be a function or its name, got %s"):format(WHO, name, rows.kind(self[name])), 0)
         end
      end
   end,
   can = function(self, name)
      return name == "transform" or name == "fit" or (name == "inverse_transform" and self.inverse_func ~= nil)
         or not estimator.is_action(name) and name ~= "partial_fit" and name ~= "output_names"
   end,
}

function definition.fit(self, X)
   X = rows.x(WHO, X)
   local Z = apply(self.func, X)
   if self.inverse_func == nil or not self.check_inverse or rows.kind(X) ~= "Matrix" then return self end
   local difference = (apply(self.inverse_func, Z) - X):abs():max()
   if difference <= 1e-7 * X:abs():max() + 1e-9 then return self end
   error(("%s: inverse_func must invert func, but its result differs by %g; set check_inverse = false to accept it")
      :format(WHO, difference), 0)
end

function definition.transform(self, X)
   return (rows.rethrow(2, pcall(function() return apply(self.func, rows.x(WHO, X)) end)))
end

function definition.inverse_transform(self, X)
   if self.inverse_func == nil then error(WHO .. ": inverse_transform requires inverse_func", 2) end
   return (rows.rethrow(2, pcall(function() return apply(self.inverse_func, rows.x(WHO, X)) end)))
end

M.LuaFunctionTransformer = estimator.class(definition)

--- The model in Lua if a setting is a Lua function, otherwise nil.
function M.of(settings)
   local func, inverse = rawget(settings, "func"), rawget(settings, "inverse_func")
   return (type(func) == "function" or type(inverse) == "function") and M.LuaFunctionTransformer(settings) or nil
end

return M
