package io.weir.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The checks of docs/stacks.md in the terms of gRPC, over loopback; prints how many passed. */
@TestInstance(Lifecycle.PER_CLASS)
class ChecksTest {
  private int passed;
  private int all;
  private TalkServer server;

  /** As an application would translate its own exceptions. */
  static final class Translator implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onHalfClose() {
          try {
            super.onHalfClose();
          } catch (NotThere notThere) {
            call.close(Status.NOT_FOUND, new Metadata());
          }
        }
      };
    }
  }

  String stack() {
    return "gRPC on Netty";
  }

  TalkServer.Options options() {
    return new TalkServer.Options();
  }

  @BeforeAll
  void start() throws Exception {
    TalkServer.Options options = options();
    options.settings = Map.of("weir.proxy.trusted", "127.0.0.1");
    options.inside = new Translator();
    server = new TalkServer(new Checked(), options);
  }

  @AfterAll
  void end() throws Exception {
    server.close();
    System.out.printf(Locale.ROOT, "%-40s %d of %d passed%n", stack(), passed, all);
  }

  @TestFactory
  Stream<DynamicTest> checks() {
    List<GrpcChecks.Check> checks =
        new ArrayList<>(new GrpcChecks(server.channel, Status.Code.UNKNOWN).all());
    checks.add(
        new GrpcChecks.Check(
            checks.size() + 1 + " nothing is left after five starts and stops",
            LeftoversTest::restartFiveTimes));
    all = checks.size();
    return checks.stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.text(),
                    () -> {
                      each.run().execute();
                      passed++;
                    }));
  }
}
