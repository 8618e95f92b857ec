"""Questions about a result, answered when somebody asks: pairs, scenarios, trunk, conflicts."""
