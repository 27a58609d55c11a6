package io.weir.example.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;

/**
 * A plain class whose method is limited. The aspect is woven in at compile time, so every call is
 * limited; a refusal is an exception that Weir turns into the usual 429.
 *
 * <p>Weir warns at the start that callers can invent phone numbers. Where messages cost money, the
 * endpoint should have a limit by address, too.
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
