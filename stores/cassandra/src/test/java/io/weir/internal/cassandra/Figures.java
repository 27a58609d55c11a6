package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.cassandra.recipe.PhoneEvents;
import io.weir.internal.store.StoreFailureLog;
import io.weir.metrics.DecisionCounts;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Sums beside lightweight transactions, and both beside the plain recipe; how often a limiter has
 * to ask; by how much the plain recipe overshoots. The ways take turns, so that whatever else the
 * machine does meets all of them, and the reported figure of a number of turns is the median.
 *
 * <p>Not a test: docs/design/cassandra.md has the command.
 */
final class Figures {
  private static final Duration TURN = Duration.ofSeconds(2);
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final int TURNS = 7;
  private static final int NODES = 3;
  private static final int HAND_LIMIT = 10;
  private static final int HAND_AT_ONCE = 16;
  private static final int HAND_TRIES = 50;
  private static final long PLENTY = 1_000_000_000;
  private static final BucketSpec HOUR =
      BucketSpec.builder("figures")
          .algorithm(Algorithm.FIXED_WINDOW)
          .window(Duration.ofHours(1))
          .build();
  private static final Claim CLAIM =
      Claim.of(new BucketId(HOUR, Key.everybody()), 1, PLENTY, PLENTY);

  private final InetSocketAddress server;
  private final List<Node> nodes = new ArrayList<>();
  private final PhoneEvents events;

  private Figures(InetSocketAddress server, CqlSession session) {
    this.server = server;
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.connect(Servers.address(server)));
    }
    session.execute(PhoneEvents.TABLE);
    events = new PhoneEvents(session, "a secret");
  }

  public static void main(String[] arguments) throws InterruptedException {
    InetSocketAddress server = Servers.shared();
    Servers.open(server).close(); // makes the keyspace
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(server)
            .withLocalDatacenter(CassandraServer.DATA_CENTRE)
            .withKeyspace(Servers.KEYSPACE)
            .withConfigLoader(Servers.patient())
            .build()) {
      Figures figures = new Figures(server, session);
      figures.compareAll();
      figures.printOvershoot();
      figures.tellExchanges();
    }
    System.exit(0);
  }

  private void compareAll() throws InterruptedException {
    Map<String, IntPredicate> apart = new LinkedHashMap<>();
    apart.put("sums", claiming("sums", () -> UUID.randomUUID().toString()));
    apart.put("transactions", claiming("transactions", () -> UUID.randomUUID().toString()));
    apart.put("plain queries", thread -> countByHand(UUID.randomUUID().toString()));
    for (IntPredicate each : apart.values()) { // until all is compiled
      Turn.run(2 * NODES, WARM_UP, each);
    }
    for (int threads : List.of(1, 8, 64)) {
      compare("a bucket for each claim", threads, apart);
      Map<String, IntPredicate> together = new LinkedHashMap<>();
      String one = UUID.randomUUID().toString();
      together.put("sums", claiming("sums", () -> one));
      together.put("transactions", claiming("transactions", () -> one));
      compare("all on one bucket", threads, together);
    }
  }

  /** A claim by one of the nodes. */
  private IntPredicate claiming(String kind, Supplier<String> name) {
    return thread -> {
      Node node = nodes.get(thread % nodes.size());
      BatchingBucket bucket = node.bucket(kind, kind + name.get());
      return bucket.execute(List.of(CLAIM)).toCompletableFuture().join().get(0).permits() == 1;
    };
  }

  /** One insert and one count. */
  private boolean countByHand(String phone) {
    events.add(phone);
    return events.count(phone) == 1;
  }

  private static void compare(String what, int threads, Map<String, IntPredicate> ways)
      throws InterruptedException {
    Map<String, List<Turn>> turns = new LinkedHashMap<>();
    for (int turn = 0; turn < TURNS; turn++) {
      for (Map.Entry<String, IntPredicate> each : ways.entrySet()) {
        turns
            .computeIfAbsent(each.getKey(), any -> new ArrayList<>())
            .add(Turn.run(threads, TURN, each.getValue()));
      }
    }
    turns.forEach((way, all) -> tell(way + ", " + what + ", threads: " + threads, all));
    List<Double> ratios = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      double sums = turns.get("sums").get(turn).perSecond();
      ratios.add(sums / turns.get("transactions").get(turn).perSecond());
    }
    ratios.sort(null);
    System.out.printf(
        Locale.ROOT,
        "  sums / transactions: %.2f (%.2f to %.2f)%n",
        ratios.get(TURNS / 2),
        ratios.get(0),
        ratios.get(TURNS - 1));
  }

  private static void tell(String what, List<Turn> turns) {
    System.out.printf(
        Locale.ROOT,
        "%-50s %6.0f/s, median %6.1f ms, p99 %6.1f ms, failed %d%n",
        what,
        middle(turns, Turn::perSecond),
        middle(turns, Turn::medianMillis),
        middle(turns, Turn::p99Millis),
        turns.stream().mapToLong(Turn::failed).sum());
  }

  private static double middle(List<Turn> turns, ToDoubleFunction<Turn> value) {
    return turns.stream().mapToDouble(value).sorted().toArray()[turns.size() / 2];
  }

  /** Counts before it inserts, as the obvious code does. */
  private void printOvershoot() throws InterruptedException {
    List<Long> admitted = new ArrayList<>();
    for (int attempt = 0; attempt < HAND_TRIES; attempt++) {
      String phone = UUID.randomUUID().toString();
      AtomicLong count = new AtomicLong();
      AtomicInteger asked = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < HAND_AT_ONCE; i++) {
        threads.add(
            new Thread(
                () -> {
                  asked.incrementAndGet();
                  while (asked.get() < HAND_AT_ONCE) {
                    Thread.onSpinWait();
                  }
                  if (events.count(phone) < HAND_LIMIT) {
                    events.add(phone);
                    count.incrementAndGet();
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread each : threads) {
        each.join();
      }
      admitted.add(count.get());
    }
    admitted.sort(null);
    System.out.printf(
        "plain queries, counted first, %d at once on a limit of %d: %d to %d admitted, median %d%n",
        HAND_AT_ONCE,
        HAND_LIMIT,
        admitted.get(0),
        admitted.get(HAND_TRIES - 1),
        admitted.get(HAND_TRIES / 2));
  }

  private void tellExchanges() {
    tellExchanges("one caller, 1,000 requests a second", 1, Duration.ofMillis(1), 20_000);
    tellExchanges("200 callers, each once in 4 s", 200, Duration.ofMillis(20), 2_000);
  }

  private void tellExchanges(String what, int callers, Duration pause, int requests) {
    DecisionCounts counts = new DecisionCounts();
    Policy policy =
        Policy.builder("exchanges").limit(100_000).window(Duration.ofMinutes(1)).build();
    long degraded = 0;
    try (RateLimiter limiter =
        RateLimiter.builder()
            .store(Servers.address(server), name -> name.equals("weir.store.timeout") ? "2s" : "")
            .storeTimeout(Duration.ofSeconds(2))
            .metrics(counts)
            .build()) {
      String run = UUID.randomUUID().toString();
      long next = System.nanoTime();
      for (int i = 0; i < requests; i++) {
        Decision decision = limiter.tryAcquire(policy, Key.of(run + i % callers));
        degraded += decision.degraded() ? 1 : 0;
        next += pause.toNanos();
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %.4f exchanges a request, %d without the store%n",
        what,
        counts.exchanges() / (double) requests,
        degraded);
  }

  /**
   * A node of the application.
   *
   * @param context of its buckets
   * @param epoch what it knows
   * @param buckets by name
   */
  private record Node(
      SumBucketContext context, String epoch, ConcurrentHashMap<String, BatchingBucket> buckets) {
    static Node connect(String where) {
      CassandraAddress address = CassandraAddress.parse(URI.create(where));
      CassandraSettings settings =
          new CassandraSettings(name -> name.equals("weir.store.timeout") ? "2s" : "");
      Ticker ticker = Ticker.system();
      StoreClock clock = new StoreClock(ticker);
      CassandraConnection connection =
          new CassandraConnection(
              address,
              settings,
              clock,
              ticker,
              new StoreFailureLog("Cassandra", Ticker.system()),
              (session, any) -> {});
      connection.connect().toCompletableFuture().join();
      EpochRows epochs = new EpochRows(connection::table, clock, "epoch", () -> true);
      SumBucketContext context =
          new SumBucketContext(
              BucketArithmetic.leasing(CassandraStore.MIN_LIFE_MICROS),
              clock,
              connection::table,
              epochs,
              connection::later,
              TimeUnit.SECONDS.toNanos(1),
              () -> true);
      String epoch = epochs.ask(io.weir.store.Epoch.NONE).toCompletableFuture().join().id();
      return new Node(context, epoch, new ConcurrentHashMap<>());
    }

    BatchingBucket bucket(String kind, String name) {
      return buckets.computeIfAbsent(
          name,
          any ->
              kind.equals("sums")
                  ? new SumBucket(HOUR, name, UUID.randomUUID(), epoch, context)
                  : new CompareAndSetBucket(name, UUID.randomUUID(), epoch, context));
    }
  }
}
