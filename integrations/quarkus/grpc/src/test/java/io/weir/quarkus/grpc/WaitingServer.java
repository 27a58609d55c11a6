package io.weir.quarkus.grpc;

import static io.grpc.Status.Code.CANCELLED;
import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.Talk;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls whose decision takes its time, and calls that end before their time. */
abstract class WaitingServer {
  static QuarkusUnitTest application(boolean separate) {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar ->
                jar.addPackage(Talk.class.getPackage())
                    .addClasses(
                        Caller.class,
                        Counting.class,
                        Patience.class,
                        ServerPorts.class,
                        SignIn.class,
                        SignIn.User.class,
                        WaitingServer.class))
        .overrideRuntimeConfigKey(
            "quarkus.grpc.server.use-separate-server", Boolean.toString(separate))
        .overrideRuntimeConfigKey("quarkus.grpc.server.test-port", ServerPorts.free());
  }

  @TestHTTPResource URI base;
  private ManagedChannel channel;
  private Caller caller;
  private static int callers;

  @BeforeEach
  void connect() {
    callers++;
    Metadata sent = new Metadata();
    sent.put(Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER), "user-" + callers);
    channel = ServerPorts.connect(base);
    caller = new Caller(channel, sent);
    Counting.CALLS.clear();
    Patience.gate = new CountDownLatch(1);
  }

  @AfterEach
  void disconnect() throws Exception {
    Patience.gate.countDown();
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    assertEquals(List.of(), List.copyOf(Patience.IN_EVENT_LOOPS));
  }

  /** Calls methods without limits meanwhile: what came before on the connection has arrived. */
  private void othersAreServed() {
    assertTrue(
        HealthGrpc.newBlockingStub(channel)
            .withDeadlineAfter(1, TimeUnit.MINUTES)
            .check(HealthCheckRequest.getDefaultInstance())
            .isInitialized());
  }

  @Test
  void goesOnAfterItHasWaited() throws Exception {
    Caller.Answers asked = new Caller.Answers();
    Caller.Answers lectured = new Caller.Answers();
    Caller.Answers dictated = new Caller.Answers();
    caller.stub().ask(Caller.line("a"), asked);
    caller.stub().lecture(Caller.line("b"), lectured);
    caller.stub().dictate(dictated).onCompleted();
    othersAreServed();
    assertEquals(List.of(), List.copyOf(Counting.CALLS));
    Patience.gate.countDown();
    assertEquals(List.of(OK, OK, OK), List.of(asked.code(), lectured.code(), dictated.code()));
    assertEquals(
        List.of(RESOURCE_EXHAUSTED, RESOURCE_EXHAUSTED, RESOURCE_EXHAUSTED),
        List.of(caller.ask(), caller.lecture(), caller.dictate()));
  }

  @Test
  void aCallThatIsCancelledMeanwhileNeverStartsAndIsRefunded() throws Exception {
    Caller.Answers answers = new Caller.Answers();
    StreamObserver<Line> lines = caller.stub().dictate(answers);
    othersAreServed();
    ((ClientCallStreamObserver<Line>) lines).cancel("changed my mind", null);
    assertEquals(CANCELLED, answers.code());
    othersAreServed();
    Patience.gate.countDown();
    assertEquals(OK, atLast(caller::dictate));
    assertEquals(List.of("dictate"), List.copyOf(Counting.CALLS));
    assertEquals(RESOURCE_EXHAUSTED, caller.dictate());
  }

  /** Repeats while the permit of the call before is still taken. */
  private static Status.Code atLast(Callable<Status.Code> call) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Status.Code code;
    do {
      code = call.call();
    } while (code == RESOURCE_EXHAUSTED && System.nanoTime() < end);
    return code;
  }

  @Test
  void aDeadlineEndsACallThatWaits() throws Exception {
    Caller.Answers answers = new Caller.Answers();
    StreamObserver<Line> lines =
        caller.stub().withDeadlineAfter(50, TimeUnit.MILLISECONDS).dictate(answers);
    assertEquals(DEADLINE_EXCEEDED, answers.code());
    lines.onError(new IllegalStateException("late"));
    othersAreServed();
    Patience.gate.countDown();
    assertEquals(OK, atLast(caller::dictate));
    assertEquals(List.of("dictate"), List.copyOf(Counting.CALLS));
  }

  @Test
  void aStreamThatBreaksOffIsRefundedOnce() throws Exception {
    Patience.gate.countDown();
    Caller.Answers answers = new Caller.Answers();
    StreamObserver<Line> lines = caller.stub().dictate(answers);
    lines.onNext(Caller.line("a"));
    while (!Counting.CALLS.contains("dictate")) {
      Thread.onSpinWait();
    }
    ((ClientCallStreamObserver<Line>) lines).cancel("changed my mind", null);
    assertEquals(CANCELLED, answers.code());
    assertEquals(OK, atLast(caller::dictate));
    assertEquals(RESOURCE_EXHAUSTED, caller.dictate());
  }

  /** The policy needs no user, so on Vert.x HTTP the request of HTTP waits. */
  @Test
  void waitsBeforeTheSignIn() throws Exception {
    Caller.Answers cancelled = new Caller.Answers();
    StreamObserver<Line> lines = caller.stub().chat(cancelled);
    othersAreServed();
    ((ClientCallStreamObserver<Line>) lines).cancel("changed my mind", null);
    assertEquals(CANCELLED, cancelled.code());
    othersAreServed();
    Caller.Answers waiting = new Caller.Answers();
    caller.stub().chat(waiting).onCompleted();
    othersAreServed();
    assertEquals(List.of(), List.copyOf(Counting.CALLS));
    Patience.gate.countDown();
    assertEquals(OK, waiting.code() == OK ? OK : atLast(() -> caller.chat(0).code()));
    assertEquals(RESOURCE_EXHAUSTED, caller.chat(0).code());
    assertEquals(1, Counting.CALLS.stream().filter("chat"::equals).count());
  }
}
