package io.weir.spring;

import io.weir.seeds.Seeds;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.SpringBootVersion;

/**
 * Determines which tests that take long have their turn today, and on which Spring Boot, for {@code
 * @EnabledIf}: each class every other day, by turns on the two; in long builds always.
 */
public final class BootOfToday {
  /** Four days: half of the classes, then the other half, then both on the other Boot. */
  private static final List<String> TURNS = List.of("3.0", "4.1", "4.0", "3.1");

  private BootOfToday() {}

  /** Whether a test class has its turn in a process of this Spring Boot. */
  public static boolean isHere(ExtensionContext context) {
    String boot = SpringBootVersion.getVersion().substring(0, 2);
    long half = Seeds.turn(context.getRequiredTestClass().getName()) % 2;
    return Seeds.today(TURNS, TURNS.size()).contains(boot + half);
  }
}
