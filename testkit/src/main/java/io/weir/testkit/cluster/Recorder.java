package io.weir.testkit.cluster;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.store.BucketId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Records what happens in a simulated cluster.
 *
 * <p>Confine to one thread.
 */
final class Recorder {
  private final long start;
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<Noted> admissions = new ArrayList<>();
  private final Map<Mishap, Integer> mishaps = new EnumMap<>(Mishap.class);
  private long requests;
  private long refused;
  private long degraded;
  private long waited;
  private long failed;
  private long refunded;
  private long longestWait;
  private long mostBuckets;

  Recorder(long start) {
    this.start = start;
  }

  /** Describes what one policy admitted. */
  interface Description {
    Admission of(Decision part, long permits, Spending spent);
  }

  void arrived(List<PermitRequest> asks, long now) {
    requests++;
    for (PermitRequest ask : asks) {
      BucketId bucket = new BucketId(ask.policy().spec(), ask.key());
      arrivals.add(new Arrival(ask.policy(), bucket, now, ask.permits()));
    }
  }

  void waits() {
    waited++;
  }

  void failed() {
    failed++;
  }

  void took(long micros) {
    longestWait = Math.max(longestWait, micros);
  }

  void holds(long buckets) {
    mostBuckets = Math.max(mostBuckets, buckets);
  }

  void refused(Decision decision) {
    refused++;
    degraded += decision.degraded() ? 1 : 0;
  }

  /** Records an admission and returns the notes of all its parts. */
  List<Noted> admitted(
      Decision decision, List<PermitRequest> asks, List<Spending> spent, Description describe) {
    degraded += decision.degraded() ? 1 : 0;
    List<Noted> parts = new ArrayList<>(asks.size());
    List<Decision> decided = decision.parts();
    for (int i = 0; i < decided.size(); i++) {
      Noted noted = new Noted(describe.of(decided.get(i), asks.get(i).permits(), spent.get(i)));
      parts.add(noted);
      admissions.add(noted);
    }
    return parts;
  }

  void refunded(List<Noted> parts) {
    refunded++;
    parts.forEach(part -> part.refunded = true);
  }

  void happened(Mishap mishap) {
    mishaps.merge(mishap, 1, Integer::sum);
  }

  Report report(long now, long undecided, long exchanges, List<String> ledger, List<Wipe> wipes) {
    List<Admission> kept = new ArrayList<>();
    for (Noted noted : admissions) {
      if (!noted.refunded) {
        kept.add(noted.admission);
      }
    }
    kept.sort(Comparator.comparingLong(Admission::time));
    return new Report(
        start,
        now,
        arrivals,
        kept,
        requests,
        refused,
        degraded,
        waited,
        undecided,
        failed,
        refunded,
        exchanges,
        longestWait,
        mostBuckets,
        mishaps,
        ledger,
        wipes);
  }

  /** An admission that may yet be given back. */
  static final class Noted {
    final Admission admission;
    boolean refunded;

    Noted(Admission admission) {
      this.admission = admission;
    }
  }
}
