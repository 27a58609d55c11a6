package io.weir.internal.server.grpc;

import io.grpc.BindableService;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.AccessReader;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.envoy.DescriptorAccess;
import io.weir.internal.server.envoy.EnvoyRateLimitService;
import io.weir.internal.server.envoy.config.ConfigException;
import io.weir.internal.server.envoy.config.ConfigPoller;
import io.weir.internal.server.envoy.config.ReloadableConfig;
import io.weir.internal.server.grpc.call.MessageLimit;
import io.weir.internal.server.grpc.check.CheckService;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.ServerListener;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.tls.NettyTls;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.rules.Rules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of a {@link GrpcServer}.
 *
 * <p>Confine to one thread.
 */
public final class GrpcServerBuilder {
  private String host = "127.0.0.1";
  private int port;
  private boolean open;
  @Nullable Authenticator authenticator;
  private @Nullable ServerCertificate certificate;
  private DecisionTimer timer = DecisionTimer.NONE;
  private Ticker ticker = Ticker.system();
  private Optional<DescriptorAccess> access = Optional.empty();
  private Supplier<OnStoreFailure> withoutStore = () -> OnStoreFailure.LOCAL;
  Duration connectionAge = Duration.ofMinutes(5);
  int connections = 10_000;
  int addressConnections = 1_000;
  Duration signIn = Duration.ofSeconds(30);
  Duration drain = Duration.ofSeconds(10);
  BooleanSupplier isReady = () -> true;
  MessageLimit messages = MessageLimit.ofProcess();
  final List<BindableService> services = new ArrayList<>();
  final List<AutoCloseable> parts = new ArrayList<>();

  GrpcServerBuilder() {}

  /** Sets the address to listen on; loopback unless set. */
  public GrpcServerBuilder host(String name) {
    this.host = name;
    return this;
  }

  /** Sets the port, 1 to 65535; any if it is 0 or isn't set. */
  public GrpcServerBuilder port(int number) {
    this.port = number;
    return this;
  }

  /** Requires tokens. */
  public GrpcServerBuilder authenticator(Authenticator tokens) {
    this.authenticator = tokens;
    return this;
  }

  /** Accepts all calls without a token. */
  public GrpcServerBuilder open() {
    this.open = true;
    return this;
  }

  /**
   * Serves over TLS only.
   *
   * @param used the certificate, which the caller closes
   */
  public GrpcServerBuilder tls(ServerCertificate used) {
    this.certificate = used;
    return this;
  }

  /**
   * Sets the time for which a connection takes new calls; then the client opens another one, so
   * that load spreads to new servers. Five minutes unless set, varied randomly by a tenth.
   *
   * @param longest more than zero
   */
  public GrpcServerBuilder connectionAge(Duration longest) {
    this.connectionAge = longest;
    return this;
  }

  /**
   * Sets the most connections; those beyond are closed at once. 10,000 unless set.
   *
   * @param most at least 1
   */
  public GrpcServerBuilder connections(int most) {
    this.connections = most;
    return this;
  }

  /**
   * Sets the most connections of one address; those beyond are closed at once. 1,000 unless set.
   *
   * @param most at least 1
   */
  public GrpcServerBuilder addressConnections(int most) {
    this.addressConnections = most;
    return this;
  }

  /**
   * Sets the time in which a connection needs a call with a valid token, or any call if no token is
   * needed; otherwise it is closed. Thirty seconds unless set.
   *
   * @param longest more than zero
   */
  public GrpcServerBuilder signIn(Duration longest) {
    this.signIn = longest;
    return this;
  }

  /**
   * Sets the longest time that {@link GrpcServer#close()} waits for calls that are under way; ten
   * seconds unless set.
   *
   * @param longest zero or more
   */
  public GrpcServerBuilder drain(Duration longest) {
    this.drain = longest;
    return this;
  }

  /**
   * Limits the messages of calls under way; {@link MessageLimit#ofProcess} unless set.
   *
   * @param limit that of this server alone
   */
  public GrpcServerBuilder messages(MessageLimit limit) {
    this.messages = limit;
    return this;
  }

  /**
   * Sets the state that health checks report; always ready unless set.
   *
   * @param now returns at once whether requests should be sent to this server
   */
  public GrpcServerBuilder ready(BooleanSupplier now) {
    this.isReady = now;
    return this;
  }

  /** Sets the timer of decisions, and must be called before {@link #checks} and {@link #envoy}. */
  public GrpcServerBuilder timer(DecisionTimer measures) {
    this.timer = measures;
    return this;
  }

  /** Sets the source of time, and must be called before {@link #envoy}; the system's unless set. */
  public GrpcServerBuilder ticker(Ticker time) {
    this.ticker = time;
    return this;
  }

  /** Serves {@code weir.v1.RateLimitService}. */
  public GrpcServerBuilder checks(Weir weir, Rules rules) {
    WeirRuntime runtime = WeirRuntime.of(weir);
    RequestDecider decisions = RequestDecider.of(runtime);
    CheckService checks =
        new CheckService(
            decisions,
            new RequestExplainer(runtime, decisions, rules),
            new UserStatusReader(decisions, AccessReader.of(runtime), rules, Ticker.system()),
            timer);
    services.add(checks);
    parts.add(checks);
    return this;
  }

  /**
   * Sets the behaviour without the store for Envoy's limits that don't set it, and must be called
   * before {@link #envoy}. {@link OnStoreFailure#LOCAL} unless set.
   *
   * @param behaviour called while the store is away
   */
  public GrpcServerBuilder withoutStore(Supplier<OnStoreFailure> behaviour) {
    this.withoutStore = behaviour;
    return this;
  }

  /**
   * Sets how callers of Envoy are found in access lists, and must be called before {@link #envoy}.
   * None is found unless set.
   */
  public GrpcServerBuilder access(DescriptorAccess list) {
    this.access = Optional.of(list);
    return this;
  }

  /**
   * Serves Envoy's rate limit service.
   *
   * @param paths files and folders of its configuration, which are followed
   * @throws ConfigException if a file is invalid; the message names file, place and rule
   */
  public GrpcServerBuilder envoy(
      RateLimiter limiter, List<Path> paths, OnStoreFailure onStoreFailure) {
    ReloadableConfig files = ReloadableConfig.open(paths, onStoreFailure);
    services.add(new EnvoyRateLimitService(limiter, files, access, withoutStore, timer, ticker));
    parts.add(new ConfigPoller(files));
    return this;
  }

  /**
   * Serves a further service, with the same authentication.
   *
   * @param implementation never blocks
   */
  public GrpcServerBuilder service(BindableService implementation) {
    services.add(implementation);
    return this;
  }

  /**
   * Binds the port and starts to serve.
   *
   * @return a server that the caller closes
   * @throws IllegalStateException unless either {@link #authenticator} or {@link #open} was called
   */
  public GrpcServer start() throws IOException {
    if (open == (authenticator != null)) {
      throw new IllegalStateException("gRPC needs either an authenticator or to be open");
    }
    return GrpcServer.start(this);
  }

  /**
   * Starts to serve as a listener of the settings says.
   *
   * @return a listener that the caller closes
   * @throws io.weir.internal.server.listener.ListenerException if it can't listen: the port is
   *     taken, say
   */
  public Listener listen(ListenerSettings settings) {
    host = settings.host();
    port = settings.port();
    connections = settings.connections();
    addressConnections = settings.addressConnections();
    drain = settings.stopTimeout();
    try {
      GrpcServer server = start();
      return new ServerListener(settings, server.port(), server::close);
    } catch (IOException | IllegalArgumentException failed) {
      throw settings.failed(failed);
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  void secure(NettyServerBuilder netty) throws IOException {
    if (certificate != null) {
      netty.sslContext(GrpcSslContexts.configure(NettyTls.of(certificate)).build());
    }
  }
}
