package io.weir.internal.cassandra;

import io.weir.Ticker;
import java.util.UUID;
import java.util.function.LongSupplier;

/** A clock of coordinators that tests set, whatever the coordinators say. */
final class SetClock extends StoreClock {
  private final LongSupplier micros;

  SetClock(LongSupplier micros) {
    super(Ticker.system());
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
