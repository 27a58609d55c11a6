package org.springframework.samples.petclinic;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handles requests, and is called by another bean too. */
@RestController
public class OwnerController {
  private final OwnerService owners;

  OwnerController(OwnerService owners) {
    this.owners = owners;
  }

  /**
   * Is limited itself.
   *
   * @return its name
   */
  @GetMapping("/owners")
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT, name = "owners")
  public String all() {
    return "owners";
  }

  /**
   * Has no limit but a default one.
   *
   * @return its name
   */
  @GetMapping("/owners/default")
  public String byDefault() {
    return "default";
  }

  /**
   * Calls a bean that is limited.
   *
   * @return the answer of the bean
   */
  @GetMapping("/owners/found")
  public String found() {
    return owners.find();
  }
}
