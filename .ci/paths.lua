--- Checks that the files and folders named in documents exist: examples/data, `host.c`, [archives](archive.md).
--
--    lua5.4 .ci/paths.lua FILE.md ...     print what is missing, exit 1 if anything is
--
-- A path starts at the root or at the folder of the document, with a folder that exists there: other paths are those of
-- a reader. Names with placeholders (*, ?, <...>) are skipped.
-- Exceptions: files of the example in CONTRIBUTING.md, a header of Lua, a generated file.
local exceptions = { ["src/preprocess/centerer.c"] = true, ["spec/preprocess/centerer_spec.lua"] = true,
   ["lua.h"] = true, ["manilius.c"] = true }

local exists, base_names = {}, {}
for path in io.popen("git ls-files --cached --others --exclude-standard"):lines() do
   base_names[path:match "[^/]+$"] = true
   while path do
      exists[path] = true
      path = path:match "^(.+)/"
   end
end

local function is_missing(path, folder)
   if path:find "[*?<>]" or exceptions[path] or exists[path] or exists[folder .. path] then return false end
   local first = path:match "^([^/]+)/"
   if first then return exists[first] or exists[folder .. first] end
   return path:find "^[%w_]+%.md$" or path:find "^[%w_]+%.[ch]$" and not base_names[path]
end

local ok = true
for _, document in ipairs(arg) do
   local number, folder = 0, document:match "^.*/" or ""
   for line in io.lines(document) do
      number = number + 1
      for name in line:gmatch "[%w_./*?<>-]+" do
         if is_missing(name:gsub("^%./", ""):gsub("[./]+$", ""), folder) then
            print(("%s:%d: %s does not exist"):format(document, number, name))
            ok = false
         end
      end
   end
end
os.exit(ok)
