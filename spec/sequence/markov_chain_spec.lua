local ml = require "manilius"
local support = require "spec.support"

describe("MarkovChain", function()
   local weather = { "sun", "sun", "rain", "rain", "sun", "rain", "rain", "sun" }

   it("counts transitions", function()
      local model = ml.MarkovChain {}:fit(weather)
      assert.same({ "rain", "sun" }, model.classes)
      assert.same({ { 2, 2 }, { 2, 1 } }, model.counts:totable())
      support.near_rows({ { 1 / 2, 1 / 2 }, { 2 / 3, 1 / 3 } }, model.transition_matrix, 1e-15)
      local loglik = 4 * math.log(1 / 2) + 2 * math.log(2 / 3) + math.log(1 / 3)
      assert.near(loglik, model.loglik, 1e-14)
      assert.near(loglik, model:score_samples(weather):sum(), 1e-14)
      assert.equal(2, model.n_parameters)
      assert.near(4 - 2 * loglik, model.aic, 1e-13)
      assert.near(2 * math.log(7) - 2 * loglik, model.bic, 1e-13)
      assert.equal("rain", model:predict({ "sun" })[1])
      assert.same({ 3 / 5, 2 / 5 }, ml.MarkovChain { smoothing = 1 }:fit(weather):predict_proba({ "sun" })[1]:totable())
   end)

   it("takes Factors, columns of Frames and numbers alike, and keeps sequences apart", function()
      local code = { sun = 7, rain = 3 }
      local numbers = {}
      for i, name in ipairs(weather) do numbers[i] = { code[name] } end
      local lengths = { lengths = { 3, 5 } }
      local wanted = ml.MarkovChain {}:fit(weather, nil, lengths)
      assert.same({ { 1, 2 }, { 2, 1 } }, wanted.counts:totable())
      assert.same({ 0.5, 0.5 }, wanted.start:totable())
      for _, X in ipairs { ml.Factor(weather), ml.Frame { { "w", ml.Factor(weather) } }, numbers } do
         assert.same(wanted.counts:totable(), ml.MarkovChain {}:fit(X, nil, lengths).counts:totable())
      end
      assert.same({ 3, 7 }, ml.MarkovChain {}:fit(numbers).classes)
      assert.equal(3, ml.MarkovChain {}:fit(numbers):predict({ { 7 } })[1])
   end)

   it("has any order", function()
      local model = ml.MarkovChain { order = 2, smoothing = 0.5 }:fit(weather)
      -- contexts: rain rain, rain sun, sun rain, sun sun
      assert.same({ { 0, 2 }, { 1, 0 }, { 2, 0 }, { 1, 0 } }, model.counts:totable())
      support.near_rows({ { 1 / 6, 5 / 6 } }, model.transition_matrix:slice(1, 1), 1e-15)
      assert.same({ 0, 0 }, model:score_samples(weather):slice(1, 2):totable())
      assert.near(math.log(5 / 6), model:score_samples({ "rain", "rain", "sun" })[3], 1e-15)
   end)

   it("has the stationary distribution x P = x, also of higher order", function()
      local model = ml.MarkovChain {}:fit(weather)
      support.near_all({ 4 / 7, 3 / 7 }, model:stationary(), 1e-15)
      local long = ml.MarkovChain { transition = { { 0.2, 0.8 }, { 0.6, 0.4 } } }:sample { n = 400, seed = 1 }
      local second = ml.MarkovChain { order = 2 }:fit(long:reshape(400, 1))
      local p, x = second.transition_matrix, { 0.25, 0.25, 0.25, 0.25 } -- by power iteration on pairs
      for _ = 1, 500 do
         local next = { 0, 0, 0, 0 }
         for pair = 1, 4 do
            for s = 1, 2 do
               local to = ((pair - 1) % 2) * 2 + s
               next[to] = next[to] + x[pair] * p:get(pair, s)
            end
         end
         x = next
      end
      support.near_all({ x[1] + x[3], x[2] + x[4] }, second:stationary(), 1e-12)
      support.refuses("several stationary distributions, since states 1 and 2 cannot reach each other", function()
         ml.MarkovChain { transition = { { 1, 0 }, { 0, 1 } } }:stationary()
      end)
   end)

   it("solves the gambler's ruin", function()
      -- From i of 5 with probability p of winning: Norris (1997), example 1.3.3, and its expected duration.
      local p, q, top, rows = 0.4, 0.6, 5, {}
      for i = 0, top do
         rows[i + 1] = {}
         for j = 0, top do
            local absorbed = i == 0 or i == top
            rows[i + 1][j + 1] = absorbed and (i == j and 1 or 0) or (j == i + 1 and p or j == i - 1 and q or 0)
         end
      end
      local chain = ml.MarkovChain { transition = rows }
      local ends = chain:absorption()
      local won = chain:hitting_times { target = { top + 1 } }
      local both = chain:hitting_times { target = { 1, top + 1 } }
      for i = 0, top do
         local wins = (1 - (q / p) ^ i) / (1 - (q / p) ^ top)
         local duration = i / (q - p) - top / (q - p) * wins
         assert.near(wins, ends.probability:get(i + 1, 2), 1e-13)
         assert.near(wins, won.probability[i + 1], 1e-13)
         assert.near(duration, ends.times[i + 1], 1e-12)
         assert.near(duration, both.times[i + 1], 1e-12)
         if i < top then assert.equal(math.huge, won.times[i + 1]) end
      end
      assert.same({ 1, 0, 0, 0, 0, 2 }, ends.class:totable())
   end)

   it("expects 14 throws for three heads in a row", function()
      local chain = ml.MarkovChain { transition = { { 0.5, 0.5, 0, 0 }, { 0.5, 0, 0.5, 0 }, { 0.5, 0, 0, 0.5 },
         { 0, 0, 0, 1 } } }
      support.near_all({ 14, 12, 8, 0 }, chain:hitting_times { target = { 4 } }.times, 1e-12)
   end)

   it("is recovered from its samples", function()
      local transition = { { 0.7, 0.2, 0.1 }, { 0.3, 0.4, 0.3 }, { 0.1, 0.1, 0.8 } }
      local states = ml.MarkovChain { transition = transition }:sample { n = 50000, seed = 3 }
      local model = ml.MarkovChain {}:fit(states:reshape(50000, 1))
      for i, row in ipairs(transition) do -- within 3 standard errors of the rarest row
         for j, p in ipairs(row) do assert.near(p, model.transition_matrix:get(i, j), 0.012) end
      end
      assert.same(states:totable(), ml.MarkovChain { transition = transition }:sample { n = 50000, seed = 3 }:totable())
      local names = ml.MarkovChain {}:fit(weather):sample { n = 20, seed = 1 }
      for _, name in ipairs(names) do assert.truthy(name == "sun" or name == "rain") end
   end)

   it("names what is wrong", function()
      local ended = { "a", "b", "a", "c" }
      support.refuses("the transitions from state c sum to zero", function() ml.MarkovChain {}:fit(ended) end)
      support.refuses("the transitions from state a sum to zero", function() ml.MarkovChain {}:fit { "a" } end)
      support.refuses("lengths must be whole numbers >= 1, got %-1 at position 2",
         function() ml.MarkovChain {}:fit({ "a", "b" }, nil, { lengths = { 3, -1 } }) end)
      local absorbing = ml.MarkovChain { dead_ends = "absorbing" }:fit(ended)
      assert.same({ 0, 0, 1 }, absorbing.transition_matrix[3]:totable())
      support.refuses("the transitions from state 2 sum to zero",
         function() ml.MarkovChain { transition = { { 0, 1 }, { 0, 0 } } }:stationary() end)
      support.refuses("row 1 of transition must add up to 1, got 0.9",
         function() ml.MarkovChain { transition = { { 0.5, 0.4 }, { 0, 1 } } }:stationary() end)
      support.refuses("target must be one of the 2 states, got snow",
         function() ml.MarkovChain {}:fit(weather):hitting_times { target = { "snow" } } end)
      support.refuses("order 30 of 2 states has more than", function() ml.MarkovChain { order = 30 }:fit(weather) end)
      assert.equal(-math.huge, ml.MarkovChain {}:fit(weather):score_samples({ "sun", "hail" })[2])
   end)
end)
