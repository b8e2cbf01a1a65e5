--- Synonyms for the search: phrase -> names of this library, the closest first. Names that this build does not have
-- are skipped. Phrases are words of letters, digits and underscores with single spaces, as find.lua looks them up:
-- "Chow-Liu" is "chow liu".
local text = require "manilius.text"

local M = {}

local function add(phrase, names)
   local key = phrase:gsub("[^%w_]+", " "):gsub(" $", "")
   local list, seen = M[key] or {}, {}
   for _, name in ipairs(list) do seen[name] = true end
   for _, name in ipairs(names) do
      if not seen[name] then list[#list + 1] = name end
   end
   M[key] = list
end

for _, part in ipairs { "synonyms_of_models", "synonyms_of_latent", "synonyms_of_sequences", "synonyms_of_graphs",
   "synonyms_of_networks", "synonyms_of_tools" } do
   local phrases = require("manilius.help." .. part)
   for _, phrase in ipairs(text.sorted_keys(phrases)) do add(phrase, phrases[phrase]) end
end

return M
