-- Latent semantic analysis: topics of SMS messages, from their TF-IDF weights.

local ml = require "manilius"

local texts = ml.read_csv "examples/data/sms_spam.csv".text
local words = ml.TfidfVectorizer { min_df = 5, stop_words = "english", sublinear_tf = true }
local X = words:fit_transform(texts)
local model = ml.TruncatedSVD { n_components = 50 }:fit(X)
local explained = 100 * model.explained_variance_ratio:sum()
print(("%d terms; 50 components explain %.0f%% of the variance"):format(X.cols, explained))

print "terms with the largest weight in each of the first topics:"
for c = 1, 6 do
   local weights, top = model.components[c], {}
   local order = weights:argsort()
   for k = 1, 7 do top[k] = words.terms[order[#order + 1 - k]] end
   print(("%.2f  %s"):format(model.singular_values[c], table.concat(top, " ")))
end

-- Messages with the most similar topics: cosine of the angle between the transformed rows.
local Z = ml.Normalizer {}:fit_transform(model:transform(X))
local query = "what time are you coming home for dinner"
local q = ml.Normalizer {}:fit_transform(model:transform(words:transform { query }))[1]
local similarity = Z * q
local order = similarity:argsort()
print("messages nearest to: " .. query)
for k = 0, 3 do print(("%.2f  %s"):format(similarity[order[#order - k]], texts[order[#order - k]])) end
