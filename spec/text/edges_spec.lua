-- Texts that are hostile or empty, settings that contradict each other, and texts in compositions.
local ml = require "manilius"
local core = require "manilius.core"

local texts = { "win a prize now", "see you at lunch", "a prize for you", "lunch at home", "win a win", "home now" }
local labels = { "spam", "ham", "spam", "ham", "spam", "ham" }

local function terms(list, settings)
   return table.concat(ml.CountVectorizer(settings):fit(list):output_names(), " ")
end

describe("documents", function()
   it("may be invalid UTF-8, which is U+FFFD as in Python's decoder", function()
      assert.equal("ab cd", terms { "ab\xffcd" })
      local chars = ml.CountVectorizer { analyzer = "char" }:fit { "\xe2\x82x\xed\xa0\x80\xf4\x90\xc3" }.terms
      assert.same({ "x", "\u{fffd}" }, table.move(chars, 1, #chars, 1, {}))
      local counts = ml.CountVectorizer { analyzer = "char" }:fit_transform { "\xe2\x82x\xed\xa0\x80\xf4\x90\xc3" }
      assert.equal(7, counts:get(1, 2)) -- one for the cut sequence, 3 + 2 + 1 for the others
   end)
   it("may contain zero bytes, which separate words", function()
      assert.equal("ab cd", terms { "ab\0cd" })
      assert.equal("\u{fffd} a", terms({ "a\0" }, { analyzer = "char" }):gsub("(.-) (.*)", "%2 %1"))
   end)
   it("may be empty, which gives a row of zeros", function()
      local x = ml.TfidfVectorizer {}:fit_transform { "", "ab", "?!" }
      assert.equal(3, x.rows)
      assert.equal(1, x:sum())
   end)
   it("may be very long", function()
      local x = ml.CountVectorizer {}:fit_transform { ("word "):rep(200000) .. ("é"):rep(1000) }
      assert.equal(200000, x:get(1, 1))
   end)
   it("give rows of any number of terms in order", function()
      local words = {}
      for i = 1, 2000 do words[i] = ("w%d"):format(i * 7919 % 2000) end
      local x = ml.CountVectorizer {}:fit_transform { table.concat(words, " "), "w1 w5" }
      local columns = x:row(1)
      for j = 1, #columns do assert.equal(j, columns[j]) end
      assert.equal(2000, #columns)
   end)
end)

describe("settings", function()
   it("that contradict each other are errors with a remedy", function()
      local function refused(pattern, settings, list)
         assert.error_matches(function() ml.TfidfVectorizer(settings):fit(list or texts) end, pattern)
      end
      refused("X must have terms, got documents that are empty", {}, { "", "a" })
      refused("no term remains; decrease min_df or increase max_df", { min_df = 4 })
      refused("min_df = 5 is more documents than max_df = 0.5 %(5 and 3 of 6%); lower min_df",
         { min_df = 5, max_df = 0.5 })
      refused("vocabulary must have different terms, got 'win' twice", { vocabulary = { "win", "now", "win" } })
      refused("ngram_range must be whole numbers in ascending order, got 2 and 1", { ngram_range = { 2, 1 } })
      refused("ngram_range must have 2 numbers", { ngram_range = { 1, 2, 3 } })
      refused("ngram_range must be .*, got 0 at position 1", { ngram_range = { 0, 1 } })
   end)
   it("choose what a word is", function()
      assert.equal("don't e-mail", terms({ "don't e-mail I" }, { word_characters = "'-" }))
      assert.equal("don e-mail", terms({ "don’t e-mail" }, { word_characters = "-" }))
      assert.equal("don’t e-mail", terms({ "don’t e-mail" }, { word_characters = "’-" }))
      assert.equal("a b-c i", terms({ "A b-c  I" }, { analyzer = "whitespace" }))
      assert.equal("a i", terms({ "A I" }, { min_length = 1 }))
      assert.equal("cat dog", terms({ "The cat isn't a dog" }, { stop_words = "english" }))
      assert.equal("cat dog isn", terms({ "The cat isn't a dog" }, { stop_words = { "the" } }))
      for _, class in ipairs { ml.CountVectorizer, ml.TfidfVectorizer, ml.HashingVectorizer } do
         assert.error_matches(function() class { stop_words = "german" } end,
            "stop_words must be a list of strings, or english, got 'german'; for one word pass { 'german' }", 1, true)
      end
   end)
   it("max_features breaks ties by term", function()
      assert.equal("aa bb", terms({ "dd cc bb aa", "cc aa", "bb" }, { max_features = 2 }))
   end)
end)

describe("texts", function()
   it("are not kept by the model", function()
      local long = { ("alpha "):rep(10000), ("beta "):rep(10000) }
      assert.is_true(#ml.CountVectorizer {}:fit(long):dump() < 2000)
   end)
   it("can be saved and loaded with a setting for the next fit", function()
      for _, use in ipairs { true, false } do
         local model = ml.TfidfVectorizer { use_idf = use }:fit(texts)
         local counts = ml.CountVectorizer {}:fit_transform(texts)
         local weights = ml.TfidfTransformer { use_idf = use }:fit(counts)
         local expected = model:transform(texts):todense()
         for _, one in ipairs { model, weights } do one:set_params { use_idf = not use } end
         assert.same(expected:totable(), core.load_model(model:dump()):transform(texts):todense():totable())
         assert.same(expected:totable(), core.load_model(weights:dump()):transform(counts):todense():totable())
      end
   end)
   it("are columns of frames", function()
      local frame = ml.Frame { { "message", texts }, { "size", { 1, 2, 3, 4, 5, 6 } } }
      local parts = ml.ColumnTransformer { { ml.TfidfVectorizer {}, { "message" } },
         { ml.StandardScaler {}, { "size" } } }
      local model = ml.Pipeline { parts, ml.LinearSVC { C = 100 } }:fit(frame, labels)
      assert.equal(1, model:score(frame, labels))
      assert.equal("columntransformer", model.names[1])
   end)
   it("are searched and validated in the core as in Lua", function()
      local evaluate = require "manilius.select.evaluate"
      local model = ml.Pipeline { ml.TfidfVectorizer {}, ml.LinearSVC {} }
      local folds = {}
      for i = 1, 2 do
         local train, test = {}, {}
         for r = 1, 6 do table.insert((r + r // 2) % 2 == i % 2 and test or train, r) end
         folds[i] = { train = core.Vector(train), test = core.Vector(test) }
      end
      local results = {}
      for _, path in ipairs { "core", "lua" } do
         results[path] = evaluate.run { who = "spec", models = { model }, X = core.Factor(texts),
            y = core.Factor(labels), folds = folds, jobs = { { 1, 1 }, { 1, 2 } },
            want = { decision_function = true }, path = path }
      end
      for i = 1, 2 do
         assert.is_nil(results.core[i].error)
         assert.equal(results.lua[i].test.decision_function, results.core[i].test.decision_function)
      end
   end)
   it("give the same terms and values with any number of threads", function()
      local list = {}
      for i = 1, 700 do list[i] = texts[i % 6 + 1] .. " word" .. i % 91 .. " " .. texts[i * 7 % 6 + 1] end
      local before, dumps, values = core.memory.threads(), {}, {}
      for _, threads in ipairs { 1, 2, 5 } do
         core.memory.threads(threads)
         local model = ml.TfidfVectorizer { max_features = 60, ngram_range = { 1, 2 } }
         values[#values + 1] = model:fit_transform(list)
         dumps[#dumps + 1] = model:dump()
         assert.is_true(model:transform(list) == values[#values])
      end
      core.memory.threads(before)
      assert.equal(dumps[1], dumps[2])
      assert.equal(dumps[1], dumps[3])
      assert.is_true(values[1] == values[2] and values[1] == values[3])
   end)
   it("are listed by terms_of", function()
      local frame = ml.CountVectorizer {}:fit(texts):terms_of { "win win lunch", "unknown" }
      assert.equal("win", frame.term[1])
      assert.equal(2, frame.value[1])
      assert.equal(2, frame.rows)
   end)
end)
