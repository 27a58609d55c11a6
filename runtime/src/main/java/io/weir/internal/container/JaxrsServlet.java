package io.weir.internal.container;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A servlet that runs JAX-RS, as the filter right before it knows it. A feature of Weir behind it
 * registers with the first request that it sees. From then on the filter may leave CORS preflights
 * undecided: the feature decides each that its application's filters don't answer, if it may reach
 * a resource.
 *
 * <p>Safe for concurrent use.
 */
public final class JaxrsServlet {
  private volatile @Nullable BooleanSupplier feature;

  public boolean hasFeature() {
    return feature != null;
  }

  /** Returns whether the feature decides what is left undecided before this servlet. */
  public boolean decidesPreflights() {
    BooleanSupplier known = feature;
    return known != null && known.getAsBoolean();
  }

  /**
   * Registers the feature.
   *
   * @param decides returns whether it sees all requests of the servlet now; asked for each
   *     preflight, in any thread
   */
  public void register(BooleanSupplier decides) {
    feature = decides;
  }
}
