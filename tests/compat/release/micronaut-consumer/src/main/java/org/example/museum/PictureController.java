package org.example.museum;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Shows three pictures an hour to each address. */
@Controller
class PictureController {
  private final TicketOffice office;

  PictureController(TicketOffice office) {
    this.office = office;
  }

  @Get("/pictures")
  @RateLimit(limit = 3, window = 1, unit = ChronoUnit.HOURS)
  List<String> pictures() {
    return List.of("The Starry Night");
  }

  @Get("/tickets")
  String ticket() {
    return office.sell();
  }
}
