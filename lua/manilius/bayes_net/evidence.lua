--- What is known of the nodes of a BayesNet: { node = label }, { node = number }, { node = { label = likelihood } }.

local core = require "manilius.core"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"

local M = {}

local fail = structure.fail

-- Likelihoods of the levels of a node, by label or in order.
local function read_likelihood(net, node, what, value)
   local levels, out = net.levels[node], {}
   local list = rows.kind(value) == "Vector" or value[1] ~= nil
   if list and #value ~= #levels then
      fail("%s must be %d likelihoods, one for each level, got %d", what, #levels, #value)
   end
   if not list then
      for label in pairs(value) do structure.code(net, node, label, what) end
   end
   local sum = 0
   for i, label in ipairs(levels) do
      local one = list and value[i]
      if not list then one = value[label] or 0 end
      if type(one) ~= "number" or not (one >= 0 and one < math.huge) then
         fail("%s must be numbers >= 0, got %s", what, tostring(one))
      end
      out[i], sum = one, sum + one
   end
   if not (sum > 0 and sum < math.huge) then fail("%s must have at least one likelihood > 0", what) end
   return out
end

local function read_number(net, node, what, value)
   if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
      fail("%s must be a number, as node '%s' is one, got %s", what, net.names[node], rows.kind(value))
   end
   return value
end

-- The position of the likelihoods of each discrete node in the Vector of all.
local function likelihood_vector(net, soft)
   local size, at = 0, {}
   for v in ipairs(net.names) do
      at[v] = size
      size = size + (net.levels[v] and #net.levels[v] or 0)
   end
   local out = core.Vector(size) + 0 / 0
   for v, list in pairs(soft) do
      for i, value in ipairs(list) do out[at[v] + i] = value end
   end
   return out
end

--- Values of the nodes (nan: unknown), likelihoods (nil: none), and the set of the indices of nodes named.
-- what: the argument, for messages
function M.read(net, evidence, what)
   what = what or "evidence"
   local values, soft, named = core.Vector(#net.names) + 0 / 0, {}, {}
   if evidence ~= nil and (type(evidence) ~= "table" or rows.kind(evidence) ~= "table") then
      fail("%s must be a table of values by the names of nodes, got %s", what, rows.kind(evidence))
   end
   for name, value in pairs(evidence or {}) do
      local node = structure.node(net, what, name)
      local where = ("%s.%s"):format(what, name)
      named[node] = true
      if not net.levels[node] then
         values[node] = read_number(net, node, where, value)
      elseif type(value) == "table" or rows.kind(value) == "Vector" then
         soft[node] = read_likelihood(net, node, where, value)
      else
         values[node] = structure.code(net, node, value, where)
      end
   end
   return values, next(soft) and likelihood_vector(net, soft) or nil, named
end

--- The value of a node for the code, or number, of the core.
function M.value(net, node, code)
   local levels = net.levels[node]
   if not levels then return code end
   return levels[math.tointeger(code) + 1]
end

return M
