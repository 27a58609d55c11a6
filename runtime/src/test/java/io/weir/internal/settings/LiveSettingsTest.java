package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.test.log.LogLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveSettingsTest {
  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = new LiveSettings(() -> SettingsSnapshot.of(given));
  private final List<String> events = new ArrayList<>();
  private final LogLines logged = new LogLines(LiveSettings.class);

  @AfterEach
  void stop() {
    logged.close();
  }

  private void follow(String name) {
    live.follow(
        next -> {
          events.add(name + " prepares " + next.flag("weir.enabled", true));
          return () -> events.add(name + " commits");
        });
  }

  private void followButRefuse(String value) {
    live.follow(
        next -> {
          if (next.text("weir.headers", "both").equals(value)) {
            throw next.invalid("weir.headers", "isn't for me");
          }
          return () -> {};
        });
  }

  @Test
  void aFollowerIsToldAtOnceAndOfEachChange() {
    follow("one");
    live.refresh();
    given.put("weir.enabled", "false");
    live.refresh();
    live.refresh();
    assertEquals(
        List.of("one prepares true", "one commits", "one prepares false", "one commits"), events);
    assertFalse(live.current().flag("weir.enabled", true));
  }

  @Test
  void allPrepareBeforeAnyCommits() {
    follow("one");
    follow("two");
    events.clear();
    given.put("weir.enabled", "false");
    live.refresh();
    assertEquals(
        List.of("one prepares false", "two prepares false", "one commits", "two commits"), events);
  }

  @Test
  void oneWhoCantFollowRefusesTheWholeChange() {
    follow("one");
    followButRefuse("none");
    events.clear();
    given.put("weir.enabled", "false");
    given.put("weir.headers", "none");
    live.refresh();
    assertEquals(List.of("one prepares false"), events);
    assertTrue(live.current().flag("weir.enabled", true));
    assertEquals(
        List.of(
            "SEVERE A change of settings was rejected, so the old settings still apply:"
                + " weir.headers = 'none'"
                + " (given): isn't for me"),
        logged.lines());
  }

  @Test
  void aMalformedChangeIsLoggedOnceAndLeavesWhatWasInForce() {
    follow("one");
    events.clear();
    given.put("weir.enabled", "maybe");
    live.refresh();
    live.refresh();
    assertEquals(1, logged.containing("weir.enabled = 'maybe'").size());
    given.put("weir.enabled", "perhaps");
    live.refresh();
    assertEquals(1, logged.containing("weir.enabled = 'perhaps'").size());
    assertTrue(events.isEmpty());
    assertTrue(live.current().flag("weir.enabled", true));
    given.put("weir.enabled", "false");
    live.refresh();
    assertFalse(live.current().flag("weir.enabled", true));
  }

  @Test
  void aLoggerThatThrowsChangesNothingOfWhatIsInForceAndTheFaultIsLoggedLater() {
    boolean[] isBroken = {true};
    Handler handler = throwingWhile(isBroken);
    Logger.getLogger(LiveSettings.class.getName()).addHandler(handler);
    try {
      given.put("weir.enabled", "maybe");
      live.refresh();
      assertTrue(live.current().flag("weir.enabled", true));
      isBroken[0] = false;
      live.refresh();
      live.refresh();
      assertEquals(2, logged.containing("weir.enabled = 'maybe'").size(), "the first was lost");
      isBroken[0] = true;
      given.put("weir.enabled", "false");
      live.refresh();
      assertFalse(live.current().flag("weir.enabled", true));
      assertEquals(1, logged.containing("Settings changed").size());
      assertEquals(2, logged.containing("rejected").size());
    } finally {
      Logger.getLogger(LiveSettings.class.getName()).removeHandler(handler);
    }
  }

  private static Handler throwingWhile(boolean[] isBroken) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        if (isBroken[0]) {
          throw new IllegalStateException("the disk is full");
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void theSameFaultIsLoggedAgainOnceItWasGone() {
    given.put("weir.enabled", "maybe");
    live.refresh();
    given.clear();
    live.refresh();
    given.put("weir.enabled", "maybe");
    live.refresh();
    assertEquals(2, logged.containing("weir.enabled = 'maybe'").size());
  }

  @Test
  void aFollowerThatCantUseWhatIsInForceIsntTaken() {
    given.put("weir.headers", "none");
    live.refresh();
    assertThrows(InvalidSettingException.class, () -> followButRefuse("none"));
    given.put("weir.enabled", "false");
    live.refresh();
    assertFalse(live.current().flag("weir.enabled", true));
  }

  @Test
  void anUnexpectedFaultOfAFollowerIsRefusedToo() {
    live.follow(
        next -> {
          if (!next.flag("weir.enabled", true)) {
            throw new IllegalStateException("a bug");
          }
          return () -> {};
        });
    given.put("weir.enabled", "false");
    live.refresh();
    assertTrue(live.current().flag("weir.enabled", true));
    assertEquals(1, logged.containing("a bug").size());
  }

  @Test
  void nothingChangesOnceClosed() {
    follow("one");
    events.clear();
    live.close();
    given.put("weir.enabled", "false");
    live.refresh();
    assertTrue(events.isEmpty());
    assertTrue(live.current().flag("weir.enabled", true));
  }

  @Test
  void fixedSettingsNeverChange() {
    SettingsSnapshot fixed = SettingsSnapshot.of(Map.of("weir.enabled", "false"));
    try (LiveSettings still = LiveSettings.of(fixed)) {
      still.refresh();
      assertEquals(fixed, still.current());
    }
  }

  @Test
  void aTimerTakesOnlyWhatItReadsTwice() {
    given.put("weir.policy.p.limit", "5"); // a file cut off while 50 is being saved
    live.refreshSettled();
    given.put("weir.policy.p.limit", "50");
    live.refreshSettled();
    assertEquals("none", live.current().text("weir.policy.p.limit", "none"));
    live.refreshSettled();
    assertEquals("50", live.current().text("weir.policy.p.limit", "none"));
    given.clear(); // and one emptied
    live.refreshSettled();
    given.put("weir.policy.p.limit", "50");
    live.refreshSettled();
    given.clear();
    live.refreshSettled();
    assertEquals("50", live.current().text("weir.policy.p.limit", "none"));
    live.refreshSettled();
    assertEquals("none", live.current().text("weir.policy.p.limit", "none"));
  }

  @Test
  void whoAsksByHandTakesWhatIsThereAtOnce() {
    given.put("weir.enabled", "false");
    live.refresh();
    assertFalse(live.current().flag("weir.enabled", true));
  }

  @Test
  void aTimerRefusesAMalformedChangeOnce() {
    given.put("weir.enabled", "maybe");
    for (int times = 0; times < 4; times++) {
      live.refreshSettled();
    }
    assertEquals(1, logged.containing("weir.enabled = 'maybe'").size());
    followButRefuse("none");
    given.put("weir.enabled", "true");
    given.put("weir.headers", "none");
    for (int times = 0; times < 4; times++) {
      live.refreshSettled();
    }
    assertEquals(1, logged.containing("isn't for me").size());
  }
}
