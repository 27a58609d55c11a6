package io.weir.jaxrs.container;

import jakarta.ws.rs.core.FeatureContext;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The containers and implementations that are on the class path. Not for use by others.
 *
 * <p>Safe for concurrent use.
 */
public final class Containers {
  /** The request property in which the filters of this package leave the peer's address. */
  public static final String PEER = "io.weir.jaxrs.peer";

  private static final String JERSEY =
      "org.glassfish.jersey.server.monitoring.ApplicationEventListener";
  private static final String SERVLET = "jakarta.servlet.http.HttpServletRequest";
  private static final String INJECT = "jakarta.inject.Provider";
  private static final String JERSEY_SERVLET = "org.glassfish.jersey.servlet.ServletContainer";
  private static final String HK2 = "org.glassfish.jersey.inject.hk2.Hk2InjectionManagerFactory";
  private static final String GRIZZLY =
      "org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpContainer";
  private static final String JETTY = "org.glassfish.jersey.jetty.JettyHttpContainer";

  private Containers() {}

  /**
   * Registers a filter for each container that may be the one.
   *
   * @param context the application's
   * @param priority the priority of request filters that run before all others
   * @return false if there is nothing that could ever tell the address of a peer
   */
  public static boolean registerPeers(FeatureContext context, int priority) {
    // The suppliers keep classes from being loaded whose fields are of types that aren't there.
    register(
        context, priority, () -> JerseyServletPeer.class, SERVLET, INJECT, JERSEY_SERVLET, HK2);
    boolean servlet = register(context, priority + 1, () -> ServletPeer.class, SERVLET);
    boolean grizzly = register(context, priority + 2, () -> GrizzlyPeer.class, INJECT, GRIZZLY);
    boolean jetty = register(context, priority + 3, () -> JettyPeer.class, INJECT, JETTY);
    return servlet || grizzly || jetty;
  }

  /**
   * Whether Jersey can be asked to tell of what happens.
   *
   * @return true if its monitoring is on the class path
   */
  public static boolean hasJersey() {
    return isThere(JERSEY);
  }

  private static boolean register(
      FeatureContext context, int priority, Supplier<Class<?>> filter, String... needed) {
    if (!Arrays.stream(needed).allMatch(Containers::isThere)) {
      return false;
    }
    context.register(filter.get(), priority);
    return true;
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, Containers.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
