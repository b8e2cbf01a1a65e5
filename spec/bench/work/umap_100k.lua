return require "pictures_to_plane" (100000, "100k")
