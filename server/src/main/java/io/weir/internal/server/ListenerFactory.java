package io.weir.internal.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.ssl.SslContext;
import io.weir.InvalidSettingException;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.annotation.OnStoreFailure;
import io.weir.control.ControlFeature;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.envoy.DescriptorAccess;
import io.weir.internal.server.envoy.config.ConfigException;
import io.weir.internal.server.grpc.GrpcServer;
import io.weir.internal.server.grpc.GrpcServerBuilder;
import io.weir.internal.server.http.Health;
import io.weir.internal.server.http.HttpListener;
import io.weir.internal.server.http.HttpListenerParts;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.RespServer;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.internal.server.tls.NettyTls;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.rules.Rules;
import io.weir.store.ExactBuckets;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.glassfish.jersey.server.ResourceConfig;

/** Opens the listener for each protocol. Confine to one thread. */
final class ListenerFactory {
  private static final Logger LOG = System.getLogger("io.weir");

  private final Weir weir;
  private final Rules rules;
  private final UnaryOperator<String> settings;
  private final CredentialVerifier credentials;
  private final Optional<ServerCertificate> tls;
  private final PrometheusMeterRegistry registry;
  private final Health health;
  private final Ticker ticker;

  ListenerFactory(
      Weir weir,
      Rules rules,
      UnaryOperator<String> settings,
      CredentialVerifier credentials,
      Optional<ServerCertificate> tls,
      PrometheusMeterRegistry registry,
      Health health) {
    this.weir = weir;
    this.rules = rules;
    this.settings = settings;
    this.credentials = credentials;
    this.tls = tls;
    this.registry = registry;
    this.health = health;
    this.ticker = WeirRuntime.of(weir).ticker();
  }

  /** Opens a listener, which the caller closes. */
  Listener open(Protocol protocol) {
    ListenerSettings listener = ServerSettings.listener(protocol, settings);
    if (listener.isOpen()) {
      LOG.log(
          Level.WARNING,
          ServerSettings.OPEN.name()
              + ": every program that can connect to "
              + listener.host()
              + " may request decisions over "
              + protocol.text()
              + " without a token");
    }
    return switch (protocol) {
      case HTTP -> http(listener);
      case GRPC -> grpc(listener);
      case REDIS -> redis(listener);
    };
  }

  private Listener http(ListenerSettings listener) {
    ControlFeature control = new ControlFeature(weir, rules);
    int port = ServerSettings.METRICS_PORT.read(settings);
    HttpListenerParts parts =
        new HttpListenerParts(
            listener,
            port < 0 ? OptionalInt.empty() : OptionalInt.of(port),
            ServerSettings.HEADER_BYTES.read(settings),
            tls,
            credentials,
            rules.sessions(),
            weir.limiter(),
            new ServerOrigins(settings),
            health,
            registry::scrape,
            timer(Protocol.HTTP.text()),
            ticker,
            control::endStreams);
    ResourceConfig api =
        new ResourceConfig().register(control).property("weir.jaxrs.auto", false); // limits others
    return HttpListener.open(parts, api);
  }

  private Listener grpc(ListenerSettings listener) {
    GrpcServerBuilder builder =
        GrpcServer.builder()
            .connectionAge(ServerSettings.GRPC_CONNECTION_AGE.read(settings))
            .ticker(ticker)
            .ready(health::isReady)
            .timer(timer(Protocol.GRPC.text()))
            .withoutStore(this::onStoreFailure)
            .checks(weir, rules);
    tls.ifPresent(builder::tls);
    List<Path> files = ServerSettings.ENVOY.read(settings);
    if (!files.isEmpty()) {
      serveEnvoy(builder, files);
    }
    if (listener.isOpen()) {
      builder.open();
    } else {
      builder.authenticator(credentials);
    }
    return builder.listen(listener);
  }

  /** Returns the limiter's behaviour without its store, as it is set at this moment. */
  private OnStoreFailure onStoreFailure() {
    String word = settings.apply("weir.on-store-failure");
    return word.isEmpty()
        ? OnStoreFailure.LOCAL
        : OnStoreFailure.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private void serveEnvoy(GrpcServerBuilder builder, List<Path> files) {
    try {
      builder
          .access(
              new DescriptorAccess(
                  WeirRuntime.of(weir),
                  () -> ServerSettings.ENVOY_USER.read(settings),
                  () -> ServerSettings.ENVOY_KEY.read(settings)))
          .envoy(weir.limiter(), files, OnStoreFailure.DEFAULT);
    } catch (ConfigException wrong) {
      throw new InvalidSettingException(ServerSettings.ENVOY.name() + ": " + wrong.getMessage());
    }
  }

  private Listener redis(ListenerSettings listener) {
    WeirRuntime runtime = WeirRuntime.of(weir);
    ExactBuckets buckets =
        runtime
            .exactBuckets()
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "weir.store: "
                            + weir.store()
                            + " can't serve the Redis protocol, because it doesn't count exactly;"
                            + " leave redis out of "
                            + ServerSettings.LISTENERS.name()));
    RespServer.Builder builder =
        RespServer.builder(weir.checker(), buckets)
            .timers(timer(Protocol.REDIS.text()), timer("redis-exact"))
            .ticker(ticker)
            .keys(() -> KeyExpressions.of(runtime))
            .authenticator(credentials);
    int threads = ServerSettings.REDIS_THREADS.read(settings);
    if (threads > 0) {
      builder.threads(threads);
    }
    tls.ifPresent(certificate -> builder.tls(context(certificate)));
    return builder.listen(listener);
  }

  private static SslContext context(ServerCertificate certificate) {
    try {
      return NettyTls.of(certificate).build();
    } catch (SSLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private DecisionTimer timer(String listener) {
    return DecisionTimer.register(registry, listener, ticker);
  }
}
