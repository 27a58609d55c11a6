package io.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import io.weir.testkit.store.SimulatedStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Runs the contract where the store can't be opened. */
class PermitStoreContractTest {
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final AtomicInteger CLOSED = new AtomicInteger();

  @BeforeEach
  void forget() {
    OPENED.set(0);
    CLOSED.set(0);
  }

  abstract static class Unopened extends PermitStoreContract {
    @Override
    protected void advance(Duration time) {}
  }

  static class Left extends Unopened {
    @Override
    protected PermitStore open() {
      return Assumptions.abort("the database isn't installed");
    }
  }

  static class Broken extends Unopened {
    @Override
    protected PermitStore open() {
      throw new IllegalStateException("the database is full");
    }
  }

  static class Absent extends Unopened {
    @Override
    @SuppressWarnings("NullAway")
    protected PermitStore open() {
      return null;
    }
  }

  /** Opens for the first of all tests only, which one instance runs. */
  @TestInstance(Lifecycle.PER_CLASS)
  static class BrokenLater extends Unopened {
    @Override
    protected PermitStore open() {
      if (OPENED.incrementAndGet() > 1) {
        throw new IllegalStateException("the database is full");
      }
      PermitStore store = new SimulatedStore(() -> 0);
      return new PermitStore() {
        @Override
        public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
          return store.execute(claims);
        }

        @Override
        public long size() {
          return store.size();
        }

        @Override
        public void close() {
          CLOSED.incrementAndGet();
        }
      };
    }
  }

  private static Events tests(Class<?> type) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(type))
        .execute()
        .testEvents();
  }

  private static List<Throwable> failures(Class<?> type) {
    return tests(type).failed().list().stream()
        .map(each -> each.getRequiredPayload(TestExecutionResult.class))
        .map(each -> each.getThrowable().orElseThrow())
        .toList();
  }

  @Test
  void aStoreThatIsLeftOutSkipsTheContract() {
    Events tests = tests(Left.class);
    assertTrue(tests.aborted().count() > 0, "nothing ran");
    assertEquals(List.<Event>of(), tests.failed().list());
  }

  @Test
  void aStoreThatCanNotBeOpenedFailsWithTheCauseAlone() {
    List<Throwable> failures = failures(Broken.class);
    assertTrue(!failures.isEmpty(), "nothing ran");
    for (Throwable each : failures) {
      assertEquals("the database is full", each.getMessage());
      assertEquals(0, each.getSuppressed().length);
    }
  }

  @Test
  void noStoreIsNamedAsTheCause() {
    List<String> messages = failures(Absent.class).stream().map(Throwable::getMessage).toList();
    assertEquals(List.of("open() returned null"), messages.stream().distinct().toList());
  }

  @Test
  void theStoreOfAnEarlierTestIsNotClosedAgain() {
    long failures = tests(BrokenLater.class).failed().count();
    assertTrue(failures > 1, () -> failures + " failures");
    assertEquals(2, CLOSED.get(), "twice, as the contract asks");
  }
}
