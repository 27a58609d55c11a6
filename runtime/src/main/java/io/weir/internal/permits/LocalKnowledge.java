package io.weir.internal.permits;

import io.weir.store.Grant;
import java.util.Optional;

/**
 * What a node knows of a bucket while the store can't be asked: permits that it was granted itself,
 * or that there are none.
 *
 * <p>Immutable.
 *
 * @param granted permits that the store has granted this node in the running window, 0 and more;
 *     rather too many than too few
 * @param refusal the answer if the store said that there are too few permits and time alone can't
 *     have changed that, or if this node has had its share already
 */
public record LocalKnowledge(long granted, Optional<Grant> refusal) {
  /** Nothing is known. */
  public static final LocalKnowledge NOTHING = new LocalKnowledge(0, Optional.empty());

  /**
   * Some permits were granted.
   *
   * @param permits how many
   * @return a view without a refusal
   */
  public static LocalKnowledge granted(long permits) {
    return permits == 0 ? NOTHING : new LocalKnowledge(permits, Optional.empty());
  }

  /**
   * It is known that there are too few.
   *
   * @param answer a grant of no permits that tells when to come again
   * @return a view that refuses
   */
  public static LocalKnowledge refuses(Grant answer) {
    return new LocalKnowledge(0, Optional.of(answer));
  }
}
