--- An order in which columns that go together (either way) stand together: the leaves of average linkage on 1 - |r|.
--
-- Pairs are sought anew at each step, in cubic time: for tables that can be looked at. Source: Sokal & Michener (1958).
-- @module manilius.plot.leaf_order

-- The two clusters of `alive` that are nearest; of equal ones the first.
local function nearest_pair(alive, distance)
   local a, b, least = nil, nil, math.huge
   for i = 1, #alive do
      for j = i + 1, #alive do
         local d = distance[alive[i].id][alive[j].id]
         if d < least then a, b, least = i, j, d end
      end
   end
   return a, b, least
end

-- Average linkage: the distance of two clusters is the mean of those of their members.
local function join(alive, distance, a, b)
   local one, two = alive[a], alive[b]
   local all = table.move(one.members, 1, #one.members, 1, {})
   table.move(two.members, 1, #two.members, #all + 1, all)
   for _, other in ipairs(alive) do
      if other ~= one and other ~= two then
         local d = (#one.members * distance[one.id][other.id] + #two.members * distance[two.id][other.id]) / #all
         distance[one.id][other.id], distance[other.id][one.id] = d, d
      end
   end
   table.remove(alive, b)
   alive[a] = { id = one.id, members = all }
end

--- The order of the columns of a matrix of correlations.
-- @treturn {number,...} order of the columns
-- @treturn {number,...} distances at which clusters were joined
return function(r)
   local distance, alive, heights = {}, {}, {}
   for i = 1, r.rows do
      distance[i], alive[i] = {}, { id = i, members = { i } }
      for j = 1, r.rows do
         local value = r:get(i, j)
         distance[i][j] = value == value and 1 - math.abs(value) or 1
      end
   end
   while #alive > 1 do
      local a, b, height = nearest_pair(alive, distance)
      heights[#heights + 1] = height
      join(alive, distance, a, b)
   end
   return alive[1].members, heights
end
