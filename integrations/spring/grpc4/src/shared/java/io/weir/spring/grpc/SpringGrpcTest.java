package io.weir.spring.grpc;

import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAUTHENTICATED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.RateLimit;
import io.weir.grpc.PerMessage;
import io.weir.spi.CallerTier;
import io.weir.spi.TierResolver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** An application with Spring gRPC, Spring Security and the starter, without code for Weir. */
class SpringGrpcTest {
  private static ConfigurableApplicationContext application;
  private static ManagedChannel channel;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Greeter.class)
  static class Application {
    @Bean
    @GlobalServerInterceptor
    AuthenticationProcessInterceptor security(GrpcSecurity grpc) throws Exception {
      return grpc.authorizeRequests(
              requests ->
                  requests
                      .methods(GreeterBase.SERVICE + "/Free")
                      .permitAll()
                      .allRequests()
                      .authenticated())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    UserDetailsService users() {
      List<String> names = List.of("ada", "bob", "cleo", "dora");
      return new InMemoryUserDetailsManager(
          names.stream()
              .map(each -> User.withUsername(each).password("{noop}secret").build())
              .toList());
    }

    @Bean
    GrpcExceptionHandler translator() {
      return failure ->
          failure instanceof Greeter.NobodyHere ? Status.NOT_FOUND.asException() : null;
    }

    /** It may block, so each decision takes a thread. */
    @Bean
    TierResolver tiers() {
      return (request, policy) -> CallerTier.none();
    }
  }

  @BeforeAll
  static void start() {
    application = run(Application.class);
    channel =
        ManagedChannelBuilder.forAddress(
                "127.0.0.1", application.getBean(GrpcServerLifecycle.class).getPort())
            .usePlaintext()
            .build();
  }

  private static ConfigurableApplicationContext run(Class<?>... sources) {
    SpringApplication made = new SpringApplication(sources);
    made.setWebApplicationType(WebApplicationType.NONE);
    return made.run("--spring.grpc.server.port=0", "--spring.main.banner-mode=off");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
    application.close();
  }

  private static Channel as(String user, String password) {
    Metadata sent = new Metadata();
    sent.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(sent));
  }

  private static Status.Code call(Channel caller, MethodDescriptor<String, String> method) {
    try {
      var unused = ClientCalls.blockingUnaryCall(caller, method, CallOptions.DEFAULT, "x");
      return OK;
    } catch (StatusRuntimeException failed) {
      return failed.getStatus().getCode();
    }
  }

  private static List<Status.Code> hello(Channel caller, int times) {
    List<Status.Code> codes = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      codes.add(call(caller, GreeterBase.HELLO));
    }
    return codes;
  }

  @Test
  void limitsUsersOfSpringSecurity() {
    assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), hello(as("ada", "secret"), 3));
    assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), hello(as("bob", "secret"), 3));
    assertEquals(OK, call(channel, GreeterBase.FREE));
  }

  @Test
  void aWrongPasswordCounts() {
    assertEquals(
        List.of(OK, UNAUTHENTICATED, UNAUTHENTICATED, UNAUTHENTICATED, RESOURCE_EXHAUSTED),
        Stream.of("secret", "1", "2", "3", "4")
            .map(password -> call(as("dora", password), GreeterBase.SIGN_IN))
            .toList());
  }

  /** The stream begins in another thread, which has the user, and exceptions are translated. */
  @Test
  void interceptorsOfSpringStandAroundWhatHasWaited() throws Exception {
    CompletableFuture<String> heard = new CompletableFuture<>();
    CompletableFuture<Status.Code> end = new CompletableFuture<>();
    StreamObserver<String> lines =
        ClientCalls.asyncBidiStreamingCall(
            as("cleo", "secret").newCall(GreeterBase.CHAT, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(String line) {
                heard.complete(line);
              }

              @Override
              public void onError(Throwable failure) {
                end.complete(Status.fromThrowable(failure).getCode());
              }

              @Override
              public void onCompleted() {
                end.complete(OK);
              }
            });
    assertEquals("Hello cleo", heard.get(1, TimeUnit.MINUTES));
    lines.onNext("x");
    assertEquals(NOT_FOUND, end.get(1, TimeUnit.MINUTES));
  }

  /** A service that has more than its class could say. */
  static class Mistaken extends Talkative {
    @Override
    @PerMessage
    @RateLimit(limit = -1, window = 60)
    public void sayHello(String name, StreamObserver<String> answer) {}
  }

  abstract static class Talkative extends GreeterBase {
    @Override
    public StreamObserver<String> chat(StreamObserver<String> answers) {
      return answers;
    }

    @Override
    public void signIn(String name, StreamObserver<String> answer) {}

    @Override
    public void free(String name, StreamObserver<String> answer) {}
  }

  @Test
  void mistakesAreNamedAtTheStart() {
    Throwable failure =
        assertThrows(RuntimeException.class, () -> run(Plain.class, Mistaken.class));
    StringBuilder all = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      all.append(each.getMessage()).append('\n');
    }
    assertTrue(all.toString().contains("@PerMessage has no effect"), all::toString);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}
}
