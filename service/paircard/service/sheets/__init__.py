"""Sheets that people have: CSV and Excel files of players and results, whatever their columns are called."""
