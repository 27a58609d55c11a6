package io.weir.benchmarks.rules;

import com.zaxxer.hikari.HikariDataSource;
import io.weir.Weir;
import io.weir.benchmarks.Heap;
import io.weir.benchmarks.Latencies;
import io.weir.compat.postgres.PostgresServer;
import io.weir.rules.Rules;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A JVM that knows some of many users in PostgreSQL, and reports how many are found in memory, the
 * time of a look-up, and the heap of the known ones.
 */
public final class UsersChild {
  private static final int RULES = 1_000;
  private static final double EXPONENT = 0.99;

  private final CountedDataSource database;
  private final PolicySource source;
  private final int users;

  private UsersChild(CountedDataSource database, PolicySource source, int users) {
    this.database = database;
    this.source = source;
    this.users = users;
  }

  /**
   * Prints the percentage of hits, the microseconds of a look-up, median and 99th percentile, and
   * the bytes of a caller that is kept.
   *
   * @param args how many users there are, how many are kept, and how many requests to send
   */
  public static void main(String[] args) throws Exception {
    int users = Integer.parseInt(args[0]);
    int kept = Integer.parseInt(args[1]);
    try (PostgresServer server = PostgresServer.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(server.newDatabase());
      CountedDataSource database = new CountedDataSource(pool);
      Rules rules = Rules.builder(database).callers(kept).timeout(Duration.ofSeconds(10)).build();
      Tables.addRules(pool, RULES);
      Tables.addUsers(pool, users);
      Tables.run(pool, "ANALYZE weir.user_tiers");
      rules.refresh();
      try (Weir weir =
          Weir.builder().settings(Passing.PATIENT).policySource(rules.policySource()).build()) {
        UsersChild child = new UsersChild(database, rules.policySource(), users);
        child.tell(kept, Integer.parseInt(args[2]));
      }
    }
    System.exit(0);
  }

  private void tell(int kept, int requests) {
    Random random = new Random(users);
    int[] ranked = ranked(random);
    double[] zipf = zipf();
    long before = Heap.usedAtRest();
    for (int i = 0; i < requests; i++) {
      ask(ranked[drawn(zipf, random)]);
    }
    long asked = database.lookUps();
    Latencies misses = new Latencies();
    for (int i = 0; i < requests; i++) {
      int user = ranked[drawn(zipf, random)];
      long lookUps = database.lookUps();
      long from = System.nanoTime();
      ask(user);
      long took = System.nanoTime() - from;
      if (database.lookUps() != lookUps) {
        misses.add(took);
      }
    }
    long missed = database.lookUps() - asked;
    long after = Heap.usedAtRest();
    System.out.println(
        String.format(
            Locale.ROOT,
            "%.3f %.3f %.3f %.3f",
            100.0 * (requests - missed) / requests,
            misses.micros(50),
            misses.micros(99),
            (double) (after - before) / Math.min(kept, users)));
  }

  private void ask(int user) {
    UserCall call = new UserCall(Tables.endpoint(user % (RULES / Tables.TIERS)), Tables.user(user));
    boolean isComplete =
        !source
            .policies(call, CallerTier.none(), DecisionPhase.AFTER_AUTHENTICATION, List.of())
            .toCompletableFuture()
            .join()
            .policies()
            .isEmpty();
    if (!isComplete) {
      throw new IllegalStateException("no rule for " + call);
    }
  }

  /** Returns the users, the busiest first, in no order that the database knows. */
  private int[] ranked(Random random) {
    int[] ranked = new int[users];
    for (int i = 0; i < users; i++) {
      int other = random.nextInt(i + 1);
      ranked[i] = ranked[other];
      ranked[other] = i;
    }
    return ranked;
  }

  /** Returns the share of all requests that the first so many users send. */
  private double[] zipf() {
    double[] sums = new double[users];
    double sum = 0;
    for (int i = 0; i < users; i++) {
      sum += Math.pow(i + 1.0, -EXPONENT);
      sums[i] = sum;
    }
    return sums;
  }

  private static int drawn(double[] sums, Random random) {
    double wanted = random.nextDouble() * sums[sums.length - 1];
    int low = 0;
    int high = sums.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
