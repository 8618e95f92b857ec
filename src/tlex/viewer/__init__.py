"""The interactive picture: one page for each document, and a server for a directory."""
