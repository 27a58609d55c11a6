package io.weir.jaxrs;

import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Registers a {@link RateLimitFeature} in applications that have none, where the implementation of
 * JAX-RS finds features as services. Not for applications to register.
 *
 * <p>Does nothing if the setting {@code weir.jaxrs.auto}, or the property of this name of the
 * JAX-RS application, is {@code false}.
 *
 * <p>Safe for concurrent use.
 */
@ConstrainedTo(RuntimeType.SERVER)
public final class AutomaticRateLimitFeature implements Feature {
  /** Called by the implementation of JAX-RS. */
  public AutomaticRateLimitFeature() {}

  /**
   * Limits the application unless it has a {@link RateLimitFeature} already.
   *
   * @param context the configuration of the application
   * @return whether the application is limited by this feature
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   */
  @Override
  public boolean configure(FeatureContext context) {
    Object auto = context.getConfiguration().getProperty(RateLimitFeature.AUTO);
    return (auto == null || !auto.toString().equals("false"))
        && !context.getConfiguration().isRegistered(RateLimitFeature.class)
        && RateLimitFeature.addAutomatically(context);
  }
}
