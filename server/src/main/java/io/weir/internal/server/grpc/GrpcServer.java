package io.weir.internal.server.grpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.grpc.call.BearerInterceptor;
import io.weir.internal.server.grpc.call.MalformedMessageInterceptor;
import io.weir.internal.server.grpc.call.OpenAccessInterceptor;
import io.weir.internal.server.listener.AddressConnectionLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves gRPC: {@code weir.v1.RateLimitService}, Envoy's {@code RateLimitService} and {@code
 * grpc.health.v1.Health}, which alone needs no token.
 *
 * <p>Calls run on Netty's event loops, since decisions never wait. A client's use is bounded by
 * {@link GrpcLimits}.
 *
 * <p>Safe for concurrent use.
 */
public final class GrpcServer implements AutoCloseable {
  private static final int MIN_THREADS = 2;

  /** The time after which clients that watch the health learn of a change. */
  private static final int HEALTH_MILLIS = 500;

  private final Server server;
  private final HealthService health;
  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final List<AutoCloseable> parts;
  private final Duration drain;

  private GrpcServer(
      Server server,
      HealthService health,
      EventLoopGroup acceptor,
      EventLoopGroup workers,
      GrpcServerBuilder setup) {
    this.server = server;
    this.health = health;
    this.acceptor = acceptor;
    this.workers = workers;
    this.parts = List.copyOf(setup.parts);
    this.drain = setup.drain;
  }

  public static GrpcServerBuilder builder() {
    return new GrpcServerBuilder();
  }

  static GrpcServer start(GrpcServerBuilder setup) throws IOException {
    ClientErrorLogSilencer.silence();
    int threads = Math.max(MIN_THREADS, Runtime.getRuntime().availableProcessors());
    EventLoopGroup acceptor = group(1, "weir-grpc-accept");
    EventLoopGroup workers = group(threads, "weir-grpc");
    GrpcConnections connections =
        new GrpcConnections(
            setup.connections, new AddressConnectionLimit(setup.addressConnections), setup.signIn);
    NettyServerBuilder netty =
        NettyServerBuilder.forAddress(setup.address())
            .channelFactory(() -> new BoundedServerChannel(connections))
            .bossEventLoopGroup(acceptor)
            .workerEventLoopGroup(workers)
            .directExecutor()
            .addStreamTracerFactory(new UnauthenticatedMessageLimit())
            .addStreamTracerFactory(setup.messages);
    GrpcLimits.apply(netty, setup.connectionAge);
    try {
      setup.secure(netty);
      Set<String> names = new HashSet<>();
      for (ServerServiceDefinition each : definitions(setup, connections)) {
        netty.addService(each);
        names.add(each.getServiceDescriptor().getName());
      }
      HealthService health = new HealthService(names, setup.isReady);
      netty.addService(MalformedMessageInterceptor.refusedBy(health.bindService()));
      Server server = netty.build().start();
      var unused =
          acceptor.scheduleWithFixedDelay(
              health::update, HEALTH_MILLIS, HEALTH_MILLIS, TimeUnit.MILLISECONDS);
      return new GrpcServer(server, health, acceptor, workers, setup);
    } catch (IOException | RuntimeException failed) {
      setup.parts.forEach(GrpcServer::closePart);
      stop(acceptor);
      stop(workers);
      throw failed;
    }
  }

  private static EventLoopGroup group(int threads, String name) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }

  private static List<ServerServiceDefinition> definitions(
      GrpcServerBuilder setup, GrpcConnections connections) {
    List<ServerServiceDefinition> all = new ArrayList<>();
    for (BindableService each : setup.services) {
      ServerServiceDefinition service = MalformedMessageInterceptor.refusedBy(each.bindService());
      @Nullable Authenticator known = setup.authenticator;
      all.add(
          ServerInterceptors.intercept(
              service,
              known == null
                  ? new OpenAccessInterceptor(connections::signedIn)
                  : new BearerInterceptor(known, connections::signedIn)));
    }
    return all;
  }

  public int port() {
    return server.getPort();
  }

  public SocketAddress address() {
    List<? extends SocketAddress> bound = server.getListenSockets();
    return bound.isEmpty() ? new InetSocketAddress(port()) : bound.get(0);
  }

  /** Reports NOT_SERVING to health checks; calls are still answered. */
  public void drain() {
    health.drain();
  }

  /**
   * Accepts no more calls, completes those that are under way within the builder's time, and ends
   * all threads. Idempotent.
   */
  @Override
  public void close() {
    drain();
    server.shutdown();
    health.close();
    try {
      if (!server.awaitTermination(drain.toNanos(), TimeUnit.NANOSECONDS)) {
        server.shutdownNow();
        server.awaitTermination(1, TimeUnit.SECONDS);
      }
    } catch (InterruptedException interrupted) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    for (AutoCloseable part : parts) {
      closePart(part);
    }
    stop(acceptor);
    stop(workers);
  }

  private static void closePart(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception failed) {
      System.getLogger("io.weir")
          .log(
              System.Logger.Level.WARNING,
              "a part of the gRPC listener couldn't be closed",
              failed);
    }
  }

  private static void stop(EventLoopGroup group) {
    var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    unused.awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
