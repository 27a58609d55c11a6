package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** An interface whose implementations are limited by an aspect that aop.xml makes. */
@RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
public interface Letters {
  String seal();

  /** Carries no annotation. */
  class Desk implements Letters {
    @Override
    public String seal() {
      return "sealed";
    }

    @Override
    public String toString() {
      return "desk";
    }
  }
}
