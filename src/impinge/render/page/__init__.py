"""The page that shows a scene: what it is told (snapshot, findings), and its text (embed)."""
