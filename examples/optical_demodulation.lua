-- Demodulation of 16QAM under nonlinear phase noise, in which the Kerr effect turns each symbol by an angle that grows
-- with its power and with the noise of the amplifiers. Straight decision boundaries no longer fit the constellation;
-- boundaries that are learned do: k-means, nearest neighbors and a support vector machine.
-- Run in the checkout: lua5.4 examples/optical_demodulation.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local SPANS, TURN, SIGMA = 10, 0.028, 0.042 -- amplifiers; radians for each span and unit of power; noise of each

-- n received symbols as rows (re, im), and their numbers 1 to 16. After each span the amplifier adds noise, and the
-- power turns the phase: Gordon & Mollenauer, Optics Letters 15 (1990). The mean turn is removed, as a receiver does.
local function link(n, seed)
   local draw, noise = ml.random(n, nil, seed), ml.normal(n, 2 * SPANS, seed + 1)
   local received, sent = ml.Matrix(n, 2), ml.Vector(n)
   for i = 1, n do
      local symbol = math.floor(16 * draw[i])
      local re, im = (2 * (symbol % 4) - 3) / math.sqrt(10), (2 * (symbol // 4) - 3) / math.sqrt(10)
      local angle = -SPANS * TURN
      for span = 1, SPANS do
         re, im = re + SIGMA * noise[i][2 * span - 1], im + SIGMA * noise[i][2 * span]
         angle = angle + TURN * (re * re + im * im)
      end
      local c, s = math.cos(angle), math.sin(angle)
      received:set(i, 1, c * re - s * im)
      received:set(i, 2, s * re + c * im)
      sent[i] = symbol + 1
   end
   return received, ml.Factor(sent:totable())
end

local ideal = {}
for symbol = 0, 15 do
   ideal[symbol + 1] = { (2 * (symbol % 4) - 3) / math.sqrt(10), (2 * (symbol // 4) - 3) / math.sqrt(10) }
end

-- Straight decisions are those of the nearest ideal symbol.
local train, sent = link(4000, 1)
local received, truth = link(20000, 3)
local function error_rate(predicted) return 1 - ml.metrics.accuracy(truth, predicted) end
local numbers = ml.Factor { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }
local straight = ml.KNeighborsClassifier { n_neighbors = 1 }:fit(ideal, numbers)

-- k-means starts from the ideal symbols and follows the clouds, without any pilot symbol: cluster k is symbol k.
local clouds = ml.KMeans { n_clusters = 16, start = ideal }:fit(train)

local classifiers = {
   { "straight decision", straight:predict(received) },
   { "k-means", ml.Factor(clouds:predict(received):totable()) },
   { "nearest neighbors", ml.KNeighborsClassifier { n_neighbors = 25 }:fit(train, sent):predict(received) },
   { "support vectors", ml.SVC { C = 1, gamma = 2 }:fit(train, sent):predict(received) },
}
local names, rates = {}, {}
for i, one in ipairs(classifiers) do
   names[i], rates[i] = one[1], error_rate(one[2])
   print(("%-18s symbol error rate %.3f"):format(names[i], rates[i]))
end
local shown = received:slice(1, 3000)
ml.plot.figure { columns = 2, width = 1000, height = 460,
   ml.plot.scatter(shown:col(1), shown:col(2), { equal = true, x_label = "in phase", y_label = "quadrature",
      title = "received symbols" }),
   ml.plot.bar(names, rates, { title = "symbol error rates" }) }:save "build/demo/optical_demodulation.svg"
