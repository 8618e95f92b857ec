"""The report about a run: figures, tables and charts, as HTML, text, Markdown, CSV and LaTeX.

`counting` counts the figures from the tables of a run, `figures` has their types, `report_tables`
lays them out as tables, `formats` writes these as text, Markdown, CSV and LaTeX, `html_report`
and `charts` make the HTML page.
"""
