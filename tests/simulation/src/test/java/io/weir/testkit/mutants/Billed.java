package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A period of which a ledger knows what was used, when the store loses what it has counted. */
final class Billed {
  private static final int NODES = 3;
  private static final Instant BEGIN = Instant.parse("2025-12-15T00:00:00Z");
  private static final int LIMIT = 1_000;

  private Billed() {}

  static List<String> wiped(long seed) {
    Policy policy =
        Policy.builder("lab")
            .limit(LIMIT)
            .period(BEGIN, BEGIN.plus(Duration.ofDays(31)))
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    lab.ask(0, NODES, policy, "else", NODES, Lab.millis(100)); // all know the data
    long used = lab.ask(0, NODES, policy, "who", 600, Lab.millis(1_000)); // leases are held
    lab.cluster.wipe(0);
    lab.rest(Lab.millis(300 + seed * 37 % 500)); // all have heard of it
    PermitRequest ask = new PermitRequest(policy, Key.of("who"), 1, LIMIT, used);
    long more = lab.ask(0, NODES, ask, 1_500, Lab.millis(3_000));
    lab.least("use", LIMIT - used, more);
    return lab.verdict();
  }
}
