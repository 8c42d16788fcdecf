"""The door for browsers and HTTP clients: ``paircard serve``.

A route reads a request, makes one call and answers. What may be asked is in ``service.requests``, who may ask
it in ``access``, what is answered to a refusal in ``problems``; ``docs/http.md`` describes it for callers.
"""
