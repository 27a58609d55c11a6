package io.weir.grpc;

import static io.grpc.Status.Code.CANCELLED;
import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNKNOWN;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.spi.CallerTier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls whose decision takes its time, on a server that runs everything in its event loop. */
class WaitingCallTest {
  private final Patient service = new Patient();
  private final Recorder outside = new Recorder();
  private volatile CountDownLatch gate = new CountDownLatch(1);
  private TalkServer server;

  static final class Patient extends Talker {
    final AtomicInteger started = new AtomicInteger();
    final BlockingQueue<String> users = new LinkedBlockingQueue<>();
    final List<String> chatted = new CopyOnWriteArrayList<>();

    @Override
    @RateLimit(limit = 1, window = 60, by = By.USER, count = Count.SUCCESSES, name = "once")
    public void ask(Line question, StreamObserver<Line> answer) {
      started.incrementAndGet();
      users.add(String.valueOf(TalkServer.USER.get()));
      if (question.getText().equals("throw")) {
        throw new IllegalStateException("thrown");
      }
      super.ask(question, answer);
    }

    @Override
    @PerMessage
    @RateLimit(limit = 1000, window = 60, by = By.USER, name = "lines")
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      started.incrementAndGet();
      switch (String.valueOf(TalkServer.USER.get())) {
        case "thrower" -> throw new IllegalStateException("thrown");
        case "translated" -> throw new NotThere();
        case "ready" -> {
          AtomicInteger times = new AtomicInteger();
          ((ServerCallStreamObserver<Line>) answers)
              .setOnReadyHandler(() -> answers.onNext(line("ready " + times.incrementAndGet())));
        }
        default -> users.add(String.valueOf(Frame.USER.get()));
      }
      ((ServerCallStreamObserver<Line>) answers).request(100); // as many at once as there are
      StreamObserver<Line> echo = super.chat(answers);
      return new StreamObserver<>() {
        @Override
        public void onNext(Line line) {
          chatted.add(line.getText());
          echo.onNext(line);
        }

        @Override
        public void onError(Throwable broken) {
          echo.onError(broken);
        }

        @Override
        public void onCompleted() {
          echo.onCompleted();
        }
      };
    }

    @Override
    @RateLimit(limit = 1, window = 60, by = By.USER, count = Count.SUCCESSES, name = "dictates")
    public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
      started.incrementAndGet();
      return super.dictate(answer);
    }
  }

  /** As an application would translate its own exceptions, and keep the user in the thread. */
  static final class Frame implements ServerInterceptor {
    static final ThreadLocal<String> USER = new ThreadLocal<>();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String user = TalkServer.USER.get();
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        private void run(Runnable event) {
          USER.set(user);
          try {
            event.run();
          } catch (NotThere notThere) {
            call.close(Status.NOT_FOUND, new Metadata());
          } finally {
            USER.remove();
          }
        }

        @Override
        public void onReady() {
          run(super::onReady);
        }

        @Override
        public void onMessage(Q message) {
          run(() -> super.onMessage(message));
        }

        @Override
        public void onHalfClose() {
          run(super::onHalfClose);
        }
      };
    }
  }

  /** Notes what passes between gRPC and Weir. */
  static final class Recorder implements ServerInterceptor {
    final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    /** Whether calls don't say that they are cancelled, as those of Vert.x. */
    boolean hidesCancellation;

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      if (call.getMethodDescriptor().getFullMethodName().endsWith("/Lecture")) {
        return next.startCall(call, headers);
      }
      ServerCall<Q, R> noted =
          new SimpleForwardingServerCall<>(call) {
            @Override
            public void request(int messages) {
              events.add("request");
              super.request(messages);
            }

            @Override
            public boolean isCancelled() {
              return !hidesCancellation && super.isCancelled();
            }
          };
      return new SimpleForwardingServerCallListener<>(next.startCall(noted, headers)) {
        @Override
        public void onHalfClose() {
          events.add("half-close");
          super.onHalfClose();
        }

        @Override
        public void onCancel() {
          super.onCancel();
          events.add("cancel");
        }
      };
    }

    /** Waits for an event, and returns those before it. */
    List<String> until(String awaited) throws InterruptedException {
      List<String> before = new ArrayList<>();
      while (true) {
        String event = events.poll(1, TimeUnit.MINUTES);
        if (event == null || event.equals(awaited)) {
          assertEquals(awaited, event);
          return before;
        }
        before.add(event);
      }
    }
  }

  /** Returns whether the service is left as it is, and two interceptors limit it. */
  boolean isBoundElsewhere() {
    return false;
  }

  @BeforeEach
  void start() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.inEventLoop = true;
    options.boundElsewhere = isBoundElsewhere();
    outside.hidesCancellation = isBoundElsewhere();
    options.outside = outside;
    options.inside = new Frame();
    options.parts =
        all ->
            all.tierResolver(
                (request, policy) -> {
                  await(gate);
                  return CallerTier.none();
                });
    server = new TalkServer(service, options);
  }

  private static void await(CountDownLatch opened) {
    try {
      assertTrue(opened.await(1, TimeUnit.MINUTES));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() throws Exception {
    gate.countDown();
    server.close();
  }

  private CompletableFuture<Status> askLater(String text) {
    CompletableFuture<Status> answer = new CompletableFuture<>();
    server
        .client("user", "ada")
        .async()
        .ask(
            line(text),
            new StreamObserver<>() {
              @Override
              public void onNext(Line heard) {}

              @Override
              public void onError(Throwable failure) {
                answer.complete(Status.fromThrowable(failure));
              }

              @Override
              public void onCompleted() {
                answer.complete(Status.OK);
              }
            });
    return answer;
  }

  private static Status.Code code(CompletableFuture<Status> answer) throws Exception {
    return answer.get(1, TimeUnit.MINUTES).getCode();
  }

  @Test
  void othersOfTheSameConnectionAreServedMeanwhile() throws Exception {
    CompletableFuture<Status> waiting = askLater("hello");
    assertEquals(3, countLecture());
    assertFalse(waiting.isDone());
    gate.countDown();
    assertEquals(OK, code(waiting));
    assertEquals("ada", service.users.take()); // the context is that of the sign-in
    assertEquals(RESOURCE_EXHAUSTED, code(askLater("more")));
  }

  private int countLecture() {
    List<Line> heard = new ArrayList<>();
    server.client().blocking().lecture(line("x")).forEachRemaining(heard::add);
    return heard.size();
  }

  /** The client of an empty stream has ended it before anything was decided. */
  @Test
  void anEndBeforeTheDecisionIsNotLost() throws Exception {
    Lines answer = Lines.dictate(server.client("user", "ada"));
    assertEquals(List.of(), outside.until("half-close"));
    assertEquals(0, service.started.get());
    gate.countDown();
    assertEquals(List.of(""), answer.all());
  }

  @Test
  void noMessageIsAskedForBeforeTheDecisionAndAllKeepTheirOrder() throws Exception {
    String[] said = new String[50];
    for (int i = 0; i < said.length; i++) {
      said[i] = "line " + i;
    }
    Lines answers = Lines.chat(server.client("user", "ada"), said);
    assertEquals(3, countLecture()); // the messages have arrived before
    assertEquals(0, service.started.get());
    assertEquals(List.of(), List.copyOf(outside.events));
    assertFalse(answers.isEnded());
    gate.countDown();
    assertEquals(List.of(said), answers.all());
  }

  @Test
  void aCallThatIsCancelledMeanwhileNeverStartsAndIsRefunded() throws Exception {
    Lines answer = new Lines();
    StreamObserver<Line> lines = server.client("user", "ada").async().dictate(answer);
    assertEquals(3, countLecture());
    ((ClientCallStreamObserver<Line>) lines).cancel("changed my mind", null);
    assertEquals(CANCELLED, answer.status().getCode());
    outside.until("cancel");
    gate.countDown();
    admitsAtLast("a");
    assertEquals(1, service.started.get());
  }

  /** Repeats while the permit of the call before is still taken. */
  private void admitsAtLast(String text) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Status status;
    do {
      status = Lines.dictate(server.client("user", "ada"), text).status();
    } while (!status.isOk() && System.nanoTime() < end);
    assertEquals(OK, status.getCode());
  }

  @Test
  void aDeadlineEndsACallThatWaits() throws Exception {
    Lines answer = new Lines();
    StreamObserver<Line> lines =
        server
            .client("user", "ada")
            .async()
            .withDeadlineAfter(50, TimeUnit.MILLISECONDS)
            .dictate(answer);
    assertEquals(DEADLINE_EXCEEDED, answer.status().getCode());
    lines.onError(new IllegalStateException("late"));
    assertEquals(3, countLecture()); // the server knows of the end before
    gate.countDown();
    admitsAtLast("a");
    assertEquals(1, service.started.get());
  }

  @Test
  void aStreamThatBreaksOffIsRefundedOnce() throws Exception {
    gate.countDown();
    Lines answer = new Lines();
    StreamObserver<Line> lines = server.client("user", "ada").async().dictate(answer);
    lines.onNext(line("a"));
    outside.until("request");
    lines.onError(new IllegalStateException("broken"));
    outside.until("cancel");
    admitsAtLast("b");
    assertEquals(
        RESOURCE_EXHAUSTED, Lines.dictate(server.client("user", "ada"), "c").status().getCode());
  }

  /** Nobody in gRPC sees it, since another thread starts the handler. */
  @Test
  void anExceptionAtTheBeginningOfAStreamThatHasWaitedReachesTheClient() throws Exception {
    TalkServer.Client client = server.client("user", "thrower");
    Lines answers = Lines.chat(client, "a");
    gate.countDown();
    assertEquals(UNKNOWN, answers.status().getCode());
    assertEquals("\"lines\";r=999;t=61", client.trailer("ratelimit"));
  }

  /** The handler starts in another thread, but with an event that passes the interceptors. */
  @Test
  void interceptorsStandAroundAHandlerThatHasWaited() throws Exception {
    Lines translated = Lines.chat(server.client("user", "translated"), "a");
    Lines admitted = Lines.chat(server.client("user", "ada"), "a", "b");
    assertEquals(3, countLecture()); // so both wait
    gate.countDown();
    assertEquals(NOT_FOUND, translated.status().getCode());
    assertEquals(List.of("a", "b"), admitted.all());
    assertEquals("ada", service.users.take());
  }

  @Test
  void anExceptionOfAHandlerThatHasWaitedReachesTheClient() throws Exception {
    CompletableFuture<Status> waiting = askLater("throw");
    gate.countDown();
    assertEquals(UNKNOWN, code(waiting));
    assertEquals(OK, code(askLater("it was refunded")));
  }

  @Test
  void aMessageIsDecidedAfterTheOneBefore() throws Exception {
    gate.countDown();
    Lines answers = new Lines();
    StreamObserver<Line> lines = server.client("user", "ada").async().chat(answers);
    lines.onNext(line("a"));
    outside.until("request");
    gate = new CountDownLatch(1);
    for (String each : List.of("b", "c", "d")) {
      lines.onNext(line(each));
    }
    lines.onCompleted();
    assertEquals(3, countLecture());
    assertFalse(answers.isEnded());
    gate.countDown();
    assertEquals(List.of("a", "b", "c", "d"), answers.all());
  }

  @Test
  void aMessageWhoseCallIsCancelledMeanwhileIsDropped() throws Exception {
    gate.countDown();
    Lines answers = new Lines();
    StreamObserver<Line> lines = server.client("user", "ada").async().chat(answers);
    lines.onNext(line("a"));
    outside.until("request");
    gate = new CountDownLatch(1);
    lines.onNext(line("b"));
    assertEquals(3, countLecture());
    ((ClientCallStreamObserver<Line>) lines).cancel("changed my mind", null);
    assertEquals(CANCELLED, answers.status().getCode());
    outside.until("cancel"); // the server learns of it later than the client
    gate.countDown();
    assertFalse(service.chatted.contains("b"), service.chatted::toString);
  }

  /** Gets one event that it is ready, whatever Weir sends itself. */
  @Test
  void aHandlerThatHasWaitedLearnsOnceThatItIsReady() throws Exception {
    Lines answers = Lines.chat(server.client("user", "ready"), "a", "b");
    gate.countDown();
    assertEquals(List.of("ready 1", "a", "b"), answers.all());
  }

  @Test
  void streamsBesideEachOtherKeepTheirOrders() throws Exception {
    gate.countDown();
    String[] said = new String[100];
    for (int i = 0; i < said.length; i++) {
      said[i] = "line " + i;
    }
    List<Lines> streams = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      streams.add(Lines.chat(server.client("user", "user-" + i), said));
    }
    for (Lines each : streams) {
      assertEquals(List.of(said), each.all());
    }
  }
}
