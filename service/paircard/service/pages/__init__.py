"""Views as HTML pages: one set of templates for files, paper and the browser."""
