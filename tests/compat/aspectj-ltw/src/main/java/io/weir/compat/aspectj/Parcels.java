package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** An interface whose implementations are limited by {@link ParcelLimits}. */
public interface Parcels {
  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  String pack();

  String unpack();

  /** Carries no annotation. */
  class Depot implements Parcels {
    @Override
    public String pack() {
      return "packed";
    }

    @Override
    public String unpack() {
      return "unpacked";
    }
  }
}
