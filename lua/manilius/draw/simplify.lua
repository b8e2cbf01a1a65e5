--- Simplifies paths (Douglas and Peucker 1973).

-- The point between `from` and `to` that is farthest from the segment between them, and its squared distance.
local function farthest(px, py, from, to)
   local x0, y0 = px[from], py[from]
   local dx, dy = px[to] - x0, py[to] - y0
   local length = dx * dx + dy * dy
   local best, at = -1, nil
   for i = from + 1, to - 1 do
      local x, y = px[i] - x0, py[i] - y0
      local share = length > 0 and math.max(0, math.min(1, (x * dx + y * dy) / length)) or 0
      local distance = (x - share * dx) ^ 2 + (y - share * dy) ^ 2
      if distance > best then best, at = distance, i end
   end
   return at, best
end

--- The positions of the points of a path that remain: all others are at most `tolerance` from the simplified path.
-- Neighbors of gaps (nan) and the gaps themselves remain.
return function(px, py, tolerance)
   local n, keep, stack = #px, {}, {}
   local function is_gap(i) return px[i] ~= px[i] or py[i] ~= py[i] end
   local from = 1
   while from <= n do
      local to = from
      while to < n and not is_gap(from) and not is_gap(to + 1) do to = to + 1 end
      keep[from], keep[to] = true, true
      stack[#stack + 1] = { from, to }
      from = to + 1
   end
   while #stack > 0 do
      local pair = table.remove(stack)
      local at, distance = farthest(px, py, pair[1], pair[2])
      if at and distance > tolerance * tolerance then
         keep[at] = true
         stack[#stack + 1] = { pair[1], at }
         stack[#stack + 1] = { at, pair[2] }
      end
   end
   local out = {}
   for i = 1, n do
      if keep[i] then out[#out + 1] = i end
   end
   return out
end
