--- Run before the specs: fits that do not converge on purpose say so only to the specs that ask. With ThreadSanitizer,
-- busted cannot load the module; its specs run programs that do.
local ok, ml = pcall(require, "manilius")
if ok then ml.warnings "off" end
