--- The tables of a BayesNet: read from tables of the user, checked, and shown.

local core = require "manilius.core"
local rows = require "manilius.rows"
local structure = require "manilius.bayes_net.structure"

local M = {}

local fail = structure.fail

--- Discrete parents of a node, parents that are numbers, the configurations of the former, and the width of a row.
function M.shape(net, node)
   local discrete, numbers, configs = {}, {}, 1
   for _, u in ipairs(net.parents[node]) do
      if net.levels[u] then
         discrete[#discrete + 1] = u
         configs = configs * #net.levels[u]
      else
         numbers[#numbers + 1] = u
      end
   end
   return discrete, numbers, configs, net.levels[node] and #net.levels[node] or #numbers + 2
end

--- Where the table of each node begins in the Vector of all, from 1; at the end where a further one would.
function M.places(net)
   if net.places then return net.places end
   local at, sum = {}, 1
   for v = 1, #net.names do
      local _, _, configs, width = M.shape(net, v)
      at[v], sum = sum, sum + configs * width
      if sum > 2 ^ 26 then
         fail("the tables have more than %d elements at node '%s'; use fewer parents or levels", 2 ^ 26, net.names[v])
      end
   end
   at[#net.names + 1] = sum
   net.places = at
   return at
end

--- The labels of configuration c (from 0) of the discrete parents: a list.
function M.configuration(net, node, c)
   local discrete, out = M.shape(net, node), {}
   for k = #discrete, 1, -1 do
      local levels = net.levels[discrete[k]]
      out[k] = levels[c % #levels + 1]
      c = c // #levels
   end
   return out
end

-- --- reading ---

local function finite(what, value)
   if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
      fail("%s must be numbers, got %s", what, rows.kind(value))
   end
   return value
end

local function is_list(value)
   return rows.kind(value) == "Vector" or type(value) == "table" and value[1] ~= nil
end

--- A probability of a row with this sum; unchanged if the row adds up to 1 but for rounding, so that tables that are
-- written and read again stay what they are.
function M.rescaled(p, sum)
   return math.abs(sum - 1) > 1e-9 and p / sum or p
end

-- A row of probabilities: a list, or by label.
local function read_probabilities(net, node, what, value, add)
   local levels, sum, out = net.levels[node], 0, {}
   if type(value) == "table" and value[1] == nil or rows.kind(value) == "table" and #value == 0 then
      for label in pairs(value) do structure.code(net, node, label, what) end
      for i, label in ipairs(levels) do
         if value[label] == nil then fail("%s has no probability of level '%s'", what, tostring(label)) end
         out[i] = value[label]
      end
   elseif not is_list(value) or #value ~= #levels then
      fail("%s must be %d probabilities, one for each level of '%s', got %s", what, #levels, net.names[node],
         is_list(value) and #value or rows.kind(value))
   else
      for i = 1, #levels do out[i] = value[i] end
   end
   for i = 1, #levels do
      if finite(what, out[i]) < 0 then fail("%s must be probabilities, got %.10g", what, out[i]) end
      sum = sum + out[i]
   end
   if math.abs(sum - 1) > 1e-4 then fail("%s must add up to 1, got %.10g", what, sum) end
   for i = 1, #levels do add(M.rescaled(out[i], sum)) end
end

-- A row of a number: { intercept, coefficients .., sd }, or { intercept =, sd =, parent = coefficient }.
local function read_number(net, node, what, value, add)
   local _, numbers, _, width = M.shape(net, node)
   if is_list(value) then
      if #value ~= width then
         fail("%s must be %d numbers, intercept, coefficients of %d parents, standard deviation, got %d", what, width,
            #numbers, #value)
      end
      for i = 1, width do add(finite(what, value[i])) end
   elseif type(value) == "table" then
      local known = { intercept = true, sd = true }
      for _, u in ipairs(numbers) do known[net.names[u]] = true end
      for name in pairs(value) do
         if not known[name] then fail("%s has no parent '%s' that is a number", what, tostring(name)) end
      end
      add(finite(what, value.intercept or 0))
      for _, u in ipairs(numbers) do add(finite(what, value[net.names[u]] or 0)) end
      add(finite(what, value.sd or fail("%s: sd must be given", what)))
   else
      fail("%s must be { intercept =, sd =, parent = coefficient }, got %s", what, rows.kind(value))
   end
   local sd = is_list(value) and value[width] or value.sd
   if sd < 0 then fail("%s: the standard deviation must be >= 0, got %.10g", what, sd) end
end

local function read_matrix(what, value, configs, width, read_row)
   if value.rows ~= configs or value.cols ~= width then
      fail("%s must be %d x %d, a row for each configuration of the parents, got %d x %d", what, configs, width,
         value.rows, value.cols)
   end
   for c = 1, configs do read_row(("%s[%d]"):format(what, c), value:row(c):copy()) end
end

-- Nested by the labels or positions of the discrete parents from the k-th on.
local function read_nested(net, discrete, k, what, value, read_row)
   if k > #discrete then return read_row(what, value) end
   local levels = net.levels[discrete[k]]
   if type(value) ~= "table" or rows.kind(value) ~= "table" then
      fail("%s must be a table with an entry for each level of '%s', got %s", what, net.names[discrete[k]],
         rows.kind(value))
   end
   local count = 0
   for _ in pairs(value) do count = count + 1 end
   if count ~= #levels then
      fail("%s must have an entry for each of the %d levels of '%s', got %d", what, #levels, net.names[discrete[k]],
         count)
   end
   local by_label = true
   for _, label in ipairs(levels) do by_label = by_label and value[label] ~= nil end
   for i, label in ipairs(levels) do
      local one = value[by_label and label or i]
      if one == nil then fail("%s has no entry for '%s' = '%s'", what, net.names[discrete[k]], tostring(label)) end
      read_nested(net, discrete, k + 1, ("%s[%s]"):format(what, tostring(label)), one, read_row)
   end
end

local function read_table(net, node, value, add)
   local discrete, _, configs, width = M.shape(net, node)
   local what = "cpts." .. net.names[node]
   local read = net.levels[node] and read_probabilities or read_number
   local function read_row(where, row) read(net, node, where, row, add) end
   if rows.kind(value) == "Matrix" then return read_matrix(what, value, configs, width, read_row) end
   if #discrete > 1 and type(value) == "table" and #value == configs and configs ~= #net.levels[discrete[1]] then
      for c = 1, configs do read_row(("%s[%d]"):format(what, c), value[c]) end
      return
   end
   read_nested(net, discrete, 1, what, value, read_row)
end

--- The Vector of all tables, or nil and the name of the first node without one.
function M.read(net, cpts)
   if type(cpts) ~= "table" then fail("cpts must be a table of tables by name, got %s", rows.kind(cpts)) end
   for name in pairs(cpts) do structure.node(net, "cpts", name) end
   local all = {}
   for v, name in ipairs(net.names) do
      if cpts[name] == nil then return nil, name end
      read_table(net, v, cpts[name], function(value) all[#all + 1] = value end)
   end
   M.places(net)
   return core.Vector(all)
end

-- --- access ---

--- The table of a node as a Matrix, a row for each configuration of its discrete parents.
function M.matrix(net, node)
   local _, _, configs, width = M.shape(net, node)
   local at, out = M.places(net)[node], core.zeros(configs, width)
   for c = 1, configs do
      for y = 1, width do out:set(c, y, net.table[at + (c - 1) * width + y - 1]) end
   end
   return out
end

--- Names of the columns of a row.
function M.columns(net, node)
   local out = {}
   if net.levels[node] then
      for i, label in ipairs(net.levels[node]) do out[i] = tostring(label) end
      return out
   end
   local _, numbers = M.shape(net, node)
   out[1] = "intercept"
   for _, u in ipairs(numbers) do out[#out + 1] = net.names[u] end
   out[#out + 1] = "sd"
   return out
end

-- A name that the frame does not have yet.
local function free_name(names, name)
   while names[name] do name = name .. "_" end
   names[name] = true
   return name
end

--- The table of a node as a Frame: a column for each discrete parent, then a column for each level (or coefficient).
function M.frame(net, node)
   local discrete, _, configs, width = M.shape(net, node)
   local at, names, columns, taken = M.places(net)[node], {}, {}, {}
   for k, u in ipairs(discrete) do
      local labels = {}
      for c = 1, configs do labels[c] = M.configuration(net, node, c - 1)[k] end
      names[k], columns[k] = free_name(taken, net.names[u]), core.Factor(labels)
   end
   for y, name in ipairs(M.columns(net, node)) do
      local values = core.Vector(configs)
      for c = 1, configs do values[c] = net.table[at + (c - 1) * width + y - 1] end
      names[#names + 1], columns[#columns + 1] = free_name(taken, name), values
   end
   return rows.frame(names, columns)
end

return M
