--- Exported power transformations have the bits of the model, also where standardizing cancels.

local ml = require "manilius"

local n = 400
local base = ml.normal(n, 3, 5)

-- Columns of several scales, near and far from 0.
local function rows(positive)
   local out = {}
   for i = 1, n do
      local a, b, c = base:get(i, 1), base:get(i, 2), base:get(i, 3)
      out[i] = { a * 1e-3, b * 5 + 1, math.exp(c * 4) }
      for j = 1, positive and 3 or 0 do out[i][j] = math.abs(out[i][j]) + 1e-12 end
   end
   return out
end

-- Rows whose transform is near 0.
local function near_zero(model, X)
   local count, T = 0, model:transform(X)
   for i = 1, n do
      for j = 1, 3 do count = count + (math.abs(T:get(i, j)) < 0.01 and 1 or 0) end
   end
   return count
end

describe("an exported PowerTransformer", function()
   for _, method in ipairs { "yeo-johnson", "box-cox" } do
      it("transforms as the model: " .. method, function()
         local X = rows(method == "box-cox")
         local model = ml.PowerTransformer { method = method }:fit(X)
         local program, T = load(model:export_lua())(), model:transform(X)
         assert.is_true(near_zero(model, X) > 4)
         for i = 1, n do assert.same(T[i]:totable(), program.transform(X[i])) end
      end)

      it("inverts as the model: " .. method, function()
         local X, y = ml.Matrix(rows(false)), {}
         for i = 1, n do y[i] = math.exp(base:get(i, 1)) + (method == "box-cox" and 0 or -1) end
         local model = ml.TransformedTarget { ml.LinearRegression {},
            transformer = ml.PowerTransformer { method = method } }:fit(X, y)
         local program, predicted = load(model:export_lua())(), model:predict(X)
         for i = 1, n do
            -- NaN where the inverse does not exist
            local got = program.predict(X[i]:totable())
            assert.is_true(got == predicted[i] or (got ~= got and predicted[i] ~= predicted[i]))
         end
      end)
   end

   it("follows powers 0 and 2, and small and large arguments", function()
      for _, x in ipairs { 0, 1e-320, 1e-17, 3e-16, 1e-8, 0.1, 1, 700, 1e10, 1e300 } do
         local model = ml.PowerTransformer { standardize = false }:fit { { -1 }, { 1 }, { 2.5 } }
         local program = load(model:export_lua())()
         for _, one in ipairs { x, -x } do
            local lambda, got = model.lambdas[1], model:transform { { one } }[1][1]
            assert.equal(got, program.transform { one }[1])
            local b, s = one < 0 and lambda - 2 or lambda, math.log(1 + math.abs(one))
            if math.abs(one) >= 0.1 and math.abs(b) > 1e-3 and math.abs(b * s) < 600 then
               s = one < 0 and -s or s
               local direct = (math.exp(b * s) - 1) / b -- loses digits near 0 only
               assert.near(direct, got, 1e-13 * math.max(math.abs(direct), 1 / math.abs(b)))
            end
         end
      end
   end)
end)
