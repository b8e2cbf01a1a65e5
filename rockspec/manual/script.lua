--- The search box of the manual: plain JavaScript that searches entries.js. Also works from file:// URLs.
-- @module manual.script

return [[
(function () {
  "use strict";
  var box = document.getElementById("manual-search"), list = document.getElementById("manual-found"), on = -1;
  if (!box) return;

  // Order: equal names, names that start with the query, names that contain it, names whose synonyms contain it,
  // entries whose texts contain all words of the query.
  function rank(entry, text, words) {
    var name = entry[0].toLowerCase(), at = name.indexOf(text);
    var bare = name.replace(/^.*[.:]/, "");
    if (name === text || bare === text) return 0;
    if (at === 0 || bare.indexOf(text) === 0) return 1;
    if (at > 0) return 2;
    if (entry[3].indexOf(text) >= 0) return 3;
    var all = name + " " + entry[2].toLowerCase() + " " + entry[3];
    return words.every(function (word) { return all.indexOf(word) >= 0; }) ? 4 : -1;
  }

  function find(text) {
    var words = text.split(/\s+/), hits = [];
    window.manual_entries.forEach(function (entry, i) {
      var r = rank(entry, text, words);
      if (r >= 0) hits.push([r, entry[0].length, i, entry]);
    });
    hits.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]; });
    return hits.slice(0, 20).map(function (hit) { return hit[3]; });
  }

  function show() {
    var text = box.value.trim().toLowerCase();
    list.textContent = "";
    on = -1;
    list.classList.toggle("open", text !== "");
    if (text === "") return;
    var hits = find(text);
    hits.forEach(function (entry) {
      var item = document.createElement("li"), link = document.createElement("a");
      var small = document.createElement("small");
      link.href = entry[1];
      link.textContent = entry[0];
      small.textContent = entry[2];
      link.appendChild(small);
      item.appendChild(link);
      list.appendChild(item);
    });
    if (hits.length === 0) {
      var none = document.createElement("li");
      none.className = "none";
      none.textContent = "nothing found";
      list.appendChild(none);
    } else move(1);
  }

  function move(by) {
    var items = list.querySelectorAll("li:not(.none)");
    if (items.length === 0) return;
    if (on >= 0) items[on].classList.remove("on");
    on = (on + by + items.length) % items.length;
    items[on].classList.add("on");
    items[on].scrollIntoView({ block: "nearest" });
  }

  function close() { list.classList.remove("open"); }

  box.addEventListener("input", show);
  box.addEventListener("focus", show);
  box.addEventListener("keydown", function (event) {
    if (event.key === "ArrowDown") { move(1); event.preventDefault(); }
    else if (event.key === "ArrowUp") { move(-1); event.preventDefault(); }
    else if (event.key === "Escape") { close(); box.blur(); }
    else if (event.key === "Enter" && on >= 0) {
      location.href = list.querySelectorAll("li a")[on].href;
      close();
    }
  });
  document.addEventListener("click", function (event) { if (!event.target.closest(".search")) close(); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      box.focus();
      event.preventDefault();
    }
  });
})();
]]
