package io.weir.internal.guard;

/**
 * What an adapter keeps of a request, in one attribute: each costs the container an entry of a map.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface GuardedRequestHolder {
  /**
   * The request on its way past policies.
   *
   * @return always the same
   */
  GuardedRequest guarded();
}
