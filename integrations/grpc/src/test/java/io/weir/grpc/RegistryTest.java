package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.grpc.util.MutableHandlerRegistry;
import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.AdapterOptions;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import io.weir.test.log.LogLines;
import java.lang.reflect.Proxy;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Services that a server finds elsewhere than in its builder, and those of unusual classes. */
class RegistryTest {
  private final String name = UUID.randomUUID().toString();
  private final Weir weir = Weir.builder().onlyGivenSettings().build();
  private final RateLimitInterceptor limits =
      RateLimitInterceptor.builder().options(AdapterOptions.defaults().withWeir(weir)).build();
  private Server server;
  private ManagedChannel channel;

  @AfterEach
  void close() throws Exception {
    if (server != null) {
      channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
      server.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    }
    limits.close();
    weir.close();
  }

  private void start(HandlerRegistry registry) throws Exception {
    server = limits.start(InProcessServerBuilder.forName(name).fallbackHandlerRegistry(registry));
    channel = InProcessChannelBuilder.forName(name).build();
  }

  private io.grpc.Status.Code call(MethodDescriptor<Line, Line> method) {
    try {
      var unused = ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, line("a"));
      return OK;
    } catch (io.grpc.StatusRuntimeException failed) {
      return failed.getStatus().getCode();
    }
  }

  private static class Limited extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "limited")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @Test
  void limitsAServiceThatIsAddedWhileTheServerRuns() throws Exception {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    start(registry);
    try (LogLines log = new LogLines(RateLimitInterceptor.class)) {
      var unused = registry.addService(limits.limit(new Limited()));
      assertEquals(OK, call(TalkGrpc.getAskMethod()));
      unused = registry.addService(limits.limit(new Limited()));
      assertEquals(RESOURCE_EXHAUSTED, call(TalkGrpc.getAskMethod()));
      assertEquals(0, log.containing("weir.test.Talk").size());
    }
  }

  /** As gRPC's proxies do. */
  private static final class AnyService extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String method, String authority) {
      return ServerMethodDefinition.create(
          TalkGrpc.getAskMethod().toBuilder().setFullMethodName(method).build(),
          ServerCalls.asyncUnaryCall(new Talker()::ask));
    }
  }

  @Test
  void namesThatCallersChooseFillNeitherTheLogNorTheMemory() throws Exception {
    start(new AnyService());
    try (LogLines log = new LogLines(RateLimitInterceptor.class)) {
      for (int i = 0; i < 120; i++) {
        assertEquals(
            OK,
            call(
                TalkGrpc.getAskMethod().toBuilder()
                    .setFullMethodName("invented" + i + ".Service/Ask")
                    .build()));
      }
      assertEquals(100, log.containing("invented").size());
    }
  }

  /** Named as compilers of other languages name anonymous classes. */
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "anonymous")
  private static final class Main$$anon$1 extends TalkGrpc.TalkImplBase {
    @Override
    public void ask(Line question, StreamObserver<Line> answer) {
      answer.onNext(question);
      answer.onCompleted();
    }
  }

  @Test
  void aClassOfAnotherLanguageIsNoProxy() throws Exception {
    MutableHandlerRegistry registry = new MutableHandlerRegistry();
    start(registry);
    var unused = registry.addService(limits.limit(new Main$$anon$1()));
    assertEquals(OK, call(TalkGrpc.getAskMethod()));
    assertEquals(RESOURCE_EXHAUSTED, call(TalkGrpc.getAskMethod()));
  }

  @Test
  void refusesAProxyThatHidesItsClass() {
    BindableService target = new Limited();
    BindableService proxy =
        (BindableService)
            Proxy.newProxyInstance(
                RegistryTest.class.getClassLoader(),
                new Class<?>[] {BindableService.class},
                (self, method, given) -> method.invoke(target, given));
    String message =
        assertThrows(InvalidPolicyException.class, () -> limits.limit(proxy)).getMessage();
    assertTrue(message.contains("limit(service.bindService(), TheClass.class)"), message);
    ServerServiceDefinition limited = limits.limit(proxy.bindService(), Limited.class);
    assertEquals(4, limited.getMethods().size());
  }
}
