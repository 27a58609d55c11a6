package io.weir.internal.container;

import jakarta.ws.rs.core.FeatureContext;
import java.util.List;

/**
 * The containers and implementations that are on the class path. Not for use by others.
 *
 * <p>Safe for concurrent use.
 */
public final class ContainerDetector {
  private static final String JERSEY =
      "org.glassfish.jersey.server.monitoring.ApplicationEventListener";
  private static final String SERVLET = "jakarta.servlet.http.HttpServletRequest";

  private ContainerDetector() {}

  /**
   * Finds the ways to read the address of a request's peer.
   *
   * @param context the application's
   * @param priority the priority of a request filter that runs before all others
   * @return one for each container that may be the one; none if nothing could ever read it
   */
  public static List<PeerLookup> peers(FeatureContext context, int priority) {
    if (runsJersey(context)) {
      return JerseyDetector.of(context);
    }
    if (!ClassPresence.isPresent(SERVLET)) {
      return List.of();
    }
    context.register(ServletPeerFilter.class, priority);
    return List.of(ServletPeerFilter::noted);
  }

  /**
   * Whether Jersey runs an application, and so can report its events.
   *
   * @param context the application's
   * @return false also where Jersey is on the class path but another implementation runs this
   */
  public static boolean runsJersey(FeatureContext context) {
    return ClassPresence.isPresent(JERSEY) && JerseyDetector.runs(context);
  }
}
