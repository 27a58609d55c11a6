package io.weir.benchmarks.service;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Libraries;
import java.io.IOException;
import java.util.List;

/**
 * A server in a JVM of its own, and where its doors are.
 *
 * <p>Confine to one thread.
 */
final class Served implements AutoCloseable {
  /** How many users have a tier. */
  static final int USERS = 10_000;

  private static final String HEAP = "-Xmx512m";

  private final Child child;
  private final String[] doors;

  private Served(Child child) throws IOException {
    this.child = child;
    this.doors = child.hear().split(" ", -1);
  }

  /**
   * Starts one, with its rules in memory.
   *
   * @param store its setting
   */
  static Served with(String store) throws IOException {
    return with(store, HEAP);
  }

  /** The same, with a heap of a certain size. */
  static Served with(String store, String heap) throws IOException {
    return start(heap, store, "h2");
  }

  /** Starts one with tiers and rules in PostgreSQL. */
  static Served withPostgres(String store) throws IOException {
    return start(HEAP, store, "postgres");
  }

  private static Served start(String heap, String store, String rules) throws IOException {
    return new Served(
        Child.start(
            List.of(heap), Libraries.classPath(), ServerChild.class, store, rules, "" + USERS));
  }

  /** Starts the doors with a constant behind them. */
  static Served constant() throws IOException {
    return new Served(Child.start(List.of(HEAP), Libraries.classPath(), ConstantChild.class));
  }

  /** Where one kind of request goes to. */
  String address(Kind kind) {
    return switch (kind) {
      case HTTP_CHECK -> doors[0].replace("http://", "");
      case ENVOY -> doors[1];
      default -> doors[2];
    };
  }

  String token() {
    return doors[3];
  }

  /** Stops it as people do, so that all is written. */
  void stop() throws IOException {
    child.ask("stop");
  }

  @Override
  public void close() {
    child.close();
  }
}
