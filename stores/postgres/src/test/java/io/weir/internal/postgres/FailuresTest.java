package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Describes failures without what is secret. */
class FailuresTest {
  @ParameterizedTest
  @CsvSource({
    "no server at a:1/d?user=u&password=s3cret&ssl=true,"
        + " no server at a:1/d?user=…&password=…&ssl=true (08001)",
    "PASSWORD=s3cret, PASSWORD=… (08001)",
    "connection refused, connection refused (08001)"
  })
  void textHasNoLogin(String message, String text) {
    assertEquals(text, Failures.text(new SQLException(message, "08001")));
  }
}
