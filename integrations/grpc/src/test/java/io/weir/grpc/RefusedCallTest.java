package io.weir.grpc;

import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.spi.RefusalText;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What the client of a refused call gets. */
class RefusedCallTest {
  static final class Limited extends Talker {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.KEY, key = "header:caller", name = "ask")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  static final class Weighed extends Talker {
    @Override
    @RateLimit(limit = 2, window = 60, by = By.IP, costFrom = "header:cost", name = "weighed")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @Test
  void saysWhenToRetryToApplicationsAndToGrpc() throws Exception {
    try (TalkServer server = TalkServer.of(new Limited())) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(List.of(OK, OK), client.asks(2));
      assertEquals("\"ask\";r=0;t=61", client.header("ratelimit"));
      assertEquals("\"ask\";q=2;w=60", client.header("ratelimit-policy"));
      assertNull(client.trailer("ratelimit"), "sent twice");

      Status refused = client.ask("once more");
      assertEquals(RESOURCE_EXHAUSTED, refused.getCode());
      assertEquals("Policy ask admits 2 requests per minute.", refused.getDescription());
      assertEquals("61000", client.trailer("grpc-retry-pushback-ms"));
      assertEquals("61", client.trailer("retry-after"));
      assertEquals("\"ask\";r=0;t=61", client.trailer("ratelimit"));
      com.google.rpc.Status details = client.details();
      assertEquals(RESOURCE_EXHAUSTED.value(), details.getCode());
      assertEquals(refused.getDescription(), details.getMessage());
      assertEquals(61, details.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds());
      assertEquals(OK, server.client("caller", "b").ask());

      server.ticker.advance(Duration.ofMinutes(2));
      assertEquals(OK, client.ask());
    }
  }

  @Test
  void neverAsksForARetryThatCannotSucceed() throws Exception {
    try (TalkServer server = TalkServer.of(new Weighed())) {
      for (TalkServer.Client client :
          List.of(server.client("cost", "3"), server.client("cost", "many"))) {
        assertEquals(
            client.sent("cost").equals("3") ? RESOURCE_EXHAUSTED : INVALID_ARGUMENT, client.ask());
        assertEquals("-1", client.trailer("grpc-retry-pushback-ms"));
        assertNull(client.trailer("retry-after"));
        assertNull(client.details());
      }
      assertEquals(OK, server.client("cost", "2").ask());
    }
  }

  @Test
  void aDeniedCallerHasNoPermission() throws Exception {
    try (TalkServer server = TalkServer.of(new Limited(), "weir.access.deny=127.0.0.1")) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(PERMISSION_DENIED, client.ask());
      assertEquals("-1", client.trailer("grpc-retry-pushback-ms"));
      assertNull(client.trailer("ratelimit"));
    }
  }

  /** A client refuses trailers of more than 8 KiB. */
  @Test
  void aLongTextIsCut() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.parts =
        all ->
            all.refusalBody(
                refusal -> Optional.of(new RefusalText("text/plain", "\u4f60".repeat(4_000))));
    try (TalkServer server = new TalkServer(new Limited(), options)) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(List.of(OK, OK), client.asks(2));
      Status refused = client.ask("once more");
      assertEquals(RESOURCE_EXHAUSTED, refused.getCode());
      assertEquals("\u4f60".repeat(512), refused.getDescription());
      assertEquals(refused.getDescription(), client.details().getMessage());
    }
  }

  static final class Guarded extends Talker {
    @Override
    @RateLimit(
        limit = 100,
        window = 60,
        by = By.IP,
        name = "guarded",
        banAfter = 2,
        banWithin = 600,
        banFor = 3600,
        banOn = "401")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @Test
  void aBannedCallerLearnsWhenItEnds() throws Exception {
    try (TalkServer server = TalkServer.of(new Guarded())) {
      TalkServer.Client guessing = server.client("user", "bad");
      assertEquals(List.of(UNAUTHENTICATED, UNAUTHENTICATED), guessing.asks(2));
      TalkServer.Client banned = server.client("user", "ada");
      assertEquals(RESOURCE_EXHAUSTED, banned.ask());
      assertEquals("3600000", banned.trailer("grpc-retry-pushback-ms"));
      assertEquals(
          3600,
          banned.details().getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds());
      server.ticker.advance(Duration.ofHours(2));
      assertEquals(OK, banned.ask());
    }
  }

  private static final class BrokenStore implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return CompletableFuture.failedFuture(new IllegalStateException("broken"));
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void aStoreThatCannotBeReachedMakesItUnavailable() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.settings = Map.of("weir.policy.ask.on-store-failure", "closed", "weir.headers", "none");
    options.parts = all -> all.store(new BrokenStore());
    try (TalkServer server = new TalkServer(new Limited(), options)) {
      TalkServer.Client client = server.client("caller", "a");
      assertEquals(UNAVAILABLE, client.ask());
      long pushback = Long.parseLong(client.trailer("grpc-retry-pushback-ms"));
      assertTrue(pushback > 0, () -> "pushback " + pushback);
    }
  }
}
