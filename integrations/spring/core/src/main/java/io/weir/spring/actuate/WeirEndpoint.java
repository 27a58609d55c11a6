package io.weir.spring.actuate;

import io.weir.Weir;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Shows the limits of the application at {@code /actuator/weir}. Read-only: limits are changed by
 * settings, rules and the control API, which asks for role, reason and end.
 *
 * <p>Safe for concurrent use.
 */
@Endpoint(id = "weir")
public class WeirEndpoint {
  private final Weir weir;

  /**
   * Makes the endpoint.
   *
   * @param weir the application's
   */
  public WeirEndpoint(Weir weir) {
    this.weir = weir;
  }

  /**
   * Describes the limits, their store and its nodes.
   *
   * @return the state now
   */
  @ReadOperation
  public WeirReport report() {
    return WeirReport.of(weir);
  }
}
