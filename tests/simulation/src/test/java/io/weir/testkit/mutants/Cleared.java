package io.weir.testkit.mutants;

import io.weir.Key;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Buckets that a success clears: the arithmetic against a list of all attempts. */
final class Cleared {
  private static final long WINDOW = 1_000_000;
  private static final long MIN_LIFE = 5_000;
  private static final long LIMIT = 12;

  private static final BucketId BUCKET =
      new BucketId(
          BucketSpec.builder("cleared").window(Duration.ofSeconds(1)).clears(true).build(),
          Key.of("account"));

  private Cleared() {}

  /** Says what became of an attempt, as far as the store has heard. */
  private enum Fate {
    RUNNING,
    FAILED,
    GONE
  }

  private static final class Attempt {
    final long stamp;

    /** When it was granted and when it was reported to have failed, in the order of all claims. */
    final int granted;

    int failed;
    Fate fate = Fate.RUNNING;

    Attempt(long stamp, int granted) {
      this.stamp = stamp;
      this.granted = granted;
    }
  }

  /**
   * Attempts overlap, fail, succeed or end without counting; every report may come late, twice or
   * never. What the bucket counts is what the list does, with each claim.
   */
  static List<String> run(long seed) {
    Random random = new Random(seed);
    LiveBucket state = BucketArithmetic.leasing(seed % 3 == 0 ? 1 : MIN_LIFE).fresh(BUCKET.spec());
    List<Attempt> all = new ArrayList<>();
    long now = 1_000 * WINDOW;
    for (int turn = 1; turn <= 300; turn++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextInt(90_000);
      long since = now - WINDOW;
      all.removeIf(each -> each.stamp <= since);
      Claim.Builder claim = Claim.builder(BUCKET, LIMIT, LIMIT);
      if (!all.isEmpty() && random.nextInt(4) > 0) {
        report(random, all.get(random.nextInt(all.size())), all, claim, turn);
      }
      int wanted = random.nextInt(3);
      Grant grant = state.execute(claim.needed(wanted).atLeast(wanted).build(), now);
      for (int n = 0; n < grant.permits(); n++) {
        all.add(new Attempt(grant.stamp(), turn));
      }
      long counted = all.stream().filter(each -> each.fate != Fate.GONE).count();
      long expected = Math.max(0, LIMIT - counted);
      if (grant.left() != expected) {
        return List.of(
            String.format(
                Locale.ROOT, "cleared: %d left of %d at %d", grant.left(), expected, turn));
      }
    }
    return List.of();
  }

  private static void report(
      Random random, Attempt one, List<Attempt> all, Claim.Builder claim, int turn) {
    switch (random.nextInt(4)) {
      case 0 -> {
        claim.giveBack(new GiveBack(one.stamp, 1));
        goes(one, all, Fate.GONE, turn);
      }
      case 1 -> {
        claim.giveBack(new GiveBack(one.stamp, 0, 1));
        goes(one, all, Fate.FAILED, turn);
      }
      case 2 -> {
        claim.giveBack(new GiveBack(one.stamp, 1)).clearBefore(one.stamp);
        goes(one, all, Fate.GONE, turn);
        clear(one, all);
      }
      default -> { // again, or without its give-back, which was lost
        claim.clearBefore(one.stamp);
        clear(one, all);
      }
    }
  }

  /** One running attempt of that stamp, if there is any: they are alike. */
  private static void goes(Attempt one, List<Attempt> all, Fate fate, int turn) {
    for (Attempt each : all) {
      if (each.stamp == one.stamp && each.fate == Fate.RUNNING) {
        each.fate = fate;
        each.failed = turn;
        if (fate == Fate.FAILED) { // those of one grant are cleared together
          all.stream()
              .filter(other -> other.stamp == one.stamp && other.fate == Fate.FAILED)
              .forEach(other -> other.failed = turn);
        }
        return;
      }
    }
  }

  /** A claim's reports are executed before its grant, so a failure of the same turn is earlier. */
  private static void clear(Attempt success, List<Attempt> all) {
    for (Attempt each : all) {
      if (each.fate == Fate.FAILED && each.failed <= success.granted) {
        each.fate = Fate.GONE;
      }
    }
  }
}
