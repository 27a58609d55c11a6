package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.weir.Decision;
import io.weir.InvalidPolicyException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.RateLimiter;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.grpc.talk.Line;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls count, for whom, and how often. */
class LimitedServiceTest {
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:caller", name = "all")
  static final class Whole extends Talker {
    @Override
    @Unlimited
    public void lecture(Line subject, StreamObserver<Line> lines) {
      super.lecture(subject, lines);
    }
  }

  @Test
  void aClassLimitsAllItsMethodsAndAStreamCountsOnce() throws Exception {
    try (TalkServer server = TalkServer.of(new Whole())) {
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), server.client("caller", "unary").asks(2));
      for (int i = 0; i < 3; i++) {
        assertEquals(3, lecture(server.client("caller", "lecture")));
      }
      TalkServer.Client dictating = server.client("caller", "dictate");
      assertEquals(List.of("a b c"), Lines.dictate(dictating, "a", "b", "c").all());
      assertEquals(RESOURCE_EXHAUSTED, Lines.dictate(dictating, "a").status().getCode());
      TalkServer.Client chatting = server.client("caller", "chat");
      assertEquals(List.of("a", "b", "c"), Lines.chat(chatting, "a", "b", "c").all());
      assertEquals(RESOURCE_EXHAUSTED, Lines.chat(chatting, "a").status().getCode());
    }
  }

  private static int lecture(TalkServer.Client client) {
    List<Line> heard = new ArrayList<>();
    client.blocking().lecture(line("gRPC")).forEachRemaining(heard::add);
    return heard.size();
  }

  static final class SignedIn extends Talker {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "by-user")
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "sign-ins")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @Test
  void aSignInThatIsRejectedCounts() throws Exception {
    try (TalkServer server = TalkServer.of(new SignedIn())) {
      TalkServer.Client guessing = server.client("user", "bad");
      assertEquals(List.of(UNAUTHENTICATED, UNAUTHENTICATED, RESOURCE_EXHAUSTED), guessing.asks(3));
      assertTrue(guessing.trailer("ratelimit").contains("\"sign-ins\";r=0"));
    }
  }

  @Test
  void usersCountApartAndSuccessesDoNotCountAsFailures() throws Exception {
    try (TalkServer server = TalkServer.of(new SignedIn())) {
      assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), server.client("user", "ada").asks(3));
      assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), server.client("user", "bob").asks(3));
    }
  }

  static final class Tried extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "user")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "tries")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @Test
  void aRefusalByUserDoesNotRefundWhatTheSignInWasTriedFor() throws Exception {
    try (TalkServer server = TalkServer.of(new Tried())) {
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), server.client("user", "ada").asks(2));
      TalkServer.Client other = server.client("user", "bob");
      assertEquals(RESOURCE_EXHAUSTED, other.ask());
      assertTrue(other.trailer("ratelimit").contains("\"tries\";r=0"));
    }
  }

  /** All decisions are made at the handler; those before the sign-in can't be. */
  @Test
  void whateverReachesAHandlerIsDecidedWithoutTheOutermostInterceptor() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.outermost = false;
    try (TalkServer server = new TalkServer(new SignedIn(), options)) {
      assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), server.client("user", "ada").asks(3));
      assertEquals(UNAUTHENTICATED, server.client("user", "bad").ask());
    }
  }

  @Test
  void twoPlacesOrTheSameInterceptorTwiceChargeOnce() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.wrap =
        limits ->
            service ->
                ServerInterceptors.intercept(
                    limits.limit(
                        limits.limit(service.bindService(), service.getClass()),
                        service.getClass()),
                    limits);
    try (TalkServer server = new TalkServer(new Whole(), options)) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), client.asks(2));
    }
  }

  static final class Failing extends Talker {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
    public void ask(Line question, StreamObserver<Line> answer) {
      if (question.getText().equals("throw")) {
        throw new IllegalStateException("thrown");
      }
      super.ask(question, answer);
    }

    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.SUCCESSES, name = "successes")
    public void lecture(Line subject, StreamObserver<Line> lines) {
      super.lecture(subject, lines);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOT_FOUND", "CANCELLED", "UNKNOWN", "throw"})
  void failuresCountByTheStatusOfTheCall(String failure) throws Exception {
    try (TalkServer server = TalkServer.of(new Failing())) {
      TalkServer.Client client = server.client();
      assertEquals(List.of(OK, OK, OK), client.asks(3));
      for (int i = 0; i < 2; i++) {
        assertEquals(
            failure.equals("throw") ? "UNKNOWN" : failure, client.ask(failure).getCode().name());
      }
      assertEquals(RESOURCE_EXHAUSTED, client.ask());
    }
  }

  @Test
  void onlySuccessesCountWhereThePolicySaysSo() throws Exception {
    try (TalkServer server = TalkServer.of(new Failing())) {
      TalkServer.Client client = server.client();
      for (int i = 0; i < 3; i++) {
        var lines = client.blocking().lecture(line("NOT_FOUND"));
        assertEquals(
            Status.Code.NOT_FOUND,
            assertThrows(StatusRuntimeException.class, lines::hasNext).getStatus().getCode());
      }
      assertEquals(3, lecture(client));
      assertEquals(3, lecture(client));
      var refused = client.blocking().lecture(line("more"));
      assertThrows(StatusRuntimeException.class, refused::hasNext);
    }
  }

  /** Calls a limiter of its own, and reports its refusal in three ways. */
  static class Calling extends Talker {
    private final RateLimiter limiter = RateLimiter.inProcess();

    @Override
    public void ask(Line question, StreamObserver<Line> answer) {
      Decision decision =
          limiter.tryAcquire(
              Policy.builder("inner").limit(1).window(Duration.ofMinutes(1)).build(),
              Key.of(question.getText()));
      if (decision.admitted()) {
        super.ask(question, answer);
        return;
      }
      RuntimeException refused = new RateLimitExceededException(decision);
      switch (question.getText()) {
        case "thrown" -> throw refused;
        case "wrapped" -> throw new IllegalStateException(refused);
        case "mapped" -> answer.onError(Status.ABORTED.withCause(refused).asException());
        default -> answer.onError(refused);
      }
    }

    Decision refusal() {
      Policy policy = Policy.builder("inner").limit(1).window(Duration.ofMinutes(1)).build();
      limiter.tryAcquire(policy, Key.of("stream"));
      return limiter.tryAcquire(policy, Key.of("stream"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"thrown", "wrapped", "answered"})
  void theRefusalOfALimitedCallIsTheStatusOfItsCaller(String way) throws Exception {
    try (TalkServer server = TalkServer.of(new Calling())) {
      TalkServer.Client client = server.client();
      assertEquals(OK, client.ask(way).getCode());
      Status refused = client.ask(way);
      assertEquals(RESOURCE_EXHAUSTED, refused.getCode());
      assertEquals("Policy inner admits 1 request per minute.", refused.getDescription());
      assertTrue(client.trailer("ratelimit").startsWith("\"inner\";r=0;t="));
      assertTrue(Long.parseLong(client.trailer("grpc-retry-pushback-ms")) > 0);
      assertEquals(1, client.details().getDetailsCount());
    }
  }

  /** A refusal that has to ask the store comes later than the handler's next answer. */
  @Test
  void nothingThatTheHandlerDoesLaterHidesARefusal() throws Exception {
    CountDownLatch handled = new CountDownLatch(1);
    TalkServer.Options options = new TalkServer.Options();
    options.executor = task -> new Thread(() -> run(task, handled)).start();
    Calling refusing =
        new Calling() {
          @Override
          public StreamObserver<Line> chat(StreamObserver<Line> answers) {
            return new StreamObserver<>() {
              @Override
              public void onNext(Line line) {
                answers.onError(new RateLimitExceededException(refusal()));
              }

              @Override
              public void onError(Throwable broken) {}

              @Override
              public void onCompleted() {
                answers.onCompleted();
                handled.countDown();
              }
            };
          }
        };
    try (TalkServer server = new TalkServer(refusing, options)) {
      Lines answers = Lines.chat(server.client(), "x", "y");
      assertEquals(RESOURCE_EXHAUSTED, answers.status().getCode());
    }
  }

  private static void run(Runnable task, CountDownLatch after) {
    try {
      after.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    task.run();
  }

  @Test
  void aStatusThatTheHandlerHasChosenStays() throws Exception {
    try (TalkServer server = TalkServer.of(new Calling())) {
      assertEquals(OK, server.client().ask("mapped").getCode());
      assertEquals(Status.Code.ABORTED, server.client().ask("mapped").getCode());
    }
  }

  @PerMessage
  static final class Counting extends Talker {
    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:caller", name = "lines")
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      return super.chat(answers);
    }
  }

  @Test
  void aStreamCountsByMessageIfItSaysSo() throws Exception {
    try (TalkServer server = TalkServer.of(new Counting())) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(List.of("a", "b"), Lines.chat(client, "a", "b").all());
      Lines refused = Lines.chat(client, "c", "d", "e");
      assertEquals(List.of("c"), refused.heard());
      assertEquals(RESOURCE_EXHAUSTED, refused.status().getCode());
      assertEquals("61000", client.trailer("grpc-retry-pushback-ms"));
      assertEquals(List.of("x"), Lines.chat(server.client("caller", "b"), "x").all());
    }
  }

  static class Annotated extends Talker {
    @Override
    @PerMessage
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:caller", name = "chat")
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      return super.chat(answers);
    }
  }

  static final class Overriding extends Annotated {
    @Override
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      return super.chat(answers);
    }
  }

  @PerMessage
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:caller", name = "all")
  static class AllAnnotated extends Talker {}

  static final class Inheriting extends AllAnnotated {}

  /** As limits are. */
  @Test
  void countingByMessageIsInherited() throws Exception {
    for (BindableService each : List.of(new Overriding(), new Inheriting())) {
      try (TalkServer server = TalkServer.of(each)) {
        Lines refused = Lines.chat(server.client("caller", "a"), "a", "b", "c", "d");
        assertEquals(RESOURCE_EXHAUSTED, refused.status().getCode(), each.toString());
      }
    }
  }

  @Test
  void aServiceThatIsWrappedTwiceCountsAMessageOnce() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.wrap =
        limits ->
            service ->
                limits.limit(limits.limit(service.bindService(), Counting.class), Counting.class);
    try (TalkServer server = new TalkServer(new Counting(), options)) {
      assertEquals(
          List.of("a", "b", "c"), Lines.chat(server.client("caller", "a"), "a", "b", "c").all());
    }
  }

  /** Answers from a thread of its own, and keeps something open until its stream ends. */
  @PerMessage
  static final class Uploading extends Talker {
    final CompletableFuture<Throwable> broken = new CompletableFuture<>();
    final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    volatile ServerCallStreamObserver<Line> answers;

    @Override
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "upload")
    public StreamObserver<Line> chat(StreamObserver<Line> answers) {
      this.answers = (ServerCallStreamObserver<Line>) answers;
      this.answers.setOnCancelHandler(() -> cancelled.complete(true));
      return super.chat(answers);
    }

    @Override
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:caller", name = "dictate")
    public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
      return new StreamObserver<>() {
        @Override
        public void onNext(Line line) {}

        @Override
        public void onError(Throwable failure) {
          broken.complete(failure);
        }

        @Override
        public void onCompleted() {}
      };
    }
  }

  @Test
  void theHandlerOfAStreamThatIsRefusedLearnsOfIt() throws Exception {
    Uploading service = new Uploading();
    try (TalkServer server = TalkServer.of(service)) {
      assertEquals(
          RESOURCE_EXHAUSTED,
          Lines.dictate(server.client("caller", "a"), "a", "b").status().getCode());
      assertEquals(
          Status.Code.CANCELLED,
          Status.fromThrowable(service.broken.get(1, TimeUnit.MINUTES)).getCode());
      assertEquals(RESOURCE_EXHAUSTED, Lines.chat(server.client(), "a", "b").status().getCode());
      assertTrue(service.cancelled.get(1, TimeUnit.MINUTES));
      assertTrue(service.answers.isCancelled());
      service.answers.onNext(line("late")); // as after a cancellation
      service.answers.onCompleted();
    }
  }

  static final class NotThereService extends Talker {
    @Override
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "translated")
    public void ask(Line question, StreamObserver<Line> answer) {
      throw new NotThere();
    }
  }

  /** Weir's place is inside of all interceptors there. */
  @Test
  void anExceptionReachesTheInterceptorsWithoutTheOutermostOne() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.outermost = false;
    options.inside = new ChecksTest.Translator();
    try (TalkServer server = new TalkServer(new NotThereService(), options)) {
      assertEquals(
          List.of(Status.Code.NOT_FOUND, RESOURCE_EXHAUSTED), server.client("user", "a").asks(2));
    }
  }

  @Test
  void theStartEndsWithTheFirstCallWithoutTheOutermostInterceptor() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.outermost = false;
    options.settings = Map.of("weir.policy.nobodys.limit", "3");
    try (LogLines log = new LogLines("io.weir");
        TalkServer server = new TalkServer(new Whole(), options)) {
      assertEquals(List.of(), log.containing("nobodys"));
      assertEquals(OK, server.client("caller", "a").ask());
      assertEquals(1, log.containing("nobodys").size());
    }
  }

  static final class Mistaken extends Talker {
    @Override
    @RateLimit(limit = -1, window = 60)
    @PerMessage
    public void ask(Line question, StreamObserver<Line> answer) {}

    @RateLimit(limit = 1, window = 60)
    void helper() {}

    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "path:id")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:user", name = "form")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/user", name = "json")
    @Override
    public void lecture(Line subject, StreamObserver<Line> lines) {}
  }

  @Test
  void mistakesAreNamedWhenTheServiceIsWrapped() {
    try (RateLimitInterceptor limits = RateLimitInterceptor.create()) {
      List<String> mistakes =
          assertThrows(InvalidPolicyException.class, () -> limits.limit(new Mistaken())).mistakes();
      for (String each :
          List.of(
              "Mistaken.ask(): @PerMessage has no effect",
              "Mistaken.helper(): answers no method of the service",
              "limit",
              "path:id",
              "form:user",
              "json:/user")) {
        assertTrue(
            mistakes.stream().anyMatch(mistake -> mistake.contains(each)),
            () -> each + " not in " + mistakes);
      }
    }
  }

  @Test
  void oneInterceptorHasOneClassForAService() {
    try (RateLimitInterceptor limits = RateLimitInterceptor.create()) {
      limits.limit(new Whole());
      limits.limit(new Whole());
      String message =
          assertThrows(IllegalArgumentException.class, () -> limits.limit(new Counting()))
              .getMessage();
      assertTrue(message.contains(Whole.class.getName()), message);
      assertTrue(message.contains(Counting.class.getName()), message);
    }
  }

  @Test
  void aServiceThatNobodyWrappedIsNamedAtTheStartAndItsPathsAreLimited() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.wrap = limits -> BindableService::bindService;
    options.settings =
        Map.of(
            "weir.policy.paths.url", "/weir.test.Talk/Ask",
            "weir.policy.paths.limit", "1",
            "weir.policy.paths.window", "60s",
            "weir.policy.paths.by", "user");
    try (LogLines log = new LogLines(RateLimitInterceptor.class);
        TalkServer server = new TalkServer(new Whole(), options)) {
      assertEquals(1, log.containing("weir.test.Talk was added to the server").size());
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), client.asks(2));
      assertEquals(3, lecture(client));
      assertEquals(1, log.containing("weir.test.Talk").size());
    }
  }

  @Test
  void aPolicyOfAPathMatchesServiceAndMethod() throws Exception {
    try (TalkServer server =
        TalkServer.of(
            new Talker(),
            "weir.policy.paths.url=/weir.test.Talk/*",
            "weir.policy.paths.limit=1",
            "weir.policy.paths.window=60s",
            "weir.policy.paths.by=user")) {
      assertEquals(List.of(OK, RESOURCE_EXHAUSTED), server.client("user", "ada").asks(2));
      assertEquals(OK, server.client("user", "bob").ask());
    }
  }

  @Test
  void aFunctionThatFailsNamesNoUser() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.user =
        (call, headers) -> {
          throw new IllegalStateException("nobody");
        };
    try (LogLines log = new LogLines(RateLimitInterceptor.class);
        TalkServer server = new TalkServer(new SignedIn(), options)) {
      assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), server.client("user", "ada").asks(3));
      assertEquals(1, log.containing("CallUser").size());
    }
  }
}
