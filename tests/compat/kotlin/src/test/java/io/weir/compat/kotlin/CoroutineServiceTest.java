package io.weir.compat.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.weir.Weir;
import io.weir.adapter.AdapterOptions;
import io.weir.compat.kotlin.talk.Talk;
import io.weir.compat.kotlin.talk.Talks;
import io.weir.grpc.RateLimitInterceptor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service of gRPC whose methods are coroutines. */
class CoroutineServiceTest {
  private final Weir weir = Weir.builder().onlyGivenSettings().build();
  private final RateLimitInterceptor limits =
      RateLimitInterceptor.builder().options(AdapterOptions.defaults().withWeir(weir)).build();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    String name = InProcessServerBuilder.generateName();
    server =
        limits.start(InProcessServerBuilder.forName(name).addService(limits.limit(new Talk())));
    channel = InProcessChannelBuilder.forName(name).build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    server.shutdownNow().awaitTermination();
    limits.close();
    weir.close();
  }

  private static Status.Code refusal(Runnable call) {
    return assertThrows(StatusRuntimeException.class, call::run).getStatus().getCode();
  }

  private String call(MethodDescriptor<String, String> method, String request) {
    List<String> found = new ArrayList<>();
    ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, request)
        .forEachRemaining(found::add);
    return String.join(" ", found);
  }

  @Test
  void limitsASuspendFunctionByItsAnnotation() {
    for (int i = 0; i < 2; i++) {
      assertEquals("hello", say("hello"));
    }
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal(() -> say("hello")));
  }

  private String say(String text) {
    return ClientCalls.blockingUnaryCall(channel, Talks.SAY, CallOptions.DEFAULT, text);
  }

  @Test
  void judgesAFlowAtItsEnd() {
    for (int i = 0; i < 3; i++) {
      assertEquals("1 2", call(Talks.COUNT, "all"));
    }
    assertEquals(Status.Code.UNKNOWN, refusal(() -> call(Talks.COUNT, "lost")));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal(() -> call(Talks.COUNT, "all")));
  }
}
