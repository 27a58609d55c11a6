package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletApp.list;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.filters.RemoteIpFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.RemoteIpValve;
import org.junit.jupiter.api.Test;

/** Tests whose address counts where Tomcat reads {@code X-Forwarded-For} itself. */
public interface TomcatPeerContract extends TomcatServer {
  /** Starts to build an application with Tomcat's own filter before Weir's. */
  private ServletAppBuilder filtered() {
    return ServletApp.on(this)
        .servlet("/two", new ServletPeerContract.Two())
        .filters(
            (context, weir) -> {
              ServletAppBuilder.filter(context, "remote", new RemoteIpFilter(), "/*");
              ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
            });
  }

  /** Sends a request for each of three callers behind Tomcat's trusted proxy. */
  private static List<Integer> callers(ServletApp app) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(app.get("/two", "X-Forwarded-For: 203.0.113.9, 198.51.100." + i).status());
    }
    return statuses;
  }

  @Test
  default void tomcatsFilterIsNotBelievedButTheProxiesOfTheSettingsAre() throws Exception {
    try (ServletApp app = filtered().start()) {
      assertEquals(list(200, 200, 429), callers(app));
    }
    try (ServletApp app = filtered().setting("weir.proxy.trusted", "127.0.0.1").start()) {
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(429, 429, 429), callers(app));
    }
  }

  @Test
  default void anApplicationMayBelieveTomcatsFilter() throws Exception {
    ServletAppBuilder builder =
        filtered()
            .parts(
                parts ->
                    parts.peerAddress(
                        request -> Optional.of(((HttpServletRequest) request).getRemoteAddr())));
    try (ServletApp app = builder.start()) {
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(429, 429, 429), callers(app));
    }
  }

  /** The valve changes the container's own request, and only an administrator can add it. */
  @Test
  default void tomcatsValveIsBelieved() throws Exception {
    ServletServer behindValve =
        (webApp, initializer) -> {
          Tomcat tomcat = TomcatServer.tomcat(webApp);
          tomcat.getHost().getPipeline().addValve(new RemoteIpValve());
          Context context = TomcatServer.deploy(tomcat, webApp);
          context.addServletContainerInitializer(initializer, Set.of());
          tomcat.start();
          return new Running(
              tomcat.getConnector().getLocalPort(),
              () -> {
                tomcat.stop();
                tomcat.destroy();
              });
        };
    try (ServletApp app =
        ServletApp.on(behindValve).servlet("/two", new ServletPeerContract.Two()).start()) {
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(200, 200, 200), callers(app));
      assertEquals(list(429, 429, 429), callers(app));
    }
  }
}
