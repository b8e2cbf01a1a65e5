--- Metrics of intervals, sets and calibration: compared with their definitions.
local ml = require "manilius"
local support = require "spec.support"

local m, near, refuses = ml.metrics, support.near, support.refuses

describe("metrics of intervals", function()
   local y, low, high = { 1, 2, 3, 9 }, { 0, 2.5, 2, 5 }, { 2, 3, 3, 8 }

   it("count coverage, width and misses", function()
      near(0.5, m.coverage(y, low, high), 1e-15)
      near(1 / 3, m.coverage(y, low, high, { weights = { 1, 1, 0, 1 } }), 1e-15)
      near((2 + 0.5 + 1 + 3) / 4, m.interval_width(low, high), 1e-15)
      near((2 + 0.5 + 1 + 3 + 20 * (0.5 + 1)) / 4, m.winkler(y, low, high, { level = 0.9 }), 1e-12)
      assert.equal(math.huge, m.interval_width({ -math.huge }, { math.huge }))
      assert.equal(1, m.coverage({ 3 }, { -math.huge }, { math.huge }))
   end)

   it("refuse what are not intervals", function()
      refuses("metrics.coverage: low must be at most high, got 2 and 1 in row 1", m.coverage, { 1 }, { 2 }, { 1 })
      refuses("metrics.coverage: y and low must have the same length, got 2 and 1", m.coverage, { 1, 2 }, { 1 }, { 1 })
      refuses("metrics.winkler: level must be above 0 and below 1", m.winkler, { 1 }, { 0 }, { 1 }, { level = 1 })
      refuses("metrics.interval_width: there is no option 'level'", m.interval_width, { 0 }, { 1 }, { level = 1 })
   end)
end)

describe("metrics of sets", function()
   local sets = { { 1, 0, 0 }, { 1, 1, 0 }, { 0, 0, 0 }, { 0, 1, 1 } }

   it("count the true labels and all labels", function()
      near(0.5, m.set_coverage({ "a", "b", "c", "a" }, sets), 1e-15)
      near(0.5, m.set_coverage({ "a", "b", "b", "a" }, sets, { labels = { "a", "b", "c" } }), 1e-15)
      near(5 / 4, m.set_size(sets), 1e-15)
      refuses("metrics.set_size: sets must be a Matrix of 0 and 1", m.set_size, { { 0.5, 1 } })
      refuses("give labels = all classes", m.set_coverage, { "a", "b", "b", "a" }, sets)
   end)
end)

describe("metrics of calibration", function()
   local y, p = { 0, 1, 1, 0, 1, 0 }, { 0.1, 0.15, 0.8, 0.9, 0.95, 0.3 }

   it("expected_calibration_error is the mean gap of the bins", function()
      -- Bins of width 1/4: {.1, .15}, {.3}, {.8, .9, .95}.
      local gaps = { math.abs(0.125 - 0.5) * 2, 0.3, math.abs(2.65 / 3 - 2 / 3) * 3 }
      near((gaps[1] + gaps[2] + gaps[3]) / 6, m.expected_calibration_error(y, p, { bins = 4 }), 1e-12)
      near(0.375, m.expected_calibration_error(y, p, { bins = 4, norm = "max" }), 1e-12)
      local square = (gaps[1] / 2) ^ 2 * 2 + 0.09 + (gaps[3] / 3) ^ 2 * 3
      near(math.sqrt(square / 6), m.expected_calibration_error(y, p, { bins = 4, norm = "l2" }), 1e-12)
   end)

   it("of several classes is that of the predicted class", function()
      local proba = { { 0.6, 0.3, 0.1 }, { 0.2, 0.7, 0.1 }, { 0.1, 0.1, 0.8 } }
      near(1 / 3 * 0.4 + 1 / 3 * 0.7 + 1 / 3 * 0.2,
         m.expected_calibration_error({ "a", "c", "c" }, proba, { bins = 10, labels = { "a", "b", "c" } }), 1e-12)
   end)

   it("brier_decomposition adds up, without a rest if bins have one value", function()
      local parts = m.brier_decomposition(y, p, { bins = 4 })
      near(m.brier(y, p), parts.reliability - parts.resolution + parts.uncertainty + parts.within, 1e-12)
      near(0.25, parts.uncertainty, 1e-12)
      parts = m.brier_decomposition({ 0, 1, 1, 1 }, { 0.2, 0.2, 0.9, 0.9 })
      near(0, parts.within, 1e-12, "within", 1)
      near((0.3 ^ 2 + 0.1 ^ 2) / 2, parts.reliability, 1e-12)
   end)
end)
