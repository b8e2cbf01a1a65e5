local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local X = ml.linspace(0, 10, 30):as_column()
local y = X:col(1):sin() + ml.normal(30, 1, 3):col(1) * 0.2
local model = ml.GaussianProcessRegressor { kernel = 1 * k.RBF { length = 1.5 } + k.White { noise = 0.04 },
   optimizer = "none" }:fit(X, y)

local function layers_of(figure)
   local kinds = {}
   for i, layer in ipairs(figure.panels[1].layers) do kinds[i] = layer.kind end
   return table.concat(kinds, " ")
end

describe("plot.gp", function()
   it("shows mean, intervals, samples and rows", function()
      local figure = ml.plot.gp(model, X, y, { samples = 2 })
      assert.equal("band band line line line points", layers_of(figure))
      local mean = figure.panels[1].layers[5]
      assert.near(model:predict({ { mean.x[50] } })[1], mean.y[50], 1e-12)
      assert.equal("band band line", layers_of(ml.plot.gp(model, X)))
   end)

   it("shows inducing inputs at the lower edge", function()
      local sparse = ml.SparseGaussianProcessRegressor { kernel = k.RBF {} + k.White { noise = 0.04 }, n_inducing = 5,
         optimizer = "none" }:fit(X, y)
      local figure = ml.plot.gp(sparse, X, y)
      assert.equal("band band line points points", layers_of(figure))
      local layers = figure.panels[1].layers
      assert.equal("inducing inputs", layers[5].name)
      for i = 1, 5 do
         assert.equal(sparse.inducing_inputs:get(i, 1), layers[5].x[i])
         assert.near(math.min(table.unpack(layers[1].low)), layers[5].y[i], 1e-12)
      end
   end)

   it("holds the other columns at their means", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local frame = ml.Frame { wt = cars.wt, hp = cars.hp }
      local two = ml.GaussianProcessRegressor { kernel = 50 * k.RBF { length = { 1, 100 } } + k.White { noise = 4 },
         optimizer = "none", normalize_y = true }:fit(frame, cars.mpg)
      local figure = ml.plot.gp(two, frame, cars.mpg, { column = "wt", points = 11 })
      local line = figure.panels[1].layers[3]
      local at = ml.Frame { wt = { line.x[4] }, hp = { cars.hp:mean() } }
      assert.near(two:predict(at)[1], line.y[4], 1e-9)
      refuses("column must be a column of X, by number from 1 to 2 or by name, got 'weight'", ml.plot.gp, two, frame,
         cars.mpg, { column = "weight" })
   end)

   it("refuses other models", function()
      refuses("must be a Gaussian process with the method intervals, got Ridge", ml.plot.gp, ml.Ridge {}:fit(X, y), X)
      refuses("X must be the rows to draw, got nil", ml.plot.gp, model)
   end)
end)

describe("plot.gp_samples", function()
   it("shows a panel for each kernel", function()
      local figure = ml.plot.gp_samples({ k.RBF {}, k.OrnsteinUhlenbeck {}, k.Linear {} }, { samples = 3 })
      assert.equal(3, #figure.panels)
      assert.equal("line line line", layers_of(figure))
      refuses("kernels%[2%] must be a kernel, got 3", ml.plot.gp_samples, { k.RBF {}, 3 })
      refuses("from must be below to, got 1 and 0", ml.plot.gp_samples, k.RBF {}, { from = 1, to = 0 })
   end)
end)

describe("plot.gp_likelihood", function()
   it("shows the likelihood around the fit", function()
      local layer = ml.plot.gp_likelihood(model, { params = { "2.RBF.length", 3 }, decades = 0.5 }).panels[1].layers[1]
      assert.equal("heat", layer.kind)
      refuses("params must be two of 1.Constant.value, 2.RBF.length, 3.White.noise, got 'length'",
         ml.plot.gp_likelihood, model, { params = { 1, "length" } })
   end)
end)
