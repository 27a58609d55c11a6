package io.weir.benchmarks.postgres;

import io.weir.Policy;
import io.weir.benchmarks.redis.WeirLimiter;
import java.time.Duration;

/** Makes limiters by Weir that count in a database. */
final class WeirOnPostgres {
  private static final String PREFIX = "weir.store.postgres.";

  private WeirOnPostgres() {}

  /** Returns a node with a policy of a minute. */
  static WeirLimiter node(Database database, Surroundings surroundings, long limit) {
    return node(database, surroundings, limit, Duration.ofMinutes(1));
  }

  /** Returns a node with a policy. */
  static WeirLimiter node(
      Database database, Surroundings surroundings, long limit, Duration window) {
    return WeirLimiter.at(
        database.url(),
        name -> setting(name, surroundings),
        Policy.builder("weir").limit(limit).window(window).build());
  }

  private static String setting(String name, Surroundings surroundings) {
    return switch (name) {
      case PREFIX + "connections" -> "" + Pool.CONNECTIONS;
      case PREFIX + "durability" -> surroundings.durability();
      case "weir.secret" -> "benchmark";
      default -> "";
    };
  }
}
