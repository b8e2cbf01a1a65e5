local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses

local TEXT = "the\tDT B-NP\ndog NN  I-NP\r\n\n\n# # O\n"

describe("files of sentences", function()
   it("are read by column", function()
      local frame, lengths = ml.parse_conll(TEXT, { columns = { "form", "part", "chunk" } })
      assert.same({ "the", "dog", "#" }, frame.form:totable())
      assert.same({ "B-NP", "I-NP", "O" }, frame.chunk:totable())
      assert.same({ 2, 1 }, lengths:totable())
   end)

   it("may have comments and tabs", function()
      local frame, lengths = ml.parse_conll("# sentence 1\na b\tX\n\n# sentence 2\nc\t\n", { delimiter = "\t",
         comment = "#" })
      assert.same({ "a b", "c" }, frame.column1:totable())
      assert.same({ "X", "" }, frame.column2:totable())
      assert.same({ 1, 1 }, lengths:totable())
   end)

   it("are read from a path", function()
      local path = os.tmpname()
      local file = assert(io.open(path, "wb"))
      file:write(TEXT)
      file:close()
      local frame, lengths = ml.read_conll(path)
      assert.equal(3, frame.rows)
      assert.equal(2, #lengths)
      file = assert(io.open(path, "wb"))
      file:write "a X\n\nb\n"
      file:close()
      local ok, message = pcall(ml.read_conll, path)
      os.remove(path)
      assert.is_false(ok)
      assert.is_truthy(message:find(path .. ", line 3: there must be 2 columns, as in line 1, got 1", 1, true))
   end)

   it("may begin with a mark of UTF-8, and end lines as in DOS, with any delimiter", function()
      local frame, lengths = ml.parse_conll("\xEF\xBB\xBFa::b\r\n\r\n# c\r\n::\r\nd::",
         { delimiter = "::", comment = "#" })
      assert.same({ "a", "", "d" }, frame.column1:totable())
      assert.same({ "b", "", "" }, frame.column2:totable())
      assert.same({ 1, 2 }, lengths:totable())
   end)

   it("are refused if they are malformed", function()
      refuses("parse_conll: text has no tokens", function() ml.parse_conll "\n\n" end)
      refuses("parse_conll: text, line 3: a zero byte at position 4; the text must be UTF%-8",
         function() ml.parse_conll "a b\r\n\nc d\0e\n" end)
      refuses("parse_conll: columns must have a name for each of the 2 columns, got 1", function()
         ml.parse_conll("a b", { columns = { "x" } })
      end)
      refuses("parse_conll: delimiter must be a string that is not empty, got number", function()
         ml.parse_conll("a b", { delimiter = 1 })
      end)
      refuses("read_conll: path must be a string, got nil", function() ml.read_conll() end)
      refuses("read_conll: .*No such file", function() ml.read_conll "/there/is/none" end)
      refuses("parse_conll: text must be a string, got nil", function() ml.parse_conll() end)
   end)
end)

describe("token_features", function()
   local frame, lengths = ml.parse_conll("the DET\ndog NOUN\n\nit PRON\n", { columns = { "form", "tag" } })

   it("calls the function with each token of each sentence", function()
      local X = ml.token_features(frame, function(sentence, t)
         return { sentence.form[t], ("%d/%d"):format(t, sentence.n), before = sentence.form[t - 1] }
      end, { lengths = lengths })
      assert.same({ { "the", "1/2" }, { "dog", "2/2", before = "the" }, { "it", "1/1" } }, X)
      local model = ml.CRF {}:fit(X, frame.tag, { lengths = lengths })
      assert.same({ "1/1", "1/2", "2/2", "before=the", "dog", "it", "the" }, model.terms)
   end)

   it("explains what is wrong", function()
      refuses("X must be a Frame, got table", function() ml.token_features({}, print) end)
      refuses("f must be a function, got nil", function() ml.token_features(frame) end)
      refuses("f must return a table of features, got nil for row 1", function()
         ml.token_features(frame, function() end)
      end)
      refuses("lengths must add up to the number of tokens, 3, got 2", function()
         ml.token_features(frame, function() return {} end, { lengths = { 2 } })
      end)
   end)
end)

describe("sequences", function()
   it("are joined and split", function()
      local all, lengths = ml.join_sequences { { "a", "b" }, ml.Factor { "c" } }
      assert.same({ "a", "b", "c" }, all)
      assert.same({ { "a", "b" }, { "c" } }, ml.split_sequences(ml.Factor(all), { lengths = lengths }))
      refuses("join_sequences: sequence 2 is empty", function() ml.join_sequences { { 1 }, {} } end)
      refuses("join_sequences: sequence 1 must be a list, Factor or Vector, got string", function()
         ml.join_sequences { "a" }
      end)
      refuses("split_sequences: lengths must add up to the number of tokens, 1, got 2", function()
         ml.split_sequences({ "a" }, { lengths = { 2 } })
      end)
   end)
end)

describe("show_tags", function()
   local words, tags = { "in", "New", "York", "Ann" }, { "O", "B-LOC", "I-LOC", "B-PER" }

   it("writes a line for each sentence", function()
      assert.equal("in New/B-LOC York/I-LOC\nAnn/B-PER", ml.show_tags(words, tags, { lengths = { 3, 1 } }))
      assert.equal("in New/B-LOC York/I-LOC(B-LOC) Ann/B-PER",
         ml.show_tags(words, tags, { wanted = { "O", "B-LOC", "B-LOC", "B-PER" } }))
   end)

   it("colors types if it is asked, or in a terminal", function()
      assert.is_nil(ml.show_tags(words, tags):find "\27")
      assert.equal("in \27[34mNew/B-LOC\27[0m \27[34mYork/I-LOC\27[0m \27[32mAnn/B-PER\27[0m",
         ml.show_tags(words, tags, { colored = true }))
   end)

   it("needs as many tags as words", function()
      refuses("show_tags: there are 4 words and 1 tags", function() ml.show_tags(words, { "O" }) end)
   end)
end)
