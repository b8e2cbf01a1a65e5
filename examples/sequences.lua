-- Sequences: the umbrella world, years of many and of few earthquakes, and stays whose length matters.
-- Run in the checkout: lua5.4 examples/sequences.lua

local ml = require "manilius"

os.execute "mkdir -p build/demo"

-- A chain: how long until rain, and how much of the time?
local weather = ml.MarkovChain {}:fit { "sun", "sun", "rain", "rain", "sun", "rain", "rain", "sun" }
print(weather.transition_matrix, weather:stationary(), weather:hitting_times { target = { "rain" } }.times)

-- Known probabilities: is it raining, if somebody comes with an umbrella on two days?
local world = ml.HMM { emission = "bernoulli", n_states = 2, learn = false, startprob_init = { 0.5, 0.5 },
   transmat_init = { { 0.7, 0.3 }, { 0.3, 0.7 } }, emission_init = { { 0.9 }, { 0.2 } } }:fit { { 1 }, { 1 } }
print("filtered", world:filter { { 1 }, { 1 } })
print("smoothed", world:predict_proba { { 1 }, { 1 } })

-- Numbers of large earthquakes by year: how many states, and when?
local counts = ml.read_csv("examples/data/earthquakes.csv"):select { "count" }
local choice = ml.select_hmm(ml.HMM { emission = "poisson", n_init = 10 }, counts, { criterion = "aic" })
print(choice)
local quakes = choice.model
print("mean numbers", quakes.emission_parameters, "transitions", quakes.transmat)
print("next three years", quakes:forecast(nil, { steps = 3 }).mean)
ml.plot.states(quakes, counts, { title = "Large earthquakes by year" }):save "build/demo/earthquakes.svg"
ml.plot.transitions(quakes):save "build/demo/transitions.svg"
ml.plot.trellis(quakes, counts:slice(1, 12)):save "build/demo/trellis.svg"

-- One more year comes in.
quakes:advance(ml.Vector { 30 })
print("states after a year of 30", quakes.state_probabilities)

-- Old Faithful: stays of more than one row, by a semi-Markov model.
local waiting = ml.read_csv("examples/data/faithful.csv"):select { "waiting" }
local stays = ml.HMM { n_states = 2, max_duration = 4 }:fit(waiting)
print("lengths of stays", stays:durations { most = 4 })
