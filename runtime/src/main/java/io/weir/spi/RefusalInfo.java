package io.weir.spi;

import io.weir.Policy;
import io.weir.Reason;
import java.util.List;
import java.util.Locale;

/**
 * What is known of a refusal, the same for all who are told it: nothing here says who the caller
 * is.
 *
 * <p>Immutable. Made by Weir; an application implements it only in its tests.
 */
public interface RefusalInfo {
  /**
   * The policy that refused for longest.
   *
   * @return one of {@link #policies()}
   */
  Policy policy();

  /**
   * All policies that refused.
   *
   * @return at least one
   */
  List<Policy> policies();

  /**
   * The limit of the caller under {@link #policy()}: the policy's, or that of its tier.
   *
   * @return permits per window, 1 and more
   */
  long limit();

  /**
   * Why it was refused.
   *
   * @return {@link Reason#QUOTA_EXCEEDED}, say
   */
  Reason reason();

  /**
   * The status of the response.
   *
   * @return 429 if the caller has used its limit; 503 if the server is short of capacity
   */
  int status();

  /**
   * When to come back, as {@code Retry-After} says it.
   *
   * @return seconds, 1 and more
   */
  long retryAfterSeconds();

  /**
   * The languages that the caller reads, from {@code Accept-Language}; for {@link Locale#lookup}.
   *
   * @return the best first; none if the request has no such field, or one that is malformed or
   *     longer than 256 characters
   */
  List<Locale.LanguageRange> languages();
}
