package io.weir.grpc;

import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNIMPLEMENTED;
import static io.grpc.Status.Code.UNKNOWN;
import static io.weir.grpc.TalkServer.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
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
import org.junit.jupiter.api.function.Executable;

/** The checks of docs/stacks.md in the terms of gRPC, over loopback; prints how many passed. */
@TestInstance(Lifecycle.PER_CLASS)
class ChecksTest {
  private static final int LIMIT = 3;
  private static final List<String> KINDS =
      List.of("ByAddress", "ByUser", "ByKey", "Async", "Mapped", "Lecture", "Dictate", "Chat");

  private final List<DynamicTest> checks = new ArrayList<>();
  private int passed;
  private int callers;
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
          } catch (Checked.NotThere notThere) {
            call.close(Status.NOT_FOUND, new Metadata());
          }
        }
      };
    }
  }

  @BeforeAll
  void start() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.settings = Map.of("weir.proxy.trusted", "127.0.0.1");
    options.inside = new Translator();
    server = new TalkServer(new Checked(), options);
  }

  @AfterAll
  void end() throws Exception {
    server.close();
    System.out.printf(
        Locale.ROOT, "%-40s %d of %d passed%n", "gRPC on Netty", passed, checks.size());
  }

  @TestFactory
  Stream<DynamicTest> checks() {
    for (String kind : KINDS) {
      add(kind + ": three admitted, then RESOURCE_EXHAUSTED", () -> admitsThree(kind));
    }
    for (String kind : KINDS) {
      add(kind + ": five fields, once, counting down", () -> countsDown(kind));
    }
    for (String kind : KINDS) {
      add(kind + ": refused with fields, RetryInfo and pushback", () -> refusesInFull(kind));
    }
    addOthers();
    addOutcomes();
    addRest();
    return checks.stream();
  }

  private void add(String text, Executable check) {
    checks.add(
        DynamicTest.dynamicTest(
            checks.size() + 1 + " " + text,
            () -> {
              check.execute();
              passed++;
            }));
  }

  private String[] caller() {
    callers++;
    return caller("198.51.100." + callers, "user-" + callers, "key-" + callers);
  }

  private static String[] caller(String address, String user, String key) {
    return new String[] {"x-forwarded-for", address, "user", user, "x-api-key", key};
  }

  private static Status.Code admitted(String kind) {
    return switch (kind) {
      case "Mapped" -> NOT_FOUND;
      case "Unmapped", "UnmappedSuccess" -> UNKNOWN;
      default -> OK;
    };
  }

  private Reply call(String kind, String[] caller) throws Exception {
    return call(kind, caller, "hello");
  }

  private Reply call(String kind, String[] caller, String text) throws Exception {
    TalkServer.Client client = server.client(caller);
    return new Reply(code(kind, client, text), client);
  }

  private static Status.Code code(String kind, TalkServer.Client client, String text)
      throws Exception {
    ChecksGrpc.ChecksStub stub = ChecksGrpc.newStub(client.channel());
    Lines answers = new Lines();
    switch (kind) {
      case "Lecture" -> stub.lecture(line(text), answers);
      case "Dictate" -> Lines.say(stub.dictate(answers), text, text);
      case "Chat" -> Lines.say(stub.chat(answers), text, text);
      default -> {
        MethodDescriptor<Line, Line> method =
            ChecksGrpc.getFreeMethod().toBuilder()
                .setFullMethodName("weir.test.Checks/" + kind)
                .build();
        ClientCalls.asyncUnaryCall(
            client.channel().newCall(method, CallOptions.DEFAULT), line(text), answers);
      }
    }
    return answers.status().getCode();
  }

  private record Reply(Status.Code code, TalkServer.Client client) {
    /** Finds a field in the headers or the trailers. */
    List<String> field(String name) {
      List<String> values = new ArrayList<>();
      for (Metadata each : List.of(client.headers(), client.trailers())) {
        Iterable<String> all = each.getAll(TalkServer.key(name));
        if (all != null) {
          all.forEach(values::add);
        }
      }
      return values;
    }

    /** Names fields that are missing or repeated. */
    List<String> wrongFields() {
      return Stream.of(
              "ratelimit-policy",
              "ratelimit",
              "x-ratelimit-limit",
              "x-ratelimit-remaining",
              "x-ratelimit-reset")
          .filter(each -> field(each).size() != 1)
          .toList();
    }

    long remaining() {
      return Long.parseLong(field("x-ratelimit-remaining").get(0));
    }
  }

  private List<Reply> call(int times, String kind, String[] caller) throws Exception {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      replies.add(call(kind, caller));
    }
    return replies;
  }

  private static List<Status.Code> codes(List<Reply> replies) {
    return replies.stream().map(Reply::code).toList();
  }

  private void admitsThree(String kind) throws Exception {
    Status.Code code = admitted(kind);
    assertEquals(
        List.of(code, code, code, RESOURCE_EXHAUSTED), codes(call(LIMIT + 1, kind, caller())));
  }

  private void countsDown(String kind) throws Exception {
    List<Reply> replies = call(LIMIT, kind, caller());
    for (Reply each : replies) {
      assertEquals(List.of(), each.wrongFields());
    }
    assertEquals(List.of(2L, 1L, 0L), replies.stream().map(Reply::remaining).toList());
  }

  private void refusesInFull(String kind) throws Exception {
    Reply refusal = call(LIMIT + 1, kind, caller()).get(LIMIT);
    assertEquals(RESOURCE_EXHAUSTED, refusal.code());
    assertEquals(List.of(), refusal.wrongFields());
    assertEquals(0, refusal.remaining());
    long pushback = Long.parseLong(refusal.client().trailer("grpc-retry-pushback-ms"));
    assertTrue(pushback >= 1000 && pushback <= 61_000, () -> "pushback " + pushback);
    com.google.rpc.Status details = refusal.client().details();
    assertNotNull(details);
    assertEquals(
        pushback,
        details.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds() * 1000);
  }

  private void addOthers() {
    add("another address has a bucket of its own", () -> another("ByAddress", caller(), caller()));
    add("another user has a bucket of its own", () -> another("ByUser", caller(), caller()));
    add("another key has a bucket of its own", () -> another("ByKey", caller(), caller()));
    add(
        "a user is refused from another address too",
        () -> {
          call(LIMIT, "ByUser", caller("198.51.100.201", "moving", "a"));
          assertEquals(
              RESOURCE_EXHAUSTED, call("ByUser", caller("198.51.100.202", "moving", "b")).code());
        });
  }

  private void another(String kind, String[] first, String[] other) throws Exception {
    assertEquals(RESOURCE_EXHAUSTED, call(LIMIT + 1, kind, first).get(LIMIT).code());
    assertEquals(2, call(kind, other).remaining());
  }

  private void addOutcomes() {
    for (String kind : List.of("Failures", "FailuresAsync")) {
      add(
          kind + ": successes don't count",
          () ->
              assertEquals(
                  List.of(OK, OK, OK, OK, OK, OK), codes(call(2 * LIMIT, kind, caller()))));
      add(kind + ": three failures do", () -> failuresCount(kind));
    }
    add(
        "Failures: a NOT_FOUND keeps the fields",
        () -> assertEquals(List.of(), call("Failures", caller(), "NOT_FOUND").wrongFields()));
    add("Failures: an unmapped exception counts", () -> admitsThree("Unmapped"));
    add(
        "the UNKNOWN of an unmapped exception has the fields",
        () -> assertEquals(List.of(), call("Unmapped", caller()).wrongFields()));
    add(
        "Successes: an unmapped exception is given back",
        () ->
            assertEquals(
                List.of(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
                codes(call(LIMIT + 1, "UnmappedSuccess", caller()))));
  }

  private void failuresCount(String kind) throws Exception {
    String[] caller = caller();
    for (int i = 0; i < LIMIT; i++) {
      assertEquals(NOT_FOUND, call(kind, caller, "NOT_FOUND").code());
    }
    assertEquals(RESOURCE_EXHAUSTED, call(kind, caller).code());
  }

  private void addRest() {
    add(
        "a method without a limit has no fields",
        () -> {
          Reply reply = call("Free", caller());
          assertEquals(OK, reply.code());
          assertEquals(List.of(), reply.field("ratelimit"));
        });
    add(
        "UNIMPLEMENTED stays UNIMPLEMENTED",
        () -> {
          TalkServer.Client client = server.client(caller());
          assertEquals(UNIMPLEMENTED, client.ask());
          assertNull(client.trailer("ratelimit"));
        });
    add("nothing is left after five starts and stops", LeftoversTest::restartFiveTimes);
  }
}
