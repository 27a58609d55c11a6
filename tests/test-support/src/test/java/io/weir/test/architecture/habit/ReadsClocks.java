package io.weir.test.architecture.habit;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.function.Supplier;

/** Reads a clock of the JVM, a method for each way. */
final class ReadsClocks {
  private ReadsClocks() {}

  static long nanos() {
    return System.nanoTime();
  }

  static long millis() {
    return System.currentTimeMillis();
  }

  static Supplier<Instant> reference() {
    return Instant::now;
  }

  static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  @SuppressWarnings("JavaUtilDate") // another way to read the clock
  static Date date() {
    return new Date();
  }

  static Instant given(InstantSource source) {
    return source.instant();
  }
}
