package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads addresses, and refuses others without repeating what may be secret. */
class PostgresAddressTest {
  private static String refused(String address) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> RateLimiter.builder().store(address, name -> "").build());
    return String.valueOf(refused.getMessage());
  }

  @Test
  void textShowsHostsAndDatabaseAlone() {
    PostgresAddress address =
        PostgresAddress.parse(
            URI.create(
                "jdbc:postgresql://a:5432,b:5433/limits?user=u&password=s3cret"
                    + "&targetServerType=primary"));
    assertEquals("PostgreSQL at a:5432,b:5433/limits", address.toString());
    assertEquals(
        "PostgreSQL of the data source jdbc/limits",
        PostgresAddress.parse(URI.create("datasource:jdbc/limits")).toString());
  }

  @ParameterizedTest
  @CsvSource({"jdbc:h2:mem:x, jdbc:h2", "jdbc:mysql://h/d?password=s3cret, jdbc:mysql"})
  void otherDatabasesAreRefusedByName(String address, String name) {
    String message = refused(address);
    assertTrue(message.endsWith(", not in " + name), message);
    assertFalse(message.contains("s3cret"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:limits",
        "jdbc:postgresql://h?password=s3cret",
        "jdbc:postgresql://user:s3cret@h/d",
        "jdbc:postgresql://user:s/3cret@h/d",
        "jdbc:postgresql://user:s3c?ret/cret@h/d",
        "datasource:jdbc:postgresql://user:s3cret@h/d",
        "jdbc:postgresql://h/d?password=s3#cret",
        "jdbc:postgresql://h/d?password=s3 cret",
        "datasource:"
      })
  void malformedOnesAreRefusedWithoutTheirPassword(String address) {
    String message = refused(address);
    assertTrue(message.contains("weir.store") || message.contains("malformed"), message);
    assertFalse(message.contains("cret"), message);
  }

  @ParameterizedTest
  @CsvSource({
    "weir.store.postgres.durability, fast",
    "weir.store.postgres.ssl-mode, yes",
    "weir.store.postgres.connections, 0",
    "weir.store.postgres.schema, a;b",
    "weir.store.postgres.prepared-statements, maybe",
    "weir.prefix, Ab"
  })
  void malformedSettingsAreNamed(String name, String value) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new PostgresSettings(each -> Map.of(name, value).getOrDefault(each, "")));
    assertTrue(refused.getMessage().startsWith(name + " must be"), refused.getMessage());
  }

  @Test
  void settingsShowNoPassword() {
    PostgresSettings settings = new PostgresSettings(name -> name.endsWith("word") ? "s3" : "");
    assertFalse(settings.toString().contains("s3"));
  }
}
