-- Identification of a nonlinear optical channel: which products of symbols disturb the received one? A lasso over all
-- terms of a Volterra series of third order finds the few that matter (sparse identification of nonlinear optical
-- channels).
-- Run in the checkout: lua5.4 examples/optical_channel.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- Pulses of 8 levels, with a memory of 4 symbols: x0 is the present one, x1 the one before.
local n, draw = 1500, ml.random(1504, nil, 1)
local x = {}
for i = 1, #draw do x[i] = (2 * math.floor(8 * draw[i]) - 7) / 4.6 end
local planted = { x0 = 1, x1 = 0.3, x3 = -0.08, ["x0^3"] = -0.06, ["x0 x1^2"] = 0.05, ["x0 x1 x2"] = 0.04 }
local columns = {}
for lag = 0, 4 do
   columns[lag + 1] = { "x" .. lag, ml.Vector(n) }
   for t = 1, n do columns[lag + 1][2][t] = x[t + 4 - lag] end
end
local symbols = ml.Frame(columns)
local x0, x1, x2, x3 = symbols.x0, symbols.x1, symbols.x2, symbols.x3
local y = x0 + x1 * 0.3 - x3 * 0.08 - x0:pow(3) * 0.06 + x0:mul(x1:square()) * 0.05 + x0:mul(x1):mul(x2) * 0.04
   + ml.normal(n, nil, 2) * 0.05

-- 55 products up to the third degree. The adaptive lasso penalizes terms less if a first fit found them large.
local volterra = ml.PolynomialFeatures { degree = 3, include_bias = false }:fit(symbols)
local terms, names = volterra:transform(symbols), volterra:output_names()
local model = ml.AdaptiveLasso { alpha = 0.0005 }:fit(terms, y)
local full = ml.LinearRegression {}:fit(terms, y)
local found, correct = {}, 0
for j, name in ipairs(names) do
   if model.coef[j] ~= 0 then found[#found + 1] = name end
   if model.coef[j] ~= 0 and planted[name] then correct = correct + 1 end
end
local again = ml.LinearRegression {}:fit(terms:select(found), y) -- without the shrinkage of the lasso
print "term         planted   lasso   least squares on the terms found"
local place = {}
for j, name in ipairs(names) do place[name] = j end
for i, name in ipairs(found) do
   print(("%-12s %7.2f %7.2f %7.2f"):format(name, planted[name] or 0, model.coef[place[name]], again.coef[i]))
end
print(("%d terms of %d, of which %d were planted, out of 6"):format(#found, #names, correct))

-- Beside least squares, whose coefficients are all nonzero: where the terms that were not planted end up.
local function largest_false(coef)
   local largest = 0
   for j, name in ipairs(names) do
      if not planted[name] then largest = math.max(largest, math.abs(coef[j])) end
   end
   return largest
end
print(("largest false coefficient: lasso %.3f, least squares %.3f"):format(largest_false(model.coef),
   largest_false(full.coef)))
ml.plot.line(ml.range(3, #names), ml.hcat(full.coef:slice(3), model.coef:slice(3)), { x_label = "term",
   names = { "least squares", "adaptive lasso" }, markers = true, y_label = "coefficient" })
   :save "build/demo/optical_channel.svg"
