package io.weir.grpc;

import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNKNOWN;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.grpc.util.TransmitStatusRuntimeExceptionInterceptor;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whose call it is, and what policies read of it. */
class CallersTest {
  static final class Keyed extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:x-token", name = "text")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }

    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:token-bin", name = "binary")
    public void lecture(Line subject, StreamObserver<Line> lines) {
      super.lecture(subject, lines);
    }

    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:Host", name = "authority")
    public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
      return super.dictate(answer);
    }
  }

  @Test
  void readsAnEntryOfLargeMetadata() throws Exception {
    try (TalkServer server = TalkServer.of(new Keyed())) {
      String large = "l".repeat(32_000);
      assertEquals(
          List.of(OK, RESOURCE_EXHAUSTED),
          server.client("x-token", "a", "x-large", large, "x-token-too", large).asks(2));
      assertEquals(OK, server.client("x-token", "b", "x-large", large).ask());
    }
  }

  @Test
  void readsBinaryMetadataAndTheAuthority() throws Exception {
    try (TalkServer server = TalkServer.of(new Keyed())) {
      assertEquals(3, lecture(server, (byte) 1));
      assertEquals(3, lecture(server, (byte) 2));
      assertThrows(StatusRuntimeException.class, () -> lecture(server, (byte) 1));
      assertEquals(List.of("a"), Lines.dictate(server.client(), "a").all());
      assertEquals(RESOURCE_EXHAUSTED, Lines.dictate(server.client(), "a").status().getCode());
    }
  }

  private static int lecture(TalkServer server, byte token) {
    Metadata sent = new Metadata();
    sent.put(Metadata.Key.of("token-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {token, 0});
    var lines =
        server
            .client()
            .blocking()
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent))
            .lecture(line("x"));
    int heard = 0;
    while (lines.hasNext()) {
      lines.next();
      heard++;
    }
    return heard;
  }

  /** What other generators make: a method of another signature answers. */
  abstract static class StageBase implements BindableService {
    abstract CompletionStage<Line> say(Line line);

    public CompletionStage<Line> ask(Line line) {
      return say(line);
    }

    @Override
    public final ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder(TalkGrpc.SERVICE_NAME)
          .addMethod(
              TalkGrpc.getAskMethod(),
              ServerCalls.asyncUnaryCall(
                  (line, answer) ->
                      ask(line)
                          .thenAccept(
                              each -> {
                                answer.onNext(each);
                                answer.onCompleted();
                              })))
          .build();
    }
  }

  static class Staged extends StageBase {
    @Override
    CompletionStage<Line> say(Line line) {
      return CompletableFuture.completedFuture(line);
    }

    @Override
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "staged")
    public CompletionStage<Line> ask(Line line) {
      return super.ask(line);
    }

    /** An overload that answers nothing. */
    public CompletionStage<Line> ask(Line line, int times) {
      return super.ask(line);
    }
  }

  /** Named as proxies are. */
  static final class Staged$$Proxy extends Staged {
    @Override
    public CompletionStage<Line> ask(Line line) {
      return super.ask(line);
    }
  }

  @Test
  void limitsServicesOfOtherGeneratorsAndBehindProxies() throws Exception {
    for (BindableService each : List.of(new Staged(), new Staged$$Proxy())) {
      try (TalkServer server = TalkServer.of(each)) {
        assertEquals(List.of(OK, RESOURCE_EXHAUSTED), server.client().asks(2));
      }
    }
  }

  @Test
  void limitsByAClassThatIsCalledByTheBoundOne() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.wrap = limits -> service -> limits.limit(service.bindService(), Keyed.class);
    try (TalkServer server = new TalkServer(new Talker(), options)) {
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), server.client("x-token", "a").asks(2));
    }
  }

  /** Calls a method that an advice limits. */
  static final class Delegating extends Talker implements AutoCloseable {
    private Adapter adapter;
    private LimitedCall limited;

    void open(Weir weir) throws NoSuchMethodException {
      Method method = Delegating.class.getDeclaredMethod("find");
      adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));
      limited = adapter.call(Delegating.class, method, List.of());
    }

    @RateLimit(limit = 1, window = 60, by = By.USER, name = "find")
    void find() {}

    @Override
    public void ask(Line question, StreamObserver<Line> answer) {
      try {
        limited.run(
            new Object[0],
            () -> {
              find();
              return null;
            });
      } catch (RuntimeException refused) {
        throw refused;
      } catch (Throwable impossible) {
        throw new IllegalStateException(impossible);
      }
      super.ask(question, answer);
    }

    @Override
    public void close() {
      adapter.close();
    }
  }

  @Test
  void limitedCallsOfAHandlerKnowItsCaller() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.wrap = limits -> service -> limits.limit(service.bindService(), Talker.class);
    Delegating service = new Delegating();
    try (TalkServer server = new TalkServer(service, options)) {
      service.open(server.weir);
      TalkServer.Client ada = server.client("user", "ada");
      assertEquals(OK, ada.ask());
      assertEquals("\"find\";r=0;t=61", ada.header("ratelimit"));
      assertEquals(RESOURCE_EXHAUSTED, ada.ask());
      assertEquals(OK, server.client("user", "bob").ask());
      service.close();
    }
  }

  @Test
  void theUserIsAskedForOnlyWhereALimitMayNeedIt() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    TalkServer.Options options = new TalkServer.Options();
    options.user =
        (call, headers) -> {
          asked.incrementAndGet();
          return Optional.empty();
        };
    try (TalkServer server = new TalkServer(new ByAddress(), options)) {
      assertEquals(OK, server.client().ask());
      assertEquals(0, asked.get());
    }
    try (TalkServer server = new TalkServer(new Signed(), options)) {
      server.client("x-token", "a").ask();
      assertEquals(1, asked.get());
    }
  }

  @Test
  void aCallWhoseUserIsNotFoundCountsByAddress() throws Exception {
    CallPrincipal fails = (call, headers) -> CompletableFuture.failedFuture(new IOException());
    CallPrincipal throwing =
        (call, headers) -> {
          throw new IllegalStateException();
        };
    for (CallPrincipal each : List.of(fails, throwing, (call, headers) -> null)) {
      TalkServer.Options options = new TalkServer.Options();
      options.principal = each;
      try (TalkServer server = new TalkServer(new Signed(), options)) {
        assertEquals(UNKNOWN, server.client("user", "ada", "x-token", "a").ask());
        assertEquals(RESOURCE_EXHAUSTED, server.client("user", "bob", "x-token", "b").ask());
      }
    }
  }

  static final class ByAddress extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "address")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  /** A caller may send the field itself, also several times; the proxy adds what it knows. */
  @Test
  void aForgedAddressChangesNothing() throws Exception {
    try (TalkServer server = TalkServer.of(new ByAddress(), "weir.proxy.trusted=127.0.0.1")) {
      String field = "x-forwarded-for";
      assertEquals(OK, server.client(field, "192.0.2.1", field, "198.51.100.7").ask());
      for (TalkServer.Client forging :
          List.of(
              server.client(field, "192.0.2.2", field, "198.51.100.7"),
              server.client(field, "192.0.2.3, 198.51.100.7"),
              server.client(field, "\u00fc, 198.51.100.7"))) {
        assertEquals(RESOURCE_EXHAUSTED, forging.ask());
      }
    }
    try (TalkServer server = TalkServer.of(new ByAddress())) {
      assertEquals(OK, server.client("x-forwarded-for", "192.0.2.1").ask());
      assertEquals(RESOURCE_EXHAUSTED, server.client("x-forwarded-for", "192.0.2.2").ask());
    }
  }

  /** Loses what is in the context. */
  private static final class OtherContext implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return Contexts.interceptCall(
          Context.ROOT.withValue(TalkServer.USER, TalkServer.USER.get()), call, headers, next);
    }
  }

  /** Shows the handler other metadata and attributes of its own. */
  private static final class OtherCall implements ServerInterceptor {
    private static final Attributes.Key<String> TRACE = Attributes.Key.create("trace");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new SimpleForwardingServerCall<Q, R>(call) {
            @Override
            public Attributes getAttributes() {
              return super.getAttributes().toBuilder().set(TRACE, "1").build();
            }
          },
          new Metadata());
    }
  }

  static final class Signed extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "user")
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "header:x-token", name = "token")
    public void ask(Line question, StreamObserver<Line> answer) {
      throw Status.ABORTED.asRuntimeException();
    }
  }

  @Test
  void interceptorsOfOthersHideNoDecision() throws Exception {
    for (ServerInterceptor each :
        List.of(
            new OtherContext(),
            new OtherCall(),
            TransmitStatusRuntimeExceptionInterceptor.instance())) {
      TalkServer.Options options = new TalkServer.Options();
      options.inside = each;
      try (TalkServer server = new TalkServer(new Signed(), options)) {
        assertEquals(
            List.of(
                each instanceof OtherContext || each instanceof OtherCall ? UNKNOWN : ABORTED,
                RESOURCE_EXHAUSTED),
            server.client("user", "ada", "x-token", "a").asks(2));
        TalkServer.Client token = server.client("user", "bob", "x-token", "a");
        assertEquals(RESOURCE_EXHAUSTED, token.ask(), each.toString());
      }
    }
  }

  @Test
  void aSocketOfTheSystemHasNoAddress() {
    Weir weir =
        Weir.builder().onlyGivenSettings().settings(Map.of("weir.proxy.trusted", "unix:")).build();
    Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir));
    Metadata headers = new Metadata();
    headers.put(TalkServer.key("x-forwarded-for"), "198.51.100.7");
    GrpcRequestInfo info =
        new GrpcRequestInfo(
            adapter, new ConnectedCall(UnixDomainSocketAddress.of("socket")), headers, "/a/B");
    assertEquals(Optional.of(""), info.peer());
    assertEquals(Optional.of("198.51.100.7"), info.address());
    assertEquals(
        Optional.empty(),
        new GrpcRequestInfo(adapter, new ConnectedCall(null), headers, "/a/B").peer());
    adapter.close();
    weir.close();
  }

  /** A call that has only a peer. */
  private static final class ConnectedCall extends ServerCall<Line, Line> {
    private final SocketAddress peer;

    ConnectedCall(SocketAddress peer) {
      this.peer = peer;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, peer).build();
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(Line message) {}

    @Override
    public void close(Status status, Metadata trailers) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Line, Line> getMethodDescriptor() {
      return TalkGrpc.getAskMethod();
    }
  }

  /** It has no addresses, so all its callers are one. */
  @Test
  void limitsCallsWithinTheProcess() throws Exception {
    Weir weir = Weir.builder().onlyGivenSettings().build();
    RateLimitInterceptor limits =
        RateLimitInterceptor.builder().options(AdapterOptions.defaults().withWeir(weir)).build();
    Server server =
        limits.start(
            InProcessServerBuilder.forName("talk").addService(limits.limit(new ByAddress())));
    ManagedChannel channel = InProcessChannelBuilder.forName("talk").build();
    try {
      TalkGrpc.TalkBlockingStub stub = TalkGrpc.newBlockingStub(channel);
      assertFalse(stub.ask(line("a")).getText().isEmpty());
      assertEquals(
          RESOURCE_EXHAUSTED,
          assertThrows(StatusRuntimeException.class, () -> stub.ask(line("a")))
              .getStatus()
              .getCode());
    } finally {
      channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
      server.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
      limits.close();
      weir.close();
    }
  }
}
