"""Pages of the browser: a subject is one file with its data and its handlers, and its template."""
