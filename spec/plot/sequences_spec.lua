local ml = require "manilius"
local support = require "spec.support"

describe("plots of sequences", function()
   local X = ml.read_csv("examples/data/earthquakes.csv"):select { "count" }
   local model = ml.HMM { n_states = 3, emission = "poisson", n_init = 2 }:fit(X)

   it("color the rows of a series by their states", function()
      local figure = ml.plot.states(model, X)
      local layers, path, rows = figure.panels[1].layers, model:predict(X), 0
      assert.equal("count", figure.panels[1].y)
      for s = 1, 3 do
         local layer = layers[s + 1]
         assert.equal("state " .. s, layer.name)
         for i = 1, #layer.x do
            assert.equal(s, path[math.tointeger(layer.x[i])])
            assert.equal(X.count[math.tointeger(layer.x[i])], layer.y[i])
         end
         rows = rows + #layer.x
      end
      assert.equal(107, rows)
      support.refuses("column must be one of count, got 'sum'", function()
         ml.plot.states(model, X, { column = "sum" })
      end)
      support.refuses("model must be a fitted HMM, got KMeans", function()
         ml.plot.states(ml.KMeans { n_clusters = 2 }:fit(X), X)
      end)
   end)

   it("show transitions as arrows, and rows as a trellis", function()
      local chain = ml.MarkovChain {}:fit { "sun", "rain", "sun", "sun", "rain", "rain", "sun" }
      local figure = ml.plot.transitions(chain)
      local arrows = {}
      for _, layer in ipairs(figure.panels[1].layers) do
         if layer.kind == "segments" then arrows[#arrows + 1] = layer end
      end
      assert.equal(2, #arrows)
      local label = figure.panels[1].layers[3]
      for i, one in ipairs(arrows) do -- no arrow crosses its label
         local dx, dy = one.x2[1] - one.x1[1], one.y2[1] - one.y1[1]
         local across = (dx * (label.y[i] - one.y1[1]) - dy * (label.x[i] - one.x1[1])) / math.sqrt(dx * dx + dy * dy)
         assert.near(0.13, math.abs(across), 1e-12)
      end
      assert.truthy(figure:text():find("rain (0.33)", 1, true))
      support.refuses("model must have order = 1", function()
         ml.plot.transitions(ml.MarkovChain { order = 2, smoothing = 1 }:fit { "a", "b", "a", "b" })
      end)
      local few = X:slice(1, 5)
      local panel = ml.plot.trellis(model, few).panels[1]
      local trellis = panel.layers[2]
      assert.equal(15, #trellis.x)
      assert.same({ { 1, "state 1" }, { 2, "state 2" }, { 3, "state 3" } }, panel.y_ticks)
      assert.near(model:predict_proba(few):get(1, 1), trellis.value[1], 1e-15)
      support.refuses("X must have at most 30 rows, got 107", function() ml.plot.trellis(model, X) end)
   end)
end)
