package io.weir.internal.container;

import jakarta.ws.rs.core.FeatureContext;
import java.util.List;

/**
 * Detects which container and which implementation of JAX-RS run an application.
 *
 * <p>Safe for concurrent use.
 */
public final class WebContainerDetector {
  private static final String JERSEY =
      "org.glassfish.jersey.server.monitoring.ApplicationEventListener";
  private static final String SERVLET = "jakarta.servlet.http.HttpServletRequest";

  private WebContainerDetector() {}

  /**
   * Finds the ways to read the address of a request's peer.
   *
   * @param context the configuration of the application
   * @param priority the priority of a request filter that runs before all others
   * @return one for each container that may run the application; none if the address can't be read
   */
  public static List<PeerLookup> peerLookups(FeatureContext context, int priority) {
    if (runsJersey(context)) {
      return JerseyDetector.peerLookups(context);
    }
    if (!ClassPresence.isPresent(SERVLET)) {
      return List.of();
    }
    context.register(ServletPeerFilter.class, priority);
    return List.of(ServletPeerFilter::notedPeer);
  }

  /**
   * Returns whether Jersey runs an application, and so can report its events.
   *
   * @param context the configuration of the application
   * @return false also if Jersey is on the class path but another implementation runs the
   *     application
   */
  public static boolean runsJersey(FeatureContext context) {
    return ClassPresence.isPresent(JERSEY) && JerseyDetector.runs(context);
  }
}
