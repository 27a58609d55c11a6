package io.weir.compat.example;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.RestAssured;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The endpoints of a running example, whose clock only the test moves.
 *
 * @param uri its base address, with a slash at the end
 * @param ticker its clock
 */
public record Api(URI uri, FakeTicker ticker) {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final RestAssuredConfig BOUNDED =
      RestAssured.config()
          .httpClient(
              HttpClientConfig.httpClientConfig()
                  .setParam("http.connection.timeout", 10_000)
                  .setParam("http.socket.timeout", 20_000));

  /** Sends GET with header fields. */
  public Response get(String path, String... fields) {
    return request(fields).get(uri.resolve(path));
  }

  /** Sends POST without a body. */
  public Response post(String path, String... fields) {
    return request(fields).post(uri.resolve(path));
  }

  /** Sends POST with an encoded form. */
  public Response form(String path, String body, String... fields) {
    return request(fields)
        .contentType("application/x-www-form-urlencoded")
        .body(body)
        .post(uri.resolve(path));
  }

  /** Sends GET as a user who signs in with a password. */
  public Response signedIn(String user, String password, String path, String... fields) {
    return request(fields).auth().preemptive().basic(user, password).get(uri.resolve(path));
  }

  private static RequestSpecification request(String... fields) {
    RequestSpecification request = given().config(BOUNDED).urlEncodingEnabled(false);
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return request;
  }

  /** Sends the same GET many times, faster than REST Assured, and expects the same status. */
  void flood(int times, int status, String path, String... fields) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri.resolve(path)).timeout(LONGEST);
    if (fields.length > 0) {
      request.headers(fields);
    }
    for (int i = 1; i <= times; i++) {
      assertEquals(status, status(request.build()), "request " + i + " of " + times);
    }
  }

  private static int status(HttpRequest request) {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  /**
   * Returns the fields of a request that comes from another address, through a proxy that is
   * trusted.
   */
  static String[] from(String address) {
    return new String[] {"X-Forwarded-For", address};
  }

  /** Sends the same request some times and expects the same status each time. */
  static void times(int times, int status, Supplier<Response> request) {
    for (int i = 1; i <= times; i++) {
      assertEquals(status, request.get().statusCode(), "request " + i + " of " + times);
    }
  }

  void pass(Duration time) {
    ticker.advance(time);
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }
}
