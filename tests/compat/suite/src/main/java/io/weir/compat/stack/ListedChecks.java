package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertThrows;

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
 * Runs numbered checks, a test each. A check that a stack can't pass is listed with the reason, and
 * must really fail, so that the list stays true. Prints a line of the table of stacks.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ListedChecks {
  private final List<Integer> passed = new ArrayList<>();
  private List<Check> checks = List.of();

  /**
   * Names the stack for the table.
   *
   * @return such as {@code RESTEasy 6.2.16 on Undertow}
   */
  protected abstract String stack();

  /**
   * Names the checks that this stack can't pass.
   *
   * @return the reason by the number of the check
   */
  protected Map<Integer, String> impossible() {
    return Map.of();
  }

  /**
   * Says how users sign in.
   *
   * @return true for Basic authentication with the password {@code secret}, false for {@code
   *     X-User} alone
   */
  protected boolean signsInByPassword() {
    return false;
  }

  /** Starts what the checks need, and lists them in the order in which they run. */
  abstract List<Check> open() throws Exception;

  /** Ends what {@link #open} has started, even if it failed. */
  abstract void close() throws Exception;

  /** Says what is checked, for the table; empty for the checks of every stack. */
  String subject() {
    return "";
  }

  @BeforeAll
  void start() throws Exception {
    checks = open();
  }

  @AfterAll
  void end() throws Exception {
    close();
    System.out.printf(
        "%-40s %d of %d passed%s%n", stack() + subject(), passed.size(), checks.size(), rest());
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
}
