package io.weir.http;

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
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Dialect dialect;
  private final Ticker ticker;
  private final ConcurrentMap<String, PolicyText> texts = new ConcurrentHashMap<>();

  /**
   * Makes a writer.
   *
   * @param dialect which fields to write
   * @param ticker the time of day for {@code X-RateLimit-Reset}
   */
  public RateLimitFields(Dialect dialect, Ticker ticker) {
    this.dialect = dialect;
    this.ticker = ticker;
  }

  /**
   * Writes the fields for a response, whether the request was admitted or refused.
   *
   * @param decision what was decided
   * @return the fields of the dialect; none for {@link Dialect#NONE}
   */
  public List<HeaderField> of(Decision decision) {
    List<HeaderField> fields = new ArrayList<>(5);
    if (dialect.ietf()) {
      fields.add(new HeaderField("RateLimit-Policy", policies(decision)));
      fields.add(new HeaderField("RateLimit", state(decision)));
    }
    if (dialect.xRateLimit()) {
      fields.add(field("X-RateLimit-Limit", decision.limit()));
      fields.add(field("X-RateLimit-Remaining", remaining(decision)));
      fields.add(field("X-RateLimit-Reset", resetAt(decision)));
    }
    return fields;
  }

  private static HeaderField field(String name, long value) {
    return new HeaderField(name, Long.toString(value));
  }

  private String policies(Decision decision) {
    List<Decision> parts = decision.parts();
    return parts.size() == 1
        ? text(parts.get(0))
        : parts.stream().map(this::text).collect(Collectors.joining(","));
  }

  /** A policy's text hardly ever changes, so the last one of each name is kept. */
  private String text(Decision part) {
    Policy policy = part.policy();
    PolicyText kept = texts.get(policy.name());
    if (kept != null && kept.fits(policy, part.limit())) {
      return kept.text();
    }
    PolicyText made = PolicyText.of(policy, part.limit());
    texts.put(policy.name(), made);
    return made.text();
  }

  private static String state(Decision decision) {
    return quoted(decision.policy().name())
        + ";r="
        + remaining(decision)
        + ";t="
        + Seconds.ceil(decision.resetAfter());
  }

  /** A name has no character that a quoted string would escape. */
  private static String quoted(String name) {
    return '"' + name + '"';
  }

  /**
   * A burst above the limit, or a SOFT policy's surplus, is nothing that a caller may plan with.
   */
  private static long remaining(Decision decision) {
    return Math.min(decision.remaining(), decision.limit());
  }

  private long resetAt(Decision decision) {
    return Seconds.ceilMicros(ticker.epochMicros() + decision.resetAfter().toNanos() / 1_000);
  }

  private record PolicyText(Duration window, long limit, String text) {
    static PolicyText of(Policy policy, long limit) {
      Duration window = policy.window();
      String length = window.compareTo(SHORTEST) < 0 ? "" : ";w=" + Seconds.ceil(window);
      return new PolicyText(window, limit, quoted(policy.name()) + ";q=" + limit + length);
    }

    boolean fits(Policy policy, long inForce) {
      return limit == inForce && window.equals(policy.window());
    }
  }
}
