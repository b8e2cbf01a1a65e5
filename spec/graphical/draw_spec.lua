--- Graphs as text, Graphviz source and figures.
local ml = require "manilius"
local refuses = require "spec.support".refuses

describe("a graph", function()
   local graph = ml.FactorGraph { variables = { { "a", { "off", "on" } }, { "b", { "off", "on" } }, { 'c"d', 2 } },
      factors = { { { "a", "b" }, { { 4, 1 }, { 1, 4 } } }, { { "b", 'c"d' }, { { 4, 1 }, { 1, 4 } } },
         { "a", { 1, 2 } } } }

   it("is drawn as text", function()
      local drawn = graph:text()
      assert.matches("%(a%)   ── f1 f3", drawn)
      assert.matches("%[f2%] ── %(b%) %(c\"d%)", drawn)
      local trellis = graph:trellis { evidence = { b = "on" } }
      assert.matches("on +%[0.889%] +%[1.000%] +%[0.800%]", trellis)
   end)

   it("is source for Graphviz with quoted names", function()
      local source = graph:dot()
      assert.matches('v3 %[label="c\\"d"%];', source)
      assert.matches("f2 %-%- v3;", source)
   end)

   it("is a figure", function()
      local svg = graph:plot { title = "three switches" }:svg()
      for _, part in ipairs { "three switches", ">a<", ">b<" } do assert.is_truthy(svg:find(part, 1, true)) end
      local layout = require "manilius.draw.graph_layout" -- as without Graphviz
      local placed = layout.in_layers({ { width = 40, height = 20 }, { width = 20, height = 20 },
         { width = 20, height = 20 } }, { { 1, 2 }, { 1, 3 } }, { 1, 2, 3 })
      assert.is_true(placed.at[1][2] > placed.at[2][2])
      assert.equal(placed.at[2][2], placed.at[3][2])
      assert.is_true(math.abs(placed.at[2][1] - placed.at[3][1]) >= 20)
      refuses("plot: there are 400 variables and 1160 factors, at most 300 are drawn; use text", function()
         ml.MarkovRandomField { field = ml.zeros(20, 20), coupling = 1 }:plot()
      end)
      refuses("plot has no option 'titel'; did you mean 'title'", function() graph:plot { titel = "" } end)
   end)
end)
