package io.weir.example.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;

/**
 * A plain class. The aspect is woven into it when it is compiled, so whoever calls is limited; a
 * refusal is an exception that Weir turns into the usual 429.
 *
 * <p>Weir warns at the start that a caller can think of ever new numbers. It is right: where
 * messages cost money, the endpoint would have a limit by address as well.
 */
class SmsService {
  @RateLimit(
      limit = 10,
      window = 1,
      unit = ChronoUnit.HOURS,
      by = By.KEY,
      key = "param:phone",
      name = "sms")
  void send(String phone) {
    System.getLogger("sms").log(System.Logger.Level.DEBUG, "a message to {0}", phone);
  }
}
