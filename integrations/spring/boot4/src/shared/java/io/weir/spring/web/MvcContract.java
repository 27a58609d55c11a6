package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spring.web.MvcServer.Reply;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises of Spring MVC on any server. */
abstract class MvcContract implements MvcBodyContract {
  /** The access list of the application. */
  static final String[] ACCESS = {
    "weir.access.deny=203.0.113.0/24,user:mallory", "weir.access.allow=203.0.113.7"
  };

  private static final AtomicInteger CALLERS = new AtomicInteger();

  @Override
  public abstract MvcServer server();

  static String[] caller(String... more) {
    int number = CALLERS.incrementAndGet();
    return MvcServer.caller("198.51." + number / 250 + "." + (1 + number % 250), more);
  }

  static void assertFields(Reply reply) {
    assertEquals(List.of(), reply.wrongFields(), () -> reply.status() + " " + reply.headers());
  }

  static void assertRefusal(Reply reply) {
    assertEquals(429, reply.status(), reply::body);
    assertFields(reply);
    assertEquals(0, reply.remaining());
    assertTrue(reply.field("Retry-After").isPresent(), () -> reply.headers().toString());
    String type = reply.field("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    assertTrue(type.startsWith("application/problem+json"), type);
    assertTrue(reply.body().contains("\"status\":429"), reply::body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ip",
        "/user",
        "/key",
        "/query?q=a",
        "/callable",
        "/deferred",
        "/future",
        "/streaming",
        "/emitter",
        "/sse"
      })
  void admitsThreeAndRefusesTheFourth(String path) throws Exception {
    String[] caller = caller("X-User", "user-of-three", "X-Api-Key", "key-of-three");
    List<Reply> replies = server().get(3, path, caller);
    for (Reply each : replies) {
      assertEquals(200, each.status(), each::body);
      assertFields(each);
    }
    assertEquals(List.of(2L, 1L, 0L), replies.stream().map(Reply::remaining).toList());
    assertRefusal(server().get(path, caller));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ip", "/user", "/sse", "/free"})
  void accessListsDenyCallersEverywhereAndLetOthersThrough(String path) throws Exception {
    Reply byAddress = server().get(path, MvcServer.caller("203.0.113.9"));
    assertEquals(List.of(), byAddress.fields());
    Reply byUser = server().get(path, caller("X-User", "mallory"));
    assertTrue(byUser.field("Retry-After").isEmpty());
    for (Reply each : List.of(byAddress, byUser)) {
      assertEquals(403, each.status(), each::body);
      assertTrue(each.body().contains("Forbidden"), each::body);
    }
    assertEquals(
        List.of(200, 200, 200, 200), server().statuses(4, path, MvcServer.caller("203.0.113.7")));
  }

  @Test
  void countsByVariablesOfThePath() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), server().statuses(4, "/items/a/parts/1", caller()));
    assertEquals(429, server().get("/items/a/parts/2", caller()).status());
    assertEquals(200, server().get("/items/b/parts/1", caller()).status());
  }

  @Test
  void tellsCallersApart() throws Exception {
    String[] first = caller();
    assertEquals(List.of(200, 200, 200, 429), server().statuses(4, "/ip", first));
    assertEquals(2, server().get("/ip", caller()).remaining());
    assertEquals(
        List.of(200, 200, 200, 429), server().statuses(4, "/user", caller("X-User", "ann")));
    assertEquals(429, server().get("/user", caller("X-User", "ann")).status());
    assertEquals(2, server().get("/user", caller("X-User", "ben")).remaining());
  }

  @Test
  void keepsTheFieldsOnAMappedException() throws Exception {
    String[] caller = caller();
    List<Reply> replies = server().get(4, "/mapped", caller);
    assertEquals(List.of(500, 500, 500, 429), replies.stream().map(Reply::status).toList());
    replies.forEach(MvcContract::assertFields);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/failures",
        "/failures-async",
        "/failures-user",
        "/no-content",
        "/function",
        "/redirect"
      })
  void givesSuccessesBackBeforeTheCallerHasReadTheResponse(String path) throws Exception {
    String[] caller = caller("X-User", "successful");
    for (int i = 0; i < 12; i++) {
      Reply reply = server().get(path, caller);
      assertTrue(reply.status() < 400, () -> reply.status() + " " + reply.body());
      assertFields(reply);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/failures?status=422",
        "/failures-async?status=422",
        "/failures-user?status=422",
        "/sent-error",
        "/streamed-failure",
        "/timeout",
        "/unmapped",
        "/unmapped-async"
      })
  void countsFailures(String path) throws Exception {
    String[] caller = caller("X-User", "failing");
    for (Reply each : server().get(3, path, caller)) {
      assertTrue(each.status() >= 400 && each.status() != 429, each::body);
      assertFields(each);
    }
    assertRefusal(server().get(path, caller));
  }

  @Test
  void givesFailuresBackWhereSuccessesCount() throws Exception {
    assertEquals(
        List.of(500, 500, 500, 500, 500, 500), server().statuses(6, "/unmapped-success", caller()));
  }

  @Test
  void countsHeadAsGetAndNoOptions() throws Exception {
    String[] caller = caller();
    Reply options = server().send("OPTIONS", "/ip", caller);
    assertEquals(200, options.status());
    assertEquals(List.of(), options.fields());
    assertEquals(200, server().send("HEAD", "/ip", caller).status());
    assertEquals(List.of(200, 200, 429), server().statuses(3, "/ip", caller));
    Reply refusal = server().send("HEAD", "/ip", caller);
    assertEquals(429, refusal.status());
    assertFields(refusal);
    assertEquals("", refusal.body());
  }

  @Test
  void countsHeadAndOptionsOfTheApplication() throws Exception {
    String[] caller = caller();
    assertEquals(2, server().send("HEAD", "/head", caller).remaining());
    assertEquals(2, server().send("OPTIONS", "/options", caller).remaining());
  }

  @Test
  void leavesAloneWhatHasNoLimit() throws Exception {
    Reply free = server().get("/free", caller());
    assertEquals(200, free.status());
    assertEquals(List.of(), free.fields());
    assertEquals(List.of(), server().get("/lambda/1", caller()).fields());
    Reply missing = server().get("/missing", caller());
    assertEquals(404, missing.status());
    assertEquals(List.of(), missing.fields());
  }

  @Test
  void leavesRequestsThatMappingsRejectToSpring() throws Exception {
    String[] caller = caller();
    assertEquals(405, server().get("/posted", caller).status());
    assertEquals(
        415, server().send("POST", "/posted", caller("Content-Type", "application/json")).status());
    Reply posted = server().send("POST", "/posted", withType(caller));
    assertEquals(200, posted.status());
    assertEquals(2, posted.remaining());
  }

  private static String[] withType(String[] caller) {
    return new String[] {caller[0], caller[1], "Content-Type", "text/plain"};
  }

  @Test
  void readsAnnotationsOfClassesInterfacesAndOtherAnnotations() throws Exception {
    String[] caller = caller();
    assertEquals(1, server().get("/shared/one", caller).remaining());
    assertEquals(0, server().get("/shared/two", caller).remaining());
    assertEquals(429, server().get("/shared/one", caller).status());
    assertEquals(List.of(200, 200, 429), server().statuses(3, "/shared/own", caller));
    assertEquals(List.of(200, 200, 429), server().statuses(3, "/inherited", caller));
    assertEquals(List.of(200, 200, 429), server().statuses(3, "/of-interface", caller));
  }

  @Test
  void limitsHandlerFunctionsThatAreClasses() throws Exception {
    String[] caller = caller();
    assertEquals(List.of(422, 422, 429), server().statuses(3, "/function?status=422", caller));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/calls",
        "/calls/wrapped",
        "/calls/callable",
        "/calls/deferred",
        "/calls/streaming",
        "/calls/written"
      })
  void answersTheRefusalOfACall(String path) throws Exception {
    String[] caller = caller();
    List<Reply> admitted = server().get(2, path, caller);
    assertEquals(List.of(200, 200), admitted.stream().map(Reply::status).toList());
    Reply refusal = server().get(path, caller);
    assertRefusal(refusal);
    assertTrue(refusal.field("Content-Encoding").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/calls", "/calls/callable", "/calls/deferred", "/calls/written"})
  void reportsTheLimitsOfCallsOnAdmittedResponses(String path) throws Exception {
    Reply reply = server().get(path, caller());
    assertFields(reply);
    assertEquals(1, reply.remaining());
  }

  @Test
  void answersACallThatCannotBeCounted() throws Exception {
    Reply reply = server().get("/calls/malformed", caller());
    assertEquals(400, reply.status());
    assertTrue(reply.body().contains("\"status\":400"), reply::body);
  }

  @Test
  void answersACallThatCostsMoreThanItsLimitWithoutATimeToRetry() throws Exception {
    Reply reply = server().get("/calls/excessive", caller());
    assertEquals(429, reply.status());
    assertEquals(List.of(), reply.headers().allValues("Retry-After"));
    assertTrue(reply.body().contains("never admits this request"), reply::body);
  }

  @Test
  void leavesCommittedResponsesAsTheyAre() throws Exception {
    String[] caller = caller();
    for (int i = 0; i < 2; i++) {
      assertEquals("begun", server().get("/calls/committed", caller).body());
    }
    try {
      Reply reply = server().get("/calls/committed", caller);
      assertEquals(200, reply.status());
    } catch (java.io.IOException brokenOff) {
      // So a server may end a response that has failed.
    }
  }

  @Test
  void countsEachTargetOfAForward() throws Exception {
    String[] caller = caller();
    List<Reply> replies = server().get(2, "/forward", caller);
    assertEquals(List.of("target", "target"), replies.stream().map(Reply::body).toList());
    assertRefusal(server().get("/forward", caller));
    assertEquals(429, server().get("/target", caller).status());
  }

  @Test
  void countsEachPart() throws Exception {
    String[] caller = caller();
    List<Reply> replies = server().get(2, "/include", caller);
    assertEquals(List.of("before part", "before part"), replies.stream().map(Reply::body).toList());
    assertRefusal(server().get("/include", caller));
    assertEquals("before ", server().get("/include-late", caller).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ip;a=b", "/ip;jsessionid=1", "/%69p", "/./ip", "/free/../ip"})
  void countsPathsHoweverTheyAreWritten(String path) throws Exception {
    String[] caller = caller();
    List<Integer> statuses = server().statuses(4, path, caller);
    // A request that the server or Spring Security rejects isn't served, and counts where it is
    // known.
    assertTrue(
        statuses.equals(List.of(200, 200, 200, 429)) || !statuses.contains(200),
        statuses::toString);
  }

  @Test
  void costsNothingToShowAnErrorPage() throws Exception {
    String[] caller = caller();
    Reply failed = server().get("/unmapped", caller);
    assertEquals(500, failed.status());
    assertTrue(failed.body().contains("\"status\":500"), failed::body);
    assertEquals(2, failed.remaining());
  }
}
