package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Spring Boot's applications with Weir but without the starter are warned, once. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MissingStarterTest {
  private static final String WARNING = "io.weir:weir-spring-boot-starter";

  /** Half of the three in turn: with a third, every third day would be the same one's. */
  static List<Arguments> today() {
    List<Arguments> all =
        List.of(
            Arguments.of("servlet", false),
            Arguments.of("reactive", false),
            Arguments.of("none", true));
    return Seeds.today(all, 2);
  }

  @ParameterizedTest(name = "{0}, with the starter: {1}")
  @MethodSource("today")
  void warnsOnceWithoutTheStarterAndNeverWithIt(String type, boolean hasStarter) throws Exception {
    List<String> classPath = hasStarter ? JavaProcess.classPath() : withoutStarter();
    String output = JavaProcess.run(classPath, List.of(), WithoutStarterMain.class.getName(), type);
    assertEquals(hasStarter ? 1 : 2, output.split(WARNING, -1).length, output);
    assertTrue(output.contains("2 served"), output);
  }

  private static List<String> withoutStarter() {
    return JavaProcess.classPath().stream()
        .map(each -> each.replace('\\', '/'))
        .filter(each -> !each.matches(".*/integrations/spring/core/target/.*"))
        .filter(
            each -> !each.matches(".*/integrations/spring/boot\\d/target/(t/target/)?classes/?"))
        .filter(each -> !each.matches(".*/weir-spring[^/]*\\.jar"))
        .toList();
  }
}
