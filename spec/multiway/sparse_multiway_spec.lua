-- ID3 and C4.5 with sparse X: identical to dense X.
local ml = require "manilius"
local core = require "manilius.core"
local nan = 0 / 0

-- Word counts, a tenth of them nonzero: 160 rows and 30 columns; rows with some of the words form a class.
local function words(missing)
   local U, X, y = ml.random(160, 30, 5), ml.zeros(160, 30), {}
   for i = 1, 160 do
      local score = 0
      for j = 1, 30 do
         local u = U:get(i, j)
         if u > 0.88 then
            local count = 1 + math.floor((u - 0.88) * 25)
            X:set(i, j, j % 4 == 0 and -count / 2 or count)
            score = score + (j % 3 - 1) * count
         elseif missing and u < 0.01 then
            X:set(i, j, nan)
         end
      end
      y[i] = score > 1 and "sport" or score < -1 and "art" or "trade"
   end
   return X, y
end

local cases = {
   { "ID3Classifier", {} }, { "ID3Classifier", { max_depth = 3 } },
   { "C45Classifier", {} }, { "C45Classifier", { unpruned = true, min_num_obj = 1 }, missing = true },
   { "C45Classifier", { use_laplace = true, confidence_factor = 0.4 }, missing = true },
}

describe("sparse X", function()
   it("gives the same tree and predictions as dense X", function()
      for _, case in ipairs(cases) do
         local X, y = words(case.missing)
         local sparse, weights = ml.Sparse.from(X), {}
         for i = 1, 160 do weights[i] = i % 4 / 2 end
         for _, options in ipairs { {}, { weights = weights } } do
            local dense = ml[case[1]](case[2]):fit(X, y, options)
            local other = ml[case[1]](case[2]):fit(sparse, y, options)
            assert(dense:nodes().rows > 5)
            assert.equal(dense:dump(), other:dump(), case[1])
            assert.equal(dense:predict_proba(X), other:predict_proba(sparse))
            assert.equal(dense:text(), other:text())
            for node = 1, 3 do
               assert.equal(tostring(dense:gains(X, y, { node = node })),
                  tostring(other:gains(sparse, y, { node = node })))
            end
         end
      end
   end)

   it("may contain explicit zeros and negative zeros", function()
      local dense = ml.Matrix { { 0, 1 }, { 0, 2 }, { 3, 0 }, { 4, 0 } }
      local written = ml.Sparse { rows = 4, cols = 2, entries = { { 1, 1, 0 }, { 2, 1, -0.0 }, { 3, 1, 3 }, { 4, 1, 4 },
         { 1, 2, 1 }, { 2, 2, 2 }, { 3, 2, 0 } } }
      local y = { "a", "b", "c", "d" }
      for _, name in ipairs { "ID3Classifier", "DecisionTreeClassifier" } do
         assert.equal(ml[name] {}:fit(dense, y):dump(), ml[name] {}:fit(written, y):dump())
      end
   end)

   it("with many columns needs less memory than dense X", function()
      local entries = {}
      for i = 1, 2000 do
         for k = 1, 10 do entries[#entries + 1] = { i, (i * 37 + k * k * 101) % 2000 + 1, k } end
      end
      local X, y = ml.Sparse { rows = 2000, cols = 2000, entries = entries }, {}
      for i = 1, 2000 do y[i] = (i * 37 + 101) % 2000 < 700 and "low" or "high" end
      for _, name in ipairs { "ID3Classifier", "C45Classifier", "DecisionTreeClassifier" } do
         collectgarbage()
         core.memory.peak(true)
         local before = core.memory.live()
         ml[name] { max_depth = 2 }:fit(X, y)
         assert(core.memory.peak() - before < 0.7 * 8 * 2000 * 2000, name)
      end
   end)
end)
