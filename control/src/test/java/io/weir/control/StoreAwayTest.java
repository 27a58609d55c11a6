package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.annotation.OnStoreFailure;
import io.weir.rules.Rule;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The API while the store can't be reached. */
class StoreAwayTest {
  private static ControlApp app() {
    return new ControlApp(
        Map.of(),
        Optional.of(new AwayStore()),
        ControlApp.h2(),
        (weir, rules) -> new GrizzlyTest().start(weir, rules));
  }

  @Test
  void whatIsClosedWithoutItsStoreIsRefusedBy200() {
    try (ControlApp app = app()) {
      app.save(Rule.builder("free", "*").limit(5).onStoreFailure(OnStoreFailure.CLOSED));
      ControlApp.Reply reply = app.check(DecideTests.ALICE);
      assertEquals(200, reply.status());
      assertFalse(reply.body().get("allowed").asBoolean());
      assertTrue(reply.body().get("degraded").asBoolean());
      assertTrue(reply.body().get("retryAfter").asLong() > 0);
    }
  }

  @Test
  void otherwiseThisNodeDecidesAndSaysSo() {
    try (ControlApp app = app()) {
      app.save(Rule.builder("free", "*").limit(5));
      JsonNode answer = app.check(DecideTests.ALICE).body();
      assertTrue(answer.get("allowed").asBoolean());
      assertTrue(answer.get("degraded").asBoolean());
    }
  }

  @Test
  void aStatusSaysThatItMayBeWrong() {
    try (ControlApp app = app()) {
      app.save(Rule.builder("free", "*").limit(5));
      JsonNode status = app.get("/v1/ratelimit/status/alice", "gateway/weir-check").body();
      assertEquals(1, status.get("rules").size(), status::toString);
      assertTrue(status.get("incomplete").asBoolean());
      JsonNode own = app.get("/v1/dashboard/status", "alice/").body();
      assertTrue(own.path("incomplete").asBoolean(), own::toString);
    }
  }

  @Test
  void anExplanationMarksWhatCouldNotBeRead() {
    try (ControlApp app = app()) {
      app.save(Rule.builder("free", "*").limit(5));
      JsonNode told = app.post("/v1/ratelimit/explain", DecideTests.ALICE).body();
      JsonNode policy = told.at("/policies/0");
      assertTrue(policy.get("unread").asBoolean(), told::toString);
      assertTrue(policy.get("remaining").isNull());
      assertEquals(5, policy.get("limit").asLong());
    }
  }

  private static final class AwayStore implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return CompletableFuture.failedFuture(new IllegalStateException("the store is away"));
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
