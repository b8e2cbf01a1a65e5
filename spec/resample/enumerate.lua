--- Neighbors and segments by enumeration, for the specs of resamplers. Rows are lists of numbers.
local M = {}

function M.distance2(a, b)
   local sum = 0
   for j = 1, #a do sum = sum + (a[j] - b[j]) ^ 2 end
   return sum
end

--- The k nearest of the candidates (indices of rows) of row i, which is not its own neighbor; nearest first.
function M.nearest(rows, i, candidates, k, distance2)
   local list = {}
   for _, other in ipairs(candidates) do
      if other ~= i then list[#list + 1] = { (distance2 or M.distance2)(rows[i], rows[other]), other } end
   end
   table.sort(list, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
   local out = {}
   for s = 1, k do out[s] = list[s][2] end
   return out
end

--- The indices of the rows of a class; of all rows without a label.
function M.members(labels, label)
   local list = {}
   for i = 1, #labels do
      if label == nil or labels[i] == label then list[#list + 1] = i end
   end
   return list
end

--- How far z is on the way from a to b, from 0 to 1; nil if it is not on it.
function M.part_of_way(z, a, b)
   local u, longest = 0, 0
   for j = 1, #a do
      if math.abs(b[j] - a[j]) > longest then longest, u = math.abs(b[j] - a[j]), (z[j] - a[j]) / (b[j] - a[j]) end
   end
   if u < 0 or u > 1 then return nil end
   for j = 1, #a do
      if math.abs(a[j] + u * (b[j] - a[j]) - z[j]) > 1e-12 then return nil end -- rounding of one interpolation
   end
   return u
end

--- The number of rows with each label.
function M.counts(labels)
   local found = {}
   for i = 1, #labels do found[labels[i]] = (found[labels[i]] or 0) + 1 end
   return found
end

return M
