package io.weir.internal.server;

import io.weir.internal.server.command.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, started as operators start it. */
final class ServerProcess implements AutoCloseable {
  /** Make it start fast. */
  static final String JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final BufferedReader output;
  private final List<String> lines = new ArrayList<>();

  private ServerProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Returns the command that runs the classes of this build. */
  static List<String> command(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(JAVA_OPTIONS.split(" ")));
    command.addAll(List.of(options));
    command.add(Main.class.getName());
    return command;
  }

  /** Runs a command with settings in the environment. */
  static ServerProcess start(List<String> command, Path data, Map<String, String> settings)
      throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_DATA", data.toString());
    environment.put("WEIR_SERVER_HTTP_PORT", "0");
    environment.put("WEIR_SERVER_GRPC_PORT", "0");
    environment.put("WEIR_SERVER_REDIS_PORT", "0");
    environment.put("WEIR_SERVER_STOP_DELAY", "100ms");
    environment.put("WEIR_JAVA_OPTS", JAVA_OPTIONS);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.putAll(settings);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new ServerProcess(builder.start());
  }

  /** Waits for a line that begins with a word, in whichever order, and returns the rest of it. */
  String awaitLine(String word) throws IOException {
    for (String each : lines) {
      if (each.startsWith(word + " ")) {
        return each.substring(word.length() + 1);
      }
    }
    while (true) {
      String line = output.readLine();
      if (line == null) {
        throw new IOException("it ended without '" + word + "': " + lines);
      }
      lines.add(line);
      if (line.startsWith(word + " ")) {
        return line.substring(word.length() + 1);
      }
    }
  }

  /** All that it has printed, once it has ended. */
  List<String> awaitEnd() throws IOException, InterruptedException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
    }
    process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return lines;
  }

  int exitStatus() {
    return process.exitValue();
  }

  /** The output so far. */
  List<String> lines() {
    return lines;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL; waits for its end. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** SIGTERM. */
  void stop() {
    process.toHandle().destroy(); // Process.destroy would close what it prints
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
