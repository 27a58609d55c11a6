package io.weir.benchmarks.service;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Libraries;
import java.io.IOException;
import java.util.List;

/**
 * A server in a JVM of its own, and the addresses of its listeners.
 *
 * <p>Confine to one thread.
 */
final class ServedService implements AutoCloseable {
  /** The number of users with a tier. */
  static final int USERS = 10_000;

  private static final String HEAP = "-Xmx512m";

  private final Child child;
  private final String[] addresses;

  private ServedService(Child child) throws IOException {
    this.child = child;
    this.addresses = child.hear().split(" ", -1);
  }

  /**
   * Starts one, with its rules in memory.
   *
   * @param store its setting
   */
  static ServedService with(String store) throws IOException {
    return with(store, HEAP);
  }

  /** Returns the same, with a heap of a certain size. */
  static ServedService with(String store, String heap) throws IOException {
    return start(heap, store, "h2");
  }

  /** Starts one with tiers and rules in PostgreSQL. */
  static ServedService withPostgres(String store) throws IOException {
    return start(HEAP, store, "postgres");
  }

  private static ServedService start(String heap, String store, String rules) throws IOException {
    return new ServedService(
        Child.start(
            List.of(heap), Libraries.classPath(), ServerChild.class, store, rules, "" + USERS));
  }

  /** Starts listeners that answer with a constant. */
  static ServedService constant() throws IOException {
    return new ServedService(
        Child.start(List.of(HEAP), Libraries.classPath(), ConstantChild.class));
  }

  /** Returns the address for one kind of request. */
  String address(RequestKind kind) {
    return switch (kind) {
      case HTTP_CHECK -> addresses[0].replace("http://", "");
      case ENVOY -> addresses[1];
      default -> addresses[2];
    };
  }

  String token() {
    return addresses[3];
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
