-- Density-based clustering: regions of earthquakes near Fiji, in space and depth, without a given number of regions.

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local quakes = ml.read_csv "examples/data/quakes.csv"
local place = quakes:select { "lat", "long", "depth" }
local X = ml.StandardScaler {}:fit_transform(place)

local model = ml.HDBSCAN { min_cluster_size = 20, min_samples = 10, cluster_selection_method = "leaf" }:fit(X)
print(("%d regions, %d of %d quakes in none"):format(#model.counts, model.labels:eq(-1):sum(), #model.labels))
for cluster = 1, #model.counts do
   local rows = model.labels:eq(cluster):nonzero()
   local means = place:matrix():take(rows):mean "cols"
   print(("region %2d: %3d quakes, persistence %.2f, mean latitude %5.1f, longitude %5.1f, depth %3.0f km"):format(
      cluster, #rows, model.persistence[cluster], means[1], means[2], means[3]))
end

print "the most isolated quakes:"
local order = model.outlier_scores:argsort "descending"
print(quakes:take(order:slice(1, 5)))

ml.plot.condensed_tree(model, { title = "Quakes near Fiji" }):save "build/demo/quakes_tree.svg"
local optics = ml.OPTICS { min_samples = 10, cluster_method = "dbscan", eps = 0.3 }:fit(X)
ml.plot.reachability(optics):save "build/demo/quakes_plot.svg"
