local ml = require "manilius"
local refuses = require "spec.support".refuses

local nan = 0 / 0
local wide = ml.Frame { { "city", { "Oslo", "Rome", "Lima" } }, { "may", { 11, 19, nan } },
   { "june", { 15, 23.5, 17 } } }

local function rows_of(f)
   local list = {}
   for _, row in f:each() do list[#list + 1] = row end
   return list
end

describe("Frame", function()
   it("has the types of its columns", function()
      assert.same({ "factor", "number", "number" }, { table.unpack(wide.types) })
      assert.same({ "whole" }, { table.unpack(ml.Frame { { "n", { 1, 2 } } }.types) })
      local f = ml.Frame { { "types", { 1, 2 } } }
      assert.equal(2, f:col "types"[2])
   end)

   it("stacks columns", function()
      local long = wide:melt("city", { variable = "month", value = "degrees" })
      assert.same({ "city", "month", "degrees" }, { table.unpack(long.names) })
      assert.equal(6, long.rows)
      assert.same({ city = "Rome", month = "may", degrees = 19 }, rows_of(long)[2])
      assert.same({ city = "Oslo", month = "june", degrees = 15 }, rows_of(long)[4])
      assert.same({ city = "Lima", variable = "june", value = 17 },
         rows_of(wide:melt("city", { columns = { "june" } }))[3])
      assert.equal(0, wide:head(0):melt("city").rows)
      assert.equal(6, wide:drop "city":melt({}).rows)
      refuses("'city' is a Factor and 'may' a Vector", function() wide:melt {} end)
      refuses("melt: names of columns must be a list, got a table with the field 'id'",
         function() wide:melt { id = "city" } end)
      refuses("there must be at least one column to stack", function() wide:melt { "city", "may", "june" } end)
   end)

   it("spreads a column over others, the inverse of melt", function()
      local back = wide:melt("city", { variable = "month" }):pivot("city", "month", "value")
      assert.same({ "city", "june", "may" }, { table.unpack(back.names) })
      local expected = wide:sort "city"
      assert.same(expected.city:totable(), back.city:totable())
      assert.same(expected.june:totable(), back.june:totable())
      assert.is_true(back.may[1] ~= back.may[1])
      local labels = ml.Frame { { "id", { 1, 1, 2 } }, { "k", { "a", "b", "a" } }, { "v", { "x", "y", "z" } } }
      local spread = labels:pivot("id", "k", "v")
      assert.equal("z", spread.a[2])
      assert.is_nil(spread.b[2])
   end)

   it("summarizes cells with several rows", function()
      local f = ml.Frame { { "g", { "a", "a", "b" } }, { "h", { 1, 1, 2 } }, { "v", { 3, 5, 7 } } }
      refuses("rows 1 and 2 fall into one cell; give a summary", function() f:pivot("g", "h", "v") end)
      refuses("^[^ ]*frame_reshape_spec.lua:%d+: pivot: the summary of 'v' must be one of size, count", function()
         f:pivot("g", "h", "v", { aggregate = "meen" })
      end)
      refuses("^[^ ]*frame_reshape_spec.lua:%d+: pivot: there is no column 'w'", function()
         f:pivot("g", "h", "w", { aggregate = "mean" })
      end)
      local p = f:pivot("g", "h", "v", { aggregate = "mean" })
      assert.equal(4, p:col "1"[1])
      assert.is_true(p:col "2"[1] ~= p:col "2"[1])
      assert.equal(7, p:col "2"[2])
   end)

   it("drops repeated rows and keeps the order", function()
      local f = ml.Frame { { "a", { 2, 1, 2, nan, nan } }, { "b", { "x", "y", "x", "z", "z" } } }
      local kept = f:drop_duplicates()
      assert.same({ "x", "y", "z" }, kept.b:totable())
      assert.equal(2, kept.a[1])
      assert.equal(3, f:drop_duplicates("b").rows)
   end)

   it("draws random rows", function()
      local f = ml.Frame { { "i", ml.range(100) } }
      local some = f:sample(10, { seed = 3 })
      assert.equal(10, some.rows)
      assert.equal(10, #some.i:unique())
      assert.same(some.i:totable(), f:sample(10, { seed = 3 }).i:totable())
      assert.equal(25, f:sample(0.25).rows)
      local many = f:sample(300, { replace = true, seed = 1 })
      assert.equal(300, many.rows)
      assert.is_true(#many.i:unique() > 80)
      refuses("a whole number from 0 to 100", function() f:sample(101) end)
      refuses("or a fraction below 1, got table$", function() f:sample { n = 3 } end)
      refuses("sample has no option 'sed'", function() f:sample(1, { sed = 2 }) end)
   end)

   it("has correlations of its numeric columns", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local r = cars:corr()
      assert.near(-0.8676594, r.mpg[(r.column:eq "wt"):argmax()], 1e-6) -- R: cor(mtcars)["wt", "mpg"]
      assert.near(-0.886422, cars:corr { method = "spearman" }.mpg[(r.column:eq "wt"):argmax()], 1e-6)
      assert.near(-0.7278321, cars:corr { method = "kendall" }.mpg[(r.column:eq "wt"):argmax()], 1e-6)
      refuses("there must be a numeric column", function() wide:select "city":corr() end)
   end)
end)
