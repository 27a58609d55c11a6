package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import java.util.function.Supplier;

/** One method for each way to be limited. */
public class Methods {
  private int runs;

  @OncePerMinute
  public void composed() {
    runs++;
  }

  @Rarely
  public void composedTwice() {
    runs++;
  }

  @RateLimit(limit = 2, window = 10, by = By.ENDPOINT)
  @RateLimit(limit = 3, window = 60, by = By.ENDPOINT)
  public void repeated() {
    runs++;
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public static String ofTheClass() {
    return "static";
  }

  public String viaPrivate() {
    return hidden();
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  private String hidden() {
    return "private";
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public Supplier<String> lambda() {
    return () -> "from a lambda " + runs;
  }

  @RateLimit(limit = 4, window = 60, by = By.ENDPOINT)
  public void counted() {
    runs++;
  }

  @RateLimit(limit = 2, window = 60)
  public void byAddress() {
    runs++;
  }

  @RateLimit(limit = 100, window = 60)
  public void inPool() {
    runs++;
  }

  @RateLimit(limit = 2, window = 60, by = By.USER)
  public void byUser() {
    runs++;
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT, tiers = @Tier(name = "premium", limit = 3))
  public void tiered() {
    runs++;
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT, shadow = true)
  public void watched() {
    runs++;
  }

  @RateLimit(limit = 100, window = 60)
  public void generous() {
    runs++;
  }

  @RateLimit(limit = 100, window = 60)
  public void generousToo() {
    runs++;
  }

  public void free() {
    runs++;
  }

  public int runs() {
    return runs;
  }
}
