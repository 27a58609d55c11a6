package io.weir.benchmarks.rules;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.benchmarks.Work;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.rules.Rules;
import io.weir.rules.anomaly.AnomalyAction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A JVM with requests of one kind, which reports the cost of one. Each caller has a bucket of its
 * own in this process, whatever the kind.
 */
public final class RequestsChild {
  private static final int ENDPOINTS = 100;
  private static final int BLOCK = 1_000;

  private final GuardedEndpoint endpoint;
  private final UserCall[] calls;
  private int next;

  /** The annotated class. */
  static final class Hello {
    private Hello() {}

    @RateLimit(limit = Tables.LIMIT, window = 1, unit = ChronoUnit.DAYS, by = By.USER)
    void hello() {}
  }

  private RequestsChild(GuardedEndpoint endpoint, List<UserCall> calls) {
    this.endpoint = endpoint;
    this.calls = calls.toArray(new UserCall[0]);
  }

  /**
   * Answers for each line with milliseconds what a request took meanwhile: nanoseconds, those of
   * the processor, and bytes.
   *
   * @param args a {@link LimitKind}, how many rules there are, and how many callers
   */
  public static void main(String[] args) throws Exception {
    LimitKind kind = LimitKind.valueOf(args[0]);
    int rules = Integer.parseInt(args[1]);
    int callers = Integer.parseInt(args[2]);
    WeirBuilder builder = Weir.builder().settings(Passing.PATIENT);
    if (kind.hasRules()) {
      builder.policySource(opened(rules, callers, kind).policySource());
    }
    try (Weir weir = builder.build()) {
      WeirRuntime runtime = WeirRuntime.of(weir);
      GuardedEndpoint endpoint =
          kind.isAnnotated()
              ? runtime.endpoint(
                  Hello.class, Hello.class.getDeclaredMethod("hello"), EndpointType.METHOD)
              : runtime.withoutClass();
      new RequestsChild(endpoint, calls(kind, rules, callers)).answer();
    }
    System.exit(0);
  }

  private static Rules opened(int rules, int callers, LimitKind kind) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:rules;DB_CLOSE_DELAY=-1");
    database.setUser("sa");
    Rules opened =
        Rules.builder(database)
            .callers(10 * callers)
            .timeout(Duration.ofSeconds(10))
            .usage(kind.countsUsage())
            .anomalies(kind.countsUsage() ? AnomalyAction.MONITOR : AnomalyAction.ALLOW)
            .build();
    Tables.addRules(database, rules);
    Tables.addUsers(database, callers);
    opened.refresh();
    return opened;
  }

  private static List<UserCall> calls(LimitKind kind, int rules, int callers) {
    int endpoints = Math.min(ENDPOINTS, rules / Tables.TIERS);
    List<UserCall> calls = new ArrayList<>(callers);
    for (int i = 0; i < callers; i++) {
      calls.add(new UserCall(kind.endpoint(i % endpoints), Tables.user(i)));
    }
    Collections.shuffle(calls, new Random(callers));
    return calls;
  }

  private void answer() throws IOException {
    send(calls.length); // from now on all are cached
    System.out.println("ready");
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      System.out.println(measured(Long.parseLong(line)));
    }
  }

  private String measured(long millis) {
    long from = System.nanoTime();
    long until = from + TimeUnit.MILLISECONDS.toNanos(millis);
    Work before = Work.ofThisThread();
    long sent = 0;
    do {
      send(BLOCK);
      sent += BLOCK;
    } while (System.nanoTime() - until < 0);
    Work after = Work.ofThisThread();
    double nanos = System.nanoTime() - from;
    return String.format(
        Locale.ROOT,
        "%.3f %.3f %.3f",
        nanos / sent,
        (double) (after.cpuNanos() - before.cpuNanos()) / sent,
        (double) (after.bytes() - before.bytes()) / sent);
  }

  private void send(int requests) {
    for (int i = 0; i < requests; i++) {
      Passing.pass(endpoint, calls[next]);
      next = next + 1 == calls.length ? 0 : next + 1;
    }
  }
}
