--- Positions of the boxes of a network: by Graphviz `dot`, if it is installed, else in layers.
--
-- Boxes have width and height in pixels; results are the centers, the height growing upward, the lines of the edges,
-- and the size of all.

local M = {}

-- --- by dot ---

local function temporary_file()
   local path = os.tmpname()
   if not path:find "[^%w/._-]" then return path end
   os.remove(path)
end

local function write_source(path, boxes, edges)
   local file = io.open(path, "wb")
   if not file then return false end
   file:write "digraph g {\nnode [shape=box fixedsize=true label=\"\"];\nnodesep=0.35; ranksep=0.45;\n"
   for i, box in ipairs(boxes) do
      file:write(("n%d [width=%.4f height=%.4f];\n"):format(i, box.width / 72, box.height / 72))
   end
   for _, edge in ipairs(edges) do file:write(("n%d -> n%d [arrowhead=none];\n"):format(edge[1], edge[2])) end
   return file:write "}\n" ~= nil and file:close()
end

-- Points of a cubic Bezier curve.
local function curve_points(points)
   local out = { points[1] }
   for i = 1, #points - 3, 3 do
      local a, b, c, d = points[i], points[i + 1], points[i + 2], points[i + 3]
      for k = 1, 6 do
         local t = k / 6
         local s = 1 - t
         local p = {}
         for j = 1, 2 do
            p[j] = s ^ 3 * a[j] + 3 * s * s * t * b[j] + 3 * s * t * t * c[j] + t ^ 3 * d[j]
         end
         out[#out + 1] = p
      end
   end
   return out
end

-- The lines of `dot -Tplain`: graph scale width height; node name x y ...; edge tail head n x1 y1 ...
local function read_plain(output, boxes)
   local at, lines, width, height = {}, {}, nil, nil
   for line in output:gmatch "[^\n]+" do
      local words = {}
      for word in line:gmatch "%S+" do words[#words + 1] = word end
      if words[1] == "graph" then
         width, height = tonumber(words[3]), tonumber(words[4])
      elseif words[1] == "node" then
         local i = tonumber(words[2]:match "^n(%d+)$")
         at[i or 0] = { (tonumber(words[3]) or 0) * 72, (tonumber(words[4]) or 0) * 72 }
      elseif words[1] == "edge" then
         local points, n = {}, tonumber(words[4]) or 0
         for k = 1, n do
            points[k] = { (tonumber(words[3 + 2 * k]) or 0) * 72, (tonumber(words[4 + 2 * k]) or 0) * 72 }
         end
         if n >= 4 then lines[#lines + 1] = curve_points(points) end
      end
   end
   if not width or not height or #at ~= #boxes then return nil end
   return { at = at, lines = lines, width = width * 72, height = height * 72 }
end

local function by_dot(boxes, edges)
   if not io or not io.open or not io.popen or not os or not os.tmpname or not os.remove then return nil end
   local path = temporary_file()
   if not path then return nil end
   local pipe = write_source(path, boxes, edges) and io.popen("dot -Tplain " .. path .. " 2>/dev/null", "r")
   local output = pipe and pipe:read "a" or ""
   if pipe then pipe:close() end
   os.remove(path)
   return read_plain(output, boxes)
end

-- --- in layers ---

-- The layer of each box: the longest path from a box without parents.
local function layers_of(count, edges, order)
   local layer, parents = {}, {}
   for i = 1, count do layer[i], parents[i] = 1, {} end
   for _, edge in ipairs(edges) do table.insert(parents[edge[2]], edge[1]) end
   for _, i in ipairs(order) do
      for _, u in ipairs(parents[i]) do layer[i] = math.max(layer[i], layer[u] + 1) end
   end
   local rows = {}
   for _, i in ipairs(order) do
      rows[layer[i]] = rows[layer[i]] or {}
      table.insert(rows[layer[i]], i)
   end
   return rows
end

-- Sort each layer by the mean position of the neighbors in the layer before, then in the layer behind.
local function sort_layers(rows, edges)
   local near, place = {}, {}
   for _, edge in ipairs(edges) do
      near[edge[1]], near[edge[2]] = near[edge[1]] or {}, near[edge[2]] or {}
      table.insert(near[edge[1]], edge[2])
      table.insert(near[edge[2]], edge[1])
   end
   for _, row in ipairs(rows) do
      for k, i in ipairs(row) do place[i] = k / (#row + 1) end
   end
   for _ = 1, 8 do
      for _, row in ipairs(rows) do
         local mean = {}
         for _, i in ipairs(row) do
            local sum = 0
            for _, j in ipairs(near[i] or {}) do sum = sum + place[j] end
            mean[i] = near[i] and sum / #near[i] or place[i]
         end
         table.sort(row, function(a, b) return mean[a] < mean[b] or mean[a] == mean[b] and a < b end)
         for k, i in ipairs(row) do place[i] = k / (#row + 1) end
      end
   end
end

local GAP_X, GAP_Y = 24, 48

local function in_layers(boxes, edges, order)
   local rows = layers_of(#boxes, edges, order)
   sort_layers(rows, edges)
   local total, widths, at, y = 0, {}, {}, 0
   for r, row in ipairs(rows) do
      widths[r] = -GAP_X
      for _, i in ipairs(row) do widths[r] = widths[r] + boxes[i].width + GAP_X end
      total = math.max(total, widths[r])
   end
   for r, row in ipairs(rows) do
      local x, tallest = (total - widths[r]) / 2, 0
      for _, i in ipairs(row) do tallest = math.max(tallest, boxes[i].height) end
      for _, i in ipairs(row) do
         at[i] = { x + boxes[i].width / 2, y - tallest / 2 }
         x = x + boxes[i].width + GAP_X
      end
      y = y - tallest - GAP_Y
   end
   local height, lines = -y - GAP_Y, {}
   for _, one in pairs(at) do one[2] = one[2] + height end
   for k, edge in ipairs(edges) do
      local a, b = at[edge[1]], at[edge[2]]
      lines[k] = { { a[1], a[2] - boxes[edge[1]].height / 2 }, { b[1], b[2] + boxes[edge[2]].height / 2 } }
   end
   return { at = at, lines = lines, width = total, height = height }
end

--- Where boxes and edges go. order: the boxes with parents first.
function M.place(boxes, edges, order)
   return by_dot(boxes, edges) or in_layers(boxes, edges, order)
end

M.in_layers = in_layers

return M
