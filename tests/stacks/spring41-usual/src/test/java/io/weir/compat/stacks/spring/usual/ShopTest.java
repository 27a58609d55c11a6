package io.weir.compat.stacks.spring.usual;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.weir.compat.stack.StackProcess;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Tries limits in an application of the usual kind, in a process of its own. Each test has
 * addresses and users of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ShopTest {
  private StackProcess shop;
  private URI base;

  @BeforeAll
  void start() throws Exception {
    shop = StackProcess.run(ShopMain.class);
    base = shop.start();
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  private Response get(String path, String address, String... user)
      throws GeneralSecurityException {
    RequestSpecification request = given().header("X-Forwarded-For", address);
    if (user.length > 0) {
      request.header("Authorization", "Bearer " + Token.of(user[0]));
    }
    return request.get(base + path);
  }

  private List<Integer> statuses(int times, String path, String address, String... user)
      throws GeneralSecurityException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(get(path, address, user).statusCode());
    }
    return statuses;
  }

  private static void assertRefused(Response response, String policy) {
    assertEquals(429, response.statusCode(), response::asString);
    assertEquals(List.of(policy), response.path("violated-policies"));
    assertTrue(response.contentType().startsWith("application/problem+json"));
    assertTrue(Integer.parseInt(response.header("Retry-After")) >= 1);
    assertNotNull(response.header("RateLimit"));
  }

  @Test
  void theRejectionsOfSpringSecurityCount() throws Exception {
    String address = "192.0.2.1";
    Response rejected = get("/products/tea", address);
    assertEquals(401, rejected.statusCode());
    assertEquals("4", rejected.header("X-RateLimit-Remaining"));
    assertTrue(rejected.header("WWW-Authenticate").startsWith("Bearer"));
    assertEquals(List.of(401, 401, 401, 401), statuses(4, "/products/tea", address));
    assertRefused(get("/products/tea", address), "products-ip");
    assertRefused(get("/products/tea", address, "known"), "products-ip");
  }

  @Test
  void theSubjectOfATokenIsTheUser() throws Exception {
    Response first = get("/products/tea", "192.0.2.2", "alice");
    assertEquals(200, first.statusCode(), first::asString);
    assertEquals("alice", first.path("user"));
    assertEquals(List.of(200, 200), statuses(2, "/products/tea", "192.0.2.3", "alice"));
    assertRefused(get("/products/tea", "192.0.2.3", "alice"), "products-user");
    assertEquals(200, get("/products/tea", "192.0.2.3", "bob").statusCode());
  }

  @Test
  void aHandlerOfAllExceptionsLeavesTheRefusalOfABeanAlone() throws Exception {
    assertEquals(List.of(200, 200), statuses(2, "/mail/ann", "192.0.2.4", "carol"));
    assertRefused(get("/mail/ann", "192.0.2.4", "carol"), "mail");
    assertEquals(200, get("/mail/ben", "192.0.2.4", "carol").statusCode());
  }

  @Test
  void aHandlerOfAllExceptionsStillAnswersAllOthers() throws Exception {
    Response failed = get("/broken", "192.0.2.5", "dave");
    assertEquals(500, failed.statusCode());
    assertEquals("the shop is sorry", failed.path("error"));
    assertEquals("2", failed.header("X-RateLimit-Remaining"));
    assertEquals(List.of(500, 500, 429), statuses(3, "/broken", "192.0.2.5", "dave"));
  }

  @Test
  void theActuatorIsUpAndNotLimited() throws Exception {
    Response health = get("/actuator/health", "192.0.2.6");
    assertEquals(200, health.statusCode());
    assertEquals("UP", health.path("status"));
    assertNull(health.header("RateLimit"));
  }

  @Test
  void theActuatorShowsThePolicies() throws Exception {
    Response weir = get("/actuator/weir", "192.0.2.6");
    assertEquals(200, weir.statusCode(), weir::asString);
    assertTrue(weir.asString().contains("products-user"), weir::asString);
  }

  @Test
  void metricsCountRefusalsAsRequestsAndAsDecisions() throws Exception {
    statuses(4, "/broken", "192.0.2.7", "erin");
    String metrics = get("/actuator/prometheus", "192.0.2.6").asString();
    assertTrue(
        metrics
            .lines()
            .anyMatch(
                each ->
                    each.startsWith("http_server_requests_seconds_count") && each.contains("429")),
        metrics);
    assertTrue(
        metrics.lines().anyMatch(each -> each.startsWith("weir_") && each.contains("broken")),
        metrics);
  }

  @Test
  void theDescriptionOfEndpointsIsThereAndNotLimited() throws Exception {
    Response description = get("/v3/api-docs", "192.0.2.6");
    assertEquals(200, description.statusCode());
    assertTrue(description.asString().contains("/products/{name}"));
    assertNull(description.header("RateLimit"));
  }
}
