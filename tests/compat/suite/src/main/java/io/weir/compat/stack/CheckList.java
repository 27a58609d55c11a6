package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.stack.StackClient.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.function.Executable;

/** Lists the checks, each with callers of its own, so that any of them can run alone. */
final class CheckList {
  private static final int LIMIT = 3;

  /** The ways in which an endpoint is limited, by the name of its path. */
  private static final List<String> KINDS = List.of("ip", "user", "key", "async", "mapped");

  private final StackClient client;
  private final List<Check> checks = new ArrayList<>();
  private int callers;

  private CheckList(StackClient client) {
    this.client = client;
  }

  static List<Check> of(StackClient client) {
    CheckList list = new CheckList(client);
    list.addKinds();
    list.addOthers();
    list.addOutcomes();
    list.addRest();
    return List.copyOf(list.checks);
  }

  private void add(String text, Executable test) {
    checks.add(new Check(checks.size() + 1, text, test));
  }

  private Caller caller() {
    callers++;
    return Caller.at("198.51.100." + callers)
        .with("X-User", "user-" + callers)
        .with("X-Api-Key", "key-" + callers);
  }

  private static int admittedStatus(String kind) {
    return kind.equals("mapped") ? 500 : 200;
  }

  private void addKinds() {
    for (String kind : KINDS) {
      add(kind + ": three admitted, then 429", () -> admitsThree(kind));
    }
    for (String kind : KINDS) {
      add(kind + ": five fields, once, counting down", () -> countsDown(kind));
    }
    for (String kind : KINDS) {
      add(kind + ": 429 with fields, Retry-After and document", () -> refusesInFull(kind));
    }
  }

  private void admitsThree(String kind) throws Exception {
    List<Integer> statuses =
        client.get(LIMIT + 1, "/" + kind, caller()).stream().map(Reply::status).toList();
    int admitted = admittedStatus(kind);
    assertEquals(List.of(admitted, admitted, admitted, 429), statuses);
  }

  private void countsDown(String kind) throws Exception {
    List<Reply> replies = client.get(LIMIT, "/" + kind, caller());
    for (Reply each : replies) {
      assertEquals(List.of(), each.wrongFields(), () -> "missing or repeated in " + each.headers());
    }
    assertEquals(List.of(2L, 1L, 0L), replies.stream().map(Reply::remaining).toList());
  }

  private void refusesInFull(String kind) throws Exception {
    List<Reply> replies = client.get(LIMIT + 1, "/" + kind, caller());
    assertRefusal(replies.get(LIMIT));
  }

  private static void assertRefusal(Reply refusal) {
    assertEquals(429, refusal.status());
    assertEquals(List.of(), refusal.wrongFields(), () -> "fields of " + refusal.headers());
    assertEquals(0, refusal.remaining());
    long retry = Long.parseLong(refusal.field("Retry-After").orElse("0"));
    assertTrue(retry >= 1 && retry <= 61, () -> "Retry-After " + retry);
    String type = refusal.field("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    assertTrue(type.startsWith("application/problem+json"), type);
    assertTrue(refusal.body().contains("\"status\":429"), refusal.body());
    assertTrue(refusal.body().contains("violated-policies"), refusal.body());
  }

  private void addOthers() {
    add("another address has a bucket of its own", () -> another("ip", each -> caller()));
    add(
        "another user has a bucket of its own",
        () -> another("user", first -> new Caller(first.address(), caller().fields())));
    add(
        "another key has a bucket of its own",
        () -> another("key", first -> new Caller(first.address(), caller().fields())));
    add(
        "a user is refused from another address too",
        () -> {
          Caller first = caller();
          client.get(LIMIT, "/user", first);
          assertEquals(
              429, client.get("/user", new Caller(caller().address(), first.fields())).status());
        });
  }

  private void another(String kind, Function<Caller, Caller> other) throws Exception {
    Caller first = caller();
    List<Reply> replies = client.get(LIMIT + 1, "/" + kind, first);
    assertEquals(429, replies.get(LIMIT).status());
    Reply reply = client.get("/" + kind, other.apply(first));
    assertEquals(200, reply.status());
    assertEquals(2, reply.remaining());
  }

  private void addOutcomes() {
    add("FAILURES: successes don't count", () -> successesAreFree("/failures"));
    add("FAILURES: three failures do", () -> failuresCount("/failures"));
    add(
        "FAILURES: the mapped 422 keeps the fields",
        () -> {
          Reply failed = client.get("/failures?status=422", caller());
          assertEquals(422, failed.status());
          assertEquals(List.of(), failed.wrongFields(), () -> "fields of " + failed.headers());
        });
    add("FAILURES, asynchronous: successes don't count", () -> successesAreFree("/failures-async"));
    add("FAILURES, asynchronous: three failures do", () -> failuresCount("/failures-async"));
    add(
        "FAILURES: an unmapped exception counts",
        () -> {
          Caller caller = caller();
          List<Integer> statuses =
              client.get(LIMIT + 1, "/unmapped", caller).stream().map(Reply::status).toList();
          assertEquals(List.of(500, 500, 500, 429), statuses);
        });
    add(
        "the 500 of an unmapped exception has the fields",
        () -> {
          Reply failed = client.get("/unmapped", caller());
          assertEquals(500, failed.status());
          assertEquals(List.of(), failed.wrongFields(), () -> "fields of " + failed.headers());
        });
    add(
        "SUCCESSES: an unmapped exception is given back",
        () -> {
          Caller caller = caller();
          List<Integer> statuses =
              client.get(2 * LIMIT, "/unmapped-success", caller).stream()
                  .map(Reply::status)
                  .toList();
          assertEquals(List.of(500, 500, 500, 500, 500, 500), statuses);
        });
  }

  private void successesAreFree(String path) throws Exception {
    List<Integer> statuses =
        client.get(2 * LIMIT, path + "?status=200", caller()).stream().map(Reply::status).toList();
    assertEquals(List.of(200, 200, 200, 200, 200, 200), statuses);
  }

  private void failuresCount(String path) throws Exception {
    Caller caller = caller();
    List<Integer> statuses =
        client.get(LIMIT + 1, path + "?status=422", caller).stream().map(Reply::status).toList();
    assertEquals(List.of(422, 422, 422, 429), statuses);
    assertEquals(429, client.get(path + "?status=200", caller).status());
  }

  private void addRest() {
    add(
        "HEAD counts as GET, and OPTIONS doesn't",
        () -> {
          Caller caller = caller();
          client.send("OPTIONS", "/ip", caller);
          client.send("HEAD", "/ip", caller);
          Reply reply = client.get("/ip", caller);
          assertEquals(200, reply.status());
          assertEquals(1, reply.remaining());
        });
    add(
        "the 429 of HEAD has fields and no body",
        () -> {
          Caller caller = caller();
          client.get(LIMIT, "/ip", caller);
          Reply refusal = client.send("HEAD", "/ip", caller);
          assertEquals(429, refusal.status());
          assertEquals(List.of(), refusal.wrongFields(), () -> "fields of " + refusal.headers());
          assertTrue(refusal.field("Retry-After").isPresent(), "no Retry-After");
          assertEquals("", refusal.body());
        });
    add(
        "an endpoint without a limit has no fields",
        () -> {
          Reply reply = client.get("/free", caller());
          assertEquals(200, reply.status());
          assertEquals(List.of(), reply.fields());
        });
    add(
        "404 stays 404",
        () -> {
          Reply reply = client.get("/missing", caller());
          assertEquals(404, reply.status());
          assertEquals(List.of(), reply.fields());
        });
  }
}
