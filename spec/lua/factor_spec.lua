local ml = require "manilius"
local refuses = require("spec.support").refuses

describe("Factor", function()
   local f

   before_each(function()
      f = ml.Factor { "pear", "apple", nil, "pear", n = 5 }
   end)

   it("returns labels as they were given", function()
      assert.equal(5, #f)
      assert.equal("pear", f[1])
      assert.equal("apple", f[2])
      assert.is_nil(f[3])
      assert.is_nil(f[5])
      assert.is_nil(f[6])
      assert.same({ "apple", "pear" }, f.levels)
      local mixed = ml.Factor { "x", 2, 1.5, true, false, "", "with\0nul", 1 }
      assert.same({ false, true, 1, 1.5, 2, "", "with\0nul", "x" }, mixed.levels)
      for i, label in ipairs { "x", 2, 1.5, true } do assert.equal(label, mixed[i]) end
      assert.equal("integer", math.type(mixed[2]))
      assert.equal("integer", math.type(ml.Factor(ml.Vector { 3, 1 })[1]))
   end)

   it("has codes, counts and comparisons", function()
      local codes = f:codes()
      assert.same({ 2, 1 }, { codes[1], codes[2] })
      assert.is_true(codes[3] ~= codes[3])
      local counts, missing = f:counts()
      assert.same({ 1, 2 }, counts:totable())
      assert.equal(2, missing)
      assert.same({ 1, 0, 0, 1, 0 }, f:eq("pear"):totable())
      assert.same({ 0, 0, 0, 0, 0 }, f:eq("plum"):totable())
      assert.same({ 0, 0, 1, 0, 1 }, f:ismissing():totable())
      assert.is_true(f == ml.Factor { "pear", "apple", nil, "pear", n = 5, levels = { "pear", "apple", "plum" } })
      assert.is_false(f == f:slice(1, 4))
      assert.is_false(f == ml.Factor { "pear", "apple", "x", "pear", n = 5 })
   end)

   it("selects and recodes", function()
      assert.same({ "apple", "pear", "apple" }, f:take({ 2, 1, 2 }):totable())
      assert.same({ "apple", "pear" }, f:take({ 2 }).levels)
      assert.same({ "apple" }, f:take({ 2 }):drop_levels().levels)
      assert.equal("apple", f:slice(2, 2)[1])
      local g = f:recode { apple = "fruit", pear = "fruit" }
      assert.same({ "fruit" }, g.levels)
      assert.same({ "fruit", "fruit", nil, "fruit" }, g:totable())
      assert.same({ 1, "pear" }, f:recode({ apple = 1 }).levels)
      refuses("'plum' is none of the levels", f.recode, f, { plum = 1 })
      refuses("a new label must be a string, number or boolean, got table", f.recode, f, { pear = {} })
      refuses("index at position 1 must be a whole number from 1 to 5, got 6", f.take, f, { 6 })
   end)

   it("checks its arguments", function()
      refuses("element 2 is a table, not a label", ml.Factor, { "a", {} })
      refuses("element 1 is 'c', which is none of the levels", ml.Factor, { "c", levels = { "a", "b" } })
      refuses("Factor has no option 'level'; there are levels and n", ml.Factor, { level = { "a" } })
      refuses("Factor or table of labels expected, got number", ml.Factor, 3)
      refuses("elements cannot be set", function() f[1] = "x" end)
      refuses("Factor has no 'level'; did you mean 'levels'%?", function() return f.level end)
      assert.is_nil(ml.Factor({ 0 / 0 })[1])
      assert.same({ "a", "b" }, ml.Factor({ "a", levels = { "b", "a" } }).levels)
   end)

   it("can be iterated and printed", function()
      local seen = {}
      for i, label in pairs(f) do seen[#seen + 1] = i .. tostring(label) end
      assert.same({ "1pear", "2apple", "3nil", "4pear", "5nil" }, seen)
      assert.equal("Factor of 5, 2 levels: apple pear\n  pear apple nil pear nil", tostring(f))
      assert.equal("Factor of 0, 0 levels", tostring(ml.Factor {}))
      local labels = {}
      for i = 1, 1000 do labels[i] = ("level %d with a long and winding name\n"):format(i % 40) end
      for line in tostring(ml.Factor(labels)):gmatch "[^\n]+" do assert.is_true(#line <= 80) end
   end)
end)
