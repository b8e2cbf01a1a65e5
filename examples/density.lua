-- Kernel density estimation: the eruptions of the geyser Old Faithful.

local ml = require "manilius"

local faithful = ml.read_csv "examples/data/faithful.csv" -- minutes
local eruptions = faithful:select "eruptions"

for _, rule in ipairs { "scott", "silverman", "lscv", "likelihood" } do
   local model = ml.KernelDensity { bandwidth_rule = rule }:fit(eruptions)
   local density = model:score_samples(ml.linspace(1, 6, 501):reshape(501, 1)):exp()
   local modes = 0
   for i = 2, 500 do
      if density[i] > density[i - 1] and density[i] >= density[i + 1] then modes = modes + 1 end
   end
   print(("%-10s bandwidth %.3f minutes, %d modes"):format(rule, model.fitted_bandwidth, modes))
end

local model = ml.KernelDensity { bandwidth_rule = "likelihood" }:fit(eruptions)
ml.plot.model_density(model, eruptions):show()

-- Both columns in units of their standard deviations, and the pauses that follow eruptions of two minutes.
local both = ml.Pipeline { ml.StandardScaler {}, ml.KernelDensity { bandwidth_rule = "likelihood" } }:fit(faithful)
ml.plot.model_density(both, faithful):show()
