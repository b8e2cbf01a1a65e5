-- Edge-disjoint routing and allocation of channels by min-sum messages on a factor graph.
--
-- Each demand is a variable whose states are its candidate paths; a path costs its length, and two demands may not use
-- the same link. Messages of costs find the routes of least total length.
-- Run in the checkout: lua5.4 examples/routing.lua

local ml = require "manilius"

-- A grid of 4 x 4 routers, number 1 to 16. The links between neighbors are named by their ends.
local SIDE = 4
local function neighbors(v)
   local i, j, list = (v - 1) // SIDE, (v - 1) % SIDE, {}
   if j > 0 then list[#list + 1] = v - 1 end
   if j < SIDE - 1 then list[#list + 1] = v + 1 end
   if i > 0 then list[#list + 1] = v - SIDE end
   if i < SIDE - 1 then list[#list + 1] = v + SIDE end
   return list
end

-- All paths of at most `longest` links that visit no router twice.
local function paths(from, to, longest)
   local found, path, visited = {}, { from }, { [from] = true }
   local function extend(v)
      if v == to then found[#found + 1] = table.move(path, 1, #path, 1, {}) end
      if v == to or #path > longest then return end
      for _, w in ipairs(neighbors(v)) do
         if not visited[w] then
            visited[w], path[#path + 1] = true, w
            extend(w)
            visited[w], path[#path] = nil, nil
         end
      end
   end
   extend(from)
   return found
end

local function links(path)
   local set = {}
   for k = 2, #path do set[math.min(path[k - 1], path[k]) * 100 + math.max(path[k - 1], path[k])] = true end
   return set
end

local function overlap(a, b)
   for link in pairs(links(a)) do
      if links(b)[link] then return true end
   end
   return false
end

local demands = { { 1, 16 }, { 4, 13 }, { 2, 14 }, { 5, 8 } }
local variables, factors, candidates = {}, {}, {}
for k, demand in ipairs(demands) do
   candidates[k] = paths(demand[1], demand[2], 7)
   variables[k] = { "route" .. k, #candidates[k] }
   local costs = {}
   -- the thousandths make the best routes unique
   for s, path in ipairs(candidates[k]) do costs[s] = -(#path - 1) - 0.001 * ((s * 37 + k * 11) % 101) / 101 end
   factors[#factors + 1] = { "route" .. k, log_table = costs }
end
for a = 1, #demands do
   for b = a + 1, #demands do
      local table_of = {}
      for s, path in ipairs(candidates[a]) do
         table_of[s] = {}
         for t, other in ipairs(candidates[b]) do table_of[s][t] = overlap(path, other) and -math.huge or 0 end
      end
      factors[#factors + 1] = { { "route" .. a, "route" .. b }, log_table = table_of }
   end
end

local graph = ml.FactorGraph { variables = variables, factors = factors }
local exact = graph:map { method = "exact" }
local messages = graph:map { method = "min_sum", damping = 0.5, max_iter = 300 }
for _, one in ipairs { { "exact", exact }, { "min-sum", messages } } do
   local total = 0
   for k = 1, #demands do total = total + #candidates[k][one[2].states["route" .. k]] - 1 end
   print(("%-8s total length %d links"):format(one[1], total))
end
for k in ipairs(demands) do
   print(("%d to %d: %s"):format(demands[k][1], demands[k][2],
      table.concat(candidates[k][messages.states["route" .. k]], " ")))
end

-- Channels for 12 transmitters: each prefers some of 3 channels, and neighbors on the same channel disturb each other,
-- more if they are closer. The graph has cycles, so messages need not find the best allocation: with these seeds they
-- do, with others they may only come close.
local place, gain = ml.random(12, 2, 15), ml.random(12, 3, 6)
local users, parts = {}, {}
for a = 1, 12 do
   users[a] = { "user" .. a, 3 }
   parts[#parts + 1] = { "user" .. a, log_table = gain:row(a):totable() }
   for b = a + 1, 12 do
      local distance = (place:row(a) - place:row(b)):norm()
      if distance < 0.3 then
         local same = -0.1 / (distance + 0.1)
         parts[#parts + 1] = { { "user" .. a, "user" .. b }, log_table = { { same, 0, 0 }, { 0, same, 0 },
            { 0, 0, same } } }
      end
   end
end
local allocation = ml.FactorGraph { variables = users, factors = parts }
local best = allocation:map { method = "exact" }
local passed = allocation:map { method = "min_sum", damping = 0.5, max_iter = 500 }
print(("channels: value %.2f by messages, %.2f at best"):format(allocation:score(passed.states),
   allocation:score(best.states)))
