-- Mixtures: two kinds of eruptions of Old Faithful, how many components, missing values, and other families.
-- Run in the checkout: lua5.4 examples/mixtures.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- Two Gaussians; the log likelihood rises with each iteration of EM.
local eruptions = ml.read_csv "examples/data/faithful.csv"
local model = ml.GaussianMixture { n_components = 2, tol = 1e-6, init_params = "random_from_data", seed = 3 }
   :fit(eruptions)
print(model)
print("log likelihood by iteration", -model.trace)
ml.plot.trace(model, { negate = true, label = "log likelihood" }):save "build/demo/loglik.svg"
ml.plot.mixture(model, eruptions, { title = "Eruptions of Old Faithful, in minutes" }):save "build/demo/mixture.svg"

-- How many components, and of which shape? The lowest BIC.
print(ml.select_mixture(ml.GaussianMixture { tol = 1e-6, max_iter = 1000 }, eruptions,
   { components = { 1, 2, 3, 4 }, types = { "EII", "EEE", "VEE", "VVV" } }))

-- How long until the next eruption, after one of two or of four and a half minutes? A mixture is a regression, too.
local nan = 0 / 0
print("minutes to wait", model:conditional({ { 2, nan }, { 4.5, nan } }).mean:col(2))

-- The number of components by a Dirichlet process.
print("weights of ten components", ml.BayesianGaussianMixture { n_components = 10, weight_concentration_prior = 0.01,
   max_iter = 1000, tol = 1e-6 }:fit(eruptions).weights)

-- Counts, flags, categories: latent classes of the penguins, missing values included.
local penguins = ml.read_csv("examples/data/penguins.csv"):select { "island", "bill_length_mm", "body_mass_g", "sex" }
print(ml.MixtureModel { n_components = 3, seed = 1 }:fit(penguins):summary())
