package io.weir.compat.stacks.spring;

import io.weir.seeds.Seeds;
import java.util.List;

/**
 * Determines whose turn it is today, Tomcat's or Netty's; in long builds it is the turn of both.
 */
final class ServerOfToday {
  private ServerOfToday() {}

  static boolean isTomcat() {
    return today().contains("Tomcat");
  }

  static boolean isNetty() {
    return today().contains("Netty");
  }

  private static List<String> today() {
    return Seeds.today(List.of("Tomcat", "Netty"), 2);
  }
}
