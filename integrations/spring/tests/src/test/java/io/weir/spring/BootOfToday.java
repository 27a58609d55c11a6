package io.weir.spring;

import io.weir.seeds.Seeds;
import java.util.List;
import org.springframework.boot.SpringBootVersion;

/**
 * Determines which Spring Boot has its turn today with tests that take long and run on one of the
 * two in each build, on both in long ones: for {@code @EnabledIf}.
 */
public final class BootOfToday {
  private BootOfToday() {}

  /** Whether this is a process of the Spring Boot whose turn it is. */
  public static boolean isHere() {
    String here = SpringBootVersion.getVersion();
    return Seeds.today(List.of("3.", "4."), 2).stream().anyMatch(here::startsWith);
  }
}
