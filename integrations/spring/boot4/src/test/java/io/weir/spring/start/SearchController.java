package io.weir.spring.start;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The page's controller. */
@RestController
class SearchController {
  @GetMapping("/search")
  @RateLimit(limit = 5, window = 60, by = By.USER)
  String search(@RequestParam String q) {
    return "You look for " + q + ".\n";
  }
}
