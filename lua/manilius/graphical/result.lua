--- Results of queries: marginals with the partition function, the most probable state, joint distributions.

local core = require "manilius.core"
local graph = require "manilius.graphical.graph"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local MAX_SHOWN = 20

local function check_receiver(value, meta, name)
   if getmetatable(value) ~= meta then
      error(("%s: call it with a colon, as in result:%s(...), got %s in place of the result"):format(name, name,
         rows.kind(value)), 3)
   end
end

local function class(name, methods)
   local meta = { __name = name }
   function meta.__index(self, key)
      if methods[key] then return methods[key] end
      if type(key) ~= "string" or key:find "^_" then return nil end
      local known = text.sorted_keys(methods)
      for one in next, self do
         if type(one) == "string" and not one:find "^_" then known[#known + 1] = one end
      end
      table.sort(known)
      if M.OPTIONAL[key] then return nil end
      error(("%s has no '%s'%s"):format(name, key, text.hint(key, known)), 2)
   end
   return meta
end

--- Fields that only some methods set.
M.OPTIONAL = { converged = true, n_iter = true, residual = true, cost = true, std_error = true, r_hat = true,
     ess = true, bound = true, gap = true, states = true, acceptance = true, magnetization = true }

-- "sum_product, converged in 12 iterations"
local function method_text(self)
   local parts = { self.method }
   if self.converged ~= nil then
      parts[2] = ("%s%s"):format(self.converged and "converged in " or "NOT converged after ",
         text.plural(self.n_iter, "iteration"))
   end
   if self.r_hat then parts[#parts + 1] = ("R-hat %.3f, %.0f effective draws"):format(self.r_hat, self.ess) end
   if self.cost then
      parts[#parts + 1] = ("treewidth at most %d, tables of %.0f bytes"):format(self.cost.width, self.cost.bytes)
   end
   return table.concat(parts, ", ")
end

-- --- marginals ---

local marginal_methods = {}
local Marginals = class("Marginals", marginal_methods)

--- The distribution of a variable: a Vector, in the order of its states.
function marginal_methods.of(self, variable)
   check_receiver(self, Marginals, "of")
   return (rows.rethrow(2, pcall(function()
      local v = graph.variable(self._graph, "of", variable)
      local list = {}
      for s = 1, math.tointeger(self._graph.card[v]) do list[s] = self.table:get(v, s) end
      return core.Vector(list)
   end)))
end

--- The probability that a variable has a state.
function marginal_methods.probability(self, variable, state)
   check_receiver(self, Marginals, "probability")
   return (rows.rethrow(2, pcall(function()
      local v = graph.variable(self._graph, "probability", variable)
      return self.table:get(v, graph.state(self._graph, "probability", v, state))
   end)))
end

--- On a grid: the probabilities of a state as a Matrix.
function marginal_methods.image(self, state)
   check_receiver(self, Marginals, "image")
   return (rows.rethrow(2, pcall(function()
      local g = self._graph
      local shape = graph.raw(g).shape
      if not shape then graph.fail(g, "image: the graph is not a grid") end
      local s = graph.state(g, "image", 1, state == nil and 2 or state)
      return core.graphical_image(self.table, shape[1], shape[2], s)
   end)))
end

function Marginals.__tostring(self)
   local g, cells = self._graph, {}
   for v = 1, math.min(g.n, MAX_SHOWN) do
      local parts, card = {}, math.tointeger(g.card[v])
      for s = 1, math.min(card, 8) do
         parts[s] = ("%s %.4f"):format(tostring(graph.label(g, v, s)), self.table:get(v, s))
      end
      if card > 8 then parts[9] = "..." end
      cells[v] = ("  %s  %s"):format(text.pad(graph.name_of(g, v), 12), table.concat(parts, "  "))
   end
   if g.n > MAX_SHOWN then cells[#cells + 1] = ("  ... %s"):format(text.plural(g.n - MAX_SHOWN, "more variable")) end
   table.insert(cells, 1, method_text(self))
   if self.log_partition == self.log_partition then
      cells[#cells + 1] = ("log partition function: %s (%s)"):format(text.number(self.log_partition, 8), self.kind)
   end
   return table.concat(cells, "\n")
end

--- fields: table (Matrix of marginals), log_partition (nan: none), kind, method
function M.marginals(g, fields)
   fields._graph = g
   return setmetatable(fields, Marginals)
end

-- --- the most probable state ---

local map_methods = {}
local Assignment = class("Assignment", map_methods)

--- The state of a variable: its label or number.
function map_methods.of(self, variable)
   check_receiver(self, Assignment, "of")
   return (rows.rethrow(2, pcall(function()
      local v = graph.variable(self._graph, "of", variable)
      return graph.label(self._graph, v, math.tointeger(self.vector[v]))
   end)))
end

function Assignment.__tostring(self)
   local g, lines = self._graph, { method_text(self) }
   for v = 1, math.min(g.n, MAX_SHOWN) do
      lines[#lines + 1] = ("  %s  %s"):format(text.pad(graph.name_of(g, v), 12),
         tostring(graph.label(g, v, math.tointeger(self.vector[v]))))
   end
   if g.n > MAX_SHOWN then lines[#lines + 1] = ("  ... %s"):format(text.plural(g.n - MAX_SHOWN, "more variable")) end
   local bound = self.bound and ("; no state scores more than %s"):format(text.number(self.bound, 8)) or ""
   lines[#lines + 1] = ("score: %s (%s)%s"):format(text.number(self.score, 8), self.kind, bound)
   return table.concat(lines, "\n")
end

--- fields: vector (state numbers), score, kind, method
function M.assignment(g, fields)
   fields._graph = g
   fields.states = graph.assignment(g, fields.vector)
   return setmetatable(fields, Assignment)
end

-- --- joint distributions ---

local joint_methods = {}
local Joint = class("JointDistribution", joint_methods)

-- The states of the variables at element i, from 1, of the table.
local function states_at(self, i)
   local states = {}
   i = i - 1
   for k = #self._variables, 1, -1 do
      local card = math.tointeger(self._graph.card[self._variables[k]])
      states[k] = i % card + 1
      i = i // card
   end
   return states
end

--- The probability of states by name, one for each variable.
function joint_methods.probability(self, states)
   check_receiver(self, Joint, "probability")
   return (rows.rethrow(2, pcall(function()
      local g, index = self._graph, 0
      if rows.kind(states) ~= "table" then graph.fail(g, "probability requires a table { variable = state }") end
      for _, v in ipairs(self._variables) do
         local given = states[graph.name_of(g, v)]
         if given == nil then given = states[v] end
         if given == nil then graph.fail(g, "probability: there is no state of '%s'", graph.name_of(g, v)) end
         index = index * math.tointeger(g.card[v]) + graph.state(g, "probability", v, given) - 1
      end
      return self.table[index + 1]
   end)))
end

--- A Frame with a row for each combination of states, and its probability.
function joint_methods.frame(self)
   check_receiver(self, Joint, "frame")
   local g, columns, names = self._graph, {}, {}
   for k, v in ipairs(self._variables) do columns[k], names[k] = {}, graph.name_of(g, v) end
   for i = 1, #self.table do
      for k, s in ipairs(states_at(self, i)) do columns[k][i] = tostring(graph.label(g, self._variables[k], s)) end
   end
   for k in ipairs(self._variables) do columns[k] = core.Factor(columns[k]) end
   columns[#columns + 1], names[#names + 1] = self.table:copy(), "probability"
   return rows.frame(names, columns)
end

function Joint.__tostring(self)
   return tostring(self:frame())
end

--- fields: table (Vector), log_partition; `variables` is the list of their numbers
function M.joint(g, variables, fields)
   fields._graph, fields._variables = g, variables
   return setmetatable(fields, Joint)
end

return M
