package io.weir.internal.access;

import io.weir.Ticker;
import io.weir.spi.RequestInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Requests with an address, and perhaps a key and a user, and a clock that stands still. */
final class Callers {
  static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");

  static final Ticker CLOCK =
      new Ticker() {
        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public long epochMicros() {
          return ChronoUnit.MICROS.between(Instant.EPOCH, NOW);
        }
      };

  private Callers() {}

  /** A request from an address, with the field {@code Key} and a user unless they are empty. */
  record From(String caller, String key, String signedIn) implements RequestInfo {
    From(String caller) {
      this(caller, "", "");
    }

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public List<String> headers(String name) {
      return name.equals("Key") && !key.isEmpty() ? List.of(key) : List.of();
    }

    @Override
    public Optional<String> user() {
      return Optional.of(signedIn).filter(each -> !each.isEmpty());
    }

    @Override
    public Optional<String> peer() {
      return Optional.of(caller);
    }
  }
}
