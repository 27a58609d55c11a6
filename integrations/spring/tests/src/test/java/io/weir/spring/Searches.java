package io.weir.spring;

import io.weir.annotation.RateLimit;

/** A bean that is limited. */
class Searches {
  @RateLimit(name = "search", limit = 2, window = "1m")
  public String search() {
    return "found";
  }
}
