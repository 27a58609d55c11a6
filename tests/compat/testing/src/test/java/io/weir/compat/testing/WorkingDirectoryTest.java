package io.weir.compat.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.testkit.junit.WeirTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The working directory of these tests has a {@code weir.properties} that stops every start. */
class WorkingDirectoryTest {
  private static List<Event> failed(Class<?> type) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(type))
        .execute()
        .testEvents()
        .failed()
        .list();
  }

  @WeirTest
  static class ByDefault {
    @Test
    void starts(Weir weir) {
      assertEquals("inprocess:", weir.store());
    }
  }

  @WeirTest(ambientSettings = true)
  static class Ambient {
    @Test
    void doesNotStart(Weir weir) {}

    @Test
    @WeirTest(settings = "weir.store=inprocess:")
    void startsWithAnotherStore(Weir weir) {}
  }

  @Test
  void itsSettingsAreNotRead() {
    assertEquals(List.of(), failed(ByDefault.class));
  }

  @Test
  void itsSettingsAreReadIfAskedFor() {
    List<Event> failed = failed(Ambient.class);
    assertEquals(1, failed.size(), failed::toString);
    assertTrue(failed.toString().contains("nowhere"), failed::toString);
  }
}
