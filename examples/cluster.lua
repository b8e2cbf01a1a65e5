-- k-means: find the two kinds of eruptions of Old Faithful without labels.

local ml = require "manilius"

local geyser = ml.read_csv "examples/data/faithful.csv"
local scaler = ml.StandardScaler {}:fit(geyser)
local X = scaler:transform(geyser)

print(ml.choose_k(ml.KMeans { n_init = 10, seed = 1 }, X, { k = { 1, 6 } }))

local model = ml.KMeans { n_clusters = 2, n_init = 10, seed = 1 }:fit(X)
print(model)
print("centers (duration of the eruption and waiting time, in minutes):")
print(scaler:inverse_transform(model.cluster_centers))

-- The same by k-medoids: the centers are eruptions that happened.
local medoids = ml.KMedoids { n_clusters = 2 }:fit(X)
print(geyser:take(medoids.medoid_indices))
print(("both agree: adjusted Rand index %.3f"):format(ml.metrics.ari(model.labels, medoids.labels)))
