-- Gaussian processes: a sine from 40 noisy rows, and where the model is not certain.
--
-- The Gaussian covariance (RBF) draws smooth functions; the Ornstein-Uhlenbeck covariance draws rough ones, as of a
-- particle that is pushed at random. Both have wider intervals where there are no rows: in the gap, and beyond the
-- ends.

local ml = require "manilius"

os.execute "mkdir -p build/demo"
local k = ml.kernel

local rng = ml.random(40, 1, 7):col(1)
local x = ml.Vector(40)
for i = 1, 40 do -- from 0 to 4 and from 6 to 10
   local at = 8 * rng[i]
   x[i] = at < 4 and at or at + 2
end
local X, y = x:as_column(), x:sin() + ml.normal(40, 1, 8):col(1) * 0.2

local covariances = { gaussian = k.RBF {}, ornstein_uhlenbeck = k.OrnsteinUhlenbeck {} }
for _, name in ipairs { "gaussian", "ornstein_uhlenbeck" } do
   local covariance = covariances[name]
   local model = ml.GaussianProcessRegressor { kernel = 1 * covariance + k.White { noise = 0.1 } }:fit(X, y)
   print(name, model:summary())
   local at = { { 2 }, { 5 }, { 8 }, { 12 } }
   print("standard errors of the function at 2, 5, 8 and 12:", model:intervals(at, { kind = "confidence" }).std_error)
   ml.plot.gp(model, X, y, { samples = 2, title = name:gsub("_", " ") }):save("build/demo/" .. name .. ".png")
end

-- Functions of three covariances before any data, side by side.
ml.plot.gp_samples({ k.RBF {}, k.OrnsteinUhlenbeck {}, k.Periodic { period = 4 } }):save "build/demo/covariances.png"

-- Rows that arrive one after the other: the Cholesky factor is updated, and the oldest row leaves the window.
local online = ml.GaussianProcessRegressor { kernel = 1 * k.RBF {} + k.White { noise = 0.04 }, optimizer = "none",
   window = 30 }
for i = 1, 40 do online:partial_fit(X:slice(i, i), y:slice(i, i)) end
print("rows in the window:", online.dual_coef.rows)
