package io.weir.internal.server.http;

import io.micrometer.core.instrument.Timer;
import io.weir.internal.control.http.FormWarnings;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.listener.AddressLimit;
import io.weir.internal.server.tls.ServerCertificate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.concurrent.Executor;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** HTTP by Jetty and Jersey. Safe for concurrent use. */
public final class HttpListener implements Listener {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int THREADS = 200;
  private static final int LEAST_THREADS = 8;

  /** They accept, read heads and bodies, and answer probes: none ever waits. */
  private static final int READING_THREADS = 32;

  private static final long IDLE_MILLIS = 30_000;
  private static final int RESPONSE_HEADER_BYTES = 16_384;
  private static final int METRICS_CONNECTIONS = 64;

  private final Server server;
  private final ServerConnector connector;
  private final HttpParts parts;

  private HttpListener(Server server, ServerConnector connector, HttpParts parts) {
    this.server = server;
    this.connector = connector;
    this.parts = parts;
  }

  /**
   * Opens the door.
   *
   * @param parts what with
   * @param api the resources to serve
   * @param time measures those requests that ask for a decision
   * @return an open door
   * @throws ListenerException if it can't be opened: the port is taken, say
   */
  public static HttpListener open(HttpParts parts, ResourceConfig api, Timer time) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, LEAST_THREADS);
    threads.setName("weir-http");
    QueuedThreadPool reading = new QueuedThreadPool(READING_THREADS, LEAST_THREADS);
    reading.setName("weir-http-read");
    Server server = new Server(threads);
    server.addBean(reading);
    ConnectionWatchdog watch = new ConnectionWatchdog(new AddressLimit(parts.addressConnections()));
    ServerConnector connector = connector(server, reading, parts);
    connector.addBean(watch);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(parts.connections(), connector));
    parts
        .metricsPort()
        .ifPresent(port -> server.addConnector(metrics(server, reading, watch, parts, port)));
    server.setStopTimeout(parts.stopTimeout().toMillis());
    server.setErrorHandler(new ProblemErrorHandler());
    FormWarnings.silence();
    Handler requests = new RequestThreadHandler(threads, context(parts, api, time));
    MetricsPortHandler metrics = new MetricsPortHandler(parts.metrics());
    metrics.setHandler(requests);
    Handler arrivals = new ProbeHandler(watch, parts.health(), new TraceRejectionHandler(metrics));
    server.setHandler(new GracefulHandler(arrivals));
    HttpListener door = new HttpListener(server, connector, parts);
    try {
      server.start();
      watch.start(server.getScheduler());
      return door;
    } catch (Exception failed) {
      door.close();
      throw ListenerException.of("http", parts.host(), parts.port(), failed);
    }
  }

  private static ServerConnector connector(Server server, Executor reading, HttpParts parts) {
    HttpConfiguration http = configuration(parts.headerBytes());
    ServerConnector connector;
    if (parts.tls().isPresent()) {
      http.addCustomizer(new SecureRequestCustomizer(false));
      HttpConnectionFactory plain = new HttpConnectionFactory(http);
      connector =
          connector(
              server,
              reading,
              new SslConnectionFactory(tls(parts.tls().get()), plain.getProtocol()),
              plain);
    } else {
      connector = connector(server, reading, new HttpConnectionFactory(http));
    }
    connector.setHost(parts.host());
    connector.setPort(parts.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  private static ServerConnector connector(
      Server server, Executor reading, ConnectionFactory... factories) {
    return new ServerConnector(server, reading, null, null, -1, -1, factories);
  }

  private static HttpConfiguration configuration(int headerBytes) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(headerBytes);
    http.setResponseHeaderSize(RESPONSE_HEADER_BYTES);
    return http;
  }

  private static SslContextFactory.Server tls(ServerCertificate certificate) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(certificate.context());
    tls.setSniRequired(false);
    tls.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    return tls;
  }

  private static ServerConnector metrics(
      Server server, Executor reading, ConnectionWatchdog watch, HttpParts parts, int port) {
    ServerConnector connector =
        connector(server, reading, new HttpConnectionFactory(configuration(parts.headerBytes())));
    connector.addBean(watch);
    connector.setName(MetricsPortHandler.CONNECTOR);
    connector.setHost(parts.host());
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addBean(new NetworkConnectionLimit(METRICS_CONNECTIONS, connector));
    return connector;
  }

  private static Handler context(HttpParts parts, ResourceConfig api, Timer time) {
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    EnumSet<DispatcherType> first = EnumSet.of(DispatcherType.REQUEST);
    EnumSet<DispatcherType> each = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
    filter(context, new UnreadBodyFilter(), "/*", first);
    filter(
        context,
        new SignInFilter(parts.credentials(), parts.site(), parts.health()::isStopping),
        "/*",
        first);
    filter(context, new BodyFilter(), "/*", each);
    filter(context, new DecisionTimeFilter(time), "/v1/ratelimit/*", each);
    servlet(context, new MetricsServlet(parts.metrics()), MetricsServlet.PATH);
    servlet(
        context,
        new SessionServlet(
            parts.sessions(),
            new SessionRateLimit(parts.limiter()),
            parts.site(),
            InstantSource.system()),
        "/v1/session");
    servlet(context, new ServletContainer(configured(api)), "/*");
    return context;
  }

  private static ResourceConfig configured(ResourceConfig api) {
    return api.property(ServerProperties.WADL_FEATURE_DISABLE, true)
        .property(ServerProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true)
        .property(ServerProperties.METAINF_SERVICES_LOOKUP_DISABLE, true)
        .property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true);
  }

  private static void filter(
      ServletContextHandler context,
      Filter filter,
      String path,
      EnumSet<DispatcherType> dispatches) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, path, dispatches);
  }

  private static void servlet(ServletContextHandler context, Servlet servlet, String path) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    holder.setInitOrder(1);
    context.addServlet(holder, path);
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public String address() {
    return (parts.tls().isPresent() ? "https://" : "http://") + Listener.address(parts.host(), port());
  }

  /**
   * Where it listens.
   *
   * @return the port, also where any was asked for
   */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    parts.endStreams().run();
    try {
      server.stop();
    } catch (Exception unfinished) {
      LOG.log(Level.WARNING, "http: some requests didn't finish in time", unfinished);
    }
  }
}
