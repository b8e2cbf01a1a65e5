--- NIST Statistical Reference Datasets for linear regression. Digits are -log10 of the relative error, as NIST defines
-- them, or of the absolute error if the certified value is 0. The guide shows the results (accuracy.md).

local ml = require "manilius"

local function digits(certified, got)
   local error = math.abs(got - certified) / (certified == 0 and 1 or math.abs(certified))
   return error == 0 and 16 or -math.log(error, 10)
end

-- Rounding the data of Norris to Wampler2 to doubles limits the digits that can be reached. The exact solution of Filip
-- with its rounded powers of x agrees with the certified values in 7.6 digits.
local wanted = {
   Norris = { 13.5, 13.5 }, Pontius = { 13, 13 }, NoInt1 = { 14, 14 }, NoInt2 = { 14, 14 },
   Filip = { 7.5, 7 }, Longley = { 14, 14 },
   Wampler1 = { 14, 12 }, Wampler2 = { 12, 12 }, Wampler3 = { 14, 12 }, Wampler4 = { 14, 12 }, Wampler5 = { 14, 12 },
}

describe("NIST linear regression datasets", function()
   for _, set in ipairs(dofile "examples/data/nist_strd.lua") do
      local least = assert(wanted[set.name])
      it(set.name .. " reaches its number of digits", function()
         local model = ml.LinearRegression { fit_intercept = set.fit_intercept }:fit(set.x, set.y)
         local table = model:summary().coefficients
         assert.equal(#set.estimate, #table.estimate)
         for i, certified in ipairs(set.estimate) do
            local found = digits(certified, table.estimate[i])
            assert(found >= least[1], ("coefficient %d has %.1f digits"):format(i, found))
            found = digits(set.std_error[i], table.std_error[i])
            assert(found >= least[2], ("standard error %d has %.1f digits"):format(i, found))
         end
      end)
   end
end)
