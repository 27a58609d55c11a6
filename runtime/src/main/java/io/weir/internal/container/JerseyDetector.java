package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import jakarta.ws.rs.core.FeatureContext;
import java.util.ArrayList;
import java.util.List;
import org.glassfish.jersey.InjectionManagerProvider;
import org.glassfish.jersey.internal.inject.InjectionManager;

/** Detects Jersey and the container that it runs in. Loaded only if Jersey is on the class path. */
final class JerseyDetector {
  private static final String SERVLET = "org.glassfish.jersey.servlet.ServletContainer";
  private static final String GRIZZLY =
      "org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpContainer";
  private static final String JETTY = "org.glassfish.jersey.jetty.JettyHttpContainer";

  private JerseyDetector() {}

  static boolean runs(FeatureContext context) {
    try {
      return InjectionManagerProvider.getInjectionManager(context) != null;
    } catch (IllegalArgumentException otherImplementation) {
      return false;
    }
  }

  /** Finds the lookup for the container that Jersey runs in; none if Weir doesn't know it. */
  static List<PeerLookup> peerLookups(FeatureContext context) {
    InjectionManager injection = InjectionManagerProvider.getInjectionManager(context);
    List<JerseyPeerLookup<?>> peers = new ArrayList<>();
    // Each lookup class is loaded only if its container is on the class path.
    if (ClassPresence.isPresent(SERVLET)) {
      peers.add(new JerseyServletPeerLookup(injection));
    }
    if (ClassPresence.isPresent(GRIZZLY)) {
      peers.add(new GrizzlyPeerLookup(injection));
    }
    if (ClassPresence.isPresent(JETTY)) {
      peers.add(new JettyPeerLookup(injection));
    }
    HelidonPeerLookup.find(injection).ifPresent(peers::add);
    peers.removeIf(each -> !each.isBound());
    return List.copyOf(peers);
  }
}
