package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.CheckResponse;
import io.weir.grpc.v1.ExplainResponse;
import io.weir.grpc.v1.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.weir.grpc.v1.StatusRequest;
import io.weir.grpc.v1.StatusResponse;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Tests an access list at every listener; it also denies the administrator who asks. */
class DeniedCallersTest {
  private static final String LIST = "/v1/admin/ratelimit/access";

  private static RunningServer server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    Path limits =
        Files.writeString(
            folder.resolve("shop.yaml"),
            "domain: shop\ndescriptors: [{key: remote_address, rate_limit: {unit: year,"
                + " requests_per_unit: 2}}]\n");
    Path list =
        Files.writeString(
            folder.resolve("list.txt"),
            """
            deny 192.0.2.0/24 reason=of a secret
            deny user:mallory
            deny 127.0.0.1
            deny user:root
            allow 198.51.100.7
            allow 198.51.100.8 counted
            deny %s
            """
                .formatted(AccessSubject.keyOf("leaked")));
    server =
        new RunningServer(
            Map.of(
                "weir.server.listeners",
                "http,grpc,redis",
                "weir.server.envoy",
                limits.toString(),
                "weir.server.envoy.user",
                "user",
                "weir.server.envoy.key",
                "api_key",
                "weir.rules.caller",
                "header:X-Api-Key",
                "weir.access.key",
                "header:X-Key",
                "weir.access.file",
                list.toString()));
    channel =
        NettyChannelBuilder.forTarget(server.service().listeners().get(1).address())
            .usePlaintext()
            .build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.close();
  }

  private static Metadata token() {
    Metadata token = new Metadata();
    token.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + server.admin());
    return token;
  }

  private static RateLimitServiceBlockingStub checks() {
    return io.weir.grpc.v1.RateLimitServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token()))
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  @Test
  void grpcTellsADeniedCaller() {
    CheckRequest.Builder request = CheckRequest.newBuilder().setEndpoint("/a");
    CheckResponse denied = checks().check(request.setIp("192.0.2.7").build());
    assertTrue(!denied.getAllowed() && denied.getDenied(), denied::toString);
    assertEquals(0, denied.getLimit());
    assertFalse(denied.hasRetryAfter());
    assertFalse(denied.toString().contains("secret"));
    ExplainResponse why = checks().explain(request.build());
    assertEquals("ip:192.0.2.0/24", why.getAccess(0).getSubject(), why::toString);
    assertEquals("of a secret", why.getAccess(0).getReason());
    assertTrue(why.getDecision().getDenied());
    CheckResponse admitted = checks().check(request.setIp("198.51.100.7").build());
    assertTrue(admitted.getAllowed() && !admitted.getDenied(), admitted::toString);
    StatusRequest mallory = StatusRequest.newBuilder().setUserId("mallory").build();
    assertEquals("DENY", checks().status(mallory).getAccess());
  }

  @Test
  void aKeyIsDeniedByAChecksApiKeyThoughTheListReadsAnotherHeaderThanRules() {
    CheckRequest.Builder request = CheckRequest.newBuilder().setEndpoint("/a");
    assertTrue(checks().check(request.setApiKey("leaked").build()).getDenied());
    assertTrue(checks().explain(request.build()).getDecision().getDenied());
    assertFalse(checks().check(request.setApiKey("other").build()).getDenied());
    CheckRequest both = request.putAttributes("header:X-Key", "leaked").build();
    assertTrue(checks().check(both).getDenied(), "what the attributes say counts");
  }

  /** Asks with one descriptor, given as keys and values by turns. */
  private static RateLimitResponse envoy(String... entries) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    RateLimitDescriptor.Builder descriptor = request.addDescriptorsBuilder();
    for (int i = 0; i < entries.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(entries[i]).setValue(entries[i + 1]);
    }
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token()))
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .shouldRateLimit(request.build());
  }

  @Test
  void envoyIsToldOfADeniedCallerByAddressUserAndKey() {
    for (RateLimitResponse denied :
        List.of(
            envoy("remote_address", "192.0.2.7"),
            envoy("user", "mallory"),
            envoy("api_key", "leaked"))) {
      assertEquals(Code.OVER_LIMIT, denied.getOverallCode());
      assertEquals(Code.OVER_LIMIT, denied.getStatuses(0).getCode());
      assertEquals("x-weir-denied", denied.getResponseHeadersToAdd(0).getKey());
    }
    assertEquals(Code.OK, envoy("name", "mallory").getOverallCode(), "no entry with a user");
    assertEquals(Code.OK, envoy("remote_address", "@unix").getOverallCode());
  }

  @Test
  void aNameThatNobodyCanHaveHidesNoAddressFromEnvoysList() {
    for (String odd : List.of("x".repeat(1_000), " ")) {
      RateLimitResponse denied = envoy("remote_address", "192.0.2.7", "user", odd);
      assertEquals(Code.OVER_LIMIT, denied.getOverallCode(), denied::toString);
      assertEquals(Code.OK, envoy("remote_address", "198.51.100.10", "user", odd).getOverallCode());
    }
    RateLimitResponse denied = envoy("remote_address", "@unix", "user", "mallory");
    assertEquals(Code.OVER_LIMIT, denied.getOverallCode(), denied::toString);
  }

  @Test
  void envoyLetsAnAllowedCallerThroughAndCountsItIfTheEntrySaysSo() {
    for (String allowed : List.of("198.51.100.7", "198.51.100.8")) {
      for (int i = 0; i < 4; i++) {
        assertEquals(Code.OK, envoy("remote_address", allowed).getOverallCode(), allowed);
      }
    }
    for (int left = 1; left >= 0; left--) {
      RateLimitResponse limited = envoy("remote_address", "198.51.100.9");
      assertEquals(left, limited.getStatuses(0).getLimitRemaining());
    }
    assertEquals(Code.OVER_LIMIT, envoy("remote_address", "198.51.100.9").getOverallCode());
  }

  @Test
  void redisTellsADeniedCallerAndLooksAtNoKey() {
    try (Jedis client = redis()) {
      List<Long> denied = List.of(0L, 0L, 0L, -1L, 0L);
      assertEquals(denied, send(client, "WEIR.CHECK", "mallory", "/a"));
      assertEquals(denied, send(client, "WEIR.CHECK", "", "/a", "IP", "192.0.2.7"));
      for (String key : List.of("user:mallory", "192.0.2.7", "ip:192.0.2.7")) {
        assertEquals(0L, ((List<?>) send(client, "CL.THROTTLE", key, "1", "1", "60")).get(0));
      }
    }
  }

  private static Jedis redis() {
    return new Jedis(
        HostAndPort.from(server.service().listeners().get(2).address()),
        DefaultJedisClientConfig.builder()
            .password(server.admin())
            .socketTimeoutMillis(60_000)
            .build());
  }

  private static Object send(Jedis client, String command, String... arguments) {
    return client.sendCommand(() -> command.getBytes(StandardCharsets.US_ASCII), arguments);
  }

  /** Bans a caller for an hour, as a node does, and waits until this one knows. */
  private static void ban(String subject) {
    Instant end = Instant.now().plusSeconds(3_600);
    server
        .service()
        .rules()
        .policySource()
        .accessList()
        .orElseThrow()
        .ban(AccessEntry.ban(AccessSubject.parse(subject), end), "login");
    String path = LIST + "?subject=" + subject;
    while (server.get(path, server.admin()).body().contains("[]")) {
      Thread.onSpinWait(); // until its batch is written
    }
    server.service().rules().refresh();
  }

  @Test
  @Timeout(300)
  void eachListenerTellsABannedCallerWhenToComeBack() {
    ban("ip:192.0.3.7");
    ban("user:banned");
    CheckResponse check =
        checks().check(CheckRequest.newBuilder().setEndpoint("/a").setIp("192.0.3.7").build());
    assertTrue(!check.getAllowed() && check.getBanned() && !check.getDenied(), check::toString);
    assertSeconds(check.getRetryAfter().getValue());
    StatusRequest user = StatusRequest.newBuilder().setUserId("banned").build();
    StatusResponse status = checks().status(user);
    assertEquals("BAN", status.getAccess());
    assertTrue(status.getBans(0).getValidUntil() > 0, status::toString);

    RateLimitResponse envoy = envoy("remote_address", "192.0.3.7");
    assertEquals(Code.OVER_LIMIT, envoy.getOverallCode());
    assertSeconds(envoy.getStatuses(0).getDurationUntilReset().getSeconds());
    assertEquals("retry-after", envoy.getResponseHeadersToAdd(0).getKey());
    assertSeconds(Long.parseLong(envoy.getResponseHeadersToAdd(0).getValue()));
    RateLimitResponse hidden = envoy("user", "banned", "remote_address", "@unix");
    assertEquals(Code.OVER_LIMIT, hidden.getOverallCode(), hidden::toString);

    HttpResponse<String> forward =
        server.send(
            "GET",
            "/v1/ratelimit/forward",
            "",
            "Authorization",
            "Bearer " + server.admin(),
            "X-Forwarded-Uri",
            "/a",
            "X-Forwarded-Method",
            "GET",
            "X-Forwarded-For",
            "192.0.3.7");
    assertEquals(429, forward.statusCode(), forward::body);
    assertSeconds(Long.parseLong(forward.headers().firstValue("Retry-After").orElseThrow()));
    try (Jedis client = redis()) {
      List<?> reply = (List<?>) send(client, "WEIR.CHECK", "banned", "/a");
      assertEquals(0L, reply.get(0));
      assertSeconds((Long) reply.get(3));
    }
  }

  /** Less than the hour of the ban has passed, and not much of it. */
  private static void assertSeconds(long left) {
    assertTrue(left > 3_000 && left <= 3_600, () -> left + " s");
  }

  @Test
  void anAdministratorWhoseAddressAndNameAreDeniedWorksOn() {
    String[] fields = {
      "Authorization", "Bearer " + server.admin(), "Content-Type", "application/json"
    };
    for (String subject : List.of("127.0.0.0/8", "user:first administrator")) {
      HttpResponse<String> denied =
          server.send(
              "POST", LIST, "{\"action\": \"DENY\", \"subject\": \"" + subject + "\"}", fields);
      assertEquals(201, denied.statusCode(), denied::body);
      server.service().rules().refresh();
      assertEquals(200, server.get("/v1/console/", "").statusCode());
      assertEquals(200, server.get("/v1/admin/ratelimit/nodes", server.admin()).statusCode());
      String entry = denied.headers().firstValue("Location").orElseThrow();
      String path = entry.substring(entry.indexOf(LIST));
      HttpResponse<String> lifted =
          server.send(
              "DELETE", path, "", "Authorization", "Bearer " + server.admin(), "If-Match", "1");
      assertEquals(204, lifted.statusCode(), lifted::body);
    }
  }
}
