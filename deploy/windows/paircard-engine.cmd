@"%~dp0python\python.exe" -m paircard.cli.engine.main %*
