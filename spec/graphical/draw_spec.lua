--- Graphs as text, Graphviz source and figures.
local ml = require "manilius"

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
end)
