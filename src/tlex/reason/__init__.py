"""Questions about a result, answered when somebody asks: from pairs and scenarios to proofs."""
