-- Principal components: how the fifty US states differ in their arrests.

local ml = require "manilius"

local arrests = ml.read_csv "examples/data/usarrests.csv"
local numbers = arrests:drop { "state" }
local model = ml.PCA {}:fit(ml.StandardScaler {}:fit_transform(numbers))

print(("the first two components explain %.1f%% of the variance"):format(
   100 * (model.explained_variance_ratio[1] + model.explained_variance_ratio[2])))
print(ml.Frame { { "column", numbers.names }, { "first", model.components[1] }, { "second", model.components[2] } })

local scores = model:transform(ml.StandardScaler {}:fit_transform(numbers)):matrix()
local ranked = ml.Frame { { "state", arrests.state }, { "first", scores:col(1) } }:sort "first"
print "states with the lowest and the highest first component:"
print(ranked:head(3))
print(ranked:tail(3))
