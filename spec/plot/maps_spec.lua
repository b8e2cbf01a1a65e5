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

describe("plots of maps", function()
   local X, species = support.data("iris", "species")

   it("draw the U-matrix with all rows near their units", function()
      for _, topology in ipairs { "rectangular", "hexagonal" } do
         local som = ml.SOM { grid_rows = 4, grid_columns = 6, topology = topology, max_iter = 5 }:fit(X)
         local figure = ml.plot.u_matrix(som, X, species)
         assert.equal(topology == "rectangular" and 1 or 4, #layers(figure, "heat"))
         local drawn = 0
         for _, layer in ipairs(layers(figure, "points")) do drawn = drawn + #layer.x end
         assert.equal(150, drawn)
         assert.is_true(#figure:svg() > 1000)
         assert.equal(0, #layers(ml.plot.u_matrix(som), "points"))
      end
   end)

   it("draw a plane for each column", function()
      local som = ml.SOM { grid_rows = 3, grid_columns = 4, max_iter = 5 }:fit(X)
      assert.equal(4, #ml.plot.component_planes(som).panels)
      assert.equal(2, #ml.plot.component_planes(som, { top = 2 }).panels)
   end)

   it("draw magnification factors and the uncertainty of positions", function()
      local gtm = ml.GTM { grid_size = 5, max_iter = 100 }:fit(X)
      local figure = ml.plot.magnification(gtm, X, species)
      assert.equal(1, #layers(figure, "heat"))
      assert.equal(3, #layers(figure, "points"))
      figure = ml.plot.latent_uncertainty(gtm, X, species)
      assert.equal(3, #layers(figure, "segments"))
      local gplvm = ml.GPLVM { max_iter = 100, tol = 1e-3 }:fit(X:slice(1, 30))
      figure = ml.plot.latent_uncertainty(gplvm, nil, nil, { points = 5 })
      assert.equal(1, #layers(figure, "heat"))
      assert.equal(30, #layers(figure, "points")[1].x)
      local bayesian = ml.BayesianGPLVM { n_components = 3, max_iter = 100, tol = 1e-2 }:fit(X:slice(1, 30))
      figure = ml.plot.latent_uncertainty(bayesian, nil, nil, { points = 5 })
      assert.equal(30, #layers(figure, "points")[1].x)
   end)

   it("refuse other models and dimensions", function()
      local pca = ml.PCA {}:fit(X)
      refuses("model must be a fitted SOM, got PCA", ml.plot.u_matrix, pca)
      refuses("model must be a fitted GTM or GPLVM or BayesianGPLVM, got PCA", ml.plot.latent_uncertainty, pca, X)
      local line = ml.GTM { n_components = 1, grid_size = 4 }:fit(X)
      refuses("GTM must have n_components = 2, got 1", ml.plot.magnification, line)
      refuses("X must be rows for a GTM, got nil", ml.plot.latent_uncertainty, line)
   end)
end)
