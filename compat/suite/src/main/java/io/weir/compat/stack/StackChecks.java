package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.stack.StackClient.Caller;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The 31 checks that a stack must pass over HTTP, and one that nothing is left after five starts
 * and stops. A check that a stack can't pass is listed with the reason, and must really fail, so
 * that the list stays true. Prints a line of the table of stacks.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class StackChecks {
  private static final int STARTS = 5;

  private final List<Integer> passed = new ArrayList<>();
  private List<Check> checks = List.of();
  private StackServer server;

  /** For subclasses. */
  protected StackChecks() {}

  /**
   * Names the stack for the table.
   *
   * @return such as {@code RESTEasy 6.2.16 on Undertow}
   */
  protected abstract String stack();

  /**
   * Starts the process of the stack.
   *
   * @return a process whose application isn't started yet
   * @throws Exception if it can't start
   */
  protected abstract StackServer newServer() throws Exception;

  /**
   * Names the checks that this stack can't pass.
   *
   * @return the reason by the number of the check
   */
  protected Map<Integer, String> impossible() {
    return Map.of();
  }

  @BeforeAll
  void start() throws Exception {
    server = newServer();
    checks = new ArrayList<>(CheckList.of(new StackClient(server.start())));
    checks.add(
        new Check(checks.size() + 1, "nothing is left after five starts and stops", this::restart));
  }

  @AfterAll
  void end() {
    server.close();
    System.out.printf("%-40s %d of %d passed%s%n", stack(), passed.size(), checks.size(), rest());
  }

  private String rest() {
    StringBuilder rest = new StringBuilder();
    impossible().forEach((number, reason) -> rest.append("; ").append(number + ": " + reason));
    return rest.toString();
  }

  @TestFactory
  Stream<DynamicTest> checks() {
    return checks.stream()
        .map(each -> DynamicTest.dynamicTest(each.number() + " " + each.text(), () -> run(each)));
  }

  private void run(Check check) throws Throwable {
    if (impossible().containsKey(check.number())) {
      assertThrows(
          AssertionError.class, check.test(), check.number() + " passes: it can leave the list");
    } else {
      check.test().execute();
      passed.add(check.number());
    }
  }

  /** The last check, since the application has a new address afterwards. */
  private void restart() throws IOException, InterruptedException {
    for (int i = 1; i < STARTS; i++) {
      server.stop();
      URI base = server.start();
      assertEquals(
          200, new StackClient(base).get("/ip", Caller.at("198.51.100.1")).status(), "start " + i);
    }
    server.stop();
    assertEquals(List.of(), Leftovers.of(server.process()));
  }
}
