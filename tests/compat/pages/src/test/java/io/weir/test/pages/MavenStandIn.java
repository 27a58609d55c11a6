package io.weir.test.pages;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Stands in for the Maven wrapper in the directory of a page's commands, so that they run as they
 * are: starts the class that {@code exec:java} would start in a module, which is compiled already.
 * Building it again would take longer than everything else.
 */
final class MavenStandIn {
  private static final String SCRIPT =
      """
      #!/bin/bash
      properties=(-Dweir.rules.timeout=10s -Dweir.store.timeout=10s) # for a slow machine
      arguments=()
      while [ $# -gt 0 ]; do
        case "$1" in
          -pl) shift; module=$1 ;;
          -Dexec.args=*) eval "arguments=(${1#-Dexec.args=})" ;;
          -D*) properties+=("$1") ;;
        esac
        shift
      done
      case "$module" in
        jersey-example) main=io.weir.example.jersey.Main; properties+=(-Dport="$EXAMPLE_PORT") ;;
        rules) main=io.weir.internal.rules.command.Main; properties+=(-Dweir.rules="$RULES") ;;
        *) echo "no stand-in for $module" >&2; exit 1 ;;
      esac
      exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "${properties[@]}" -cp "$CLASS_PATH" $main "${arguments[@]}"
      """;

  private MavenStandIn() {}

  /**
   * Puts it into the shell's directory.
   *
   * @param port where the example listens
   * @param rules the database of the command line
   */
  static void into(PageShell shell, int port, String rules) throws IOException {
    Path script = shell.folder().resolve("mvnw");
    Files.writeString(script, SCRIPT);
    if (!script.toFile().setExecutable(true)) {
      throw new IOException(script + " can't be executable");
    }
    Path example =
        Path.of("..", "..", "..", "jersey-example", "target", "classes")
            .toAbsolutePath()
            .normalize();
    shell.environment("RULES", rules);
    shell.environment("EXAMPLE_PORT", Integer.toString(port));
    shell.environment(
        "CLASS_PATH", example + File.pathSeparator + System.getProperty("java.class.path"));
  }
}
