local ml = require "manilius"
local refuses = require "spec.support".refuses

describe("Sparse X", function()
   local X = ml.Matrix { { 0, -3, 0, 4 }, { 0, 0, 0, 0 }, { 2, 0, 0, -8 }, { 0, 5, 0, 1 } }
   local S = ml.Sparse.from(X)

   local models = { ml.MaxAbsScaler {}, ml.MaxAbsScaler { clip = true }, ml.Binarizer { threshold = 1 },
      ml.Normalizer {}, ml.Normalizer { norm = "l1" }, ml.Normalizer { norm = "max" } }
   for _, model in ipairs(models) do
      it("stays sparse with the values of a dense one: " .. tostring(model), function()
         local dense, sparse = model:clone():fit(X), model:clone():fit(S)
         local out = sparse:transform(S)
         assert.equal("Sparse", getmetatable(out))
         assert.same(dense:transform(X):totable(), out:todense():totable())
         assert.same(dense:transform(X):totable(), sparse:transform(X):totable())
         local pipeline = ml.Pipeline { model:clone(), ml.Binarizer {} }:fit(S)
         assert.equal("Sparse", getmetatable(pipeline:transform(S)))
         if model:can "inverse_transform" and not model.clip then
            assert.same(X:totable(), sparse:inverse_transform(out:todense()):totable())
         end
         assert.same(X:totable(), S:todense():totable())
      end)
   end

   it("is scaled by StandardScaler to standard deviation 1", function()
      local model = ml.StandardScaler { with_mean = false }
      local big = ml.Matrix { { 0, -3, 1e200, 4e-170 }, { 0, 0, 0, 0 }, { 2, 0, 0, -8e-170 }, { 0, 5, 3e200, 0 } }
      for _, weights in ipairs { false, { 1, 2, 0.5, 3 } } do
         for _, values in ipairs { X, big } do
            local options = { weights = weights or nil }
            local dense, sparse = model:clone():fit(values, nil, options),
               model:clone():fit(ml.Sparse.from(values), nil, options)
            for j = 1, 4 do
               assert.near(dense.scale[j], sparse.scale[j], 1e-15 * dense.scale[j])
               assert.near(dense.mean[j], sparse.mean[j], 1e-15 * math.abs(dense.mean[j]))
               assert.equal(dense.count[j], sparse.count[j])
            end
            local out = sparse:transform(ml.Sparse.from(values))
            assert.equal("Sparse", getmetatable(out))
            assert.same(sparse:transform(values):totable(), out:todense():totable())
         end
      end
      local batches = model:clone():partial_fit(S:slice(1, 2)):partial_fit(X:slice(3, 4))
      local whole = model:clone():fit(X)
      for j = 1, 4 do assert.near(whole.scale[j], batches.scale[j], 1e-15 * whole.scale[j]) end
      assert.equal(1, whole.scale[3])
   end)

   it("is scaled by RobustScaler to quantile range 1", function()
      local values = ml.normal(60, 5, 3)
      for i = 1, 60 do
         for j = 1, 5 do
            if (i * j) % 5 < j then values[i][j] = 0 end
         end
      end
      values[7][2] = 0 / 0
      local weights = ml.normal(60, 1, 1):flatten():abs() + 0.1
      for _, given in ipairs { false, weights, weights + 0.5, weights * 0 + 1 } do
         for _, range in ipairs { { 25, 75 }, { 5, 90 } } do
            local model = ml.RobustScaler { with_centering = false, quantile_range = range }
            local options = { weights = given or nil }
            local S60 = ml.Sparse.from(values)
            local dense, sparse = model:clone():fit(values, nil, options), model:clone():fit(S60, nil, options)
            for j = 1, 5 do
               assert.near(dense.scale[j], sparse.scale[j], 1e-12)
               assert.near(dense.center[j], sparse.center[j], 1e-12)
            end
            local out = sparse:transform(S60)
            assert.equal("Sparse", getmetatable(out))
            assert.equal(tostring(sparse:transform(values)), tostring(out:todense()))
         end
      end
      refuses("RobustScaler: with_centering must be false for a sparse X", function() ml.RobustScaler {}:fit(S) end)
      refuses("RobustScaler: with_centering must be false for a sparse X",
         function() ml.RobustScaler {}:fit(X):transform(S) end)
   end)

   it("is refused by StandardScaler with centering", function()
      refuses("StandardScaler: with_mean must be false for a sparse X", function() ml.StandardScaler {}:fit(S) end)
      refuses("StandardScaler: with_mean must be false for a sparse X",
         function() ml.StandardScaler {}:fit(X):transform(S) end)
   end)

   it("is fitted in batches", function()
      local scaler = ml.MaxAbsScaler {}:partial_fit(S:slice(1, 2)):partial_fit(X:slice(3, 4))
      assert.same({ 2, 5, 0, 8 }, scaler.max_abs:totable())
   end)

   it("must not lose its zeros", function()
      refuses("threshold must be >= 0 for a sparse X", function() ml.Binarizer { threshold = -1 }:transform(S) end)
   end)
end)
