local ml = require "manilius"
local support = require "spec.support"

describe("select_hmm", function()
   it("chooses the published number of states of the earthquakes", function()
      -- Zucchini & MacDonald (2009), section 6.1: three states, by AIC and BIC.
      local X = ml.read_csv("examples/data/earthquakes.csv"):select { "count" }
      local choice = ml.select_hmm(ml.HMM { emission = "poisson", n_init = 10 }, X)
      assert.equal(2, #choice.model.startprob) -- free start probabilities cost BIC more than the book's stationary ones
      assert.equal(3, ml.select_hmm(ml.HMM { emission = "poisson", n_init = 10 }, X, { criterion = "aic" }).n_states)
      assert.equal(choice.model.bic, choice.value)
      assert.same({ 1, 2, 3, 4 }, choice.table.states:totable())
      assert.truthy(tostring(choice):find("best by bic: 2 states", 1, true))
      support.refuses("model must be a hidden Markov model", function() ml.select_hmm(ml.KMeans {}, X) end)
      support.refuses("states must be a list", function() ml.select_hmm(ml.HMM {}, X, { states = 3 }) end)
   end)
end)
