--- Chunks of the prompt: which are complete, what is shown of their results and errors.
local ml = require "manilius"
local evaluate = require "manilius.prompt.evaluate"

-- What `call` prints.
local function printed(call, ...)
   local lines, old = {}, print
   rawset(_G, "print", function(...) lines[#lines + 1] = table.concat({ ... }, "\t") end)
   local ok, message = pcall(call, ...)
   rawset(_G, "print", old)
   assert(ok, message)
   return table.concat(lines, "\n")
end

local function run(chunk)
   local call, shown = assert(evaluate.compile(chunk))
   return shown, call()
end

describe("a chunk", function()
   it("is incomplete if a further line can complete it", function()
      for _, chunk in ipairs { "for i = 1, 3 do", "f(1,", "x = {", "x =", "if a then\nb()", "[[text", "--[[ comment",
         "function f()\nreturn 1", "f {}:g" } do
         assert.is_false(evaluate.is_complete(chunk), chunk)
      end
      for _, chunk in ipairs { "f(1)", "x = 1", "x = = 1", "end", '"text', "1 + 1", "", "?for", "return" } do
         assert.is_true(evaluate.is_complete(chunk), chunk)
      end
   end)

   it("gives the results of expressions, which are shown without a semicolon", function()
      assert.same({ true, 3, 0.25 }, { run "math.modf(3.25)" })
      assert.same({ true, 3 }, { run "1 + 2 -- three" })
      assert.same({ false, 3 }, { run "1 + 2;" })
      assert.same({ false }, { run "local _ = 1" })
      assert.is_nil(evaluate.compile "1) print(2")
   end)

   it("defines globals with local", function()
      run "local prompt_a, prompt_b = 1, 2"
      run "local function prompt_f() return prompt_a + prompt_b end"
      assert.equal(3, rawget(_G, "prompt_f")())
      for _, name in ipairs { "prompt_a", "prompt_b", "prompt_f" } do rawset(_G, name, nil) end
   end)

   it("says where it called, not where the library raised", function()
      local call = evaluate.compile "ml.Ridge { alpa = 1 }"
      rawset(_G, "ml", ml)
      local _, message = pcall(call)
      rawset(_G, "ml", nil)
      assert.equal("prompt:1: Ridge has no parameter 'alpa'; did you mean 'alpha'?", message)
   end)
end)

describe("results", function()
   it("are printed, nil is not", function()
      assert.equal("", printed(evaluate.show, nil))
      assert.equal("", printed(evaluate.show))
      assert.equal("1\ttext\tfalse", printed(evaluate.show, 1, "text", nil, false))
      assert.equal("Ridge { alpha = 1 }, not fitted", printed(evaluate.show, ml.Ridge {}))
      assert.equal("{ 1, 2, { 3 } }", printed(evaluate.show, { 1, 2, { 3 } }))
      assert.equal("a     1\nlong  { 1, 2 }", printed(evaluate.show, { a = 1, long = { 1, 2 } }))
   end)

   it("that are figures are drawn", function()
      local figure = ml.plot.scatter({ 1, 2 }, { 1, 2 })
      local drawn = 0
      rawset(figure, "show", function() drawn = drawn + 1 end)
      evaluate.show(figure)
      assert.equal(1, drawn)
   end)
end)

describe("an error message", function()
   it("is short, with the line if there are several", function()
      assert.equal("boo", evaluate.message("prompt:1: boo", "error 'boo'"))
      assert.equal("line 2: boo", evaluate.message("prompt:2: boo", "\nerror 'boo'"))
      assert.equal("other.lua:2: boo", evaluate.message("other.lua:2: boo", "f()"))
      assert.equal("interrupted", evaluate.message("prompt:1: interrupted!", "f()"))
      assert.equal("nil", evaluate.message(nil, "f()"))
      assert.equal("(error object is a table)", evaluate.message({}, "f()"))
   end)

   it("suggests a name for a global that does not exist", function()
      local function message(name)
         return evaluate.message(("attempt to call a nil value (global '%s')"):format(name), "")
      end
      assert.matches("; did you mean 'print'%?$", message "pirnt")
      assert.matches("; did you mean 'ml.Ridge'%?$", message "Ridge")
      assert.matches("; did you mean 'ml.KMeans'%?$", message "Kmeans")
      assert.matches("'%)$", message "no_such_name_at_all")
   end)
end)
