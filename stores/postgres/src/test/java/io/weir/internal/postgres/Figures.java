package io.weir.internal.postgres;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Measures ways to count beside each other, in turns: one statement that swaps, logged or not, and
 * a function of the server that counts a fixed window by itself.
 *
 * <p>Prints claims a second of one thread and of eight, each with a new caller, and on one bucket.
 */
final class Figures {
  private static final long MILLIS = 1_500;
  private static final BucketSpec SPEC =
      BucketSpec.builder("figures")
          .algorithm(Algorithm.FIXED_WINDOW)
          .window(Duration.ofHours(1))
          .build();

  private Figures() {}

  public static void main(String[] arguments) throws Exception {
    String database = PostgresServer.shared().newDatabase();
    Databases.run(database, FUNCTION);
    int rounds = arguments.length == 0 ? 3 : Integer.parseInt(arguments[0]);
    for (int round = 0; round < rounds; round++) {
      for (String durability : List.of("asynchronous", "unlogged", "synchronous")) {
        Map<String, String> settings =
            Map.of(
                "weir.store.postgres.durability",
                durability,
                "weir.store.postgres.connections",
                "8",
                "weir.prefix",
                durability);
        try (PostgresStore store =
            Databases.open(database, settings, new StoreClock(Ticker.system()))) {
          store.connect().toCompletableFuture().join();
          store(store, durability);
        }
      }
      function(database);
    }
    System.exit(0); // no thread of a connection holds it up
  }

  private static void store(PostgresStore store, String name) throws Exception {
    String prefix = UUID.randomUUID().toString();
    report(name + " new", 1, i -> take(store, prefix + "a" + i));
    report(name + " new", 8, i -> take(store, prefix + "b" + i));
    report(name + " one", 1, i -> take(store, prefix));
    report(name + " one", 8, i -> take(store, prefix));
  }

  private static void take(PostgresStore store, String caller) {
    Claim claim = Claim.of(new BucketId(SPEC, Key.of(caller)), 1, 1_000_000, 1_000_000);
    store.execute(List.of(claim)).toCompletableFuture().join();
  }

  private static void function(String database) throws Exception {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(PostgresServer.source(database).getConnection());
    }
    AtomicLong next = new AtomicLong();
    ThreadLocal<Connection> own =
        ThreadLocal.withInitial(() -> all.get((int) (next.getAndIncrement() % 8)));
    String prefix = UUID.randomUUID().toString();
    report("function new", 1, i -> call(own.get(), prefix + "a" + i));
    report("function new", 8, i -> call(own.get(), prefix + "b" + i));
    report("function one", 1, i -> call(own.get(), prefix));
    report("function one", 8, i -> call(own.get(), prefix));
    for (Connection each : all) {
      each.close();
    }
  }

  private static void call(Connection connection, String caller) {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT set_config('synchronous_commit', 'off', true), figures_claim(?, 1, 1000000)")) {
      statement.setBytes(1, caller.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      statement.execute();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void report(String what, int threads, LongConsumer work) throws Exception {
    AtomicLong done = new AtomicLong();
    long begin = System.nanoTime();
    long end = begin + MILLIS * 1_000_000;
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() < end) {
                  work.accept(done.incrementAndGet());
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread each : all) {
      each.join();
    }
    long rate = done.get() * 1_000_000_000 / (System.nanoTime() - begin);
    System.out.println(what + ", " + threads + " threads: " + rate + " a second");
  }

  private static final String FUNCTION =
      """
      CREATE TABLE figures_buckets (
        key bytea PRIMARY KEY, ends bigint NOT NULL, used bigint NOT NULL) WITH (fillfactor = 70);
      CREATE FUNCTION figures_claim(k bytea, n bigint, most bigint) RETURNS bigint AS $$
      DECLARE
        t bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
        edge bigint := t - t % 3600000000 + 3600000000;
        after bigint;
      BEGIN
        INSERT INTO figures_buckets AS b VALUES (k, edge, n)
        ON CONFLICT (key) DO UPDATE
          SET used = CASE WHEN b.ends < excluded.ends THEN excluded.used
              ELSE b.used + excluded.used END,
            ends = greatest(b.ends, excluded.ends)
          WHERE b.ends < excluded.ends OR b.used + excluded.used <= most
        RETURNING most - used INTO after;
        RETURN coalesce(after, -1);
      END $$ LANGUAGE plpgsql;
      """;
}
