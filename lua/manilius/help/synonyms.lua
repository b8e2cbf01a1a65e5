--- Synonyms for the search: phrase -> names of this library, the closest first. Names that this build does not have
-- are skipped.
local M = {}

for _, part in ipairs { "synonyms_of_models", "synonyms_of_latent", "synonyms_of_sequences", "synonyms_of_graphs",
   "synonyms_of_networks", "synonyms_of_tools" } do
   for phrase, names in pairs(require("manilius.help." .. part)) do M[phrase] = names end
end

return M
