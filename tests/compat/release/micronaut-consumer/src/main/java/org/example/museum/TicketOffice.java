package org.example.museum;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;
import java.time.temporal.ChronoUnit;

/** Has two tickets an hour. */
@Singleton
class TicketOffice {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = By.ENDPOINT, name = "tickets")
  public String sell() {
    return "noon";
  }
}
