package io.weir.benchmarks.http;

import io.weir.benchmarks.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A server in a process of its own, and the connections to it.
 *
 * <p>Confine to one thread.
 */
final class Served implements AutoCloseable {
  /** The same for all: a heap that doesn't grow while it is measured. */
  private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");

  private static final double MICRO = 1_000;

  private final Child child;
  private final boolean limited;
  private final List<Connection> connections = new ArrayList<>();
  private long[] latencies = new long[1 << 16];

  Served(Server server, boolean limited, Path directory) throws IOException {
    this.limited = limited;
    this.child =
        Child.start(
            FLAGS,
            ServerMain.class,
            server.name(),
            Boolean.toString(limited),
            directory.toString());
  }

  /** Waits until the server is up. */
  void connect() throws IOException {
    int port = Integer.parseInt(child.hear());
    for (int i = 0; i < Load.CONNECTIONS; i++) {
      connections.add(new Connection(port));
    }
    check();
  }

  /** An answer tells of limits if there is Weir, and else it doesn't. */
  void check() throws IOException {
    Connection connection = connections.get(0);
    connection.send(Load.ONE_BY_ONE.requests());
    String answer = connection.text(Hello.END);
    for (String name : List.of("RateLimit:", "RateLimit-Policy:", "X-RateLimit-Remaining:")) {
      require(answer.contains("\n" + name) == limited, answer);
    }
    require(answer.startsWith("HTTP/1.1 200") && answer.endsWith(Hello.TEXT), answer);
  }

  /** The first request that is to be refused isn't. */
  void spendLimit() throws IOException {
    Connection connection = connections.get(0);
    connection.send(Connection.requests(Hello.REFUSED_PATH, 1));
    connection.text(Hello.END);
    connection.send(Connection.requests(Hello.REFUSED_PATH, 1));
    String answer = connection.text(Hello.END_OF_REFUSAL);
    require(answer.startsWith("HTTP/1.1 429"), answer);
  }

  private static void require(boolean right, String answer) {
    if (!right) {
      throw new IllegalStateException("an answer that isn't as it should be: " + answer);
    }
  }

  /** Puts the server under load for some time. */
  Round measure(Load load, Duration time) throws IOException {
    byte[] requests = load.requests();
    String[] before = child.ask("?").split(" ");
    long from = System.nanoTime();
    int waves = 0;
    while (System.nanoTime() - from < time.toNanos()) {
      wave(requests, load, waves++);
    }
    long took = System.nanoTime() - from;
    String[] after = child.ask("?").split(" ");
    double answers = (double) waves * connections.size() * load.inOneGo();
    return new Round(
        difference(before[0], after[0]) / answers / MICRO,
        difference(before[1], after[1]) / answers,
        answers * 1e9 / took,
        p99(waves * connections.size()) / MICRO);
  }

  private void wave(byte[] requests, Load load, int number) throws IOException {
    int first = number * connections.size();
    if (latencies.length < first + connections.size()) {
      latencies = Arrays.copyOf(latencies, 2 * latencies.length);
    }
    for (int i = 0; i < connections.size(); i++) {
      latencies[first + i] = System.nanoTime();
      connections.get(i).send(requests);
    }
    for (int i = 0; i < connections.size(); i++) {
      connections.get(i).receive(load.inOneGo(), load.end());
      latencies[first + i] = System.nanoTime() - latencies[first + i];
    }
  }

  private double p99(int count) {
    Arrays.sort(latencies, 0, count);
    return latencies[Math.min(count - 1, count * 99 / 100)];
  }

  private static double difference(String before, String after) {
    return Long.parseLong(after) - Long.parseLong(before);
  }

  @Override
  public void close() throws IOException {
    for (Connection each : connections) {
      each.close();
    }
    child.close();
  }
}
