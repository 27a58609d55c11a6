package org.example.cinema;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.springframework.stereotype.Service;

/** Has two tickets an hour. */
@Service
class TicketOffice {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = By.ENDPOINT, name = "tickets")
  public String sell() {
    return "row 5";
  }
}
