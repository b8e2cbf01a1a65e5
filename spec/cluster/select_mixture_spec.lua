local ml = require "manilius"
local support = require "spec.support"

describe("select_mixture", function()
   it("chooses three equal ellipsoids for Old Faithful, as mclust does", function()
      -- mclust: BIC -2314.316 for EEE with three components.
      local X = ml.read_csv "examples/data/faithful.csv"
      local choice = ml.select_mixture(ml.GaussianMixture { reg_covar = 0, tol = 1e-7, max_iter = 1000 }, X,
         { components = { 1, 2, 3, 4 } })
      assert.equal("EEE", choice.covariance_type)
      assert.equal(3, choice.n_components)
      support.near(2314.3, choice.value, 5e-5)
      support.near(choice.model.bic, choice.value, 1e-15)
      local shown = tostring(choice)
      assert.is_true(shown:find("EEE, 3", 1, true) ~= nil)
      assert.equal(choice.table.EEE[3], choice.value)
   end)

   it("compares sizes of other mixtures, and shows what cannot be fitted", function()
      local rows = { { 0 }, { 1 }, { 0 }, { 9 }, { 8 }, { 11 } }
      local counts = ml.select_mixture(ml.MixtureModel { family = "poisson" }, rows,
         { components = { 1, 2 }, criterion = "icl" })
      assert.equal(2, counts.n_components)
      assert.is_nil(counts.covariance_type)
      local line = {}
      for i = 1, 12 do line[i] = { i, 2 * i } end
      local choice = ml.select_mixture(ml.GaussianMixture { reg_covar = 0 }, line,
         { components = { 1 }, types = { "EII", "VVV" } })
      assert.equal("EII", choice.covariance_type)
      assert.is_true(choice.table.VVV[1] ~= choice.table.VVV[1])
   end)

   it("refuses wrong arguments", function()
      local X = { { 1 }, { 2 } }
      local function fails(message, ...) support.refuses(message, ml.select_mixture, ...) end
      fails("model must be a mixture with n_components", ml.Ridge {}, X)
      fails("components must be whole numbers from 1 to the number of rows, 2, got 3", ml.GaussianMixture {}, X,
         { components = { 3 } })
      fails("components must be a list", ml.GaussianMixture {}, X, { components = 2 })
      fails("criterion must be one of bic, icl, aic", ml.GaussianMixture {}, X, { criterion = "BIC2" })
      fails("no mixture could be fitted", ml.GaussianMixture { reg_covar = 0 }, { { 1, 1 }, { 1, 1 } },
         { components = { 1 }, types = { "VVV" } })
   end)
end)
