package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.RateLimitExceededException;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** A bean of CDI, in a container that finds it and Weir's extension by itself. */
class BeansTest {
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = By.ENDPOINT)
    public void send() {}
  }

  @Test
  void twoPerHour() {
    try (SeContainer container = SeContainerInitializer.newInstance().initialize()) {
      Mailer mailer = container.select(Mailer.class).get();
      mailer.send();
      mailer.send();
      assertThrows(RateLimitExceededException.class, mailer::send);
    }
  }
}
