-- Hierarchical clustering: which of the fifty states are alike in crime and urban population?

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local arrests = ml.read_csv "examples/data/usarrests.csv"
local scaler = ml.StandardScaler {}:fit(arrests:drop { "state" })
local X = scaler:transform(arrests:drop { "state" })

-- How well does the tree of each linkage represent the distances?
for _, linkage in ipairs { "single", "complete", "average", "ward" } do
   local _, correlation = ml.cophenetic(ml.linkage(X, { linkage = linkage }), X)
   print(("%-8s  cophenetic correlation %.3f"):format(linkage, correlation))
end

local model = ml.AgglomerativeClustering { n_clusters = 4 }:fit(X)
for cluster = 1, 4 do
   local rows = model.labels:eq(cluster):nonzero()
   local means = arrests:drop { "state" }:matrix():take(rows):mean "cols"
   print(("cluster %d: %2d states, murder %4.1f, assault %5.1f, urban %4.1f%%, rape %4.1f; such as %s"):format(cluster,
      #rows, means[1], means[2], means[3], means[4], arrests.state[rows[1]]))
end

local figure = ml.plot.dendrogram(model, { labels = arrests.state, title = "Arrests in fifty states" })
figure:save "build/demo/states_tree.svg"
