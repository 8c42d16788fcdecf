"""From a tournament to its report."""
