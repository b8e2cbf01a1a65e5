local ml = require "manilius"
local paths = require "spec.sequence.paths"
local support = require "spec.support"

local nan = 0 / 0

-- A series that switches between k levels, with noise.
local function switching(n, p, k, seed)
   local noise, turn, rows, state = ml.normal(n, p, seed), ml.normal(n, 1, seed + 100), {}, 1
   for i = 1, n do
      if turn:get(i, 1) > 0.5 then state = state % k + 1 end
      rows[i] = {}
      for j = 1, p do rows[i][j] = noise:get(i, j) + 2 * state * (j % 2 == 0 and -1 or 1) end
   end
   return rows
end

local function counts(n, seed)
   local rows = switching(n, 1, 2, seed)
   for i = 1, n do rows[i][1] = math.floor(math.abs(rows[i][1]) * 1.5 + 0.5) end
   return rows
end

local function codes(n, levels, seed)
   local rows = switching(n, 1, 2, seed)
   for i = 1, n do rows[i][1] = math.floor(math.abs(rows[i][1])) % levels end
   return rows
end

-- Everything that enumeration tells, of the first rows of a series.
local function agrees(model, rows, n, log_density, tolerance)
   tolerance = tolerance or 1e-11
   local few = {}
   for i = 1, n do few[i] = rows[i] end
   local wanted = paths.enumerate(model, few, log_density)
   local posterior, filtered, path = model:predict_proba(few), model:filter(few), model:viterbi(few)
   local scores = model:score_samples(few)
   assert.near(wanted.loglik, scores:sum(), tolerance * math.abs(wanted.loglik))
   assert.near(wanted.best, path.loglik[1], tolerance * math.abs(wanted.best))
   assert.same(wanted.states, path.states:totable())
   for t = 1, n do
      for s = 1, #model.startprob do
         assert.near(wanted.posterior[t][s], posterior:get(t, s), tolerance)
      end
   end
   -- The filtered states of a row are the posterior of the rows up to it.
   for t = 1, n do
      local before = {}
      for i = 1, t do before[i] = few[i] end
      local last = paths.enumerate(model, before, log_density).posterior[t]
      for s = 1, #model.startprob do assert.near(last[s], filtered:get(t, s), tolerance) end
   end
end

local chains = {
   ["first order"] = {}, ["second order"] = { order = 2 }, ["durations"] = { max_duration = 3 },
   ["left to right"] = { topology = "left_right" }, ["second order with durations"] = { order = 2, max_duration = 2 },
}

describe("HMM", function()
   local before
   setup(function() before = ml.warnings() ml.warnings "off" end) -- of few iterations
   teardown(function() ml.warnings(before) end)

   for name, settings in pairs(chains) do
      local function model(more)
         local all = { n_states = 2, n_init = 1, max_iter = 3, tol = 0 }
         for key, value in pairs(settings) do all[key] = value end
         for key, value in pairs(more) do all[key] = value end
         return ml.HMM(all)
      end

      local function fit(m, rows)
         return m:fit(rows, nil, { lengths = { 20, 15, #rows - 35 } })
      end

      it("agrees with the enumeration of all paths: " .. name, function()
         for _, covariance_type in ipairs { "full", "diag", "spherical", "tied" } do
            local rows = switching(60, 2, 2, 3)
            rows[2][1], rows[5][2] = nan, nan
            rows[4] = { nan, nan }
            local fitted = fit(model { n_states = 3, covariance_type = covariance_type }, rows)
            agrees(fitted, rows, 6, paths.gaussian(fitted))
         end
         local rows = switching(80, 2, 2, 5)
         local mixed = fit(model { n_mix = 2 }, rows)
         agrees(mixed, rows, 7, paths.gaussian(mixed))
         rows = counts(60, 7)
         rows[3][1] = nan
         local poisson = fit(model { emission = "poisson" }, rows)
         agrees(poisson, rows, 8, paths.poisson(poisson))
         rows = codes(60, 3, 9)
         rows[3][1] = nan
         local categorical = fit(model { emission = "categorical", n_states = 3, emission_prior = 1.5 }, rows)
         agrees(categorical, rows, 6, paths.categorical(categorical))
      end)
   end

   it("takes columns of different kinds", function()
      local rows, numbers, list = counts(60, 11), switching(60, 2, 2, 12), codes(60, 3, 13)
      for i = 1, 60 do rows[i] = { numbers[i][1], rows[i][1], numbers[i][2], list[i][1] } end
      rows[2][2], rows[3][1], rows[4][4] = nan, nan, nan
      local model = ml.HMM { n_states = 2, max_iter = 5, tol = 0, n_init = 1,
         emission = { "gaussian", "poisson", "gaussian", "categorical" } }
      model:fit(rows)
      local gaussian, poisson, categorical = paths.gaussian(model), paths.poisson(model), paths.categorical(model, 2)
      agrees(model, rows, 7, function(row, state)
         return gaussian({ row[1], row[3] }, state) + poisson({ row[2] }, state) + categorical(row, state, 4)
      end)
   end)
end)

describe("HMM: fit", function()
   local before
   setup(function() before = ml.warnings() ml.warnings "off" end) -- of few iterations
   teardown(function() ml.warnings(before) end)

   local reference = require "spec.fixtures.sequence.hmm"

   local function start(more)
      local all = { n_states = 3, startprob_init = reference.startprob, transmat_init = reference.transmat, n_init = 1,
         max_iter = math.tointeger(reference.rounds), tol = 0, reg_covar = 0 }
      for key, value in pairs(more) do all[key] = value end
      return all
   end

   local function same_as_hmmlearn(model, rows, wanted)
      local lengths = { lengths = reference.lengths }
      model:fit(rows, nil, lengths)
      assert.near(wanted.loglik, model.loglik, 1e-8)
      support.near_rows({ wanted.startprob }, ml.Matrix { model.startprob:totable() }, 1e-8, "startprob", 1e-4)
      support.near_rows(wanted.transmat, model.transmat, 1e-8, "transmat", 1e-4)
      support.near_rows(wanted.posterior, model:predict_proba(rows, lengths):slice(1, 10), 1e-8, "posterior", 1e-4)
      local path = model:viterbi(rows, lengths)
      assert.near(wanted.log_path, path.loglik:sum(), 1e-8)
      assert.same(wanted.path, path.states:totable())
   end

   for kind, wanted in pairs(reference.gaussian) do
      it("gives what hmmlearn gives after the same iterations: gaussian " .. kind, function()
         local diagonal, ones = kind == "diag" or kind == "spherical", {}
         for i = 1, diagonal and 3 or 6 do ones[i] = diagonal and { 1, 1 } or { i % 2, (i + 1) % 2 } end
         local model = ml.HMM(start { covariance_type = kind, means_init = reference.means, covariances_init = ones })
         same_as_hmmlearn(model, reference.X, wanted)
         support.near_rows(wanted.means, model.means, 1e-8, "means", 1e-4)
         for i, row in ipairs(wanted.covariances) do
            for j, value in ipairs(row) do
               local component, axis = (i - 1) // 2 + 1, (i - 1) % 2 + 1
               local got = not diagonal and model.covariances:get(i, j)
                  or axis == j and model.covariances:get(component, j) or 0
               assert.near(value, got, 1e-8)
            end
         end
      end)
   end

   it("gives what hmmlearn gives after the same iterations: categorical, poisson", function()
      local model = ml.HMM(start { emission = "categorical", emission_init = reference.emission })
      same_as_hmmlearn(model, reference.codes, reference.categorical)
      support.near_rows(reference.categorical.emission, model.emission_parameters, 1e-8, "emission", 1e-4)
      model = ml.HMM(start { emission = "poisson", emission_init = reference.rates })
      same_as_hmmlearn(model, reference.counts, reference.poisson)
      support.near_rows(reference.poisson.emission, model.emission_parameters, 1e-8, "emission", 1e-4)
   end)

   it("has hmmlearn's maximum with mixtures of two normal distributions in each state", function()
      local wanted, ones = reference.mixture, { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } }
      local model = ml.HMM { n_states = 2, n_mix = 2, covariance_type = "diag", startprob_init = { 0.5, 0.5 },
         transmat_init = { { 0.5, 0.5 }, { 0.5, 0.5 } }, means_init = reference.mixed_means, covariances_init = ones,
         n_init = 1, max_iter = 3000, tol = 0, reg_covar = 0 }:fit(reference.mixed)
      assert.near(wanted.loglik, model.loglik, 1e-7)
      support.near_rows(wanted.transmat, model.transmat, 1e-6, "transmat")
      support.near_rows(wanted.weights, model.mix_weights, 1e-6, "weights")
      support.near_rows(wanted.means, model.means, 1e-5, "means", 1)
      support.near_rows(wanted.covariances, model.covariances, 1e-5, "covariances")
   end)

   -- Zucchini & MacDonald, Hidden Markov Models for Time Series (2009), tables 4.1 and 4.2.
   it("finds the published models of the yearly numbers of large earthquakes", function()
      local X = ml.read_csv "examples/data/earthquakes.csv":select { "count" }
      local two = ml.HMM { n_states = 2, emission = "poisson", tol = 1e-11, seed = 1 }:fit(X)
      assert.near(-341.8787, two.loglik, 5e-5)
      local rates = two.emission_parameters:totable()
      table.sort(rates, function(a, b) return a[1] < b[1] end)
      assert.near(15.421, rates[1][1], 5e-4)
      assert.near(26.018, rates[2][1], 5e-4)
      local three = ml.HMM { n_states = 3, emission = "poisson", tol = 1e-11, n_init = 10 }:fit(X)
      assert.near(-328.5275, three.loglik, 5e-5)
      assert.equal(3 - 1 + 3 * 2 + 3, three.n_parameters)
      assert.near(2 * 11 - 2 * three.loglik, three.aic, 1e-9)
      assert.near(math.log(107) * 11 - 2 * three.loglik, three.bic, 1e-9)
   end)

   it("never lowers the likelihood, or with priors the posterior density", function()
      local X = switching(200, 2, 3, 21)
      for _, settings in ipairs { {}, { order = 2 }, { max_duration = 4 }, { n_mix = 2 },
         { transmat_prior = 3, startprob_prior = 2 }, { order = 2, max_duration = 3 },
         { transmat_pseudocounts = { { 9, 0, 1 }, { 1, 5, 0 }, { 0, 2, 2 } } } } do
         settings.n_states, settings.max_iter, settings.tol, settings.n_init, settings.reg_covar = 3, 40, 0, 1, 0
         local trace = ml.HMM(settings):fit(X).trace
         assert.truthy(#trace > 5)
         for i = 2, #trace do assert.truthy(trace[i] <= trace[i - 1] + 1e-9 * math.abs(trace[i])) end
      end
   end)

   it("does not depend on the numbers of the states", function()
      local rows, order = switching(150, 2, 3, 23), { 3, 1, 2 }
      local first = ml.HMM { n_states = 3, max_iter = 8, tol = 0, n_init = 1, startprob_init = { 0.5, 0.3, 0.2 },
         transmat_init = reference.transmat, means_init = reference.means,
         covariances_init = { { 1, 0 }, { 0, 1 }, { 2, 0 }, { 0, 1 }, { 1, 0 }, { 0, 3 } } }:fit(rows)
      local transmat, means, covariances = {}, {}, {}
      for i = 1, 3 do
         transmat[i], means[i] = {}, reference.means[order[i]]
         for j = 1, 3 do transmat[i][j] = reference.transmat[order[i]][order[j]] end
         covariances[2 * i - 1] = { order[i] == 2 and 2 or 1, 0 }
         covariances[2 * i] = { 0, order[i] == 3 and 3 or 1 }
      end
      local second = ml.HMM { n_states = 3, max_iter = 8, tol = 0, n_init = 1, startprob_init = { 0.2, 0.5, 0.3 },
         transmat_init = transmat, means_init = means, covariances_init = covariances }:fit(rows)
      assert.near(first.loglik, second.loglik, 1e-9)
      for i = 1, 3 do
         for j = 1, 3 do assert.near(first.transmat:get(order[i], order[j]), second.transmat:get(i, j), 1e-9) end
         assert.near(first.means:get(order[i], 1), second.means:get(i, 1), 1e-9)
      end
   end)

   it("is recovered from its samples, also with durations", function()
      local truth = ml.HMM { n_states = 2, n_init = 1 }:fit(switching(300, 1, 2, 25))
      local sample = truth:sample { n = 20000, seed = 1 }
      local model = ml.HMM { n_states = 2, n_init = 1 }:fit(sample.X)
      local same = math.abs(model.means[1][1] - truth.means[1][1]) < 1 and 1 or 2
      assert.near(truth.means[1][1], model.means[same][1], 0.06)
      local agree = 0
      local path, swap = model:predict(sample.X), math.abs(model.means[1][1] - truth.means[1][1]) > 1
      for i = 1, 20000 do
         local state = swap and 3 - path[i] or path[i]
         if state == sample.states[i] then agree = agree + 1 end
      end
      assert.truthy(agree > 0.8 * 20000)
      -- Stays of exactly three rows.
      local rows, noise = {}, ml.normal(3000, 1, 2)
      for i = 1, 3000 do rows[i] = { (i - 1) // 3 % 2 * 6 + noise:get(i, 1) } end
      local stays = ml.HMM { n_states = 2, max_duration = 5, n_init = 1 }:fit(rows)
      for s = 1, 2 do
         assert.near(0, stays.exit:get(s, 1), 1e-3)
         assert.near(0, stays.exit:get(s, 2), 1e-3)
         assert.near(1, stays.exit:get(s, 3), 1e-3)
         assert.near(3, stays:durations().mean[s], 0.01)
      end
   end)

   it("counts known states, and completes those that are missing", function()
      local X = { "a", "a", "b", "a", "b", "b", "a", "b" }
      local y = { "lo", "lo", "hi", "lo", "hi", "hi", "lo", "hi" }
      local model = ml.HMM { emission_prior = 2, transmat_prior = 2, startprob_prior = 2 }:fit(X, y)
      assert.same({ "hi", "lo" }, model.classes)
      support.near_rows({ { 2 / 5, 3 / 5 }, { 4 / 6, 2 / 6 } }, model.transmat, 1e-12)
      support.near_rows({ { 1 / 6, 5 / 6 }, { 5 / 6, 1 / 6 } }, model.emission_parameters, 1e-12)
      support.near_all({ 1 / 3, 2 / 3 }, model.startprob, 1e-12)
      assert.equal("lo", model:predict({ "a" })[1])
      local some = { n = 8, y[1], y[2], y[3], nil, nil, y[6], y[7], y[8] }
      local partly = ml.HMM { emission_prior = 2, transmat_prior = 2 }:fit(X, ml.Factor(some))
      assert.same(y, partly:predict(X):totable())
      support.refuses("n_states is 3, but y has 2 states", function() ml.HMM { n_states = 3 }:fit(X, y) end)
   end)

   it("keeps forbidden, left to right and tied transitions", function()
      local X = switching(200, 1, 3, 27)
      local model = ml.HMM { n_states = 3, topology = "left_right", n_init = 1 }:fit(X)
      assert.same({ 1, 0, 0 }, model.startprob:totable())
      assert.same({ 0, 0, 0, 1 }, { model.transmat:get(2, 1), model.transmat:get(3, 1), model.transmat:get(3, 2),
         model.transmat:get(3, 3) })
      local ring = ml.HMM { n_states = 3, allowed = { { 1, 1, 0 }, { 0, 1, 1 }, { 1, 0, 1 } }, n_init = 1 }:fit(X)
      assert.same({ 0, 0, 0 }, { ring.transmat:get(1, 3), ring.transmat:get(2, 1), ring.transmat:get(3, 2) })
      -- One probability to stay, one to go round, one to go back.
      local tied = ml.HMM { n_states = 3, tied = { { 1, 2, 3 }, { 3, 1, 2 }, { 2, 3, 1 } }, n_init = 1 }:fit(X)
      for i = 1, 3 do
         for j = 1, 3 do
            assert.near(tied.transmat:get(1, (j - i) % 3 + 1), tied.transmat:get(i, j), 1e-12)
         end
      end
      assert.near(1, tied.transmat[2]:sum(), 1e-12)
      assert.equal(2 + 2 + 3 * 2, tied.n_parameters)
      assert.truthy(tied.loglik <= ml.HMM { n_states = 3 }:fit(X).loglik)
      support.refuses("no probabilities satisfy tied", function()
         ml.HMM { n_states = 2, tied = { { 1, 1 }, { 1, 0 } }, allowed = { { 1, 1 }, { 1, 0 } } }:fit(X)
      end)
      support.refuses("transitions from state 2 sum to zero", function()
         ml.HMM { n_states = 2, allowed = { { 1, 1 }, { 0, 0 } } }:fit(X)
      end)
   end)

   it("ties transitions of second order and between stays", function()
      local X = switching(300, 1, 3, 28)
      -- What follows the pair i, j does not depend on i: first order, but for the second row.
      local tied = {}
      for i = 1, 3 do tied[i] = { 0, 0, 0 } end
      for i = 1, 3 do
         for j = 1, 3 do tied[3 * i + j] = { 3 * j + 1, 3 * j + 2, 3 * j + 3 } end
      end
      local fixed = { n_states = 3, n_init = 1, max_iter = 20, tol = 0, means_init = { { 2 }, { 4 }, { 6 } } }
      local function fit(settings)
         for key, value in pairs(fixed) do settings[key] = value end
         return ml.HMM(settings):fit(X)
      end
      local model = fit { order = 2, tied = tied }
      for i = 1, 3 do
         for j = 1, 3 do
            for l = 1, 3 do
               assert.near(model.transmat:get(3 + j, l), model.transmat:get(3 * i + j, l), 1e-12)
            end
         end
      end
      assert.equal(2 + 3 * 2 + 3 * 2 + 3 * 2, model.n_parameters)
      assert.truthy(model.loglik <= fit { order = 2 }.loglik + 1e-6)
      local stays = fit { max_duration = 2, tied = { { 0, 1, 2 }, { 2, 0, 1 }, { 1, 2, 0 } } }
      assert.near(stays.transmat:get(1, 2), stays.transmat:get(3, 1), 1e-12)
      assert.near(stays.transmat:get(1, 3), stays.transmat:get(2, 1), 1e-12)
      assert.equal(2 + 1 + 3 * 2 + 3 * 2, stays.n_parameters)
      support.refuses("tied must be 12 x 3, got 3 x 3", function()
         ml.HMM { n_states = 3, order = 2, tied = { { 1, 2, 3 }, { 3, 1, 2 }, { 2, 3, 1 } } }:fit(X)
      end)
   end)

   it("recovers a chain of second order whose stays have lengths", function()
      -- From a stay in 1 the chain goes to 2 and from there on to 3, or from 3 to 2 and on to 1; stays have two rows.
      local rows, noise = {}, ml.normal(4000, 1, 2)
      local turn = { 1, 2, 3, 2 }
      for i = 1, 4000 do rows[i] = { 5 * turn[(i - 1) // 2 % 4 + 1] + noise:get(i, 1) } end
      local model = ml.HMM { n_states = 3, order = 2, max_duration = 3, n_init = 1,
         means_init = { { 5 }, { 10 }, { 15 } } }:fit(rows)
      assert.near(1, model.transmat:get(3 + 2, 3), 1e-3)     -- 1, 2 -> 3
      assert.near(1, model.transmat:get(3 + 6 + 2, 1), 1e-3) -- 3, 2 -> 1
      for s = 1, 3 do assert.near(2, model:durations().mean[s], 0.01) end
      local sample = model:sample { n = 4000, seed = 1 }
      local second = ml.MarkovChain { order = 3 }:fit(sample.states:reshape(4000, 1))
      assert.truthy(second.loglik > -1) -- each state is determined by the three before it
   end)

   it("adds prior counts of each state, transition and level", function()
      local X = { "a", "a", "b", "a", "b", "b", "a", "b" }
      local y = { "lo", "lo", "hi", "lo", "hi", "hi", "lo", "hi" }
      local model = ml.HMM { startprob_pseudocounts = { 3, 0 }, transmat_pseudocounts = { { 1, 0 }, { 0, 6 } },
         emission_pseudocounts = { { 2, 0 }, { 0, 4 } }, transmat_prior = 2 }:fit(X, y)
      -- Counts of hi, lo: start 0 1; transitions 1 2, 3 1; levels a, b: 0 4, 4 0.
      support.near_all({ 3 / 4, 1 / 4 }, model.startprob, 1e-12)
      support.near_rows({ { 3 / 6, 3 / 6 }, { 4 / 12, 8 / 12 } }, model.transmat, 1e-12)
      support.near_rows({ { 2 / 6, 4 / 6 }, { 4 / 8, 4 / 8 } }, model.emission_parameters, 1e-12)
      support.refuses("transmat_pseudocounts must be 2 x 2, got 1 x 2",
         function() ml.HMM { transmat_pseudocounts = { { 1, 0 } } }:fit(X, y) end)
   end)

   it("names impossible rows", function()
      local model = ml.HMM { n_states = 2, n_init = 1 }:fit({ "a", "b", "a", "a", "b", "b" })
      support.refuses("row 2 of X is impossible", function() model:predict { "a", "c", "b" } end)
      support.refuses("row 2 of X is impossible: its probability is zero in every state", function()
         ml.HMM {}:fit({ "a", "b", "b", "c" }, { "s", "t", "t", "t" }):predict { "a", "a" }
      end)
      local all = ml.Factor { "a", "b", "a", "b", "b", "a", levels = { "a", "b", "c" } }
      assert.equal(2, #ml.HMM { n_init = 1, emission_prior = 2 }:fit(all):predict { "a", "c" })
      support.refuses("row 4 of X, row 2 of sequence 2, is impossible: fit has not seen the level in column 1",
         function() model:predict_proba({ "a", "b", "a", "c" }, { lengths = { 2, 2 } }) end)
      local scores = model:score_samples { "a", "c", "b" }
      assert.truthy(scores[1] > -math.huge)
      assert.equal(-math.huge, scores[2])
   end)

   -- An outlier that the later of two states explains better by thousands of units, where none leads back: the path
   -- that stays is right, and its scaled probabilities underflow.
   it("does not lose states that later rows need", function()
      local rows, fit_rows = {}, {}
      for i = 1, 60 do fit_rows[i] = { i <= 30 and (i % 2) * 0.1 or 100 + (i % 2) * 0.1 } end
      for i = 1, 12 do rows[i] = { (i % 2) * 0.1 } end
      rows[4] = { 60 }
      local model = ml.HMM { n_states = 2, topology = "left_right", n_init = 1, reg_covar = 0.01 }:fit(fit_rows)
      local few = {}
      for i = 1, 8 do few[i] = rows[i] end
      agrees(model, few, 8, paths.gaussian(model), 1e-3)
   end)

   it("is the same for long sequences, whose rows are divided, and for any number of threads", function()
      local n = 70000
      local noise, turn = ml.normal(n, 1, 31), ml.normal(n, nil, 32)
      local level, state = {}, 0
      for i = 1, n do
         if turn[i] > 1.3 then state = 1 - state end
         level[i] = { 3 * state }
      end
      local X = noise + ml.Matrix(level)
      local function fit() return ml.HMM { n_states = 2, n_init = 1, max_iter = 3, tol = 0 }:fit(X) end
      support.same_for_any_threads(fit)
      local model = fit()
      local log_density = paths.gaussian(model)
      local a, loglik = { model.startprob[1], model.startprob[2] }, 0
      for i = 1, n do
         if i > 1 then
            a = { a[1] * model.transmat:get(1, 1) + a[2] * model.transmat:get(2, 1),
               a[1] * model.transmat:get(1, 2) + a[2] * model.transmat:get(2, 2) }
         end
         local row = { X:get(i, 1) }
         a[1], a[2] = a[1] * math.exp(log_density(row, 1)), a[2] * math.exp(log_density(row, 2))
         local total = a[1] + a[2]
         loglik, a = loglik + math.log(total), { a[1] / total, a[2] / total }
      end
      assert.near(loglik, model.loglik, 1e-7)
      assert.near(a[1], model.state_probabilities[1], 1e-9)
      assert.near(a[1], model:predict_proba(X):get(n, 1), 1e-9)
      local tens = {}
      for i = 1, 900 do tens[i] = 10 end
      support.same_for_any_threads(function()
         return ml.HMM { n_states = 2, n_init = 3, max_iter = 4, tol = 0 }:fit(X:slice(1, 9000), nil,
            { lengths = tens })
      end)
   end)

   it("goes on row by row, and forecasts", function()
      local X = switching(40, 2, 2, 33)
      for _, settings in ipairs { {}, { order = 2 }, { max_duration = 3 } } do
         settings.n_states, settings.n_init = 2, 1
         local model, head = ml.HMM(settings):fit(X), {}
         for i = 1, 40 do head[i] = X[i] end
         local more = switching(6, 2, 2, 34)
         local online = model:clone():fit(X)
         for i = 1, 6 do
            head[40 + i] = more[i]
            online:advance(i % 2 == 0 and ml.Vector(more[i]) or more[i])
            local filtered = model:filter(head)
            for s = 1, 2 do assert.near(filtered:get(40 + i, s), online.state_probabilities[s], 1e-10) end
         end
         local ahead, other = online:forecast(nil, { steps = 3 }), model:forecast(head, { steps = 3 })
         for t = 1, 3 do
            assert.near(1, ahead.states[t]:sum(), 1e-12)
            assert.near(other.states:get(t, 1), ahead.states:get(t, 1), 1e-10)
            assert.near(other.mean:get(t, 2), ahead.mean:get(t, 2), 1e-9)
         end
         -- A row of missing values moves the states by one step; half a row says what it does in fit.
         head[47] = { nan, nan }
         assert.near(other.states:get(1, 1), model:filter(head):get(47, 1), 1e-10)
         online:advance { nan, nan }
         assert.near(other.states:get(1, 1), online.state_probabilities[1], 1e-10)
         head[48] = { more[1][1], nan }
         online:advance(head[48])
         assert.near(model:filter(head):get(48, 1), online.state_probabilities[1], 1e-10)
         support.refuses("row must be", function() online:advance { 1 / 0, 1 } end)
      end
   end)
end)
