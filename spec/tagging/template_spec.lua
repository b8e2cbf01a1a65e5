local ml = require "manilius"

local frame = ml.Frame { { "form", ml.Factor { "The", "\u{c9}t\u{e9}-2024", "ends", "Now" } },
   { "n", ml.Vector { 1, 2.5, 3, 4 } } }
local y = { "a", "b", "a", "b" }

-- The features of the rows by a template, as sets of strings.
local function features(template, lengths)
   return ml.LogLinear { template = template, fit_intercept = false, all_possible_states = true }
      :fit(frame, y, { lengths = lengths }).terms
end

describe("The template of features", function()
   it("takes texts of rows around the token", function()
      local before = {}
      for _, s in ipairs(features "U:%x[-1,form]") do before[s] = true end
      assert.same({ ["U:_B-1"] = true, ["U:The"] = true, ["U:\u{c9}t\u{e9}-2024"] = true, ["U:ends"] = true }, before)
      local around = {}
      for _, s in ipairs(features("%x[-2,0]|%x[1,0]", { 2, 2 })) do around[s] = true end
      assert.same({ ["_B-2|\u{c9}t\u{e9}-2024"] = true, ["_B-1|_B+1"] = true, ["_B-2|Now"] = true }, around)
   end)

   it("takes parts of texts by characters, lower case and shape", function()
      local function of_second(template)
         for _, s in ipairs(features(template)) do
            if s:find "^2.5:" then return s:sub(5) end
         end
      end
      assert.equal("\u{c9}t\u{e9}", of_second "%x[0,n]:%p[0,form,3]")
      assert.equal("\u{e9}-2024", of_second "%x[0,n]:%s[0,form,6]")
      assert.equal("\u{e9}t\u{e9}-2024", of_second "%x[0,n]:%l[0,form]")
      assert.equal("Xx-0", of_second "%x[0,n]:%w[0,form]")
   end)

   it("skips comments, empty lines and B", function()
      assert.same({ "bias" }, features "# comment\n\n  bias  \nB\n")
   end)

   it("uses the texts of new rows that fit has not seen", function()
      local model = ml.LogLinear { template = "%s[0,form,1]" }:fit(frame:select "form", { "a", "b", "c", "d" })
      local new = ml.Frame { { "form", ml.Factor { "bells", "4" } } }
      assert.same({ "c", "b" }, model:predict(new):totable())
   end)

   for template, message in pairs {
      ["U:%x[0,word]"] = "template, line 1: no column of X has this name, got 'word%]'",
      ["a\nU:%x[0,7]"] = "template, line 2: X has the columns 0 to 1, got 7",
      ["U:%x[0,0"] = "a macro must end with %]",
      ["U:%y[0,0]"] = "macros are %%x%[row,column%]",
      ["U:%x[form]"] = "a macro must have a row",
      ["U:%s[0,form]"] = "must have a number of characters",
      ["U:%s[0,form,0]"] = "the number of characters must be 1 to 1000",
      ["B1:%x[0,0]"] = "only models of sequences, such as CRF, have features of transitions",
      ["# nothing"] = "template must have features",
   } do
      it("explains " .. message:gsub("%%", ""), function()
         assert.error_matches(function() features(template) end, message)
      end)
   end
end)

describe("The template of features of transitions", function()
   it("makes them for all tokens but the first of a sequence", function()
      local model = ml.CRF { template = "U00:%x[0,n]\nB01:%x[0,form]\nB2%x[-1,form]" }
      model:fit(frame, y, { lengths = { 2, 2 } })
      local terms = {}
      for _, s in ipairs(model.terms) do terms[#terms + 1] = s:find "^B" and s or nil end
      assert.same({ "B01:Now", "B01:\u{c9}t\u{e9}-2024", "B2The", "B2ends" }, terms)
   end)

   it("needs names of the other features", function()
      assert.error_matches(function() ml.CRF { template = "B1:%x[0,0]\n%x[0,0]" }:fit(frame, y) end,
         "line 2: in a template with features of transitions %(B%), features of tokens must begin with a name")
   end)
end)

describe("decode by a scheme of spans", function()
   local words, tags = { { "in" }, { "New" }, { "York" }, { "York" } }, { "O", "B-LOC", "I-LOC", "O" }
   local model = ml.CRF { c2 = 0.1, all_possible_transitions = true }:fit(words, tags)

   it("allows only spans that begin with B", function()
      local rows = { { "York" }, { "York" } }
      local free = model:log_likelihood(rows, { "I-LOC", "I-LOC" })[1]
      assert.is_true(free > -10) -- possible for the model
      local found = model:decode(rows, { scheme = "iob2", fixed_rows = { 2 }, fixed_tags = { "I-LOC" } })
      assert.same({ "B-LOC", "I-LOC" }, found.tags)
      assert.error_matches(function()
         model:decode(rows, { scheme = "iob2", fixed_rows = { 1 }, fixed_tags = { "I-LOC" } })
      end, "the constraints allow no tags for sequence 1")
   end)

   it("allows only closed spans of IOBES", function()
      local bioes = ml.CRF { c2 = 0.1, all_possible_transitions = true }:fit(
         { { "in" }, { "New" }, { "York" }, { "Rome" } }, { "O", "B-LOC", "E-LOC", "S-LOC" })
      local found = bioes:decode({ { "New" }, { "Rome" } }, { scheme = "iobes" }).tags
      assert.is_true(table.concat(found, " ") ~= "B-LOC S-LOC")
      assert.error_matches(function()
         bioes:decode({ { "New" } }, { scheme = "iobes", fixed_rows = { 1 }, fixed_tags = { "B-LOC" } })
      end, "allow no tags")
   end)

   it("needs tags of the scheme", function()
      local other = ml.CRF {}:fit({ { "a" }, { "b" } }, { "NOUN", "VERB" })
      assert.error_matches(function() other:decode({ { "a" } }, { scheme = "iob2" }) end,
         "the scheme needs tags as B%-LOC, I%-LOC and O, got the class NOUN")
   end)
end)
