-- Tagging words: parts of speech by a conditional random field, and by a perceptron.

local ml = require "manilius"

local TEMPLATE = [[
U00:%x[-1,form]
U01:%l[0,form]
U02:%x[1,form]
U03:%x[-1,form]/%x[0,form]
U04:%s[0,form,3]
U05:%s[0,form,2]
U06:%w[0,form]
U07
]]

-- The words, their tags, and the words of each sentence.
local function read(part)
   local frame = ml.read_csv("examples/data/ud_ewt_pos_" .. part .. ".csv", { types = { form = "factor" } })
   local lengths = {}
   for _, sentence in ipairs(frame.sentence:totable()) do lengths[sentence] = (lengths[sentence] or 0) + 1 end
   return frame:select "form", frame.upos, { lengths = lengths }
end

local X, y, sentences = read "train"
local X_test, y_test, test_sentences = read "test"
for _, model in ipairs { ml.StructuredPerceptron { template = TEMPLATE }, ml.CRF { template = TEMPLATE, c2 = 0.1,
   tol = 1e-4 } } do
   model:fit(X, y, sentences)
   print(model)
   print(("accuracy %.3f"):format(ml.metrics.accuracy(y_test, model:predict(X_test, test_sentences))))
end

local crf = ml.CRF { template = TEMPLATE, c2 = 0.1, tol = 1e-4 }:fit(X, y, sentences)
print(crf:summary { n = 10 })
local n = test_sentences.lengths[1]
local first = X_test:slice(1, n)
print(ml.show_tags(first.form, crf:predict(first), { wanted = y_test:slice(1, n) }))
