package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.attack.Amounts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests costs and conditions that are read from the request. */
public interface ServletCostContract extends ServletServer {
  /** Has a daily limit for the sum of amounts. */
  final class Purchases extends CountingServlet {
    @Override
    @RateLimit(
        limit = 200,
        window = 1,
        unit = ChronoUnit.DAYS,
        algorithm = Algorithm.TOKEN_BUCKET,
        refill = 50,
        costFrom = "query:amount",
        when = "partnerMail",
        name = "purchases")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 200, window = 60, costFrom = "query:amount", name = "query")
    @RateLimit(limit = 5, window = 60, name = "calls")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 200, window = 60, costFrom = "cookie:amount", name = "cookie")
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }

    @Override
    @RateLimit(limit = 200, window = 60, costFrom = "length", name = "length")
    protected void doDelete(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Accepts messages; only one per day with a risky word. */
  final class Messages extends CountingServlet {
    @Override
    @RateLimit(
        limit = 1,
        window = 1,
        unit = ChronoUnit.DAYS,
        by = By.ENDPOINT,
        when = "riskyWord",
        name = "risky")
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  private ServletApp shop() throws Exception {
    return new ServletAppBuilder(this)
        .servlet("/buy", new Purchases())
        .servlet("/send", new Messages())
        .parts(
            parts ->
                parts
                    .requestCondition(
                        "partnerMail",
                        request -> request.query("mail").orElse("").endsWith("@partner.example"))
                    .requestCondition(
                        "riskyWord", request -> request.query("text").orElse("").contains("casino"))
                    .costResolver(
                        "length",
                        request ->
                            request.query("text").stream().mapToLong(String::length).findFirst()))
        .start();
  }

  @Test
  default void purchasesOfOneMailDomainAreLimitedByAddressAndSomeComeBackEachDay()
      throws Exception {
    try (ServletApp app = shop()) {
      String partner = "/buy?mail=ann@partner.example&amount=";
      Answer first = app.send("POST", partner + "149.50");
      assertEquals(50, first.remaining());
      assertTrue(first.body().contains("took 150"), first.body());
      assertEquals(429, app.send("POST", partner + "51").status());
      assertEquals(200, app.send("POST", partner + "50").status());
      assertEquals(200, app.send("POST", "/buy?mail=eve@elsewhere.example&amount=5000").status());
      app.advance(Duration.ofHours(23));
      assertEquals(429, app.send("POST", partner + "1").status());
      app.advance(Duration.ofHours(1));
      assertEquals(429, app.send("POST", partner + "51").status());
      assertEquals(200, app.send("POST", partner + "50").status());
    }
  }

  @Test
  default void oneMessageADayMayHaveARiskyWordInIt() throws Exception {
    try (ServletApp app = shop()) {
      assertEquals(List.of(200, 200), app.statuses(2, "POST", "/send?text=hello"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/send?text=casino"));
      assertEquals(List.of(200, 200), app.statuses(2, "POST", "/send?text=hello"));
    }
  }

  @Test
  default void whatIsNoAmountIsTheClientsMistakeAndChargedNowhere() throws Exception {
    try (ServletApp app = shop()) {
      for (String query : Amounts.wrong()) {
        Answer refused = app.get("/buy?" + query);
        assertEquals(400, refused.status(), query);
        assertTrue(refused.header("RateLimit").isEmpty(), query);
      }
      for (String garbled : List.of("amount=%zz&amount=5", "amount=5&amount=%zz")) {
        assertEquals(400, app.get("/buy?" + garbled).status(), garbled);
      }
      Answer all = app.get("/buy?amount=200");
      assertEquals(List.of("query", "calls"), all.policies());
      assertEquals(0, all.remaining());
      assertEquals(0, app.get("/buy?amount=0").remaining());
      assertEquals(429, app.get("/buy?amount=0.1").status());
    }
  }

  @Test
  default void whatCanNeverBePaidHasNoTimeToRetryAfterAndIsChargedNowhere() throws Exception {
    try (ServletApp app = shop()) {
      for (String query : Amounts.excessive()) {
        Answer refused = app.get("/buy?" + query);
        assertEquals(429, refused.status(), query);
        assertTrue(refused.header("Retry-After").isEmpty(), query);
        assertTrue(refused.body().contains("never admits this request"), refused.body());
      }
      assertEquals(0, app.get("/buy?amount=200").remaining());
    }
  }

  @Test
  default void anAmountInACookieMustBeTheOnlyOne() throws Exception {
    try (ServletApp app = shop()) {
      assertEquals(150, app.send("PUT", "/buy", "Cookie: amount=50").remaining());
      assertEquals(400, app.send("PUT", "/buy").status());
      assertEquals(400, app.send("PUT", "/buy", "Cookie: amount=1; amount=2").status());
    }
  }

  @Test
  default void aResolverSaysWhatNoExpressionCan() throws Exception {
    try (ServletApp app = shop()) {
      assertEquals(195, app.send("DELETE", "/buy?text=hello").remaining());
      assertEquals(400, app.send("DELETE", "/buy").status());
    }
  }
}
