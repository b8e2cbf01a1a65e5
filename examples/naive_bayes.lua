-- Three kinds of naive Bayes: words of messages, categories of mushrooms, and mixed columns of a census.

local ml = require "manilius"

-- Words: a spam filter that counts them. The plot shows the words that speak for each class.
local sms = ml.read_csv "examples/data/sms_spam.csv"
local X_train, X_test, y_train, y_test = ml.train_test_split(sms:select "text", sms.label,
   { test = 0.25, seed = 1, stratify = sms.label })
local filter = ml.Pipeline { ml.CountVectorizer {}, ml.MultinomialNB { alpha = 0.5 } }:fit(X_train, y_train)
print(ml.metrics.report(y_test, filter:predict(X_test)))
ml.plot.evidence(filter):show()

-- Categories: mushrooms, edible (e) or poisonous (p). Missing values (stalk_root) are ignored.
local X, y = ml.read_csv "examples/data/mushroom.csv":split "class"
local mushrooms = ml.CategoricalNB { alpha = 1e-3 }
print(ml.cross_validate(mushrooms, X, y, { cv = ml.StratifiedKFold { k = 5, seed = 1 } }))
print(mushrooms:fit(X, y):summary { top = 5 })

-- Numbers and factors together: who earns more than 50,000 dollars? Kernel densities of the numbers are no better here
-- than normal densities: columns that depend on each other make naive Bayes too sure in either case.
local adult = ml.read_csv "examples/data/adult_sample.csv":drop { "split", "fnlwgt" }
local people, income = adult:split "income"
local train, test = people:slice(1, 6000), people:slice(6001, 8000)
for _, use_kernel in ipairs { false, true } do
   local model = ml.MixedNB { use_kernel = use_kernel }:fit(train, income:slice(1, 6000))
   local proba, truth = model:predict_proba(test), income:slice(6001, 8000)
   print(("use_kernel = %-5s  accuracy %.3f  log loss %.3f"):format(use_kernel, model:score(test, truth),
      ml.metrics.log_loss(truth, proba)))
   if use_kernel then print(model:summary { top = 4 }) end
end
