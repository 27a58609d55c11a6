package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.util.function.Supplier;

/** One method mentions a class that may be missing, another one runs without it. */
public class Frail implements Supplier<String> {
  /** Present, unless a class loader hides it. */
  public static class Gone {}

  @Override
  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public String get() {
    return "ran";
  }

  public String with(Gone gone) {
    return "with " + gone;
  }
}
