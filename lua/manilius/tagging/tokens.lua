--- Tokens in sentences: features by a function, sequences as lists of lists, tags shown in color.

local base = require "manilius.frame"
local core = require "manilius.core"
local check_options = require "manilius.options".check

local M = { help = {} }

local LENGTHS = "numbers of tokens of the sentences; default: one sentence"

local function fail(level, format, ...) error(format:format(...), level + 1) end

-- The lengths of sentences of n tokens, as a list.
local function lengths_of(who, options, n, level)
   if options.lengths == nil then return { n } end
   local ok, list = pcall(function() return core.Vector(options.lengths):totable() end)
   if not ok then fail(level + 1, "%s: lengths must be a list of numbers, got %s", who, base.kind(options.lengths)) end
   local sum = 0
   for i, length in ipairs(list) do
      if not (length >= 1 and length % 1 == 0) then
         fail(level + 1, "%s: lengths must be whole numbers >= 1, got %s at position %d", who, length, i)
      end
      list[i] = math.tointeger(length)
      sum = sum + list[i]
   end
   if sum ~= n then fail(level + 1, "%s: lengths must add up to the number of tokens, %d, got %d", who, n, sum) end
   return list
end

-- A Factor, Vector or list as a list.
local function list_of(who, what, values, level)
   local kind = base.kind(values)
   if kind == "Factor" or kind == "Vector" then return values:totable(), #values end
   if kind ~= "table" then fail(level + 1, "%s: %s must be a list, Factor or Vector, got %s", who, what, kind) end
   return values, #values
end

--- The features of each token: what f(sentence, t) returns for token t of a sentence, which is a table from the names
-- of the columns of X to lists, with the number of tokens as n. The result is X for CRF and its relatives.
function M.token_features(X, f, options)
   local o = check_options("token_features", options, { lengths = LENGTHS }, 2)
   if base.kind(X) ~= "Frame" then fail(2, "token_features: X must be a Frame, got %s", base.kind(X)) end
   if type(f) ~= "function" then fail(2, "token_features: f must be a function, got %s", base.kind(f)) end
   local columns, out, first = {}, {}, 0
   for _, name in ipairs(X.names) do columns[name] = X[name]:totable() end
   for _, n in ipairs(lengths_of("token_features", o, X.rows, 2)) do
      local sentence = { n = n }
      for name, values in pairs(columns) do sentence[name] = table.move(values, first + 1, first + n, 1, {}) end
      for t = 1, n do
         local features = f(sentence, t)
         if type(features) ~= "table" then
            fail(2, "token_features: f must return a table of features, got %s for row %d", base.kind(features),
               first + t)
         end
         out[first + t] = features
      end
      first = first + n
   end
   return out
end

--- One list of all elements of the sequences, and their lengths: for features or tags that are lists of sentences.
function M.join_sequences(sequences)
   if type(sequences) ~= "table" or base.kind(sequences) ~= "table" then
      fail(2, "join_sequences: sequences must be a list of lists, got %s", base.kind(sequences))
   end
   local all, lengths = {}, {}
   for s, sequence in ipairs(sequences) do
      local list, n = list_of("join_sequences", ("sequence %d"):format(s), sequence, 2)
      if n == 0 then fail(2, "join_sequences: sequence %d is empty", s) end
      table.move(list, 1, n, #all + 1, all)
      lengths[s] = n
   end
   return all, core.Vector(lengths)
end

--- The inverse: a list for each sequence.
function M.split_sequences(values, options)
   local o = check_options("split_sequences", options, { lengths = LENGTHS }, 2)
   local list, n = list_of("split_sequences", "values", values, 2)
   local out, first = {}, 0
   for s, length in ipairs(lengths_of("split_sequences", o, n, 2)) do
      out[s] = table.move(list, first + 1, first + length, 1, {})
      first = first + length
   end
   return out
end

-- --- tags in color ---

local COLORS = { 34, 32, 35, 36, 33, 94, 92, 95, 96, 93 } -- of text, by the order of the types
local WRONG = "\27[4m"

-- The type of a tag, which has a color: that of the span, or the tag itself. O has none.
local function kind_of(tag)
   if tag == "O" then return nil end
   return tag:match "^[BIESLUM][-_](.+)$" or tag
end

local function is_colored(o)
   if o.colored ~= nil then return o.colored end
   local function set(name) return os.getenv and (os.getenv(name) or "") ~= "" end
   return core.terminal() ~= nil and not set "NO_COLOR" and os.getenv "TERM" ~= "dumb"
end

-- The color of each type, by the order of their names.
local function palette(tags)
   local seen, kinds = {}, {}
   for _, tag in ipairs(tags) do
      local kind = kind_of(tag)
      if kind and not seen[kind] then
         seen[kind] = true
         kinds[#kinds + 1] = kind
      end
   end
   table.sort(kinds)
   for i, kind in ipairs(kinds) do seen[kind] = COLORS[(i - 1) % #COLORS + 1] end
   return seen
end

local function shown(word, tag, wanted, colors)
   local text = tag == "O" and word or word .. "/" .. tag
   local wrong = wanted and wanted ~= tag
   if wrong then text = text .. "(" .. wanted .. ")" end
   local code = colors and kind_of(tag) and colors[kind_of(tag)]
   if not colors or not (code or wrong) then return text end
   return (wrong and WRONG or "") .. (code and ("\27[%dm"):format(code) or "") .. text .. "\27[0m"
end

--- Text with a line for each sentence: word/TAG, and (WANTED) where the tag is another; in color in a terminal.
function M.show_tags(words, tags, options)
   local o = check_options("show_tags", options, { lengths = LENGTHS, wanted = "", colored = "" }, 2)
   local list, n = list_of("show_tags", "words", words, 2)
   local given, m = list_of("show_tags", "tags", tags, 2)
   local wanted, k = nil, n
   if o.wanted ~= nil then wanted, k = list_of("show_tags", "wanted", o.wanted, 2) end
   if m ~= n or k ~= n then fail(2, "show_tags: there are %d words and %d tags", n, m ~= n and m or k) end
   local all, expected = {}, wanted and {}
   for i = 1, n do
      all[i] = tostring(given[i])
      if wanted then expected[i] = tostring(wanted[i]) end
   end
   local colors, lines, at = is_colored(o) and palette(all) or nil, {}, 0
   for s, length in ipairs(lengths_of("show_tags", o, n, 2)) do
      local line = {}
      for t = at + 1, at + length do
         line[#line + 1] = shown(tostring(list[t]), all[t], expected and expected[t], colors)
      end
      lines[s] = table.concat(line, " ")
      at = at + length
   end
   return table.concat(lines, "\n")
end

-- --- help ---

local function about(name, args, brief, returns, options, example)
   M.help[name] = { name = name, args = args, brief = brief, returns = returns, options = options, example = example }
end

about("token_features", { "X", "features" },
   "Features of tokens by a function of sentence and position, for CRF and its relatives.",
   "table, a list of what the function returns: strings or named values of each token", { lengths = LENGTHS }, [[
local frame, lengths = ml.parse_conll("the DET\ndog NOUN\n\nit PRON\n", { columns = { "form", "tag" } })
local X = ml.token_features(frame, function(sentence, t)
   return { "word=" .. sentence.form[t], t > 1 and "before=" .. sentence.form[t - 1] or "first" }
end, { lengths = lengths })
print(table.concat(X[2], " "))]])
about("join_sequences", { "sequences" }, "Concatenate lists of lists, such as the tags of sentences.",
   "table, a list of all elements; and the Vector of lengths", {}, [[
local tags, lengths = ml.join_sequences { { "DET", "NOUN" }, { "PRON" } }
print(#tags, lengths)]])
about("split_sequences", { "values" }, "Split values, such as predicted tags, into a list for each sentence.",
   "table, a list for each sequence", { lengths = LENGTHS }, [[
print(#ml.split_sequences({ "DET", "NOUN", "PRON" }, { lengths = { 2, 1 } })[1])]])
about("show_tags", { "words", "tags" }, "Words with their tags, a line for each sentence, in color in a terminal.",
   "text", { lengths = LENGTHS, wanted = "the right tags, which are shown where they differ",
      colored = "true or false; default: in a terminal, unless NO_COLOR is set" }, [[
print(ml.show_tags({ "in", "New", "York" }, { "O", "B-LOC", "B-LOC" }, { wanted = { "O", "B-LOC", "I-LOC" } }))]])

return M
