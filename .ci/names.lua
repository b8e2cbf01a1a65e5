--- Finds names that two headers declare. Files that include only one of them compile, but the single file
-- (rockspec/amalgamate.lua) includes all. Headers without an include guard are included several times on purpose.
--
--    lua5.4 .ci/names.lua src/core/rng.h ...    print these names, exit 1 if there are any

local function text_of(path)
   local file = assert(io.open(path, "rb"))
   local text = file:read "a"
   file:close()
   return "\n" .. text:gsub("/%*.-%*/", ""):gsub("//[^\n]*", ""):gsub("\\\n", " ")
end

-- Add the first name of each item of a list of enumerators: "A = 1, B = f(A, 2)".
local function add_enumerators(body, add)
   for item in body:gsub("%b()", ""):gmatch "[^,]+" do
      local name = item:match "^%s*([%a_][%w_]*)"
      if name then add(name) end
   end
end

-- Add the names that a header declares at file scope. Tags of structs are names of their own kind.
local function add_names(text, add)
   for name in text:gmatch "\n#define ([%w_]+)" do
      if not text:find("\n#undef " .. name .. "%f[^%w_]") then add(name) end
   end
   local code = text:gsub("\n#[^\n]*", "")
   for body in code:gmatch "%f[%w_]enum[%w_%s]*(%b{})" do add_enumerators(body:sub(2, -2), add) end
   for tag in code:gmatch "%f[%w_](struct [%a_][%w_]*)%s*{" do add(tag) end
   code = code:gsub("%b{}", "{}"):gsub("%b[]", "")
   for declaration in code:gmatch "\n(%a[^;{]*{?}?[^;{\n]*)" do
      local is_forward = declaration:find "^typedef struct ([%w_]+) %1$" or declaration:find "^struct [%w_]+$"
      local name = declaration:match "^typedef.-%(%*([%w_]+)%)%s*%(" or declaration:match "^typedef.-([%w_]+)$"
         or declaration:match "^[%w_%s%*]-([%w_]+)%(" or declaration:match "^extern.-([%w_]+)$"
      if name and not is_forward then add(name) end
   end
end

local declared_in, wrong = {}, false
for _, path in ipairs(arg) do
   local seen, text = {}, text_of(path)
   add_names(text:find "\n#ifndef [%w_]+_H\n" and text or "", function(name)
      local other = declared_in[name]
      if other and not seen[name] then
         print(("%s: also declared in %s: %s"):format(path, other, name))
         wrong = true
      end
      seen[name], declared_in[name] = true, other or path
   end)
end
os.exit(not wrong)
