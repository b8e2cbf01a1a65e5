--- The search index of the manual, entries.js: a list of [name, link, text, synonyms, keywords].
--
-- Synonyms are phrases between bars with a place, "|auc:1|roc:2|": names in other libraries and other words for the
-- entry, which is the first or second of the names with that synonym. Keywords are further words to find it by.
-- @module manual.search_index

local absent = require "manilius.help.absent"

local function json(text)
   return '"' .. text:gsub('[%c"\\<]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- A name of the help -> the names of its entries: "Frame.join" -> "Frame:join", "save" -> "ml.save" and "model:save".
local function entry_names(name)
   local class, member = name:match "^(%u%w*)%.(.*)$"
   if class then return { class .. ":" .. member, class .. "." .. member } end
   return { "ml." .. name, "model:" .. name }
end

-- Add a phrase to the synonyms of all its names, the closest first.
local function add(phrases, phrase, names)
   for place, name in ipairs(names) do
      for _, entry in ipairs(entry_names(name)) do
         phrases[entry] = phrases[entry] or {}
         table.insert(phrases[entry], ("%s:%d"):format(phrase:lower(), place))
      end
   end
end

-- Entry name -> "|phrase:1|phrase:2|".
local function synonyms_by_entry()
   local phrases = {}
   for phrase, names in pairs(require "manilius.help.synonyms") do
      add(phrases, phrase, names)
   end
   for other, names in pairs(absent.names()) do
      add(phrases, other, names)
   end
   for entry, list in pairs(phrases) do
      table.sort(list)
      phrases[entry] = "|" .. table.concat(list, "|") .. "|"
   end
   return phrases
end

local function line(name, link, text, synonyms, keywords)
   return ("[%s,%s,%s,%s,%s],"):format(json(name), json(link), json((text:gsub("`", ""))), json(synonyms or ""),
      json((keywords or ""):lower()))
end

-- Has a page an entry for itself?
local function has_own_entry(page)
   return page.entries[1] and page.entries[1].name == "ml." .. page.title
end

--- The text of entries.js for a list of pages.
return function(pages)
   local out, synonyms = { "window.manual_entries = [" }, synonyms_by_entry()
   for _, page in ipairs(pages) do
      if not has_own_entry(page) then out[#out + 1] = line(page.title, page.file, page.brief, nil, page.keywords) end
      for _, entry in ipairs(page.entries) do
         out[#out + 1] = line(entry.name, page.file .. "#" .. entry.anchor, entry.text, synonyms[entry.name],
            entry.keywords)
      end
   end
   out[#out + 1] = "];\n"
   return table.concat(out, "\n")
end
