"""The findings of the linter: as text for people, as JSON, SARIF and for GitHub Actions."""
