package io.weir.internal.redis.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FailureKindTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OOM command not allowed when used memory > 'maxmemory'.|OOM",
        "-WRONGTYPE Operation against a key|WRONGTYPE",
        "NOSCRIPT No matching script.|NOSCRIPT",
        "MOVED 866 127.0.0.1:7000|MOVED",
        "READONLY You can't write against a read only replica.|READONLY",
        "ERR unknown command|OTHER",
        "ERR The user executing the script can't run this command or subcommand script: x|NOPERM",
        "AWAY|OTHER",
        "OTHER|OTHER",
        "OOMPH|OTHER",
        "''|OTHER",
        "BUSY|BUSY",
      })
  void isToldByItsFirstWord(String error, FailureKind trouble) {
    assertEquals(trouble, FailureKind.of(error));
  }

  @ParameterizedTest
  @EnumSource
  void whatLastsSaysWhatMendsIt(FailureKind trouble) {
    assertEquals(trouble.passes(), trouble.advice().isEmpty());
  }

  @Test
  void whatWasSentIsNotRepeated() {
    Failure failure =
        Failure.of("ERR unknown command `AUTH`, with args beginning with: `secret`, ");
    assertFalse(failure.toString().contains("secret"), failure.toString());
  }
}
