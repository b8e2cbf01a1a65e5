-- Text classification: a tuned spam filter for SMS messages.

local ml = require "manilius"

local sms = ml.read_csv "examples/data/sms_spam.csv"
local X, y = sms:split "label"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, seed = 1, stratify = y })
print(("%d messages, %d of them spam"):format(X.rows, y:eq("spam"):sum()))

-- One pipeline: terms, TF-IDF weights and classifier are learned from the training rows of each fold only.
local filter = ml.Pipeline { { "words", ml.TfidfVectorizer { sublinear_tf = true } }, { "svm", ml.LinearSVC {} } }
local search = ml.GridSearch {
   model = filter,
   grid = { words__ngram_range = { { 1, 1 }, { 1, 2 } }, words__min_df = { 1, 2 }, svm__C = { 0.3, 1, 3, 10 } },
   cv = 5, scoring = "f1",
}
search:fit(X_train, y_train)
print(search)

-- Evaluate on messages that were not used for training.
local best = search.best
local predicted = best:predict(X_test)
print(ml.metrics.report(y_test, predicted))
ml.plot.confusion(y_test, predicted):show()

-- The terms with the largest absolute coefficients.
local terms, coef = best.words.terms, best.svm.coef
local order = coef:argsort()
local top_terms, top_coef = {}, {}
for k = 1, 10 do
   top_terms[k], top_coef[k] = terms[order[k]], coef[order[k]]
   top_terms[21 - k], top_coef[21 - k] = terms[order[#order + 1 - k]], coef[order[#order + 1 - k]]
end
local title = "Terms that indicate ham (left) and spam (right)"
ml.plot.bar(top_terms, top_coef, { title = title, horizontal = true }):show()

-- The terms of one message, with their TF-IDF weights.
local message = "Congratulations! You have won a free prize, call now to claim"
print(message, best:predict({ message })[1])
print(best.words:terms_of { message })
