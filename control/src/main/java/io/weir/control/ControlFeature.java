package io.weir.control;

import io.weir.Weir;
import io.weir.internal.control.ControlAssembly;
import io.weir.rules.Rules;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * The control API in an application of Jersey: decisions, administration and self-service below
 * {@code /v1} of the application's path.
 *
 * <pre>{@code
 * resourceConfig.register(new ControlFeature(weir, rules));
 * }</pre>
 *
 * <p>Every endpoint is closed unless the application's {@code SecurityContext} says that the caller
 * has the role {@code weir-admin} or {@code weir-check} (other names: {@code
 * weir.control.role.admin}, {@code .check}), or, of what concerns oneself, who it is.
 *
 * <p>Brings its own JSON, and touches no resource, provider or error of the application. Needs
 * Jersey 3.1 or 4.0.
 *
 * <p>Safe for concurrent use.
 */
public final class ControlFeature implements Feature {
  private final ControlAssembly parts;

  /**
   * The API of an application's limiter and rules.
   *
   * @param weir stays the caller's to close
   * @param rules those that the limiter follows; stay the caller's to close
   */
  public ControlFeature(Weir weir, Rules rules) {
    this.parts = new ControlAssembly(weir, rules);
  }

  /**
   * Ends the streams of events that are under way, within a second, and lets no other begin: for
   * applications that wait for their requests before they stop. All else goes on.
   */
  public void endStreams() {
    parts.endStreams();
  }

  /**
   * Registers the resources, and what reads, writes and guards for them alone.
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
