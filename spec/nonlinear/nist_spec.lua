-- Certified values of NIST's nonlinear data sets, from both of its starting points.
local ml = require "manilius"

local sets = dofile "spec/fixtures/nonlinear/nist.lua"

local function frame_of(set)
   local columns = { { "y", set.y } }
   for _, name in ipairs { "x", "x1", "x2" } do
      if set[name] then columns[#columns + 1] = { name, set[name] } end
   end
   return ml.Frame(columns)
end

local function start_of(values)
   local start = {}
   for i, value in ipairs(values) do start["b" .. i] = value end
   return start
end

-- The number of agreeing digits (log relative error).
local function digits(value, certified)
   local off = certified == 0 and math.abs(value) or math.abs(value - certified) / math.abs(certified)
   return off == 0 and 16 or -math.log(off, 10)
end

-- Residuals of Lanczos1 are of the order of rounding errors of its y.
local error_digits = { Lanczos1 = 2.5 }

describe("NonlinearRegression on NIST data", function()
   for _, set in ipairs(sets) do
      for _, from in ipairs { "start1", "start2" } do
         it(("reaches the certified values of %s from %s"):format(set.name, from), function()
            local model = ml.NonlinearRegression { formula = set.formula, start = start_of(set[from]), max_iter = 2000 }
            local found = model:fit(frame_of(set)):summary().coefficients
            assert.is_true(model.converged)
            assert.equal(#set.y - #set.estimate, model.df)
            for i, estimate in ipairs(set.estimate) do
               assert.is_true(digits(found.estimate[i], estimate) > 6, ("b%d = %.12g, certified %.12g"):format(i,
                  found.estimate[i], estimate))
               assert.is_true(digits(found.std_error[i], set.std_error[i]) > (error_digits[set.name] or 6),
                  ("std_error of b%d = %.12g, certified %.12g"):format(i, found.std_error[i], set.std_error[i]))
            end
         end)
      end
   end
end)
