local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses

local function layers(figure, kind)
   local out = {}
   for _, layer in ipairs(figure.panels[1].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("plot.embedding", function()
   local Z = core.normal(60, 2, 1)
   local labels = {}
   for i = 1, 60 do labels[i] = ({ "a", "b", "c" })[(i - 1) // 20 + 1] end

   it("writes the names of labels on the map, each within its points", function()
      local figure = ml.plot.embedding(Z, labels)
      assert.equal(3, #layers(figure, "points"))
      local names = layers(figure, "text")[1]
      assert.equal(3, #names.text)
      for k, name in ipairs(names.text) do
         local near = math.huge
         for i = 1, 60 do
            if labels[i] == name then
               near = math.min(near, (Z[i][1] - names.x[k]) ^ 2 + (Z[i][2] - names.y[k]) ^ 2)
            end
         end
         assert(near < 0.3, near)
      end
      assert.is_true(#figure:svg() > 1000)
   end)

   it("names the rows if all labels differ", function()
      local names = {}
      for i = 1, 40 do names[i] = "row " .. i end
      local figure = ml.plot.embedding(core.normal(40, 2, 3) * 3, names)
      assert.equal(40, #layers(figure, "text")[1].text)
      assert.equal(1, #layers(figure, "points")) -- one color
      assert.equal(40, #layers(figure, "points")[1].x)
   end)

   it("places names that would overlap apart", function()
      local all, many = core.normal(300, 2, 2), {}
      for i = 1, 300 do many[i] = "label " .. i % 10 end
      local names = layers(ml.plot.embedding(all, many), "text")[1]
      for i = 2, #names.text do
         for j = 1, i - 1 do
            assert(math.abs(names.x[i] - names.x[j]) + math.abs(names.y[i] - names.y[j]) > 0.1)
         end
      end
   end)

   it("colors by numbers, or by labels if there are few whole numbers", function()
      assert.equal(60, #layers(ml.plot.embedding(Z, Z:col(1)), "points")[1].value)
      assert.equal(3, #layers(ml.plot.embedding(Z, core.range(1, 60):mul(0.05):floor():clip(0, 2)), "points"))
      assert.equal(60, #layers(ml.plot.embedding(Z, nil, { value = core.range(1, 60) }), "points")[1].value)
   end)

   it("takes a fitted model, three components, and a legend", function()
      local model = ml.MDS { n_components = 3 }:fit(core.normal(30, 4, 3))
      assert.equal("MDS", ml.plot.embedding(model).title)
      local half = {}
      for i = 1, 30 do half[i] = i % 2 end
      local figure = ml.plot.embedding(model, half, { components = { 1, 2, 3 } })
      assert.equal(0, #layers(figure, "text"))
      assert.equal(0, #layers(ml.plot.embedding(model, half, { names = "legend" }), "text"))
   end)

   it("draws the density of many rows", function()
      local X, codes = core.normal(20001, 2, 4), {}
      for i = 1, X.rows do codes[i] = i % 2 end
      assert.equal(1, #layers(ml.plot.embedding(X), "heat"))
      assert.equal(0, #layers(ml.plot.embedding(X, codes), "heat"))
      assert.equal(0, #layers(ml.plot.embedding(core.normal(20000, 2, 4)), "heat"))
      assert.equal(1, #layers(ml.plot.embedding(Z, labels, { density = true }), "text"))
   end)

   it("refuses what is not an embedding", function()
      refuses("at least two columns, got 1", ml.plot.embedding, { { 1 }, { 2 } })
      refuses("components must be columns from 1 to 2, got 3", ml.plot.embedding, Z, labels, { components = { 1, 3 } })
      refuses("one value for each of 60 rows, got 2", ml.plot.embedding, Z, { "a", "b" })
      refuses("must be fitted and keep an embedding", ml.plot.embedding, ml.PCA {}:fit(Z))
   end)
end)
