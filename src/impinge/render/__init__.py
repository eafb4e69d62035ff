"""A scene made ready to be looked at: as a picture, or as a page that turns it."""
