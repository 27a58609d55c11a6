package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Methods whose parameters determine the cost, or whether a call is limited. */
public class Purchases {
  @RateLimit(limit = 200, window = 60, costFrom = "param:amount", name = "purchases")
  public String buy(@Nullable BigDecimal amount) {
    return "bought for " + amount;
  }

  @RateLimit(limit = 200, window = 60, costFrom = "param:amount", name = "purchases.double")
  public String pay(double amount) {
    return "paid " + amount;
  }

  @RateLimit(limit = 200, window = 60, costFrom = "param:amount", name = "purchases.text")
  public String order(String amount) {
    return "ordered for " + amount;
  }

  @RateLimit(limit = 1, window = 60, when = "risky", name = "messages")
  public String send(String text) {
    return text;
  }

  @RateLimit(limit = 10, window = 60, costFrom = "length", name = "lengths")
  public String print(String text) {
    return text;
  }

  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "shard:16:param:url", name = "partitions")
  public String fetch(String url) {
    return url;
  }

  @RateLimit(limit = 200, window = 60, costFrom = "param:amuont", name = "misspelt")
  public String misspelt(String amount) {
    return amount;
  }
}
