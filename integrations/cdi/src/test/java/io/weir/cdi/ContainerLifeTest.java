package io.weir.cdi;

import static io.weir.cdi.Beans.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Singleton;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.weld.environment.se.Weld;
import org.junit.jupiter.api.Test;

/** What is left of an application that has ended. */
class ContainerLifeTest {
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public void send() {}
  }

  @Singleton
  static class Mistaken {
    @RateLimit(limit = 0, window = 3600, by = By.ENDPOINT)
    public void send() {}
  }

  @Test
  void anApplicationThatDoesntStartLeavesNoWeir() throws Exception {
    try (Beans beans = Beans.of(Mailer.class)) {
      assertEquals(2, admitted(4, beans.get(Mailer.class)::send));
    }
    assertThrows(
        InvalidPolicyException.class, () -> Beans.of(Mailer.class, Mistaken.class).close());
    try (Weir weir = Weir.builder().onlyGivenSettings().build().install();
        Beans beans = Beans.of(Mailer.class)) {
      beans.get(Mailer.class).send();
      assertTrue(weir.table().contains("Mailer"), "the container uses it");
    }
  }

  @Test
  void theContainerIsThatOfTheExecution() {
    String expected = System.getProperty("weir.test.weld", "6.");
    String version = Weld.class.getPackage().getImplementationVersion();
    assertTrue(version.startsWith(expected), version);
  }

  @Test
  void nothingIsLeftAfterFiveStartsAndStops() throws Exception {
    List<WeakReference<Weir>> weirs = new ArrayList<>();
    for (int start = 0; start < 5; start++) {
      weirs.add(startAndStop());
    }
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (weirs.stream().anyMatch(each -> each.get() != null) && System.nanoTime() < end) {
      System.gc();
      Thread.onSpinWait();
    }
    assertTrue(weirs.stream().allMatch(each -> each.get() == null), "a Weir is left");
  }

  private static WeakReference<Weir> startAndStop() throws Exception {
    try (Beans beans = Beans.of(Mailer.class)) {
      assertEquals(2, admitted(4, beans.get(Mailer.class)::send));
      return new WeakReference<>(Weir.application());
    }
  }
}
