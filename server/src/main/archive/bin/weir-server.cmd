@echo off
rem Starts the server on Windows, or runs one of its commands, which weir-server --help lists.
rem   JAVA_HOME       the Java to run on, 17 or later; default: the java of the PATH
rem   WEIR_JAVA_OPTS  further options of the JVM, such as -Xmx1g
rem   WEIR_CONFIG     the file with settings; default: conf\weir.properties
rem This file was compared with bin/weir-server by tests, but not run by them.
setlocal EnableExtensions DisableDelayedExpansion

for %%i in ("%~dp0..") do set "weirdirectory=%%~fi"

set "weirjava=java.exe"
if not defined JAVA_HOME goto search
set "weirjava=%JAVA_HOME:"=%\bin\java.exe"
if exist "%weirjava%" goto found
goto missing
:search
for %%i in (java.exe) do if not "%%~$PATH:i"=="" goto found
:missing
echo weir-server: Java not found: set JAVA_HOME, or add java to the PATH 1>&2
exit /b 1
:found

if not defined WEIR_CONFIG if exist "%weirdirectory%\conf\weir.properties" set "WEIR_CONFIG=%weirdirectory%\conf\weir.properties"

rem The server would warn about these variables, because they aren't among its settings.
set "weiroptions=%WEIR_JAVA_OPTS%"
set "WEIR_JAVA_OPTS="
set "WEIR_CDS="

rem The same as in weir-server, without class data.
"%weirjava%" -XX:+ExitOnOutOfMemoryError -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400 -XX:Tier4CompileThreshold=60000 -XX:Tier4BackEdgeThreshold=160000 %weiroptions% -cp "%weirdirectory%\lib\*" io.weir.internal.server.command.Main %*
exit /b %ERRORLEVEL%
