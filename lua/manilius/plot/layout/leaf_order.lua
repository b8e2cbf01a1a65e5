--- Orders columns so that correlated ones are adjacent: the leaf order of average linkage clustering with distance
-- 1 - |r|.
--
-- Takes cubic time, which is enough for tables that fit on a page. Source: Sokal & Michener (1958).

-- The positions of the two nearest clusters, and their distance; ties are broken by the lowest index.
local function nearest_pair(clusters, distance)
   local a, b, min_distance = nil, nil, math.huge
   for i = 1, #clusters do
      for j = i + 1, #clusters do
         local d = distance[clusters[i].id][clusters[j].id]
         if d < min_distance then a, b, min_distance = i, j, d end
      end
   end
   return a, b, min_distance
end

-- Merge two clusters. Average linkage: the distance of two clusters is the mean distance of their members.
local function merge(clusters, distance, a, b)
   local one, two = clusters[a], clusters[b]
   local all = table.move(one.members, 1, #one.members, 1, {})
   table.move(two.members, 1, #two.members, #all + 1, all)
   for _, other in ipairs(clusters) do
      if other ~= one and other ~= two then
         local d = (#one.members * distance[one.id][other.id] + #two.members * distance[two.id][other.id]) / #all
         distance[one.id][other.id], distance[other.id][one.id] = d, d
      end
   end
   table.remove(clusters, b)
   clusters[a] = { id = one.id, members = all }
end

--- The order of the columns of a correlation matrix.
-- @treturn {number,...} order of the columns
-- @treturn {number,...} distances at which clusters were merged
return function(r)
   local distance, clusters, heights = {}, {}, {}
   for i = 1, r.rows do
      distance[i], clusters[i] = {}, { id = i, members = { i } }
      for j = 1, r.rows do
         local value = r:get(i, j)
         distance[i][j] = value == value and 1 - math.abs(value) or 1
      end
   end
   while #clusters > 1 do
      local a, b, height = nearest_pair(clusters, distance)
      heights[#heights + 1] = height
      merge(clusters, distance, a, b)
   end
   return clusters[1].members, heights
end
