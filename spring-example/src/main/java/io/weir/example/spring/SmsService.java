package io.weir.example.spring;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * A bean whose method is limited, whichever other bean calls it; a refusal is an exception that
 * Weir turns into the usual 429.
 *
 * <p>Weir warns at the start that callers can invent phone numbers. Where messages cost money, the
 * endpoint should have a limit by address, too.
 */
@Service
class SmsService {
  private static final Logger LOG = LoggerFactory.getLogger(SmsService.class);

  @RateLimit(
      limit = 10,
      window = 1,
      unit = ChronoUnit.HOURS,
      by = By.KEY,
      key = "param:phone",
      name = "sms")
  void send(String phone) {
    LOG.debug("a message to {}", phone);
  }
}
