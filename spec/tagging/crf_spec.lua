local ml = require "manilius"
local crfsuite = require "spec.fixtures.tagging.crfsuite"
local enumerate = require "spec.tagging.enumerate"
local ud = require "spec.tagging.support"

local weather = {
   X = { { "hot", "dry" }, { "hot" }, { "cold", "wet" }, { "cold" }, { "wet" }, { "hot", "wet" }, { "cold", "dry" },
      { "dry" }, { "hot" } },
   y = { "run", "run", "read", "read", "swim", "swim", "run", "read", "swim" },
   lengths = { 4, 3, 2 },
}

local function fit(settings, data)
   data = data or weather
   return ml.CRF(settings):fit(data.X, data.y, { lengths = data.lengths })
end

describe("CRF, by enumeration of all tag sequences,", function()
   local model = fit { c2 = 0.05, tol = 1e-14 }
   local rows = { { "hot", "wet" }, { "cold", "new" }, {}, { "dry" } }
   local all = enumerate.sequences(model, rows)

   it("gives the log probability of each sequence", function()
      local total = 0
      for _, s in ipairs(all) do
         assert.near(s.score - all.log_sum, model:log_likelihood(rows, s.tags)[1], 1e-12)
         total = total + math.exp(model:log_likelihood(rows, s.tags)[1])
      end
      assert.near(1, total, 1e-12)
   end)

   it("gives the marginals", function()
      local p, wanted = model:predict_proba(rows), enumerate.marginals(model, rows, all)
      for t = 1, #rows do
         for k = 1, #model.classes do assert.near(wanted[t][k], p[t][k], 1e-12) end
      end
   end)

   it("finds the best sequence", function()
      local best = enumerate.best(all)
      assert.same(best.tags, model:predict(rows):totable())
      assert.near(best.score - all.log_sum, model:decode(rows).scores[1], 1e-12)
   end)

   it("finds the best sequence with fixed tags", function()
      local best = enumerate.best(all, function(tags) return tags[2] == "run" and tags[4] == "swim" end)
      local found = model:decode(rows, { fixed_rows = { 2, 4 }, fixed_tags = { "run", "swim" } })
      assert.same(best.tags, found.tags)
      assert.near(best.score - all.log_sum, found.scores[1], 1e-12)
   end)

   it("finds the best sequence of allowed transitions", function()
      local allowed = { { 0, 1, 0 }, { 1, 0, 1 }, { 0, 1, 0 } } -- between read and run, run and swim
      local best = enumerate.best(all, function(tags)
         for t = 2, #tags do
            if (tags[t - 1] == "run") == (tags[t] == "run") then return false end
         end
         return true
      end)
      assert.same(best.tags, model:decode(rows, { allowed = allowed }).tags)
   end)

   it("is at a minimum of the objective, by finite differences", function()
      local data = {}
      local first = 1
      for _, n in ipairs(weather.lengths) do
         data[#data + 1] = { X = table.move(weather.X, first, first + n - 1, 1, {}),
            y = table.move(weather.y, first, first + n - 1, 1, {}) }
         first = first + n
      end
      local w = enumerate.coefficients(model)
      local function objective()
         local sum = 0
         for _, s in ipairs(data) do
            local sequences = enumerate.sequences(model, s.X, w)
            sum = sum + sequences.log_sum - enumerate.score(model, s.X, s.y, w)
         end
         for _, c in ipairs(w.list) do sum = sum + 0.05 * c.value ^ 2 end
         return sum
      end
      assert.near(model.objective, objective(), 1e-9)
      for _, c in ipairs(w.list) do
         local value, h = c.value, 1e-5
         c.value = value + h
         local up = objective()
         c.value = value - h
         local down = objective()
         c.value = value
         assert.near(0, (up - down) / (2 * h), 2e-5)
      end
   end)
end)

describe("CRF and CRFsuite", function()
   local X, y, lengths = ud.sentences("train", 60)
   local function fit_few(settings)
      settings.template, settings.tol, settings.max_iter = ud.template, 1e-13, 5000
      return ml.CRF(settings):fit(X, y, { lengths = lengths })
   end

   for name, settings in pairs {
      l2 = { c2 = 1 }, weak_l2 = { c2 = 0.05 }, l1 = { c1 = 0.5, c2 = 0.01 },
      states = { c2 = 1, all_possible_states = true }, transitions = { c2 = 1, all_possible_transitions = true },
      minfreq = { c2 = 1, min_freq = 2 },
   } do
      it("have the same minimum: " .. name, function()
         local model = fit_few(settings)
         assert.near(1, model.objective / crfsuite[name].loss, 1e-8) -- printed with 6 decimals
      end)
   end

   it("give a sentence the same tags and probabilities", function()
      local model, test, _, test_lengths = fit_few { c2 = 1 }, ud.sentences "test"
      local sentence = test:slice(1, test_lengths[1])
      local found = model:decode(sentence)
      assert.same(crfsuite.tags, found.tags)
      assert.near(crfsuite.probability, math.exp(found.scores[1]), 1e-5)
      local noun = ml.Factor(model.classes):totable()
      local column
      for i, tag in ipairs(noun) do column = tag == "NOUN" and i or column end
      for t, p in ipairs(crfsuite.noun) do assert.near(p, model:predict_proba(sentence)[t][column], 1e-5) end
   end)

   it("have the same accuracy on the Universal Dependencies sample", function()
      local train, tags, train_lengths = ud.sentences "train"
      local model = ml.CRF { template = ud.template, c2 = 0.1, tol = 1e-4 }
         :fit(train, tags, { lengths = train_lengths })
      local test, wanted, test_lengths = ud.sentences "test"
      local found = model:predict(test, { lengths = test_lengths })
      assert.near(crfsuite.accuracy, ml.metrics.accuracy(wanted, found), 0.003)
   end)
end)

describe("CRF", function()
   it("satisfies the optimality conditions of the L1 penalty", function()
      local c1, c2 = 0.3, 0.01
      local model = fit { c1 = c1, c2 = c2, tol = 1e-14, max_iter = 5000 }
      local p, w = model:predict_proba(weather.X, { lengths = weather.lengths }), enumerate.coefficients(model)
      local zeros = 0
      for _, feature in ipairs { "hot", "cold", "wet", "dry" } do
         for k, tag in ipairs(model.classes) do
            local gradient, seen = 0, false
            for t, row in ipairs(weather.X) do
               for _, one in ipairs(row) do
                  if one == feature then
                     gradient = gradient + p[t][k] - (weather.y[t] == tag and 1 or 0)
                     seen = seen or weather.y[t] == tag
                  end
               end
            end
            local c = w.states[feature] and w.states[feature][tag]
            if c then
               assert.near(0, gradient + 2 * c2 * c.value + (c.value > 0 and c1 or -c1), 1e-5)
            elseif seen then
               zeros = zeros + 1
               assert.is_true(math.abs(gradient) <= c1 + 1e-5)
            end
         end
      end
      assert.is_true(zeros > 0)
   end)

   it("comes close to the minimum by stochastic gradient descent", function()
      local X, y, lengths = ud.sentences("train", 60)
      local data = { X = X, y = y, lengths = lengths }
      local exact = fit({ template = ud.template }, data).objective
      local found = fit({ template = ud.template, solver = "sgd" }, data).objective
      assert.near(1, found / exact, 2e-4)
      exact = fit({ template = ud.template, min_freq = 3 }, data).objective
      found = fit({ template = ud.template, min_freq = 3, solver = "sgd" }, data).objective
      assert.near(1, found / exact, 2e-4)
      exact = fit({ template = ud.template, c1 = 0.5, c2 = 0.1 }, data).objective
      found = fit({ template = ud.template, c1 = 0.5, c2 = 0.1, solver = "sgd", max_iter = 60 }, data).objective
      assert.near(1, found / exact, 0.05)
   end)

   it("ignores features that fit has not seen", function()
      local model = fit {}
      assert.same(model:predict_proba({ { "hot" } }):totable(), model:predict_proba({ { "hot", "hail" } }):totable())
      assert.equal(3, #model:predict { { "hail" }, {}, { "hail" } })
   end)

   it("treats sequences as independent", function()
      local model = fit {}
      local joined = model:predict_proba({ { "hot" }, { "wet" }, { "cold" } }, { lengths = { 1, 2 } })
      assert.same(model:predict_proba({ { "hot" } })[1]:totable(), joined[1]:totable())
      assert.same(model:predict_proba({ { "wet" }, { "cold" } })[2]:totable(), joined[3]:totable())
   end)

   it("takes the same features as strings, named values, sparse columns and template", function()
      local named, texts = {}, { word = {}, n = #weather.X }
      for i, row in ipairs(weather.X) do
         named[i] = { word = row[1] }
         texts.word[i] = row[1]
      end
      local frame = ml.Frame { { "word", ml.Factor(texts.word) } }
      local dict = ml.DictVectorizer {}:fit(named)
      local options = { lengths = weather.lengths }
      local wanted = ml.CRF {}:fit(named, weather.y, options):predict_proba(named, options):totable()
      assert.same(wanted, ml.CRF {}:fit(frame, weather.y, options):predict_proba(frame, options):totable())
      local sparse = dict:transform(named)
      assert.same(wanted, ml.CRF {}:fit(sparse, weather.y, options):predict_proba(sparse, options):totable())
      local template = ml.CRF { template = "%x[0,word]" }:fit(frame, weather.y, options)
      assert.same(wanted, template:predict_proba(frame, options):totable())
      local pipe = ml.Pipeline { ml.DictVectorizer {}, ml.CRF {} }:fit(named, weather.y, options)
      assert.same(wanted, pipe:predict_proba(named, options):totable())
   end)

   it("works with weights that are far apart", function()
      local X, y = {}, {}
      for i = 1, 40 do
         X[i] = { [i % 2 == 0 and "even" or "odd"] = 1000 }
         y[i] = i % 2 == 0 and "a" or "b"
      end
      local model = ml.CRF { c2 = 0 }:fit(X, y)
      local p = model:predict_proba(X)
      assert.same(y, model:predict(X):totable())
      for i = 1, 40 do assert.near(1, p[i][1] + p[i][2], 1e-12) end
      local odd = model:predict_proba { { odd = 1e6 }, { even = 1e6 }, { even = 1e6, odd = 1e6 } }
      for i = 1, 3 do assert.near(1, odd[i][1] + odd[i][2], 1e-12) end
   end)

   it("shows its largest coefficients", function()
      local s = fit { c2 = 0.05 }:summary { n = 3 }
      assert.equal(3, s.features.rows)
      assert.same({ "from", "to", "coef" }, s.transitions.names)
      local size = s.features.coef:totable()
      assert.is_true(math.abs(size[1]) >= math.abs(size[2]) and math.abs(size[2]) >= math.abs(size[3]))
   end)

   it("is the same when saved and loaded", function()
      local model = fit {}
      local copy = ml.load(model:dump())
      assert.same(model:predict_proba(weather.X):totable(), copy:predict_proba(weather.X):totable())
   end)

   it("explains what is wrong", function()
      local model = fit {}
      assert.error_matches(function() fit { c1 = 1, solver = "lbfgs" } end, "solver 'lbfgs' needs c1 = 0")
      assert.error_matches(function() fit { template = "U:%x[0,0]" } end,
         "template needs X with columns of texts, a Frame, got a list of features")
      assert.error_matches(function() model:predict { { 1 } } end,
         "X must be a list of features, as in fit, got columns of numbers")
      assert.error_matches(function() model:decode(weather.X, { allowed = { { 1 } } }) end,
         "allowed must be 3 x 3, a row and a column for each class, got 1 x 1")
      assert.error_matches(function() model:decode(weather.X, { fixed_rows = { 1 } }) end,
         "fixed_tags must have as many tags as fixed_rows rows, 1, got 0")
      assert.error_matches(function() model:decode(weather.X, { fixed_rows = { 1 }, fixed_tags = { "walk" } }) end,
         "fixed_tags must be classes, got walk at position 1")
      assert.error_matches(function()
         model:decode(weather.X, { lengths = { 4, 5 }, allowed = ml.Matrix(3, 3) })
      end, "the constraints allow no tags for sequence 1 %(rows 1 to 4%)")
      assert.error_matches(function() fit { min_freq = 100 } end, "no feature is left; decrease min_freq")
      assert.error_matches(function() ml.CRF {}:fit({ { "a" }, { "b", 2 } }, { "x", "y" }) end,
         "row 2: the features of its list must be strings, got number at position 2")
   end)
end)
