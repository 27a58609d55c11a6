package io.weir.quarkus.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.StreamObserver;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.Talk;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application with Quarkus Security, which has no code for Weir. */
abstract class SecuredServer {
  static QuarkusUnitTest application(boolean separate, Class<?>... more) {
    return new QuarkusUnitTest()
        .withApplicationRoot(
            jar ->
                jar.addPackage(Talk.class.getPackage())
                    .addClasses(
                        Vault.class,
                        Vault.Desk.class,
                        Guests.class,
                        Guests.Passwords.class,
                        SecuredServer.class,
                        ServerPorts.class,
                        Caller.class,
                        Clerk.class)
                    .addClasses(more))
        .overrideRuntimeConfigKey(
            "quarkus.grpc.server.use-separate-server", Boolean.toString(separate))
        .overrideRuntimeConfigKey("quarkus.grpc.server.test-port", ServerPorts.free())
        .overrideRuntimeConfigKey("weir.proxy.trusted", "127.0.0.1");
  }

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  @TestHTTPResource URI base;
  private ManagedChannel channel;

  @BeforeEach
  void connect() {
    channel = ServerPorts.connect(base);
  }

  @AfterEach
  void disconnect() throws Exception {
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
  }

  Caller as(String user, String password) {
    return new Caller(channel, Guests.basic(user, password));
  }

  @Test
  void countsCallsThatTheSignInRejects() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertEquals(UNAUTHENTICATED, as("ada", "wrong-" + i).from("203.0.113.1").ask());
    }
    assertEquals(RESOURCE_EXHAUSTED, as("ada", "secret").from("203.0.113.1").ask());
    assertEquals(OK, as("ada", "secret").from("203.0.113.2").ask());
  }

  @Test
  void countsCallsWithoutCredential() throws Exception {
    Caller anonymous = new Caller(channel, new Metadata()).from("203.0.113.5");
    assertEquals(
        List.of(PERMISSION_DENIED, PERMISSION_DENIED, RESOURCE_EXHAUSTED),
        List.of(anonymous.ask(), anonymous.ask(), anonymous.ask()));
  }

  @Test
  void countsByTheUserOfQuarkusSecurity() throws Exception {
    assertEquals(OK, as("cleo", "secret").from("203.0.113.3").lecture());
    assertEquals(OK, as("dora", "secret").from("203.0.113.3").lecture());
    assertEquals(RESOURCE_EXHAUSTED, as("cleo", "secret").from("203.0.113.4").lecture());
    Caller anonymous = new Caller(channel, new Metadata()).from("203.0.113.4");
    assertEquals(
        List.of(OK, RESOURCE_EXHAUSTED), List.of(anonymous.lecture(), anonymous.lecture()));
  }

  @Test
  void checksAPasswordOnce() throws Exception {
    int before = Guests.Passwords.CHECKED.get();
    assertEquals(OK, as("emma", "secret").lecture());
    assertEquals(before + 1, Guests.Passwords.CHECKED.get());
  }

  @Test
  void countsMessages() throws Exception {
    Caller.Answers answers = as("fay", "secret").chat(3);
    assertEquals(RESOURCE_EXHAUSTED, answers.code());
    assertEquals(List.of("line 0", "line 1"), answers.heard);
  }

  @Test
  void limitedBeansKnowTheCallerInWorkerThreads() throws Exception {
    assertEquals(OK, as("gil", "secret").from("203.0.113.6").dictate());
    assertEquals(RESOURCE_EXHAUSTED, as("gil", "secret").from("203.0.113.7").dictate());
    assertEquals(OK, as("hal", "secret").from("203.0.113.6").dictate());
  }

  /** Calls one method of the other service. */
  private interface Method {
    void call(ChecksGrpc.ChecksStub stub, Line line, StreamObserver<Line> answer);
  }

  private static Caller.Answers answers(Caller caller, Method method) throws Exception {
    Caller.Answers answers = new Caller.Answers();
    method.call(caller.checks(), Caller.line("hello"), answers);
    answers.code();
    return answers;
  }

  @Test
  void aRefusedCallOfABeanEndsWithItsStatus() throws Exception {
    List<Method> methods =
        List.of(
            ChecksGrpc.ChecksStub::async,
            ChecksGrpc.ChecksStub::mapped,
            ChecksGrpc.ChecksStub::free);
    for (Method each : methods) {
      Caller caller = as("user-" + methods.indexOf(each), "secret");
      assertEquals(OK, answers(caller, each).code());
      Caller.Answers refused = answers(caller, each);
      assertEquals(RESOURCE_EXHAUSTED, refused.code());
      assertTrue(refused.trailers.containsKey(PUSHBACK), refused.trailers::toString);
    }
  }

  @Test
  void readsTheAuthority() throws Exception {
    Caller caller = as("jan", "secret");
    assertEquals(OK, answers(caller, ChecksGrpc.ChecksStub::byKey).code());
    assertEquals(RESOURCE_EXHAUSTED, answers(caller, ChecksGrpc.ChecksStub::byKey).code());
    Caller.Answers missing = answers(caller, ChecksGrpc.ChecksStub::byKey);
    assertTrue(missing.trailers.toString().contains("authority"), missing.trailers::toString);
  }

  /** Names whom a method in an event loop finds as the identity. */
  String who(String user) throws Exception {
    return String.join("", answers(as(user, "secret"), ChecksGrpc.ChecksStub::byUser).heard);
  }
}
