package io.weir.compat.example;

import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests emergency settings that change through a file while requests come in. */
public abstract class SwitchTests extends ExampleServer {
  /** Far longer than needed, even if many tests run at the same time. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The file is read once a second or so: what comes in meanwhile needn't fill a processor. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Path file;

  /** Makes an empty file. */
  protected SwitchTests() throws IOException {
    file = Files.createTempFile("weir", ".properties");
  }

  @Override
  Map<String, String> settings() {
    return Map.of("weir.config", file.toString());
  }

  @AfterAll
  void deleteFile() throws IOException {
    Files.delete(file);
  }

  /** The clock stands still, so only the changed setting can admit a request. */
  @Test
  void shadowAndOffTakeEffectOnARunningExample() throws IOException {
    times(10, 200, () -> api().get("/api/hello"));
    Wire.refused(api().get("/api/hello"), "hello");

    Files.writeString(file, "weir.policy.hello.shadow=true\n");
    Response watched = loadUntil(response -> response.statusCode() == 200);
    Wire.answers(watched, "hello");
    assertEquals(0, Wire.left(watched));
    times(10, 200, () -> api().get("/api/search"));
    assertEquals("SOFT", api().get("/api/search").path("outcome"));

    Files.writeString(file, "weir.enabled=false\n");
    Response off = loadUntil(response -> response.header("RateLimit") == null);
    Wire.answers(off, "hello");

    Files.writeString(file, "");
    Wire.refused(loadUntil(response -> response.statusCode() != 200), "hello");
  }

  /** Sends requests all the time, some twenty a second; each is admitted or refused as usual. */
  private Response loadUntil(Predicate<Response> done) {
    return assertTimeoutPreemptively(
        LONGEST,
        () -> {
          Response response = api().get("/api/hello");
          while (!done.test(response)) {
            assertTrue(response.statusCode() == 200 || response.statusCode() == 429);
            LockSupport.parkNanos(PAUSE.toNanos());
            response = api().get("/api/hello");
          }
          return response;
        });
  }
}
