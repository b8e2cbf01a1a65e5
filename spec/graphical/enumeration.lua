--- Small random factor graphs, and their exact answers by enumeration of all states.
local ml = require "manilius"

local M = {}

--- Numbers in [0, 1) by a linear congruential generator, so that graphs do not depend on the library.
function M.generator(seed)
   local state = seed
   return function()
      state = (state * 1103515245 + 12345) % 2147483648
      return state / 2147483648
   end
end

--- A random graph: `o.n` variables of 1 to `o.states` states, `o.factors` factors of up to `o.arity` variables, a
-- fraction `o.zeros` of impossible entries. A tree if o.tree.
function M.random(seed, o)
   local draw = M.generator(seed)
   local variables, factors = {}, {}
   for v = 1, o.n do variables[v] = { "v" .. v, o.binary and 2 or 1 + math.floor(draw() * o.states) } end
   local function add(scope)
      local size, values = 1, {}
      for _, v in ipairs(scope) do size = size * variables[v][2] end
      for i = 1, size do values[i] = draw() < (o.zeros or 0) and 0 or math.exp((o.strength or 2) * (draw() - 0.5)) end
      local names = {}
      for i, v in ipairs(scope) do names[i] = "v" .. v end
      factors[#factors + 1] = { names, values }
   end
   if o.tree then
      for v = 2, o.n do add { v, 1 + math.floor(draw() * (v - 1)) } end
      for v = 1, o.n do add { v } end
   else
      for _ = 1, o.factors do
         local scope, seen = {}, {}
         for _ = 1, 1 + math.floor(draw() * o.arity) do
            local v = 1 + math.floor(draw() * o.n)
            if not seen[v] then scope[#scope + 1], seen[v] = v, true end
         end
         add(scope)
      end
   end
   return ml.FactorGraph { variables = variables, factors = factors }, { variables = variables, factors = factors }
end

--- All states with their weights: calls visit(state, weight).
function M.states(graph, evidence, visit)
   local n, state = graph.n, {}
   local function go(v)
      if v > n then
         local weight = math.exp(graph:score(state))
         return visit(state, weight)
      end
      for s = 1, math.tointeger(graph.card[v]) do
         if not (evidence and evidence[v]) or evidence[v] == s then
            state[v] = s
            go(v + 1)
         end
      end
   end
   go(1)
end

--- Marginals, log partition function, the best state and its score.
function M.answers(graph, evidence)
   local total, marginals, best, best_weight = 0, {}, nil, -1
   for v = 1, graph.n do
      marginals[v] = {}
      for s = 1, math.tointeger(graph.card[v]) do marginals[v][s] = 0 end
   end
   M.states(graph, evidence, function(state, weight)
      total = total + weight
      for v, s in ipairs(state) do marginals[v][s] = marginals[v][s] + weight end
      if weight > best_weight then best, best_weight = table.move(state, 1, #state, 1, {}), weight end
   end)
   for _, list in ipairs(marginals) do
      for s = 1, #list do list[s] = list[s] / total end
   end
   return { marginals = marginals, log_partition = math.log(total), best = best, score = math.log(best_weight) }
end

--- The largest difference between a result and the marginals by enumeration.
function M.error_of(result, answers)
   local most = 0
   for v, list in ipairs(answers.marginals) do
      for s, p in ipairs(list) do most = math.max(most, math.abs(result.table:get(v, s) - p)) end
   end
   return most
end

return M
