package io.weir.spi;

import java.util.Optional;

/**
 * Says what a refused caller reads, in the application's own words: by language, policy and reason.
 * Status, {@code Retry-After} and the other header fields stay as they are.
 *
 * <pre>{@code
 * refusal -> Optional.of(
 *     new RefusalText("text/plain", words(refusal.languages(), refusal.retryAfterSeconds())))
 * }</pre>
 *
 * <p>What it says is kept for all who are told the same, so it is called only once in a while, and
 * not in the thread of a request. If it throws or answers null, callers get the standard document,
 * and the first failure is logged. So they do if there is no answer within half a second; then it
 * isn't asked again for ten seconds.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#refusalBody} or found by {@link
 * java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface RefusalBody {
  /**
   * The body for all who are refused in this way.
   *
   * @param refusal what they are told
   * @return the text; nothing for the standard document
   */
  Optional<RefusalText> of(RefusalInfo refusal);
}
