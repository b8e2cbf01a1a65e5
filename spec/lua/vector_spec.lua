local ml = require "manilius"
local refuses = require("spec.support").refuses

local nan = 0 / 0

describe("Vector", function()
   it("is created from numbers, a size or a range", function()
      assert.same({ 1, 2.5 }, ml.Vector({ 1, 2.5 }):totable())
      assert.same({ 7, 7 }, ml.Vector(2, 7):totable())
      assert.same({ 1, 2, 3 }, ml.range(3):totable())
      assert.same({ 2, 4, 6 }, ml.range(2, 7, 2):totable())
      assert.same({ 3, 2, 1 }, ml.range(3, 1, -1):totable())
      assert.same({}, ml.range(3, 1):totable())
      assert.equal(11, #ml.range(0, 1, 0.1))
      assert.same({ 0, 0.25, 0.5, 0.75, 1 }, ml.linspace(0, 1, 5):totable())
      assert.equal(0, #ml.Vector {})
      assert.equal(3, ml.Vector({ 1, 2, 3 }).size)
      local sorted = ml.permutation(100, 3):sort()
      assert.equal(ml.range(100), sorted)
      assert.not_equal(ml.permutation(100, 3), ml.permutation(100, 4))
      refuses("step must be a number other than 0", ml.range, 1, 2, 0)
      refuses("finite", ml.range, 1, math.huge)
      refuses("too small", ml.range, 1, 1e300, 1e-300)
   end)

   it("reports which element is wrong", function()
      refuses("element 2 is a string, not a number", ml.Vector, { 1, "2" })
      refuses("element 1 is a table, not a number", ml.Vector, { {} })
      refuses("Vector or table of numbers expected, got nil", ml.Vector)
      refuses("Vector expected, got Matrix 2 x 2", ml.Vector, ml.eye(2))
      refuses("a table without element 1", ml.Vector, { x = 1 })
      refuses("element 1 is 9007199254740993, beyond 2^53", ml.Vector, { 2 ^ 53 | 0 + 1 })
   end)

   it("takes elements by any whole numbers in range, and by nothing else", function()
      local v, f = ml.range(1, 300), ml.Factor(ml.range(1, 300))
      local at = ml.range(1, 300):map(function(i) return (i * i - 1) % 300 + 1 end)
      local by_table = v:take(at:totable())
      assert.same(by_table:totable(), v:take(at):totable())
      assert.same(by_table:totable(), v:take(ml.hcat(at:as_column(), at:as_column()):col(2)):totable()) -- with a stride
      assert.same(f:take(at:totable()):totable(), f:take(at):totable())
      for _, bad in ipairs { 0, -0.0, -1, 0.5, 1.5, 301, 0 / 0, -(0 / 0), 1 / 0, -1 / 0, 2 ^ 53, 2 ^ 63, 1e-320 } do
         local index = at:copy()
         index[300] = bad
         refuses("index at position 300 must be a whole number from 1 to 300, got ", v.take, v, index)
         refuses("index at position 300 must be a whole number from 1 to 300, got ", f.take, f, index)
      end
   end)

   it("keeps integers until arithmetic", function()
      local v = ml.Vector { 3, 1, 2 }
      assert.is_true(v.whole)
      assert.equal("integer", math.type(v[1]))
      assert.equal("integer", math.type(v:take({ 2 })[1]))
      assert.equal("integer", math.type(v:copy()[1]))
      assert.equal("integer", math.type(v:slice(1, 2)[1]))
      assert.equal("integer", math.type(v:sort()[1]))
      assert.equal("integer", math.type(v:sum()))
      assert.equal("integer", math.type(v:gt(1)[1]))
      assert.equal("float", math.type((v + 1)[1]))
      assert.equal("float", math.type(v:mean()))
      assert.equal("float", math.type(ml.Vector({ 1.0 })[1]))
      v[1] = 0.5
      assert.is_false(v.whole)
      assert.equal("float", math.type(v[2]))
      local w = ml.Vector { 1, 2 }
      local view = w:slice(1, 2)
      w[1] = 1.5
      assert.equal(1.5, view[1])
   end)

   it("reads, writes and iterates", function()
      local v = ml.Vector { 5, 6, 7 }
      assert.equal(6, v[2])
      assert.equal(6, v:get(2))
      assert.is_nil(v[0])
      assert.is_nil(v[4])
      v[2] = 60
      v:set(3, 70)
      assert.same({ 5, 60, 70 }, v:totable())
      refuses("index must be a whole number from 1 to 3, got 4", function() v[4] = 1 end)
      refuses("number expected, got nil", function() v[1] = nil end)
      for _, walk in ipairs { ipairs, pairs } do
         local sum = 0
         for i, value in walk(v) do sum = sum + i * value end
         assert.equal(335, sum)
      end
      assert.same({ 1, 1, 1 }, v:fill(1):totable())
      refuses("Vector has no 'quantil'; did you mean 'quantile'%?", function() return v.quantil end)
   end)

   it("has views that share memory", function()
      local v = ml.range(6)
      v:slice(2, 4)[1] = 20
      v:as_column():set(3, 1, 30)
      v:as_row():set(1, 4, 40)
      assert.same({ 1, 20, 30, 40, 5, 6 }, v:totable())
      assert.same({ { 1, 20, 30 }, { 40, 5, 6 } }, v:reshape(2, 3):totable())
   end)

   it("does arithmetic", function()
      local v, w = ml.Vector { 1, 2, 3 }, ml.Vector { 4, 5, 6 }
      assert.same({ 5, 7, 9 }, (v + w):totable())
      assert.same({ 0.25, 0.4, 0.5 }, (v / w):totable())
      assert.same({ 4, 10, 18 }, v:mul(w):totable())
      assert.same({ 4, 10, 18 }, v:mul({ 4, 5, 6 }):totable())
      assert.equal(32, v:dot(w))
      assert.equal(32, v:dot { 4, 5, 6 })
      assert.same({ 1, 3, 6 }, v:cumsum():totable())
      refuses("use v:dot%(w%) for the inner product", function() return v * w end)
      refuses("Vector of 3 %+ Vector of 2: shapes do not match", function() return v + ml.Vector { 1, 2 } end)
      refuses("must have the same shape", v.dot, v, { 1 })
      assert.is_true(v == ml.Vector { 1, 2, 3 })
      assert.is_false(v == w)
      assert.is_false(v == v:as_row())
   end)

   it("sorts: nan last, equal values in their order", function()
      local v = ml.Vector { 3, nan, 1, 3, -math.huge, 1 }
      assert.same({ 5, 3, 6, 1, 4, 2 }, v:argsort():totable())
      assert.same({ 1, 4, 3, 6, 5, 2 }, v:argsort("descending"):totable())
      assert.same({ 1, 2, 3 }, ml.Vector({ 0.0, -0.0, 0.0 }):argsort():totable())
      refuses('must be "ascending" or "descending"', v.sort, v, "up")
      local forms = {
         whole = function(x) return x:mul(100):round() end,
         continuous = function(x) return x end,
         close = function(x) return x:mul(50):round():mul(2 ^ -45) + 1 end, -- differences in the last digits only
         mixed = function(x) return x:mul(30):round() / 10 end,
      }
      for name, form in pairs(forms) do
         for _, n in ipairs { 0, 1, 2, 31, 33, 300, 5000 } do
            local x = form(ml.normal(n, nil, n))
            local up, down = {}, {}
            for i = 1, n do
               up[i], down[i] = i, i
            end
            table.sort(up, function(a, b) return x[a] < x[b] or x[a] == x[b] and a < b end)
            table.sort(down, function(a, b) return x[a] > x[b] or x[a] == x[b] and a < b end)
            assert.same(up, x:argsort():totable(), name)
            assert.same(down, x:argsort("descending"):totable(), name)
         end
      end
   end)

   it("computes statistics", function()
      local v = ml.range(11)
      assert.equal(6, v:median())
      assert.same({ 1, 3.5, 11 }, v:quantile({ 0, 0.25, 1 }):totable())
      assert.near(1.4, ml.Vector({ 2, 1 }):quantile(0.4), 1e-15)
      assert.equal(11, v:var())
      assert.equal(10, v:var(0))
      assert.equal(10, v:var(nil, 0))
      assert.equal(11, v:var(1))
      assert.equal(math.sqrt(10), v:std(0))
      assert.equal(math.sqrt(11), v:std(nil, 1))
      assert.equal(1, ml.Vector({ 3, 1, 2 }):std(1))
      refuses("#1 to 'std' %(ddof must be a number from 0", function() v:std(-1) end)
      refuses("#2 to 'std' %(ddof must be a number from 0", function() v:std(nil, -1) end)
      refuses("#2 to 'var' %(a Vector takes no argument after ddof", function() v:var(0, 1) end)
      refuses("a Vector has no axis", v.std, v, "cols")
      assert.equal(11, v:argmax())
      assert.equal(2, ml.Vector({ 1, nan, 0 }):argmin())
      local values, times = ml.Vector({ 2, 1, 2, nan, 2, nan }):unique()
      assert.equal(3, #values)
      assert.same({ 1, 2 }, values:slice(1, 2):totable())
      assert.same({ 1, 3, 2 }, times:totable())
      assert.same({ 2, 4 }, ml.Vector({ 0, 5, nan, -1 }):nonzero():totable())
      refuses("from 0 to 1", v.quantile, v, 1.5)
      refuses("from 0 to 1", v.quantile, v, nan)
      refuses("a Vector has no axis", v.sum, v, "rows")
      assert.is_true(ml.Vector({}):median() ~= ml.Vector({}):median())
   end)

   it("computes the same quantiles as sorting", function()
      for _, n in ipairs { 1, 2, 3, 10, 501 } do
         for _, scale in ipairs { 1000, 3 } do -- a small scale gives many ties
            local x = ml.normal(n, nil, n):mul(scale):round()
            local sorted = x:sort()
            for _, q in ipairs { 1, 0, 0.5, 0.37, 0.9 } do
               local place = q * (n - 1)
               local low = place // 1
               local value = sorted[low + 1]
               if low < place then value = value + (place - low) * (sorted[low + 2] - value) end
               assert.near(value, x:quantile(q), 1e-9)
            end
            assert.same({ x:max(), x:min() }, x:quantile({ 1, 0 }):totable())
         end
      end
   end)

   it("prints its first and last elements", function()
      assert.equal("Vector of 3: 1 2.5 nan", tostring(ml.Vector { 1, 2.5, nan }))
      assert.equal("Vector of 0", tostring(ml.Vector {}))
      local text = tostring(ml.range(1000))
      assert.is_true(#text <= 80)
      assert.matches("^Vector of 1000: 1 2 3 .* %.%.%. 1000$", text)
   end)
end)
