local ml = require "manilius"
local support = require "spec.support"

local function random_edges(n, m, seed)
   local draw, edges = ml.random(m, 2, seed), {}
   for e = 1, m do
      local i, j = 1 + math.floor(n * draw[e][1]), 1 + math.floor(n * draw[e][2])
      edges[e] = { i, i == j and j % n + 1 or j }
   end
   return edges
end

local function violated(edges, colors)
   local count = 0
   for _, edge in ipairs(edges) do count = count + (colors[edge[1]] == colors[edge[2]] and 1 or 0) end
   return count
end

-- Is there a coloring? By enumeration, with vertex 1 of color 1.
local function colorable(edges, n, q)
   local colors = {}
   local function place(v)
      if v > n then return true end
      for c = 1, v == 1 and 1 or q do
         local fits = true
         colors[v] = c
         for _, edge in ipairs(edges) do
            local a, b = edge[1], edge[2]
            if math.max(a, b) == v and colors[a] == colors[b] then fits = false end
         end
         if fits and place(v + 1) then return true end
      end
      return false
   end
   return place(1)
end

describe("color_graph", function()
   it("agrees with enumeration on small graphs", function()
      local possible = { 0, 0 }
      for seed = 1, 30 do
         local edges = random_edges(9, 14 + seed // 2, seed)
         local wanted = colorable(edges, 9, 3)
         for _, method in ipairs { "survey", "belief" } do
            local found = ml.color_graph { edges = edges, vertices = 9, method = method, max_moves = 20000 }
            assert.equal(wanted, found.colored)
            assert.equal(found.colored, violated(edges, found.colors) == 0)
         end
         possible[wanted and 1 or 2] = possible[wanted and 1 or 2] + 1
      end
      assert.truthy(possible[1] > 5 and possible[2] > 5)
   end)

   it("colors random graphs of mean degree 4 with three colors", function()
      local edges = random_edges(1000, 2000, 3)
      for _, method in ipairs { "survey", "belief" } do
         local found = ml.color_graph { edges = edges, vertices = 1000, method = method, fraction = 0.02 }
         assert.truthy(found.colored)
         assert.equal(0, violated(edges, found.colors))
         assert.truthy(found.colors:min() >= 1 and found.colors:max() <= 3)
      end
   end)

   it("repairs by tabu search what fixing many vertices at once leaves violated", function()
      local n, moves = 300, 0
      for seed = 1, 2 do
         local edges = {}
         for _, edge in ipairs(random_edges(n, 4000, seed)) do -- vertex i has color i % 3
            if edge[1] % 3 ~= edge[2] % 3 and #edges < 2.3 * n then edges[#edges + 1] = edge end
         end
         local found = ml.color_graph { edges = edges, vertices = n, method = "belief", fraction = 1, restarts = 1,
            max_moves = 300000 }
         assert.equal(0, violated(edges, found.colors))
         moves = moves + found.moves
      end
      assert.truthy(moves > 0)
   end)

   it("has equal beliefs for equivalent colors, on a tree", function()
      local found = ml.color_graph { edges = { { 1, 2 }, { 2, 3 }, { 2, 4 } }, method = "belief", tol = 0,
         max_iter = 50, colors = 4 }
      for v = 1, 4 do
         for c = 1, 4 do support.near(0.25, found.bias[v][c], 1e-12) end
      end
   end)

   it("colors a Matrix of edges and DIMACS graphs, and needs as many colors as a clique has vertices", function()
      local clique = ml.Matrix { { 1, 2 }, { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } }
      assert.truthy(ml.color_graph { edges = clique, colors = 4 }.colored)
      assert.equal(1, ml.color_graph { edges = clique, colors = 3, max_moves = 1000 }.violated)
      local path = os.tmpname()
      for text, wanted in pairs { ["c\np edge 3 2\ne 1 2\ne 2 3\n"] = true,
         ["p edge 3 1\ne 1 4\n"] = ":2: a vertex must be a whole number from 1 to 3, got '4'",
         ["p edge 3 1\ne 1 1\n"] = ":2: an edge joins vertex 1 with itself",
         ["e 1 2\n"] = ":1: edges must come after", ["p edge 3 1\nx\n"] = ":2: a line must begin" } do
         local file = assert(io.open(path, "wb"))
         file:write(text)
         file:close()
         if wanted == true then
            assert.truthy(ml.color_graph { path = path, colors = 2 }.colored)
         else
            support.refuses(wanted, ml.color_graph, { path = path })
         end
      end
      os.remove(path)
   end)

   it("refuses what is not a graph", function()
      support.refuses("either edges or path", ml.color_graph, {})
      support.refuses("edge 1 must be two different vertices", ml.color_graph, { edges = { { 1, 1 } } })
      support.refuses("edge 2 must be two different vertices", ml.color_graph, { edges = { { 1, 2 }, 3 } })
      support.refuses("colors must be a whole number from 1 to 8, got 9", ml.color_graph, { edges = { { 1, 2 } },
         colors = 9 })
   end)
end)
