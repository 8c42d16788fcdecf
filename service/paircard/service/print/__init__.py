"""Pages that are also files: one set of templates for paper, files and the browser."""
