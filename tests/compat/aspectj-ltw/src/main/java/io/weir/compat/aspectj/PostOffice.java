package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** Implements limited interfaces, and has methods that subclasses inherit. */
public class PostOffice implements Mail {
  @Override
  public String deliver() {
    return "delivered";
  }

  public String unlimited() {
    return "free";
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public String stamp() {
    return "stamped";
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public String weigh() {
    return "weighed";
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public String post() {
    return "posted";
  }

  @RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
  public String queue() {
    return "queued";
  }

  /** Inherits one method and overrides another. */
  public static class Branch extends PostOffice {
    @Override
    public String weigh() {
      return "weighed twice";
    }

    @Override
    public String post() {
      return super.post() + " by the branch";
    }

    @Override
    @RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
    public String queue() {
      return super.queue() + " at the branch";
    }
  }

  static class Cellar {
    @RateLimit(limit = 2, window = 60, by = By.ENDPOINT)
    public String store() {
      return "stored";
    }
  }

  /** The compiler repeats the public method here, since its class isn't public. */
  public static class Archive extends Cellar {}
}
