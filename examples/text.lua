-- Texts: from SMS messages as they were sent to a tuned spam filter.

local ml = require "manilius"

local sms = ml.read_csv "examples/data/sms_spam.csv"
local X, y = sms:split "label"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, seed = 1, stratify = y })
print(("%d messages, %d of them spam"):format(X.rows, y:eq("spam"):sum()))

-- One pipeline: its words, weights and classifier are learned from the training rows of each fold only.
local filter = ml.Pipeline { { "words", ml.TfidfVectorizer { sublinear_tf = true } }, { "svm", ml.LinearSVC {} } }
local search = ml.GridSearch {
   model = filter,
   grid = { words__ngram_range = { { 1, 1 }, { 1, 2 } }, words__min_df = { 1, 2 }, svm__C = { 0.3, 1, 3, 10 } },
   cv = 5, scoring = "f1",
}
search:fit(X_train, y_train)
print(search)

-- What it does with messages that it has not seen.
local best = search.best
local predicted = best:predict(X_test)
print(ml.metrics.report(y_test, predicted))
ml.plot.confusion(y_test, predicted):show()

-- The most telling terms: the coefficients with the largest size.
local terms, coef = best.words.terms, best.svm.coef
local order = coef:argsort()
local telling, weight = {}, {}
for k = 1, 10 do
   telling[k], weight[k] = terms[order[k]], coef[order[k]]
   telling[21 - k], weight[21 - k] = terms[order[#order + 1 - k]], coef[order[#order + 1 - k]]
end
ml.plot.bar(telling, weight, { title = "Terms that speak for ham (left) and spam (right)", horizontal = true }):show()

-- Why one message is spam: its terms, with their weights.
local message = "Congratulations! You have won a free prize, call now to claim"
print(message, best:predict({ message })[1])
print(best.words:terms_of { message })
