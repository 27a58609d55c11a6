package io.weir.spi;

import java.util.Optional;

/**
 * Writes the body of refusals in place of the standard one: by language, policy and reason. Status,
 * {@code Retry-After} and the other header fields stay as they are.
 *
 * <pre>{@code
 * refusal -> Optional.of(
 *     new RefusalText("text/plain", words(refusal.languages(), refusal.retryAfterSeconds())))
 * }</pre>
 *
 * <p>Bodies are cached for equal refusals, so it is rarely called, and not in the thread of a
 * request. If it throws or returns null, callers get the standard body, and the first failure is
 * logged. They also get it if it doesn't return within half a second; then it isn't called again
 * for ten seconds.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#refusalBody} or found by {@link
 * java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface RefusalBody {
  /**
   * Writes the body of a refusal.
   *
   * @param refusal the refusal
   * @return the body; empty for the standard one
   */
  Optional<RefusalText> of(RefusalInfo refusal);
}
