--- The search box of the manual: plain JavaScript that searches entries.js. Also works from file:// URLs.
-- @module manual.script

return [=[
(function () {
  "use strict";
  // Order: equal names, of functions and classes before headings of the guide; equal synonyms and names that start
  // with the query; names that contain it; synonyms that contain it; all words of the query in name, text and synonyms;
  // all of them there or in the keywords.
  // With equal rank, the closest names of a synonym come first, then short names.
  function rank(entry, text, words) {
    var name = entry[0].toLowerCase(), at = name.indexOf(text), synonym = entry[3].indexOf("|" + text + ":");
    var bare = name.replace(/^.*[.:]/, ""), length = name.length;
    if (name === text || bare === text) return [0, bare === name ? length : 0];
    if (synonym >= 0) return [1, parseInt(entry[3].slice(synonym + text.length + 2), 10)];
    if (at === 0 || bare.indexOf(text) === 0) return [1, length];
    if (at > 0) return [2, length];
    if (entry[3].indexOf(text) >= 0) return [3, length];
    var all = name + " " + entry[2].toLowerCase() + " " + entry[3];
    if (words.every(function (word) { return all.indexOf(word) >= 0; })) return [4, length];
    all += " " + entry[4];
    return words.every(function (word) { return all.indexOf(word) >= 0; }) ? [5, length] : null;
  }

  function hits_of(text, words) {
    var hits = [];
    window.manual_entries.forEach(function (entry, i) {
      var r = rank(entry, text, words);
      if (r) hits.push(r.concat(i, [entry]));
    });
    hits.sort(function (a, b) { return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]; });
    return hits.slice(0, 20).map(function (hit) { return hit[3]; });
  }

  // "scaling" -> "scal": used if the words of the query themselves are not found.
  function stem(word) {
    return word.length > 5 ? word.replace(/(ations?|ings?|ers?|ors?|i[sz]ed?|ies|ed|es|ions?|s|y|e)$/, "") : word;
  }

  // The entries that match a query, best first, at most 20.
  function find(query) {
    var text = query.trim().toLowerCase(), words = text.split(/\s+/);
    if (text === "") return [];
    var hits = hits_of(text, words);
    return hits.length > 0 ? hits : hits_of(text, words.map(stem));
  }
  window.manual_find = find;

  var box = document.getElementById("manual-search"), list = document.getElementById("manual-found"), on = -1;
  if (!box) return;

  function show() {
    var hits = find(box.value), is_empty = box.value.trim() === "";
    list.textContent = "";
    on = -1;
    list.classList.toggle("open", !is_empty);
    if (is_empty) return;
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
]=]
