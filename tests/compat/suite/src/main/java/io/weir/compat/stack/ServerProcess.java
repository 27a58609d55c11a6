package io.weir.compat.stack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An application server in its own process, which is followed by what it prints.
 *
 * <p>Confine to one thread.
 */
public final class ServerProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;

  private final Process process;
  private final Thread end;
  private final List<String> lines = new ArrayList<>(); // guarded by itself
  private boolean ended; // guarded by lines
  private int read;

  private ServerProcess(Process process) {
    this.process = process;
    this.end = new Thread(process::destroyForcibly, "end of a server");
  }

  /**
   * Starts a JVM of this JDK with small memory, in which Weir trusts the proxy on loopback. It ends
   * with this process at the latest.
   *
   * @param directory where it runs
   * @param environment variables on top of this process's
   * @param arguments options and what follows them
   * @return the process
   * @throws IOException if it can't be started
   */
  public static ServerProcess java(
      Path directory, Map<String, String> environment, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.add("-Dweir.proxy.trusted=127.0.0.1");
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile());
    builder.environment().putAll(environment);
    ServerProcess server = new ServerProcess(builder.start());
    Runtime.getRuntime().addShutdownHook(server.end);
    Thread reader = new Thread(server::readAll, "output of a server");
    reader.setDaemon(true);
    reader.start();
    return server;
  }

  private void readAll() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException closed) {
      // ended
    } finally {
      synchronized (lines) {
        ended = true;
        lines.notifyAll();
      }
    }
  }

  /**
   * Waits for a line, behind the one that the last call has found.
   *
   * @param pattern occurs in the line
   * @return what was found, with its groups
   * @throws IOException if the process ends before, or prints no such line within five minutes
   */
  public Matcher await(Pattern pattern) throws IOException {
    long start = System.nanoTime();
    synchronized (lines) {
      while (true) {
        while (read < lines.size()) {
          Matcher found = pattern.matcher(lines.get(read++));
          if (found.find()) {
            return found;
          }
        }
        long left =
            TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)
                - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (ended || left <= 0) {
          throw new IOException(
              "the server doesn't print " + pattern + ":\n" + String.join("\n", lines));
        }
        pause(left);
      }
    }
  }

  private void pause(long millis) throws IOException {
    try {
      lines.wait(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(stopped);
    }
  }

  /**
   * Writes a line to the process's standard input.
   *
   * @param line the text
   * @throws IOException if the process has ended
   */
  public void send(String line) throws IOException {
    process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
  }

  /**
   * Returns what the process has printed so far.
   *
   * @return the lines of both streams
   */
  public List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /**
   * Returns the process.
   *
   * @return its handle
   */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      process.outputWriter(StandardCharsets.UTF_8).close();
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
