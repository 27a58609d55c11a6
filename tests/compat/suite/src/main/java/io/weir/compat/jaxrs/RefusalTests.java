package io.weir.compat.jaxrs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.compat.jaxrs.server.Api;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests refusals whose bodies the application writes. */
interface RefusalTests extends Serving {
  /** A writer of the application that accepts any text. */
  final class Greedy implements MessageBodyWriter<Object> {
    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
      return !type.equals(String.class);
    }

    @Override
    public void writeTo(
        Object entity,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType media,
        MultivaluedMap<String, Object> headers,
        OutputStream out)
        throws IOException {
      out.write("taken".getBytes(UTF_8));
    }
  }

  private static Optional<RefusalText> words(RefusalInfo refusal) {
    List<Locale> offered = List.of(Locale.ENGLISH, Locale.GERMAN);
    boolean german = Locale.GERMAN.equals(Locale.lookup(refusal.languages(), offered));
    String words = (german ? "Bitte später: " : "Later: ") + refusal.policy().name();
    return Optional.of(new RefusalText("text/plain", words));
  }

  @Test
  default void theApplicationsOwnWordsAreSent() throws Exception {
    Api api =
        serving(WireTests.Hello.class)
            .weir(parts -> parts.refusalBody(RefusalTests::words))
            .start();
    assertEquals(2, api.admitted("/hello"));
    Response german = api.get("/hello", "Accept-Language", "de-CH, en;q=0.5");
    assertEquals(429, german.statusCode());
    assertEquals("Bitte später: Hello.hello", new String(german.asByteArray(), UTF_8));
    assertEquals("text/plain;charset=utf-8", german.contentType().toLowerCase(Locale.ROOT));
    assertEquals("10", german.header("Retry-After"));
    Response english = api.get("/hello");
    assertEquals("Later: Hello.hello", new String(english.asByteArray(), UTF_8));
    Response inner = api.get("/inner", "Accept-Language", "de");
    assertEquals("Bitte später: inner", new String(inner.asByteArray(), UTF_8));
    assertEquals(429, inner.statusCode());
  }

  @Test
  default void aBrokenPartSendsTheStandardDocument() throws Exception {
    Api api =
        serving(WireTests.Hello.class)
            .weir(
                parts ->
                    parts.refusalBody(
                        refusal -> {
                          throw new IllegalStateException("on purpose");
                        }))
            .start();
    assertEquals(2, api.admitted("/hello"));
    Response refused = api.get("/hello");
    refused.then().statusCode(429).body("error", equalTo("Rate limit exceeded"));
    assertTrue(refused.contentType().startsWith("application/problem+json"));
  }

  @Test
  default void aSimpleDocumentIsSentIfTheSettingsSaySo() throws Exception {
    Api api = serving(WireTests.Hello.class).setting("weir.refusal.body", "simple").start();
    assertEquals(2, api.admitted("/hello"));
    Response refused = api.get("/hello");
    assertEquals("{\"error\": \"Rate limit exceeded\", \"retryAfter\": 10}", refused.asString());
    assertTrue(refused.contentType().startsWith("application/json"));
  }

  @Test
  default void noWriterOfTheApplicationTakesARefusal() throws Exception {
    Api api = serving(WireTests.Hello.class).with(new Greedy()).start();
    assertEquals(2, api.admitted("/hello"));
    api.get("/hello").then().statusCode(429).body("error", equalTo("Rate limit exceeded"));
  }
}
