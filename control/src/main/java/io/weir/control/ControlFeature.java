package io.weir.control;

import io.weir.Weir;
import io.weir.internal.control.ControlAssembly;
import io.weir.rules.Rules;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Adds the control API to a Jersey application: decisions, administration and self-service, below
 * {@code /v1} of the application's path.
 *
 * <pre>{@code
 * resourceConfig.register(new ControlFeature(weir, rules));
 * }</pre>
 *
 * <p>Callers need the role {@code weir-admin} or {@code weir-check} in the application's {@code
 * SecurityContext} (other names: {@code weir.control.role.admin}, {@code .check}). Signed-in users
 * may read their own limits and usage.
 *
 * <p>Brings its own JSON provider, and changes no resource, provider or error response of the
 * application. Needs Jersey 3.1 or 4.0.
 *
 * <p>Safe for concurrent use.
 */
public final class ControlFeature implements Feature {
  private final ControlAssembly parts;

  /**
   * Makes the API for an application's limiter and rules.
   *
   * @param weir the limiter; closed by the application
   * @param rules the rules that the limiter follows; closed by the application
   */
  public ControlFeature(Weir weir, Rules rules) {
    this.parts = new ControlAssembly(weir, rules);
  }

  /**
   * Ends all streams of events within a second, and starts no more, for applications that wait for
   * running requests before they stop. Everything else goes on.
   */
  public void endStreams() {
    parts.endStreams();
  }

  /**
   * Registers the resources, and the readers, writers and filters that serve only them.
   *
   * @param context the application's
   * @return true
   */
  @Override
  public boolean configure(FeatureContext context) {
    parts.register(context);
    return true;
  }
}
