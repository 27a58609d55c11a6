package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.Optional;

/**
 * Detects which container and which implementation of JAX-RS run an application.
 *
 * <p>Safe for concurrent use.
 */
public final class WebContainerDetector {
  private static final String JERSEY =
      "org.glassfish.jersey.server.monitoring.ApplicationEventListener";
  private static final String RESTEASY =
      "org.jboss.resteasy.core.interception.jaxrs.PreMatchContainerRequestContext";

  private static final String QUARKUS = "io.weir.quarkus.WeirRecorder";

  private WebContainerDetector() {}

  /** Returns whether {@code weir-quarkus} limits the resources of applications. */
  public static boolean isLimitedByQuarkus() {
    return ClassPresence.isPresent(QUARKUS);
  }

  /**
   * Finds the ways to read the address of a request's peer.
   *
   * @param implementation what runs the application; empty for Jersey
   * @param priority the priority of a request filter that runs before all others
   * @return one for each container that may run the application; none if the address can't be read
   */
  public static List<PeerLookup> peerLookups(
      FeatureContext context, Optional<JaxrsImplementation> implementation, int priority) {
    if (implementation.isEmpty()) {
      return JerseyDetector.peerLookups(context);
    }
    if (implementation.get() instanceof PeerLookup lookup) {
      return List.of(lookup); // also in servlet containers
    }
    if (!ClassPresence.isPresent(ClassPresence.SERVLET)) {
      return List.of();
    }
    context.register(ServletPeerFilter.class, priority);
    return List.of(ServletPeerFilter::notedPeer);
  }

  /**
   * Returns whether Jersey runs an application, and so can report its events.
   *
   * @return false also if Jersey is on the class path but another implementation runs the
   *     application
   */
  public static boolean runsJersey(FeatureContext context) {
    return ClassPresence.isPresent(JERSEY) && JerseyDetector.runs(context);
  }

  /**
   * Returns the implementation of JAX-RS that runs an application, if it isn't Jersey.
   *
   * @return one that offers nothing beside the standard if Weir doesn't know it, or can't see its
   *     classes
   */
  public static JaxrsImplementation implementation(FeatureContext context) {
    if (runsRestEasy(context)) {
      return new RestEasy();
    }
    String type = context.getClass().getName();
    if (type.startsWith("org.apache.cxf.") && ClassPresence.isPresent(Cxf.MARKER)) {
      return new Cxf();
    }
    return new JaxrsImplementation() {};
  }

  /**
   * Ends the applications that were stopped where nothing has reported it. To be called before
   * another application finds its Weir: otherwise it would take over theirs, with their counts and
   * settings.
   */
  public static void endStopped(FeatureContext context) {
    if (runsRestEasy(context)) {
      RestEasy.endStopped();
    }
  }

  private static boolean runsRestEasy(FeatureContext context) {
    return context.getClass().getName().startsWith("org.jboss.resteasy.")
        && ClassPresence.isPresent(RESTEASY);
  }
}
