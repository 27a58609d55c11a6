package io.weir.internal.key;

/**
 * The places that expressions can read at an endpoint; headers, queries and cookies are readable
 * everywhere.
 *
 * @param parameters whether the method's parameters can be read ({@code param:})
 * @param paths whether there is a matched path template ({@code path:})
 * @param bodies whether the body can be read ({@code form:}, {@code json:})
 */
public record ReadablePlaces(boolean parameters, boolean paths, boolean bodies) {
  /** Says, for messages, which policies can read the body. */
  public static final String OF_BODIES =
      "by policies of servlets, controllers, resource methods of JAX-RS and URLs, and by rules";

  /** All places, where an expression was validated before. */
  static final ReadablePlaces ALL = new ReadablePlaces(true, true, true);

  /** The places that requests of all adapters have. */
  public static final ReadablePlaces EVERYWHERE = new ReadablePlaces(false, false, false);

  /** The places for policies of URLs, which requests reach whose body can be read. */
  public static final ReadablePlaces OF_URLS = new ReadablePlaces(false, false, true);

  /**
   * The places for policies that may apply to any request; those without a place lack its value.
   */
  public static final ReadablePlaces OF_SOURCES = new ReadablePlaces(false, true, true);
}
