package io.weir.internal.server.http;

import io.weir.internal.control.http.JerseyFormWarnings;
import io.weir.internal.server.listener.AddressConnectionLimit;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerException;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.tls.ServerCertificate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.List;
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
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.CommonProperties;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/** Serves HTTP by Jetty and Jersey. Safe for concurrent use. */
public final class HttpListener implements Listener {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int THREADS = 200;
  private static final int MIN_THREADS = 8;

  /** The threads that accept, read heads and bodies, and answer probes: none ever waits. */
  private static final int READING_THREADS = 32;

  private static final long IDLE_MILLIS = 30_000;
  private static final int RESPONSE_HEADER_BYTES = 16_384;
  private static final int METRICS_CONNECTIONS = 64;

  /** The paths of requests for a decision, which are measured. */
  private static final List<String> DECISIONS =
      List.of("/v1/ratelimit/check", "/v1/ratelimit/forward");

  private final Server server;
  private final ServerConnector connector;
  private final HttpListenerParts parts;

  private HttpListener(Server server, ServerConnector connector, HttpListenerParts parts) {
    this.server = server;
    this.connector = connector;
    this.parts = parts;
  }

  /**
   * Starts to listen.
   *
   * @return a listener that the caller closes
   * @throws ListenerException if it can't listen: the port is taken, say
   */
  public static HttpListener open(HttpListenerParts parts, ResourceConfig api) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, MIN_THREADS);
    threads.setName("weir-http");
    QueuedThreadPool reading = new QueuedThreadPool(READING_THREADS, MIN_THREADS);
    reading.setName("weir-http-read");
    Server server = new Server(threads);
    server.addBean(reading);
    ConnectionWatchdog watchdog =
        new ConnectionWatchdog(
            new AddressConnectionLimit(parts.settings().addressConnections()), parts.ticker());
    ServerConnector connector = connector(server, reading, parts);
    connector.addBean(watchdog);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(parts.settings().connections(), connector));
    parts
        .metricsPort()
        .ifPresent(port -> server.addConnector(metrics(server, reading, watchdog, parts, port)));
    server.setStopTimeout(parts.settings().stopTimeout().toMillis());
    server.setErrorHandler(new ProblemErrorHandler());
    JerseyFormWarnings.silence();
    ClientGoneLog.install(parts.ticker());
    Handler requests = new ThreadPoolHandler(threads, context(parts, api));
    MetricsPortHandler metrics = new MetricsPortHandler(parts.metrics());
    metrics.setHandler(requests);
    Handler probes = new ProbeHandler(watchdog, parts.health(), new TraceRejectionHandler(metrics));
    // No GracefulHandler, which answers requests by 503 that arrive while the others are finished.
    // The connectors wait for their connections, which end with their next answer.
    server.setHandler(probes);
    HttpListener listener = new HttpListener(server, connector, parts);
    try {
      server.start();
      watchdog.start(server.getScheduler());
      return listener;
    } catch (Exception failed) {
      listener.close();
      throw parts.settings().failed(failed);
    }
  }

  private static ServerConnector connector(
      Server server, Executor reading, HttpListenerParts parts) {
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
    connector.setHost(parts.settings().host());
    connector.setPort(parts.settings().port());
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
    // Otherwise a connection's later fields that differ in case only get the value of the first,
    // also credentials.
    http.setHeaderCacheCaseSensitive(true);
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
      Server server,
      Executor reading,
      ConnectionWatchdog watchdog,
      HttpListenerParts parts,
      int port) {
    ServerConnector connector =
        connector(server, reading, new HttpConnectionFactory(configuration(parts.headerBytes())));
    connector.addBean(watchdog);
    connector.setName(MetricsPortHandler.CONNECTOR);
    connector.setHost(parts.settings().host());
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addBean(new NetworkConnectionLimit(METRICS_CONNECTIONS, connector));
    return connector;
  }

  private static Handler context(HttpListenerParts parts, ResourceConfig api) {
    ServletContextHandler context = new ServletContextHandler("/", false, false);
    EnumSet<DispatcherType> first = EnumSet.of(DispatcherType.REQUEST);
    EnumSet<DispatcherType> each = EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC);
    filter(context, new UnreadBodyFilter(), "/*", first);
    filter(
        context,
        new AuthenticationFilter(parts.credentials(), parts.site(), parts.health()::isStopping),
        "/*",
        first);
    filter(context, new BodyBufferingFilter(parts.ticker()), "/*", each);
    for (String path : DECISIONS) {
      filter(context, new DecisionTimingFilter(parts.timer()), path, each);
    }
    servlet(context, new MetricsServlet(parts.metrics()), MetricsServlet.PATH);
    servlet(
        context,
        new SessionServlet(
            parts.sessions(), new SessionRateLimit(parts.limiter()), parts.site(), parts.ticker()),
        "/v1/session");
    servlet(context, new ConsoleRedirectServlet(), ConsoleRedirectServlet.PATH);
    servlet(context, new ServletContainer(configured(api)), "/*");
    return context;
  }

  private static ResourceConfig configured(ResourceConfig api) {
    return api.register(new AdministratorRoot())
        .property(ServerProperties.WADL_FEATURE_DISABLE, true)
        .property(CommonProperties.PROVIDER_DEFAULT_DISABLE, "DATASOURCE") // else it warns
        .property(ServerProperties.FEATURE_AUTO_DISCOVERY_DISABLE, true)
        .property(ServerProperties.METAINF_SERVICES_LOOKUP_DISABLE, true)
        .property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true)
        // Made absolute, an address would be wrong behind a proxy that ends TLS.
        .property(ServerProperties.LOCATION_HEADER_RELATIVE_URI_RESOLUTION_DISABLED, true);
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
  public Protocol protocol() {
    return Protocol.HTTP;
  }

  @Override
  public String address() {
    return (parts.tls().isPresent() ? "https://" : "http://")
        + Listener.address(parts.settings().host(), port());
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    parts.endStreams().run();
    try {
      server.stop();
    } catch (Exception unfinished) {
      LOG.log(
          Level.WARNING,
          "http: some requests didn't finish within weir.server.stop.timeout",
          unfinished);
    }
  }
}
