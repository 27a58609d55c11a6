package org.springframework.samples.petclinic;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** A bean with a limited method. */
public class OwnerService {
  /**
   * Is limited.
   *
   * @return its name
   */
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT, name = "find-owners")
  public String find() {
    return "found";
  }
}
