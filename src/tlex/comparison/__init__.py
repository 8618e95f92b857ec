"""Two annotations of one text: matching, claims, beliefs, scores."""
