package io.weir.benchmarks.service;

import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.access.AccessFeature;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.http.ControlPaths;
import io.weir.internal.control.http.EntityWriter;
import io.weir.internal.control.http.ErrorDocumentFilter;
import io.weir.internal.control.http.JsonBodyReader;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.grpc.GrpcServer;
import io.weir.internal.server.http.Health;
import io.weir.internal.server.http.HttpListener;
import io.weir.internal.server.http.HttpListenerParts;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.rules.Rules;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * A JVM with the listeners of the server and constant answers: callers are authenticated, requests
 * are read, and answers like the real ones are written, but nothing is decided.
 */
public final class ConstantChild {
  private static final CheckAnswer ANSWER =
      new CheckAnswer(
          true,
          true,
          1_000_000_000L,
          999_999_000L,
          1_790_000_000,
          null,
          false,
          false,
          false,
          false,
          List.of(
              new CheckAnswer.PolicyAnswer(
                  "tier0 /api/resources0/{id}",
                  true,
                  1_000_000_000,
                  999_999_000,
                  1_790_000_000,
                  false)));

  private static final List<Class<?>> RESOURCES = List.of(ConstantResource.class);

  private ConstantChild() {}

  /** Prints the addresses of HTTP and gRPC, and a token. */
  public static void main(String[] args) throws Exception {
    Weir weir =
        Weir.builder()
            .settings(Map.of("weir.store", "inprocess:", "weir.rules", "jdbc:h2:mem:constant"))
            .build();
    Rules rules = Rules.of(weir).orElseThrow();
    String token =
        rules
            .tokens()
            .createFirst("benchmark", Role.ADMIN.text(), "benchmark")
            .orElseThrow()
            .secret();
    CredentialVerifier credentials =
        new CredentialVerifier(rules.tokens(), rules.sessions(), Optional.empty());
    HttpListener http =
        HttpListener.open(
            parts(rules, credentials),
            new ResourceConfig()
                .property("weir.jaxrs.auto", false)
                .register(new ConstantResource())
                .register(new AccessFeature(RESOURCES, WeirRuntime.of(weir)::setting))
                .register(new ErrorDocumentFilter(new ControlPaths(RESOURCES), Optional::empty))
                .register(new JsonBodyReader())
                .register(new EntityWriter()));
    GrpcServer grpc =
        GrpcServer.builder().authenticator(credentials).service(new ConstantService()).start();
    System.out.println(http.address() + " 127.0.0.1:" + grpc.port() + " none " + token);
    while (System.in.read() >= 0) {
      // until the suite ends it
    }
    System.exit(0);
  }

  private static HttpListenerParts parts(Rules rules, CredentialVerifier credentials) {
    return new HttpListenerParts(
        new ListenerSettings(
            Protocol.HTTP, "127.0.0.1", 0, false, 1_000, 1_000, Duration.ofSeconds(1)),
        OptionalInt.empty(),
        16_384,
        Optional.empty(),
        credentials,
        rules.sessions(),
        RateLimiter.inProcess(),
        new ServerOrigins(setting -> ""),
        new Ready(),
        () -> "",
        DecisionTimer.register(new SimpleMeterRegistry(), Protocol.HTTP.text(), Ticker.system()),
        Ticker.system(),
        () -> {});
  }

  /** It is always ready. */
  private static final class Ready implements Health {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isStopping() {
      return false;
    }
  }

  /** In place of {@code POST /check}. */
  @Path("/v1/ratelimit")
  public static final class ConstantResource {
    /** Makes it. */
    public ConstantResource() {}

    /** Reads a request and sends the answer. */
    @POST
    @Path("/check")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @OpenTo(ControlRole.CHECK)
    public Response check(JsonBody body) {
      if (body.asIgnoringUnknown(CheckRequest.class).endpoint() == null) {
        throw new IllegalStateException("no endpoint");
      }
      return JsonEntity.ok(ANSWER);
    }
  }

  /** In place of {@code ShouldRateLimit}. */
  private static final class ConstantService extends RateLimitServiceGrpc.RateLimitServiceImplBase {
    private static final RateLimitResponse RESPONSE =
        RateLimitResponse.newBuilder()
            .setOverallCode(RateLimitResponse.Code.OK)
            .addStatuses(
                RateLimitResponse.DescriptorStatus.newBuilder()
                    .setCode(RateLimitResponse.Code.OK)
                    .setCurrentLimit(
                        RateLimitResponse.RateLimit.newBuilder()
                            .setRequestsPerUnit(1_000_000_000)
                            .setUnit(RateLimitResponse.RateLimit.Unit.DAY))
                    .setLimitRemaining(999_999_000)
                    .setDurationUntilReset(
                        com.google.protobuf.Duration.newBuilder().setSeconds(80_000)))
            .build();

    @Override
    public void shouldRateLimit(
        RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
      responses.onNext(RESPONSE);
      responses.onCompleted();
    }
  }
}
