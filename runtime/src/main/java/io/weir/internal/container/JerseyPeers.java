package io.weir.internal.container;

import jakarta.ws.rs.core.FeatureContext;
import java.util.ArrayList;
import java.util.List;
import org.glassfish.jersey.InjectionManagerProvider;
import org.glassfish.jersey.internal.inject.InjectionManager;

/** How Jersey can find the peer's address. Loaded only if Jersey is on the class path. */
final class JerseyPeers {
  private static final String SERVLET = "org.glassfish.jersey.servlet.ServletContainer";
  private static final String GRIZZLY =
      "org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpContainer";
  private static final String JETTY = "org.glassfish.jersey.jetty.JettyHttpContainer";

  private JerseyPeers() {}

  static boolean runs(FeatureContext context) {
    try {
      return InjectionManagerProvider.getInjectionManager(context) != null;
    } catch (IllegalArgumentException another) {
      return false;
    }
  }

  /** One for each of Jersey's containers that is there; none if Jersey doesn't run this. */
  static List<Peer> of(FeatureContext context) {
    List<Peer> peers = new ArrayList<>();
    try {
      InjectionManager injection = InjectionManagerProvider.getInjectionManager(context);
      // Each class is loaded only if the container that it names is on the class path.
      if (Containers.isThere(SERVLET)) {
        peers.add(new JerseyServletPeer(injection));
      }
      if (Containers.isThere(GRIZZLY)) {
        peers.add(new GrizzlyPeer(injection));
      }
      if (Containers.isThere(JETTY)) {
        peers.add(new JettyPeer(injection));
      }
    } catch (IllegalArgumentException another) {
      // Jersey is on the class path, but another implementation runs the application.
    }
    return peers;
  }
}
