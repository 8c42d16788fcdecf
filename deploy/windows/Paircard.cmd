@echo off
rem A double click opens the desk in the browser. With words it is the command line: Paircard.cmd standings
setlocal
if not "%~1"=="" (
  "%~dp0python\python.exe" -m paircard.cli %*
  exit /b
)
title Paircard
set "PLACE=%USERPROFILE%\Documents\Paircard"
if defined PAIRCARD_FOLDER set "PLACE=%PAIRCARD_FOLDER%"
if not exist "%PLACE%" mkdir "%PLACE%"
echo Paircard keeps your tournaments in %PLACE%
echo Close this window to end it.
"%~dp0python\python.exe" -m paircard.cli serve --db "%PLACE%\paircard.db" %PAIRCARD_SERVE%
if errorlevel 1 pause
