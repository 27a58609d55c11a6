package io.weir.internal.redis.connection;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/**
 * Measures for how long a server has owed an answer.
 *
 * <p>The silence of a call that was given up goes on until the server answers any other. Otherwise
 * it would begin anew with each call to a frozen server, and a request waiting meanwhile would wait
 * for the next call as well.
 *
 * <p>Safe for concurrent use.
 */
final class SilenceMeter {
  private final Set<LongUnaryOperator> underWay = ConcurrentHashMap.newKeySet();
  private volatile Optional<Long> unanswered = Optional.empty();

  /**
   * Begins measuring a call, which returns the nanoseconds for which its answer has been owed at a
   * given time.
   */
  void begin(LongUnaryOperator call) {
    underWay.add(call);
  }

  /** Ends a call of which it is unknown whether the server has answered it. */
  void end(LongUnaryOperator call) {
    underWay.remove(call);
  }

  void answered(LongUnaryOperator call) {
    unanswered = Optional.empty();
    end(call);
  }

  /** Ends a call that was given up before all its answers arrived. */
  synchronized void givenUp(LongUnaryOperator call, long now) {
    long silent = call.applyAsLong(now);
    boolean isLongest = unanswered.filter(since -> now - since >= silent).isEmpty();
    if (silent > 0 && isLongest) {
      unanswered = Optional.of(now - silent);
    }
    end(call); // last, so that it is in flight or remembered at each moment
  }

  /** Returns nanoseconds; 0 if the server owes no answer. */
  long nanos(long now) {
    long longest = unanswered.map(since -> now - since).orElse(0L);
    for (LongUnaryOperator call : underWay) {
      longest = Math.max(longest, call.applyAsLong(now));
    }
    return longest;
  }
}
