--- What the specs of taggers share: the Universal Dependencies sample and a template.

local ml = require "manilius"

local M = {}

-- That of fixtures/tagging/crfsuite.py.
M.template = [[
# words
U00:%x[-1,form]
U01:%x[0,form]
U02:%x[1,form]
U03:%x[-1,form]/%x[0,form]
# parts of the word
U04:%s[0,form,3]
U05:%s[0,form,2]
U06:%p[0,form,1]
U07
B
]]

--- The first n sentences (nil: all) of "train" or "test": X (a Frame with the column form), tags, lengths.
function M.sentences(part, n)
   local frame = ml.read_csv("examples/data/ud_ewt_pos_" .. part .. ".csv",
      { types = { form = "factor", upos = "factor", xpos = "factor" } })
   local lengths, rows = {}, 0
   for _, sentence in ipairs(frame.sentence:totable()) do
      if n and sentence > n then break end
      lengths[sentence] = (lengths[sentence] or 0) + 1
      rows = rows + 1
   end
   frame = frame:slice(1, rows)
   return frame:select "form", frame.upos, lengths
end

return M
