-- Will this lightpath work? A Gaussian process predicts the bit error rate of a link that is not yet set up from its
-- length and launch power, with an interval that says how sure it is.
-- Run in the checkout: lua5.4 examples/optical_bit_error.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- The signal-to-noise ratio of a link in the Gaussian noise model (Poggiolini, J. Lightwave Technol. 30 (2012)):
-- amplifier noise grows with the number of spans, interference with the third power of the launch power; all in mW.
local function snr(spans, dbm)
   local p = 10 ^ (dbm / 10)
   return p / (spans * (0.0012 + 0.0006 * p ^ 3))
end
local function expected(spans, dbm, deviation)
   local ratio = snr(spans, dbm) * 10 ^ (0.03 * (deviation or 0))
   return math.log(3 / 4 * ml.special.normal_sf(math.sqrt(ratio / 5)), 10)
end

-- n links: spans of 80 km, launch power in dBm, and log10 of the bit error rate. Each has its own deviation of 0.3 dB
-- in the signal-to-noise ratio: connectors, filters, ages.
local function links(n, seed)
   local draw, deviation = ml.random(n, 2, seed), ml.normal(n, nil, seed + 1)
   local spans, power, rate = ml.Vector(n), ml.Vector(n), ml.Vector(n)
   for i = 1, n do
      spans[i], power[i] = 5 + math.floor(20 * draw[i][1]), -4 + 8 * draw[i][2]
      rate[i] = expected(spans[i], power[i], deviation[i])
   end
   return ml.Frame { { "spans", spans }, { "launch power", power } }, rate
end

local X, y = links(120, 1)
local k = ml.kernel
local model = ml.GaussianProcessRegressor { normalize_y = true,
   kernel = 1 * k.RBF { length = { 10, 2 } } + k.White { noise = 0.01 } }:fit(X, y)
local test, truth = links(500, 3)
local intervals = model:intervals(test)
local covered = truth:ge(intervals.low):mul(truth:le(intervals.high)):mean()
print(("120 links: rms error on 500 others %.2f decades, spread of their rates %.2f decades"):format(
   math.sqrt(ml.metrics.mse(truth, intervals.fit)), truth:std()))
print(("95%% intervals contain %.0f%% of them"):format(100 * covered))

-- A link of 16 spans at 1 dBm, and one outside of what was seen: the process says that it does not know.
local asked = ml.Frame { { "spans", { 16, 30 } }, { "launch power", { 1, 1 } } }
for i, row in model:intervals(asked):each() do
   print(("%d spans at 1 dBm: log10 of the error rate %.1f to %.1f; in the formula %.1f"):format(asked.spans[i],
      row.low, row.high, expected(asked.spans[i], 1)))
end
-- The curve is at the mean length, so only links of about that length are drawn with it.
local mean = X.spans:mean()
local near = X.spans:ge(mean - 2):mul(X.spans:le(mean + 2))
ml.plot.gp(model, X:filter(near), ml.Frame { y = y }:filter(near).y, { column = "launch power",
   title = "log10 of the bit error rate at mean length" })
   :save "build/demo/optical_bit_error.svg"
