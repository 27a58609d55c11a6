package io.weir.internal.cassandra;

import io.weir.Ticker;
import java.util.UUID;
import java.util.function.LongSupplier;

/** A clock of coordinators that tests set, whatever the coordinators say. */
final class SetClock extends StoreClock {
  private final LongSupplier micros;

  SetClock(LongSupplier micros) {
    this(Ticker.system(), micros);
  }

  /** Measures by a ticker how long exchanges take. */
  SetClock(Ticker ticker, LongSupplier micros) {
    super(ticker);
    this.micros = micros;
  }

  @Override
  long hear(UUID told, long sentAt) {
    return micros.getAsLong();
  }

  @Override
  long now() {
    return micros == null ? 0 : micros.getAsLong();
  }

  @Override
  long uncertainty() {
    return 0;
  }
}
