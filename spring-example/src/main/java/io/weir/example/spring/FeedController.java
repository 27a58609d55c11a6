package io.weir.example.spring;

import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import java.util.OptionalInt;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A limit that follows the load of the node, and an endpoint that sets a simulated load. */
@RestController
@RequestMapping("/api/feed")
class FeedController {
  private final PretendedLoad load;

  FeedController(PretendedLoad load) {
    this.load = load;
  }

  @GetMapping
  @RateLimit(limit = 10, window = 10, mode = Mode.ELASTIC, exceedBy = 100, name = "feed")
  MarkedAnswer feed(HttpServletRequest request) {
    return MarkedAnswer.from("feed", request);
  }

  /** Sets a load in percent; without it, the real load counts again. */
  @PostMapping("/load")
  ResponseEntity<?> load(@RequestParam(defaultValue = "") String percent) {
    if (!percent.isBlank() && !percent.matches("\\d{1,2}|100")) {
      return Mistake.response(
          HttpStatus.BAD_REQUEST, "percent must be a whole number from 0 to 100");
    }
    load.simulate(
        percent.isBlank() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(percent)));
    return ResponseEntity.ok(new Answer("feed/load"));
  }
}
