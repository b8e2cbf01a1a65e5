-- Which modulation format is it? Identification of the format of a coherent optical signal from the histogram of its
-- amplitudes: by counting the rings of a Gaussian mixture, and by a support vector machine.
-- Run in the checkout: lua5.4 examples/optical_formats.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- The amplitudes of the symbols of each format, relative to their root mean square, with their shares: 1, 2, 3 and 9
-- rings. Phases do not matter: they are not yet recovered when the format is asked for.
local rings = {
   QPSK = { { 2, 1 } },
   ["8QAM"] = { { 1, 0.5 }, { 5, 0.5 } },
   ["16QAM"] = { { 2, 0.25 }, { 10, 0.5 }, { 18, 0.25 } },
   ["64QAM"] = { { 2, 4 / 64 }, { 10, 8 / 64 }, { 18, 4 / 64 }, { 26, 8 / 64 }, { 34, 8 / 64 }, { 50, 12 / 64 },
      { 58, 8 / 64 }, { 74, 8 / 64 }, { 98, 4 / 64 } },
}
local formats = { "QPSK", "8QAM", "16QAM", "64QAM" }

-- n amplitudes at a signal-to-noise ratio in dB, as a Vector.
local function amplitudes(format, snr, n, seed)
   local power, cumulative = 0, {}
   for i, ring in ipairs(rings[format]) do
      power = power + ring[1] * ring[2]
      cumulative[i] = (cumulative[i - 1] or 0) + ring[2]
   end
   local draw, noise, out = ml.random(n, nil, seed), ml.normal(n, 2, seed + 1), ml.Vector(n)
   local sigma = math.sqrt(10 ^ (-snr / 10) / 2)
   for i = 1, n do
      local ring = 1
      while ring < #cumulative and draw[i] > cumulative[ring] do ring = ring + 1 end
      local re, im = math.sqrt(rings[format][ring][1] / power) + sigma * noise[i][1], sigma * noise[i][2]
      out[i] = math.sqrt(re * re + im * im)
   end
   return out
end

-- One record of each format: the number of rings is the number of components of lowest BIC.
for i, format in ipairs { "QPSK", "8QAM", "16QAM" } do
   local record = amplitudes(format, 22, 1500, 10 * i):as_column()
   local chosen = ml.select_mixture(ml.GaussianMixture { tol = 1e-6, max_iter = 500, n_init = 2 }, record,
      { components = { 1, 2, 3, 4 }, types = { "EEE" } })
   print(("%-5s at 22 dB: %d ring%s by BIC"):format(format, chosen.n_components, chosen.n_components > 1 and "s" or ""))
end

-- Many records at 8 to 24 dB: histograms of 40 bins, and a support vector machine.
local BINS, records, labels = 40, {}, {}
for r = 1, 400 do
   local format = formats[(r - 1) % 4 + 1]
   local snr = 8 + 16 * ml.random(1, nil, 5000 + r)[1]
   local histogram, values = {}, amplitudes(format, snr, 500, 10000 + 10 * r)
   for b = 1, BINS do histogram[b] = 0 end
   for i = 1, #values do
      local b = math.min(BINS, 1 + math.floor(values[i] * BINS / 2.2))
      histogram[b] = histogram[b] + 1 / #values
   end
   records[r], labels[r] = histogram, format
end
local X, y = ml.Matrix(records), ml.Factor(labels)
local model = ml.SVC { C = 100, gamma = 20 }:fit(X:slice(1, 200), y:slice(1, 200))
local truth, predicted = y:slice(201), model:predict(X:slice(201))
print(("support vector machine on histograms at 8 to 24 dB: accuracy %.2f"):format(
   ml.metrics.accuracy(truth, predicted)))
ml.plot.confusion(truth, predicted):save "build/demo/optical_formats.svg"
