package io.weir.internal.region;

import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.extension.SafeCalls;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.ExactBuckets;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The own region's store, which decides everything. What it answers is also counted for the other
 * regions, once, on the thread of the answer.
 *
 * <p>Safe for concurrent use.
 */
public final class ReportingStore implements LeasingStore {
  private final LeasingStore own;
  private final Runnable ending;
  private final RegionReports reports;
  private final NodeClock clock;
  private final NodeTurns turns;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger("io.weir"),
          "Permits couldn't be counted for other regions; decisions aren't affected");

  /**
   * Wraps the own store.
   *
   * @param turns learn how many nodes live
   * @param ending reports what is left, before the own store is closed
   */
  ReportingStore(
      LeasingStore own, RegionReports reports, NodeClock clock, NodeTurns turns, Runnable ending) {
    this.own = own;
    this.ending = ending;
    this.reports = reports;
    this.clock = clock;
    this.turns = turns;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    long sentAt = clock.micros();
    return counted(claims, sentAt, own.execute(claims));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(
      int partition, Epoch epoch, List<Claim> claims) {
    long sentAt = clock.micros();
    return counted(claims, sentAt, own.execute(partition, epoch, claims));
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> executeBlocking(
      int partition, Epoch epoch, List<Claim> claims, long mostMicros, Runnable meanwhile) {
    long sentAt = clock.micros();
    return counted(
        claims, sentAt, own.executeBlocking(partition, epoch, claims, mostMicros, meanwhile));
  }

  private CompletionStage<List<Optional<Grant>>> counted(
      List<Claim> claims, long sentAt, CompletionStage<List<Optional<Grant>>> answers) {
    return answers.thenApply(
        grants -> {
          try {
            count(claims, sentAt, grants);
          } catch (RuntimeException | Error mistake) { // requests wait for this answer
            calls.failed(mistake);
          }
          return grants;
        });
  }

  private void count(List<Claim> claims, long sentAt, List<Optional<Grant>> grants) {
    for (int at = 0; at < claims.size(); at++) {
      Optional<Grant> grant = grants.get(at);
      if (grant.isPresent()) {
        reports.count(claims.get(at), grant.get(), sentAt);
      }
    }
  }

  /** Tells the other regions what they haven't heard yet, as far as they answer in time. */
  @Override
  public void close() {
    try {
      ending.run();
    } finally {
      own.close();
    }
  }

  @Override
  public String describe() {
    return own.describe();
  }

  @Override
  public long minLifeMicros() {
    return own.minLifeMicros();
  }

  /**
   * Returns false. Permits of a far lease count from when they are spent, up to an eighth of a
   * window later than they are reported: the other regions would forget them too early.
   */
  @Override
  public boolean grantsFarLeases() {
    return false;
  }

  @Override
  public CompletionStage<?> connect() {
    return own.connect();
  }

  @Override
  public int partition(BucketId bucket) {
    return own.partition(bucket);
  }

  @Override
  public boolean hasPartition(int partition) {
    return own.hasPartition(partition);
  }

  @Override
  public CompletionStage<Epoch> epoch(int partition, Epoch known) {
    return own.epoch(partition, known);
  }

  @Override
  public long silentMicros(int partition) {
    return own.silentMicros(partition);
  }

  @Override
  public CompletionStage<Optional<String>> mark(Optional<String> mark) {
    return own.mark(mark);
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return own.heartbeat(node)
        .thenApply(
            membership -> {
              turns.learn(membership.live());
              return membership;
            });
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return own.leave(node);
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    return own.forget(bucket);
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return own.exactBuckets();
  }

  @Override
  public Set<Algorithm> algorithms() {
    return own.algorithms();
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return own.counts(spec);
  }

  @Override
  public long size() {
    return own.size();
  }
}
