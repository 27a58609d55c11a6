package io.weir.example.jersey;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten messages an hour to a phone number, counted in Cassandra. */
@DeepOnly
class SmsOnCassandraTest {
  private static final String PHONE = "+4915112345678";

  @TempDir private Path directory;

  @BeforeAll
  static void assumeThatItRunsHere() {
    CassandraServer.assumePresent();
  }

  @Test
  void sendsTenAnHourThoughItIsRestarted() throws IOException {
    CassandraServer cassandra = CassandraServer.shared();
    try (Example before = start(cassandra, "before")) {
      for (int sent = 0; sent < 6; sent++) {
        assertEquals(200, send(before, PHONE).statusCode());
      }
    }
    try (Example after = start(cassandra, "after")) {
      for (int sent = 6; sent < 10; sent++) {
        assertEquals(200, send(after, PHONE).statusCode());
      }
      Response refused = send(after, PHONE);
      assertEquals(429, refused.statusCode());
      assertTrue(refused.header("RateLimit").startsWith("\"sms\";r=0;"));
      assertEquals(200, send(after, "+4915187654321").statusCode());
    }
  }

  private Example start(CassandraServer cassandra, String name) throws IOException {
    String store = "cassandra://127.0.0.1:" + cassandra.port() + "/sms?dc=datacenter1";
    return Example.start(
        0,
        Weir.builder()
            .settings(
                Map.of(
                    "weir.store", store,
                    "weir.secret", "of the tests",
                    // A slow machine must not count as an outage here.
                    "weir.store.timeout", "10s",
                    "weir.store.start-timeout", "30s",
                    "weir.rules", "jdbc:h2:file:" + directory.resolve(name),
                    "weir.rules.timeout", "10s")));
  }

  private static Response send(Example example, String phone) {
    return given().queryParam("phone", phone).post(example.uri().resolve("/api/sms"));
  }
}
