package io.weir.internal.region;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Knows when each other region last reported to the own region's store.
 *
 * <p><b>How this works.</b> Reports are charged to the own store directly, so no node of this
 * region sees them. But each of them also empties a bucket that is named after the region that it
 * comes from, and that gains a permit a second. How far it has refilled tells how long ago that
 * was, by the store's clock alone, to about two seconds and up to a minute. For longer than that
 * this node remembers it.
 *
 * <p>Safe for concurrent use.
 */
final class HeardReports {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int PERMITS = 60;
  private static final long WINDOW = 60_000_000;
  private static final BucketSpec SIGNS =
      BucketSpec.builder("weir.heard")
          .algorithm(Algorithm.TOKEN_BUCKET)
          .window(Duration.ofSeconds(PERMITS))
          .burst(PERMITS)
          .build();

  private final LeasingStore ownStore;
  private final NodeClock clock;
  private final long patience;
  private final List<Region> regions = new ArrayList<>();
  private final List<Claim> questions = new ArrayList<>();
  private boolean isReading;
  private long readAt;

  /** Knowledge of one region. Needs the lock. */
  private static final class Region {
    private final FirstStart firstStart;
    private @Nullable Long heardAt;
    private boolean isSilent;
    private long answeredAt;
    private long readableSince;
    private int unanswered; // questions since its last answer

    Region(FirstStart firstStart, long now) {
      this.firstStart = firstStart;
      this.answeredAt = now;
      this.readableSince = now;
    }
  }

  /** A line of the log. */
  private record News(System.Logger.Level level, String text) {}

  /**
   * Has heard nothing yet.
   *
   * @param others the other regions' names, and whether each is still to start
   * @param patience microseconds after which a region that isn't heard of is warned of
   */
  HeardReports(LeasingStore ownStore, List<FirstStart> others, NodeClock clock, long patience) {
    this.ownStore = ownStore;
    this.clock = clock;
    this.patience = patience;
    for (FirstStart each : others) {
      regions.add(new Region(each, clock.micros()));
      questions.add(Claim.peek(bucket(each.region()), PERMITS, PERMITS, PERMITS));
    }
  }

  private static BucketId bucket(String region) {
    return new BucketId(SIGNS, Key.of(region));
  }

  /** Makes the claim that goes with each report of a region. */
  static Claim sign(String region) {
    return Claim.builder(bucket(region), PERMITS, PERMITS).needed(PERMITS).atLeast(1).build();
  }

  /** Asks the own store, unless its last answer is due. Waits for nothing. */
  void read() {
    long now = clock.micros();
    synchronized (this) {
      if (isReading && now - readAt < patience || questions.isEmpty()) {
        return;
      }
      isReading = true;
      readAt = now;
      regions.forEach(each -> each.unanswered++);
    }
    CompletionStage<List<Optional<Grant>>> answers;
    try {
      answers = ownStore.execute(questions);
    } catch (RuntimeException | Error broken) {
      answers = CompletableFuture.failedStage(broken);
    }
    answers.whenComplete(
        (grants, failure) ->
            learn(grants, now).forEach(each -> NonThrowingLog.log(LOG, each.level(), each.text())));
  }

  private synchronized List<News> learn(@Nullable List<Optional<Grant>> grants, long askedAt) {
    isReading = false;
    List<News> news = new ArrayList<>(0);
    for (int at = 0; grants != null && at < regions.size(); at++) {
      Region region = regions.get(at);
      grants.get(at).flatMap(answer -> learn(region, answer, askedAt)).ifPresent(news::add);
    }
    return news;
  }

  private Optional<News> learn(Region region, Grant answer, long askedAt) {
    long now = clock.micros();
    if (wasAway(region, askedAt, now)) {
      region.readableSince = now; // while the own store is away, nobody can report to it
    }
    region.answeredAt = now;
    region.unanswered = 0;
    if (answer.retry() > 0) {
      // The store was asked before it answered, so a late answer makes no report look newer.
      long at = askedAt - Math.max(0, WINDOW - answer.retry());
      region.heardAt = region.heardAt == null ? at : Math.max(region.heardAt, at);
      region.firstStart.heard(now);
    }
    boolean wasSilent = region.isSilent;
    region.isSilent = isSilent(region, now);
    if (region.isSilent == wasSilent) {
      return Optional.empty();
    }
    String name = "Region " + region.firstStart.region() + " ";
    return Optional.of(
        wasSilent
            ? new News(System.Logger.Level.INFO, name + "reports here again")
            : new News(System.Logger.Level.WARNING, name + silence(region, now)));
  }

  /**
   * Returns whether the own store was away until it gave this answer. One of many nodes may ask it
   * no more often than that, so it isn't enough that the last answer is old.
   */
  private boolean wasAway(Region region, long askedAt, long now) {
    boolean isAnyMissing = region.unanswered > 1 || now - askedAt >= patience / 2;
    return isAnyMissing && now - region.answeredAt >= patience / 2;
  }

  /** Returns whether it is silent, which only a report ends. */
  private boolean isSilent(Region region, long now) {
    if (region.heardAt != null && now - region.heardAt < patience) {
      return false;
    }
    long readableFor = now - region.readableSince;
    return region.isSilent || Math.min(silentFor(region, now), readableFor) >= patience;
  }

  private long silentFor(Region region, long now) {
    Long heardAt = region.heardAt;
    return now - (heardAt == null ? region.firstStart.possibleSince() : heardAt);
  }

  private String silence(Region region, long now) {
    return "hasn't reported here for "
        + DurationText.inWords(Duration.ofSeconds(silentFor(region, now) / 1_000_000))
        + ", so what its callers use doesn't count here";
  }

  /** Returns how long ago a region last reported; empty if it hasn't since this node started. */
  synchronized Optional<Duration> age(int number) {
    Long heardAt = regions.get(number).heardAt;
    return Optional.ofNullable(heardAt).map(at -> Duration.ofNanos((clock.micros() - at) * 1_000));
  }

  /** Describes a region that hasn't reported for long; empty if it has, or the store is silent. */
  synchronized Optional<String> trouble(int number) {
    Region region = regions.get(number);
    return region.isSilent
        ? Optional.of("it " + silence(region, clock.micros()))
        : Optional.empty();
  }
}
