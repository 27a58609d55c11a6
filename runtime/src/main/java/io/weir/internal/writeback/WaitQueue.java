package io.weir.internal.writeback;

import io.weir.internal.permits.RequestTerms;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.lease.BucketLimits;
import io.weir.internal.writeback.lease.FastPath;
import io.weir.store.Grant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Queues the requests that wait for one bucket, in order of arrival.
 *
 * <p>Needs the bucket's lock.
 */
final class WaitQueue {
  /** The number of claims after which a request has waited enough. */
  static final int MAX_TRIES = 6;

  private final ArrayDeque<WaitingRequest> all = new ArrayDeque<>(0);

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Answers a request if no other waits and its answer is known; otherwise it waits. */
  void serveOrAdd(WaitingRequest waiting, FastPath answers, long now, AfterUnlock after) {
    RequestTerms terms = waiting.request().terms();
    boolean served =
        all.isEmpty()
            && (answer(waiting, answers.spendUncounted(terms, now), after)
                || answer(waiting, answers.refuse(terms, now), after));
    if (!served) {
      all.addLast(waiting);
    }
  }

  /** Answers requests whose answer is known now, and those that have waited enough. */
  void serve(FastPath answers, long now, AfterUnlock after) {
    removeIf(each -> answer(each, answers.spendUncounted(each.request().terms(), now), after));
    if (all.isEmpty()) {
      return; // mostly
    }
    removeIf(each -> answer(each, refusal(each, answers, now), after));
    removeIf(
        each ->
            each.tries() >= MAX_TRIES
                && answer(each, answers.refuseForAWindow(each.request().terms(), now), after));
    failIf(each -> each.tries() >= MAX_TRIES, after);
  }

  // The store itself refused what it was claimed for.
  private static @Nullable Grant refusal(WaitingRequest waiting, FastPath answers, long now) {
    RequestTerms terms = waiting.request().terms();
    return waiting.tries() > 0 ? answers.refuseUnnoted(terms, now) : answers.refuse(terms, now);
  }

  private static boolean answer(WaitingRequest waiting, @Nullable Grant grant, AfterUnlock after) {
    if (grant != null) {
      waiting.answer(grant, after);
    }
    return grant != null;
  }

  void failIf(Predicate<WaitingRequest> which, AfterUnlock after) {
    removeIf(
        each -> {
          boolean fails = which.test(each);
          if (fails) {
            each.fail(after);
          }
          return fails;
        });
  }

  /** Returns whether one of them is refused, but it is unknown for how long. */
  boolean anyRefused(FastPath answers, long now) {
    for (WaitingRequest each : all) {
      if (answers.isRefused(each.request().terms(), now)) {
        return true;
      }
    }
    return false;
  }

  private void removeIf(Predicate<WaitingRequest> done) {
    if (all.isEmpty()) {
      return; // an iterator would be an object for nothing
    }
    for (Iterator<WaitingRequest> each = all.iterator(); each.hasNext(); ) {
      if (done.test(each.next())) {
        each.remove();
      }
    }
  }

  /** Returns the number of permits that all of them need together. */
  long needed() {
    long sum = 0;
    for (WaitingRequest each : all) {
      sum += each.request().permits();
    }
    return sum;
  }

  /** Returns the fewest permits that one of them needs; 0 if no request waits. */
  long least() {
    long least = Long.MAX_VALUE;
    for (WaitingRequest each : all) {
      least = Math.min(least, each.request().permits());
    }
    return all.isEmpty() ? 0 : least;
  }

  /** Returns the limits of a claim for all of them: the largest in force for any. */
  BucketLimits limits(BucketLimits last) {
    long limit = 1;
    long effectiveLimit = 1;
    long burst = 1;
    for (WaitingRequest each : all) {
      limit = Math.max(limit, each.request().limit());
      effectiveLimit = Math.max(effectiveLimit, each.request().effectiveLimit());
      burst = Math.max(burst, each.request().burst());
    }
    return new BucketLimits(limit, effectiveLimit, burst, last.excess());
  }

  void noteClaim(long claim) {
    all.forEach(each -> each.noteClaim(claim));
  }

  /**
   * Takes out the requests that a claim was sent for, in order of arrival, as far as its permits
   * last. Requests that arrived later wait for a claim of their own, or for a lease.
   *
   * @param permits those granted of what the claim needed for them
   * @param limit the limit that requests must have at least
   * @param since the time at which requests must have arrived to be waited for still
   */
  List<WaitingRequest> takeSentFor(long claim, long permits, long limit, long since) {
    if (permits <= 0) {
      return List.of();
    }
    List<WaitingRequest> taken = new ArrayList<>(1);
    long[] left = {permits};
    removeIf(
        each -> {
          boolean sent = each.claim() == claim && each.since() >= since;
          long cost = each.request().permits();
          if (!sent || cost > left[0] || each.request().limit() < limit) {
            return false;
          }
          left[0] -= cost;
          return taken.add(each);
        });
    return taken;
  }
}
