local ml = require "manilius"
local enumerate = require "spec.tagging.enumerate"
local ud = require "spec.tagging.support"
local wapiti = require "spec.fixtures.tagging.transition_features"

local TEMPLATE = "U00:%x[0,w]\nB01:%x[0,w]\nB02:%x[-1,v]/%x[0,v]\nB\n"

local weather = ml.Frame {
   { "w", ml.Factor { "hot", "cold", "hot", "wet", "dry", "hot", "cold", "wet", "wet" } },
   { "v", ml.Factor { "a", "b", "a", "a", "b", "b", "a", "b", "a" } },
}
local y = { "run", "read", "run", "swim", "run", "read", "swim", "read", "run" }
local lengths = { 4, 3, 2 }

-- The features that the template makes of a sequence, as lists for spec/tagging/enumerate.lua.
local function features(frame)
   local w, v, rows = frame.w:totable(), frame.v:totable(), {}
   for t = 1, #w do
      rows[t] = { "U00:" .. w[t] }
      rows[t].of_transition = { "B01:" .. w[t], t > 1 and "B02:" .. v[t - 1] .. "/" .. v[t] }
   end
   return rows
end

local function sequences()
   local list, first = {}, 1
   for s, n in ipairs(lengths) do
      list[s] = { X = features(weather:slice(first, first + n - 1)), y = table.move(y, first, first + n - 1, 1, {}) }
      first = first + n
   end
   return list
end

local new = ml.Frame { { "w", ml.Factor { "wet", "icy", "hot", "cold" } }, { "v", ml.Factor { "b", "a", "b", "a" } } }

for name, settings in pairs {
   observed = { c2 = 0.05 },
   all = { c2 = 0.05, all_possible_transitions = true },
   frequent = { c2 = 0.2, min_freq = 2 },
} do
   describe("CRF with features of transitions (" .. name .. "), by enumeration,", function()
      settings.template, settings.tol = TEMPLATE, 1e-14
      local model = ml.CRF(settings):fit(weather, y, { lengths = lengths })
      local rows = features(new)
      local all = enumerate.sequences(model, rows)

      it("gives the log probability of each sequence", function()
         assert.is_true(#model:summary().transition_features.coef > 0)
         for _, s in ipairs(all) do
            assert.near(s.score - all.log_sum, model:log_likelihood(new, s.tags)[1], 1e-12)
         end
      end)

      it("gives the marginals, and the best sequence", function()
         local p, wanted = model:predict_proba(new), enumerate.marginals(model, rows, all)
         for t = 1, #rows do
            for k = 1, #model.classes do assert.near(wanted[t][k], p[t][k], 1e-12) end
         end
         local best = enumerate.best(all)
         assert.same(best.tags, model:predict(new):totable())
         assert.near(best.score - all.log_sum, model:decode(new).scores[1], 1e-12)
      end)

      it("finds the best sequence under constraints", function()
         local best = enumerate.best(all, function(tags)
            for t = 2, #tags do
               if tags[t] == tags[t - 1] then return false end
            end
            return tags[3] == "run"
         end)
         local found = model:decode(new, { allowed = { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } }, fixed_rows = { 3 },
            fixed_tags = { "run" } })
         assert.same(best.tags, found.tags)
         assert.near(best.score - all.log_sum, found.scores[1], 1e-12)
      end)

      it("is at a minimum of the objective, by finite differences", function()
         local w = enumerate.coefficients(model)
         local function objective()
            local sum = 0
            for _, s in ipairs(sequences()) do
               sum = sum + enumerate.sequences(model, s.X, w).log_sum - enumerate.score(model, s.X, s.y, w)
            end
            for _, c in ipairs(w.list) do sum = sum + settings.c2 * c.value ^ 2 end
            return sum
         end
         assert.near(model.objective, objective(), 1e-9)
         for i = 1, #w.list, 3 do
            local c, h = w.list[i], 1e-5
            local value = c.value
            c.value = value + h
            local up = objective()
            c.value = value - h
            assert.near(0, (up - objective()) / (2 * h), 2e-5)
            c.value = value
         end
      end)

      it("is the same after saving, for any number of threads", function()
         local copy = ml.load(model:dump())
         assert.same(model:predict_proba(new):totable(), copy:predict_proba(new):totable())
         local function coefficients(m) return m:summary().transition_features.coef:totable() end
         assert.same(coefficients(model), coefficients(copy))
         local core = require "manilius.core"
         local before = core.memory.threads()
         core.memory.threads(1)
         assert.equal(model:dump(), ml.CRF(settings):fit(weather, y, { lengths = lengths }):dump())
         core.memory.threads(before)
      end)
   end)
end

describe("CRF with features of transitions and Wapiti", function()
   it("have the same coefficients", function()
      local X, tags, sizes = ud.sentences("train", 6)
      local suffix, capital, form = {}, {}, X.form:totable()
      for i, word in ipairs(form) do
         suffix[i], capital[i] = word:match "[^\x80-\xbf][\x80-\xbf]*$", word:find "^%u" and "A" or "a"
      end
      local frame = ml.Frame { { "form", ml.Factor(form) }, { "suffix", ml.Factor(suffix) },
         { "capital", ml.Factor(capital) } }
      local model = ml.CRF { c2 = 0.05, tol = 1e-15, max_iter = 5000, all_possible_states = true,
         all_possible_transitions = true,
         template = "U01:%x[0,form]\nU02:%x[0,suffix]\nB03:%x[0,suffix]\nB04:%x[-1,capital]/%x[0,capital]" }
      model:fit(frame, tags, { lengths = sizes })
      local w, penalty = enumerate.coefficients(model), 0
      for _, c in ipairs(w.list) do penalty = penalty + 0.05 * c.value ^ 2 end
      assert.near(wapiti.penalty, penalty, 1e-3)
      for _, c in ipairs(wapiti) do
         local found
         if c[1] == "B" then
            found = w.transitions[c[2]][c[3]]
         elseif c[3] then
            found = w.transition_features[c[1]][c[2] .. " " .. c[3]]
         else
            found = w.states[c[1]][c[2]]
         end
         assert.near(c.value, found.value, 1e-3, table.concat(c, " "))
      end
   end)
end)

describe("Features of transitions of other models", function()
   it("make MEMM a model of each token given the tag before", function()
      local model = ml.MEMM { c2 = 0.05, template = TEMPLATE, tol = 1e-14 }:fit(weather, y, { lengths = lengths })
      local rows, w = features(new), enumerate.coefficients(model)
      -- log p(tag | before) of token t
      local function log_p(t, before, tag)
         local row = { rows[t], t > 1 and rows[t - 1] or nil }
         local function score(of)
            if t == 1 then return enumerate.score(model, { rows[1] }, { of }, w) end
            return enumerate.score(model, { { of_transition = {} }, row[1] }, { before, of }, w)
         end
         local sum = 0
         for _, class in ipairs(model.classes) do sum = sum + math.exp(score(class)) end
         return score(tag) - math.log(sum)
      end
      local best, marginal = { score = -math.huge }, {}
      local function extend(tags, score)
         local t = #tags + 1
         if t > #rows then
            assert.near(score, model:log_likelihood(new, tags)[1], 1e-12)
            marginal[tags[3]] = (marginal[tags[3]] or 0) + math.exp(score)
            if score > best.score then best = { score = score, tags = tags } end
            return
         end
         for _, class in ipairs(model.classes) do
            local longer = table.move(tags, 1, #tags, 1, {})
            longer[t] = class
            extend(longer, score + log_p(t, tags[t - 1], class))
         end
      end
      extend({}, 0)
      assert.same(best.tags, model:predict(new):totable())
      local p = model:predict_proba(new)
      for k, class in ipairs(model.classes) do assert.near(marginal[class], p[3][k], 1e-12) end
   end)

   it("let MEMM reach a minimum", function()
      local model = ml.MEMM { c2 = 0.05, template = TEMPLATE, tol = 1e-14 }:fit(weather, y, { lengths = lengths })
      local sum = 0
      for _, c in ipairs(enumerate.coefficients(model).list) do sum = sum + 0.05 * c.value ^ 2 end
      for _, ll in ipairs(model:log_likelihood(weather, y, { lengths = lengths }):totable()) do sum = sum - ll end
      assert.near(model.objective, sum, 1e-9)
      -- More iterations from the optimum of OWL-QN, another path to it, end at the same place.
      local other = ml.MEMM { c1 = 1e-12, c2 = 0.05, template = TEMPLATE, tol = 1e-14 }
         :fit(weather, y, { lengths = lengths })
      assert.near(model.objective, other.objective, 1e-8)
   end)

   it("let StructuredPerceptron learn tags that depend on a pair of tags and a word", function()
      -- "again" repeats the tag before, "other" changes it: the word alone says nothing.
      local word, tag, last, sizes = {}, {}, nil, {}
      for i = 1, 60 do
         word[i] = i % 6 == 1 and "start" or (i * i) % 7 < 3 and "again" or "other"
         if word[i] == "start" then
            last, sizes[#sizes + 1] = "A", 6
         elseif word[i] == "other" then
            last = last == "A" and "B" or "A"
         end
         tag[i] = last
      end
      local frame = ml.Frame { { "w", ml.Factor(word) } }
      for _, update in ipairs { "perceptron", "passive_aggressive" } do
         local function share(template)
            local model = ml.StructuredPerceptron { template = template, update = update, max_iter = 30 }
            model:fit(frame, tag, { lengths = sizes })
            return ml.metrics.accuracy(tag, model:predict(frame, { lengths = sizes })), model
         end
         local right, model = share "U00:%x[0,w]\nB00:%x[0,w]"
         assert.equal(1, right)
         assert.is_true(share "U00:%x[0,w]\nB" < 0.9)
         local rows = { { "U00:start" }, { "U00:other", of_transition = { "B00:other" } } }
         local all = enumerate.sequences(model, rows)
         local scores = model:decision_function(ml.Frame { { "w", ml.Factor { "start", "other" } } })
         local function best(class)
            return enumerate.best(all, function(tags) return tags[2] == class end).score
         end
         assert.near(best(model.classes[2]) - best(model.classes[1]), scores[2], 1e-12)
      end
   end)
end)
