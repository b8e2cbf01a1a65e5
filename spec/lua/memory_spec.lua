local ml = require "manilius"
local refuses = require("spec.support").refuses
local memory = require("manilius.core").memory

describe("the memory of a Matrix", function()
   it("is freed by close, after which its views are empty", function()
      collectgarbage()
      collectgarbage()
      local live = memory.live()
      local view
      do
         local A <close> = ml.zeros(200, 200)
         assert.is_true(memory.live() > live)
         view = A[1]
         assert.equal(200, #view)
      end
      assert.is_true(memory.live() < live + 1000)
      assert.equal(0, #view)
      assert.is_nil(view[1])
   end)

   it("is freed as fast as it is allocated in both modes of the collector", function()
      local A = ml.ones(1000, 1000)
      local mode = collectgarbage "incremental"
      for _, other in ipairs { "incremental", "generational" } do
         collectgarbage(other)
         collectgarbage()
         local before = memory.live()
         memory.peak(true)
         local z
         for i = 1, 60 do z = A + i end
         assert.equal(61, z:get(1, 1))
         assert.is_true(memory.peak() - before < 60e6, other)
      end
      collectgarbage(mode)
   end)

   it("does not leak when any single allocation fails", function()
      local A, B = ml.random(40, 40, 1), ml.random(40, 40, 2)
      local v = ml.random(400, nil, 1)
      local entries = {}
      for i = 1, 200 do entries[i] = { i % 40 + 1, i % 7 + 1, i } end
      local operations = {
         function() return A + B end,
         function() return A * B end,
         function() return A:t() * v:slice(1, 40) end,
         function() return A:t():copy():var "cols" end,
         function() return A:take { 1, 2, 3, 4, 5, 6, 7 } end,
         function() return v:argsort() end,
         function() return v:unique() end,
         function() return A:median "cols" end,
         function() return ml.Matrix(A:totable()) end,
         function() return ml.vcat(A, B) end,
         function() return ml.Factor { "a", "b", "a", n = 300 } end,
         function() return ml.Factor({ "a", "b", "c" }):recode { a = "z" } end,
         function() return ml.Factor({ "a", "b", "c" }):take({ 1, 2 }):drop_levels() end,
         function() return ml.Sparse { rows = 40, cols = 40, entries = entries } end,
         function() return ml.Sparse.from(A):t():take { 1, 2, 1 } * B end,
         function() return B * ml.Sparse.from(A) end,
      }
      local failures = 0
      for k, operation in ipairs(operations) do
         operation()
         collectgarbage()
         collectgarbage()
         local live = memory.live()
         local succeeded
         for n = 0, 1000 do
            memory.fail_after(n)
            local ok, message = pcall(operation)
            memory.fail_after(-1)
            message = ok or message
            collectgarbage()
            collectgarbage()
            assert.is_true(memory.live() <= live, "operation " .. k)
            if ok then
               succeeded = n
               break
            end
            assert.matches("not enough memory", message)
         end
         assert.is_true(succeeded ~= nil, "operation " .. k)
         failures = failures + succeeded
      end
      assert.is_true(failures > 30)
   end)

   it("respects a limit", function()
      collectgarbage()
      memory.limit(memory.live() + 1000000)
      refuses("not enough memory for 1000 x 1000 values of 8 bytes", ml.zeros, 1000, 1000)
      assert.equal(100, ml.zeros(100, 100).rows)
      memory.limit(0)
      assert.equal(1000, ml.zeros(1000, 1000).rows)
   end)

   it("survives finalizers that use finalized values", function()
      local seen
      do
         local holder = setmetatable({}, {
            __gc = function(self) seen = { #self.row, self.row[1], self.A.rows } end,
         })
         holder.A = ml.full(300, 300, 1)
         holder.row = holder.A[1]
      end
      collectgarbage()
      collectgarbage()
      assert.same({ 0, nil, 0 }, seen)
   end)
end)
