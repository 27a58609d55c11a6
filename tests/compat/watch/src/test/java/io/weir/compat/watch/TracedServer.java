package io.weir.compat.watch;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** A limited servlet and a limited resource of Jersey, behind a filter that traces requests. */
final class TracedServer implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);

  /** A resource with a limit. */
  @Path("/resource")
  public static class LimitedResource {
    @GET
    @RateLimit(limit = 1, window = 3_600, by = By.IP, name = "of-resource")
    public String get() {
      return "hello";
    }
  }

  /** A servlet with a limit. */
  public static class LimitedServlet extends HttpServlet {
    @Override
    @RateLimit(limit = 1, window = 3_600, by = By.IP, name = "of-servlet")
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  /** Starts it; the filter begins and ends the span of each request. */
  TracedServer(Filter tracer) throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    EnumSet<DispatcherType> requests = EnumSet.of(DispatcherType.REQUEST);
    context.addFilter(new FilterHolder(tracer), "/*", requests);
    context.addFilter(new FilterHolder(new RateLimitFilter()), "/servlet", requests);
    context.addServlet(new ServletHolder(new LimitedServlet()), "/servlet");
    context.addServlet(
        new ServletHolder(
            new ServletContainer(
                new ResourceConfig(LimitedResource.class, RateLimitFeature.class))),
        "/jersey/*");
    server.setHandler(context);
    server.start();
  }

  /** Sends a request, and returns its status. */
  int get(String path) throws Exception {
    return CLIENT
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + connector.getLocalPort() + path))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
