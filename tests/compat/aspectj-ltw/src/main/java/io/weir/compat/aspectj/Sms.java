package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import org.jspecify.annotations.Nullable;

/** Methods that count by their parameters. */
public class Sms {
  @RateLimit(limit = 2, window = 60, by = By.KEY, key = "param:phone")
  public String send(@Nullable String phone, String text) {
    return text + " to " + phone;
  }

  @RateLimit(
      limit = 1,
      window = 60,
      by = By.KEY,
      key = {"param:from", "param:to"})
  public String connect(String from, int to) {
    return from + " with " + to;
  }

  @RateLimit(
      limit = 1,
      window = 60,
      by = {By.KEY, By.IP},
      key = "param:phone")
  public String confirm(String phone) {
    return phone;
  }

  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "param:fone")
  public String misspelt(String phone) {
    return phone;
  }

  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "param:digits")
  public int spelled(char... digits) {
    return digits.length;
  }

  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "param:phone")
  public String opaque(Object phone) {
    return "sent";
  }
}
