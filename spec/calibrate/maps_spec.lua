--- SigmoidCalibration, BetaCalibration and VennAbersCalibration: compared with scikit-learn, scipy, venn-abers and with
-- their definitions.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.calibrate.calibration"

local near, near_all = support.near, support.near_all

local X, y = support.data("breast_cancer", "diagnosis")
local classes = y.levels
local texture = ((X:matrix():slice(1, 200):col(2) * 2):map(function(v) return v - v % 1 + (v % 1 > 0.5 and 1 or
   v % 1 == 0.5 and (v // 1) % 2 or 0) end) / 2):as_column() -- rounded half to even, as numpy does
local truth = y:slice(1, 200)
local weights = core.Vector(200)
for i = 1, 200 do weights[i] = 1 + (i - 1) % 3 end

describe("SigmoidCalibration", function()
   it("gives the sigmoid of scikit-learn", function()
      -- L-BFGS of scikit-learn stops at a gradient of 1e-6.
      local model = ml.SigmoidCalibration {}:fit(texture, truth)
      near_all(wanted.sigmoid, { model.coef, model.intercept }, 1e-6)
      model:fit(texture, truth, { weights = weights })
      near_all(wanted.sigmoid_w, { model.coef, model.intercept }, 1e-6)
   end)

   it("has a gradient of zero, also for huge scores and for classes that are separable", function()
      local given = { 1e8, 1.00001e8, 1.00003e8, 1.00002e8, 1.00004e8 }
      local model = ml.SigmoidCalibration {}:fit(core.Vector(given):as_column(), { 0, 0, 0, 1, 1 })
      local p, targets, sum, slope = model:predict_proba(core.Vector(given):as_column()), { 1 / 5, 1 / 5, 1 / 5, 3 / 4,
         3 / 4 }, 0, 0
      for i = 1, 5 do
         sum = sum + p:get(i, 2) - targets[i]
         slope = slope + (p:get(i, 2) - targets[i]) * (given[i] / 1e8 - 1) * 1e5
      end
      assert.is_true(math.abs(sum) < 1e-7 and math.abs(slope) < 1e-6)
      local apart = ml.SigmoidCalibration {}:fit({ { 1 }, { 1 }, { 3 }, { 3 } }, { 0, 0, 1, 1 })
      near_all({ 0.25, 0.75 }, apart:predict_proba { { 1 }, { 3 } }:col(2), 1e-9)
   end)

   it("is constant for constant scores", function()
      local model = ml.SigmoidCalibration {}:fit({ { 2 }, { 2 }, { 2 }, { 2 } }, { 0, 0, 0, 1 })
      assert.equal(0, model.coef)
      near(((1 / 5) * 3 + 2 / 3) / 4, model:predict_proba { { 7 } }:get(1, 2), 1e-9)
   end)

   it("handles two rows", function()
      local model = ml.SigmoidCalibration {}:fit({ { -1 }, { 1 } }, { "a", "b" })
      near_all({ 2 / 3, 1 / 3 }, model:predict_proba { { -1 } }[1], 1e-9)
   end)
end)

describe("BetaCalibration", function()
   local odds = (texture - 20) / 3

   it("maximizes the likelihood, as scipy does", function()
      local model = ml.BetaCalibration {}:fit(odds, truth)
      near_all(wanted.beta, { model.a, model.b, model.c }, 1e-4) -- L-BFGS-B of scipy
   end)

   it("keeps a and b at least 0", function()
      local other = core.Vector(200)
      for i = 1, 200 do other[i] = (i - 1) * 7 % 10 < 5 and odds:get(i, 1) < 1 and 1 or 0 end
      local model = ml.BetaCalibration {}:fit(odds, other, { weights = weights })
      near_all(wanted.beta_bounded, { model.a, model.b, model.c }, 1e-4, "coefficient", 1e-3)
   end)

   it("is the identity for calibrated log-odds", function()
      local z, label = core.normal(20000, 1, 3) * 2, core.random(20000, nil, 4)
      for i = 1, 20000 do label[i] = label[i] < 1 / (1 + math.exp(-z:get(i, 1))) and 1 or 0 end
      local model = ml.BetaCalibration {}:fit(z, label)
      near_all({ 1, 1, 0 }, { model.a, model.b, model.c }, 0.1, "coefficient", 1) -- standard errors are near 0.03
   end)

   it("is finite for separable classes", function()
      local model = ml.BetaCalibration {}:fit({ { -3 }, { -2 }, { 1 }, { 4 } }, { 0, 0, 1, 1 })
      local p = model:predict_proba { { -2 }, { 1 } }
      assert.is_true(p:get(1, 1) > 0.999 and p:get(2, 2) > 0.999 and model.a < math.huge and model.c == model.c)
   end)
end)

describe("VennAbersCalibration", function()
   local new = { { 5 }, { 12 }, { 14.5 }, { 18.25 }, { 21 }, { 27.3 }, { 50 } }

   it("gives the probabilities of venn-abers", function()
      local found = ml.VennAbersCalibration {}:fit(texture, truth):probability_interval(new)
      near_all(wanted.venn_abers_low, found.low, 1e-12, "low", 1)
      near_all(wanted.venn_abers_high, found.high, 1e-12, "high", 1)
   end)

   -- The definition: isotonic regression of the rows and of the new row with label 0 or 1.
   local function by_definition(x, codes, w, at, label)
      local all = core.vcat(x, core.Matrix { { at } })
      local more = codes:totable()
      more[#more + 1] = label
      local v = w:totable()
      v[#v + 1] = 1
      return ml.IsotonicRegression {}:fit(all, more, { weights = v }):predict { { at } }[1]
   end

   it("is isotonic regression with the new row, for any weights and ties", function()
      for seed = 1, 12 do
         local n = 3 + seed
         local x = (core.random(n, nil, seed) * 6):floor():as_column()
         local codes, w = core.random(n, nil, seed + 50):gt(0.5), core.random(n, nil, seed + 90) * 3 + 0.1
         codes[1], codes[2] = 0, 1
         local model = ml.VennAbersCalibration {}:fit(x, codes, { weights = w })
         for _, at in ipairs { -1, 0, 1.5, 2, 3, 3.7, 5, 9 } do
            local found = model:probability_interval { { at } }
            near(by_definition(x, codes, w, at, 0), found.low[1], 1e-12, "low", 1)
            near(by_definition(x, codes, w, at, 1), found.high[1], 1e-12, "high", 1)
            local p = found.high[1] / (1 - found.low[1] + found.high[1])
            near(p, model:predict_proba { { at } }:get(1, 2), 1e-12, "merged", 1)
         end
      end
   end)

   it("encloses the frequency of the class", function()
      local n = 4000
      local x, label = core.random(n, 1, 5), core.random(n, nil, 6)
      for i = 1, n do label[i] = label[i] < x:get(i, 1) ^ 2 and 1 or 0 end
      local found = ml.VennAbersCalibration {}:fit(x, label):probability_interval { { 0.2 }, { 0.5 }, { 0.9 } }
      for i, p in ipairs { 0.04, 0.25, 0.81 } do
         assert.is_true(found.low[i] <= found.high[i] and found.high[i] - found.low[i] < 0.03)
         assert.is_true(math.abs((found.low[i] + found.high[i]) / 2 - p) < 0.08)
      end
   end)
end)

describe("calibration maps", function()
   it("refuse several columns, several classes and one class", function()
      for _, name in ipairs { "SigmoidCalibration", "BetaCalibration", "VennAbersCalibration" } do
         local make = ml[name]
         support.refuses(name .. ": X must have 1 column", make {}.fit, make {}, { { 1, 2 }, { 3, 4 } }, { 0, 1 })
         support.refuses(name .. ": y must have 2 classes, got 3", make {}.fit, make {}, { { 1 }, { 2 }, { 3 } },
            { 0, 1, 2 })
         support.refuses(name .. ": y must have at least 2 classes", make {}.fit, make {}, { { 1 }, { 2 } }, { 1, 1 })
      end
      assert.equal(2, #classes)
   end)
end)
