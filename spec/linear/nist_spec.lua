--- Wampler's polynomials from NIST's Statistical Reference Datasets: a fifth degree over x = 0 .. 20, with errors of
-- growing size. Digits are -log10 of the relative error, as NIST counts them.

local ml = require "manilius"

-- Wampler1 and 2 are exact; 3, 4 and 5 are Wampler1 with these errors times 1, 100 and 10000.
local errors = { 759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048, -2048, 1838, -2048, 2048, -2048,
   2523, -2048, 2048, -2048, 759 }

-- Certified standard errors of Wampler3; those of 4 and 5 are 100 and 10000 times as large.
local certified = { 2152.32624678170, 2363.55173469681, 779.343524331583, 101.475507550350, 5.64566512170752,
   0.112324854679312 }

local function polynomial(x, base)
   local sum = 0
   for k = 0, 5 do sum = sum + (base * x) ^ k end
   return sum
end

local function problem(base, size)
   local X, y = {}, {}
   for x = 0, 20 do
      X[x + 1] = { x, x ^ 2, x ^ 3, x ^ 4, x ^ 5 }
      y[x + 1] = polynomial(x, base) + size * errors[x + 1]
   end
   return ml.LinearRegression {}:fit(X, y):summary().coefficients
end

local function digits(wanted, got)
   local error = math.abs(got - wanted) / math.abs(wanted)
   return error == 0 and 16 or -math.log(error, 10)
end

describe("Wampler's polynomials", function()
   -- The columns have a condition of about 1e7 together; Wampler2 itself is known to no more digits than its rounded y
   for name, case in pairs {
      Wampler1 = { base = 1, size = 0, digits = 14 },
      Wampler2 = { base = 0.1, size = 0, digits = 12 },
      Wampler3 = { base = 1, size = 1, digits = 14 },
      Wampler4 = { base = 1, size = 100, digits = 14 },
      Wampler5 = { base = 1, size = 10000, digits = 14 },
   } do
      it(name .. " has its digits", function()
         local table = problem(case.base, case.size)
         for k = 0, 5 do
            local found = digits(case.base ^ k, table.estimate[k + 1])
            assert(found >= case.digits, ("coefficient %d has %.1f digits"):format(k, found))
            if case.size > 0 then
               found = digits(certified[k + 1] * case.size, table.std_error[k + 1])
               assert(found >= 12, ("standard error %d has %.1f digits"):format(k, found))
            end
         end
      end)
   end
end)
