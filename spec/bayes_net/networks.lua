--- Small networks, and their exact answers by enumeration of all rows.
local ml = require "manilius"

local M = {}

--- Numbers in [0, 1) by a linear congruential generator, so that networks do not depend on the library.
function M.generator(seed)
   local state = seed
   return function()
      state = (state * 1103515245 + 12345) % 2147483648
      return state / 2147483648
   end
end

--- A random network of n nodes with 2 to 3 labels and at most 2 parents.
function M.random(seed, n)
   local draw, names, levels, parents, cpts = M.generator(seed), {}, {}, {}, {}
   for v = 1, n do
      local name = "v" .. v
      names[v], levels[name], parents[name] = name, { "a", "b", draw() < 0.4 and "c" or nil }, {}
      for u = 1, v - 1 do
         if #parents[name] < 2 and draw() < 0.5 then table.insert(parents[name], names[u]) end
      end
      local configs, rows = 1, {}
      for _, u in ipairs(parents[name]) do configs = configs * #levels[u] end
      for c = 1, configs do
         local row, sum = {}, 0
         for y = 1, #levels[name] do
            row[y] = 0.05 + draw()
            sum = sum + row[y]
         end
         for y = 1, #row do row[y] = row[y] / sum end
         rows[c] = row
      end
      cpts[name] = ml.Matrix(rows)
   end
   return ml.BayesNet { nodes = names, parents = parents, levels = levels, cpts = cpts }, names, levels, draw
end

--- All rows of labels, as a list of tables by name, and p(row) from the tables.
function M.enumerate(names, levels, net)
   local list = { {} }
   for _, name in ipairs(names) do
      local longer = {}
      for _, row in ipairs(list) do
         for _, label in ipairs(levels[name]) do
            local copy = {}
            for k, value in pairs(row) do copy[k] = value end
            copy[name] = label
            longer[#longer + 1] = copy
         end
      end
      list = longer
   end
   local columns = {}
   for j, name in ipairs(names) do
      local values = {}
      for i, row in ipairs(list) do values[i] = row[name] end
      columns[j] = { name, ml.Factor(values) }
   end
   local log_p = net:score_samples(ml.Frame(columns))
   local p = {}
   for i = 1, #list do p[i] = math.exp(log_p[i]) end
   return list, p
end

--- The sum of p over the rows that agree with the tables of values.
function M.sum(list, p, ...)
   local total = 0
   for i, row in ipairs(list) do
      local agrees = true
      for _, values in ipairs { ... } do
         for name, value in pairs(values) do agrees = agrees and row[name] == value end
      end
      if agrees then total = total + p[i] end
   end
   return total
end

--- A Frame of rows of codes (strings of digits) with these names and levels.
function M.frame(names, levels, rows)
   local columns = {}
   for j, name in ipairs(names) do
      local values = {}
      for i, row in ipairs(rows) do values[i] = levels[name][tonumber(row:sub(j, j)) + 1] end
      columns[j] = { name, ml.Factor(values) }
   end
   return ml.Frame(columns)
end

--- The probability of a label in a Frame node, value, probability.
function M.probability(frame, node, value)
   for i = 1, frame.rows do
      if frame.node[i] == node and frame.value[i] == value then return frame.probability[i] end
   end
end

return M
