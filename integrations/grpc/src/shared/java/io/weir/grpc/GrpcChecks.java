package io.weir.grpc;

import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNIMPLEMENTED;
import static io.grpc.Status.Code.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.RetryInfo;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/**
 * The checks of docs/stacks.md in the terms of gRPC, of a server with the service {@code Checks}:
 * it trusts the address that a proxy on this machine reports, and takes the user from the metadata
 * {@code user}.
 */
public final class GrpcChecks {
  private static final int LIMIT = 3;
  private static final List<String> KINDS =
      List.of("ByAddress", "ByUser", "ByKey", "Async", "Mapped", "Lecture", "Dictate", "Chat");
  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private final Channel channel;

  /** The status of a call whose handler throws one. */
  private final Status.Code unmapped;

  private final List<Check> checks = new ArrayList<>();
  private int callers;

  /**
   * One check.
   *
   * @param text says what it finds
   * @param run fails if it isn't so
   */
  public record Check(String text, Executable run) {}

  /**
   * Makes the checks of a server.
   *
   * @param unmapped the status in which a call ends whose handler throws {@code ABORTED}
   */
  public GrpcChecks(Channel channel, Status.Code unmapped) {
    this.channel = channel;
    this.unmapped = unmapped;
  }

  /** Returns all checks, to be run in this order. */
  public List<Check> all() {
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
    return checks;
  }

  private void add(String text, Executable check) {
    checks.add(new Check(checks.size() + 1 + " " + text, check));
  }

  private String[] caller() {
    callers++;
    return caller("198.51.100." + callers, "user-" + callers, "key-" + callers);
  }

  private static String[] caller(String address, String user, String key) {
    return new String[] {"x-forwarded-for", address, "user", user, "x-api-key", key};
  }

  private Status.Code admitted(String kind) {
    return switch (kind) {
      case "Mapped" -> NOT_FOUND;
      case "Unmapped" -> unmapped;
      case "UnmappedSuccess" -> UNKNOWN;
      default -> OK;
    };
  }

  /** Collects the end of a call. */
  private static final class End implements StreamObserver<Line> {
    final CompletableFuture<Status.Code> code = new CompletableFuture<>();

    @Override
    public void onNext(Line line) {}

    @Override
    public void onError(Throwable failure) {
      code.complete(Status.fromThrowable(failure).getCode());
    }

    @Override
    public void onCompleted() {
      code.complete(OK);
    }
  }

  private static Line line(String text) {
    return Line.newBuilder().setText(text).build();
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private Reply call(String kind, String[] caller) throws Exception {
    return call(kind, caller, "hello");
  }

  private Reply call(String kind, String[] caller, String text) throws Exception {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Metadata sent = new Metadata();
    for (int i = 0; i < caller.length; i += 2) {
      sent.put(key(caller[i]), caller[i + 1]);
    }
    Status.Code code =
        code(
            kind,
            ClientInterceptors.intercept(
                channel,
                MetadataUtils.newCaptureMetadataInterceptor(headers, trailers),
                MetadataUtils.newAttachHeadersInterceptor(sent)),
            line(text));
    return new Reply(code, orNone(headers.get()), orNone(trailers.get()));
  }

  private static Metadata orNone(Metadata got) {
    return got == null ? new Metadata() : got;
  }

  private static Status.Code code(String kind, Channel connection, Line line) throws Exception {
    ChecksGrpc.ChecksStub stub = ChecksGrpc.newStub(connection);
    End end = new End();
    switch (kind) {
      case "Lecture" -> stub.lecture(line, end);
      case "Dictate" -> say(stub.dictate(end), line);
      case "Chat" -> say(stub.chat(end), line);
      case "Ask" -> TalkGrpc.newStub(connection).ask(line, end);
      default -> {
        MethodDescriptor<Line, Line> method =
            ChecksGrpc.getFreeMethod().toBuilder()
                .setFullMethodName("weir.test.Checks/" + kind)
                .build();
        ClientCalls.asyncUnaryCall(connection.newCall(method, CallOptions.DEFAULT), line, end);
      }
    }
    return end.code.get(1, TimeUnit.MINUTES);
  }

  private static void say(StreamObserver<Line> lines, Line line) {
    lines.onNext(line);
    lines.onNext(line);
    lines.onCompleted();
  }

  private record Reply(Status.Code code, Metadata headers, Metadata trailers) {
    /** Finds a field in the headers or the trailers. */
    List<String> field(String name) {
      List<String> values = new ArrayList<>();
      for (Metadata each : List.of(headers, trailers)) {
        Iterable<String> all = each.getAll(key(name));
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
    long pushback = Long.parseLong(refusal.trailers().get(key("grpc-retry-pushback-ms")));
    assertTrue(pushback >= 1000 && pushback <= 61_000, () -> "pushback " + pushback);
    com.google.rpc.Status details = refusal.trailers().get(DETAILS);
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
        "the status of an unmapped exception has the fields",
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
          Reply reply = call("Ask", caller());
          assertEquals(UNIMPLEMENTED, reply.code());
          assertEquals(List.of(), reply.field("ratelimit"));
        });
  }
}
