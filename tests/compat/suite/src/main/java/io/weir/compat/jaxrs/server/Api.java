package io.weir.compat.jaxrs.server;

import static io.restassured.RestAssured.given;

import io.restassured.RestAssured;
import io.restassured.config.HttpClientConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.weir.Weir;
import io.weir.testkit.FakeTicker;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A running application whose clock only the test moves.
 *
 * @param base its base address
 * @param weir its Weir
 * @param ticker its clock
 */
public record Api(URI base, Weir weir, FakeTicker ticker) {
  /** Starts a request with header fields. */
  public RequestSpecification request(String... fields) {
    RequestSpecification request =
        given()
            .config(
                RestAssured.config()
                    .httpClient(
                        HttpClientConfig.httpClientConfig()
                            .setParam("http.connection.timeout", 10_000)
                            .setParam("http.socket.timeout", 20_000)))
            .urlEncodingEnabled(false);
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return request;
  }

  /**
   * Sends GET with header fields, and waits for the end of the response: REST Assured returns after
   * the head, long before a policy that counts by the outcome may have completed the request.
   */
  public Response get(String path, String... fields) {
    Response response = request(fields).get(base + path);
    var unusedWhole = response.asByteArray();
    return response;
  }

  /** Sends POST without a body. */
  public Response post(String path, String... fields) {
    return request(fields).post(base + path);
  }

  /** Sends a request from a caller behind the trusted proxy. */
  public Response from(String address, String path) {
    return get(path, "X-Forwarded-For", address);
  }

  /** Sends the same GET until it is refused. */
  public int admitted(String path, String... fields) {
    return (int)
        Stream.generate(() -> get(path, fields).statusCode())
            .limit(200)
            .takeWhile(status -> status == 200)
            .count();
  }

  /** Advances the clock. */
  public void pass(Duration time) {
    ticker.advance(time);
  }

  /** Reads the permits left from a response with an independent parser. */
  public static long left(Response response) {
    return Fields.parameter(response.header("RateLimit"), "r");
  }
}
