package io.weir.internal.postgres;

import io.weir.Ticker;
import java.util.function.LongSupplier;

/** A server's clock that tests set, whatever the server says. */
class SetClock extends StoreClock {
  private final LongSupplier micros;

  SetClock(LongSupplier micros) {
    super(Ticker.system());
    this.micros = micros;
  }

  @Override
  void hear(long told, long sentAt) {}

  @Override
  long now() {
    return micros.getAsLong();
  }

  @Override
  long uncertainty() {
    return 0;
  }

  @Override
  void hearLag(long sent, long reported) {}

  @Override
  long passed(long computed, long reported) {
    return 0;
  }

  @Override
  long waited(long asked, long sent) {
    return 0;
  }

  @Override
  boolean isReached(long computed, long reported) {
    return true;
  }

  @Override
  long from(long computed) {
    return 0;
  }

  @Override
  long until(long slotEnd) {
    return Long.MAX_VALUE;
  }
}
