package io.weir.spi;

import io.weir.Policy;
import io.weir.Reason;
import java.util.List;
import java.util.Locale;

/**
 * Describes a refusal without identifying the caller, so that equal refusals can share a response.
 *
 * <p>Immutable. Made by Weir; an application implements it only in its tests.
 */
public interface RefusalInfo {
  /**
   * Returns the policy that refused for the longest time.
   *
   * @return one of {@link #policies()}
   */
  Policy policy();

  /**
   * Returns all policies that refused.
   *
   * @return at least one
   */
  List<Policy> policies();

  /**
   * Returns the limit of the caller under {@link #policy()}: the policy's, or that of its tier.
   *
   * @return permits per window, 1 and more
   */
  long limit();

  /**
   * Returns the reason of the refusal.
   *
   * @return {@link Reason#QUOTA_EXCEEDED}, for example
   */
  Reason reason();

  /**
   * Returns the status of the response.
   *
   * @return 429 if the caller has used its limit or is blocked, or the request costs more; 503 if
   *     the server is overloaded or can't reach its store; 403 if an access list denies the caller
   */
  int status();

  /**
   * Returns the value of {@code Retry-After}.
   *
   * @return seconds, 1 and more; 0 if the response has none, since the request costs more than the
   *     caller can ever have ({@link Reason#COST_ABOVE_LIMIT}), or the caller is denied ({@link
   *     Reason#DENIED})
   */
  long retryAfterSeconds();

  /**
   * Returns the languages of {@code Accept-Language}, for {@link Locale#lookup}.
   *
   * @return the preferred one first; none if the request has no such field, or one that is
   *     malformed or longer than 256 characters
   */
  List<Locale.LanguageRange> languages();
}
