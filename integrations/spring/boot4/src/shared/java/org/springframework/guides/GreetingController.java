package org.springframework.guides;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Is known as a part of an application by its limit alone. */
@RestController
public class GreetingController {
  /**
   * Is limited.
   *
   * @return its name
   */
  @GetMapping("/greeting")
  @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT, name = "greeting")
  public String greet() {
    return "greeting";
  }
}
