package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the responses of refused requests.
 *
 * <p>A caller that has used its limit gets 429; one that is refused because the server is short of
 * capacity, or cut off from its store, gets 503. Both carry {@code Retry-After} in every dialect.
 *
 * <p>Safe for concurrent use.
 */
public final class Refusals {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  private final RateLimitFields fields;

  /**
   * Writes the rate limit fields of each refusal by the given writer.
   *
   * @param fields writes the fields that tell of limits
   */
  public Refusals(RateLimitFields fields) {
    this.fields = fields;
  }

  /**
   * Makes the response to a refused request.
   *
   * @param decision a refusal
   * @return 429 or 503 with a problem document
   * @throws IllegalArgumentException if the request was admitted
   */
  public Refusal of(Decision decision) {
    List<Decision> refusing =
        decision.parts().stream().filter(part -> part.outcome() == Outcome.REFUSED).toList();
    if (refusing.isEmpty()) {
      throw new IllegalArgumentException("not a refusal: " + decision);
    }
    long seconds = retryAfter(refusing);
    List<HeaderField> headers = new ArrayList<>(fields.of(decision));
    headers.add(new HeaderField("Retry-After", Long.toString(seconds)));
    ProblemDocument problem = isQuota(decision) ? quota(decision) : capacity(decision);
    String body =
        problem.member("violated-policies", names(refusing)).member("retryAfter", seconds).end();
    return new Refusal(isQuota(decision) ? 429 : 503, headers, ProblemDocument.CONTENT_TYPE, body);
  }

  /**
   * Makes the response to a request that can't be counted.
   *
   * @param detail what is wrong with it, for people
   * @return 400 with a problem document
   */
  public Refusal badRequest(String detail) {
    String body =
        new ProblemDocument("about:blank", "Bad Request", 400).member("detail", detail).end();
    return new Refusal(400, List.of(), ProblemDocument.CONTENT_TYPE, body);
  }

  private static boolean isQuota(Decision decision) {
    return decision.reason() == Reason.QUOTA_EXCEEDED || decision.reason() == Reason.WITHIN_LIMIT;
  }

  private static ProblemDocument quota(Decision decision) {
    return new ProblemDocument(TYPES + "quota-exceeded", "Quota exceeded", 429)
        .member(
            "detail",
            "Policy "
                + decision.policy().name()
                + " admits "
                + decision.limit()
                + " permits per "
                + text(decision.policy().window())
                + ".");
  }

  private static ProblemDocument capacity(Decision decision) {
    String why =
        decision.reason() == Reason.STORE_UNAVAILABLE
            ? " can't be decided at the moment."
            : " admits less while the server is overloaded.";
    return new ProblemDocument(
            TYPES + "temporary-reduced-capacity", "Temporarily reduced capacity", 503)
        .member("detail", "Policy " + decision.policy().name() + why);
  }

  private static String text(Duration window) {
    return window.toNanos() % 1_000_000_000 == 0
        ? window.toSeconds() + " s"
        : window.toNanos() / 1_000 + " microseconds";
  }

  /** Only of the policies that refuse: a shadow policy keeps nobody waiting. */
  private static long retryAfter(List<Decision> refusing) {
    Duration longest =
        refusing.stream()
            .map(Decision::retryAfter)
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return Math.max(1, Seconds.ceil(longest));
  }

  private static List<String> names(List<Decision> refusing) {
    return refusing.stream().map(part -> part.policy().name()).toList();
  }
}
