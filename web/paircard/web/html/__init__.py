"""Pages of the browser: handlers that parse, make one call, and answer HTML."""
