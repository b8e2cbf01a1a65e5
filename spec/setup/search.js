// Prints the best entries for each query: node search.js folder query ... For each a line of names.
"use strict";
const fs = require("fs"), vm = require("vm");
const context = { window: {}, document: { getElementById: () => null } };
vm.createContext(context);
for (const name of ["entries.js", "search.js"])
  vm.runInContext(fs.readFileSync(process.argv[2] + "/" + name, "utf8"), context);
for (const query of process.argv.slice(3))
  console.log(context.window.manual_find(query).slice(0, 6).map((entry) => entry[0] + " " + entry[1]).join("\t"));
