package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Spring Boot's applications with Weir but without the starter are warned, once. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class MissingStarterTest {
  private static final String WARNING = "io.weir:weir-spring-boot-starter";

  @Test
  void warnsOnceOfServletAndReactiveApplicationsAlike() throws Exception {
    List<String> without =
        JavaProcess.classPath().stream()
            .map(each -> each.replace('\\', '/'))
            .filter(each -> !each.matches(".*/integrations/spring/core/target/.*"))
            .filter(each -> !each.matches(".*/integrations/spring/boot\\d/target/(t/target/)?classes/?"))
            .filter(each -> !each.matches(".*/weir-spring[^/]*\\.jar"))
            .toList();
    for (String type : Seeds.today(List.of("servlet", "reactive"), 2)) {
      String output = run(without, type);
      assertEquals(2, output.split(WARNING, -1).length, output);
      assertTrue(output.contains("2 served"), output);
    }
  }

  @Test
  void isSilentWithTheStarter() throws Exception {
    String output = run(JavaProcess.classPath(), "none");
    assertEquals(1, output.split(WARNING, -1).length, output);
    assertTrue(output.contains("2 served"), output);
  }

  private static String run(List<String> classPath, String type) throws Exception {
    return JavaProcess.run(classPath, List.of(), WithoutStarterMain.class.getName(), type);
  }
}
