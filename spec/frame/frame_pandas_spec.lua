-- Frame operations agree with pandas (spec/fixtures/frame/frame.py).
local ml = require "manilius"
local core = require "manilius.core"
local expected = require "spec.fixtures.frame.frame"

local titanic = ml.read_csv "examples/data/titanic.csv"

local function is_missing(value)
   return value == nil or value ~= value
end

-- Numbers to 1e-12 relative; missing equals missing.
local function same(wanted, column, what)
   assert.equal(#wanted, #column, what)
   for i, value in ipairs(wanted) do
      local got = column[i]
      if is_missing(value) then
         assert.is_true(is_missing(got), ("%s, row %d: missing expected, got %s"):format(what, i, tostring(got)))
      elseif type(value) == "number" then
         assert.near(value, got, 1e-12 * math.max(1, math.abs(value)), ("%s, row %d"):format(what, i))
      else
         assert.equal(value, got, ("%s, row %d"):format(what, i))
      end
   end
end

local function frame_of(columns)
   local list = {}
   for name, values in pairs(columns) do
      local column = { n = #values }
      for i, value in ipairs(values) do column[i] = not is_missing(value) and value or nil end
      list[#list + 1] = { name, column }
   end
   table.sort(list, function(a, b) return a[1] < b[1] end)
   return ml.Frame(list)
end

describe("Frame agrees with pandas", function()
   it("in describe", function()
      local d = titanic:describe()
      for name, values in pairs(expected.describe) do
         local row
         for i = 1, d.rows do
            if d.column[i] == name then row = d:row(i) end
         end
         same(values, { row.count, row.mean, row.std, row.min, row.q25, row.median, row.q75, row.max }, name)
      end
   end)

   it("in grouped summaries", function()
      local summaries = {}
      for _, what in ipairs { "size", "count", "nunique", "first", "last", "min", "max", "sum", "mean", "var", "std",
         "median", "q25", "q75" } do
         summaries[what] = { "age", what }
      end
      summaries.cabin, summaries.cabins = "first", { "cabin", "nunique" }
      local got = titanic:group("pclass", "embarked"):aggregate(summaries)
      for name, values in pairs(expected.group) do same(values, got:col(name), name) end

      local quakes = ml.read_csv "examples/data/quakes.csv"
      local by_stations = quakes:group("stations"):aggregate { mag = "median", depth = "std" }
      for name, values in pairs(expected.quakes) do same(values, by_stations:col(name), name) end
   end)

   it("in sorting by several ascending or descending keys, missing values last", function()
      local numbered = titanic:with { row = ml.range(1, titanic.rows) }
      local sorted = numbered:sort({ "embarked", "age", "fare" }, { descending = { false, true, false } })
      same(expected.order, sorted:col "row", "row")
      same(expected.order_by_name, numbered:sort("cabin", { descending = true }):head(320):col "row", "row")
   end)

   it("in joins with repeated and missing keys", function()
      local left, right = frame_of(expected.left), frame_of(expected.right)
      for case, columns in pairs(expected.joined) do
         local on = {}
         for word in case:gmatch "[^_]+" do on[#on + 1] = word end
         local how = table.remove(on)
         local got = left:join(right, { on = on, how = how })
         for name, values in pairs(columns) do same(values, got:col(name), case .. " " .. name) end
      end
   end)

   it("in crosstab and value_counts", function()
      local table_of = titanic:crosstab("embarked", "pclass")
      for _, class in ipairs { "1", "2", "3" } do
         same(expected.crosstab["p" .. class], table_of:col(class), "crosstab " .. class)
      end
      local counts = titanic:value_counts "sibsp"
      same(expected.value_counts.value, counts.sibsp, "value")
      same(expected.value_counts.count, counts:col "count", "count")
   end)
end)

describe("Frame with many rows", function()
   local n = 20000
   local wide, narrow = ml.normal(n, nil, 1), ml.random(n, nil, 2)

   -- Reference: Lua's sort with the row as the last key.
   local function reference(column, descending)
      local rows = {}
      for i = 1, #column do rows[i] = i end
      table.sort(rows, function(a, b)
         local x, y = column[a], column[b]
         if (x ~= x) ~= (y ~= y) then return y ~= y end
         if x == y or x ~= x then return a < b end
         if descending then return x > y end
         return x < y
      end)
      return rows
   end

   local columns = {
      normal = wide,
      whole = ml.Vector((function()
         local t = {}
         for i = 1, n do t[i] = math.floor(narrow[i] * 300) end
         return t
      end)()),
      neighbors = ml.Vector((function() -- differ in their last bits only
         local t = {}
         for i = 1, n do t[i] = 1 + math.floor(narrow[i] * 4000) * 2 ^ -52 end
         return t
      end)()),
      special = ml.Vector((function()
         local some, t = { 0.0, -0.0, 1 / 0, -1 / 0, 0 / 0, 1e-310, -1e300 }, {}
         for i = 1, n do t[i] = some[math.floor(narrow[i] * #some) + 1] end
         return t
      end)()),
   }

   it("sorts all kinds of numbers, ascending and descending", function()
      for name, column in pairs(columns) do
         for _, descending in ipairs { false, true } do
            local rows = core.frame.order({ column }, { descending })
            assert.is_true(ml.Vector(reference(column, descending)) == rows, name)
         end
      end
   end)

   it("orders groups as sort does, and describe has the quantiles of the sorted values", function()
      for name, column in pairs(columns) do
         local f = ml.Frame { { "x", column } }
         local sizes = f:group("x"):size()
         local seen, count = {}, 0
         for _, value in pairs(column) do
            local key = value ~= value and "nan" or value + 0.0
            if not seen[key] then seen[key], count = true, count + 1 end
         end
         assert.equal(count, sizes.rows, name)
         local sorted = sizes:sort "x"
         assert.equal(sizes, sorted, name)

         local present = f:dropna():sort("x").x
         local row = f:describe():row(1)
         for what, q in pairs { q25 = 0.25, median = 0.5, q75 = 0.75, min = 0, max = 1 } do
            local position = q * (#present - 1)
            local a, b = present[math.floor(position) + 1], present[math.min(math.floor(position) + 2, #present)]
            local fraction = position - math.floor(position)
            assert.equal(a == b and a or fraction == 0 and a or a + fraction * (b - a), row[what], name .. " " .. what)
         end
      end
   end)

   it("gives the same result for any number of threads", function()
      local f = ml.Frame { { "x", columns.normal }, { "k", columns.whole }, { "s", columns.special } }
      local function all()
         return f:group("k"):aggregate { x = "sum", m = { "x", "median" }, v = { "x", "var" }, s = "nunique" },
            f:sort { "s", "x" }
      end
      local before = core.memory.threads()
      core.memory.threads(1)
      local a1, b1 = all()
      core.memory.threads(4)
      local a2, b2 = all()
      core.memory.threads(before)
      assert.equal(a1, a2)
      assert.equal(b1, b2)
   end)
end)
