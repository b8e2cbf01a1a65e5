-- k-means: find the two kinds of eruptions of Old Faithful without labels.

local ml = require "manilius"

local geyser = ml.read_csv "examples/data/faithful.csv"
local scaler = ml.StandardScaler {}:fit(geyser)
local X = scaler:transform(geyser)

for k = 2, 5 do
   local model = ml.KMeans { n_clusters = k, n_init = 10, seed = 1 }:fit(X)
   print(("%d clusters: inertia %6.2f, silhouette %.3f"):format(k, model.inertia,
      ml.metrics.silhouette(X, model.labels)))
end

local model = ml.KMeans { n_clusters = 2, n_init = 10, seed = 1 }:fit(X)
print(model)
print("centers (duration of the eruption and waiting time, in minutes):")
print(scaler:inverse_transform(model.cluster_centers))
