-- Tobias Mayer, 1750: the libration of the Moon from 27 sightings of the crater Manilius. Each sighting gives one
-- equation in three unknowns:
--
--     h - 90 = beta - alpha (g sin) + (alpha sin theta) (g cos)
--
-- This was one of the first fits of a model to more data than parameters. Mayer added the equations in three groups of
-- nine, chosen so that each unknown has large coefficients in one of them, and solved the three sums. Least squares was
-- published in 1805.
--
-- Run from the checkout: make all, then lua5.4 examples/mayer.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local sightings = ml.read_csv "examples/data/mayer.csv"
local unknowns = { "beta", "alpha", "alpha_sin_theta" }

local model = ml.LinearRegression { fit_intercept = false }
model:fit(sightings:select(unknowns), sightings.y)

print "Least squares, all 27 equations:\n"
print(model:summary())

-- Mayer's method: the sums of the three groups are three equations in three unknowns.
local sums = sightings:group { "group" }:aggregate {
   beta = "sum", alpha = "sum", alpha_sin_theta = "sum", y = "sum",
}
local mayer = ml.LinearRegression { fit_intercept = false, inference = false }
mayer:fit(sums:select(unknowns), sums.y)

print "Least squares and Mayer's three group sums, in degrees:\n"
print(ml.Frame {
   { "unknown", unknowns },
   { "least_squares", model.coef },
   { "mayer", mayer.coef },
   { "std_error", model:summary().coefficients.std_error },
})
