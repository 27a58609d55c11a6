package io.weir.grpc;

import io.grpc.BindableService;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.MetadataUtils;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.AdapterOptions;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import io.weir.testkit.FakeTicker;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A gRPC server over loopback with a service, a sign-in and Weir's interceptor; and its clients.
 */
final class TalkServer implements AutoCloseable {
  static final Context.Key<String> USER = Context.key("user");
  private static final Metadata.Key<String> NAME = key("user");
  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  final FakeTicker ticker = new FakeTicker();
  final Weir weir;
  final RateLimitInterceptor limits;
  final ManagedChannel channel;
  private final Server server;

  /** Runs what has waited of a service that is bound elsewhere. */
  private final ExecutorService calls = Executors.newSingleThreadExecutor();

  /** Signs in whoever names a user, and rejects one that is called {@code bad}. */
  static final class SignIn implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String name = headers.get(NAME);
      if ("bad".equals(name)) {
        call.close(Status.UNAUTHENTICATED, new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return Contexts.interceptCall(Context.current().withValue(USER, name), call, headers, next);
    }
  }

  /** What makes one server different from another. */
  static final class Options {
    Map<String, String> settings = Map.of();
    Function<WeirBuilder, WeirBuilder> parts = all -> all;
    Function<RateLimitInterceptor, Function<BindableService, ServerServiceDefinition>> wrap =
        each -> each::limit;
    CallUser user = (call, headers) -> Optional.ofNullable(USER.get());

    /** Finds users in place of the other function. */
    CallPrincipal principal;

    boolean outermost = true;
    boolean inEventLoop;

    /** Leaves the service as it is: two interceptors limit it, and calls go on in one thread. */
    boolean boundElsewhere;

    /** Runs what has waited, in place of Weir's own threads. */
    Executor executor;

    /** Stands between the sign-in and the service. */
    ServerInterceptor inside;

    /** Stands before Weir's. */
    ServerInterceptor outside;
  }

  static TalkServer of(BindableService service) throws Exception {
    return new TalkServer(service, new Options());
  }

  static TalkServer of(BindableService service, String... settings) throws Exception {
    Options options = new Options();
    options.settings =
        Stream.of(settings)
            .map(each -> each.split("=", 2))
            .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    return new TalkServer(service, options);
  }

  TalkServer(BindableService service, Options options) throws Exception {
    this.weir =
        options
            .parts
            .apply(Weir.builder().onlyGivenSettings().settings(options.settings).ticker(ticker))
            .build();
    RateLimitInterceptor.Builder limiting =
        RateLimitInterceptor.builder()
            .options(AdapterOptions.defaults().withWeir(weir))
            .user(options.user);
    if (options.executor != null) {
      limiting.executor(options.executor);
    }
    if (options.boundElsewhere) {
      limiting.callExecutor(() -> calls).principal(TalkServer::findLater);
    }
    if (options.principal != null) {
      limiting.principal(options.principal);
    }
    this.limits = limiting.build();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .maxInboundMetadataSize(1 << 16);
    if (options.boundElsewhere) {
      ServerServiceDefinition bound = service.bindService();
      limits.limit(bound.getServiceDescriptor(), service.getClass());
      builder.addService(bound).intercept(limits.innermost());
    } else {
      builder.addService(options.wrap.apply(limits).apply(service));
    }
    if (options.inside != null) {
      builder.intercept(options.inside);
    }
    builder.intercept(new SignIn());
    if (options.inEventLoop) {
      builder.directExecutor();
    }
    if (options.outside != null) {
      builder.intercept(limits).intercept(options.outside);
    }
    this.server =
        options.outermost && options.outside == null
            ? limits.start(builder)
            : builder.build().start();
    this.channel = newChannel(each -> each);
  }

  /** Finds the user of the context, but as one that takes its time. */
  private static CompletionStage<Optional<Principal>> findLater(
      ServerCall<?, ?> call, Metadata headers) {
    String name = USER.get();
    return CompletableFuture.supplyAsync(() -> Optional.ofNullable(name).map(each -> () -> each));
  }

  ManagedChannel newChannel(UnaryOperator<NettyChannelBuilder> options) {
    return options
        .apply(NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext())
        .build();
  }

  static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  static Line line(String text) {
    return Line.newBuilder().setText(text).build();
  }

  /** Returns a client that sends metadata, given as names and values by turns. */
  Client client(String... sent) {
    return client(channel, sent);
  }

  Client client(ManagedChannel connection, String... sent) {
    return new Client(connection, sent);
  }

  /** One caller, and what its last call has got. */
  final class Client {
    final AtomicReference<Metadata> headers = new AtomicReference<>();
    final AtomicReference<Metadata> trailers = new AtomicReference<>();
    private final Metadata sent = new Metadata();

    private final ManagedChannel connection;

    private Client(ManagedChannel connection, String... pairs) {
      this.connection = connection;
      for (int i = 0; i < pairs.length; i += 2) {
        sent.put(key(pairs[i]), pairs[i + 1]);
      }
    }

    Channel channel() {
      return ClientInterceptors.intercept(
          connection,
          MetadataUtils.newCaptureMetadataInterceptor(headers, trailers),
          MetadataUtils.newAttachHeadersInterceptor(sent));
    }

    TalkGrpc.TalkBlockingStub blocking() {
      return TalkGrpc.newBlockingStub(channel()).withDeadlineAfter(1, TimeUnit.MINUTES);
    }

    TalkGrpc.TalkStub async() {
      return TalkGrpc.newStub(channel()).withDeadlineAfter(1, TimeUnit.MINUTES);
    }

    Status.Code ask() {
      return ask("hello").getCode();
    }

    /** Returns the status of a call. */
    Status ask(String text) {
      try {
        var unused = blocking().ask(line(text));
        return Status.OK;
      } catch (StatusRuntimeException failed) {
        return failed.getStatus();
      }
    }

    /** Returns the codes of calls one after the other. */
    List<Status.Code> asks(int times) {
      List<Status.Code> codes = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        codes.add(ask());
      }
      return codes;
    }

    /** Returns the details of the last status; null if it has none. */
    com.google.rpc.Status details() {
      return trailers().get(DETAILS);
    }

    String sent(String name) {
      return sent.get(key(name));
    }

    Metadata headers() {
      return headers.get() == null ? new Metadata() : headers.get();
    }

    Metadata trailers() {
      return trailers.get() == null ? new Metadata() : trailers.get();
    }

    String header(String name) {
      return headers().get(key(name));
    }

    String trailer(String name) {
      return trailers().get(key(name));
    }
  }

  @Override
  public void close() throws Exception {
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    server.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    limits.close();
    calls.shutdown();
    weir.close();
  }
}
