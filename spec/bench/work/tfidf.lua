-- Documents of 60 words, of which few are common and most are rare, with capital letters and punctuation.
local VOCABULARY, WORDS = 100000, 60

-- The word of a number: letters to base 26 after two that make it long enough, so that numbers give distinct words.
local function word(j)
   local letters = {}
   repeat
      letters[#letters + 1] = string.char(97 + j % 26)
      j = j // 26
   until j == 0
   return "we" .. table.concat(letters)
end

local function write_documents(ml, name, n)
   local file, piece, names = assert(io.open(name, "w")), 10000, {}
   for j = 0, VOCABULARY - 1 do names[j] = word(j) end
   for first = 1, n, piece do
      local rows = math.min(piece, n - first + 1)
      local pick, lines = ml.random(rows, WORDS, first), {}
      for i = 1, rows do
         local list = {}
         for k = 1, WORDS do
            local one = names[math.floor(VOCABULARY * pick:get(i, k) ^ 4)]
            list[k] = k % 10 == 1 and one:upper() or k % 10 == 0 and one .. "." or one
         end
         lines[i] = table.concat(list, " ")
      end
      file:write(table.concat(lines, "\n"), "\n")
   end
   file:close()
end

return {
   title = "TfidfVectorizer, fit_transform of 100k documents of 60 words",
   rows = 100000, bar = 0.15, columns = { "sum" }, criterion = { key = "sum", better = "lower", share = 1e-9 },
   peers = { { "scikit-learn", "tfidf.py", "sklearn" } },
   limit = function(machine, n) return n * WORDS * (7 + 12) * 1e-9 / machine.gb_per_s end,
   limit_of = "one read of the texts and one write of the result",
   make = function(ml, path, n) write_documents(ml, path "documents.txt", n) end,
   ours = function(ml, path)
      local texts = {}
      for line in io.lines(path "documents.txt") do texts[#texts + 1] = line end
      return function() return ml.TfidfVectorizer {}:fit_transform(texts) end
   end,
   -- Columns weighted by their number, so that their order counts.
   quality = function(ml, out)
      local weight = ml.Vector(out.cols)
      for j = 1, out.cols do weight[j] = j end
      return { sum = (out * weight):sum() }
   end,
}
