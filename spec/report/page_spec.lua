--- The page of a report in a browser: its layout, without messages on the console.
local ml = require "manilius"
local support = require "spec.support"

-- The browser must not load the runtime of a sanitizer.
local CLEAN = "env -u LD_PRELOAD -u ASAN_OPTIONS "

local function run(command)
   local pipe = assert(io.popen(CLEAN .. command))
   local text = pipe:read "a"
   pipe:close()
   return text
end

local browser = run "sh -c 'command -v chromium || command -v chromium-browser || command -v google-chrome'":match "%S+"
local it_in_browser = browser and it or function(name) pending(name .. " (no Chromium found)") end

-- A script that measures the page in a frame and writes the result into the enclosing document, which the browser
-- prints.
local PROBE = [[
<script>
window.problems = [];
window.onerror = function (text) { window.problems.push(text); };
window.addEventListener('load', function () {
  var wide = [], width = document.documentElement.clientWidth;
  document.querySelectorAll('body *').forEach(function (e) {
    if (e.closest('.scroll') && !e.classList.contains('scroll')) return;
    if (e.closest('svg') || e.closest('pre') && e.tagName !== 'PRE') return;
    if (e.getBoundingClientRect().right > width + 1) wide.push(e.tagName + '.' + e.className);
  });
  var lefts = Array.from(document.querySelectorAll('figure')).map(function (f) {
    return Math.round(f.getBoundingClientRect().left); });
  var pictures = Array.from(document.querySelectorAll('.paper svg')).map(function (s) {
    return Math.round(s.getBoundingClientRect().width) + 'x' + Math.round(s.getBoundingClientRect().height); });
  var found = { window: width, page: document.documentElement.scrollWidth, wide: wide.slice(0, 5).join(' '),
    pictures: pictures.join(' '), sections: document.querySelectorAll('main > section').length,
    links: document.querySelectorAll('nav a').length, columns: new Set(lefts).size,
    stacked: getComputedStyle(document.querySelector('.stack tr')).display, problems: window.problems.join(' ') };
  var pre = parent.document.createElement('pre');
  pre.id = 'found' + width;
  pre.textContent = Object.keys(found).map(function (k) { return k + '=' + found[k]; }).join(';');
  parent.document.body.appendChild(pre);
});
</script>
]]

local function write(path, bytes)
   local file = assert(io.open(path, "wb"))
   file:write(bytes)
   file:close()
end

local MARKS = { ["&"] = "&amp;", ['"'] = "&quot;" }

-- Open the page in windows of these widths: the measurements of each, and the messages on the console.
local function opened(page, widths)
   local inner = page:gsub("</head>", function() return PROBE .. "</head>" end, 1):gsub('[&"]', MARKS)
   local frames = {}
   for i, width in ipairs(widths) do
      frames[i] = ('<iframe width="%d" height="900" style="border:0" scrolling="no" srcdoc="%s"></iframe>'):format(
         width, inner)
   end
   local base = os.tmpname()
   local path = base .. ".html"
   write(path, "<!DOCTYPE html><html><body>" .. table.concat(frames) .. "</body></html>")
   local out = run(("timeout 60 %s --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir=%s.profile "
      .. "--enable-logging=stderr --dump-dom file://%s 2>&1"):format(browser, base, path))
   os.execute(("rm -rf %s %s %s.profile"):format(base, path, base))
   local said = out:find("CONSOLE", 1, true)
   local all = { console = said and out:sub(said, said + 200) }
   for width, list in out:gmatch '<pre id="found(%d+)">(.-)</pre>' do
      all[tonumber(width)] = {}
      for name, value in list:gmatch "(%a+)=([^;]*)" do all[tonumber(width)][name] = value end
   end
   return all
end

-- Nothing may be wider than the window, and the pictures are in the given number of columns. Returns their number.
local function check(found, width, columns)
   assert(found, "the page was not drawn")
   assert.equal(found.window, found.page)
   assert.equal("", found.wide)
   assert.equal("", found.problems)
   assert.equal(found.sections, found.links)
   assert.equal(tostring(columns), found.columns)
   assert.equal(width < 640 and "block" or "table-row", found.stacked)
   local count = 0
   for w, h in found.pictures:gmatch "(%d+)x(%d+)" do
      count = count + 1
      assert.is_true(tonumber(w) > 0.8 * math.min(width, 500) and tonumber(h) > 100, w .. "x" .. h)
   end
   return count
end

describe("a report in a browser", function()
   it_in_browser("fits windows of 1280 and 420 pixels", function()
      local X, y = support.data("penguins", "species")
      local model = support.classifier_of_frames()
      X = X:rename { bill_length_mm = ("a_name_without_any_blank_"):rep(5), year = "<script>throw 1</script>" }
      local found = opened(ml.report(model, X, y, { target = "species", learning_curve = true }).html, { 1280, 420 })
      assert.is_nil(found.console)
      local wide = check(found[1280], 1280, 2)
      assert.is_true(wide >= 8, wide)
      assert.equal(wide, check(found[420], 420, 1))
   end)

   it_in_browser("shows a report without pictures and a report of a clustering", function()
      local X, y = support.data("diabetes", "progression")
      local found = opened(ml.report(ml.LinearRegression {}, X, y, { pictures = false }).html, { 420 })
      assert.is_nil(found.console)
      assert.equal(0, check(found[420], 420, 0))
      found = opened(ml.report(ml.KMeans { n_clusters = 9, seed = 1 }, X).html, { 420 })
      assert.equal(2, check(found[420], 420, 1))
   end)
end)
