package io.weir.spring.page;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.springframework.stereotype.Service;

/** The page's bean with a limited method. */
@Service
class SmsService {
  @RateLimit(limit = 10, window = 1, unit = ChronoUnit.HOURS, by = By.KEY, key = "param:phone")
  public void send(String phone) {}
}
