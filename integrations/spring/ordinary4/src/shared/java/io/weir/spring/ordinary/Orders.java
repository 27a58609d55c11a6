package io.weir.spring.ordinary;

import io.weir.annotation.RateLimit;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller with a limit. */
@RestController
class Orders {
  @RateLimit(limit = 1, window = 3600)
  @GetMapping("/latest")
  public Map<String, Integer> latest() {
    return Map.of("id", 1);
  }
}
