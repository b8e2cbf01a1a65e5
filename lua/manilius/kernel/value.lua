--- What kernels can do: operators, members and methods of the userdata Kernel (src/lua/models/kernel.c).
--
-- A kernel never changes.

local core = require "manilius.core"
local leaves = require "manilius.kernel.leaves"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = { metamethods = {} }
local methods, properties, meta = {}, {}, M.metamethods

local function is_kernel(value)
   return rows.kind(value) == "Kernel"
end

-- --- operators ---

-- An operand: a kernel, or a positive number, which becomes a constant kernel.
local function operand_of(value, what)
   if is_kernel(value) then return value end
   if type(value) ~= "number" then
      error(("kernel: %s must be a kernel or a number > 0, got %s"):format(what, rows.kind(value)), 0)
   end
   return core.kernel.build { leaves.node(leaves.by_name.Constant, { value = value }) }
end

local function combine(part, a, b)
   return core.kernel.combine(part, operand_of(a, "the left operand of " .. part),
      operand_of(b, "the right operand of " .. part))
end

local function power(a, exponent)
   if not is_kernel(a) or type(exponent) ~= "number" then
      error(("kernel: ^ requires a kernel and a number, got %s and %s"):format(rows.kind(a), rows.kind(exponent)), 0)
   end
   if not (exponent > 0 and exponent < math.huge) then
      error(("kernel: the exponent must be > 0 and finite, got %s"):format(text.number(exponent)), 0)
   end
   return core.kernel.power(a, exponent)
end

meta.__tostring, meta.__eq = core.kernel.text, core.kernel.equal

function meta.__add(a, b) return (rows.rethrow(2, pcall(combine, "+", a, b))) end
function meta.__mul(a, b) return (rows.rethrow(2, pcall(combine, "*", a, b))) end
function meta.__pow(a, b) return (rows.rethrow(2, pcall(power, a, b))) end

-- --- properties ---

properties.theta, properties.bounds, properties.theta_names = core.kernel.theta, core.kernel.bounds,
   core.kernel.theta_names

-- --- methods ---

local function check_receiver(kernel, name)
   if not is_kernel(kernel) then
      error(("%s: call it with a colon, as in kernel:%s(...), got %s in place of the kernel"):format(name, name,
         rows.kind(kernel)), 3)
   end
end

-- Columns of X and their names, if it has names.
local function columns_of(X)
   if not rows.is_frame(X) then return X, nil end
   for j, column in ipairs(X.columns) do
      if rows.kind(column) == "Factor" then
         error(("kernel: X must have columns of numbers, but '%s' is a Factor"):format(X.names[j]), 0)
      end
   end
   return rows.plain(X), X.names
end

for _, name in ipairs { "matrix", "diagonal", "gradient", "gradient_dot" } do
   local call, takes_two = core.kernel[name], name == "matrix" or name == "gradient_dot"
   methods[name] = function(kernel, X, other)
      check_receiver(kernel, name)
      return (rows.rethrow(2, pcall(function()
         local x, names = columns_of(X)
         if takes_two then return call(kernel, x, (columns_of(other)), names) end
         return call(kernel, x, names)
      end)))
   end
end

--- The same kernel with other hyperparameters, given by their logarithms.
function methods.with_theta(kernel, theta)
   check_receiver(kernel, "with_theta")
   return (rows.rethrow(2, pcall(core.kernel.with_theta, kernel, theta)))
end

--- Write the kernel to a file, or to a string.
function methods.save(kernel, path)
   check_receiver(kernel, "save")
   require "manilius.save".save(kernel, path, 2)
end

function methods.dump(kernel)
   check_receiver(kernel, "dump")
   return require "manilius.save".dump(kernel, 2)
end

-- --- members ---

local function settings_of(kernel)
   local nodes = core.kernel.nodes(kernel)
   return #nodes == 1 and leaves.settings_of(nodes[1]) or {}
end

--- The members of a kernel: name -> is it a method?
function M.members_of(kernel)
   local out = {}
   for name in pairs(settings_of(kernel)) do out[name] = false end
   for name in pairs(properties) do out[name] = false end
   for name in pairs(methods) do out[name] = true end
   return out
end

function meta.__index(kernel, name)
   if methods[name] then return methods[name] end
   if properties[name] then return properties[name](kernel) end
   local value = settings_of(kernel)[name]
   if value ~= nil then return value end
   error(("Kernel has no '%s'%s"):format(tostring(name), text.hint(name, text.sorted_keys(M.members_of(kernel)))), 2)
end

function meta.__newindex()
   error("a kernel is immutable; create a new one", 2)
end

return M
