package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.CallerTier;
import io.weir.test.log.LogLines;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls in threads that must not block. */
class EventLoopCallTest {
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 9, window = 3600, by = By.ENDPOINT)
    public String send() {
      return "sent";
    }

    @RateLimit(limit = 9, window = 3600, by = By.ENDPOINT)
    public Uni<String> sendLater() {
      return Uni.createFrom().item("sent");
    }
  }

  @AfterEach
  void reset() {
    Infrastructure.resetCanCallerThreadBeBlockedSupplier();
  }

  private static List<String> warnings(Weir weir) {
    try (Weir installed = weir.install();
        Beans beans = Beans.of(Mailer.class);
        LogLines log = new LogLines("io.weir.cdi")) {
      Mailer mailer = beans.get(Mailer.class);
      assertEquals("sent", mailer.send());
      assertEquals(List.of(), log.warnings(), "in a thread that may block");
      Infrastructure.setCanCallerThreadBeBlockedSupplier(() -> false);
      Uni<String> later = mailer.sendLater();
      mailer.send();
      mailer.send();
      Infrastructure.resetCanCallerThreadBeBlockedSupplier();
      assertEquals("sent", later.await().atMost(Duration.ofSeconds(60)));
      return log.warnings();
    }
  }

  @Test
  void warnsOnceOfAPlainMethodThatWaits() {
    List<String> warnings =
        warnings(
            Weir.builder()
                .onlyGivenSettings()
                .tierResolver((request, policy) -> CallerTier.none())
                .build());
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(
        warnings.get(0).startsWith(Mailer.class.getName() + "#send has a limit"),
        warnings::toString);
  }

  @Test
  void warnsOfNothingWhereNoDecisionWaits() {
    assertEquals(List.of(), warnings(Weir.builder().onlyGivenSettings().build()));
  }
}
