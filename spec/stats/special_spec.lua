local special = require "manilius".special
local fixture = dofile "spec/fixtures/stats/special.lua"

-- Reference values were computed with 50 digits (mpmath), tails and extreme parameters included. The tolerance is 1e-12
-- relative; the rounding of a double argument, 1e-16, is hardly amplified here.
local TOLERANCE = 1e-12

local function describe_call(name, row)
   local parts = {}
   for i = 1, #row - 1 do parts[i] = ("%.17g"):format(row[i]) end
   return ("%s(%s)"):format(name, table.concat(parts, ", "))
end

local function agrees(name, row)
   local wanted, got = row[#row], special[name](table.unpack(row, 1, #row - 1))
   if wanted ~= wanted then return got ~= got end
   if wanted == got then return true end
   return math.abs(got - wanted) <= TOLERANCE * math.max(math.abs(wanted), 1e-300)
end

describe("special functions", function()
   local names = {}
   for name, rows in pairs(fixture) do
      if type(rows) == "table" and rawget(special, name) then names[#names + 1] = name end
   end
   table.sort(names)

   it("are all compared", function() assert.is_true(#names > 40) end)

   for _, name in ipairs(names) do
      it(name .. " is accurate to twelve digits", function()
         for _, row in ipairs(fixture[name]) do
            assert(agrees(name, row), describe_call(name, row) .. (": wanted %.17g"):format(row[#row]))
         end
      end)
   end

   it("apply to a Vector elementwise", function()
      local ml = require "manilius"
      local v = special.t_sf(ml.Vector { 0, 1, 2 }, 5)
      assert.equal(0.5, v[1])
      assert.equal(special.t_sf(2, 5), v[3])
   end)

   it("report their arguments if called incorrectly", function()
      local ok, message = pcall(special.t_cdf, 1)
      assert.is_false(ok)
      assert.matches("special.t_cdf takes 2 arguments %(x, df%), got 1", message)
   end)
end)
