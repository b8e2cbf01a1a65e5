-- Phase tracking: the phase of a laser of finite linewidth wanders at random on top of an offset in frequency. Pilot
-- symbols measure it with noise; a Kalman filter with the states phase and frequency follows it, and an extended filter
-- does so from the received field, without unwrapping the phase.
-- Run in the checkout: lua5.4 examples/optical_phase.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- Symbols; standard deviation of the walk and frequency offset in radians a symbol; noise of the field.
local N, STEP, DRIFT, NOISE = 1500, 0.03, 0.02, 0.25

local steps, noise = ml.normal(N, nil, 1), ml.normal(N, 2, 2)
local phase, field, raw, value = ml.Vector(N), ml.Matrix(N, 2), ml.Matrix(N, 1), 0
for t = 1, N do
   value = value + DRIFT + STEP * steps[t]
   phase[t] = value
   local re, im = math.cos(value) + NOISE * noise[t][1], math.sin(value) + NOISE * noise[t][2]
   field:set(t, 1, re)
   field:set(t, 2, im)
   -- the measured phase, unwrapped: within half a turn of the one before
   local angle = math.atan(im, re)
   local before = t > 1 and raw[t - 1][1] or 0
   raw:set(t, 1, angle + 2 * math.pi * math.floor((before - angle) / (2 * math.pi) + 0.5))
end

-- Root mean square of the error of a phase, which counts modulo a turn.
local function rms(estimate)
   local turns = (estimate - phase) / (2 * math.pi)
   local error = (turns - (turns + 0.5):floor()) * (2 * math.pi)
   return math.sqrt(error:square():mean())
end

local walk = { { STEP ^ 2, 0 }, { 0, 1e-9 } }
local start = { initial_mean = { 0, 0 }, initial_cov = { { 1, 0 }, { 0, 0.01 } } }
local kalman = ml.KalmanFilter { transition = { { 1, 1 }, { 0, 1 } }, observation = { { 1, 0 } }, state_cov = walk,
   observation_cov = { { NOISE ^ 2 } }, initial_mean = start.initial_mean, initial_cov = start.initial_cov }:fit(raw)
local extended = ml.NonlinearKalmanFilter { method = "extended",
   transition = function(s) return { s[1] + s[2], s[2] } end,
   observation = function(s) return { math.cos(s[1]), math.sin(s[1]) } end,
   state_cov = walk, observation_cov = { { NOISE ^ 2, 0 }, { 0, NOISE ^ 2 } }, initial_mean = start.initial_mean,
   initial_cov = start.initial_cov }:fit(field)

local smoothed = extended:smooth(field).mean
print(("error of raw phases           %.3f rad"):format(rms(raw:col(1))))
print(("Kalman filter                 %.3f rad"):format(rms(kalman:filter(raw).mean:col(1))))
print(("extended filter on the field  %.3f rad"):format(rms(extended:filter(field).mean:col(1))))
print(("extended smoother             %.3f rad"):format(rms(smoothed:col(1))))
print(("frequency %.2f rad a symbol"):format(extended.next_mean[2]))

local ramp = ml.range(1, N) * DRIFT
ml.plot.line(ml.range(1, N), ml.hcat(raw:col(1) - ramp, phase - ramp, smoothed:col(1) - ramp),
   { names = { "raw", "true", "smoothed" }, x_label = "symbol", y_label = "phase without drift, rad" })
   :save "build/demo/optical_phase.svg"
