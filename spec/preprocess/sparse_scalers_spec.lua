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

   it("is fitted in batches", function()
      local scaler = ml.MaxAbsScaler {}:partial_fit(S:slice(1, 2)):partial_fit(X:slice(3, 4))
      assert.same({ 2, 5, 0, 8 }, scaler.max_abs:totable())
   end)

   it("must not lose its zeros", function()
      refuses("threshold must be >= 0 for a sparse X", function() ml.Binarizer { threshold = -1 }:transform(S) end)
   end)
end)
