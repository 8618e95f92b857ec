"""The interactive picture: one page a document, and a server for a directory of them."""
