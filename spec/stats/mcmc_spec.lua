--- Diagnostics of Markov chains compared with an independent computation, on the same draws.
local ml = require "manilius"
local core = require "manilius.core"
local oracle = dofile "spec/fixtures/stats/mcmc.lua"
local support = dofile "spec/support.lua"

local function make(case)
   local state, rows = case.seed, {}
   for c = 1, case.chains do
      local x = 0.0
      rows[c] = {}
      for i = 1, case.length do
         state = state * 48271 % 2147483647
         x = case.memory * x + (state % 1001 - 500)
         local v = x + (c - 1) * case.apart
         rows[c][i] = case.wild and v * v * v or v
      end
   end
   return ml.Matrix(rows)
end

describe("chains", function()
   for name, case in pairs(oracle) do
      it("have the expected diagnostics: " .. name, function()
         local r_hat, ess, ess_tail = core.mcmc_diagnostics(make(case))
         support.near(case.r_hat, r_hat, 1e-10, "r_hat")
         support.near(case.ess, ess, 1e-8, "ess")
         support.near(case.ess_tail, ess_tail, 1e-8, "ess_tail")
      end)
   end

   it("agree if they are constant, and have no diagnostics if they are too short", function()
      assert.same({ 1, 200, 200 }, { core.mcmc_diagnostics(ml.full(4, 50, 3)) })
      local r_hat, ess = core.mcmc_diagnostics(ml.normal(4, 3, 1))
      assert.is_true(r_hat ~= r_hat and ess ~= ess)
      assert.equal(math.huge, (core.mcmc_diagnostics { { 1, 1, 1, 1, 1, 1 }, { 2, 2, 2, 2, 2, 2 } }))
   end)
end)
