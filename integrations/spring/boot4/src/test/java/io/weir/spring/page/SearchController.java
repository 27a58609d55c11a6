package io.weir.spring.page;

import io.weir.annotation.RateLimit;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The page's first controller. */
@RestController
class SearchController {
  @GetMapping("/search")
  @RateLimit(limit = 3, window = 10)
  List<String> search(@RequestParam String q) {
    return index.find(q);
  }

  private final Index index; // here, so that all before is as on the page

  SearchController(Index index) {
    this.index = index;
  }
}
