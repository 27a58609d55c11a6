package org.example.cinema;

import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows films and sells tickets. */
@RestController
class FilmController {
  private final TicketOffice office;

  FilmController(TicketOffice office) {
    this.office = office;
  }

  @GetMapping("/films")
  @RateLimit(limit = 3, window = 1, unit = ChronoUnit.HOURS)
  List<String> films() {
    return List.of("The Third Man");
  }

  @GetMapping("/tickets")
  String ticket() {
    return office.sell();
  }
}
