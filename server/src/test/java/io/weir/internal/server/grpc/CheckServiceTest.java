package io.weir.internal.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DoubleValue;
import com.google.protobuf.Int64Value;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.grpc.v1.CheckManyRequest;
import io.weir.grpc.v1.CheckManyResponse;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.CheckResponse;
import io.weir.grpc.v1.ExplainResponse;
import io.weir.grpc.v1.PolicyExplanation;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.grpc.v1.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.weir.grpc.v1.StatusRequest;
import io.weir.grpc.v1.StatusResponse;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.Rules;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests {@code weir.v1} with a real client, rules in H2, and a limiter in this process. */
class CheckServiceTest {
  private final FakeTicker ticker = new FakeTicker();
  private Rules rules;
  private Weir weir;
  private GrpcServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    rules = Rules.builder(database).timeout(Duration.ofSeconds(10)).build();
    save(rule("/api/search", 3));
    save(rule("/api/orders", 5));
    weir =
        Weir.builder()
            .settings(Map.of("weir.rules.caller", "header:X-Api-Key", "weir.store.timeout", "10s"))
            .ticker(ticker)
            .policySource(rules.policySource())
            .build();
    server = GrpcServer.builder().open().checks(weir, rules).start();
    channel = EnvoyServer.channel(server.port());
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    server.close();
    weir.close();
    rules.close();
  }

  private static RuleBuilder rule(String pattern, long limit) {
    return Rule.builder("free", pattern).limit(limit).algorithm(Algorithm.FIXED_WINDOW);
  }

  private void save(RuleBuilder rule) {
    rules.rules().save(rule.build(), "test");
    rules.refresh();
  }

  @Test
  void aRequestIsDecidedAndCounted() {
    for (int left = 2; left >= 0; left--) {
      CheckResponse response = stub().check(of("al", "/api/search"));
      assertTrue(response.getAllowed());
      assertEquals(3, response.getLimit());
      assertEquals(left, response.getRemaining());
      assertFalse(response.hasRetryAfter());
      assertEquals(1, response.getPoliciesCount());
    }
    CheckResponse refused = stub().check(of("al", "/api/search"));
    assertFalse(refused.getAllowed());
    assertEquals(60, refused.getRetryAfter().getValue());
    assertEquals(FakeTicker.START.getEpochSecond() + 60, refused.getResetTime());
    assertFalse(refused.getPolicies(0).getAllowed());
    assertTrue(stub().check(of("bo", "/api/search")).getAllowed());
  }

  @Test
  void costReplacesEveryOtherCost() {
    CheckRequest two = of("al", "/api/search").toBuilder().setCost(Int64Value.of(2)).build();
    assertEquals(1, stub().check(two).getRemaining());
    assertFalse(stub().check(two).getAllowed());
  }

  @Test
  void whatCostsMoreThanTheLimitIsNeverAdmitted() {
    CheckRequest four = of("al", "/api/search").toBuilder().setCost(Int64Value.of(4)).build();
    CheckResponse response = stub().check(four);
    assertFalse(response.getAllowed());
    assertTrue(response.getNeverAdmitted());
    assertFalse(response.hasRetryAfter());
    CheckResponse admitted = stub().check(of("al", "/api/search"));
    assertTrue(admitted.getAllowed() && !admitted.getNeverAdmitted());
  }

  @Test
  void whatNoRuleLimitsIsAllowed() {
    CheckResponse response = stub().check(of("al", "/elsewhere"));
    assertTrue(response.getAllowed());
    assertEquals(Integer.MAX_VALUE, response.getLimit());
    assertEquals(0, response.getPoliciesCount());
  }

  @Test
  void whatIsWrongNamesTheField() {
    CheckRequest good = of("al", "/api/search");
    assertInvalid(
        () -> stub().check(good.toBuilder().clearUserId().build()), "user_id must be given");
    assertInvalid(() -> stub().check(good.toBuilder().clearEndpoint().build()), "endpoint must");
    assertInvalid(
        () -> stub().check(good.toBuilder().setUserId("a\0l").build()), "user_id must not contain");
    assertInvalid(
        () -> stub().check(good.toBuilder().setEndpoint("/api\0").build()),
        "endpoint must not contain");
    assertInvalid(() -> stub().check(good.toBuilder().setIp("1.2.3").build()), "ip must be");
    assertInvalid(
        () -> stub().check(good.toBuilder().setCost(Int64Value.of(0)).build()), "cost must be");
    assertInvalid(
        () -> stub().check(good.toBuilder().setLoad(DoubleValue.of(Double.NaN)).build()),
        "load must be from 0 to 1");
    assertInvalid(() -> stub().check(good.toBuilder().setMethod("G T").build()), "method must");
    assertInvalid(
        () -> stub().check(good.toBuilder().putAttributes("nonsense", "x").build()),
        "attributes must have names");
    assertInvalid(
        () -> stub().checkMany(many(true, good, CheckRequest.getDefaultInstance())),
        "requests[1].user_id must");
    assertInvalid(() -> stub().explain(CheckRequest.getDefaultInstance()), "user_id must");
    assertInvalid(() -> stub().status(StatusRequest.getDefaultInstance()), "user_id must");
  }

  @Test
  void severalAreDecidedEachByItself() {
    stub().check(of("al", "/api/search").toBuilder().setCost(Int64Value.of(3)).build());
    CheckManyResponse response =
        stub().checkMany(many(false, of("al", "/api/search"), of("al", "/api/orders")));
    assertFalse(response.getResponses(0).getAllowed());
    assertTrue(response.getResponses(1).getAllowed());
    assertEquals(4, response.getResponses(1).getRemaining());
  }

  @Test
  void oneThatIsWrongHasAProblemInItsPlace() {
    CheckRequest good = of("al", "/api/search");
    CheckManyResponse response =
        stub().checkMany(many(false, good, CheckRequest.getDefaultInstance(), good));
    assertEquals(2, response.getResponses(0).getRemaining());
    CheckResponse problem = response.getResponses(1);
    assertTrue(problem.getProblem().startsWith("requests[1].user_id must"), problem::getProblem);
    assertFalse(problem.getAllowed());
    assertEquals(1, response.getResponses(2).getRemaining());
    assertEquals("", response.getResponses(2).getProblem());
  }

  @Test
  void severalAreDecidedAllOrNothing() {
    stub().check(of("al", "/api/search").toBuilder().setCost(Int64Value.of(3)).build());
    CheckManyResponse response =
        stub().checkMany(many(true, of("al", "/api/search"), of("al", "/api/orders")));
    assertFalse(response.getResponses(0).getAllowed());
    assertEquals(5, left("/api/orders"));
    response = stub().checkMany(many(true, of("al", "/api/orders"), of("al", "/api/orders")));
    assertTrue(response.getResponses(0).getAllowed());
    assertEquals(3, left("/api/orders"));
  }

  @Test
  void thereAreOneToAThousandRequestsAtOnce() {
    assertInvalid(() -> stub().checkMany(many(false)), "requests must be 1 to 1,000, not 0");
    CheckRequest[] tooMany = new CheckRequest[1_001];
    java.util.Arrays.fill(tooMany, of("al", "/api/search"));
    assertInvalid(() -> stub().checkMany(many(true, tooMany)), "1 to 1,000, not 1001");
    CheckRequest[] most = java.util.Arrays.copyOf(tooMany, 1_000);
    assertEquals(1_000, stub().checkMany(many(false, most)).getResponsesCount());
  }

  @Test
  void explainSaysWhatCheckThenDoesAndCountsNothing() {
    CheckRequest request = of("al", "/api/search");
    stub().check(request);
    for (int i = 0; i < 5; i++) {
      ExplainResponse why = stub().explain(request);
      assertTrue(why.getDecision().getAllowed());
      PolicyExplanation holds = why.getPolicies(0);
      assertTrue(holds.getHolds());
      assertEquals(3, holds.getLimit());
      assertEquals(2, holds.getRemaining().getValue());
      assertTrue(holds.getAllowed().getValue());
      assertFalse(holds.getUnread());
    }
    assertEquals(1, stub().check(request).getRemaining());
  }

  @Test
  void fieldsOfABodyThatTheClientHasParsedAreCounted() {
    save(rule("/login", 2).name("accounts").countBy(List.of("lower:form:user|json:/user/email")));
    CheckRequest login = CheckRequest.newBuilder().setIp("192.0.2.1").setEndpoint("/login").build();
    CheckRequest form = login.toBuilder().putAttributes("form:user", "ZO\u00cb").build();
    CheckRequest json = login.toBuilder().putAttributes("json:/User/email", "zoe\u0308").build();
    assertEquals(1, stub().check(form).getRemaining());
    assertEquals(0, stub().check(json).getRemaining());
    assertFalse(stub().check(form).getAllowed());
    assertFalse(stub().explain(json).getDecision().getAllowed());
    assertTrue(stub().explain(json).hasDecision());
    assertTrue(
        stub().explain(login).getUndecided(0).startsWith("accounts: it needs form:user"),
        () -> stub().explain(login).toString());
  }

  @Test
  void statusTellsWhatAUserHasLeft() {
    stub().check(of("al", "/api/search"));
    StatusResponse status = stub().status(StatusRequest.newBuilder().setUserId("al").build());
    assertEquals("al", status.getUserId());
    assertEquals(2, status.getRulesCount());
    assertEquals("/api/orders", status.getRules(0).getEndpoint());
    assertEquals(5, status.getRules(0).getRemaining());
    assertEquals("/api/search", status.getRules(1).getEndpoint());
    assertEquals(2, status.getRules(1).getRemaining());
  }

  @Test
  void aRuleThatRefusesWithoutItsStoreIsUnavailable() {
    save(rule("/api/pay", 5).onStoreFailure(OnStoreFailure.CLOSED));
    assertTrue(stub().check(of("al", "/api/pay")).getAllowed());
    weir.limiter().close();
    for (Executable call :
        List.<Executable>of(
            () -> stub().check(of("al", "/api/pay")),
            () -> stub().checkMany(many(true, of("al", "/api/pay"))))) {
      StatusRuntimeException failed = assertThrows(StatusRuntimeException.class, call);
      assertEquals(Status.Code.UNAVAILABLE, failed.getStatus().getCode());
    }
    CheckResponse each = stub().checkMany(many(false, of("al", "/api/pay"))).getResponses(0);
    assertFalse(each.getAllowed());
    assertTrue(each.getDegraded());
  }

  private long left(String endpoint) {
    return stub().explain(of("al", endpoint)).getDecision().getRemaining();
  }

  private static void assertInvalid(Executable call, String expected) {
    Status status = assertThrows(StatusRuntimeException.class, call).getStatus();
    assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode(), status.toString());
    assertTrue(String.valueOf(status.getDescription()).contains(expected), status.getDescription());
  }

  private RateLimitServiceBlockingStub stub() {
    return RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  private static CheckRequest of(String user, String endpoint) {
    return CheckRequest.newBuilder().setUserId(user).setEndpoint(endpoint).build();
  }

  private static CheckManyRequest many(boolean atomic, CheckRequest... requests) {
    return CheckManyRequest.newBuilder()
        .addAllRequests(List.of(requests))
        .setAtomic(atomic)
        .build();
  }
}
