package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code bin/weir-server.cmd} with {@code bin/weir-server}: there is no Windows to run it.
 */
class WindowsScriptTest {
  private static final Path BIN = Path.of("src/main/archive/bin");

  private String script;
  private String onUnix;

  @BeforeEach
  void read() throws IOException {
    script = Files.readString(BIN.resolve("weir-server.cmd"), StandardCharsets.US_ASCII);
    onUnix = Files.readString(BIN.resolve("weir-server"));
  }

  private static Set<String> found(String regex, String text) {
    Set<String> found = new TreeSet<>();
    Pattern.compile(regex).matcher(text).results().map(MatchResult::group).forEach(found::add);
    return found;
  }

  @Test
  void hasTheLineEndsOfWindows() {
    assertEquals(script, script.replaceAll("\r?\n", "\r\n"));
  }

  @Test
  void startsJavaWithTheSameOptions() {
    String options = "-XX:(\\+ExitOnOutOfMemoryError|Tier4\\w+=\\d+)";
    assertEquals(found(options, onUnix), found(options, script));
    assertEquals(5, found(options, script).size());
    String main = "io\\.weir\\.internal\\.server\\.command\\.Main";
    assertEquals(found(main, onUnix), found(main, script));
    assertTrue(script.contains(" -cp \"%weirdirectory%\\lib\\*\" "), script);
    assertTrue(script.contains("command.Main %*\r\nexit /b %ERRORLEVEL%\r\n"), script);
  }

  @Test
  void readsTheSameVariables() {
    Set<String> variables = found("WEIR_[A-Z_]+", onUnix);
    assertEquals(variables, found("WEIR_[A-Z_]+", script));
    assertTrue(
        script.contains(
            "if not defined WEIR_CONFIG if exist \"%weirdirectory%\\conf\\weir.properties\""
                + " set \"WEIR_CONFIG=%weirdirectory%\\conf\\weir.properties\"\r\n"),
        script);
    for (String each : List.of("WEIR_JAVA_OPTS", "WEIR_CDS")) {
      assertTrue(script.contains("\r\nset \"" + each + "=\"\r\n"), "not passed on: " + each);
    }
  }

  @Test
  void jumpsToLabelsThatThereAre() {
    Set<String> labels = new TreeSet<>();
    found("(?m)^:\\w+", script).forEach(each -> labels.add(each.substring(1)));
    Set<String> targets = new TreeSet<>();
    found("goto \\w+", script).forEach(each -> targets.add(each.substring("goto ".length())));
    targets.add("missing"); // where a search falls through to
    assertEquals(labels, targets);
  }
}
