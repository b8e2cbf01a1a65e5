--- Keyword search in names, briefs, parameters, and the names that other libraries use.

local rows = require "manilius.rows"
local text = require "manilius.text"
local topics = require "manilius.help.topics"

local M = { help = {
   find = { args = { "words" }, brief = "Search names, descriptions and synonyms for words and print the best matches.",
      returns = "list of { name =, brief =, score = }, best first",
      example = 'local found = ml.find "one hot"\nprint(found[1].name)' },
} }

local MAX_PRINTED, MAX_FOUND = 12, 40
local NAME_WEIGHT = 40 -- score of a match in a name

local STOP_WORDS = { a = true, an = true, the = true, of = true, ["for"] = true, to = true, ["in"] = true, with = true,
   by = true, is = true, on = true, how = true, ["do"] = true, i = true, my = true, me = true, ["and"] = true,
   ["or"] = true, from = true }

-- "KNeighborsClassifier" -> "k neighbors classifier", "read_csv" -> "read csv"
local function words_of_name(name)
   return (name:gsub("(%l)(%u)", "%1 %2"):gsub("(%u)(%u%l)", "%1 %2"):gsub("[._:]", " "):lower())
end

-- The stem of a word: "scaling", "scaler", "scaled" -> "scal".
local function stem(word)
   if #word <= 4 then return word end
   for _, ending in ipairs { "ations", "ation", "ings", "ing", "ers", "er", "ors", "or", "ised", "ized", "ise", "ize",
      "ies", "ed", "es", "s", "ion", "y", "e" } do
      if #word - #ending >= 4 and word:sub(-#ending) == ending then return word:sub(1, -#ending - 1) end
   end
   return word
end

-- All words, and those that are not stop words.
local function tokens(words)
   local all, out = {}, {}
   for word in words:lower():gmatch "[%w_]+" do
      all[#all + 1] = word
      if not STOP_WORDS[word] then out[#out + 1] = word end
   end
   return all, out
end

-- --- the index ---

local function add_words(entry, words, weight)
   for word in (words or ""):lower():gmatch "%w+" do
      local at = stem(word)
      entry.words[at] = math.max(entry.words[at] or 0, weight)
   end
end

-- The whole name of a parameter or option, such as n_estimators, besides its words.
local function add_whole(entry, name, weight)
   local at = stem(name:lower())
   entry.words[at] = math.max(entry.words[at] or 0, weight)
end

local function entry_of(name, topic, worth)
   local entry = { name = name, brief = topic.brief, words = {}, worth = worth }
   add_words(entry, words_of_name(name), NAME_WEIGHT)
   add_words(entry, topic.brief, 12)
   add_words(entry, topic.group, 8)
   add_words(entry, topic.objective, 2)
   add_words(entry, topic.notes, 3)
   add_words(entry, topic.returns, 2)
   for _, p in ipairs(topic.params or {}) do
      add_words(entry, p.name, 8)
      add_whole(entry, p.name, 20)
      add_words(entry, p.name:gsub("_", " "), 6)
      add_words(entry, p.brief, 3)
   end
   for option, line in pairs(topic.options or {}) do
      add_words(entry, option, 6)
      add_whole(entry, option, 15)
      add_words(entry, line, 2)
   end
   for _, f in ipairs(topic.fields or {}) do add_words(entry, f.name .. " " .. f.brief, 3) end
   for _, o in ipairs(topic.operations or {}) do add_words(entry, o.name .. " " .. o.brief, 4) end
   return entry
end

local index -- complete or nil

local function add_members(list, topic, members, worth)
   for member, about in pairs(members) do
      list[#list + 1] = entry_of(topic.name .. "." .. member, about, worth)
   end
end

local function build()
   local list = {}
   for _, name in ipairs(topics.all_names()) do
      local topic = topics.named(name)
      list[#list + 1] = entry_of(name, topic, 1)
      if topic.kind == "module" then add_members(list, topic, topic.help, name == "special" and 0.4 or 0.8) end
      if topic.setup and topic.methods and topic.kind == "class" and not name:find "Fold" and not name:find "Split" then
         add_members(list, topic, topic.methods, 0.5)
      end
   end
   list.by_name = {}
   for _, entry in ipairs(list) do list.by_name[entry.name] = entry end
   return list
end

-- --- scoring ---

local synonyms

-- Names that have a phrase as a synonym, best first; or nil.
local function synonyms_of(phrase)
   synonyms = synonyms or require "manilius.help.synonyms"
   return synonyms[phrase] or synonyms[(phrase:gsub("_", " "))]
end

-- Names that have a phrase of up to four words as a synonym: name -> score.
local function from_synonyms(list)
   local points = {}
   for first = 1, #list do
      for last = first, math.min(#list, first + 3) do
         local place = 0
         for _, name in ipairs(synonyms_of(table.concat(list, " ", first, last)) or {}) do
            if index.by_name[name] then
               place = place + 1
               points[name] = math.max(points[name] or 0, 90 + 20 * (last - first) - 6 * place)
            end
         end
      end
   end
   return points
end

-- Does the name contain every word?
local function name_has_all(entry, list)
   for _, word in ipairs(list) do
      if entry.words[stem(word)] ~= NAME_WEIGHT then return false end
   end
   return true
end

local function score_of(entry, list, phrase)
   local score, matched = 0, 0
   for _, word in ipairs(list) do
      local wanted = stem(word)
      local best = entry.words[wanted] or 0
      if best == 0 and #wanted >= 4 then
         for known, weight in pairs(entry.words) do
            local begins = known:sub(1, #wanted) == wanted
            if begins or #known >= 4 and #known >= 0.6 * #wanted and wanted:sub(1, #known) == known then
               best = math.max(best, weight * 0.6)
            end
         end
      end
      if best > 0 then matched = matched + 1 end
      score = score + best
   end
   if #list > 1 and name_has_all(entry, list) then score = score + 100 end
   local name = entry.name:lower()
   if name == phrase or name:match "[^.]+$" == phrase then score, matched = score + 200, #list end
   return #list > 0 and score * entry.worth * (matched / #list) ^ 2 or 0
end

--- All matches, best first: a list of { name =, brief =, score = }.
function M.search(query)
   index = index or build()
   local all, list = tokens(query)
   local found, points, phrase = {}, from_synonyms(all), query:lower():gsub("^%s+", ""):gsub("%s+$", "")
   for _, entry in ipairs(index) do
      local score = score_of(entry, list, phrase) + (points[entry.name] or 0)
      if score > 1 then found[#found + 1] = { name = entry.name, brief = entry.brief, score = score } end
   end
   table.sort(found, function(a, b)
      if a.score ~= b.score then return a.score > b.score end
      return a.name < b.name
   end)
   local min_score = found[1] and found[1].score * 0.08 or 0
   while #found > 0 and (#found > MAX_FOUND or found[#found].score < min_score) do found[#found] = nil end
   return found
end

-- --- printing ---

local function nearest(query)
   local absent = require "manilius.help.absent".hint(query)
   if absent then return absent end
   local translated = topics.translated(query)
   if translated then return ("; here it is '%s'"):format(translated) end
   local near = require "manilius.core".nearest(query, topics.all_names())
   return near and ("; did you mean '%s'?"):format(near) or "; ml.help() lists all names"
end

local function table_of(query, found)
   if #found == 0 then return ("nothing found for '%s'%s"):format(query, nearest(query)) end
   local lines, width = {}, 0
   for i = 1, math.min(#found, MAX_PRINTED) do width = math.max(width, #found[i].name) end
   for i = 1, math.min(#found, MAX_PRINTED) do
      lines[i] = ("%-" .. width .. "s  %s"):format(found[i].name, text.wrap(found[i].brief, width + 2))
   end
   if #found > MAX_PRINTED then lines[#lines + 1] = ("... %d more"):format(#found - MAX_PRINTED) end
   return table.concat(lines, "\n")
end

--- What to print instead of help on an unknown name: the best matches for a synonym, for several words, or for a word
-- that is no misspelled name; nil if there are none.
function M.instead_of(query)
   local core = require "manilius.core"
   local _, note = core.foreign_name(query, {})
   if query:find "[.:]" or note or require "manilius.help.absent".hint(query) or topics.translated(query) then
      return nil
   end
   local is_synonym = synonyms_of(table.concat((tokens(query)), " "))
   local several = query:find "%w[%s-]+%w"
   if not is_synonym and not several and core.nearest(query, topics.all_names()) then return nil end
   local found = M.search(query)
   if #found == 0 then return nil end
   return ("'%s' is not a name of the library. Best matches:\n\n%s\n\nFor details: ml.help \"%s\"."):format(query,
      table_of(query, found), found[1].name)
end

-- One line: the table has already been printed.
local function show(self)
   local names = {}
   for i = 1, math.min(#self, 5) do names[i] = self[i].name end
   if #self > 5 then names[#names + 1] = "..." end
   return text.wrap(("%d found%s%s"):format(#self, #self > 0 and ": " or "", table.concat(names, ", ")), 2)
end

--- Search for words: prints the best matches and returns the list of all.
function M.find(words)
   if type(words) ~= "string" then
      error(("find: words must be a string, got %s"):format(rows.kind(words)), 2)
   end
   local found = M.search(words)
   print(table_of(words, found))
   return setmetatable(found, { __name = "Found", __tostring = show })
end

return M
