package io.weir.compat.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A server in a process of its own, which can die. */
final class NodeProcess implements AutoCloseable {
  private static final Path OUTPUT = Path.of("target", "node-process.log");
  private static final String LISTENS = "http ";

  private final Process process;

  private NodeProcess(Process process) {
    this.process = process;
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Starts a server whose settings are in its environment. */
  static NodeProcess start(Path data, Map<String, String> settings) {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weir.internal.server.command.Main"));
    builder.redirectErrorStream(true).redirectOutput(OUTPUT.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("WEIR_DATA", data.toString());
    environment.put("WEIR_SERVER_LISTENERS", "http");
    environment.put("WEIR_SERVER_HTTP_PORT", "0");
    settings.forEach(
        (name, value) ->
            environment.put(name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"), value));
    try {
      Files.createDirectories(OUTPUT.getParent());
      return new NodeProcess(builder.start());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Waits until it listens, and returns the address. */
  String url() {
    Await.until("the process listens", () -> !address().isEmpty());
    return address();
  }

  private static String address() {
    try {
      return Files.readAllLines(OUTPUT).stream()
          .filter(each -> each.startsWith(LISTENS))
          .map(each -> each.substring(LISTENS.length()))
          .findFirst()
          .orElse("");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Ends it so that it can't take leave of anybody. */
  void kill() {
    process.destroyForcibly();
    Await.until("the process has ended", () -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
  }
}
