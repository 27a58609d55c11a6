package io.weir.compat.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests refusals whose bodies the application writes. */
public interface ServletRefusalContract extends ServletServer {
  /** German or English, with a character that Latin-1 lacks. */
  private static Optional<RefusalText> words(RefusalInfo refusal) {
    List<Locale> offered = List.of(Locale.ENGLISH, Locale.GERMAN);
    boolean german = Locale.GERMAN.equals(Locale.lookup(refusal.languages(), offered));
    String words = (german ? "Bitte später, für " : "Later, for ") + "€ " + refusal.policy().name();
    return Optional.of(new RefusalText("text/plain", words));
  }

  @Test
  default void theApplicationsOwnWordsAreSent() throws Exception {
    try (ServletApp app =
        app().parts(parts -> parts.refusalBody(ServletRefusalContract::words)).start()) {
      app.statuses(2, "GET", "/x");
      Response german = app.client().header("Accept-Language", "de-CH, en;q=0.5").get("/x");
      byte[] body = german.asByteArray();
      assertEquals("Bitte später, für € hello", new String(body, UTF_8));
      assertEquals("text/plain;charset=utf-8", german.contentType().toLowerCase(Locale.ROOT));
      assertEquals(Integer.toString(body.length), german.header("Content-Length"));
      assertEquals(429, german.statusCode());
      assertTrue(Integer.parseInt(german.header("Retry-After")) >= 1);
      assertEquals("\"hello\";q=2;w=10", german.header("RateLimit-Policy"));
      Response english = app.client().header("Accept-Language", "fr").get("/x");
      assertEquals("Later, for € hello", new String(english.asByteArray(), UTF_8));
      Answer head = app.send("HEAD", "/x", "Accept-Language: de");
      assertEquals(429, head.status());
      assertEquals("", head.body());
      assertEquals(Optional.of(Integer.toString(body.length)), head.header("Content-Length"));
    }
  }

  @Test
  default void aBrokenPartSendsTheStandardDocument() throws Exception {
    ServletAppBuilder broken =
        app()
            .parts(
                parts ->
                    parts.refusalBody(
                        refusal -> {
                          throw new IllegalStateException("on purpose");
                        }));
    try (ServletApp app = broken.start()) {
      app.statuses(2, "GET", "/x");
      app.client()
          .get("/x")
          .then()
          .statusCode(429)
          .contentType("application/problem+json")
          .body("error", equalTo("Rate limit exceeded"));
    }
  }

  @Test
  default void aSimpleDocumentIsSentIfTheSettingsSaySo() throws Exception {
    try (ServletApp app = app().setting("weir.refusal.body", "simple").start()) {
      app.statuses(2, "GET", "/x");
      Answer refusal = app.get("/x");
      String seconds = refusal.header("Retry-After").orElseThrow();
      assertEquals(
          "{\"error\": \"Rate limit exceeded\", \"retryAfter\": " + seconds + "}", refusal.body());
      assertTrue(refusal.header("Content-Type").orElseThrow().startsWith("application/json"));
    }
  }

  /** The charset of the response is Latin-1 by then. */
  @Test
  default void whoHasTakenTheWriterGetsTheStandardDocument() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Throwing())
            .parts(parts -> parts.refusalBody(ServletRefusalContract::words));
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/x").status());
      Answer refusal = app.get("/x?short-writer");
      assertEquals(429, refusal.status());
      assertTrue(refusal.body().contains("\"error\":\"Rate limit exceeded\""), refusal.body());
      assertEquals(
          Optional.of(Integer.toString(refusal.body().length())), refusal.header("Content-Length"));
      assertTrue(app.get("/x").body().endsWith("service"), "without a writer they are sent");
    }
  }

  private ServletAppBuilder app() {
    return ServletApp.on(this).servlet("/x", new Servlets.Hello());
  }
}
