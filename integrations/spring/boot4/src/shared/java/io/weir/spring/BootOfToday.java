package io.weir.spring;

import io.weir.seeds.Seeds;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringBootVersion;

/**
 * Determines which tests have their turn today, and on which Spring Boot, for {@code @EnabledIf}:
 * those that take long every third day, by turns on the two; others every day, on one of the two.
 * In long builds all run on both.
 */
public final class BootOfToday {
  /** Six days: each third of the classes on one Boot, and then on the other. */
  private static final List<String> TURNS = List.of("3.0", "4.1", "3.2", "4.0", "3.1", "4.2");

  /** Two days: each half of the classes on one Boot, and then on the other. */
  private static final List<Set<String>> HALVES =
      List.of(Set.of("3.0", "4.1"), Set.of("3.1", "4.0"));

  private BootOfToday() {}

  /** Whether a test class has its turn in a process of this Spring Boot. */
  public static boolean isHere(ExtensionContext context) {
    return !Seeds.takeTurns()
        || Seeds.today(TURNS, TURNS.size()).contains(boot() + part(context, 3));
  }

  /** Whether a test class runs in a process of this Spring Boot today: every day on one of them. */
  public static boolean isOneOfTwo(ExtensionContext context) {
    return !Seeds.takeTurns()
        || Seeds.today(HALVES, HALVES.size()).stream()
            .anyMatch(each -> each.contains(boot() + part(context, 2)));
  }

  private static String boot() {
    return SpringBootVersion.getVersion().substring(0, 2);
  }

  private static long part(ExtensionContext context, int parts) {
    return Seeds.turn(context.getRequiredTestClass().getName()) % parts;
  }
}
