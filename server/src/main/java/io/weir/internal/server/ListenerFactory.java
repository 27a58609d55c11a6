package io.weir.internal.server;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.ssl.SslContext;
import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.annotation.OnStoreFailure;
import io.weir.control.ControlFeature;
import io.weir.internal.control.access.OwnSite;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.envoy.config.ConfigException;
import io.weir.internal.server.grpc.GrpcServer;
import io.weir.internal.server.grpc.GrpcServerBuilder;
import io.weir.internal.server.http.Health;
import io.weir.internal.server.http.HttpListener;
import io.weir.internal.server.http.HttpParts;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.metrics.MeasuredBuckets;
import io.weir.internal.server.metrics.MeasuredChecker;
import io.weir.internal.server.resp.RespLimits;
import io.weir.internal.server.resp.RespServer;
import io.weir.internal.server.settings.NamedSettings;
import io.weir.internal.server.settings.ServerSettings;
import io.weir.internal.server.tls.NettyTls;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.rules.Rules;
import io.weir.store.ExactBuckets;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * Opens the doors that the settings name.
 *
 * @param weir decides
 * @param rules its rules
 * @param settings what to open, and where
 * @param credentials knows who asks
 * @param tls nothing: no TLS
 * @param registry where it is measured
 * @param health how the server is
 */
record ListenerFactory(
    Weir weir,
    Rules rules,
    NamedSettings settings,
    CredentialVerifier credentials,
    Optional<ServerCertificate> tls,
    PrometheusMeterRegistry registry,
    Health health) {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String HTTP = "http";

  /** Their names, in the order in which they are opened. */
  List<String> names() {
    return settings.words(ServerSettings.DOORS, List.of(HTTP, GrpcListener.NAME, RedisListener.NAME));
  }

  /** Opens one. */
  Listener open(String name) {
    return switch (name) {
      case HTTP -> http();
      case GrpcListener.NAME -> grpc();
      case RedisListener.NAME -> redis();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private Listener http() {
    ControlFeature control = new ControlFeature(weir, rules);
    int metricsPort = settings.number(ServerSettings.METRICS_PORT);
    HttpParts parts =
        new HttpParts(
            settings.text(ServerSettings.HOST),
            settings.number(ServerSettings.HTTP_PORT),
            metricsPort < 0 ? OptionalInt.empty() : OptionalInt.of(metricsPort),
            tls,
            settings.number(ServerSettings.CONNECTIONS),
            settings.number(ServerSettings.ADDRESS_CONNECTIONS),
            settings.number(ServerSettings.HEADER_BYTES),
            settings.duration(ServerSettings.STOP_TIMEOUT),
            credentials,
            rules.sessions(),
            weir.limiter(),
            new OwnSite(settings::text),
            health,
            registry::scrape,
            control::endStreams);
    ResourceConfig api = new ResourceConfig().register(control);
    return HttpListener.open(parts, api, time(HTTP));
  }

  private Listener grpc() {
    Timer time = time(GrpcListener.NAME);
    GrpcServerBuilder setup =
        GrpcServer.builder()
            .drain(settings.duration(ServerSettings.STOP_TIMEOUT))
            .connections(settings.number(ServerSettings.CONNECTIONS))
            .addressConnections(settings.number(ServerSettings.ADDRESS_CONNECTIONS))
            .connectionAge(settings.duration(ServerSettings.GRPC_CONNECTION_AGE))
            .time(nanos -> time.record(nanos, TimeUnit.NANOSECONDS))
            .withoutStore(this::withoutStore)
            .checks(weir, rules);
    tls.ifPresent(setup::tls);
    List<Path> files =
        Arrays.stream(settings.text(ServerSettings.ENVOY).split(","))
            .map(String::strip)
            .filter(each -> !each.isEmpty())
            .map(Path::of)
            .toList();
    if (!files.isEmpty()) {
      envoy(setup, files);
    }
    if (isOpen(GrpcListener.NAME)) {
      setup.open();
    } else {
      setup.authenticator(credentials);
    }
    return GrpcListener.open(setup, host(GrpcListener.NAME), settings.number(ServerSettings.GRPC_PORT));
  }

  private void envoy(GrpcServerBuilder setup, List<Path> files) {
    try {
      setup.envoy(weir.limiter(), files, OnStoreFailure.DEFAULT);
    } catch (ConfigException wrong) {
      throw new InvalidSettingException(ServerSettings.ENVOY + ": " + wrong.getMessage());
    }
  }

  /** What the limiter does without its store, as the setting says at this moment. */
  private OnStoreFailure withoutStore() {
    String word = settings.text("weir.on-store-failure");
    return word.isEmpty()
        ? OnStoreFailure.LOCAL
        : OnStoreFailure.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private Listener redis() {
    ExactBuckets buckets =
        WeirRuntime.of(weir)
            .exactBuckets()
            .orElseThrow(
                () ->
                    new InvalidSettingException(
                        "weir.store: "
                            + weir.store()
                            + " can't serve the Redis protocol, as it"
                            + " doesn't count exactly; weir.server.doors may leave redis out"));
    RespServer.Builder setup =
        RespServer.builder(
                new MeasuredChecker(weir.checker(), time(RedisListener.NAME)),
                new MeasuredBuckets(buckets, time("redis-exact")))
            .callerExpression(settings.text("weir.rules.caller"))
            .limits(
                RespLimits.USUAL
                    .withConnections(settings.number(ServerSettings.CONNECTIONS))
                    .withAddressConnections(settings.number(ServerSettings.ADDRESS_CONNECTIONS)))
            .authenticator(credentials)
            .open(isOpen(RedisListener.NAME));
    tls.ifPresent(certificate -> setup.tls(context(certificate)));
    return RedisListener.open(setup, host(RedisListener.NAME), settings.number(ServerSettings.REDIS_PORT));
  }

  private static SslContext context(ServerCertificate certificate) {
    try {
      return NettyTls.of(certificate).build();
    } catch (SSLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Whether a door lets programs in without a token. */
  private boolean isOpen(String door) {
    return settings
        .words(ServerSettings.OPEN, List.of(GrpcListener.NAME, RedisListener.NAME))
        .contains(door);
  }

  private String host(String door) {
    if (!isOpen(door)) {
      return settings.text(ServerSettings.HOST);
    }
    String host = settings.text(ServerSettings.OPEN_HOST);
    LOG.log(
        Level.WARNING,
        ServerSettings.OPEN
            + ": whoever reaches "
            + host
            + " may check by "
            + door
            + " without a token");
    return host;
  }

  /** How long what a door is asked takes; the count says how much it is asked. */
  private Timer time(String door) {
    return Timer.builder("weir.server.decisions")
        .description("How long requests for a decision take, by door")
        .tag("door", door)
        .register(registry);
  }
}
