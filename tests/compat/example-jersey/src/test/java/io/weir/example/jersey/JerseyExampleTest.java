package io.weir.example.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.compat.example.ExampleTests;
import io.weir.compat.jaxrs.server.RawClient;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests every row of the table of endpoints, on Jersey and Tomcat. */
class JerseyExampleTest extends ExampleTests {
  private URI base = URI.create("http://nowhere/");

  @Override
  protected Started start(Ticker time, Map<String, String> settings) throws IOException {
    Example example = Example.start(0, Weir.builder().ticker(time).settings(settings));
    base = example.uri();
    return new Started(base, example);
  }

  @Override
  public long compared() {
    return Passwords.compared();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/hello?a=%zz",
        "/api/hello?a=%",
        "/api/hello?a=%4",
        "/api/hello?%zz=a",
        "/api/hello?%",
        "/api/hello?a=1&b=%g1",
        "/api/hello?a=%u0041",
        "/api/hello?a={b}",
        "/api/hello?a=\"b\"",
        "/api/hello?a=<b>",
        "/api/hello?a=b|c",
        "/api/hello?a=b^c",
        "/api/hello?a=b`c",
        "/api/hello?a=\u00e9",
        "/api/%zz",
        "/api/hello%",
        "/api/hello%2",
        "/api/{hello}",
        "/api/he|lo",
        "/api/hello\\",
        "/api/hello;a=%zz",
        "http:///api/hello",
        "http://[/api/hello",
        "http://[::1/api/hello",
        "http://localhost:port/api/hello",
        "api/hello",
        "?a=b",
        ":",
      })
  void aMalformedTargetIsTheClientsMistake(String target) throws IOException {
    RawClient.Answer answer = RawClient.send(base, "GET " + target + " HTTP/1.1").orElseThrow();
    assertTrue(answer.status() >= 200 && answer.status() < 500, target + ": " + answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/hello?a=%zz",
        "GET /api/search?q=%zz",
        "POST /api/sms?phone=%4",
        "POST /api/feed/load?percent=%",
        "GET /api/%zz",
        "GET http:///api/hello",
      })
  void whatCannotBeDecodedIsABadRequest(String line) throws IOException {
    RawClient.Answer answer =
        RawClient.send(base, line + " HTTP/1.1", "Content-Length: 0").orElseThrow();
    assertEquals(400, answer.status(), answer.toString());
  }
}
