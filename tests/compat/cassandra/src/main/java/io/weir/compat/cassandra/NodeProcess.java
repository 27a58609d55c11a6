package io.weir.compat.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.compat.cassandra.node.Node;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The process of one node, and the lines to and from it. It ends when its standard input does, so
 * also when this JVM is killed.
 */
final class NodeProcess {
  private static final long PATIENCE_SECONDS = 500;
  private static final String ENDED = "ended";

  private final NodeFiles files;
  private final Process process;
  private final PrintStream to;
  private final BlockingQueue<String> from = new LinkedBlockingQueue<>();

  NodeProcess(NodeFiles files) {
    this.files = files;
    try {
      process =
          new ProcessBuilder(Jvm.command(files.directory()))
              .redirectError(ProcessBuilder.Redirect.appendTo(files.output().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    to = new PrintStream(process.getOutputStream(), true, UTF_8);
    Thread reader = new Thread(this::read, "cassandra-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(Node.REPLY)) {
          from.add(line.substring(Node.REPLY.length()));
        }
      }
    } catch (IOException killed) {
      // said below
    }
    from.add(ENDED);
  }

  /** Waits until it listens. */
  void awaitListening() {
    reply("start");
  }

  /** Has it do something and waits until it has. */
  synchronized String ask(String command) {
    to.println(command);
    return reply(command);
  }

  private String reply(String command) {
    try {
      String line = from.poll();
      for (int second = 0; line == null && second < PATIENCE_SECONDS; second++) {
        line = from.poll(1, TimeUnit.SECONDS); // counted: a machine may stop both of us for longer
      }
      if (line == null || line.equals(ENDED) || line.startsWith("failed: ")) {
        String what = line == null ? "no answer" : line;
        throw new IllegalStateException(
            "Cassandra didn't " + command + ": " + what + "\n" + files.log());
      }
      return line;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("no signal " + name + " to " + process.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void kill() {
    process.destroyForcibly();
    try {
      process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
