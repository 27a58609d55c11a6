package io.weir.internal.ban;

import io.weir.BanTerms;
import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Determines the buckets in which a store counts a caller's strikes and bans. They aren't those of
 * any policy: their keys begin with the policy's name.
 *
 * <p>Bans are counted by a bucket that drains: one ban less for each time that the longest ban
 * lasts.
 *
 * <p>They are each region's own: a ban that another one has made would hide that this one has none.
 *
 * <p>Immutable.
 */
final class BanBuckets {
  private static final String STRIKES = "weir-strikes";
  private static final String BANS = "weir-bans";
  private static final String RECENT = "weir-recent-ban";

  private final Predicate<BucketSpec> counts;

  /**
   * Determines them for a store.
   *
   * @param counts whether it counts buckets of a spec
   */
  BanBuckets(Predicate<BucketSpec> counts) {
    this.counts = counts;
  }

  /** Returns the bucket of a caller's strikes. */
  BucketId ofStrikes(WatchedCaller caller) {
    return bucket(
        caller,
        STRIKES,
        caller.terms().within(),
        Algorithm.SLIDING_WINDOW,
        Algorithm.SLIDING_LOG,
        Algorithm.FIXED_WINDOW);
  }

  /** Takes so many strikes, as far as they lead to the next ban. */
  static Claim strikes(BucketId bucket, WatchedCaller caller, long number) {
    long after = caller.terms().after();
    return Claim.builder(bucket, after, after).needed(Math.min(after, number)).build();
  }

  /** Returns the bucket of a caller's bans; empty if all are of one length. */
  Optional<BucketId> ofBans(WatchedCaller caller) {
    long most = mostBans(caller.terms());
    Duration drained = caller.terms().atMost().multipliedBy(most);
    boolean isLong = drained.compareTo(BucketSpec.MAX_WINDOW) > 0;
    return most == 1
        ? Optional.empty()
        : Optional.of(
            bucket(
                caller,
                BANS,
                isLong ? BucketSpec.MAX_WINDOW : drained,
                Algorithm.TOKEN_BUCKET,
                Algorithm.SLIDING_WINDOW));
  }

  /** Takes one ban. */
  static Claim ban(BucketId bucket, WatchedCaller caller) {
    long most = mostBans(caller.terms());
    return Claim.builder(bucket, most, most).needed(1).build();
  }

  /** Asks for the number of bans, and takes none. */
  static Claim askBans(BucketId bucket, WatchedCaller caller) {
    long most = mostBans(caller.terms());
    return Claim.peek(bucket, 1, most, most);
  }

  /** Returns the number of bans that an answer counts. */
  static long bans(WatchedCaller caller, Grant grant) {
    return mostBans(caller.terms()) - grant.left();
  }

  /**
   * Asks whether a ban is the only one within half the length of the first one. Nodes that make
   * several so close together don't know of each other's.
   */
  Claim recentBan(WatchedCaller caller) {
    Duration half = caller.terms().first().dividedBy(2);
    return Claim.of(
        bucket(caller, RECENT, half, Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_WINDOW), 1, 1, 1);
  }

  /** Returns the bans up to the first of the greatest length. */
  private static long mostBans(BanTerms terms) {
    long before = 0;
    while (terms.length(before).compareTo(terms.atMost()) < 0) {
      before++;
    }
    return before + 1;
  }

  /** Takes the first algorithm that the store counts by; the first of all if there is none. */
  private BucketId bucket(
      WatchedCaller caller, String name, Duration window, Algorithm... algorithms) {
    List<BucketSpec> specs =
        Stream.of(algorithms)
            .map(
                each ->
                    BucketSpec.builder(name).algorithm(each).window(window).ofRegion(true).build())
            .toList();
    BucketSpec spec = specs.stream().filter(counts).findFirst().orElse(specs.get(0));
    return new BucketId(spec, Key.tuple(List.of(Key.of(caller.policy()), caller.key())));
  }
}
