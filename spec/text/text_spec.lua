-- Text to sparse rows, compared with scikit-learn (spec/fixtures/text/text.py): all columns in the same order, sums
-- over all values, and one row in full. Values are quotients and roots of a few numbers, equal to about 1e-15.
local ml = require "manilius"
local expected = dofile "spec/fixtures/text/text.lua"
local documents = dofile "spec/fixtures/text/documents.lua"

local sms = ml.read_csv "examples/data/sms_spam.csv"
local texts = sms.text:totable()
for i, text in ipairs(texts) do texts[i] = text:match "^ *(.-) *$" end
texts = ml.Frame { { "text", texts } }

local function text_sum(terms)
   local total, bytes = 7, table.concat(terms, "\n")
   for i = 1, #bytes do total = (total * 31 + bytes:byte(i)) % 2147483647 end
   return total
end

local function near(a, b, what)
   assert(math.abs(a - b) <= 1e-12 * math.max(1, math.abs(b)), ("%s: %.17g instead of %.17g"):format(what, a, b))
end

-- The numbers 1, 2, ..., cycle, 1, 2, ...
local function cycle(n, length)
   local v = {}
   for i = 1, n do v[i] = (i - 1) % length + 1 end
   return ml.Vector(v)
end

local function check(x, wanted, name)
   assert.equal(wanted.rows, x.rows, name)
   assert.equal(wanted.cols, x.cols, name)
   local rows = x * cycle(x.cols, 1009)
   near(x:sum(), wanted.sum, name .. " sum")
   near(rows:sum(), wanted.by_column, name .. " by column")
   near(rows:dot(cycle(x.rows, 97)), wanted.by_both, name .. " by both")
   local stored = 0
   for k, j in ipairs(wanted.row.columns) do near(x:get(21, j), wanted.row.values[k], name) end
   if x.rows <= 20 then return end
   for _ in pairs((x:row(21))) do stored = stored + 1 end
   assert.equal(#wanted.row.columns, stored, name)
end

local settings = {
   plain = {}, pairs = { ngram_range = { 1, 2 } }, chars = { analyzer = "char", ngram_range = { 2, 4 } },
   chars_of_words = { analyzer = "char_wb", ngram_range = { 1, 5 } }, rare = { min_df = 3, max_df = 0.05 },
   share = { min_df = 0.01, max_df = 200 }, cased = { lowercase = false }, binary = { binary = true },
   stopped = { stop_words = { "the", "and", "don" }, ngram_range = { 2, 3 } }, unicode = { strip_accents = "unicode" },
   ascii = { strip_accents = "ascii" }, given = { vocabulary = { "you", "free", "call", "absent", "a" } },
   chosen = { max_features = 20 },
}

describe("CountVectorizer", function()
   for name, wanted in pairs(expected.count) do
      it("equals scikit-learn on SMS messages: " .. name, function()
         local model = ml.CountVectorizer(settings[name]):fit(texts)
         assert.equal(wanted.terms, text_sum(model:output_names()))
         check(model:transform(texts), wanted, name)
      end)
   end
   for name, wanted in pairs(expected.scripts) do
      it("equals scikit-learn in many scripts: " .. name, function()
         local model = ml.CountVectorizer(settings[name]):fit(documents)
         assert.equal(wanted.terms, text_sum(model.terms))
         check(model:transform(documents), wanted, name)
      end)
   end
end)

-- Those of NFKD, but Greek ones are kept.
describe("mathematical letters and digits", function()
   it("become plain with strip_accents, as in scikit-learn", function()
      local text = "\u{1d5d9}\u{1d5e5}\u{1d5d8}\u{1d5d8} \u{1d4c1}\u{1d456}\u{1d6a3} \u{1d7ce}\u{1d7ff} "
         .. "\u{1d6c2}\u{1d6c3}"
      for strip, wanted in pairs { unicode = "09 FREE liz \u{1d6c2}\u{1d6c3}", ascii = "09 FREE liz",
         none = "\u{1d4c1}\u{1d456}\u{1d6a3} \u{1d5d9}\u{1d5e5}\u{1d5d8}\u{1d5d8} \u{1d6c2}\u{1d6c3} "
            .. "\u{1d7ce}\u{1d7ff}" } do
         local model = ml.CountVectorizer { strip_accents = strip }:fit { text }
         assert.equal(wanted, table.concat(model.terms, " "))
      end
   end)
end)

describe("TfidfVectorizer", function()
   local weights = {
      plain = {}, l1 = { norm = "l1" }, none = { norm = "none" }, sublinear = { sublinear_tf = true },
      rough = { smooth_idf = false }, tf = { use_idf = false }, binary = { binary = true, norm = "none" },
      given = settings.given,
   }
   for name, wanted in pairs(expected.tfidf) do
      -- a term without documents has infinite idf there without smoothing, and counts as one document here
      it("equals scikit-learn on SMS messages: " .. name, function()
         local model = ml.TfidfVectorizer(weights[name]):fit(texts)
         assert.equal(wanted.terms, text_sum(model.terms))
         if wanted.idf then near(model.idf:sum(), wanted.idf, "idf") end
         check(model:transform(texts), wanted, name)
      end)
   end
end)

describe("TfidfTransformer", function()
   it("equals scikit-learn", function()
      local counts = ml.CountVectorizer {}:fit_transform(texts)
      check(ml.TfidfTransformer { sublinear_tf = true }:fit_transform(counts), expected.transformer, "sublinear")
   end)
end)

describe("hashing", function()
   it("of documents equals scikit-learn", function()
      local given = {
         plain = {}, few = { n_columns = 100, norm = "none" }, same_sign = { n_columns = 1000, alternate_sign = false },
         binary = { n_columns = 50, binary = true, norm = "l1" },
      }
      for name, wanted in pairs(expected.hashing) do
         check(ml.HashingVectorizer(given[name]):transform(texts), wanted, name)
      end
   end)
end)

describe("tables of named values", function()
   local rows = {
      { city = "Oslo", age = 31, member = true }, { city = "Bergen", age = 44.5 }, { tags = { "x", "y" }, age = 0 },
      { ["Ærø"] = 2, city = "Oslo" },
   }
   it("become columns as in scikit-learn", function()
      local model = ml.DictVectorizer { sparse = false }:fit(rows)
      assert.same(expected.dictionary.names, table.move(model:output_names(), 1, #model:output_names(), 1, {}))
      assert.same(expected.dictionary.rows, model:transform(rows):totable())
   end)
   it("do not lose values of tables that are not lists", function()
      for _, value in ipairs { { street = "Main", no = 1 }, { "x", y = 1 }, { [2.5] = "x" } } do
         for _, model in ipairs { ml.DictVectorizer {}, ml.FeatureHasher {} } do
            local ok, message = pcall(model.fit_transform, model, { { address = value, age = 3 } })
            assert.is_false(ok)
            assert.matches("row 1: 'address' must be a finite number, a boolean, a string or a list of strings, got "
               .. "a table with the key ", message, 1, true)
         end
      end
   end)
   it("are hashed as in scikit-learn", function()
      assert.same(expected.hasher, ml.FeatureHasher { n_columns = 16 }:transform(rows):todense():totable())
      assert.same(expected.hasher_positive,
         ml.FeatureHasher { n_columns = 7, alternate_sign = false }:transform(rows):todense():totable())
   end)
end)
