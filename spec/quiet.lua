--- Run before the specs: fits that do not converge on purpose say so only to the specs that ask.
require "manilius".warnings "off"
