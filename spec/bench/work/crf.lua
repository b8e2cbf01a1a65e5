--- Sentences like those of CoNLL-2000: words with parts of speech, and 22 tags of chunks.
local TAGS, PARTS, WORDS, MEAN = 22, 45, 20000, 23.5

-- Draws from cumulative weights.
local function draw(cumulative, u)
   local low, high = 1, #cumulative
   u = u * cumulative[high]
   while low < high do
      local mid = (low + high) // 2
      if cumulative[mid] < u then low = mid + 1 else high = mid end
   end
   return low
end

-- For each of `rows`, cumulative weights of `cols`, most of which are small.
local function table_of(ml, rows, cols, power, seed)
   local u, list = ml.random(rows, cols, seed), {}
   for i = 1, rows do
      local sum, row = 0, {}
      for j = 1, cols do
         sum = sum + u:get(i, j) ^ power
         row[j] = sum
      end
      list[i] = row
   end
   return list
end

local function make(ml, path, sentences)
   local tag_after, part_of = table_of(ml, TAGS, TAGS, 8, 1), table_of(ml, TAGS, PARTS, 12, 2)
   local file = assert(io.open(path "tokens.csv", "w"))
   file:write "sentence,word,part,tag\n"
   for s = 1, sentences do
      local u = ml.random(80, 4, 1000 + s)
      local tag, n = 1 + math.floor(u:get(80, 1) * TAGS), 4 + math.floor(2 * (MEAN - 4) * u:get(80, 2))
      for t = 1, n do
         tag = draw(tag_after[tag], u:get(t, 1))
         local part = draw(part_of[tag], u:get(t, 2))
         local rank = math.floor((WORDS / PARTS) * u:get(t, 3) ^ 3)
         -- A third of the words occur as any part of speech.
         local word = u:get(t, 4) < 0.33 and ("c%d"):format(rank) or ("w%d_%d"):format(part, rank)
         file:write(("%d,%s,P%d,T%d\n"):format(s, word, part, tag))
      end
   end
   file:close()
end

local TEMPLATE = [[
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-1,0]/%x[0,0]
U06:%x[0,0]/%x[1,0]
U10:%x[-2,1]
U11:%x[-1,1]
U12:%x[0,1]
U13:%x[1,1]
U14:%x[2,1]
U15:%x[-2,1]/%x[-1,1]
U16:%x[-1,1]/%x[0,1]
U17:%x[0,1]/%x[1,1]
U18:%x[1,1]/%x[2,1]
U20:%x[-2,1]/%x[-1,1]/%x[0,1]
U21:%x[-1,1]/%x[0,1]/%x[1,1]
U22:%x[0,1]/%x[1,1]/%x[2,1]
]]

return {
   title = "linear-chain CRF, 9k sentences like CoNLL-2000, 22 tags, 19 features a token by template, L2",
   rows = 9000, bar = 0.25,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-5 },
   peers = { { "CRFsuite", "crf.py", "crfsuite" } },
   make = make,
   ours = function(ml, path)
      local frame = ml.read_csv(path "tokens.csv", { types = { word = "factor", part = "factor", tag = "factor" } })
      local lengths = {}
      for _, s in ipairs(frame.sentence:totable()) do lengths[s] = (lengths[s] or 0) + 1 end
      local X, y = frame:select { "word", "part" }, frame.tag
      return function()
         return ml.CRF { c2 = 1, template = TEMPLATE, tol = 5e-7 }:fit(X, y, { lengths = lengths })
      end, X
   end,
   quality = function(_, model) return { objective = model.objective } end,
}
