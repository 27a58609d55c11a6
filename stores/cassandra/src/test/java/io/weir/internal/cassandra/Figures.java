package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.cassandra.recipe.PhoneEvents;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * Sums against lightweight transactions, and both against counting by hand: how many claims a
 * second, how long one takes, and how many failed. Not a test; run it on a machine that does
 * nothing else.
 */
final class Figures {
  private static final Duration EACH = Duration.ofSeconds(5);
  private static final int NODES = 3;
  private static final long PLENTY = 1_000_000_000;
  private static final BucketSpec HOUR =
      BucketSpec.builder("figures")
          .algorithm(Algorithm.FIXED_WINDOW)
          .window(Duration.ofHours(1))
          .build();

  private final CassandraAddress address;
  private final CassandraSettings settings;

  private Figures(InetSocketAddress server) {
    address = CassandraAddress.parse(URI.create(Servers.address(server)));
    settings =
        CassandraSettings.read(address, name -> name.equals("weir.store.timeout") ? "2s" : "");
  }

  public static void main(String[] arguments) throws InterruptedException {
    InetSocketAddress server = Servers.shared();
    Figures figures = new Figures(server);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(figures.node());
    }
    for (String kind : List.of("sums", "transactions")) { // until all is compiled
      String name = "warm-up" + UUID.randomUUID();
      run(
          "",
          2 * NODES,
          EACH.multipliedBy(4),
          nodes,
          (node, any) -> node.bucket(kind, name),
          false);
    }
    for (String kind : List.of("sums", "transactions")) {
      for (boolean one : List.of(true, false)) {
        for (int threads : List.of(1, 8, 64)) {
          String bucket = one ? "one bucket" : "a bucket for each claim";
          figures.measure(
              kind + ", " + bucket + ", " + threads + " threads", threads, nodes, kind, one);
        }
      }
    }
    nodes.forEach(each -> each.connection.close());
    byHand(server);
    System.exit(0);
  }

  private Node node() {
    Ticker ticker = Ticker.system();
    StoreClock clock = new StoreClock(ticker);
    Connection connection =
        new Connection(
            address, settings, clock, ticker, new OnceLog("Cassandra"), (session, any) -> {});
    connection.connect().toCompletableFuture().join();
    Epochs epochs = new Epochs(connection::table, clock, "epoch", () -> true);
    SumContext context =
        new SumContext(
            BucketArithmetic.leasing(CassandraStore.MIN_LIFE_MICROS),
            clock,
            connection::table,
            epochs,
            connection::later,
            TimeUnit.SECONDS.toNanos(1),
            () -> true);
    String epoch = epochs.ask(io.weir.store.Epoch.NONE).toCompletableFuture().join().id();
    return new Node(connection, context, epoch, new ConcurrentHashMap<>());
  }

  private void measure(String what, int threads, List<Node> nodes, String kind, boolean oneBucket)
      throws InterruptedException {
    String name = "figures" + UUID.randomUUID();
    AtomicLong number = new AtomicLong();
    BiFunction<Node, Long, BucketRounds> bucket =
        (node, any) -> {
          String key = oneBucket ? name : name + number.incrementAndGet();
          return node.bucket(kind, key);
        };
    run("warm-up", threads, Duration.ofSeconds(2), nodes, bucket, false);
    run(what, threads, EACH, nodes, bucket, true);
  }

  private static void run(
      String what,
      int threads,
      Duration time,
      List<Node> nodes,
      BiFunction<Node, Long, BucketRounds> bucket,
      boolean told)
      throws InterruptedException {
    Claim claim = Claim.of(new BucketId(HOUR, Key.everybody()), 1, PLENTY, PLENTY);
    long end = System.nanoTime() + time.toNanos();
    List<long[]> all = new ArrayList<>();
    AtomicLong failed = new AtomicLong();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Node node = nodes.get(i % nodes.size());
      Thread thread =
          new Thread(
              () -> {
                long[] micros = new long[200_000];
                int count = 0;
                while (System.nanoTime() < end && count < micros.length) {
                  long begun = System.nanoTime();
                  try {
                    List<Grant> granted =
                        bucket.apply(node, 0L).execute(List.of(claim)).toCompletableFuture().join();
                    if (granted.get(0).permits() == 1) {
                      micros[count++] = (System.nanoTime() - begun) / 1_000;
                    } else {
                      failed.incrementAndGet();
                    }
                  } catch (RuntimeException unknown) {
                    failed.incrementAndGet();
                  }
                }
                synchronized (all) {
                  all.add(Arrays.copyOf(micros, count));
                }
              });
      running.add(thread);
      thread.start();
    }
    for (Thread each : running) {
      each.join();
    }
    if (told) {
      tell(what, all, time, failed.get());
    }
  }

  private static void tell(String what, List<long[]> all, Duration time, long failed) {
    long[] micros = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    System.out.printf(
        Locale.ROOT,
        "%-50s %6.0f/s, median %6.1f ms, p99 %6.1f ms, failed %d%n",
        what,
        micros.length / (double) time.toSeconds(),
        micros.length == 0 ? 0 : micros[micros.length / 2] / 1_000.0,
        micros.length == 0 ? 0 : micros[(int) (micros.length * 0.99)] / 1_000.0,
        failed);
  }

  /** One insert and one count for each request: admitted if the count is within the limit. */
  private static void byHand(InetSocketAddress server) throws InterruptedException {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(server)
            .withLocalDatacenter(CassandraServer.DATA_CENTRE)
            .withKeyspace(Servers.KEYSPACE)
            .withConfigLoader(Servers.patient())
            .build()) {
      session.execute(PhoneEvents.TABLE);
      PhoneEvents events = new PhoneEvents(session, "a secret");
      for (int threads : List.of(1, 8, 64)) {
        AtomicLong number = new AtomicLong();
        String run = UUID.randomUUID().toString();
        byHand(
            "by hand, a caller for each request, " + threads + " threads",
            threads,
            () -> {
              String phone = run + number.incrementAndGet();
              events.add(phone);
              return events.count(phone) <= 10;
            });
      }
      for (int i = 0; i < 5; i++) {
        String phone = UUID.randomUUID().toString();
        AtomicLong admitted = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
          Thread thread =
              new Thread(
                  () -> {
                    if (events.count(phone) < 10) {
                      events.add(phone);
                      admitted.incrementAndGet();
                    }
                  });
          threads.add(thread);
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
          each.join();
        }
        System.out.println(
            "by hand, count first, 16 at once on a limit of 10: admitted " + admitted);
      }
    }
  }

  private static void byHand(String what, int threads, java.util.function.BooleanSupplier ask)
      throws InterruptedException {
    long end = System.nanoTime() + EACH.toNanos();
    List<long[]> all = new ArrayList<>();
    AtomicLong failed = new AtomicLong();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                long[] micros = new long[200_000];
                int count = 0;
                while (System.nanoTime() < end && count < micros.length) {
                  long begun = System.nanoTime();
                  if (ask.getAsBoolean()) {
                    micros[count++] = (System.nanoTime() - begun) / 1_000;
                  } else {
                    failed.incrementAndGet();
                  }
                }
                synchronized (all) {
                  all.add(Arrays.copyOf(micros, count));
                }
              });
      running.add(thread);
      thread.start();
    }
    for (Thread each : running) {
      each.join();
    }
    tell(what, all, EACH, failed.get());
  }

  /**
   * A node of the application.
   *
   * @param connection its own
   * @param context of its buckets
   * @param epoch what it knows
   * @param buckets by name
   */
  private record Node(
      Connection connection,
      SumContext context,
      String epoch,
      ConcurrentHashMap<String, BucketRounds> buckets) {
    BucketRounds bucket(String kind, String name) {
      return buckets.computeIfAbsent(
          name,
          any ->
              kind.equals("sums")
                  ? new SumBucket(HOUR, name, UUID.randomUUID(), epoch, context)
                  : new StateBucket(name, epoch, context));
    }
  }
}
