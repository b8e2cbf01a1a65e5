return require "pictures_to_plane" (10000, "10k")
