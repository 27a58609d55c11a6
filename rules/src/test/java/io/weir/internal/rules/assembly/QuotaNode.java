package io.weir.internal.rules.assembly;

import io.weir.Decision;
import io.weir.Weir;
import io.weir.adapter.Refusal;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.maintenance.LeaderElection;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.spi.DecisionPhase;
import io.weir.store.PermitStore;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** One node of an application with quotas, without a server. */
final class QuotaNode implements AutoCloseable {
  static final String ENDPOINT = "/api/posts";

  final DefaultRules rules;
  final Weir weir;

  /** The outcome of a request. */
  record Sent(Optional<Refusal> refusal, Decision decision) {
    boolean isAdmitted() {
      return refusal.isEmpty();
    }
  }

  QuotaNode(DataSource database, FakeTicker ticker, PermitStore store) {
    // Written when the test says so, and not in between.
    UsageOptions usage =
        new UsageOptions(
            true, Duration.ofMinutes(1), RetentionPeriods.USUAL, LeaderElection.USUAL_HOLD);
    RulesOptions parts =
        new RulesOptions(
            application -> new CallerSettings("header:X-Api-Key", false, "free"),
            Duration.ofSeconds(5),
            1_000,
            Optional.empty(),
            true,
            Duration.ofMillis(200),
            usage,
            RulesOptions.USUAL_ANOMALIES);
    this.rules = DefaultRules.open(() -> DatabaseOpener.open(database, true), () -> {}, parts);
    this.weir =
        Weir.builder()
            .ticker(ticker)
            .store(store)
            .settings(Map.of("weir.store.timeout", "10s"))
            .policySource(rules.policySource())
            .build();
  }

  Sent send(FakeRequest request) {
    GuardedRequest guarded = WeirRuntime.of(weir).withoutClass().enter(request);
    Optional<Refusal> refusal = guarded.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    if (refusal.isEmpty()) {
      refusal = guarded.decide(DecisionPhase.AFTER_AUTHENTICATION);
    }
    if (refusal.isEmpty()) {
      guarded.completed(200);
    } else {
      guarded.refused();
    }
    return new Sent(refusal, guarded.decision());
  }

  static FakeRequest of(String user) {
    return FakeRequest.from("192.0.2.1").endpoint(ENDPOINT).user(user);
  }

  static FakeRequest keyed(String key) {
    return FakeRequest.from("192.0.2.1").endpoint(ENDPOINT).header("X-Api-Key", key);
  }

  /** Sends requests, and counts the admitted ones. */
  int admitted(String user, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += send(of(user)).isAdmitted() ? 1 : 0;
    }
    return admitted;
  }

  /** Writes the ledger. */
  void flush() {
    rules.usageRecorder().flush(Duration.ofSeconds(20));
  }

  @Override
  public void close() {
    weir.close();
    rules.close();
  }
}
