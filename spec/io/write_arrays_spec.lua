local ml = require "manilius"
local support = require "spec.support"

local nan, refuses = 0 / 0, support.refuses

describe("write_npz", function()
   it("writes what read_npz reads", function()
      local path = os.tmpname()
      ml.write_npz(path, { X = ml.normal(40, 3, 1), y = { 1, 2, 3 }, empty = ml.zeros(0, 2) })
      local back = ml.read_npz(path)
      assert.same(ml.normal(40, 3, 1):totable(), back.X:totable())
      assert.same({ { 1 }, { 2 }, { 3 } }, back.y:totable())
      assert.equal(2, back.empty.cols)
      ml.write_npz(path, {})
      assert.is_nil(next(ml.read_npz(path)))
      os.remove(path)
   end)

   it("writes the archive of NumPy's savez but for the date", function()
      local path = os.tmpname()
      ml.write_npz(path, { a = { { 1.5 } } })
      local bytes = support.read_file(path)
      os.remove(path)
      local npy = ml.format_npy { { 1.5 } }
      assert.equal("PK\3\4", bytes:sub(1, 4))
      assert.equal("a.npy" .. npy, bytes:sub(31, 35 + #npy))
      assert.equal(30 + 5 + #npy + 46 + 5 + 22, #bytes)
   end)

   it("refuses other values", function()
      refuses("write_npz: arrays must be a table of matrices by name, got a list", function()
         ml.write_npz("none.npz", { { 1 } })
      end)
      refuses("write_npz: names must be strings", function() ml.write_npz("none.npz", { [2] = { 1 } }) end)
      assert.is_false(pcall(ml.write_npz, "none.npz", { x = { "a" } }))
      assert.is_false(pcall(ml.write_npz, "/none/none.npz", { x = { 1 } }))
   end)
end)

describe("Frame:write_jsonl", function()
   local f = ml.Frame { { "x", { 0.1, nan, -3e300 } }, { "s", ml.Factor { 'a"\\\n\1é', nil, "", n = 3 } },
      { "b", ml.Factor { true, false, true } }, { "k\t", { 1, 2, 3 } } }

   it("writes what read_jsonl reads", function()
      local path = os.tmpname()
      assert.equal(f, f:write_jsonl(path))
      local back = ml.read_jsonl(path)
      os.remove(path)
      assert.same({ table.unpack(f.names) }, { table.unpack(back.names) })
      assert.equal(f:to_jsonl(), back:to_jsonl())
      assert.same(f.s:totable(), back.s:totable())
      assert.same(f.b:totable(), back.b:totable())
      assert.equal(-3e300, back.x[3])
   end)

   it("writes an object for each row", function()
      assert.equal('{"x": 0.1, "s": "a\\"\\\\\\u000a\\u0001é", "b": true, "k\\u0009": 1}',
         f:to_jsonl():match "^[^\n]+")
      assert.equal("", f:head(0):to_jsonl())
   end)

   it("refuses infinity", function()
      refuses("JSON has no infinity; column 'x' has one in row 2", function()
         ml.Frame { { "x", { 1, 1 / 0 } } }:to_jsonl()
      end)
   end)
end)
