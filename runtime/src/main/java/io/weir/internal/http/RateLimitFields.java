package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Writes the header fields that tell a caller of its limits.
 *
 * <p>{@code RateLimit-Policy} lists all policies that decided, in the order asked; the other fields
 * speak for the closest one. What is left is never shown as more than the limit.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFields {
  private static final int MOST_FIELDS = 5;

  private final HeaderDialect dialect;
  private final Ticker ticker;
  private final ConcurrentMap<String, PolicyFields> known = new ConcurrentHashMap<>();
  private volatile ResetField latestReset = ResetField.of(0);

  /**
   * Makes a writer.
   *
   * @param dialect which fields to write
   * @param ticker the time of day for {@code X-RateLimit-Reset}
   */
  public RateLimitFields(HeaderDialect dialect, Ticker ticker) {
    this.dialect = dialect;
    this.ticker = ticker;
  }

  /**
   * Writes the fields for a response, whether the request was admitted or refused.
   *
   * @param decision what was decided
   * @return the fields of the dialect; none for {@link HeaderDialect#NONE}
   */
  public List<HeaderField> of(Decision decision) {
    if (dialect == HeaderDialect.NONE) {
      return List.of();
    }
    List<HeaderField> fields = new ArrayList<>(MOST_FIELDS);
    PolicyFields closest = fields(decision);
    String left = Long.toString(remaining(decision));
    Duration reset = decision.resetAfter();
    if (dialect.ietf()) {
      fields.add(policies(decision, closest));
      fields.add(closest.state(left, reset));
    }
    if (dialect.xRateLimit()) {
      fields.add(closest.limit());
      fields.add(new HeaderField("X-RateLimit-Remaining", left));
      fields.add(resetAt(reset));
    }
    return fields;
  }

  private HeaderField policies(Decision decision, PolicyFields closest) {
    List<Decision> parts = decision.parts();
    return parts.size() == 1
        ? closest.policy()
        : PolicyFields.policy(
            parts.stream()
                .map(each -> fields(each).policy().value())
                .collect(Collectors.joining(",")));
  }

  /** What a policy says hardly ever changes, so the last of each name is kept. */
  private PolicyFields fields(Decision part) {
    Policy policy = part.policy();
    PolicyFields kept = known.get(policy.name());
    if (kept != null && kept.fits(policy, part.limit())) {
      return kept;
    }
    PolicyFields made = PolicyFields.of(policy, part.limit());
    known.put(policy.name(), made);
    return made;
  }

  /**
   * A burst above the limit, or a SOFT policy's surplus, is nothing that a caller may plan with.
   */
  private static long remaining(Decision decision) {
    return Math.min(decision.remaining(), decision.limit());
  }

  /** Most requests of one second are told the same. */
  private HeaderField resetAt(Duration reset) {
    long second = Seconds.ceilMicros(ticker.epochMicros() + reset.toNanos() / 1_000);
    ResetField last = latestReset;
    if (last.second == second) {
      return last.field;
    }
    ResetField made = ResetField.of(second);
    latestReset = made;
    return made.field;
  }

  /** When a caller has more, in seconds since the epoch. Immutable. */
  private record ResetField(long second, HeaderField field) {
    static ResetField of(long second) {
      return new ResetField(second, new HeaderField("X-RateLimit-Reset", Long.toString(second)));
    }
  }
}
