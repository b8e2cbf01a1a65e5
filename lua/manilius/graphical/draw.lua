--- Factor graphs as text and as source for Graphviz; trellises.

local graph = require "manilius.graphical.graph"
local queries = require "manilius.graphical.queries"
local text = require "manilius.text"

local fail = graph.fail
local MOST = 300 -- variables and factors of a picture

-- --- text ---

graph.method("text", function(g)
   local lines, factors, width = {}, #g.table_start, 0
   local of = {}
   for f = 1, factors do
      for _, v in ipairs(graph.scope(g, f)) do
         of[v] = of[v] or {}
         table.insert(of[v], "f" .. f)
      end
   end
   for v = 1, math.min(g.n, MOST) do width = math.max(width, text.width_of(graph.name_of(g, v))) end
   for v = 1, math.min(g.n, MOST) do
      lines[v] = text.wrap_line(("(%s)%s ── %s"):format(graph.name_of(g, v),
         (" "):rep(width - text.width_of(graph.name_of(g, v))), of[v] and table.concat(of[v], " ") or "no factor"))
   end
   if g.n > MOST then lines[#lines + 1] = ("... %s"):format(text.plural(g.n - MOST, "more variable")) end
   for f = 1, math.min(factors, MOST) do
      local names = {}
      for i, v in ipairs(graph.scope(g, f)) do names[i] = ("(%s)"):format(graph.name_of(g, v)) end
      lines[#lines + 1] = ("[f%d] ── %s"):format(f, table.concat(names, " "))
   end
   if factors > MOST then lines[#lines + 1] = ("... %s"):format(text.plural(factors - MOST, "more factor")) end
   return table.concat(lines, "\n")
end)

local TRELLIS = queries.EXACT

graph.method("trellis", function(g, options)
   local o = require "manilius.options".check(g.class .. ":trellis", options, TRELLIS, 0)
   if g.n > 40 then fail(g, "trellis: there are %d variables, at most 40 are shown", g.n) end
   local marginals, best = g:infer { method = "exact", evidence = o.evidence, order = o.order,
      max_bytes = o.max_bytes }, g:map { method = "exact", evidence = o.evidence, order = o.order,
      max_bytes = o.max_bytes }
   local most = math.tointeger(g.card:max())
   local cells = { { "" } }
   for v = 1, g.n do cells[1][v + 1] = graph.name_of(g, v) end
   for s = 1, most do
      local row = { tostring(graph.label(g, 1, s)) }
      for v = 1, g.n do
         local p = s <= g.card[v] and ("%.3f"):format(marginals.table:get(v, s)) or ""
         row[v + 1] = best.vector[v] == s and ("[%s]"):format(p) or (" %s "):format(p)
      end
      cells[s + 1] = row
   end
   return text.aligned(cells) .. "\n[]: the most probable states of all variables together; numbers: marginals"
end)

-- --- Graphviz ---

local function quoted(value)
   return '"' .. value:gsub('[\\"]', "\\%0") .. '"'
end

local function check_size(g, what)
   if g.n + #g.table_start > MOST then
      fail(g, "%s: there are %s and %s, at most %d are drawn; use text()", what, text.plural(g.n, "variable"),
         text.plural(#g.table_start, "factor"), MOST)
   end
end

graph.method("dot", function(g)
   check_size(g, "dot")
   local lines = { "graph factors {", '  node [fontname="DejaVu Sans" fontsize=11];' }
   for v = 1, g.n do lines[#lines + 1] = ("  v%d [label=%s];"):format(v, quoted(graph.name_of(g, v))) end
   for f = 1, #g.table_start do
      lines[#lines + 1] = ('  f%d [shape=square style=filled fillcolor="#d0d0d0" width=0.25 fixedsize=true '
         .. 'fontsize=9 label="%d"];'):format(f, f)
      for _, v in ipairs(graph.scope(g, f)) do lines[#lines + 1] = ("  f%d -- v%d;"):format(f, v) end
   end
   lines[#lines + 1] = "}"
   return table.concat(lines, "\n") .. "\n"
end)

return queries
