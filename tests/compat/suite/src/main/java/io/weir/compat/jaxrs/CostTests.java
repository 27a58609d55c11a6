package io.weir.compat.jaxrs;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.attack.Amounts;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests costs and conditions that are read from the request. */
interface CostTests extends Serving {
  @Path("/")
  class Shop {
    @POST
    @Path("buy")
    @RateLimit(
        limit = 200,
        window = 1,
        unit = DAYS,
        algorithm = Algorithm.TOKEN_BUCKET,
        refill = 50,
        costFrom = "query:amount",
        when = "partnerMail",
        name = "purchases")
    public String buy() {
      return "bought";
    }

    @POST
    @Path("send")
    @RateLimit(limit = 1, window = 1, unit = DAYS, by = By.USER, when = "riskyWord", name = "risky")
    public String send() {
      return "sent";
    }

    @GET
    @Path("query")
    @RateLimit(limit = 200, window = 60, costFrom = "query:amount", name = "query")
    @RateLimit(limit = 5, window = 60, name = "calls")
    public String query() {
      return "";
    }

    @GET
    @Path("path/{amount}")
    @RateLimit(limit = 200, window = 60, costFrom = "path:amount", name = "path")
    public String path(@PathParam("amount") String amount) {
      return amount;
    }

    @GET
    @Path("header")
    @RateLimit(limit = 200, window = 60, costFrom = "header:X-Amount", name = "header")
    public String header() {
      return "";
    }

    @GET
    @Path("cookie")
    @RateLimit(limit = 200, window = 60, costFrom = "cookie:amount", name = "cookie")
    public String cookie() {
      return "";
    }

    @GET
    @Path("resolver")
    @RateLimit(limit = 200, window = 60, costFrom = "words", name = "resolver")
    public String resolver() {
      return "";
    }

    @GET
    @Path("shard")
    @RateLimit(
        limit = 3,
        window = 60,
        by = {By.USER, By.KEY},
        key = "shard:16:query:url",
        name = "shard")
    public String shard() {
      return "";
    }
  }

  private Api shop() throws Exception {
    return serving(Shop.class, SignInFilter.class)
        .behindProxy()
        .weir(
            parts ->
                parts
                    .requestCondition(
                        "partnerMail",
                        request -> request.user().orElse("").endsWith("@partner.example"))
                    .requestCondition("riskyWord", CostTests::isRisky)
                    .costResolver("words", CostTests::words))
        .start();
  }

  private static boolean isRisky(RequestInfo request) {
    return request.query("text").orElse("").contains("casino");
  }

  private static OptionalLong words(RequestInfo request) {
    return request.query("text").stream().mapToLong(text -> text.split(" ").length).findFirst();
  }

  @Test
  default void purchasesOfOneMailDomainAreLimitedByAddressAndSomeComeBackEachDay()
      throws Exception {
    Api api = shop();
    Response first = api.post("/buy?amount=149.50", "User", "ann@partner.example");
    assertEquals(200, first.statusCode());
    assertEquals(50, Api.left(first));
    assertEquals(429, api.post("/buy?amount=51", "User", "bob@partner.example").statusCode());
    assertEquals(200, api.post("/buy?amount=50", "User", "bob@partner.example").statusCode());
    Response other = api.post("/buy?amount=5000", "User", "eve@elsewhere.example");
    assertEquals(200, other.statusCode(), "the policy doesn't hold there");
    assertNull(other.header("RateLimit-Policy"));
    String[] elsewhere = {"User", "ann@partner.example", "X-Forwarded-For", "192.0.2.7"};
    assertEquals(200, api.post("/buy?amount=200", elsewhere).statusCode());
    api.pass(Duration.ofHours(23));
    assertEquals(429, api.post("/buy?amount=1", "User", "ann@partner.example").statusCode());
    api.pass(Duration.ofHours(1));
    assertEquals(429, api.post("/buy?amount=51", "User", "ann@partner.example").statusCode());
    assertEquals(200, api.post("/buy?amount=50", "User", "ann@partner.example").statusCode());
  }

  @Test
  default void oneMessageADayMayHaveARiskyWordInIt() throws Exception {
    Api api = shop();
    for (int i = 0; i < 5; i++) {
      assertEquals(200, api.post("/send?text=hello", "User", "ann").statusCode());
    }
    assertEquals(200, api.post("/send?text=my%20casino", "User", "ann").statusCode());
    assertEquals(429, api.post("/send?text=the%20casino", "User", "ann").statusCode());
    assertEquals(200, api.post("/send?text=the%20casino", "User", "bob").statusCode());
    assertEquals(200, api.post("/send?text=hello", "User", "ann").statusCode());
  }

  @Test
  default void whatIsNoAmountIsTheClientsMistakeAndChargedNowhere() throws Exception {
    Api api = shop();
    for (String query : Amounts.wrong()) {
      Response refused = api.get("/query?" + query);
      assertEquals(400, refused.statusCode(), query);
      assertTrue(refused.contentType().startsWith("application/problem+json"), query);
      assertTrue(refused.body().asString().contains("The query parameter amount "), query);
      assertNull(refused.header("Retry-After"));
      assertFalse(refused.headers().hasHeaderWithName("RateLimit"));
    }
    Response all = api.get("/query?amount=200");
    assertEquals(200, all.statusCode());
    assertEquals(0, Api.left(all));
    Response free = api.get("/query?amount=0");
    assertEquals(200, free.statusCode());
    assertEquals(0, Api.left(free));
    assertEquals(429, api.get("/query?amount=0.1").statusCode());
  }

  @Test
  default void whatCanNeverBePaidHasNoTimeToRetryAfterAndIsChargedNowhere() throws Exception {
    Api api = shop();
    for (String query : Amounts.excessive()) {
      Response refused = api.get("/query?" + query);
      assertEquals(429, refused.statusCode(), query);
      assertNull(refused.header("Retry-After"), query);
      assertEquals(200, Api.left(refused));
      String document = refused.body().asString();
      assertTrue(document.contains("never admits this request"), document);
      assertFalse(document.contains("retryAfter"), document);
    }
    assertEquals(0, Api.left(api.get("/query?amount=200")));
  }

  @Test
  default void amountsAreFoundInEachPlace() throws Exception {
    Api api = shop();
    assertEquals(150, Api.left(api.get("/path/50")));
    assertEquals(400, api.get("/path/fifty").statusCode());
    assertEquals(150, Api.left(api.get("/header", "X-Amount", "50")));
    assertEquals(400, api.get("/header").statusCode());
    assertEquals(400, api.get("/header", "X-Amount", "1", "X-Amount", "2").statusCode());
    assertEquals(400, api.get("/header", "X-Amount", "1, 2").statusCode());
    assertEquals(150, Api.left(api.get("/cookie", "Cookie", "amount=50")));
    assertEquals(400, api.get("/cookie", "Cookie", "sid=1").statusCode());
    assertEquals(400, api.get("/cookie", "Cookie", "amount=1; amount=2").statusCode());
    assertEquals(197, Api.left(api.get("/resolver?text=one%20two%20three")));
    assertEquals(400, api.get("/resolver").statusCode());
  }

  @Test
  default void aUserHasALimitInEachPart() throws Exception {
    Api api = shop();
    String one = "/shard?url=https://a.example/"; // part 2
    String other = "/shard?url=https://b.example/"; // part 14
    assertEquals(3, api.admitted(one, "User", "ann"));
    assertEquals(3, api.admitted(other, "User", "ann"));
    assertEquals(3, api.admitted(one, "User", "bob"));
    assertEquals(3, api.admitted("/shard", "User", "ann"), "by address where there is none");
  }
}
