package io.weir.internal.server.resp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.listener.AddressConnectionLimit;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.ServerListener;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.command.CommandTable;
import io.weir.internal.server.resp.command.CommandTableFactory;
import io.weir.internal.server.resp.command.ExactRequestExecutor;
import io.weir.internal.server.resp.command.RespSession;
import io.weir.store.ExactBuckets;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the Redis protocol.
 *
 * <p>Safe for concurrent use.
 */
public final class RespServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;
  private static final String FULL = "-ERR max number of clients reached\r\n";

  private final EventLoopGroup threads;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final AtomicLong ids = new AtomicLong();
  private final CommandTable commands;
  private final Authenticator authenticator;
  private final boolean open;
  private final RespLimits limits;
  private final AddressConnectionLimit addresses;
  private final @Nullable SslContext tls;
  private final Channel listening;
  private volatile boolean isClosing;

  private RespServer(Builder from) {
    commands =
        CommandTableFactory.of(
            new RequestDecider(from.checker, from.keys, from.ticker),
            from.checkTimer,
            new ExactRequestExecutor(from.buckets, from.exactTimer));
    authenticator = from.authenticator;
    open = from.open;
    limits = from.limits;
    addresses = new AddressConnectionLimit(limits.addressConnections());
    tls = from.tls;
    threads =
        new MultiThreadIoEventLoopGroup(
            from.threads, new DefaultThreadFactory("weir-resp", true), NioIoHandler.newFactory());
    listening = listen(from.host, from.port);
  }

  /**
   * Starts to build a server; unless set, it accepts no token, and listens on a free port of the
   * loopback interface.
   */
  public static Builder builder(RequestChecker checker, ExactBuckets buckets) {
    return new Builder(checker, buckets);
  }

  private Channel listen(String host, int port) {
    var bound =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                })
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      var unused = threads.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IllegalStateException(
          "the Redis protocol can't be served at " + host + ":" + port + ": " + bound.cause(),
          bound.cause());
    }
    return bound.channel();
  }

  private void accept(Channel channel) {
    connections.add(channel);
    SocketAddress peer = channel.remoteAddress();
    if (connections.size() > limits.connections() || !addresses.tryAdd(peer)) {
      connections.remove(channel);
      refuse(channel);
      return;
    }
    var unused = channel.closeFuture().addListener(closed -> addresses.remove(peer));
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    RespSession session = new RespSession(ids.incrementAndGet(), authenticator, open);
    RespConnection connection = new RespConnection(channel, commands, session, limits);
    channel.pipeline().addLast(connection);
    connection.begin();
    if (isClosing) {
      connection.finish();
    }
  }

  /** Sends the error only without TLS, as a handshake would delay the close. */
  private void refuse(Channel channel) {
    ByteBuf full =
        tls == null ? ByteBufUtil.writeAscii(channel.alloc(), FULL) : Unpooled.EMPTY_BUFFER;
    var unused = channel.writeAndFlush(full).addListener(ChannelFutureListener.CLOSE);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  public int port() {
    return address().getPort();
  }

  public int connections() {
    return connections.size();
  }

  /** Accepts nothing more, answers received commands in the limits' time, and ends. Idempotent. */
  @Override
  public void close() {
    isClosing = true;
    ChannelFuture closed = listening.close();
    for (Channel each : connections) {
      each.eventLoop().execute(() -> finish(each));
    }
    closed.awaitUninterruptibly();
    connections.newCloseFuture().awaitUninterruptibly(limits.closing().toMillis());
    connections.close().awaitUninterruptibly();
    threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static void finish(Channel channel) {
    RespConnection connection = channel.pipeline().get(RespConnection.class);
    if (connection == null) {
      var unused = channel.close();
    } else {
      connection.finish();
    }
  }

  /** Builds a server. Confine to one thread. */
  public static final class Builder {
    private final RequestChecker checker;
    private final ExactBuckets buckets;
    private String host = "127.0.0.1";
    private int port;
    private int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    private Authenticator authenticator = token -> Optional.empty();
    private boolean open;
    private Supplier<KeyExpressions> keys = () -> KeyExpressions.NONE;
    private RespLimits limits = RespLimits.DEFAULT;
    private Ticker ticker = Ticker.system();
    private DecisionTimer checkTimer = DecisionTimer.NONE;
    private DecisionTimer exactTimer = DecisionTimer.NONE;
    private @Nullable SslContext tls;

    private Builder(RequestChecker checker, ExactBuckets buckets) {
      this.checker = checker;
      this.buckets = buckets;
    }

    /** Listens on any port that is free if {@code number} is 0. */
    public Builder address(String name, int number) {
      this.host = name;
      this.port = number;
      return this;
    }

    public Builder authenticator(Authenticator tokens) {
      this.authenticator = tokens;
      return this;
    }

    /** Sets whether clients may check without a sign-in. */
    public Builder open(boolean isOpen) {
      this.open = isOpen;
      return this;
    }

    /** Sets where requests have their key, by the settings of now; nowhere unless set. */
    public Builder keys(Supplier<KeyExpressions> now) {
      this.keys = now;
      return this;
    }

    public Builder limits(RespLimits all) {
      this.limits = all;
      return this;
    }

    public Builder ticker(Ticker time) {
      this.ticker = time;
      return this;
    }

    /**
     * Sets the timers of decisions; nothing is measured unless set.
     *
     * @param checks measures {@code WEIR.CHECK}
     * @param exact measures {@code RL.…} and {@code CL.THROTTLE}
     */
    public Builder timers(DecisionTimer checks, DecisionTimer exact) {
      this.checkTimer = checks;
      this.exactTimer = exact;
      return this;
    }

    /**
     * Sets the number of threads; unless set, one less than there are processors, and at least one.
     *
     * @param count at least 1
     */
    public Builder threads(int count) {
      this.threads = count;
      return this;
    }

    /** Serves over TLS only. */
    public Builder tls(SslContext context) {
      this.tls = context;
      return this;
    }

    /**
     * Starts to listen.
     *
     * @return a server that the caller closes
     * @throws IllegalStateException if it can't listen there
     */
    public RespServer start() {
      return new RespServer(this);
    }

    /**
     * Starts to serve as a listener of the settings says.
     *
     * @return a listener that the caller closes
     * @throws io.weir.internal.server.listener.ListenerException if it can't listen: the port is
     *     taken, say
     */
    public Listener listen(ListenerSettings settings) {
      open = settings.isOpen();
      limits =
          RespLimits.DEFAULT
              .withConnections(settings.connections())
              .withAddressConnections(settings.addressConnections())
              .withClosing(settings.stopTimeout());
      try {
        RespServer server = address(settings.host(), settings.port()).start();
        return new ServerListener(settings, server.port(), server::close);
      } catch (IllegalStateException | IllegalArgumentException failed) {
        throw settings.failed(failed);
      }
    }
  }
}
