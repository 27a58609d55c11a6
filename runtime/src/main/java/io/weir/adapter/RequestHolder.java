package io.weir.adapter;

/**
 * Holds a request, as an adapter's own object for it: what one adapter leaves to the next under
 * {@link LimitedRequest#ATTRIBUTE}. With it one attribute is enough for both; each costs the
 * container an entry of a map.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface RequestHolder {
  /**
   * Returns the request.
   *
   * @return the same object at each call
   */
  LimitedRequest limitedRequest();
}
