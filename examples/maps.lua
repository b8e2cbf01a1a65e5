-- Maps of data: a swiss roll by principal components and by a Gaussian process latent variable model, and wines by a
-- self-organizing map and by generative topographic mapping. Pictures are saved in build/demo.

local ml = require "manilius"

-- --- a rolled sheet in three dimensions ---

math.randomseed(1)
local rows, angle = {}, {}
for i = 1, 300 do
   angle[i] = 1.5 * math.pi * (1 + 2 * math.random())
   rows[i] = { angle[i] * math.cos(angle[i]), 20 * math.random(), angle[i] * math.sin(angle[i]) }
end
local roll = ml.Matrix(rows)
local pca = ml.PCA { n_components = 2 }:fit(roll)

-- The likelihood has local maxima; Isomap, which unrolls the sheet roughly, is a better start than PCA.
local start = ml.StandardScaler {}:fit_transform(ml.Isomap { n_neighbors = 6 }:fit(roll).embedding)
local gplvm = ml.GPLVM { start = start, max_iter = 400, tol = 1e-3 }:fit(roll)

local function share_left(Y)
   local left, total, mean = 0, 0, pca.mean
   for i = 1, roll.rows do
      for j = 1, 3 do left, total = left + (roll[i][j] - Y[i][j]) ^ 2, total + (roll[i][j] - mean[j]) ^ 2 end
   end
   return left / total
end

print(("variance of the roll that two coordinates leave: %.3f by PCA, %.3f by GPLVM"):format(
   share_left(pca:inverse_transform(pca:transform(roll))), share_left(gplvm:inverse_transform(gplvm.embedding))))
ml.plot.embedding(pca:transform(roll), ml.Vector(angle), { title = "PCA", color_label = "angle" })
   :save "build/demo/roll_pca.png"
ml.plot.embedding(gplvm, ml.Vector(angle), { title = "GPLVM", color_label = "angle" }):save "build/demo/roll_gplvm.png"

-- --- wines ---

local wine = ml.read_csv "examples/data/wine.csv"
local X, kind = ml.StandardScaler {}:fit_transform(wine:drop "class"), ml.Factor(wine.class)
local som = ml.SOM { grid_rows = 8, grid_columns = 10, topology = "hexagonal" }:fit(X)
print(("SOM: quantization error %.2f, topographic error %.2f"):format(som.quantization_error, som.topographic_error))
ml.plot.u_matrix(som, X, kind):save "build/demo/wine_som.png"
ml.plot.component_planes(som):save "build/demo/wine_planes.png"

local gtm = ml.GTM { alpha = 1, tol = 1e-3 }:fit(X)
print(("GTM: log likelihood %.1f after %d iterations"):format(gtm.loglike, gtm.n_iter))
ml.plot.magnification(gtm, X, kind):save "build/demo/wine_gtm.png"
ml.plot.latent_uncertainty(gtm, X, kind):save "build/demo/wine_uncertainty.png"
