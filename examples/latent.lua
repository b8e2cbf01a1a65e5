-- Latent features: rows near three planes in three dimensions, and pictures that are sums of a few parts.

local ml = require "manilius"

-- --- three planes: three axes, of which each row uses two ---

local axes = ml.Matrix { { 2, 0.3, 0 }, { -0.2, 1.5, 0.5 }, { 0.3, 0, 1.8 } }
local Z = ml.normal(900, 3, 1)
local unused = {}
for i = 1, Z.rows do
   unused[i] = i % 3 + 1
   Z:set(i, unused[i], 0)
end
local X = Z * axes + ml.normal(Z.rows, 3, 2) * 0.1

-- One plane cannot describe them; three planes of their own need 29 parameters, three shared axes 15.
local adaptive = ml.AdaptivePPCA { n_components = 3, n_active = 2 }
for _, try in ipairs {
   { "one plane", ml.ProbabilisticPCA { n_components = 2 } },
   { "planes of their own", ml.MixturePPCA { n_components = 3, n_factors = 2, n_init = 20 } },
   { "shared axes", adaptive },
} do
   local model = try[2]:fit(X)
   print(("%-20s %2d parameters, BIC %.0f"):format(try[1], model.n_parameters, model.bic))
end

local plane = adaptive:assign(X).subset
print("axes", adaptive.components)
-- In the coordinates of two axes, the rows of one plane fill the picture, those of the others are on the axes.
ml.plot.embedding(adaptive:transform(X):select { 1, 2 }, ml.Factor(plane), { title = "Three planes by AdaptivePPCA" })
   :save "build/demo/three_planes.png"

-- --- pictures of 6 x 6 pixels: four parts, each in about half of them ---

local parts = {}
for k, text in ipairs {
   "010000111000010000000000000000000000", "000111000101000111000000000000000000",
   "000000000000000000100000110000111000", "000000000000000000000111000010000010",
} do
   parts[k] = {}
   for j = 1, 36 do parts[k][j] = tonumber(text:sub(j, j)) end
end
local has, coins = ml.zeros(100, 4), ml.normal(100, 4, 7)
for i = 1, 100 do
   for k = 1, 4 do has:set(i, k, coins:get(i, k) > 0 and 1 or 0) end
end
local model = ml.IndianBuffetProcess {}:fit(has * ml.Matrix(parts) + ml.normal(100, 36, 2) * 0.5)
print(("%d parts, noise %.2f"):format(model.components.rows, math.sqrt(model.noise_variance)))
for k = 1, model.components.rows do
   print(("part %d, in %d pictures"):format(k, model.counts[k]))
   for r = 0, 5 do
      local line = {}
      for c = 1, 6 do line[c] = model.components:get(k, 6 * r + c) > 0.5 and "#" or "." end
      print(table.concat(line))
   end
end
